#include "core/usage/usage_sum.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace sg::usage {
namespace {

std::string runAt(const std::vector<RunSpan>& runs, const std::string& time)
{
    if (time.empty())
        return {};
    for (const RunSpan& run : runs)
        if (run.startedAt <= time && (run.finishedAt.empty() || time <= run.finishedAt))
            return run.run;
    return {};
}

// Returns the steps that led to the checkpoint.
std::unordered_set<std::string> wayTo(const ThreadCalls& calls, std::string_view checkpoint)
{
    std::unordered_set<std::string> way;
    std::string at(checkpoint);
    while (!at.empty()) {
        const auto parent = calls.parents.find(at);
        if (parent == calls.parents.end() || !way.insert(parent->second).second)
            break;
        at = parent->second;
    }
    return way;
}

class Groups {
public:
    void add(const std::string& name, const PlacedCall& call, const Price* price)
    {
        Sum& sum = m_sums[name];
        sum.name = name;
        sum.add(call, price);
    }
    std::vector<Sum> ordered()
    {
        std::vector<Sum> sums;
        for (auto& [name, sum] : m_sums)
            sums.push_back(std::move(sum));
        std::ranges::stable_sort(sums, std::ranges::greater(),
                                 [](const Sum& sum) { return sum.input + sum.output; });
        return sums;
    }

private:
    std::map<std::string, Sum> m_sums;
};

} // namespace

void CallCounter::add(const checkpoint::ModelWrite& write)
{
    for (ModelCall& call : callsIn(write.value)) {
        if (!call.id.empty() && !m_known.insert(call.id).second)
            continue;
        m_calls.push_back({ std::move(call), write.checkpoint, write.node, write.task,
                            runAt(m_runs, write.startedAt), write.seconds });
    }
}

ThreadCalls CallCounter::finish(checkpoint::ModelHistory history)
{
    // Some messages exist in the state alone: their writes are gone, or were never stored.
    for (ModelCall& call : callsIn(history.newest))
        if (!call.id.empty() && m_known.insert(call.id).second)
            m_calls.push_back({ .call = std::move(call) });
    return { std::move(m_calls), std::move(history.parents) };
}

void Sum::add(const PlacedCall& call, const Price* price)
{
    ++calls;
    input += call.call.input;
    output += call.call.output;
    if (price == nullptr)
        ++unpriced;
    else
        cost = cost.value_or(0)
            + costOf(*price,
                     { call.call.input, call.call.output, call.call.cacheRead, call.call.cacheWrite });
    if (call.seconds >= 0 && m_tasks.insert(call.task).second)
        seconds = seconds.value_or(0) + call.seconds;
}

Roll rollUp(const ThreadCalls& calls, std::string_view checkpoint, const Prices& prices)
{
    const auto way = wayTo(calls, checkpoint);
    Roll roll;
    Groups nodes;
    Groups runs;
    Groups models;
    for (const PlacedCall& each : calls.calls) {
        if (!checkpoint.empty() && !each.checkpoint.empty() && !way.contains(each.checkpoint))
            continue;
        const Price* price = prices.of(each.call.model);
        roll.total.add(each, price);
        nodes.add(each.node, each, price);
        models.add(each.call.model, each, price);
        if (!each.run.empty())
            runs.add(each.run, each, price);
    }
    roll.nodes = nodes.ordered();
    roll.runs = runs.ordered();
    roll.models = models.ordered();
    return roll;
}

} // namespace sg::usage
