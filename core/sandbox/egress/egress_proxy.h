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
    // `listener` is called on the proxy's threads.
    static Result<std::unique_ptr<EgressProxy>> start(EgressPolicy policy,
                                                      EgressConnection::Listener listener);
    virtual ~EgressProxy() = default;

    // To be mounted read-only at kMountPoint.
    [[nodiscard]] virtual const std::filesystem::path& folder() const = 0;
};

// Errc::InvalidArgument names the rule or address that is none; a trust is an address and a port.
Result<EgressPolicy> egressPolicy(const std::vector<std::string>& rules,
                                  const std::vector<std::string>& trusts);

} // namespace sg::sandbox::egress
