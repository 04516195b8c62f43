#include "core/workbench/run_world.h"

#include "core/sessions/file_map.h"

#include <algorithm>
#include <utility>

namespace sg::workbench {
namespace {

using checkpoint::CheckpointRef;
using checkpoint::SnapshotBinding;
using sessions::Stand;

// In place of a snapshot where finished tasks left the sandbox in no state that was kept.
const SnapshotId kNone("none");

} // namespace

std::optional<SandboxChoice> sandboxChoiceNamed(const std::string& name)
{
    if (name.empty() || name == "restore")
        return SandboxChoice::Restore;
    if (name == "exact")
        return SandboxChoice::Exact;
    if (name == "stored")
        return SandboxChoice::Stored;
    if (name == "fresh")
        return SandboxChoice::Fresh;
    if (name == "keep")
        return SandboxChoice::Keep;
    return std::nullopt;
}

Result<void> keepSnapshot(checkpoint::SnapshotLog& log, const ThreadId& thread,
                          const sessions::Snapshot& snapshot)
{
    Value body = sessions::toValue(snapshot);
    if (snapshot.files) {
        auto pieces =
            sessions::keepFileMap(*snapshot.files, [&log](const std::string& name, std::string_view bytes) {
                return log.putPiece(name, bytes);
            });
        if (!pieces)
            return std::move(pieces.error());
        ValueList names;
        for (std::string& piece : *pieces)
            names.emplace_back(std::move(piece));
        body.editMap().set("files", Value(std::move(names)));
    }
    return log.put({ snapshot.id, thread, std::move(body) });
}

Result<void> keepStoredNames(checkpoint::SnapshotLog& log, const SnapshotId& id, const Value& names)
{
    auto record = log.get(id);
    if (!record || !*record)
        return record ? Result<void>() : std::move(record.error());
    (*record)->body.editMap().set("names", names);
    return log.put(**record);
}

Result<std::optional<sessions::Snapshot>> loadSnapshot(checkpoint::SnapshotLog& log, const SnapshotId& id)
{
    auto record = log.get(id);
    if (!record)
        return std::move(record.error());
    if (!*record)
        return std::optional<sessions::Snapshot>();
    auto snapshot = sessions::snapshotFromValue((*record)->body);
    if (!snapshot)
        return std::move(snapshot.error()).during("read snapshot " + id.value);
    snapshot->id = id;
    const Value& pieces = (*record)->body["files"];
    if (!pieces.isList())
        return std::optional(std::move(*snapshot));
    std::vector<std::string> names;
    for (const Value& piece : pieces.asList())
        names.push_back(piece.isString() ? piece.asString() : std::string());
    auto files = sessions::loadFileMap(names, [&log](const std::string& name) -> Result<std::string> {
        auto piece = log.piece(name);
        if (!piece)
            return std::move(piece.error());
        if (!*piece)
            return Error{ Errc::NotFound, "a part of its list of files is missing: " + name };
        return std::move(**piece);
    });
    if (!files)
        return std::move(files.error()).during("read snapshot " + id.value);
    snapshot->files = std::make_shared<const sessions::FileMap>(std::move(*files));
    return std::optional(std::move(*snapshot));
}

Result<void> RunWorld::begins(const std::optional<CheckpointRef>& loaded, bool goesOn)
{
    const std::lock_guard lock(m_mutex);
    m_root = loaded;
    m_rootHasSnapshot = false;
    m_stand = {};
    m_stand.source = m_choice == SandboxChoice::Exact ? Stand::Source::LiveOnly
        : m_choice == SandboxChoice::Stored           ? Stand::Source::StoredOnly
                                                      : Stand::Source::Any;
    m_stand.keepsEdits = !m_isAddressed && m_choice == SandboxChoice::Restore;
    if (m_choice == SandboxChoice::Keep)
        return {};
    m_stand.kind = Stand::Kind::Fresh;
    if (!loaded || m_choice == SandboxChoice::Fresh)
        return {};
    std::optional<SnapshotBinding> binding;
    for (const bool partial : { true, false }) {
        if (binding || (partial && !goesOn))
            continue;
        auto found = m_log.bindingOf(*loaded, partial);
        if (!found)
            return std::move(found.error());
        binding = std::move(*found);
    }
    if (!binding) { // of another program, or of a graph that had no sandbox then
        m_stand.kind = m_isAddressed ? Stand::Kind::Fresh : Stand::Kind::AsIs;
        return {};
    }
    m_rootHasSnapshot = !binding->snapshot.empty();
    if (binding->snapshot.empty())
        return {};
    auto snapshot = loadSnapshot(m_log, binding->snapshot);
    if (!snapshot)
        return std::move(snapshot.error());
    if (*snapshot) {
        m_stand.kind = Stand::Kind::Snapshot;
        m_stand.snapshot = std::make_shared<const sessions::Snapshot>(std::move(**snapshot));
        m_saved.insert(binding->snapshot);
    } else if (m_choice == SandboxChoice::Exact) {
        return Error{
            Errc::NotFound,
            "checkpoint " + loaded->id.value
                + " has no snapshot of its sandbox any more. Without --sandbox exact it starts fresh"
        };
    }
    return {};
}

// An attempt that comes after one whose call ended well, but not its task, begins where that one began.
Stand RunWorld::stand(const sessions::CallSite& caller)
{
    const std::lock_guard lock(m_mutex);
    while (!m_calls.empty() && m_calls.back().caller.task == caller.task
           && m_calls.back().caller.attempt < caller.attempt) {
        m_stand = m_calls.back().before;
        m_calls.pop_back();
    }
    return m_stand;
}

void RunWorld::standAt(SnapshotPtr snapshot)
{
    m_stand = {};
    m_stand.kind = Stand::Kind::Snapshot;
    m_stand.snapshot = std::move(snapshot);
}

void RunWorld::began(SnapshotPtr snapshot)
{
    const std::lock_guard lock(m_mutex);
    m_beginning = snapshot;
    standAt(std::move(snapshot));
}

void RunWorld::moved(const sessions::CallSite& caller, SnapshotPtr snapshot, bool stays)
{
    const std::lock_guard lock(m_mutex);
    m_calls.push_back({ caller, m_stand, snapshot, stays });
    standAt(std::move(snapshot));
}

std::optional<SnapshotId> RunWorld::boundId() const
{
    switch (m_stand.kind) {
    case Stand::Kind::Snapshot: return m_stand.snapshot->id;
    case Stand::Kind::Fresh: return SnapshotId();
    case Stand::Kind::AsIs: break;
    }
    return std::nullopt;
}

// What was fresh when the superstep began has a snapshot now.
void RunWorld::bindBeginning(std::vector<SnapshotBinding>& bindings)
{
    if (m_beginning && m_root && !std::exchange(m_rootHasSnapshot, true))
        bindings.push_back({ *m_root, false, m_beginning->id });
}

engine::Companion::Save RunWorld::saving(std::vector<SnapshotPtr> unsaved,
                                         std::vector<SnapshotBinding> bindings,
                                         std::optional<CheckpointRef> whole)
{
    std::erase_if(unsaved,
                  [this](const SnapshotPtr& each) { return !each || !m_saved.insert(each->id).second; });
    if (bindings.empty())
        return {};
    return [&log = m_log, unsaved = std::move(unsaved), bindings = std::move(bindings),
            whole = std::move(whole)]() -> Result<void> {
        for (const SnapshotPtr& snapshot : unsaved)
            if (auto kept = keepSnapshot(log, bindings.front().checkpoint.thread, *snapshot); !kept)
                return kept;
        if (whole)
            if (auto dropped = log.dropPartial(*whole); !dropped)
                return dropped;
        for (const SnapshotBinding& binding : bindings)
            if (auto bound = log.bind(binding); !bound)
                return bound;
        return {};
    };
}

engine::Companion::Save RunWorld::checkpointDue(const CheckpointRef& made)
{
    const std::lock_guard lock(m_mutex);
    const auto id = boundId();
    std::vector<SnapshotBinding> bindings;
    bindBeginning(bindings);
    std::vector<SnapshotPtr> unsaved{ std::exchange(m_beginning, nullptr) };
    if (id)
        bindings.push_back({ made, false, *id });
    if (id && m_stand.snapshot)
        unsaved.push_back(m_stand.snapshot);
    if (!made.ns.empty()) { // within a task of the root's superstep
        if (id && m_root && !m_calls.empty())
            bindings.push_back({ *m_root, true, *id });
        return saving(std::move(unsaved), std::move(bindings), std::nullopt);
    }
    auto whole = !m_calls.empty() ? std::exchange(m_root, made) : std::nullopt;
    m_root = made;
    m_rootHasSnapshot = id && !id->empty();
    m_calls.clear();
    m_done.clear();
    return saving(std::move(unsaved), std::move(bindings), std::move(whole));
}

RunWorld::Finished RunWorld::finished() const
{
    Finished found;
    bool isBehind = false;
    for (const Call& call : m_calls) {
        const bool isDone = call.stays || m_done.contains(call.caller.task);
        found.isBroken = found.isBroken || (isDone && isBehind);
        isBehind = isBehind || !isDone;
        if (!isBehind)
            found.last = call.left;
    }
    return found;
}

engine::Companion::Save RunWorld::savingFinished()
{
    const Finished found = finished();
    if (!m_root || (!found.last && !found.isBroken && !m_beginning))
        return {};
    std::vector<SnapshotBinding> bindings;
    if (found.last || found.isBroken)
        bindings.push_back({ *m_root, true, found.isBroken ? kNone : found.last->id });
    bindBeginning(bindings);
    return saving({ std::exchange(m_beginning, nullptr), found.isBroken ? nullptr : found.last },
                  std::move(bindings), std::nullopt);
}

engine::Companion::Save RunWorld::taskDone(const TaskId& task)
{
    const std::lock_guard lock(m_mutex);
    m_done.insert(task);
    return savingFinished();
}

engine::Companion::Save RunWorld::superstepLeft()
{
    const std::lock_guard lock(m_mutex);
    return savingFinished();
}

} // namespace sg::workbench
