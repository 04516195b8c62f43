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

// False: it cannot be recorded, so it must not be.
using Decided = std::function<bool(const sandbox::egress::EgressDecision&)>;

// What an installation may reach: what pip's settings name, which may be of a private network; what
// requirements name by addresses of their own; and every public host at the port of https, for indexes link
// to others and redirect to them. Errc::InvalidArgument names the address that is none.
Result<sandbox::egress::EgressPolicy> installPolicy(const PipSettings& pip,
                                                    const std::vector<std::string>& addresses);

// The way of one installation's sandbox to the network, which has no other. Ends with this object.
class InstallNetwork {
public:
    static Result<std::unique_ptr<InstallNetwork>> open(sandbox::egress::EgressPolicy policy,
                                                        const std::string& session, Decided decided);

    [[nodiscard]] sandbox::Mount mount() const;
    [[nodiscard]] static ValueMap greeting(); // for the sandbox's runner
    // What pip is told instead of the user's own proxies.
    static void set(std::map<std::string, std::string>& environment);
    // Why what was asked for could not be had, each once; a few.
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
    std::unique_ptr<sandbox::egress::EgressProxy> m_proxy; // last: ends first
};

} // namespace sg::layers
