#pragma once

#include "core/engine/engine.h"

#include <variant>
#include <vector>

// An operation of a case (README.md) in the engine's terms.
namespace sg::conformance {

engine::RunOptions runOptionsOf(const Value& op, const engine::StateAddress& at);
// The input, an answer or a command; not answers by place ("resume_by"), which need the thread's state.
engine::RunInput runInputOf(const Value& op);
// Reads the updates of update_state and bulk_update_state.
std::vector<std::vector<engine::StateUpdate>> updatesOf(const Value& op);

} // namespace sg::conformance
