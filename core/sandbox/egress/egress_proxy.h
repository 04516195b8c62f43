#pragma once

#include "core/sandbox/egress/egress_connection.h"
#include "core/sandbox/egress/egress_folder.h"

#include <filesystem>
#include <memory>

namespace sg::sandbox::egress {

inline constexpr int kProxyPort = 3128; // on 127.0.0.1 in the sandbox

// One session's way to the network. Ends, with all its connections, when it is destroyed.
class EgressProxy {
public:
    // Serves the folder's socket, and any listening socket that is handed over by it. What is decided before
    // there is a listener is told to the first one. Refusals that are alike are told as one each second, and
    // at most kMostRefusals of them a minute. `budget`: of the proxy before it; null: it has one of its own.
    static Result<std::unique_ptr<EgressProxy>> start(EgressPolicy policy, EgressFolder folder,
                                                      EgressConnection::Listener listener = {},
                                                      std::shared_ptr<EgressBudget> budget = {});
    virtual ~EgressProxy() = default;

    // To be mounted read-only at kMountPoint.
    [[nodiscard]] virtual const std::filesystem::path& folder() const = 0;
    // From now on told of decisions, on the proxy's threads.
    virtual void tell(EgressConnection::Listener listener) = 0;
    // The session lives on without this process: all connections end, the folder stays for the next proxy.
    virtual void leave() = 0;
};

// Errc::InvalidArgument names the rule or address that is none; a trust is an address and a port.
Result<EgressPolicy> egressPolicy(const std::vector<std::string>& rules,
                                  const std::vector<std::string>& trusts);

} // namespace sg::sandbox::egress
