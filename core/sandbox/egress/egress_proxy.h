#pragma once

#include "core/sandbox/egress/egress_connection.h"
#include "core/sandbox/egress/egress_folder.h"

#include <filesystem>
#include <memory>

namespace sg::sandbox::egress {

inline constexpr int kProxyPort = 3128; // on 127.0.0.1 in the sandbox

// EgressProxy is one session's way to the network. The destructor ends it with all its connections.
class EgressProxy {
public:
    // Serves the folder's socket, and listening sockets that are handed over through it. Decisions made
    // without a listener go to the first one. Refusals of one kind are reported together each second, at most
    // kMostRefusals of them a minute. `budget`: of an earlier proxy; null: a new one.
    static Result<std::unique_ptr<EgressProxy>> start(EgressPolicy policy, EgressFolder folder,
                                                      EgressConnection::Listener listener = {},
                                                      std::shared_ptr<EgressBudget> budget = {});
    virtual ~EgressProxy() = default;

    // The folder to mount read-only at kMountPoint.
    [[nodiscard]] virtual const std::filesystem::path& folder() const = 0;
    // Reports decisions to this listener from now on, on the proxy's threads.
    virtual void tell(EgressConnection::Listener listener) = 0;
    // The session goes on without this process: all connections end, the folder stays for the next proxy.
    virtual void leave() = 0;
};

// Errc::InvalidArgument names the invalid rule or address; a trust is an address and a port.
Result<EgressPolicy> egressPolicy(const std::vector<std::string>& rules,
                                  const std::vector<std::string>& trusts);

} // namespace sg::sandbox::egress
