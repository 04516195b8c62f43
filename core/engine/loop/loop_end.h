#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/engine/node_body.h"

#include <optional>
#include <string>
#include <utility>

namespace sg::engine {

struct LoopEnd {
    enum class Kind { Done, Interrupted, Failed, OutOfSteps, Command, Stopped };
    Kind kind = Kind::Done;
    ValueList interrupts = {}; // Interrupted; empty: a static interrupt
    Failure failure = {}; // Failed, OutOfSteps
    NodeId failedNode = {};
    checkpoint::CommandView command = {};
};
using Ended = std::optional<LoopEnd>; // nullopt: it goes on

inline LoopEnd failedWith(Failure failure)
{
    return { .kind = LoopEnd::Kind::Failed, .failure = std::move(failure) };
}

inline LoopEnd storeFailed(const Error& error)
{
    return failedWith({ "CheckpointError", error.message, {}, false });
}

} // namespace sg::engine
