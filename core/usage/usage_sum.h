#pragma once

#include "core/checkpoint/model_writes.h"
#include "core/usage/message_usage.h"
#include "core/usage/prices.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sg::usage {

// A call and where it was made. Each message counts once, however often it is written.
struct PlacedCall {
    ModelCall call;
    std::string checkpoint{}; // where the superstep started; empty: unknown
    std::string node{};
    std::string task{};
    std::string run{}; // empty: in no run that this program recorded
    double seconds = -1; // the task's
};

// Times are ISO 8601; an empty end means that the run is still under way.
struct RunSpan {
    std::string run;
    std::string startedAt;
    std::string finishedAt;
};

struct ThreadCalls {
    std::vector<PlacedCall> calls; // in order
    std::unordered_map<std::string, std::string> parents; // checkpoint → its parent
};

// Takes the writes of tasks one by one and keeps only their calls.
class CallCounter {
public:
    explicit CallCounter(std::vector<RunSpan> runs)
        : m_runs(std::move(runs))
    {
    }
    void add(const checkpoint::ModelWrite& write);
    ThreadCalls finish(checkpoint::ModelHistory history); // called once

private:
    std::vector<RunSpan> m_runs;
    std::unordered_set<std::string> m_known; // messages
    std::vector<PlacedCall> m_calls;
};

struct Sum {
    std::string name;
    std::int64_t calls = 0;
    std::int64_t input = 0;
    std::int64_t output = 0;
    std::optional<double> cost; // of the calls that have a price; nullopt: none has
    std::int64_t unpriced = 0; // calls without a price
    std::optional<double> seconds; // of the tasks that made them, each counted once

    void add(const PlacedCall& call, const Price* price);

private:
    std::set<std::string> m_tasks;
};

struct Roll {
    Sum total;
    std::vector<Sum> nodes; // each list is sorted by tokens, most first
    std::vector<Sum> runs;
    std::vector<Sum> models;
};

// `checkpoint` limits the sums to the steps that led to it; empty: all.
Roll rollUp(const ThreadCalls& calls, std::string_view checkpoint, const Prices& prices);

} // namespace sg::usage
