#include "core/sessions/snapshots/snapshot_files.h"

#include "core/base/printable.h"
#include "core/base/redaction.h"
#include "core/sessions/snapshots/snapshot_room.h"

#include <utility>

namespace sg::sessions {
namespace {

constexpr std::size_t kFewFiles = 64; // are flushed one by one; more, with the whole file system at once
constexpr std::size_t kMostShownOfAPath = 300;

// A path is stored with each snapshot, shown and exported.
void leaveSecretNames(FileMap& map, std::vector<NamedThing>& left)
{
    std::erase_if(map, [&left](const auto& each) {
        const auto& [path, entry] = each;
        if (!holdsSecret(path) && !(entry.type == FileEntry::Type::Link && holdsSecret(entry.content)))
            return false;
        left.push_back({ "file",
                         printableText(withoutSecrets(path).substr(0, kMostShownOfAPath))
                             + " (its name, or where it leads, holds a secret)" });
        return true;
    });
}

} // namespace

FileMap SnapshotFiles::mapNow() const
{
    FileMap map;
    for (const auto& [path, seen] : m_seen) {
        const bool hasContent = seen.isKnown || !seen.entry.sameAs.empty();
        if (seen.entry.type == FileEntry::Type::File && !hasContent)
            continue; // said to be left
        FileEntry entry = seen.entry;
        if (!entry.sameAs.empty())
            entry.content.clear();
        map.emplace(path, std::move(entry));
    }
    return map;
}

bool SnapshotFiles::isAt(const FileMap& target) const
{
    return m_seen.size() == target.size() && mapNow() == target;
}

Result<SnapshotFiles::Recorded> SnapshotFiles::record(std::int64_t capBytes, SnapshotRoom* room)
{
    const Looking looking(*this);
    if (auto scanned = scan(); !scanned)
        return std::move(scanned.error());
    if (m_recorded && m_recorded->bytes <= capBytes && m_recorded->left == m_problems)
        return *m_recorded;
    linkNames();
    Recorded recorded;
    std::int64_t unread = 0;
    for (const auto& [path, seen] : m_seen) {
        recorded.bytes += seen.entry.sameAs.empty() ? seen.entry.size : 0;
        unread += seen.entry.sameAs.empty() && !seen.isKnown ? seen.entry.size : 0;
    }
    recorded.left = m_problems;
    if (recorded.bytes > capBytes) {
        recorded.problem =
            "files not kept: " + megabytes(recorded.bytes) + " over the cap of " + megabytes(capBytes);
        return recorded;
    }
    if (const auto claimed = room != nullptr && unread > 0 ? room->claim(unread) : Result<void>(); !claimed) {
        recorded.problem = "files not kept: " + claimed.error().message;
        return recorded;
    }
    m_newBytes = 0;
    auto read = readContents(recorded.left, nullptr);
    if (room != nullptr)
        room->add(m_newBytes);
    if (!read)
        return std::move(read.error());
    FileMap map = mapNow();
    leaveSecretNames(map, recorded.left);
    recorded.files = std::make_shared<const FileMap>(std::move(map));
    m_recorded = recorded;
    return recorded;
}

Result<void> SnapshotFiles::flush()
{
    const std::vector<std::string> written = std::exchange(m_written, {});
    if (written.empty())
        return {};
    return written.size() <= kFewFiles ? m_blobs.flush(written) : m_blobs.flush();
}

} // namespace sg::sessions
