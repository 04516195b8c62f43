#include "core/workbench/thread_bundle.h"

#include "core/artifacts/artifact_index.h"
#include "core/artifacts/artifact_upkeep.h"
#include "core/artifacts/blob_store.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/random_bytes.h"
#include "core/base/relative_path.h"
#include "core/checkpoint/thread_rows.h"
#include "core/exchange/bundle_file.h"
#include "core/workbench/database.h"
#include "core/workbench/session_documents.h"
#include "core/workbench/snapshot_use.h"
#include "core/workbench/thread_lock.h"
#include "core/workbench/workbench.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <set>
#include <system_error>
#include <utility>

namespace sg::workbench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestJson = 256U << 20;
constexpr std::uintmax_t kRoomLeft = 64U << 20; // of the disk

// A folder of its own that goes with this object.
class WorkFolder {
public:
    static Result<WorkFolder> make(const fs::path& base)
    {
        std::array<char, 8> random{};
        fillRandomBytes(random.data(), random.size());
        const fs::path path = base / (".bundle-" + toHex({ random.data(), random.size() }));
        std::error_code failed;
        if (!fs::create_directories(path, failed) || failed)
            return Error{ Errc::Io, "create " + path.string() + ": " + failed.message() };
        return WorkFolder(path);
    }
    WorkFolder(WorkFolder&& other) noexcept
        : m_path(std::exchange(other.m_path, {}))
    {
    }
    WorkFolder& operator=(WorkFolder&&) = delete;
    ~WorkFolder()
    {
        std::error_code ignored;
        if (!m_path.empty())
            fs::remove_all(m_path, ignored);
    }
    [[nodiscard]] const fs::path& path() const { return m_path; }

private:
    explicit WorkFolder(fs::path path)
        : m_path(std::move(path))
    {
    }
    fs::path m_path;
};

using Extra = std::vector<std::pair<std::string, fs::path>>;

Value artifactValue(const artifacts::Artifact& artifact)
{
    return Value::map({ { "id", artifact.id.value },
                        { "path", artifact.path },
                        { "sha256", artifact.sha256 },
                        { "size", static_cast<std::int64_t>(artifact.size) },
                        { "mime", artifact.mime },
                        { "created_at", artifact.createdAt },
                        { "modified_ns", artifact.modifiedNs },
                        { "run", artifact.origin.run.value },
                        { "session", artifact.origin.session.value },
                        { "node", artifact.origin.node.value },
                        { "task", artifact.origin.task.value },
                        { "checkpoint", artifact.origin.checkpoint.value },
                        { "step", artifact.origin.step } });
}

Result<void> writeJson(const fs::path& file, const Value& value)
{
    return writeFileAtomically(file, toJson(value, JsonStyle::Indented) + "\n");
}

Result<std::int64_t> gatherArtifacts(Workbench& workbench, const ThreadId& thread, const fs::path& folder,
                                     Extra& extra)
{
    artifacts::ArtifactFilter filter;
    filter.thread = thread;
    filter.limit = 1'000'000;
    auto all = workbench.artifacts().list(filter);
    if (!all)
        return std::move(all.error());
    std::ranges::sort(*all, {}, [](const artifacts::Artifact& artifact) { return artifact.id.value; });
    ValueList list;
    std::set<std::string> contents;
    for (const artifacts::Artifact& artifact : *all) {
        list.push_back(artifactValue(artifact));
        if (contents.insert(artifact.sha256).second)
            extra.emplace_back("blobs/" + artifact.sha256, workbench.artifacts().blobPath(artifact));
    }
    if (auto written = writeJson(folder / "artifacts.json", Value(std::move(list))); !written)
        return std::move(written.error());
    return static_cast<std::int64_t>(all->size());
}

// The graph and the code beside it, as they are now.
Result<void> gatherGraph(const ProjectPaths& project, const fs::path& folder)
{
    std::error_code failed;
    if (project.graph.empty() || !fs::is_regular_file(project.graph, failed))
        return {};
    fs::copy_file(project.graph, folder / "graph.json", failed);
    if (failed)
        return Error{ Errc::Io, "read " + project.graph.string() + ": " + failed.message() };
    for (auto it = fs::recursive_directory_iterator(project.folder / "nodes", failed);
         !failed && it != fs::recursive_directory_iterator(); it.increment(failed)) {
        if (it->path().filename() == "__pycache__") {
            it.disable_recursion_pending();
            continue;
        }
        const fs::path relative = it->path().lexically_relative(project.folder);
        if (it->is_symlink() || !it->is_regular_file() || !RelativePath::parse(relative.generic_string()))
            continue;
        std::error_code ignored;
        fs::create_directories((folder / "code" / relative).parent_path(), ignored);
        fs::copy_file(it->path(), folder / "code" / relative, ignored);
    }
    return {};
}

Result<std::int64_t> gatherSnapshots(Workbench& workbench, const ThreadId& thread, Extra& extra)
{
    auto database = Database::open(workbench.project().checkpoints, Database::Access::ReadOnly);
    if (!database)
        return std::move(database.error());
    checkpoint::SnapshotLog* log = (*database)->store().snapshotLog();
    if (log == nullptr)
        return 0;
    const auto contents = contentsNeeded(*log, thread);
    if (!contents)
        return contents.error();
    const auto store = artifacts::BlobStore::open(workbench.project().snapshots);
    if (!store)
        return store.error();
    std::int64_t count = 0;
    for (const std::string& content : *contents)
        if (store->has(content)) { // what was given up is missing in the copy, too
            extra.emplace_back("snapshots/" + content, store->path(content));
            ++count;
        }
    return count;
}

Result<void> scanFile(exchange::SecretScan& scan, const std::string& name, const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return Error{ Errc::Io, "read " + path.string() };
    scan.begin(name);
    std::string piece(1U << 16, '\0');
    while (file) {
        file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        scan.feed(std::string_view(piece).substr(0, static_cast<std::size_t>(file.gcount())));
    }
    scan.end();
    return {};
}

Result<std::vector<exchange::SecretFinding>> scanAll(const fs::path& folder, const Extra& extra)
{
    exchange::SecretScan scan;
    Extra files = extra;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            files.emplace_back(entry.path().lexically_relative(folder).generic_string(), entry.path());
    std::ranges::sort(files);
    for (const auto& [name, path] : files)
        if (auto scanned = scanFile(scan, name, path); !scanned)
            return std::move(scanned.error());
    return scan.findings();
}

std::string newRunId(const std::string& old)
{
    std::array<char, 6> random{};
    fillRandomBytes(random.data(), random.size());
    return old + "-" + toHex({ random.data(), random.size() });
}

// Runs whose names another thread of this project has already get new ones.
Result<std::map<std::string, std::string>> runNames(const fs::path& database, const fs::path& rows)
{
    const auto runs = checkpoint::runsInRows(rows);
    if (!runs)
        return runs.error();
    const auto known = checkpoint::knownRuns(database, *runs);
    if (!known)
        return known.error();
    std::map<std::string, std::string> names;
    for (const RunId& run : *known)
        names[run.value] = newRunId(run.value);
    return names;
}

// Each content under its own hash, whatever the file was called.
Result<std::int64_t> storeContents(const fs::path& from, const fs::path& root)
{
    std::error_code failed;
    if (!fs::is_directory(from, failed))
        return 0;
    const auto store = artifacts::BlobStore::open(root);
    if (!store)
        return store.error();
    std::int64_t count = 0;
    for (const auto& entry : fs::directory_iterator(from)) {
        ++count;
        if (store->has(entry.path().filename().string()))
            continue;
        auto writer = store->begin(artifacts::BlobStore::Flush::Later);
        if (!writer)
            return std::move(writer.error());
        std::ifstream file(entry.path(), std::ios::binary);
        std::string piece(1U << 18, '\0');
        while (file) {
            file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
            if (auto written = (*writer)->write(
                    std::string_view(piece).substr(0, static_cast<std::size_t>(file.gcount())));
                !written)
                return std::move(written.error());
        }
        if (auto done = (*writer)->finish(); !done)
            return std::move(done.error());
    }
    if (auto flushed = store->flush(); !flushed)
        return std::move(flushed.error());
    return count;
}

Result<artifacts::Artifact> artifactOf(const Value& row, const ThreadId& thread,
                                       const std::map<std::string, std::string>& runs)
{
    const auto path = RelativePath::parse(row.stringOr("path", ""));
    if (!path)
        return Error{ Errc::Corrupt, "artifacts.json: a path that none may have" };
    artifacts::Artifact artifact;
    artifact.id = ArtifactId(row.stringOr("id", ""));
    artifact.path = path->text();
    artifact.name = path->name();
    artifact.sha256 = row.stringOr("sha256", "");
    artifact.size = static_cast<std::uint64_t>(std::max<std::int64_t>(0, row.intOr("size", 0)));
    artifact.mime = row.stringOr("mime", "application/octet-stream");
    artifact.createdAt = row.stringOr("created_at", "");
    artifact.modifiedNs = row.intOr("modified_ns", 0);
    const std::string run = row.stringOr("run", "");
    artifact.origin = { thread,
                        RunId(runs.contains(run) ? runs.at(run) : run),
                        SessionId(row.stringOr("session", "")),
                        NodeId(row.stringOr("node", "")),
                        TaskId(row.stringOr("task", "")),
                        CheckpointId(row.stringOr("checkpoint", "")),
                        row.intOr("step", 0) };
    return artifact;
}

ArtifactId newArtifactId()
{
    std::array<char, 12> random{};
    fillRandomBytes(random.data(), random.size());
    return ArtifactId("art_" + toHex({ random.data(), random.size() }));
}

// Rows of the index; an id that is taken here becomes another.
Result<std::int64_t> storeArtifacts(const ProjectPaths& project, const Value& rows, const ThreadId& thread,
                                    const std::map<std::string, std::string>& runs)
{
    auto index = artifacts::ArtifactIndex::open(project.artifacts);
    if (!index)
        return std::move(index.error());
    std::int64_t count = 0;
    const auto store = artifacts::BlobStore::open(project.blobs);
    if (!store)
        return store.error();
    for (const Value& row : rows.asList()) {
        auto artifact = artifactOf(row, thread, runs);
        if (!artifact)
            return std::move(artifact.error());
        if (!store->has(artifact->sha256))
            return Error{ Errc::Corrupt, "the content of " + artifact->path + " is missing" };
        if (artifact->id.value.empty() || (*index)->find(artifact->id))
            artifact->id = newArtifactId();
        if (auto added = (*index)->insert(*artifact); !added)
            return std::move(added.error());
        ++count;
    }
    return count;
}

Result<Value> listIn(const fs::path& file)
{
    const auto text = readFile(file, kLargestJson);
    const auto value = text ? parseJson(*text) : Result<Value>(text.error());
    if (!value || !value->isList())
        return Error{ Errc::Corrupt, file.filename().string() + " is no list" };
    return value;
}

} // namespace

Result<BundleReport> exportThread(Workbench& workbench, const BundleExport& wanted)
{
    const ProjectPaths& project = workbench.project();
    if (ThreadLock::isHeld(project.checkpoints, wanted.thread))
        return Error{ Errc::Conflict,
                      "a run is under way on thread " + wanted.thread.value
                          + "; export it when that has ended" };
    auto folder = WorkFolder::make(project.data);
    if (!folder)
        return std::move(folder.error());
    std::error_code failed;
    fs::create_directories(folder->path() / "rows", failed);
    const auto rows =
        checkpoint::writeThreadRows(project.checkpoints, wanted.thread, folder->path() / "rows");
    if (!rows)
        return Error(rows.error()).during("export");
    BundleReport report;
    report.thread = wanted.thread;
    report.checkpoints = rows->at("checkpoints.rows");
    Extra extra;
    const auto artifacts = gatherArtifacts(workbench, wanted.thread, folder->path(), extra);
    const auto snapshots =
        artifacts ? gatherSnapshots(workbench, wanted.thread, extra) : Result<std::int64_t>(0);
    for (const auto* part : { &artifacts, &snapshots })
        if (!*part)
            return Error(part->error()).during("export");
    report.artifacts = *artifacts;
    report.snapshots = *snapshots;
    if (auto gathered = gatherGraph(project, folder->path()); !gathered)
        return std::move(gathered.error()).during("export");
    if (auto written = writeJson(folder->path() / "sessions.json", sessionsOf(workbench, wanted.thread));
        !written)
        return std::move(written.error()).during("export");
    auto secrets = scanAll(folder->path(), extra);
    if (!secrets)
        return std::move(secrets.error()).during("export");
    report.secrets = std::move(*secrets);
    if (!report.secrets.empty() && !wanted.allowSecrets)
        return report;
    exchange::BundleSource source{ folder->path(), std::move(extra),
                                   Value::map({ { "thread", wanted.thread.value } }) };
    const auto members = exchange::packBundle(source, wanted.target);
    if (!members)
        return Error(members.error()).during("export");
    for (const exchange::BundleMember& member : *members)
        report.bytes += static_cast<std::int64_t>(member.bytes);
    report.isWritten = true;
    return report;
}

Result<BundleReport> importThread(Workbench& workbench, const fs::path& bundle, const std::string& asThread)
{
    const ProjectPaths& project = workbench.project();
    auto folder = WorkFolder::make(project.data);
    if (!folder)
        return std::move(folder.error());
    std::error_code failed;
    const fs::space_info space = fs::space(folder->path(), failed);
    // It is unpacked and then copied into the stores.
    const std::uintmax_t room = failed || space.available < kRoomLeft ? 0 : (space.available - kRoomLeft) / 2;
    const auto manifest = exchange::unpackBundle(bundle, folder->path(), room);
    if (!manifest)
        return manifest.error();
    BundleReport report;
    report.thread = ThreadId(asThread.empty() ? manifest->stringOr("thread", "") : asThread);
    if (report.thread.empty())
        return Error{ Errc::Corrupt, "import " + bundle.string() + ": its manifest names no thread" };
    auto lock = ThreadLock::take(project.checkpoints, report.thread);
    if (!lock)
        return std::move(lock.error());
    const auto rows = workbench.history().checkpoints(report.thread, "", 1);
    if (rows && !rows->empty())
        return Error{ Errc::Exists,
                      "this project has a thread " + report.thread.value
                          + " already: import it under another name" };
    const auto names = runNames(project.checkpoints, folder->path() / "rows");
    const auto artifacts = names ? listIn(folder->path() / "artifacts.json") : Result<Value>(names.error());
    if (!artifacts)
        return Error(artifacts.error()).during("import " + bundle.string());
    const auto adding = artifacts::StoreLock::take(project.blobs, artifacts::StoreLock::Kind::Add);
    if (!adding)
        return adding.error();
    const auto contents = storeContents(folder->path() / "blobs", project.blobs);
    const auto snapshots =
        contents ? storeContents(folder->path() / "snapshots", project.snapshots) : contents;
    if (!snapshots)
        return Error(snapshots.error()).during("import " + bundle.string());
    report.snapshots = *snapshots;
    if (auto read =
            checkpoint::readThreadRows(project.checkpoints, report.thread, *names, folder->path() / "rows");
        !read)
        return std::move(read.error()).during("import " + bundle.string());
    const auto stored = storeArtifacts(project, *artifacts, report.thread, *names);
    if (!stored)
        return Error(stored.error()).during("import " + bundle.string());
    report.artifacts = *stored;
    if (const auto sessions = listIn(folder->path() / "sessions.json"))
        keepSessions(workbench, report.thread, *sessions);
    if (const auto all = workbench.history().checkpoints(report.thread))
        report.checkpoints = static_cast<std::int64_t>(all->size());
    if ((*manifest)["members"].isList())
        for (const Value& member : (*manifest)["members"].asList())
            report.bytes += member.intOr("bytes", 0);
    report.isWritten = true;
    return report;
}

} // namespace sg::workbench
