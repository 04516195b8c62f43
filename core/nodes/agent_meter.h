#pragma once

#include "core/graph/agent_rules.h"
#include "core/models/chat_request.h"
#include "core/models/model_desk.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace sg::nodes {

// Measures what the runs of one agent's node use of its budget. Any thread.
class AgentMeter {
public:
    // Without a desk nothing can be asked, so that nothing is measured.
    AgentMeter(graph::AgentBudget budget, std::shared_ptr<const models::ModelDesk> desk);

    // One run of the agent's node, also over several runs of the thread.
    struct Work {
        std::shared_ptr<const std::set<std::string>> given; // ids of its input's messages; never null
        std::chrono::steady_clock::time_point began;
    };
    struct Spent {
        std::int64_t turns = 0;
        std::int64_t tokens = 0;
        double cost = 0;
        bool isEstimated = false;
    };

    // `ns` is the checkpoint namespace of the node's task.
    void begin(const std::string& ns, std::shared_ptr<const std::set<std::string>> given);
    void end(const std::string& ns);
    // Returns the work that a task in the loop, with that namespace, belongs to.
    [[nodiscard]] Work workOf(const std::string& ns) const;
    // Adds up the turns of this run of the node. If the server counted no tokens, they are estimated.
    [[nodiscard]] Spent spentIn(const ValueList& messages, const Work& work,
                                const models::ChatRequest& request) const;
    // Returns the reason why the budget allows no other turn; nullopt: it allows one.
    [[nodiscard]] std::optional<std::string> usedUp(const Spent& spent, const Work& work) const;

private:
    const graph::AgentBudget m_budget;
    const std::shared_ptr<const models::ModelDesk> m_desk;
    mutable std::mutex m_mutex;
    std::map<std::string, Work> m_works; // by namespace; guarded by m_mutex
};

} // namespace sg::nodes
