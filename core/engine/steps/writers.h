#pragma once

#include "core/engine/steps/plan.h"
#include "core/engine/steps/task.h"
#include "core/engine/steps/task_end.h"

#include <functional>

namespace sg::engine {

// What a node's writers need to look at.
struct WriterScene {
    const GraphState& state;
    const CompiledNode& node;
    const StepLimits& limits;
    bool alone = false; // no other task runs or looks at the state
    Random& random; // of message ids
    // Runs a branch's body on this input.
    std::function<NodeOutcome(NodeBody&, const Value& input)> runBranch;
    std::vector<std::string>* dropped = nullptr; // takes keys that the state does not have; null: nobody asks
};

// Turns what a node returned into writes: state updates, Command.goto, edges, then branches. Appends to
// `writes`; a branch that fails leaves what stands there already. Done, Asked (by a branch), Failed, or
// Command where it is meant for an outer graph.
TaskEnd runWriters(const WriterScene& scene, const Value& returned, Writes& writes);

} // namespace sg::engine
