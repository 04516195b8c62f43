#pragma once

#include "core/checkpoint/checkpoint_store.h"
#include "tests/support/qtest_std.h"

#include <string>
#include <string_view>
#include <utility>

// Short forms of a store's values, and its content as text.

namespace sg::checkpoint::conformance {

inline CheckpointRef refOf(std::string_view thread, std::string_view id, std::string_view ns = "")
{
    return { ThreadId(std::string(thread)), std::string(ns), CheckpointId(std::string(id)) };
}

inline Checkpoint checkpointOf(std::string_view id, ValueMap values = {})
{
    Checkpoint checkpoint;
    checkpoint.timestamp = "2026-11-21T08:00:00.000001+00:00";
    checkpoint.id = CheckpointId(std::string(id));
    checkpoint.channelVersions = { { "x", "00000000000000000000000000000002.0.5167863651320748" } };
    for (const auto& [channel, value] : values)
        checkpoint.channelVersions.set(channel, "00000000000000000000000000000002.0.5167863651320748");
    checkpoint.channelValues = std::move(values);
    checkpoint.versionsSeen = { { "__input__", Value::map() } };
    return checkpoint;
}

inline CheckpointMetadata metadataOf(std::int64_t step, ValueMap extra = {})
{
    CheckpointMetadata metadata;
    metadata.source = step < 0 ? "input" : "loop";
    metadata.step = step;
    metadata.extra = std::move(extra);
    return metadata;
}

inline PendingWrite writeOf(std::string_view task, std::string_view channel, Value value,
                            std::string_view path = "")
{
    return { TaskId(std::string(task)), std::string(path), 0, std::string(channel), std::move(value), {} };
}

// "thread/ns/id thread/ns/id"
inline std::string listed(CheckpointStore& store, const CheckpointQuery& query)
{
    std::string text;
    const auto done = store.list(query, [&](const CheckpointRecord& record) {
        const std::string ns = record.ref.ns.empty() ? "" : record.ref.ns + "/";
        text += (text.empty() ? "" : " ") + record.ref.thread.value + "/" + ns + record.ref.id.value;
        return true;
    });
    return done ? text : "error: " + done.error().message;
}

// "task[index] channel=value", in the store's order
inline std::string writesOf(CheckpointStore& store, const CheckpointRef& ref)
{
    const auto record = store.get(ref.thread, ref.ns, ref.id);
    if (!record || !*record)
        return record ? "missing" : "error: " + record.error().message;
    std::string text;
    for (const PendingWrite& write : (*record)->writes)
        text += (text.empty() ? "" : " ") + write.taskId.value + "[" + std::to_string(write.index) + "] "
            + write.channel + "=" + toJson(write.value);
    return text;
}

} // namespace sg::checkpoint::conformance
