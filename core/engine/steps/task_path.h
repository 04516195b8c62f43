#pragma once

#include "core/base/value.h"

#include <cstdint>
#include <string>

namespace sg::engine {

struct CompiledGraph;

// A TaskPath says where a task comes from; its text sorts the writes of a superstep.
struct TaskPath {
    enum class Kind { Input, Update, Pull, Push };
    Kind kind = Kind::Input;
    std::int64_t index = 0; // the index of the Send or the update
    std::int32_t node = -1; // Pull
    bool errorHandler = false; // a task that handles the failure of the task with the rest of this path

    // "~__pregel_pull, a"
    [[nodiscard]] std::string text(const CompiledGraph& graph) const;
    // ["__pregel_pull", "a"]
    [[nodiscard]] Value value(const CompiledGraph& graph) const;
    [[nodiscard]] bool before(const TaskPath& other, const CompiledGraph& graph) const;
};

} // namespace sg::engine
