#pragma once

#include "core/engine/node_body.h"
#include "core/sessions/session.h"

#include <string>
#include <vector>

// These functions describe problems around a node's code as failures for people: what, where, why, what next.
namespace sg::nodes {

engine::Failure codeFailure(const engine::TaskInfo& task, const Error& error);
engine::Failure sessionFailure(const engine::TaskInfo& task, const Error& error);

// The circumstances of a cell that can explain its failure.
struct CellScene {
    const sessions::CellLimits& limits;
    bool ownTimeout = false; // the node, or the tool, has a "timeout_s"
    bool isTool = false; // of an agent
    const sessions::SessionInfo& session;
    const std::vector<std::string>& missingPackages; // see NodeWorld
};
engine::Failure cellFailure(const engine::TaskInfo& task, const sessions::CellResult& result,
                            const CellScene& scene);

} // namespace sg::nodes
