#include "core/upkeep/thread_bundle.h"

#include "core/artifacts/artifact_upkeep.h"
#include "core/artifacts/blob_store.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/random_bytes.h"
#include "core/base/relative_path.h"
#include "core/checkpoint/thread_lock.h"
#include "core/checkpoint/thread_rows.h"
#include "core/exchange/bundle_file.h"
#include "core/graph/graph_file.h"
#include "core/history/database.h"
#include "core/projects/module_folders.h"
#include "core/projects/project_notes.h"
#include "core/rewind/snapshot_use.h"
#include "core/upkeep/bundle_parts.h"
#include "core/upkeep/thread_move.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

namespace sg::upkeep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestJson = 256U << 20;
constexpr std::uintmax_t kRoomLeft = 64U << 20; // bytes of the disk that stay free

// A temporary folder, which the destructor removes.
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

Result<void> writeJson(const fs::path& file, const Value& value)
{
    return writeFileAtomically(file, toJson(value, JsonStyle::Indented) + "\n");
}

// Returns the folders from which nodes import modules; for an unreadable graph, that of its node files.
std::vector<std::string> codeFolders(const projects::ProjectPaths& project)
{
    std::vector<std::string> names{ "nodes" };
    const auto file = graph::loadGraph(project.graph);
    const auto folders = file ? projects::moduleFolders(file->graph, project.folder)
                              : Result<std::vector<sessions::ModuleFolder>>(file.error());
    if (folders)
        for (const sessions::ModuleFolder& each : *folders)
            if (each.name != "nodes")
                names.push_back(each.name);
    return names;
}

void gatherCode(const projects::ProjectPaths& project, const std::string& name, const fs::path& folder)
{
    std::error_code failed;
    for (auto it = fs::recursive_directory_iterator(project.folder / name, failed);
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
}

// Copies the graph and its code, as they are now.
Result<void> gatherGraph(const projects::ProjectPaths& project, const fs::path& folder)
{
    std::error_code failed;
    if (project.graph.empty() || !fs::is_regular_file(project.graph, failed))
        return {};
    fs::copy_file(project.graph, folder / "graph.json", failed);
    if (failed)
        return Error{ Errc::Io, "read " + project.graph.string() + ": " + failed.message() };
    for (const std::string& name : codeFolders(project))
        gatherCode(project, name, folder);
    return {};
}

Result<std::int64_t> gatherSnapshots(const ProjectParts& parts, const ThreadId& thread, BundleFiles& extra)
{
    auto database = history::Database::open(parts.project.checkpoints, history::Database::Access::ReadOnly);
    if (!database)
        return std::move(database.error());
    checkpoint::SnapshotLog* log = (*database)->store().snapshotLog();
    if (log == nullptr)
        return 0;
    const auto contents = rewind::contentsNeeded(*log, thread);
    if (!contents)
        return contents.error();
    const auto store = artifacts::BlobStore::open(parts.project.snapshots);
    if (!store)
        return store.error();
    std::int64_t count = 0;
    for (const std::string& content : *contents)
        if (store->has(content)) { // contents that were removed are missing in the copy, too
            extra.emplace_back("snapshots/" + content, store->path(content));
            ++count;
        }
    return count;
}

// Copies the thread's notes; without any there is no file.
Result<void> gatherNotes(const projects::ProjectPaths& project, const ThreadId& thread,
                         const fs::path& folder)
{
    const auto notes = projects::ProjectNotes(project.data / projects::kNotesFile).read();
    if (!notes)
        return notes.error();
    const auto found = notes->find(thread);
    return found == notes->end()
        ? Result<void>()
        : writeJson(folder / projects::kNotesFile, projects::notesValue(found->second));
}

// Returns all members of the bundle by name.
BundleFiles membersOf(const fs::path& folder, const BundleFiles& extra)
{
    BundleFiles files = extra;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            files.emplace_back(entry.path().lexically_relative(folder).generic_string(), entry.path());
    std::ranges::sort(files);
    return files;
}

std::string newRunId(const std::string& old)
{
    std::array<char, 6> random{};
    fillRandomBytes(random.data(), random.size());
    return old + "-" + toHex({ random.data(), random.size() });
}

// Runs get new names if another thread of this project has theirs.
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

// Stores each content under its own hash, whatever its file is called.
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

Result<Value> listIn(const fs::path& file)
{
    const auto text = readFile(file, kLargestJson);
    const auto value = text ? parseJson(*text) : Result<Value>(text.error());
    if (!value || !value->isList())
        return Error{ Errc::Corrupt, file.filename().string() + " is no list" };
    return value;
}

struct Checked {
    const std::map<std::string, std::string>& runs;
    const Value& artifacts;
    history::Database* shared; // the database on a server that gets the thread; null: the project's file does
};

// The rows become a database in `folder`, from which the thread is carried to the server.
Result<void> storeShared(const ProjectParts& parts, const fs::path& folder, const Checked& checked,
                         const ThreadId& thread)
{
    const fs::path file = folder / "thread.sqlite";
    auto unpacked = history::Database::open(file, history::Database::Access::ReadWrite);
    if (!unpacked)
        return std::move(unpacked.error());
    const ThreadPlace from{ (*unpacked)->store(), file, "the bundle" };
    if (auto made = from.store.together([]() -> Result<void> { return {}; }); !made)
        return made;
    if (auto read = checkpoint::readThreadRows(file, thread, checked.runs, folder / "rows"); !read)
        return read;
    const ThreadPlace to{ checked.shared->store(), parts.project.checkpoints, checked.shared->name() };
    const auto moved = copyThread(from, to, thread, {}, {});
    if (!moved)
        return moved.error();
    if (moved->fate == ThreadFate::Different)
        return Error{ Errc::Exists, moved->error };
    return moved->error.empty() ? Result<void>() : Result<void>(Error{ Errc::Unsupported, moved->error });
}

// Stores the checked files in the project: contents first, then the rows that refer to them.
Result<void> storeAll(const ProjectParts& parts, const fs::path& folder, const Checked& checked,
                      BundleReport& report)
{
    const projects::ProjectPaths& project = parts.project;
    const auto adding = artifacts::StoreLock::take(project.blobs, artifacts::StoreLock::Kind::Add);
    if (!adding)
        return adding.error();
    const auto contents = storeContents(folder / "blobs", project.blobs);
    const auto snapshots = contents ? storeContents(folder / "snapshots", project.snapshots) : contents;
    if (!snapshots)
        return snapshots.error();
    report.snapshots = *snapshots;
    auto read = checked.shared == nullptr
        ? checkpoint::readThreadRows(project.checkpoints, report.thread, checked.runs, folder / "rows")
        : storeShared(parts, folder, checked, report.thread);
    if (!read)
        return read;
    const auto stored = storeArtifacts(parts, checked.artifacts, report.thread, checked.runs);
    if (!stored)
        return stored.error();
    report.artifacts = *stored;
    if (const auto sessions = listIn(folder / "sessions.json"))
        keepSessions(parts, report.thread, *sessions);
    return {};
}

// nullopt if the bundle has none. Errc::Corrupt also if the project's notes cannot be changed.
Result<std::optional<projects::ThreadNotes>> notesIn(const fs::path& folder, projects::ProjectNotes& here)
{
    std::error_code failed;
    if (!fs::exists(folder / projects::kNotesFile, failed))
        return std::optional<projects::ThreadNotes>();
    const auto text = readFile(folder / projects::kNotesFile, kLargestJson);
    const auto value = text ? parseJson(*text) : Result<Value>(text.error());
    if (!value || !value->isMap())
        return Error{ Errc::Corrupt, std::string(projects::kNotesFile) + " holds no notes" };
    if (const auto readable = here.read(); !readable)
        return readable.error();
    return std::optional<projects::ThreadNotes>(projects::notesFrom(*value));
}

// Here or, where the threads are on a server, on another machine.
Result<bool> isRunOn(const projects::ProjectPaths& project, const ThreadId& thread)
{
    if (project.shared.empty() || checkpoint::ThreadLock::isHeld(project.checkpoints, thread))
        return checkpoint::ThreadLock::isHeld(project.checkpoints, thread);
    const auto database = history::Database::openShared(project.shared, history::Database::Access::ReadOnly);
    return database ? Result<bool>((*database)->store().isHeld(thread)) : Result<bool>(database.error());
}

// Opens the database on a server that has the project's threads; null: there is none. The file beside it has
// its tables then.
Result<std::unique_ptr<history::Database>> openShared(const projects::ProjectPaths& project)
{
    if (project.shared.empty())
        return std::unique_ptr<history::Database>();
    auto database = history::Database::openShared(project.shared, history::Database::Access::ReadWrite);
    if (!database)
        return database;
    if (auto made = (*database)->store().together([]() -> Result<void> { return {}; }); !made)
        return std::move(made.error());
    return database;
}

} // namespace

Result<BundleReport> exportThread(const ProjectParts& parts, const BundleExport& wanted)
{
    const projects::ProjectPaths& project = parts.project;
    const auto isHeld = isRunOn(project, wanted.thread);
    if (!isHeld)
        return Error(isHeld.error()).during("export");
    if (*isHeld)
        return Error{ Errc::Conflict,
                      "a run is under way on thread " + wanted.thread.value
                          + "; export it when that has ended" };
    if (auto here = parts.history.bringHere(wanted.thread); !here)
        return std::move(here.error());
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
    BundleFiles extra;
    const auto held = WorkFolder::make(project.data);
    if (!held)
        return held.error();
    const auto artifacts = gatherArtifacts(parts.artifacts, wanted.thread, held->path(), extra);
    if (!artifacts)
        return Error(artifacts.error()).during("export");
    const auto snapshots = gatherSnapshots(parts, wanted.thread, extra);
    if (!snapshots)
        return Error(snapshots.error()).during("export");
    report.artifacts = static_cast<std::int64_t>(artifacts->asList().size());
    if (auto written = writeJson(folder->path() / "artifacts.json", *artifacts); !written)
        return std::move(written.error()).during("export");
    report.snapshots = *snapshots;
    if (auto gathered = gatherGraph(project, folder->path()); !gathered)
        return std::move(gathered.error()).during("export");
    if (auto written = writeJson(folder->path() / "sessions.json", sessionsOf(parts, wanted.thread));
        !written)
        return std::move(written.error()).during("export");
    if (auto gathered = gatherNotes(project, wanted.thread, folder->path()); !gathered)
        return std::move(gathered.error()).during("export");
    auto secrets = secretsIn(membersOf(folder->path(), extra));
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

Result<BundleReport> importThread(const ProjectParts& parts, const fs::path& bundle,
                                  const std::string& asThread)
{
    if (parts.isReadOnly)
        return Error{ Errc::Unsupported,
                      "the database was opened only to be read: no thread can be imported into it" };
    const projects::ProjectPaths& project = parts.project;
    auto folder = WorkFolder::make(project.data);
    if (!folder)
        return std::move(folder.error());
    std::error_code failed;
    const fs::space_info space = fs::space(folder->path(), failed);
    // A bundle needs its size twice: it is unpacked and then copied into the stores.
    const std::uintmax_t room = failed || space.available < kRoomLeft ? 0 : (space.available - kRoomLeft) / 2;
    const auto manifest = exchange::unpackBundle(bundle, folder->path(), room);
    if (!manifest)
        return manifest.error();
    BundleReport report;
    report.thread = ThreadId(asThread.empty() ? manifest->stringOr("thread", "") : asThread);
    if (report.thread.empty())
        return Error{ Errc::Corrupt, "import " + bundle.string() + ": its manifest names no thread" };
    const auto shared = openShared(project);
    if (!shared)
        return shared.error();
    auto lock = *shared ? checkpoint::ThreadLock::take((*shared)->store(), project.checkpoints, report.thread)
                        : checkpoint::ThreadLock::take(project.checkpoints, report.thread);
    if (!lock)
        return std::move(lock.error());
    const auto rows = parts.history.checkpoints(report.thread, "", 1);
    if (rows && !rows->empty())
        return Error{ Errc::Exists,
                      "this project has a thread " + report.thread.value
                          + " already: import it under another name, with: sandglass bundle import "
                          + bundle.string() + " --as " + report.thread.value + "-2" };
    const auto names = runNames(project.checkpoints, folder->path() / "rows");
    const auto artifacts = names ? listIn(folder->path() / "artifacts.json") : Result<Value>(names.error());
    if (!artifacts)
        return Error(artifacts.error()).during("import " + bundle.string());
    projects::ProjectNotes notesHere(project.data / projects::kNotesFile);
    const auto notes = notesIn(folder->path(), notesHere);
    if (!notes)
        return Error(notes.error()).during("import " + bundle.string());
    if (auto stored = storeAll(parts, folder->path(), { *names, *artifacts, shared->get() }, report); !stored)
        return std::move(stored.error()).during("import " + bundle.string());
    if (*notes)
        if (const auto kept = notesHere.set(report.thread, **notes); !kept)
            return Error(kept.error()).during("import " + bundle.string());
    if (const auto all = parts.history.checkpoints(report.thread))
        report.checkpoints = static_cast<std::int64_t>(all->size());
    if ((*manifest)["members"].isList())
        for (const Value& member : (*manifest)["members"].asList())
            report.bytes += member.intOr("bytes", 0);
    report.isWritten = true;
    return report;
}

} // namespace sg::upkeep
