#include "core/base/printable.h"
#include "core/base/redaction.h"
#include "core/base/utf8.h"
#include "core/sessions/records/session_folder.h"
#include "core/sessions/runner/frame.h"
#include "core/sessions/snapshots/snapshot_files.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

// Scans a session's folder: from here where it can be seen, else through the runner.
namespace sg::sessions {
namespace {

constexpr std::int64_t kMostEntries = 1'000'000;
constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kClockStep = 50'000'000; // file systems tell time by the clock's tick

std::int64_t nanoseconds(const timespec& time)
{
    return time.tv_sec * kSecond + time.tv_nsec;
}

std::optional<FileEntry::Type> typeOf(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFREG: return FileEntry::Type::File;
    case S_IFDIR: return FileEntry::Type::Folder;
    case S_IFLNK: return FileEntry::Type::Link;
    case S_IFIFO: return FileEntry::Type::Pipe;
    }
    return std::nullopt;
}

} // namespace

Value SnapshotFiles::pathValue(const std::string& path)
{
    return isValidUtf8(path) ? Value(path) : Value(Bytes{ path });
}

bool SnapshotFiles::isNoneOfItsCode(std::string_view path) const
{
    return m_isKept && SessionFolder::isItsOwn(path.substr(0, path.find('/')));
}

// A sandbox is always scanned in the same way, as each way remembers by itself what it saw.
Result<void> SnapshotFiles::look()
{
    if (m_view == nullptr || m_visible)
        return {};
    auto folder = m_view->openSessionFolder();
    if (folder)
        m_visible.emplace(std::move(*folder));
    else if (m_scans > 0)
        return std::move(folder.error());
    else
        m_view = nullptr;
    return {};
}

Result<void> SnapshotFiles::scan()
{
    m_problems.clear();
    if (auto looked = look(); !looked)
        return looked;
    if (!m_visible)
        return scanByRunner();
    ++m_scans;
    m_nextInOrder = 0;
    const bool hadOrder = std::exchange(m_isInOrder, true);
    if (!hadOrder)
        m_order.clear();
    const std::int64_t now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                                 std::chrono::system_clock::now().time_since_epoch())
                                 .count();
    std::vector<std::string> paths; // used to learn their order
    const auto problems = m_visible->walk([&](const std::string& path, const struct stat& found) {
        if (isNoneOfItsCode(path))
            return;
        see(path, found, now - kClockStep);
        if (!hadOrder)
            paths.push_back(path);
    });
    for (const VisibleFolder::Problem& problem : problems)
        m_problems.push_back(
            { "folder", printableText(problem.path.substr(0, 300)) + ": " + problem.reason });
    const std::size_t gone =
        std::erase_if(m_seen, [this](const auto& each) { return each.second.scan != m_scans; });
    if (gone > 0)
        m_recorded.reset();
    if (gone > 0 || !m_isInOrder)
        m_isInOrder = false;
    else if (!hadOrder)
        noteOrder(paths);
    return {};
}

// Most paths are as they were and come in the same order as last time: these need no lookup.
SnapshotFiles::Seen* SnapshotFiles::expected(const std::string& path)
{
    if (m_nextInOrder < m_order.size() && *m_order[m_nextInOrder].first == path)
        return m_order[m_nextInOrder++].second;
    const auto known = m_seen.find(path);
    return known == m_seen.end() ? nullptr : &known->second;
}

// A change within one tick of the clock may go unnoticed: a file that changed just before a scan counts as
// changed in the next one.
void SnapshotFiles::see(const std::string& path, const struct stat& found, std::int64_t freshSince)
{
    const auto type = typeOf(found.st_mode);
    if (!type) {
        m_problems.push_back(
            { S_ISSOCK(found.st_mode) ? "socket" : "device", printableText(path.substr(0, 300)) });
        return;
    }
    Seen* const known = expected(path);
    const bool isFresh = nanoseconds(found.st_ctim) > freshSince;
    if (known != nullptr && !known->isFresh && known->entry.type == *type && known->isStill(found)) {
        known->scan = m_scans;
        known->isFresh = isFresh;
        return;
    }
    m_recorded.reset();
    Seen seen;
    seen.entry.type = *type;
    seen.entry.mode = static_cast<int>(found.st_mode & 07777U);
    seen.entry.size = *type == FileEntry::Type::File ? found.st_size : 0;
    seen.entry.mtimeNs = nanoseconds(found.st_mtim);
    seen.inode = static_cast<std::int64_t>(found.st_ino);
    seen.ctimeNs = nanoseconds(found.st_ctim);
    seen.links = static_cast<std::int64_t>(found.st_nlink);
    seen.scan = m_scans;
    seen.isFresh = isFresh;
    seen.isKnown = *type == FileEntry::Type::File && seen.entry.size == 0;
    if (*type == FileEntry::Type::Link)
        seen.entry.content = m_visible->linkTarget(path);
    m_seen[path] = std::move(seen);
    m_isInOrder = false;
}

bool SnapshotFiles::Seen::isStill(const struct stat& found) const
{
    return inode == static_cast<std::int64_t>(found.st_ino) && ctimeNs == nanoseconds(found.st_ctim)
        && links == static_cast<std::int64_t>(found.st_nlink)
        && entry.mode == static_cast<int>(found.st_mode & 07777U)
        && entry.mtimeNs == nanoseconds(found.st_mtim)
        && (entry.type != FileEntry::Type::File || entry.size == found.st_size);
}

// Learns the order of the last walk, once a second walk has found the same paths.
void SnapshotFiles::noteOrder(const std::vector<std::string>& paths)
{
    m_order.clear();
    m_order.reserve(paths.size());
    for (const std::string& path : paths)
        if (const auto known = m_seen.find(path); known != m_seen.end())
            m_order.emplace_back(&known->first, &known->second);
}

Result<void> SnapshotFiles::scanByRunner()
{
    auto exchange = m_link.begin({ { "op", "scan" }, { "base", m_token } });
    if (!exchange)
        return std::move(exchange.error());
    while (true) {
        auto frame = exchange->next(std::chrono::steady_clock::now() + kAnswerTime);
        if (!frame)
            return std::move(frame.error());
        const Value& page = frame->body;
        if (frame->event != "scanned" || !page["entries"].isList() || !page["removed"].isList()
            || page.intOr("total", -1) < 0 || page.intOr("total", -1) > 2 * kMostEntries)
            return brokenProtocol("a list of files that is none");
        if (!page["removed"].asList().empty() || !page["entries"].asList().empty())
            m_recorded.reset();
        for (const Value& path : page["removed"].asList())
            m_seen.erase(path.isString() ? path.asString() : path.isBytes() ? path.asBytes() : std::string());
        for (const Value& entry : page["entries"].asList())
            if (auto taken = takeEntry(entry); !taken)
                return taken;
        if (page["problems"].isList())
            for (const Value& problem : page["problems"].asList())
                m_problems.push_back(
                    { "folder",
                      printableText(problem[0].isString() ? problem[0].asString() : "?") + ": "
                          + printableText(problem[1].isString() ? problem[1].asString() : "?") });
        if (!page.boolOr("more", false)) {
            m_token = page.intOr("token", 0);
            return {};
        }
    }
}

Result<void> SnapshotFiles::takeEntry(const Value& value)
{
    const Value& path = value[0];
    bool isFormed = (path.isString() || path.isBytes()) && value[1].isString();
    for (std::size_t i = 2; i < 8; ++i)
        isFormed = isFormed && value[i].isInt();
    if (!isFormed || value[3].asInt() < 0 || static_cast<std::int64_t>(m_seen.size()) > kMostEntries)
        return brokenProtocol("a file that is none");
    const std::string name = path.isString() ? path.asString() : path.asBytes();
    if (isNoneOfItsCode(name))
        return {};
    const std::string& type = value[1].asString();
    Seen seen;
    seen.entry.mode = static_cast<int>(value[2].asInt() & 07777);
    seen.entry.size = type == "file" ? value[3].asInt() : 0;
    seen.entry.mtimeNs = value[4].asInt();
    seen.inode = value[5].asInt();
    seen.ctimeNs = value[6].asInt();
    seen.links = value[7].asInt();
    if (type == "file") {
        seen.entry.type = FileEntry::Type::File;
        seen.isKnown = seen.entry.size == 0;
    } else if (type == "folder") {
        seen.entry.type = FileEntry::Type::Folder;
    } else if (type == "link") {
        const Value& target = value[8];
        if (!target.isString() && !target.isBytes())
            return brokenProtocol("a link without a target");
        seen.entry.type = FileEntry::Type::Link;
        seen.entry.content = target.isString() ? target.asString() : target.asBytes();
    } else if (type == "pipe") {
        seen.entry.type = FileEntry::Type::Pipe;
    } else {
        m_seen.erase(name);
        m_problems.push_back({ printableText(type.substr(0, 20)), printableText(name.substr(0, 300)) });
        return {};
    }
    m_seen[name] = std::move(seen);
    return {};
}

// The first of several names of a file holds the content; names that hold a secret come last, as they are not
// stored.
void SnapshotFiles::linkNames()
{
    std::map<std::int64_t, std::vector<const std::string*>> byInode;
    for (auto& [path, seen] : m_seen) {
        seen.entry.sameAs.clear();
        if (seen.entry.type == FileEntry::Type::File && seen.links > 1)
            byInode[seen.inode].push_back(&path);
    }
    for (auto& [inode, paths] : byInode) {
        std::ranges::sort(paths, {},
                          [](const std::string* path) { return std::pair(holdsSecret(*path), *path); });
        for (std::size_t i = 1; i < paths.size(); ++i)
            m_seen[*paths[i]].entry.sameAs = *paths[0];
    }
}

} // namespace sg::sessions
