#include "core/artifacts/blob_store.h"
#include "core/rewind/snapshot_storage.h"
#include "core/rewind/snapshot_use.h"
#include "core/rewind/snapshots.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <system_error>
#include <tuple>
#include <utility>

// These functions decide which of a project's snapshots are removed, and with them which contents.
namespace sg::rewind {
namespace {

namespace fs = std::filesystem;

using sessions::FileEntry;
using sessions::Snapshot;

constexpr auto kUntouchedFor = std::chrono::hours(1);

void addUsed(const Snapshot& snapshot, std::set<std::string>& used)
{
    const auto add = [&used](const std::string& content) {
        if (isContentName(content)) // otherwise the file is empty, or its content is in the record itself
            used.insert(content);
    };
    if (snapshot.files)
        for (const auto& [path, entry] : *snapshot.files)
            if (entry.type == FileEntry::Type::File)
                add(entry.content);
    const Value& records = snapshot.names["records"];
    if (!records.isList())
        return;
    for (const Value& record : records.asList()) {
        add(record.stringOr("blob", ""));
        if (record["buffers"].isList())
            for (const Value& buffer : record["buffers"].asList())
                if (buffer[0].isString())
                    add(buffer[0].asString());
    }
}

} // namespace

Result<std::vector<Snapshots::Used>> Snapshots::used()
{
    const auto records = m_log.all();
    if (!records)
        return records.error();
    std::vector<Used> found;
    for (const checkpoint::SnapshotRecord& record : *records) {
        auto snapshot = loadSnapshot(m_log, record.id);
        if (!snapshot) // it is damaged, so what it needs is unknown, and nothing is removed
            return std::move(snapshot.error());
        Used one{ .id = record.id, .thread = record.thread };
        if (*snapshot)
            addUsed(**snapshot, one.contents);
        if (record.body["files"].isList())
            for (const Value& piece : record.body["files"].asList())
                if (piece.isString())
                    one.pieces.insert(piece.asString());
        found.push_back(std::move(one));
    }
    return found;
}

// Returns the newest snapshots of these threads' sessions, by part, with and without what the superstep has
// done since: those of the thread's newest checkpoint, from which it goes on, and those of its subgraphs.
Result<std::set<SnapshotId>> Snapshots::stoodAt(const std::set<ThreadId>& threads)
{
    std::set<SnapshotId> newest;
    for (const ThreadId& thread : threads) {
        const auto bindings = m_log.bindingsOf(thread);
        if (!bindings)
            return bindings.error();
        std::map<std::tuple<std::string, bool, bool>, SnapshotId> last;
        for (const checkpoint::SnapshotBinding& binding : *bindings)
            last[{ binding.part, binding.partial, binding.checkpoint.ns.empty() }] = binding.snapshot;
        for (auto& [part, id] : last)
            newest.insert(std::move(id));
    }
    return newest;
}

// Removes the oldest first. Contents that several share count for the newest of them.
Result<void> Snapshots::removeOverCap(std::vector<Used>& all, std::int64_t capBytes,
                                      const std::set<ThreadId>& inUse, Collected& done)
{
    std::set<ThreadId> threads;
    for (const Used& one : all)
        threads.insert(one.thread);
    const auto stays = stoodAt(threads);
    if (!stays)
        return stays.error();
    const auto blobs = artifacts::BlobStore::open(m_contents);
    if (!blobs)
        return blobs.error();
    std::set<std::string> counted;
    std::vector<Used> kept;
    std::int64_t bytes = 0;
    for (auto one = all.rbegin(); one != all.rend(); ++one) {
        for (const std::string& content : one->contents) {
            std::error_code gone;
            const auto size = counted.insert(content).second ? fs::file_size(blobs->path(content), gone) : 0;
            bytes += gone ? 0 : static_cast<std::int64_t>(size);
        }
        if (bytes <= capBytes || stays->contains(one->id) || inUse.contains(one->thread)) {
            kept.push_back(std::move(*one));
            continue;
        }
        if (auto removed = m_log.remove(one->id); !removed)
            return removed;
        ++done.snapshots;
    }
    std::ranges::reverse(kept);
    all = std::move(kept);
    return {};
}

Result<void> Snapshots::removeContents(const std::set<std::string>& used, Collected& done) const
{
    std::error_code failed;
    const auto limit = fs::file_time_type::clock::now() - kUntouchedFor;
    for (auto it = fs::recursive_directory_iterator(m_contents, failed);
         !failed && it != fs::recursive_directory_iterator(); it.increment(failed)) {
        const std::string name = it->path().filename().string();
        std::error_code ignored;
        if (!it->is_regular_file(ignored) || !isContentName(name) || used.contains(name)
            || it->last_write_time(ignored) > limit)
            continue;
        const auto size = it->file_size(ignored);
        if (fs::remove(it->path(), ignored)) {
            ++done.contents;
            done.bytes += static_cast<std::int64_t>(size);
        }
    }
    return {};
}

Result<Collected> Snapshots::collect(std::int64_t capBytes, const InUse& isInUse)
{
    Collected done;
    std::set<ThreadId> inUse;
    std::set<SnapshotId> needed;
    if (isInUse) {
        const auto records = m_log.all();
        if (!records)
            return records.error();
        std::map<ThreadId, bool> asked;
        for (const checkpoint::SnapshotRecord& record : *records) {
            const auto [known, isNew] = asked.try_emplace(record.thread, false);
            if (isNew)
                known->second = isInUse(record.thread);
            if (!known->second)
                continue;
            inUse.insert(record.thread);
            needed.insert(record.id);
        }
    }
    const auto unbound = m_log.unbound();
    if (!unbound)
        return unbound.error();
    for (const SnapshotId& id : *unbound) {
        if (needed.contains(id))
            continue;
        if (auto removed = m_log.remove(id); !removed)
            return std::move(removed.error());
        ++done.snapshots;
    }
    auto all = used();
    if (!all)
        return std::move(all.error());
    if (capBytes > 0)
        if (auto removed = removeOverCap(*all, capBytes, inUse, done); !removed)
            return std::move(removed.error());
    std::set<std::string> contents;
    std::set<std::string> pieces;
    for (Used& one : *all) {
        contents.merge(one.contents);
        pieces.merge(one.pieces);
    }
    if (auto kept = m_log.keepPieces([&](const std::string& name) { return pieces.contains(name); }); !kept)
        return std::move(kept.error());
    auto others = contentsNeededThere(m_contents.parent_path());
    if (!others)
        return std::move(others.error());
    contents.merge(*others);
    if (auto removed = removeContents(contents, done); !removed)
        return std::move(removed.error());
    return done;
}

} // namespace sg::rewind
