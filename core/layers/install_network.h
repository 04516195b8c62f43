#pragma once

#include "core/base/value.h"
#include "core/layers/pip_settings.h"
#include "core/sandbox/egress/egress_proxy.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sg::layers {

// False: the decision could not be recorded, so the connection must be refused.
using Decided = std::function<bool(const sandbox::egress::EgressDecision&)>;

// Returns what an installation may reach: the hosts in pip's settings, which may be in a private network,
// addresses in requirements, and every public host at the https port, because indexes link and redirect to
// others. Errc::InvalidArgument names an address that is none.
Result<sandbox::egress::EgressPolicy> installPolicy(const PipSettings& pip,
                                                    const std::vector<std::string>& addresses);

// The only connection of an installation's sandbox to the network. It ends with this object.
class InstallNetwork {
public:
    static Result<std::unique_ptr<InstallNetwork>> open(sandbox::egress::EgressPolicy policy,
                                                        const std::string& session, Decided decided);

    [[nodiscard]] sandbox::Mount mount() const;
    [[nodiscard]] static ValueMap greeting(); // for the sandbox's runner
    // Replaces the user's own proxies in pip's environment.
    static void set(std::map<std::string, std::string>& environment);
    // Returns why connections were refused, each reason once; only a few are kept.
    [[nodiscard]] std::vector<std::string> refusals() const;

private:
    explicit InstallNetwork(Decided decided)
        : m_decided(std::move(decided))
    {
    }
    bool take(const sandbox::egress::EgressDecision& decision);

    const Decided m_decided;
    mutable std::mutex m_mutex;
    std::vector<std::string> m_refusals; // guarded by m_mutex
    std::unique_ptr<sandbox::egress::EgressProxy> m_proxy; // last, so that it ends first
};

} // namespace sg::layers
