#include "core/layers/install_network.h"

#include "core/sessions/live/session_egress.h"

#include <algorithm>
#include <array>

namespace sg::layers {
namespace {

namespace egress = sandbox::egress;

constexpr std::uint16_t kHttps = 443;
constexpr std::uint16_t kHttp = 80;
constexpr std::size_t kMostRefusals = 3;
// These limits suffice for pages of an index and the wheels of the largest packages.
constexpr egress::EgressLimits kLimits{ 40LL << 30, 32, 6000 };
constexpr std::array<const char*, 6> kProxyNames{ "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY",
                                                  "http_proxy", "https_proxy", "all_proxy" };

// Returns host and port without user and password.
Result<egress::HostPort> placeOf(const std::string& address)
{
    const std::size_t begin = address.find("://") + 3;
    std::string host = address.substr(begin, address.find_first_of("/?#", begin) - begin);
    host = host.substr(host.rfind('@') + 1); // npos + 1 is 0
    return egress::parseHostPort(host, address.starts_with("http://") ? kHttp : kHttps);
}

void add(std::vector<egress::HostPort>& places, egress::HostPort place)
{
    if (std::ranges::find(places, place) == places.end())
        places.push_back(std::move(place));
}

std::string firstOf(const PipSettings& pip, std::initializer_list<const char*> names)
{
    for (const char* name : names)
        if (const auto found = pip.environment.find(name); found != pip.environment.end())
            return found->second;
    return {};
}

Result<void> addUpstream(const PipSettings& pip, egress::EgressPolicy& policy)
{
    const std::string url = firstOf(
        pip,
        { "PIP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "http_proxy", "HTTP_PROXY" });
    if (url.empty())
        return {};
    auto upstream = egress::parseUpstreamProxy(url, firstOf(pip, { "no_proxy", "NO_PROXY" }));
    if (!upstream)
        return std::move(upstream.error()).during("use the proxy that HTTPS_PROXY or PIP_PROXY names");
    policy.upstream = std::move(*upstream);
    return {};
}

} // namespace

Result<egress::EgressPolicy> installPolicy(const PipSettings& pip, const std::vector<std::string>& addresses)
{
    egress::EgressPolicy policy;
    policy.openPort = kHttps;
    policy.limits = kLimits;
    policy.advice =
        "Name its index by PIP_EXTRA_INDEX_URL or the host by PIP_TRUSTED_HOST, or put the wheel into "
        "a folder and name that by PIP_FIND_LINKS.";
    for (const std::string& address : remoteAddresses(pip)) {
        auto place = placeOf(address);
        if (!place)
            return std::move(place.error()).during("read pip's settings");
        add(policy.chosen, std::move(*place));
    }
    for (const std::string& host : trustedHosts(pip))
        for (const std::uint16_t port : { kHttps, kHttp })
            if (auto place = egress::parseHostPort(host, port))
                add(policy.chosen, std::move(*place));
    for (const std::string& address : addresses)
        if (auto place = placeOf(address); place && place->port != kHttps)
            policy.rules.push_back({ std::move(*place), false });
    if (auto added = addUpstream(pip, policy); !added)
        return std::move(added.error());
    return policy;
}

Result<std::unique_ptr<InstallNetwork>> InstallNetwork::open(egress::EgressPolicy policy,
                                                             const std::string& session, Decided decided)
{
    auto folder = egress::EgressFolder::create(session, false);
    if (!folder)
        return std::move(folder.error()).during("open the installation's way to the network");
    std::unique_ptr<InstallNetwork> network(new InstallNetwork(std::move(decided)));
    auto proxy = egress::EgressProxy::start(
        std::move(policy), std::move(*folder),
        [made = network.get()](const egress::EgressDecision& decision) { return made->take(decision); });
    if (!proxy)
        return std::move(proxy.error());
    network->m_proxy = std::move(*proxy);
    return network;
}

sandbox::Mount InstallNetwork::mount() const
{
    return sessions::egressMount(*m_proxy);
}

ValueMap InstallNetwork::greeting()
{
    return { { "egress", std::string(egress::kMountPoint) + '/' + egress::kSocketName } };
}

void InstallNetwork::set(std::map<std::string, std::string>& environment)
{
    for (const char* name : { "PIP_PROXY", "NO_PROXY", "no_proxy" })
        environment.erase(name);
    const std::string proxy = "http://127.0.0.1:" + std::to_string(egress::kProxyPort);
    for (const char* name : kProxyNames)
        environment[name] = proxy;
}

std::vector<std::string> InstallNetwork::refusals() const
{
    const std::lock_guard lock(m_mutex);
    return m_refusals;
}

bool InstallNetwork::take(const egress::EgressDecision& decision)
{
    using Outcome = egress::EgressDecision::Outcome;
    if (decision.outcome == Outcome::Denied || decision.outcome == Outcome::Failed) {
        std::string why = decision.reason;
        while (why.ends_with('.'))
            why.pop_back();
        const std::lock_guard lock(m_mutex);
        if (m_refusals.size() < kMostRefusals && std::ranges::find(m_refusals, why) == m_refusals.end())
            m_refusals.push_back(std::move(why));
    }
    return !m_decided || m_decided(decision);
}

} // namespace sg::layers
