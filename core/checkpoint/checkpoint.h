#pragma once

#include "core/base/ids.h"
#include "core/base/value.h"
#include "core/checkpoint/source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// LangGraph's checkpoint as values (SqliteSaver 3.1, checkpoint format v4; older versions are read, too).
namespace sg::checkpoint {

struct Checkpoint {
    int version = 4; // "v"
    std::string timestamp; // "ts", ISO 8601
    CheckpointId id;
    ValueMap channelValues;
    ValueMap channelVersions; // channel → version text ("%032d.%016s") or, rarely, an int
    ValueMap versionsSeen; // node → map channel → version
    std::optional<std::vector<std::string>> updatedChannels; // nullopt: null or missing (unknown)
    ValueMap unknown; // keys that we do not know, kept
};

struct CheckpointMetadata {
    Word<Source> source;
    std::int64_t step = -1;
    ValueMap parents{}; // ancestor namespace → checkpoint id
    ValueMap extra{}; // all other keys, in order
};

// task_id "00000000-0000-0000-0000-000000000000" is the null task.
struct PendingWrite {
    TaskId taskId;
    std::string taskPath;
    std::int64_t index = 0;
    std::string channel;
    Value value; // an undecodable type is Ext{kOpaqueExt, raw blob}; its tag is in `typeTag`
    std::string typeTag; // as stored; empty for a new write, whose tag is chosen on writing
};
inline constexpr std::int8_t kOpaqueExt = 127;

struct CheckpointRef {
    ThreadId thread;
    std::string ns; // "" is the root graph
    CheckpointId id;
    friend bool operator==(const CheckpointRef&, const CheckpointRef&) = default;
};

struct CheckpointRecord {
    CheckpointRef ref;
    std::optional<CheckpointId> parent;
    Checkpoint checkpoint;
    CheckpointMetadata metadata;
    std::vector<PendingWrite> writes; // by (task path, task id, index)
    std::string problem; // not empty: why the row could not be read; only list() returns such records
};

} // namespace sg::checkpoint
