#include "core/rewind/snapshot_storage.h"

#include "core/base/log.h"
#include "core/sessions/file_map.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace sg::rewind {

using checkpoint::SnapshotBinding;

Result<void> keepSnapshot(checkpoint::SnapshotLog& log, const ThreadId& thread,
                          const sessions::Snapshot& snapshot, KeptFiles* last)
{
    KeptFiles here;
    KeptFiles& kept = last != nullptr ? *last : here;
    Value body = sessions::toValue(snapshot);
    if (snapshot.files && snapshot.files != kept.files) {
        auto pieces =
            sessions::keepFileMap(*snapshot.files, [&log](const std::string& name, std::string_view bytes) {
                return log.putPiece(name, bytes);
            });
        if (!pieces)
            return std::move(pieces.error());
        ValueList names;
        for (std::string& piece : *pieces)
            names.emplace_back(std::move(piece));
        kept = { snapshot.files, Value(std::move(names)) };
    }
    if (snapshot.files)
        body.editMap().set("files", kept.pieces);
    return log.put({ snapshot.id, thread, std::move(body) });
}

Result<bool> keepStoredNames(checkpoint::SnapshotLog& log, const SnapshotId& id, const Value& names)
{
    auto record = log.get(id);
    if (!record || !*record)
        return record ? Result<bool>(false) : std::move(record.error());
    Value& body = (*record)->body;
    if (!names.isMap() && body["names"].isMap())
        return true;
    if (names.isMap()) {
        body.editMap().set("names", names);
    } else {
        ValueList obstacles = body["obstacles"].isList() ? body["obstacles"].asList() : ValueList();
        obstacles.push_back(Value::list({ "room", "for newer snapshots, before its names were kept" }));
        body.editMap().set("live", false);
        body.editMap().set("obstacles", Value(std::move(obstacles)));
    }
    auto put = log.put(**record);
    return put ? Result<bool>(true) : std::move(put.error());
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

Result<std::vector<PartSnapshot>> snapshotsAt(checkpoint::SnapshotLog& log,
                                              const checkpoint::CheckpointRef& ref, bool withFinished)
{
    std::vector<PartSnapshot> found;
    for (const bool partial : { false, true }) {
        if (partial && !withFinished)
            break;
        auto bindings = log.bindingsAt(ref, partial);
        if (!bindings)
            return std::move(bindings.error());
        for (SnapshotBinding& each : *bindings) {
            const auto part = sessions::SessionPart::parse(std::move(each.part));
            auto known = std::ranges::find(found, part, &PartSnapshot::part);
            if (known == found.end())
                known = found.insert(found.end(), { part, {}, false });
            if (each.snapshot == kLostSnapshot)
                known->lacksFinished = true;
            else
                known->snapshot = std::move(each.snapshot);
        }
    }
    return found;
}

namespace {

Result<std::shared_ptr<const sessions::Snapshot>>
newestSnapshot(checkpoint::CheckpointStore& store, const ThreadId& thread, const sessions::SessionPart& part)
{
    using Found = std::shared_ptr<const sessions::Snapshot>;
    checkpoint::SnapshotLog* log = store.snapshotLog();
    if (log == nullptr)
        return Found();
    std::optional<checkpoint::CheckpointRef> head;
    checkpoint::CheckpointQuery query;
    query.thread = thread;
    query.ns = "";
    query.limit = 1;
    query.withWrites = false;
    auto listed = store.list(query, [&](const checkpoint::CheckpointRecord& record) {
        head = record.ref;
        return false;
    });
    if (!listed || !head)
        return listed ? Result<Found>(Found()) : std::move(listed.error());
    auto parts = snapshotsAt(*log, *head, true);
    if (!parts)
        return std::move(parts.error());
    const auto found = std::ranges::find(*parts, part, &PartSnapshot::part);
    if (found == parts->end() || found->snapshot.empty())
        return Found();
    auto snapshot = loadSnapshot(*log, found->snapshot);
    if (!snapshot)
        return std::move(snapshot.error());
    return *snapshot ? std::make_shared<const sessions::Snapshot>(std::move(**snapshot)) : Found();
}

} // namespace

sessions::SnapshotStored keeperOfStoredNames(checkpoint::SnapshotLog& log)
{
    return [&log](const SnapshotId& id, const Value& names) {
        const auto kept = keepStoredNames(log, id, names);
        if (!kept)
            logMessage(LogLevel::Warning, "snapshot " + id.value + " is not kept: " + kept.error().message);
        return !kept || *kept;
    };
}

sessions::SnapshotOfThread newestSnapshots(checkpoint::CheckpointStore& store)
{
    return [&store](const ThreadId& thread, const sessions::SessionPart& part) {
        auto found = newestSnapshot(store, thread, part);
        if (!found)
            logMessage(LogLevel::Warning,
                       "the snapshot of thread " + thread.value
                           + " cannot be read: " + found.error().message);
        return found ? *found : nullptr;
    };
}

} // namespace sg::rewind
