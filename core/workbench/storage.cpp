#include "core/workbench/storage.h"

#include "core/artifacts/blob_store.h"
#include "core/base/hash.h"
#include "core/base/random_bytes.h"
#include "core/checkpoint/checkpoint_store.h"
#include "core/sqlite/db.h"
#include "core/workbench/database.h"
#include "core/workbench/inert_delta.h"
#include "core/workbench/snapshot_use.h"
#include "core/workbench/thread_lock.h"
#include "core/workbench/workbench.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

namespace sg::workbench {
namespace {

namespace fs = std::filesystem;

std::int64_t sizeOf(const fs::path& file)
{
    std::error_code gone;
    const auto size = fs::file_size(file, gone);
    return gone ? 0 : static_cast<std::int64_t>(size);
}

std::int64_t databaseSize(const fs::path& file)
{
    return sizeOf(file) + sizeOf(file.string() + "-wal");
}

std::int64_t folderSize(const fs::path& folder)
{
    std::int64_t bytes = 0;
    std::error_code failed;
    for (auto it =
             fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, failed);
         !failed && it != fs::recursive_directory_iterator(); it.increment(failed))
        if (!it->is_symlink() && it->is_regular_file())
            bytes += sizeOf(it->path());
    return bytes;
}

void largestFirst(std::vector<StoragePart>& parts)
{
    std::ranges::stable_sort(parts, std::ranges::greater(), &StoragePart::bytes);
}

Result<std::vector<StoragePart>> partsOf(sqlite::Db& db, const char* sql)
{
    auto statement = db.prepare(sql);
    if (!statement)
        return std::move(statement.error());
    std::vector<StoragePart> parts;
    while (true) {
        const auto more = statement->step();
        if (!more)
            return more.error();
        if (!*more)
            break;
        parts.push_back({ std::string(statement->text(0)), statement->integer(1), statement->integer(2) });
    }
    largestFirst(parts);
    return parts;
}

constexpr const char* kThreads = R"(
SELECT thread_id, SUM(bytes), SUM(count) FROM (
    SELECT thread_id, SUM(length(checkpoint) + length(metadata)) AS bytes, COUNT(*) AS count FROM checkpoints GROUP BY thread_id
    UNION ALL SELECT thread_id, SUM(length(value)), 0 FROM writes GROUP BY thread_id) GROUP BY thread_id)";
constexpr const char* kChannels = "SELECT channel, SUM(length(value)), COUNT(*) FROM writes WHERE channel "
                                  "NOT LIKE '\\_\\_%' ESCAPE '\\' GROUP BY channel";

Result<void> readDatabase(const fs::path& file, StorageReport& report)
{
    sqlite::DbOptions options;
    options.mode = sqlite::OpenMode::ReadOnly;
    auto db = sqlite::Db::open(file, options);
    if (!db)
        return std::move(db.error());
    auto threads = partsOf(*db, kThreads);
    auto channels = threads ? partsOf(*db, kChannels) : std::move(threads);
    if (!channels)
        return std::move(channels.error());
    report.threads = std::move(*threads);
    report.channels = std::move(*channels);
    return {};
}

Result<void> readArtifacts(Workbench& workbench, StorageReport& report)
{
    artifacts::ArtifactFilter filter;
    filter.limit = 1'000'000;
    const auto all = workbench.artifacts().list(filter);
    if (!all)
        return all.error();
    std::map<std::string, StoragePart> parts;
    std::set<std::string> seen;
    for (const artifacts::Artifact& artifact : *all) {
        StoragePart& part = parts[artifact.origin.thread.value];
        part.name = artifact.origin.thread.value;
        ++part.count;
        if (seen.insert(artifact.sha256).second)
            part.bytes += static_cast<std::int64_t>(artifact.size);
    }
    for (auto& [thread, part] : parts)
        report.artifacts.push_back(std::move(part));
    largestFirst(report.artifacts);
    return {};
}

// What the file's snapshots need; of one thread, or of all.
Result<std::set<std::string>> neededIn(const fs::path& file, const std::optional<ThreadId>& thread)
{
    auto database = Database::open(file, Database::Access::ReadOnly);
    if (!database)
        return std::move(database.error());
    checkpoint::SnapshotLog* log = (*database)->store().snapshotLog();
    return log == nullptr ? Result<std::set<std::string>>(std::set<std::string>()) : contentsNeeded(*log, thread);
}

Result<void> readSnapshots(Workbench& workbench, StorageReport& report)
{
    const auto store = artifacts::BlobStore::open(workbench.project().snapshots);
    if (!store)
        return store.error();
    for (const StoragePart& thread : report.threads) {
        const auto contents = neededIn(workbench.project().checkpoints, ThreadId(thread.name));
        if (!contents)
            return contents.error();
        StoragePart part{ thread.name, 0, static_cast<std::int64_t>(contents->size()) };
        for (const std::string& content : *contents)
            part.bytes += sizeOf(store->path(content));
        if (part.count > 0)
            report.snapshots.push_back(std::move(part));
    }
    largestFirst(report.snapshots);
    return {};
}

// --- pruning ---

struct Node {
    std::string parent;
    bool isParent = false;
    bool isKept = false;
};

// What stays of a thread: of each branch its newest so many.
std::map<std::string, Node> treeOf(const std::vector<CheckpointRow>& rows, std::int64_t keep)
{
    std::map<std::string, Node> nodes;
    for (const CheckpointRow& row : rows)
        nodes[row.id.value].parent = row.parent ? row.parent->value : std::string();
    for (const auto& [id, node] : nodes)
        if (const auto parent = nodes.find(node.parent); parent != nodes.end())
            parent->second.isParent = true;
    for (auto& [id, head] : nodes) {
        if (head.isParent)
            continue;
        auto at = nodes.find(id);
        for (std::int64_t left = std::max<std::int64_t>(1, keep); left > 0 && at != nodes.end(); --left) {
            at->second.isKept = true;
            at = nodes.find(at->second.parent);
        }
    }
    return nodes;
}

struct Plan {
    std::vector<ThreadLock> locks; // no run begins meanwhile
    std::vector<std::pair<std::string, std::string>> removed; // thread, checkpoint
    PruneReport report;
};

// A checkpoint that holds changes of its channels alone is nothing without those before it.
Result<bool> needsAll(checkpoint::CheckpointStore& store, const ThreadId& thread)
{
    const auto head = store.get(thread, "", {});
    if (!head)
        return head.error();
    if (!*head)
        return false;
    ValueMap values;
    if (auto added = addChangedChannels(store, **head, values); !added)
        return std::move(added.error());
    return !values.empty();
}

Result<void> planThread(Workbench& workbench, checkpoint::CheckpointStore& store, const ThreadId& thread,
                        std::int64_t keep, Plan& plan)
{
    auto lock = ThreadLock::take(workbench.project().checkpoints, thread);
    if (!lock) {
        plan.report.skipped.push_back(thread.value + ": a run is under way");
        return {};
    }
    const auto all = needsAll(store, thread);
    if (!all)
        return all.error();
    if (*all) {
        plan.report.skipped.push_back(
            thread.value + ": it stores changes of channels, which need the checkpoints before them");
        return {};
    }
    const auto rows = workbench.history().checkpoints(thread);
    if (!rows)
        return rows.error();
    plan.locks.push_back(std::move(*lock));
    const std::map<std::string, Node> nodes = treeOf(*rows, keep);
    for (const auto& [id, node] : nodes) {
        if (!node.isKept)
            plan.removed.emplace_back(thread.value, id);
        else if (const auto parent = nodes.find(node.parent); parent != nodes.end() && !parent->second.isKept)
            ++plan.report.lostParents;
    }
    return {};
}

// A file of LangGraph's own has no tables of ours.
Result<std::set<std::string>> tablesOf(sqlite::Db& db)
{
    auto statement = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'");
    if (!statement)
        return std::move(statement.error());
    std::set<std::string> names;
    while (true) {
        const auto more = statement->step();
        if (!more)
            return more.error();
        if (!*more)
            return names;
        names.emplace(statement->text(0));
    }
}

Result<void> removeFrom(const fs::path& file, const Plan& plan)
{
    sqlite::DbOptions options;
    options.mode = sqlite::OpenMode::ReadWrite;
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
        for (const auto& [thread, id] : plan.removed)
            for (const char* table :
                 { "checkpoints", "writes", "sandglass_tasks", "sandglass_session_snapshots" })
                if (!tables->contains(table))
                    continue;
                else if (auto gone = db->run(
                             std::string("DELETE FROM ") + table
                                 + " WHERE thread_id = ?1 AND checkpoint_ns = '' AND checkpoint_id = ?2",
                             thread, id);
                         !gone)
                    return gone;
        // What no checkpoint is bound to any more.
        const auto gone = !tables->contains("sandglass_snapshots")
            ? Result<void>()
            : db->run("DELETE FROM sandglass_snapshots WHERE snapshot_id NOT IN (SELECT snapshot_id FROM "
                      "sandglass_session_snapshots)");
        if (!gone)
            return gone;
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
        bytes += sizeOf(store.path(content));
    return bytes;
}

// Contents of snapshots that were needed before and are not after.
Result<std::set<std::string>> freed(const fs::path& file, std::set<std::string> before)
{
    const auto after = neededIn(file, {});
    if (!after)
        return after.error();
    for (const std::string& content : *after)
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
    auto db = sqlite::Db::open(from, options);
    if (!db)
        return std::move(db.error());
    return db->run("VACUUM INTO ?1", to.string());
}

Result<Plan> planOf(Workbench& workbench, const PruneChoice& choice)
{
    auto database = Database::open(workbench.project().checkpoints, Database::Access::ReadOnly);
    if (!database)
        return std::move(database.error());
    const auto threads = (*database)->store().threads();
    if (!threads)
        return threads.error();
    Plan plan;
    bool isFound = false;
    for (const checkpoint::ThreadSummary& thread : *threads) {
        if (choice.thread && thread.thread != *choice.thread)
            continue;
        isFound = true;
        if (auto planned = planThread(workbench, (*database)->store(), thread.thread, choice.keep, plan);
            !planned)
            return std::move(planned.error());
    }
    if (choice.thread && !isFound)
        return Error{ Errc::NotFound, "there is no thread " + choice.thread->value };
    plan.report.checkpoints = static_cast<std::int64_t>(plan.removed.size());
    return plan;
}

} // namespace

Result<StorageReport> storageOf(Workbench& workbench)
{
    const ProjectPaths& project = workbench.project();
    StorageReport report;
    report.databaseBytes = databaseSize(project.checkpoints);
    report.artifactBytes = folderSize(project.blobs);
    report.snapshotBytes = folderSize(project.snapshots);
    report.sessionBytes = folderSize(project.sessions);
    if (auto read = readDatabase(project.checkpoints, report); !read)
        return std::move(read.error()).during("measure " + project.checkpoints.string());
    if (auto read = readArtifacts(workbench, report); !read)
        return std::move(read.error()).during("measure the artifacts");
    if (auto read = readSnapshots(workbench, report); !read)
        return std::move(read.error()).during("measure the snapshots");
    return report;
}

Result<PruneReport> prune(Workbench& workbench, const PruneChoice& choice, bool dryRun)
{
    const ProjectPaths& project = workbench.project();
    auto plan = planOf(workbench, choice);
    if (!plan)
        return std::move(plan.error()).during("prune");
    const auto store = artifacts::BlobStore::open(project.snapshots);
    if (!store)
        return store.error();
    const auto before = neededIn(project.checkpoints, {});
    if (!before)
        return before.error();
    PruneReport& report = plan->report;
    report.isDryRun = dryRun;
    const std::int64_t needed = bytesOf(*store, *before);
    report.bytesBefore = databaseSize(project.checkpoints) + needed;
    const fs::path file = dryRun ? copyName(project.data) : project.checkpoints;
    std::error_code ignored;
    auto done = dryRun ? copyDatabase(project.checkpoints, file) : Result<void>();
    if (done)
        done = removeFrom(file, *plan);
    auto gone = done ? freed(file, *before) : Result<std::set<std::string>>(done.error());
    if (gone) {
        report.snapshotContents = static_cast<std::int64_t>(gone->size());
        report.bytesAfter = databaseSize(file) + needed - bytesOf(*store, *gone);
        if (!dryRun)
            for (const std::string& content : *gone)
                fs::remove(store->path(content), ignored);
    }
    if (dryRun)
        for (const char* suffix : { "", "-wal", "-shm" })
            fs::remove(file.string() + suffix, ignored);
    if (!gone)
        return std::move(gone.error()).during("prune");
    return report;
}

} // namespace sg::workbench
