#pragma once

#include "core/engine/steps/plan.h"
#include "core/engine/steps/task.h"
#include "core/engine/steps/task_end.h"

#include <functional>

namespace sg::engine {

// A node's writers need these to do their work.
struct WriterScene {
    const GraphState& state;
    const CompiledNode& node;
    const StepLimits& limits;
    bool alone = false; // no other task runs or reads the state
    Random& random; // for message ids
    // Runs a branch's body on this input.
    std::function<NodeOutcome(NodeBody&, const Value& input)> runBranch;
    std::vector<std::string>* dropped = nullptr; // takes keys that the state does not have; may be null
};

// Turns a node's result into writes: state updates, Command.goto, edges, then branches. It appends to
// `writes`; a branch that fails leaves what was appended before it. The end is Done, Asked (by a branch),
// Failed, or Command if the result is meant for an outer graph.
TaskEnd runWriters(const WriterScene& scene, const Value& returned, Writes& writes);

} // namespace sg::engine
