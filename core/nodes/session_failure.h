#pragma once

#include "core/engine/node_body.h"
#include "core/sessions/session.h"

// What went wrong around a node's code, as the failure that a person reads: what, where, why, next.
namespace sg::nodes {

engine::Failure codeFailure(const engine::TaskInfo& task, const Error& error);
engine::Failure sessionFailure(const engine::TaskInfo& task, const Error& error);
engine::Failure cellFailure(const engine::TaskInfo& task, const sessions::CellResult& result,
                            const sessions::CellLimits& limits, const sessions::SessionInfo& session);

} // namespace sg::nodes
