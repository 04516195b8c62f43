#include "core/upkeep/pruning.h"

#include "core/artifacts/blob_store.h"
#include "core/base/hash.h"
#include "core/base/random_bytes.h"
#include "core/checkpoint/postgres_removal.h"
#include "core/rewind/snapshot_use.h"
#include "core/sqlite/db.h"
#include "core/sqlite/each_row.h"
#include "core/upkeep/pruning_plan.h"
#include "core/upkeep/storage.h"

#include <array>
#include <filesystem>
#include <set>
#include <system_error>

namespace sg::upkeep {
namespace {

namespace fs = std::filesystem;

// The last one tells which copies of checkpoints on a server the file has.
constexpr const char* kTables[] = { "checkpoints", "writes", "sandglass_tasks", "sandglass_session_snapshots",
                                    "sandglass_copies" };

// A file of LangGraph's own has none of our tables.
Result<std::set<std::string>> tablesOf(sqlite::Db& db)
{
    auto statement = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'");
    if (!statement)
        return std::move(statement.error());
    std::set<std::string> names;
    const auto read = sqlite::eachRow(*statement, [&] { names.emplace(statement->text(0)); });
    if (!read)
        return read.error();
    return names;
}

Result<void> removeRows(sqlite::Db& db, const std::set<std::string>& tables, const PrunePlan& plan)
{
    for (const char* table : kTables) {
        if (!tables.contains(table))
            continue;
        const std::string all =
            std::string("DELETE FROM ") + table + " WHERE thread_id = ?1 AND checkpoint_ns = ?2";
        const std::string one = all + " AND checkpoint_id = ?3";
        for (const checkpoint::CheckpointRef& ref : plan.removed)
            if (auto gone = db.run(one, ref.thread.value, ref.ns, ref.id.value); !gone)
                return gone;
        for (const auto& [thread, ns] : plan.namespaces)
            if (auto gone = db.run(all, thread.value, ns); !gone)
                return gone;
    }
    // Snapshots that no checkpoint is bound to go, too.
    return !tables.contains("sandglass_snapshots")
        ? Result<void>()
        : db.run("DELETE FROM sandglass_snapshots WHERE snapshot_id NOT IN (SELECT snapshot_id FROM "
                 "sandglass_session_snapshots)");
}

Result<void> removeFrom(const fs::path& file, const PrunePlan& plan)
{
    sqlite::DbOptions options;
    options.mode = sqlite::OpenMode::ReadWrite;
    options.triggers = false;
    auto db = sqlite::Db::open(file, options);
    if (!db)
        return std::move(db.error());
    const auto tables = tablesOf(*db);
    if (!tables)
        return tables.error();
    {
        auto transaction = db->begin();
        if (!transaction)
            return std::move(transaction.error());
        if (auto removed = removeRows(*db, *tables, plan); !removed)
            return removed;
        if (auto done = transaction->commit(); !done)
            return done;
    }
    if (auto compact = db->exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);"); !compact)
        return std::move(compact.error()).during("make the file smaller");
    return {};
}

std::int64_t bytesOf(const artifacts::BlobStore& store, const std::set<std::string>& contents)
{
    std::int64_t bytes = 0;
    for (const std::string& content : contents)
        bytes += fileBytes(store.path(content));
    return bytes;
}

// Returns contents that snapshots needed before but not after. Other databases need those in `others`.
Result<std::set<std::string>> freed(const fs::path& file, std::set<std::string> before,
                                    const std::set<std::string>& others)
{
    const auto after = rewind::contentsNeededIn(file, {});
    if (!after)
        return after.error();
    for (const auto* needed : { &*after, &others })
        for (const std::string& content : *needed)
            before.erase(content);
    return before;
}

fs::path copyName(const fs::path& folder)
{
    std::array<char, 6> random{};
    fillRandomBytes(random.data(), random.size());
    return folder / (".prune-" + toHex({ random.data(), random.size() }) + ".sqlite");
}

Result<void> copyDatabase(const fs::path& from, const fs::path& to)
{
    sqlite::DbOptions options;
    options.mode = sqlite::OpenMode::ReadWrite;
    options.triggers = false;
    auto db = sqlite::Db::open(from, options);
    if (!db)
        return std::move(db.error());
    return db->run("VACUUM INTO ?1", to.string());
}

// Removes from the server what is to go; nullopt: the file is the database. This comes after the file beside
// it: what is broken off in between is found again by the next pruning.
Result<std::optional<checkpoint::PostgresRoom>> removeThere(const projects::ProjectPaths& project,
                                                            const PrunePlan& plan, bool dryRun)
{
    if (project.shared.empty())
        return std::optional<checkpoint::PostgresRoom>();
    const auto room =
        checkpoint::removeFromPostgres(project.shared, { plan.removed, plan.namespaces }, dryRun);
    if (!room)
        return room.error();
    return std::optional(*room);
}

Result<PruneReport> carryOut(const ProjectParts& parts, const PrunePlan& plan, bool dryRun)
{
    const projects::ProjectPaths& project = parts.project;
    const auto store = artifacts::BlobStore::open(project.snapshots);
    if (!store)
        return store.error();
    const auto before = rewind::contentsNeededIn(project.checkpoints, {});
    if (!before)
        return before.error();
    const auto others = rewind::contentsNeededThere(project.data, project.checkpoints);
    if (!others)
        return others.error();
    const auto room = removeThere(project, plan, true);
    if (!room)
        return room.error();
    PruneReport report = plan.report;
    report.isDryRun = dryRun;
    const std::int64_t needed = bytesOf(*store, *before);
    report.bytesBefore = (*room ? (*room)->before : databaseBytes(project.checkpoints)) + needed;
    const fs::path file = dryRun ? copyName(project.data) : project.checkpoints;
    std::error_code ignored;
    auto done = dryRun ? copyDatabase(project.checkpoints, file) : Result<void>();
    if (done)
        done = removeFrom(file, plan);
    if (done && !dryRun)
        if (const auto removed = removeThere(project, plan, false); !removed)
            done = removed.error();
    auto gone = done ? freed(file, *before, *others) : Result<std::set<std::string>>(done.error());
    if (gone) {
        report.snapshotContents = static_cast<std::int64_t>(gone->size());
        report.bytesAfter = (*room ? (*room)->after : databaseBytes(file)) + needed - bytesOf(*store, *gone);
        if (!dryRun)
            for (const std::string& content : *gone)
                fs::remove(store->path(content), ignored);
    }
    if (dryRun)
        for (const char* suffix : { "", "-wal", "-shm" })
            fs::remove(file.string() + suffix, ignored);
    if (!gone)
        return std::move(gone.error());
    return report;
}

} // namespace

Result<PruneReport> prune(const ProjectParts& parts, const PruneChoice& choice, bool dryRun)
{
    if (parts.isReadOnly)
        return Error{ Errc::Unsupported,
                      "the database was opened only to be read: nothing is removed from it" };
    // The plan is made from the copies that this machine has of threads on a server.
    if (auto here = parts.history.bringHere(choice.thread); !here)
        return std::move(here.error()).during("prune");
    const auto plan = planPruning(parts, choice);
    if (!plan)
        return Error(plan.error()).during("prune");
    if (choice.expected && *choice.expected != plan->report.checkpoints + plan->report.nested)
        return Error{ Errc::Conflict,
                      "prune: the checkpoints have changed since it was said what would go; look again" };
    auto report = carryOut(parts, *plan, dryRun);
    if (!report)
        return std::move(report.error()).during("prune");
    return report;
}

} // namespace sg::upkeep
