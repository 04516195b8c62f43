#pragma once

#include "core/engine/compile/write.h"
#include "core/engine/node_body.h"
#include "core/engine/steps/apply_writes.h"
#include "core/engine/steps/task_path.h"

#include <memory>
#include <optional>
#include <string>

namespace sg::engine {

// A Task is one execution of one node in one superstep.
struct Task {
    std::int32_t node = -1;
    TaskPath path;
    Triggered triggered = Triggered::ByNode;
    Value input;
    std::string id; // made on demand, see TaskIds
    Writes writes; // what it put into channels, and what happened to it
    std::vector<std::string> dropped{}; // keys that it returned and the state does not have
    bool recorded = false; // its writes were recorded by this run
    std::optional<Writes> asked; // recorded instead of `writes`: it waits for an answer
    std::shared_ptr<const HandledError> handles; // set for an error handler's task
    std::string ns; // if not the graph's own: an error handler runs in the failed task's namespace
    std::string cacheKey;
    int attempts = 0;
    double waitedSeconds = 0; // for a turn or a place
};

} // namespace sg::engine
