#include "core/rewind/snapshots.h"

#include "core/artifacts/blob_store.h"
#include "core/base/log.h"
#include "core/base/relative_path.h"
#include "core/rewind/snapshot_storage.h"
#include "core/sandbox/backend_kinds.h"
#include "core/sandbox/owner_process.h"
#include "core/sessions/records/session_records.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <system_error>
#include <utility>

namespace sg::rewind {
namespace {

namespace fs = std::filesystem;

using checkpoint::CheckpointRef;
using checkpoint::SnapshotBinding;
using sessions::FileEntry;
using sessions::FileMap;
using sessions::Snapshot;

constexpr std::size_t kMostMissingNamed = 8;

SnapshotMark markFrom(const SnapshotBinding& binding, const std::optional<Snapshot>& snapshot)
{
    SnapshotMark mark;
    mark.snapshot = binding.snapshot;
    mark.partial = binding.partial;
    mark.part = sessions::SessionPart::parse(binding.part);
    if (binding.snapshot.empty())
        mark.kind = SnapshotMark::Kind::Fresh;
    if (!snapshot)
        return mark;
    for (KeptName& name : Snapshots::namesOf(*snapshot)) {
        if (name.missing.empty())
            continue;
        ++mark.missing;
        if (mark.missingNames.size() < kMostMissingNamed)
            mark.missingNames.push_back(std::move(name.name));
    }
    mark.kind = snapshot->names.isMap() ? SnapshotMark::Kind::Stored
        : snapshot->live                ? SnapshotMark::Kind::Live
                                        : SnapshotMark::Kind::None;
    mark.files = snapshot->files ? static_cast<std::int64_t>(snapshot->files->size()) : -1;
    mark.fileBytes = snapshot->fileBytes;
    mark.createdAt = snapshot->createdAt;
    mark.nameBytes = snapshot->names.intOr("bytes", 0);
    mark.note = snapshot->filesProblem;
    for (const auto* things : { &snapshot->obstacles, &snapshot->left, &snapshot->filesLeft })
        if (!things->empty())
            mark.note += (mark.note.empty() ? "" : "; ") + describe(*things);
    return mark;
}

SnapshotMark unreadable(const SnapshotBinding& binding, const Error& error)
{
    SnapshotMark mark;
    mark.snapshot = binding.snapshot;
    mark.part = sessions::SessionPart::parse(binding.part);
    mark.partial = binding.partial;
    mark.note = "it cannot be read: " + error.message;
    return mark;
}

// A damaged snapshot does not hide the marks of others.
Result<SnapshotMark> markOrDamage(const SnapshotBinding& binding, Result<SnapshotMark> mark)
{
    if (mark || (mark.error().code != Errc::Corrupt && mark.error().code != Errc::NotFound))
        return mark;
    return unreadable(binding, mark.error());
}

Error noSnapshot(const CheckpointRef& ref, const std::string& part = {})
{
    return { Errc::NotFound,
             "checkpoint " + ref.id.value + " has no snapshot of "
                 + (part.empty() ? "a sandbox" : "the session '" + part + "'")
                 + ". Those that have one: sandglass snapshots list --thread " + ref.thread.value };
}

// Without `part` this chooses the thread's own session if it was used, else the only one that was.
Result<SnapshotBinding> chosenSession(checkpoint::SnapshotLog& log, const CheckpointRef& ref,
                                      const std::optional<std::string>& part)
{
    const auto bindings = log.bindingsAt(ref, false);
    if (!bindings)
        return bindings.error();
    std::vector<const SnapshotBinding*> used;
    const SnapshotBinding* own = nullptr;
    for (const SnapshotBinding& each : *bindings) {
        if (part == each.part)
            return each;
        own = each.part.empty() ? &each : own;
        if (!each.snapshot.empty())
            used.push_back(&each);
    }
    if (part || bindings->empty())
        return noSnapshot(ref, part.value_or(std::string()));
    if (own != nullptr && (used.empty() || !own->snapshot.empty()))
        return *own;
    if (used.size() == 1)
        return *used.front();
    std::string names;
    for (const SnapshotBinding* each : used)
        names += (names.empty() ? "'" : ", '") + each->part + "'";
    return Error{ Errc::InvalidArgument,
                  "checkpoint " + ref.id.value + " has several sessions: " + names + ". Choose one of them" };
}

template<typename T, typename Map>
std::vector<Difference<T>> differences(const Map& before, const Map& after)
{
    std::vector<Difference<T>> found;
    for (const auto& [name, value] : before) {
        const auto other = after.find(name);
        if (other == after.end())
            found.push_back({ name, value, std::nullopt });
        else if (!(other->second == value))
            found.push_back({ name, value, other->second });
    }
    for (const auto& [name, value] : after)
        if (!before.contains(name))
            found.push_back({ name, std::nullopt, value });
    std::ranges::sort(found, {}, &Difference<T>::name);
    return found;
}

std::map<std::string, KeptName> byName(const Snapshot& snapshot)
{
    std::map<std::string, KeptName> names;
    for (KeptName& name : Snapshots::namesOf(snapshot))
        names.emplace(name.name, std::move(name));
    return names;
}

// A snapshot never has files below a link, but a manipulated one may.
bool isBehindLink(const FileMap& files, const std::string& path)
{
    for (std::size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1))
        if (const auto above = files.find(path.substr(0, end));
            above != files.end() && above->second.type == FileEntry::Type::Link)
            return true;
    return false;
}

// A session that lost its sandbox gets another and goes on, so its notes are searched.
bool hasEndedSince(sessions::SessionRecords& records, const SessionId& session, const std::string& time)
{
    constexpr std::int64_t kMostNotes = 1000;
    const auto notes = records.notes(session, kMostNotes);
    return notes && std::ranges::any_of(*notes, [&](const sessions::SessionNote& note) {
               return note.event == sessions::SessionEventKind::Ended && isoTime(note.time) >= time;
           });
}

// A live snapshot is lost with its session.
void tellWhereEnded(SnapshotMark& mark, const ThreadId& thread, sessions::SessionRecords& records)
{
    if (mark.kind != SnapshotMark::Kind::Live)
        return;
    const auto record = records.newestOf(thread, mark.part);
    if (!record) // that cannot be known
        return;
    if (*record && !(*record)->hasEnded() && isoTime((*record)->startedAt) <= mark.createdAt
        && !hasEndedSince(records, (*record)->info.id, mark.createdAt)) {
        const auto owner = sandbox::parseOwnerMark((*record)->owner);
        if (!sandbox::diesWithProgram((*record)->info.backend) || !owner || !sandbox::isGone(*owner))
            return;
    }
    mark.kind = mark.files >= 0 ? SnapshotMark::Kind::FilesOnly : SnapshotMark::Kind::None;
    mark.note +=
        (mark.note.empty() ? "" : "; ") + std::string("its session ended before its names were written out");
}

} // namespace

void Snapshots::lookUpSessions(const std::filesystem::path& records)
{
    std::error_code missing;
    if (!fs::exists(records, missing))
        return;
    auto opened = sessions::SessionRecords::openToRead(records);
    if (opened)
        m_sessions = std::move(*opened);
    else if (opened.error().code != Errc::NotFound)
        logMessage(LogLevel::Warning,
                   "what is called live may be gone: which sessions have ended cannot be read ("
                       + opened.error().message + ")");
}

Result<SnapshotMark> Snapshots::markOf(const SnapshotBinding& binding) const
{
    auto snapshot = loadSnapshot(m_log, binding.snapshot);
    if (!snapshot)
        return std::move(snapshot.error());
    SnapshotMark mark = markFrom(binding, *snapshot);
    if (m_sessions)
        tellWhereEnded(mark, binding.checkpoint.thread, *m_sessions);
    return mark;
}

std::string_view markName(SnapshotMark::Kind kind)
{
    switch (kind) {
    case SnapshotMark::Kind::None: return "none";
    case SnapshotMark::Kind::Fresh: return "fresh";
    case SnapshotMark::Kind::Live: return "live";
    case SnapshotMark::Kind::Stored: return "stored";
    case SnapshotMark::Kind::FilesOnly: return "files only";
    }
    return {};
}

Result<std::vector<CheckpointMark>> Snapshots::marks(const ThreadId& thread)
{
    const auto bindings = m_log.bindingsOf(thread);
    if (!bindings)
        return bindings.error();
    std::vector<CheckpointMark> found;
    for (const SnapshotBinding& binding : *bindings) {
        auto mark = markOrDamage(binding, markOf(binding));
        if (!mark)
            return std::move(mark.error());
        found.push_back({ binding.checkpoint, std::move(*mark) });
    }
    return found;
}

Result<std::vector<SnapshotMark>> Snapshots::marksAt(const CheckpointRef& ref)
{
    const auto bindings = m_log.bindingsAt(ref, false);
    if (!bindings)
        return bindings.error();
    std::vector<SnapshotMark> found;
    for (const SnapshotBinding& binding : *bindings) {
        auto mark = markOrDamage(binding, markOf(binding));
        if (!mark)
            return std::move(mark.error());
        found.push_back(std::move(*mark));
    }
    return found;
}

Result<SnapshotMark> Snapshots::mark(const CheckpointRef& ref, const std::optional<std::string>& part)
{
    const auto binding = chosenSession(m_log, ref, part);
    if (!binding)
        return binding.error();
    return markOf(*binding);
}

Result<Snapshot> Snapshots::at(const CheckpointRef& ref, const std::optional<std::string>& part)
{
    const auto binding = chosenSession(m_log, ref, part);
    if (!binding)
        return binding.error();
    if (binding->snapshot.empty()) {
        Snapshot fresh;
        fresh.files = std::make_shared<const FileMap>();
        fresh.names = Value::map({ { "records", Value(ValueList()) } });
        return fresh;
    }
    auto snapshot = loadSnapshot(m_log, binding->snapshot);
    if (!snapshot)
        return std::move(snapshot.error());
    return *snapshot ? Result<Snapshot>(std::move(**snapshot)) : noSnapshot(ref);
}

Result<SnapshotDiff> Snapshots::diff(const CheckpointRef& before, const CheckpointRef& after,
                                     const std::optional<std::string>& part)
{
    const auto a = at(before, part);
    if (!a)
        return a.error();
    const auto b = at(after, part);
    if (!b)
        return b.error();
    SnapshotDiff diff;
    diff.namesKnown = a->id == b->id || (a->names.isMap() && b->names.isMap());
    diff.filesKnown = a->files && b->files;
    if (diff.namesKnown && a->id != b->id)
        diff.names = differences<KeptName>(byName(*a), byName(*b));
    if (diff.filesKnown)
        diff.files = differences<FileEntry>(*a->files, *b->files);
    return diff;
}

// Links are written last, so that nothing is written through one.
Result<std::int64_t> Snapshots::exportFiles(const CheckpointRef& ref, const fs::path& to,
                                            const std::optional<std::string>& part)
{
    const auto snapshot = at(ref, part);
    if (!snapshot)
        return snapshot.error();
    if (!snapshot->files)
        return Error{ Errc::NotFound, "checkpoint " + ref.id.value + ": " + snapshot->filesProblem };
    std::error_code failed;
    if (fs::exists(to, failed) || !fs::create_directories(to, failed))
        return Error{ Errc::Exists, to.string() + " is there already, or cannot be made; name a new folder" };
    auto blobs = artifacts::BlobStore::open(m_contents);
    if (!blobs)
        return std::move(blobs.error());
    std::int64_t written = 0;
    for (const bool links : { false, true }) {
        for (const auto& [path, entry] : *snapshot->files) {
            const auto relative = RelativePath::parse(path);
            if (!relative || (entry.type == FileEntry::Type::Link) != links
                || entry.type == FileEntry::Type::Pipe || isBehindLink(*snapshot->files, path))
                continue;
            const fs::path target = to / path;
            if (entry.type == FileEntry::Type::Folder) {
                fs::create_directories(target, failed);
                continue;
            }
            ++written;
            if (links) {
                fs::create_symlink(entry.content, target, failed);
                continue;
            }
            const auto origin =
                entry.sameAs.empty() ? snapshot->files->end() : snapshot->files->find(entry.sameAs);
            const FileEntry& source = origin != snapshot->files->end() ? origin->second : entry;
            std::ofstream file(target, std::ios::binary);
            auto read = source.size == 0
                ? Result<void>()
                : blobs->read(source.content, [&](std::string_view bytes) -> Result<void> {
                      file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
                      return {};
                  });
            if (!read)
                return std::move(read.error());
            file.close();
            if (!file)
                return Error{ Errc::Io, "write " + target.string() };
        }
    }
    return written;
}

} // namespace sg::rewind
