#pragma once

#include "core/base/clock.h"
#include "core/base/uuid.h"
#include "core/history/database.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace sg::bench {

inline constexpr double kMega = 1e6;

inline const char* const kLongGraph = R"({"format": 1, "name": "long", "state": {"n": {"type": "last_value"},
 "text": {"type": "last_value"}}, "nodes": [{"name": "count", "kind": "jq", "jq": "{n: (.n + 1)}"}],
 "edges": [["__start__", "count"], ["count", "__end__"]]})";

// A loop of one node with a fork at every thousandth checkpoint; `bytes` of text in each state.
class LongThread {
public:
    LongThread(const std::filesystem::path& file, int count, std::size_t bytes)
    {
        auto database = history::Database::open(file, history::Database::Access::ReadWrite);
        const std::string text(bytes, 'x');
        for (int begin = 0; begin < count; begin += kTogether)
            if (!(*database)->store().together([&]() -> Result<void> {
                    for (int i = begin; i < std::min(count, begin + kTogether); ++i)
                        if (auto added = add((*database)->store(), i, text); !added)
                            return added;
                    return {};
                }))
                std::exit(1);
    }

private:
    static constexpr int kTogether = 5000; // of one transaction

    Result<void> add(checkpoint::CheckpointStore& store, int i, const std::string& text)
    {
        checkpoint::Checkpoint made;
        made.id = CheckpointId(m_ids.next(i - 1));
        made.timestamp = "2026-01-01T00:00:00+00:00";
        made.channelValues.set("n", Value(i));
        made.channelValues.set("text", Value(text.empty() ? text : text.substr(1) + char('a' + i % 26)));
        made.channelValues.set("branch:to:count", Value());
        made.channelVersions.set("n", version(i + 1));
        made.channelVersions.set("text", version(1));
        made.channelVersions.set("branch:to:count", version(i + 1));
        const ThreadId thread("long");
        const bool forks = i > 0 && i % 1000 == 0;
        const std::size_t parent = m_made.empty() ? 0 : forks ? m_made.size() / 2 : m_made.size() - 1;
        std::optional<CheckpointId> before;
        if (!m_made.empty()) {
            before = m_made[parent];
            checkpoint::PendingWrite write;
            write.taskId = TaskId(uuidText(uuid4(m_random)));
            write.taskPath = "~__pregel_pull, count";
            write.channel = "n";
            write.value = Value(i);
            if (auto put = store.putWrites({ thread, "", *before }, { write }); !put)
                return put;
        }
        m_made.push_back(made.id);
        return store.put({ thread, "", made.id }, before, made, { i == 0 ? "input" : "loop", i - 1, {}, {} });
    }

    // As LangGraph writes it: a number and a fraction by chance, here the same for the same number.
    static Value version(int number)
    {
        const std::string digits = std::to_string(number);
        return Value(std::string(32 - digits.size(), '0') + digits + ".0.7312" + digits);
    }

    SystemClock m_clock;
    SystemRandom m_random;
    Uuid6Source m_ids{ m_clock, m_random };
    std::vector<CheckpointId> m_made;
};

inline double residentMegabytes()
{
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word)
        if (word == "VmRSS:") {
            double kilobytes = 0;
            status >> kilobytes;
            return kilobytes * 1024 / kMega;
        }
    return 0;
}

} // namespace sg::bench
