#pragma once

#include "core/engine/node_body.h"
#include "core/sessions/session.h"

#include <string>
#include <vector>

// What went wrong around a node's code, as the failure that a person reads: what, where, why, next.
namespace sg::nodes {

engine::Failure codeFailure(const engine::TaskInfo& task, const Error& error);
engine::Failure sessionFailure(const engine::TaskInfo& task, const Error& error);

// What a cell ran under, as far as its failure can be explained by it.
struct CellScene {
    const sessions::CellLimits& limits;
    bool ownTimeout = false; // the node has a "timeout_s"
    const sessions::SessionInfo& session;
    const std::vector<std::string>& missingPackages; // see NodeWorld
};
engine::Failure cellFailure(const engine::TaskInfo& task, const sessions::CellResult& result,
                            const CellScene& scene);

} // namespace sg::nodes
