// bench-raw-postgres --src ADDRESS --target ADDRESS [--supersteps N]
//
// The bound that bench-engine is measured against: libpq alone, with the rows of --src, which bench-engine
// wrote. They are held in memory and inserted into the same tables of --target by prepared statements, those
// of a checkpoint, its values and the writes before it in one pipeline, which is one transaction. Prints a
// JSON line.

#include <libpq-fe.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace {

using Steady = std::chrono::steady_clock;

struct Cell {
    std::string bytes;
    bool isNull = false;
};
using Row = std::vector<Cell>;

[[noreturn]] void fail(const char* why)
{
    std::fprintf(stderr, "%s\n", why);
    std::exit(1);
}

PGconn* connect(const std::string& address)
{
    PGconn* connection = PQconnectdb(address.c_str());
    if (PQstatus(connection) != CONNECTION_OK)
        fail(PQerrorMessage(connection));
    return connection;
}

// Columns in binary form, of which a jsonb begins with its version, as it is sent.
std::vector<Row> rowsOf(PGconn* connection, const char* sql)
{
    PGresult* result = PQexecParams(connection, sql, 0, nullptr, nullptr, nullptr, nullptr, 1);
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        fail(PQerrorMessage(connection));
    std::vector<Row> rows;
    for (int row = 0; row < PQntuples(result); ++row) {
        Row& cells = rows.emplace_back();
        for (int column = 0; column < PQnfields(result); ++column)
            cells.push_back({ std::string(PQgetvalue(result, row, column),
                                          static_cast<std::size_t>(PQgetlength(result, row, column))),
                              PQgetisnull(result, row, column) != 0 });
    }
    PQclear(result);
    return rows;
}

struct Kind {
    const char* name;
    const char* select;
    const char* insert;
};
// A blob's checkpoint is the first whose channel has that version.
constexpr Kind kKinds[] = {
    { "blob",
      "SELECT DISTINCT ON (b.thread_id, b.checkpoint_ns, b.channel, b.version) b.thread_id, b.checkpoint_ns, "
      "b.channel,"
      " b.version, b.type, b.blob, c.checkpoint_id FROM checkpoints c CROSS JOIN LATERAL"
      " jsonb_each_text(c.checkpoint -> 'channel_versions') v JOIN checkpoint_blobs b ON b.thread_id = "
      "c.thread_id AND"
      " b.checkpoint_ns = c.checkpoint_ns AND b.channel = v.key AND b.version = v.value"
      " ORDER BY b.thread_id, b.checkpoint_ns, b.channel, b.version, c.checkpoint_id",
      "INSERT INTO checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob) VALUES ($1, $2, "
      "$3, $4, $5,"
      " $6) ON CONFLICT (thread_id, checkpoint_ns, channel, version) DO NOTHING" },
    { "write",
      "SELECT thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, blob, "
      "checkpoint_id FROM"
      " checkpoint_writes ORDER BY checkpoint_id, task_path, task_id, idx",
      "INSERT INTO checkpoint_writes (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, "
      "channel, type,"
      " blob) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (thread_id, checkpoint_ns, "
      "checkpoint_id, task_id,"
      " idx) DO NOTHING" },
    { "checkpoint",
      "SELECT thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, metadata, "
      "checkpoint_id FROM"
      " checkpoints ORDER BY checkpoint_id",
      "INSERT INTO checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, "
      "metadata)"
      " VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (thread_id, checkpoint_ns, checkpoint_id) DO UPDATE SET "
      "checkpoint ="
      " EXCLUDED.checkpoint, metadata = EXCLUDED.metadata" },
};

using ById = std::map<std::pair<std::string, std::string>, std::vector<Row>>; // thread and checkpoint

ById grouped(PGconn* connection, const Kind& kind)
{
    ById rows;
    for (Row& row : rowsOf(connection, kind.select)) {
        std::string id = row.back().bytes;
        row.pop_back();
        const std::string thread = row.front().bytes;
        rows[{ thread, std::move(id) }].push_back(std::move(row));
    }
    return rows;
}

void send(PGconn* connection, const Kind& kind, const Row& row)
{
    std::vector<const char*> values;
    std::vector<int> lengths;
    for (const Cell& cell : row) {
        values.push_back(cell.isNull ? nullptr : cell.bytes.data());
        lengths.push_back(static_cast<int>(cell.bytes.size()));
    }
    const std::vector<int> formats(row.size(), 1);
    if (PQsendQueryPrepared(connection, kind.name, static_cast<int>(row.size()), values.data(),
                            lengths.data(), formats.data(), 1)
        == 0)
        fail(PQerrorMessage(connection));
}

void finish(PGconn* connection)
{
    if (PQpipelineSync(connection) == 0)
        fail(PQerrorMessage(connection));
    while (true) {
        PGresult* result = PQgetResult(connection);
        const ExecStatusType status = result == nullptr ? PGRES_COMMAND_OK : PQresultStatus(result);
        PQclear(result);
        if (status == PGRES_PIPELINE_SYNC)
            return;
        if (status != PGRES_COMMAND_OK)
            fail(PQerrorMessage(connection));
    }
}

void replay(PGconn* connection, const ById& checkpoints, const ById& blobs, const ById& writes)
{
    for (const auto& [place, rows] : checkpoints) {
        const Row& row = rows.front();
        if (const auto found = writes.find({ place.first, row[3].bytes }); found != writes.end())
            for (const Row& write : found->second)
                send(connection, kKinds[1], write);
        if (const auto found = blobs.find(place); found != blobs.end())
            for (const Row& blob : found->second)
                send(connection, kKinds[0], blob);
        send(connection, kKinds[2], row);
        finish(connection);
    }
}

} // namespace

int main(int argc, char** argv)
{
    std::map<std::string, std::string> given;
    for (int i = 1; i + 1 < argc; i += 2)
        given[argv[i]] = argv[i + 1];
    if (given["--src"].empty() || given["--target"].empty()) {
        std::fputs("usage: bench-raw-postgres --src ADDRESS --target ADDRESS [--supersteps N]\n", stderr);
        return 2;
    }
    PGconn* source = connect(given["--src"]);
    const ById blobs = grouped(source, kKinds[0]);
    const ById writes = grouped(source, kKinds[1]);
    const ById checkpoints = grouped(source, kKinds[2]);
    PQfinish(source);
    PGconn* target = connect(given["--target"]);
    for (const Kind& kind : kKinds)
        PQclear(PQprepare(target, kind.name, kind.insert, 0, nullptr));
    PQenterPipelineMode(target);
    const auto start = Steady::now();
    replay(target, checkpoints, blobs, writes);
    const double seconds = std::chrono::duration<double>(Steady::now() - start).count();
    PQfinish(target);
    const long asked = std::atol(given["--supersteps"].c_str());
    const long supersteps = asked > 0 ? asked : static_cast<long>(checkpoints.size());
    std::printf(
        "{\"peer\": \"raw-postgres\", \"supersteps\": %ld, \"wall_s\": %.6f, \"per_step_us\": %.3f}\n",
        supersteps, seconds, seconds / static_cast<double>(supersteps) * 1e6);
    return 0;
}
