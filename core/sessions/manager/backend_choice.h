#pragma once

#include "core/base/result.h"
#include "core/sessions/manager/session_manager.h"

#include <functional>
#include <string>
#include <vector>

namespace sg::sessions {

// The backends that `wanted` ("auto" or a name) allows, in the order in which they are tried.
// Errc::InvalidArgument for an unknown name.
Result<std::vector<std::string>> backendOrder(const std::string& wanted,
                                              const SessionManager::Backends& backends);

// Tries one backend after the other; `attempt` gets one that answered its probe. The next one is tried only
// where a backend cannot be used (Unavailable, NotFound, Unsupported, PermissionDenied); where none is left,
// the error holds what each said.
Result<void>
tryBackends(const std::string& wanted, SessionManager::Backends& backends,
            const std::function<Result<void>(const std::string& name, sandbox::SandboxBackend& backend,
                                             const sandbox::BackendInfo& info)>& attempt);

} // namespace sg::sessions
