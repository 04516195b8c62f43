#include "core/base/printable.h"
#include "core/sessions/snapshots/snapshot_files.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

// Restores a session's folder by the smallest change, sent in steps.
namespace sg::sessions {
namespace {

constexpr std::size_t kMostSteps = 500;
constexpr std::size_t kMostStepBytes = 4U << 20;
constexpr int kRounds = 3;

bool isSameFile(const FileEntry& a, const FileEntry& b)
{
    return a.type == b.type && a.content == b.content && a.sameAs == b.sameAs
        && (a.type != FileEntry::Type::File || a.size == b.size);
}

std::string folderOf(const std::string& path)
{
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

} // namespace

Result<void> SnapshotFiles::add(Value step, std::size_t bytes)
{
    m_steps.push_back(std::move(step));
    m_stepBytes += bytes;
    return m_steps.size() >= kMostSteps || m_stepBytes >= kMostStepBytes ? send() : Result<void>();
}

Result<void> SnapshotFiles::send()
{
    m_stepBytes = 0;
    if (m_steps.empty())
        return {};
    const auto done = m_link.ask({ { "op", "change_files" }, { "steps", std::exchange(m_steps, {}) } },
                                 "changed", kAnswerTime);
    return done ? Result<void>() : done.error();
}

Result<void> SnapshotFiles::addContent(const std::string& path, const FileEntry& entry)
{
    const Value name = pathValue(path);
    if (entry.size == 0)
        return add(Value::list({ "write", name, 0, Bytes{}, true, entry.mode }));
    std::int64_t offset = 0;
    std::string held;
    const auto piece = [&]() -> Result<void> {
        const auto size = static_cast<std::int64_t>(held.size());
        const bool isLast = offset + size >= entry.size;
        auto added =
            add(Value::list({ "write", name, offset, Bytes{ std::exchange(held, {}) }, isLast, entry.mode }),
                static_cast<std::size_t>(size));
        offset += size;
        return added;
    };
    auto read = m_blobs.read(entry.content, [&](std::string_view bytes) -> Result<void> {
        held.append(bytes);
        return held.size() >= static_cast<std::size_t>(1 << 20) ? piece() : Result<void>();
    });
    if (!read)
        return std::move(read.error()).during("restore the file " + printableText(path));
    return held.empty() ? Result<void>() : piece();
}

// The steps that turn the present folder into `target`.
struct SnapshotFiles::Change {
    Change(const SnapshotFiles& files, const FileMap& wanted)
        : seen(files.m_seen)
        , now(files.mapNow())
        , target(wanted)
    {
        findMade();
        findRemovals();
    }

    // In the map's order the first of several names of a file comes before the others.
    void findMade()
    {
        for (const auto& [path, wanted] : target) {
            const auto there = now.find(path);
            if (there == now.end() || !isSameFile(there->second, wanted)
                || (!wanted.sameAs.empty() && made.contains(wanted.sameAs)))
                made.insert(path);
        }
    }

    void findRemovals()
    {
        for (const auto& [path, known] : seen) {
            const auto wanted = target.find(path);
            const bool isReplaced = wanted != target.end() && wanted->second.type == FileEntry::Type::File
                && known.entry.type == FileEntry::Type::File && wanted->second.sameAs.empty();
            if (wanted == target.end() || (made.contains(path) && !isReplaced))
                removals.push_back(path);
        }
        std::ranges::sort(removals, std::greater<>());
    }

    // Folders in which something is made or removed, outer ones first.
    [[nodiscard]] std::set<std::string> parents() const
    {
        std::set<std::string> folders;
        for (const std::string& path : removals)
            folders.insert(folderOf(path));
        for (const std::string& path : made)
            folders.insert(folderOf(path));
        return folders;
    }

    const std::unordered_map<std::string, Seen>& seen;
    const FileMap now;
    const FileMap& target;
    std::set<std::string> made; // written or created
    std::vector<std::string> removals; // deepest first
    std::set<std::string> touched; // folders whose own time the change alters
    std::set<std::string> opened; // read-only folders that are made writable meanwhile
};

Result<void> SnapshotFiles::openFolders(Change& change)
{
    change.touched = change.parents();
    for (const std::string& folder : change.touched) {
        const auto there = m_seen.find(folder);
        if (folder.empty() || there == m_seen.end() || (there->second.entry.mode & 0700) == 0700)
            continue;
        change.opened.insert(folder);
        if (auto done = add(Value::list({ "mode", pathValue(folder), 0700 })); !done)
            return done;
    }
    return {};
}

Result<void> SnapshotFiles::makeEntry(const std::string& path, const FileEntry& wanted)
{
    const Value name = pathValue(path);
    switch (wanted.type) {
    case FileEntry::Type::Folder: return add(Value::list({ "folder", name, 0700 }));
    case FileEntry::Type::Link: return add(Value::list({ "link", name, pathValue(wanted.content) }));
    case FileEntry::Type::Pipe: return add(Value::list({ "pipe", name, wanted.mode }));
    case FileEntry::Type::File: break;
    }
    return wanted.sameAs.empty() ? addContent(path, wanted)
                                 : add(Value::list({ "same", name, pathValue(wanted.sameAs) }));
}

// Deepest first, as changes inside a folder alter its time.
Result<void> SnapshotFiles::setModesAndTimes(const Change& change)
{
    for (auto it = change.target.rbegin(); it != change.target.rend(); ++it) {
        const auto& [path, wanted] = *it;
        const auto there = change.now.find(path);
        const bool isMade = change.made.contains(path);
        const bool otherMode = (wanted.type == FileEntry::Type::Folder && isMade)
            || change.opened.contains(path)
            || (there != change.now.end() && there->second.mode != wanted.mode);
        Result<void> done;
        if (otherMode && wanted.type != FileEntry::Type::Link)
            done = add(Value::list({ "mode", pathValue(path), wanted.mode }));
        if (done
            && (isMade || change.touched.contains(path) || there == change.now.end()
                || there->second.mtimeNs != wanted.mtimeNs))
            done = add(Value::list({ "time", pathValue(path), wanted.mtimeNs }));
        if (!done)
            return done;
    }
    return {};
}

Result<std::int64_t> SnapshotFiles::changeTo(const FileMap& target)
{
    Change change(*this, target);
    if (auto done = openFolders(change); !done)
        return std::move(done.error());
    for (const std::string& path : change.removals)
        if (auto done = add(Value::list({ "remove", pathValue(path) })); !done)
            return std::move(done.error());
    for (const std::string& path : change.made)
        if (auto done = makeEntry(path, target.at(path)); !done)
            return std::move(done.error());
    if (auto done = setModesAndTimes(change); !done)
        return std::move(done.error());
    if (auto sent = send(); !sent)
        return std::move(sent.error());
    return static_cast<std::int64_t>(change.removals.size() + change.made.size());
}

// Contents that were just written are known without reading them, where size and time are as written.
void SnapshotFiles::adopt(const FileMap& target)
{
    for (auto& [path, seen] : m_seen) {
        const auto wanted = target.find(path);
        if (seen.isKnown || wanted == target.end() || wanted->second.type != FileEntry::Type::File
            || seen.entry.type != FileEntry::Type::File || wanted->second.size != seen.entry.size
            || wanted->second.mtimeNs != seen.entry.mtimeNs)
            continue;
        const std::string& content = wanted->second.sameAs.empty()
            ? wanted->second.content
            : (target.contains(wanted->second.sameAs) ? target.at(wanted->second.sameAs).content
                                                      : std::string());
        seen.entry.content = content;
        seen.isKnown = !content.empty();
    }
}

Result<std::int64_t> SnapshotFiles::clear()
{
    const Looking looking(*this);
    if (auto scanned = scan(); !scanned)
        return std::move(scanned.error());
    FileMap nothing;
    if (const auto artifacts = m_seen.find("artifacts");
        artifacts != m_seen.end() && artifacts->second.entry.type == FileEntry::Type::Folder)
        nothing.emplace("artifacts", artifacts->second.entry);
    return restore(nothing);
}

// A snapshot from elsewhere, or of an older version, may hold the files that are this program's.
FileMap SnapshotFiles::withoutItsOwn(const FileMap& target) const
{
    FileMap rest = target;
    std::erase_if(rest, [this](const auto& each) { return isNoneOfItsCode(each.first); });
    return rest;
}

Result<std::int64_t> SnapshotFiles::restore(const FileMap& target)
{
    if (std::ranges::any_of(target, [this](const auto& each) { return isNoneOfItsCode(each.first); }))
        return restore(withoutItsOwn(target));
    const Looking looking(*this);
    std::int64_t changed = 0;
    if (auto scanned = scan(); !scanned)
        return std::move(scanned.error());
    linkNames();
    for (int round = 0; round < kRounds; ++round) {
        std::vector<NamedThing> left;
        if (auto read = readContents(left, &target); !read)
            return std::move(read.error());
        if (isAt(target))
            return changed;
        m_steps.clear();
        m_stepBytes = 0;
        auto done = changeTo(target);
        if (!done)
            return std::move(done.error());
        changed += *done;
        if (auto scanned = scan(); !scanned)
            return std::move(scanned.error());
        linkNames();
        adopt(target);
    }
    if (isAt(target))
        return changed;
    return Error{
        Errc::Conflict,
        "the session's files do not stay as they are restored: a process in the sandbox goes on writing"
    };
}

} // namespace sg::sessions
