#include "core/sessions/manager/backend_choice.h"

#include "core/base/log.h"
#include "core/sandbox/backend_kinds.h"

namespace sg::sessions {
namespace {

bool mayTryNext(Errc code)
{
    return code == Errc::Unavailable || code == Errc::NotFound || code == Errc::Unsupported
        || code == Errc::PermissionDenied;
}

} // namespace

Result<std::vector<std::string>> backendOrder(const std::string& wanted,
                                              const SessionManager::Backends& backends)
{
    std::vector<std::string> order;
    const bool isAuto = wanted == sandbox::kAutoBackend;
    std::string known(sandbox::kAutoBackend);
    for (const sandbox::BackendKind& kind : sandbox::backendKinds())
        if (const std::string name(kind.name); isAuto && kind.isAutomatic && backends.contains(name))
            order.push_back(name);
    for (const auto& [name, backend] : backends) {
        known += ", " + name;
        if (name == wanted)
            order.push_back(name);
    }
    if (order.empty() && !isAuto)
        return Error{ Errc::InvalidArgument,
                      "there is no sandbox backend \"" + wanted + "\"; there are: " + known };
    if (order.empty())
        return Error{ Errc::Unavailable, "this Sandglass was started without a sandbox backend" };
    return order;
}

Result<void> tryBackends(const std::string& wanted, SessionManager::Backends& backends,
                         const std::function<Result<void>(const std::string&, sandbox::SandboxBackend&,
                                                          const sandbox::BackendInfo&)>& attempt)
{
    const auto order = backendOrder(wanted, backends);
    if (!order)
        return order.error();
    std::string reasons;
    for (const std::string& name : *order) {
        sandbox::SandboxBackend& backend = *backends.at(name);
        const auto info = backend.probe();
        Result<void> done = info ? attempt(name, backend, *info) : Result<void>(info.error());
        if (done)
            return {};
        if (order->size() == 1 || !mayTryNext(done.error().code))
            return std::move(done.error()).during(name);
        logMessage(LogLevel::Info, name + " is not used: " + done.error().message);
        reasons += (reasons.empty() ? "" : "; ") + name + ": " + done.error().message;
    }
    return Error{ Errc::Unavailable, "no sandbox can be started: " + reasons };
}

} // namespace sg::sessions
