#include "core/rewind/run_world.h"

#include <algorithm>
#include <utility>

namespace sg::rewind {
namespace {

using checkpoint::CheckpointRef;
using checkpoint::SnapshotBinding;
using sessions::Stand;

constexpr const char* kWaysOn =
    "Go on with an empty sandbox (fresh), or with the one that is there now (keep)";

// In "a:1|b:2" task 2 is nested in task 1.
bool isWithin(const std::string& ns, const TaskId& task)
{
    const std::string mark = ":" + task.value;
    for (std::size_t at = ns.find(mark); at != std::string::npos; at = ns.find(mark, at + 1))
        if (at + mark.size() == ns.size() || ns[at + mark.size()] == '|')
            return true;
    return false;
}

Stand leftByRun(std::shared_ptr<const sessions::Snapshot> snapshot)
{
    Stand stand;
    stand.kind = Stand::Kind::Snapshot;
    stand.snapshot = std::move(snapshot);
    stand.isOfRun = true;
    return stand;
}

} // namespace

Result<void> RunWorld::begins(const std::optional<CheckpointRef>& loaded, bool goesOn)
{
    const std::lock_guard lock(m_mutex);
    m_root = loaded;
    m_parts.clear();
    m_bases.clear();
    m_unknown = {};
    m_unknown.source = m_choice == SandboxChoice::Exact ? Stand::Source::LiveOnly
        : m_choice == SandboxChoice::Stored             ? Stand::Source::StoredOnly
                                                        : Stand::Source::Any;
    m_unknown.keepsEdits = !m_isAddressed && m_choice == SandboxChoice::Restore;
    if (m_choice != SandboxChoice::Keep)
        m_unknown.kind = Stand::Kind::Fresh;
    if (loaded && m_unknown.kind == Stand::Kind::Fresh && m_choice != SandboxChoice::Fresh) {
        auto found = snapshotsAt(m_log, *loaded, goesOn);
        if (!found)
            return std::move(found.error());
        // The checkpoint is another program's, or its graph had no sandbox then.
        if (found->empty() && !m_isAddressed)
            m_unknown.kind = Stand::Kind::AsIs;
        const bool isNewRun = !goesOn && !m_isAddressed;
        for (const PartSnapshot& each : *found)
            if (!isNewRun || !each.part.isOfARun())
                if (auto taken = takePart(each.part, each.snapshot, each.lacksFinished); !taken)
                    return taken;
        if (goesOn)
            if (auto taken = takeBases(); !taken)
                return taken;
    }
    partOf({});
    return {};
}

Result<void> RunWorld::takePart(const sessions::SessionPart& name, const SnapshotId& id, bool lacksFinished)
{
    Part& part = partOf(name);
    part.rootHasSnapshot = !id.empty();
    if (lacksFinished)
        part.stand.lacks = "what finished nodes of this superstep did in it (others ran between them)";
    if (id.empty())
        return {};
    auto snapshot = loadSnapshot(m_log, id);
    if (!snapshot)
        return std::move(snapshot.error());
    if (!*snapshot && m_choice == SandboxChoice::Exact)
        return Error{ Errc::NotFound,
                      "the snapshot that checkpoint " + m_root->id.value
                          + " has of its sandbox was removed: it cannot be brought back exactly. "
                          + kWaysOn };
    if (!*snapshot && m_isAddressed)
        return Error{ Errc::NotFound,
                      "the snapshot that checkpoint " + m_root->id.value + " has of its sandbox was removed. "
                          + kWaysOn };
    if (!*snapshot) { // the live session may be just what it was
        part.stand.kind = Stand::Kind::AsIs;
        part.stand.lacks = "the snapshot of its checkpoint, which was removed";
        return {};
    }
    part.stand.kind = Stand::Kind::Snapshot;
    part.stand.snapshot = std::make_shared<const sessions::Snapshot>(std::move(**snapshot));
    m_saved.insert(id);
    return {};
}

// A session may stand after the superstep's finished tasks; those that go on begin where they had begun.
Result<void> RunWorld::takeBases()
{
    auto found = snapshotsAt(m_log, *m_root, false);
    if (!found)
        return std::move(found.error());
    for (const PartSnapshot& each : *found) {
        const auto part = m_parts.find(each.part);
        if (each.snapshot.empty() || part == m_parts.end() || !part->second.stand.snapshot
            || part->second.stand.snapshot->id == each.snapshot)
            continue;
        auto snapshot = loadSnapshot(m_log, each.snapshot);
        if (!snapshot)
            return std::move(snapshot.error());
        if (*snapshot)
            part->second.root = std::make_shared<const sessions::Snapshot>(std::move(**snapshot));
    }
    return {};
}

RunWorld::SnapshotPtr RunWorld::base(const sessions::CallSite& caller)
{
    const std::lock_guard lock(m_mutex);
    Part& part = partOf(caller.part);
    SnapshotPtr& base = m_bases[{ caller.part, caller.superstep }];
    const bool isRoots = caller.ns.find('|') == std::string::npos;
    if (!base)
        base = isRoots && part.root ? part.root : part.stand.snapshot;
    return base;
}

RunWorld::Part& RunWorld::partOf(const sessions::SessionPart& name)
{
    const auto [found, isNew] = m_parts.try_emplace(name);
    if (isNew)
        found->second.stand = m_unknown;
    return found->second;
}

// A call of an attempt may succeed and the attempt still fail: the next attempt begins where that call began.
Stand RunWorld::stand(const sessions::CallSite& caller)
{
    const std::lock_guard lock(m_mutex);
    Part& part = partOf(caller.part);
    while (!part.calls.empty() && part.calls.back().caller.task == caller.task
           && part.calls.back().caller.attempt < caller.attempt) {
        part.stand = part.calls.back().before;
        part.calls.pop_back();
    }
    return part.stand;
}

void RunWorld::began(const sessions::CallSite& caller, SnapshotPtr snapshot)
{
    const std::lock_guard lock(m_mutex);
    Part& part = partOf(caller.part);
    part.beginning = snapshot;
    part.stand = leftByRun(std::move(snapshot));
}

void RunWorld::moved(const sessions::CallSite& caller, SnapshotPtr snapshot, bool stays)
{
    const std::lock_guard lock(m_mutex);
    Part& part = partOf(caller.part);
    part.calls.push_back({ caller, std::move(part.stand), snapshot, stays });
    part.stand = leftByRun(std::move(snapshot));
}

std::optional<SnapshotId> RunWorld::boundId(const Stand& stand)
{
    switch (stand.kind) {
    case Stand::Kind::Snapshot: return stand.snapshot->id;
    case Stand::Kind::Fresh: return SnapshotId();
    case Stand::Kind::AsIs: break;
    }
    return std::nullopt;
}

// A session that was unused when the superstep began has a snapshot of that moment now.
void RunWorld::bindBeginning(const sessions::SessionPart& name, Part& part, Due& due)
{
    const SnapshotPtr beginning = std::exchange(part.beginning, nullptr);
    if (!beginning || !m_root || std::exchange(part.rootHasSnapshot, true))
        return;
    due.bindings.push_back({ *m_root, false, beginning->id, name.text() });
    due.snapshots.push_back(beginning);
}

void RunWorld::bindFinished(const sessions::SessionPart& name, const Part& part, Due& due) const
{
    const Finished found = finished(part);
    if (!m_root || (!found.last && !found.isBroken))
        return;
    const SnapshotId id = found.isBroken ? kLostSnapshot : found.last->id;
    due.bindings.push_back({ *m_root, true, id, name.text() });
    if (!found.isBroken)
        due.snapshots.push_back(found.last);
}

engine::Companion::Save RunWorld::saving(Due due, std::optional<CheckpointRef> whole)
{
    if (due.bindings.empty())
        return {};
    std::erase_if(due.snapshots,
                  [this](const SnapshotPtr& each) { return !each || !m_saved.insert(each->id).second; });
    return [&log = m_log, due = std::move(due), whole = std::move(whole),
            last = m_keptFiles]() -> Result<void> {
        for (const SnapshotPtr& snapshot : due.snapshots)
            if (auto kept = keepSnapshot(log, due.bindings.front().checkpoint.thread, *snapshot, last.get());
                !kept)
                return kept;
        if (whole)
            if (auto dropped = log.dropPartial(*whole); !dropped)
                return dropped;
        for (const SnapshotBinding& binding : due.bindings)
            if (auto bound = log.bind(binding); !bound)
                return bound;
        return {};
    };
}

engine::Companion::Save RunWorld::checkpointDue(const CheckpointRef& made)
{
    const std::lock_guard lock(m_mutex);
    Due due;
    bool hasCalls = false;
    for (auto& [name, part] : m_parts) {
        const auto id = boundId(part.stand);
        bindBeginning(name, part, due);
        if (id) {
            due.bindings.push_back({ made, false, *id, name.text() });
            due.snapshots.push_back(part.stand.snapshot);
        }
        hasCalls = hasCalls || !part.calls.empty();
        if (made.ns.empty()) {
            part.rootHasSnapshot = id && !id->empty();
            part.root = nullptr;
            part.calls.clear();
            continue;
        }
        // A nested graph's checkpoint keeps the calls that its tasks have made in the root's superstep.
        for (Call& call : part.calls)
            call.stays = call.stays || call.caller.ns.starts_with(made.ns + "|");
        bindFinished(name, part, due);
    }
    if (!made.ns.empty())
        return saving(std::move(due), std::nullopt);
    m_bases.clear();
    auto before = std::exchange(m_root, made);
    return saving(std::move(due), hasCalls ? std::move(before) : std::nullopt);
}

RunWorld::Finished RunWorld::finished(const Part& part)
{
    Finished found;
    bool isBehind = false;
    for (const Call& call : part.calls) {
        found.isBroken = found.isBroken || (call.stays && isBehind);
        isBehind = isBehind || !call.stays;
        if (!isBehind)
            found.last = call.left;
    }
    return found;
}

engine::Companion::Save RunWorld::savingFinished()
{
    Due due;
    for (auto& [name, part] : m_parts) {
        bindFinished(name, part, due);
        bindBeginning(name, part, due);
    }
    return saving(std::move(due), std::nullopt);
}

engine::Companion::Save RunWorld::taskDone(const TaskId& task)
{
    const std::lock_guard lock(m_mutex);
    for (auto& [name, part] : m_parts)
        for (Call& call : part.calls)
            call.stays = call.stays || call.caller.task == task || isWithin(call.caller.ns, task);
    return savingFinished();
}

engine::Companion::Save RunWorld::superstepLeft()
{
    const std::lock_guard lock(m_mutex);
    return savingFinished();
}

} // namespace sg::rewind
