#pragma once

#include "core/checkpoint/checkpoint_store.h"
#include "core/engine/engine.h"

#include <cstdint>
#include <string>

// Small workflows that other engines were measured on too, with nodes in C++.
namespace sg::bench {

struct Setup {
    std::string workload; // W1 … W7, W4D
    std::int64_t n = 0; // 0: the workload's own
    checkpoint::CheckpointStore* store = nullptr; // null: none
    engine::Durability durability = engine::Durability::Async;
    std::string jqHelper; // not empty: W1 with jq programs as nodes, in this helper
};

struct Figures {
    std::int64_t n = 0;
    std::int64_t supersteps = 0; // W6: checkpoints listed
    double seconds = 0; // of the runs alone
    double cpuSeconds = 0; // the same, of all this process's threads
    ValueMap more; // what only this workload has
    std::string problem; // not empty: it failed
};

Figures measure(const Setup& setup);

} // namespace sg::bench
