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
    // Private addresses that may be connected to where a rule names them, too: for tests and services that
    // this user chose.
    std::vector<HostPort> trusts;
    // Places that this user named for the purpose: they may be in a private network, see mayBeNamed().
    std::vector<HostPort> chosen;
    // Unnamed hosts may be reached at this port where all their addresses are public; 0: none.
    std::uint16_t openPort = 0;
    std::optional<UpstreamProxy> upstream;
    std::string advice = "Whoever runs it can add it to \"egress\" in the graph's \"sandbox\".";
    std::vector<EgressHeader> headers;
    std::filesystem::path authorities; // PEM, for hosts to which the proxy speaks TLS; see TlsStream
    EgressLimits limits;
};

// The outcome of one request, or of several refusals of one kind.
struct EgressDecision {
    // Cut: a connection that was allowed ended because the session's bytes were used up.
    enum class Outcome { Allowed, Denied, Failed, Checked, Cut };
    Outcome outcome = Outcome::Denied;
    std::string method{};
    std::string place{}; // "api.test:443", or as far as it could be read
    std::string address{}; // of the connection
    std::string reason{}; // why it was not allowed
    std::vector<std::string> secrets{}; // names of secrets that were inserted
    int times = 1;
    std::int64_t bytesOut = 0; // Cut: bytes that left the sandbox, and bytes that came in
    std::int64_t bytesIn = 0;
};

// A name that nobody has, which a session's check asks for: it must be refused.
inline constexpr const char* kCheckedHost = "sandglass-check.invalid";

// EgressConnection serves one connection from a sandbox, from first byte to last, on the calling thread.
class EgressConnection {
public:
    // False: the decision cannot be recorded, so even an allowed request is refused.
    using Listener = std::function<bool(const EgressDecision&)>;
    EgressConnection(const EgressPolicy& policy, EgressBudget& budget, const Listener& listener, int stop)
        : m_policy(policy)
        , m_budget(budget)
        , m_listener(listener)
        , m_stop(stop)
    {
    }
    // `early`: bytes already read from the socket.
    void serve(Fd socket, std::string early);

private:
    struct Refusal {
        int status;
        std::string why;
    };
    [[nodiscard]] bool readHead(net::HttpHead& head);
    void tunnel(const net::HttpHead& head);
    void forward(const net::HttpHead& head);
    // The headers with secrets for that host. nullopt: a secret is missing, and the request was answered.
    struct Given {
        std::vector<std::string> names; // of headers, lower case
        std::vector<std::string> secrets; // their names
        std::string lines; // for the request's head
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
    // Connects to the host. On failure the request was answered and reported. `untold`: gets the decision
    // instead of the listener.
    [[nodiscard]] Fd reach(const std::string& method, const Result<HostPort>& place, const std::string& shown,
                           EgressDecision* untold = nullptr);
    struct Reached {
        Fd socket;
        std::string address;
    };
    [[nodiscard]] Result<std::vector<FoundAddress>> find(const HostPort& place, SteadyTime end) const;
    [[nodiscard]] Result<Reached>
    connectToOne(const HostPort& place, const std::vector<FoundAddress>& addresses, SteadyTime end) const;
    [[nodiscard]] bool isThrough(const HostPort& place) const; // by the user's own proxy
    [[nodiscard]] std::string whyNot(const HostPort& place) const; // empty: the place is allowed
    [[nodiscard]] bool mayConnect(const HostPort& place, const FoundAddress& address) const;
    [[nodiscard]] bool namesItsHost(const HostPort& place);
    // Reports that a request is allowed; false: that cannot be recorded, so it was refused.
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
    std::string m_early; // sent by the sandbox and not yet used
    std::int64_t m_bytesOut = 0;
    std::int64_t m_bytesIn = 0;
    bool m_isCut = false; // by the budget
};

} // namespace sg::sandbox::egress
