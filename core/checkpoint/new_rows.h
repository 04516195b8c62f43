#pragma once

#include "core/base/ids.h"
#include "core/base/value.h"

#include <string>
#include <vector>

// These hold what a run stores at every superstep, in the form that is cheapest to store.
namespace sg::checkpoint {

// A checkpoint and its metadata as the file holds them (see serde/checkpoint_codec.h).
struct EncodedCheckpoint {
    std::string blob;
    std::string metadata;
};

// The writes of one task, in order.
struct NewWrites {
    struct Write {
        Value channel; // its name, which many writes share
        Value value;
    };
    TaskId task;
    std::string path;
    std::vector<Write> writes;
};

} // namespace sg::checkpoint
