#pragma once

#include "core/base/child_process.h"
#include "core/net/http_head.h"
#include "core/sandbox/egress/byte_relay.h"
#include "core/sandbox/egress/egress_budget.h"
#include "core/sandbox/egress/egress_header.h"
#include "core/sandbox/egress/egress_host.h"
#include "core/sandbox/egress/host_rule.h"
#include "core/sandbox/egress/name_lookup.h"
#include "core/sandbox/egress/upstream_proxy.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sg::sandbox::egress {

struct EgressPolicy {
    std::vector<EgressRule> rules;
    // Private addresses that may be connected to all the same, where a rule names them, too: for tests and
    // services that this user chose.
    std::vector<HostPort> trusts;
    // Places that this user named for the purpose: they may be of a private network, see mayBeNamed().
    std::vector<HostPort> chosen;
    // Hosts that nothing names may be reached at this port, where all their addresses are public; 0: none.
    std::uint16_t openPort = 0;
    std::optional<UpstreamProxy> upstream;
    std::string advice = "Whoever runs it can add it to \"egress\" in the graph's \"sandbox\".";
    std::vector<EgressHeader> headers;
    std::filesystem::path
        authorities; // whom hosts are believed by, where the proxy speaks TLS; see TlsStream
    EgressLimits limits;
};

// What became of one request, or of several refusals that are alike.
struct EgressDecision {
    // Cut: what was allowed came to its end because the session's bytes were used up.
    enum class Outcome { Allowed, Denied, Failed, Checked, Cut };
    Outcome outcome = Outcome::Denied;
    std::string method;
    std::string place; // "api.test:443"; as far as it could be read
    std::string address; // that was connected to
    std::string reason; // of what was not allowed
    std::vector<std::string> secrets{}; // names of those that were put into it
    int times = 1;
    std::int64_t bytesOut = 0; // of what was cut: what had left the sandbox, and come into it
    std::int64_t bytesIn = 0;
};

// The name that a session's check asks for, which nobody has: it must be refused.
inline constexpr const char* kCheckedHost = "sandglass-check.invalid";

// One connection from a sandbox, from its first byte to its last, on the calling thread.
class EgressConnection {
public:
    // False: it cannot be recorded, so what is allowed is refused all the same.
    using Listener = std::function<bool(const EgressDecision&)>;
    EgressConnection(const EgressPolicy& policy, EgressBudget& budget, const Listener& listener, int stop)
        : m_policy(policy)
        , m_budget(budget)
        , m_listener(listener)
        , m_stop(stop)
    {
    }
    // `early`: what was read from it before.
    void serve(Fd socket, std::string early);

private:
    struct Refusal {
        int status;
        std::string why;
    };
    [[nodiscard]] bool readHead(net::HttpHead& head);
    void tunnel(const net::HttpHead& head);
    void forward(const net::HttpHead& head);
    // The headers with secrets for that host. nullopt: one cannot be had, and it has been answered.
    struct Given {
        std::vector<std::string> names; // of headers, lower case
        std::vector<std::string> secrets; // their names
        std::string lines; // of the request's head
        bool tls = false;
        HostPort place;
        Given() = default;
        Given(Given&&) = default;
        Given& operator=(Given&&) = delete;
        ~Given();
    };
    std::optional<Given> givenTo(const HostPort& asked, const std::string& method);
    std::optional<EgressHost> reachHost(const net::HttpHead& head, const Given& given);
    bool passBody(EgressHost& host, std::uint64_t size);
    // The connected host; else it has been answered and told. `untold`: gets what is to be told of it.
    [[nodiscard]] Fd reach(const std::string& method, const Result<HostPort>& place, const std::string& shown,
                           EgressDecision* untold = nullptr);
    struct Reached {
        Fd socket;
        std::string address;
    };
    [[nodiscard]] Result<std::vector<FoundAddress>> find(const HostPort& place, SteadyTime end) const;
    [[nodiscard]] Result<Reached>
    connectToOne(const HostPort& place, const std::vector<FoundAddress>& addresses, SteadyTime end) const;
    [[nodiscard]] bool isThrough(const HostPort& place) const; // the user's own proxy
    [[nodiscard]] std::string whyNot(const HostPort& place) const; // empty: it may be asked for
    [[nodiscard]] bool mayConnect(const HostPort& place, const FoundAddress& address) const;
    [[nodiscard]] bool namesItsHost(const HostPort& place);
    // That it is allowed; false: it cannot be recorded, and has been refused.
    [[nodiscard]] bool allow(const EgressDecision& decision);
    [[nodiscard]] bool countBytes(RelayWay way, std::int64_t more);
    void tellIfCut(const std::string& method, const HostPort& place);
    void refuse(EgressDecision decision, const Refusal& refusal);
    [[nodiscard]] bool send(int socket, std::string_view bytes);

    const EgressPolicy& m_policy;
    EgressBudget& m_budget;
    const Listener& m_listener;
    const int m_stop;
    Fd m_socket;
    std::string m_early; // of what the sandbox sent, not yet used
    std::int64_t m_bytesOut = 0;
    std::int64_t m_bytesIn = 0;
    bool m_isCut = false; // by the budget
};

} // namespace sg::sandbox::egress
