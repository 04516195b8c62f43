#pragma once

#include "core/checkpoint/serde/langgraph_types.h"
#include "core/engine/node_body.h"

#include <memory>

namespace sg::engine {

// The end of a task, or of the run of a nested graph.
struct TaskEnd {
    enum class Kind {
        Done,
        Asked, // waits for answers, or stops before a breakpoint (no interrupts)
        Failed,
        Command, // for a graph further out
        Stopped,
    };
    Kind kind = Kind::Done;
    Value value; // Done: a nested graph's result
    ValueList interrupts; // Asked
    std::unique_ptr<Failure> failure; // Failed
    std::unique_ptr<checkpoint::CommandView> command; // Command

    static TaskEnd failed(Failure why)
    {
        TaskEnd end;
        end.kind = Kind::Failed;
        end.failure = std::make_unique<Failure>(std::move(why));
        return end;
    }
};

// Returns the repr() of the exception: "ValueError('boom')"
std::string failureRepr(const Failure& failure);

} // namespace sg::engine
