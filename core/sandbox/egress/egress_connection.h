#pragma once

#include "core/base/child_process.h"
#include "core/net/http_head.h"
#include "core/sandbox/egress/egress_budget.h"
#include "core/sandbox/egress/host_rule.h"
#include "core/sandbox/egress/name_lookup.h"

#include <functional>
#include <string>
#include <vector>

namespace sg::sandbox::egress {

struct EgressPolicy {
    std::vector<EgressRule> rules;
    // Private addresses that may be connected to all the same, where a rule names them, too: for tests and
    // services that this user chose.
    std::vector<HostPort> trusts;
    EgressLimits limits;
};

// What became of one request; told once for each.
struct EgressDecision {
    enum class Outcome { Allowed, Denied, Failed, Checked };
    Outcome outcome = Outcome::Denied;
    std::string method;
    std::string place; // "api.test:443"; as far as it could be read
    std::string address; // that was connected to
    std::string reason; // of what was not allowed
};

// The name that a session's check asks for, which nobody has: it must be refused.
inline constexpr const char* kCheckedHost = "sandglass-check.invalid";

// One connection from a sandbox, from its first byte to its last, on the calling thread.
class EgressConnection {
public:
    using Listener = std::function<void(const EgressDecision&)>;
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
    // The connected host; else it has been answered and told.
    [[nodiscard]] Fd reach(const std::string& method, const Result<HostPort>& place,
                           const std::string& shown);
    [[nodiscard]] std::string whyNot(const HostPort& place) const; // empty: it may be asked for
    [[nodiscard]] bool mayConnect(const HostPort& place, const FoundAddress& address) const;
    [[nodiscard]] bool namesItsHost(const HostPort& place);
    void refuse(EgressDecision decision, const Refusal& refusal);
    [[nodiscard]] bool send(int socket, std::string_view bytes);

    const EgressPolicy& m_policy;
    EgressBudget& m_budget;
    const Listener& m_listener;
    const int m_stop;
    Fd m_socket;
    std::string m_early; // of what the sandbox sent, not yet used
};

} // namespace sg::sandbox::egress
