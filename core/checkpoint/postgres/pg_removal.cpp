#include "core/checkpoint/postgres/pg_schema.h"
#include "core/checkpoint/postgres_checkpoint_store.h"
#include "core/checkpoint/postgres_removal.h"
#include "core/postgres/connection.h"
#include "core/postgres/outage.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <set>

namespace sg::checkpoint {
namespace {

using postgres::Parameter;
using postgres::Statement;

constexpr std::ptrdiff_t kMostRemovedAtOnce = 1000; // ids in one statement
constexpr char kBetween = '\x01'; // two ids

constexpr const char* kRoom =
    "SELECT ((SELECT coalesce(sum(pg_column_size(checkpoint) + pg_column_size(metadata)), 0) FROM"
    " checkpoints)"
    " + (SELECT coalesce(sum(pg_column_size(blob)), 0) FROM checkpoint_blobs)"
    " + (SELECT coalesce(sum(pg_column_size(blob)), 0) FROM checkpoint_writes))::int8";
constexpr const char* kRemoveThose[] = {
    "DELETE FROM checkpoints WHERE thread_id = $1::text AND checkpoint_ns = $2::text"
    " AND checkpoint_id = ANY (string_to_array($3::text, chr(1)))",
    "DELETE FROM checkpoint_writes WHERE thread_id = $1::text AND checkpoint_ns = $2::text"
    " AND checkpoint_id = ANY (string_to_array($3::text, chr(1)))",
};
constexpr const char* kRemoveNamespace[] = {
    "DELETE FROM checkpoints WHERE thread_id = $1::text AND checkpoint_ns = $2::text",
    "DELETE FROM checkpoint_writes WHERE thread_id = $1::text AND checkpoint_ns = $2::text",
};
// A value belongs to all checkpoints whose channel has its version.
constexpr const char* kRemoveUnused =
    "WITH used AS MATERIALIZED (SELECT DISTINCT c.checkpoint_ns, v.key, v.value FROM checkpoints c CROSS JOIN"
    " LATERAL jsonb_each_text(CASE WHEN jsonb_typeof(c.checkpoint -> 'channel_versions') = 'object' THEN"
    " c.checkpoint -> 'channel_versions' ELSE '{}' END) v WHERE c.thread_id = $1::text)"
    " DELETE FROM checkpoint_blobs b WHERE b.thread_id = $1::text AND NOT EXISTS (SELECT 1 FROM used u WHERE"
    " u.checkpoint_ns = b.checkpoint_ns AND u.key = b.channel AND u.value = b.version)";

std::vector<Statement> statementsOf(const PostgresRemoval& removal)
{
    std::map<std::pair<ThreadId, std::string>, std::vector<std::string>> byPlace;
    std::set<ThreadId> threads;
    for (const CheckpointRef& ref : removal.checkpoints) {
        std::vector<std::string>& lists = byPlace[{ ref.thread, ref.ns }];
        if (lists.empty() || std::ranges::count(lists.back(), kBetween) >= kMostRemovedAtOnce)
            lists.emplace_back();
        lists.back() += (lists.back().empty() ? "" : std::string(1, kBetween)) + ref.id.value;
        threads.insert(ref.thread);
    }
    std::vector<Statement> statements{ { "BEGIN", {} }, { kRoom, {} } };
    for (const auto& [place, lists] : byPlace)
        for (const std::string& ids : lists)
            for (const char* sql : kRemoveThose)
                statements.push_back({ sql,
                                       { Parameter::text(place.first.value), Parameter::text(place.second),
                                         Parameter::text(ids) } });
    for (const auto& [thread, ns] : removal.namespaces) {
        for (const char* sql : kRemoveNamespace)
            statements.push_back({ sql, { Parameter::text(thread.value), Parameter::text(ns) } });
        threads.insert(thread);
    }
    for (const ThreadId& thread : threads)
        statements.push_back({ kRemoveUnused, { Parameter::text(thread.value) } });
    statements.push_back({ kRoom, {} });
    return statements;
}

Result<PostgresRoom> remove(postgres::Connection& session, const PostgresRemoval& removal, bool dryRun)
{
    const auto rooms = session.run(statementsOf(removal));
    if (!rooms)
        return rooms.error(); // the session ends with its transaction
    if (rooms->size() != 2 || rooms->front().count() != 1 || rooms->back().count() != 1)
        return Error{ Errc::Io, "the server does not tell how much there is" };
    if (auto done = session.exec(dryRun ? "ROLLBACK" : "COMMIT"); !done)
        return std::move(done.error());
    return PostgresRoom{ rooms->front().number(0, 0), rooms->back().number(0, 0) };
}

Result<std::unique_ptr<postgres::Connection>> connectedTo(const Result<postgres::Address>& address)
{
    if (!address)
        return address.error();
    auto session = postgres::Connection::open(*address, PostgresStoreOptions().statementTimeoutMs);
    if (!session)
        return postgres::asTold(std::move(session.error()));
    return session;
}

} // namespace

Result<std::int64_t> bytesInPostgres(const std::string& address)
{
    const auto parsed = postgres::parseAddress(address);
    auto session = connectedTo(parsed);
    if (!session)
        return std::move(session.error());
    const auto schema = readPgSchema(**session, parsed->shown);
    if (!schema || !schema->hasTables)
        return schema ? Result<std::int64_t>(0) : Result<std::int64_t>(postgres::asTold(schema.error()));
    const auto room = (*session)->query({ kRoom, {} });
    if (!room)
        return postgres::asTold(room.error());
    return room->count() == 1 ? room->number(0, 0) : 0;
}

Result<PostgresRoom> removeFromPostgres(const std::string& address, const PostgresRemoval& removal,
                                        bool dryRun)
{
    const auto parsed = postgres::parseAddress(address);
    auto session = connectedTo(parsed);
    if (!session)
        return std::move(session.error());
    if (auto ready = preparePgForWriting(**session, parsed->shown); !ready)
        return postgres::asTold(std::move(ready.error()));
    auto room = remove(**session, removal, dryRun);
    if (!room)
        return postgres::asTold(std::move(room.error()).during("remove checkpoints from " + parsed->shown));
    return room;
}

} // namespace sg::checkpoint
