#pragma once

#include "core/base/result.h"
#include "core/checkpoint/thread_changes.h"
#include "core/history/history_pages.h"

#include <cstdint>
#include <limits>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sg::history {

// Stores each name that many rows share once.
class SharedWords {
public:
    std::uint32_t indexOf(const std::string& word);
    [[nodiscard]] const std::string& at(std::uint32_t index) const { return m_words[index]; }
    [[nodiscard]] const std::vector<std::string>& all() const { return m_words; }

private:
    std::vector<std::string> m_words;
    std::map<std::string, std::uint32_t, std::less<>> m_places;
};

struct CheckpointFact {
    std::uint32_t idEnd = 0; // end of its id in m_letters; it begins where the one before ends
    std::int32_t step = 0;
    std::uint32_t source = 0; // index in `words`
    std::uint32_t nodes = 0; // index in m_nodeSets
    std::uint32_t problem = 0; // index in `texts`
    double timeMs = 0; // NaN: unknown
};

struct TaskFact {
    std::uint32_t checkpoint = 0; // the superstep's start
    std::int32_t step = 0;
    std::uint32_t node = 0; // index in `words`
    TaskOutcome outcome = TaskOutcome::Unknown;
    std::uint32_t text = 0; // index in `texts`: what went wrong
    std::int32_t attempts = 1;
    float seconds = 0; // NaN: unknown
    double timeMs = 0; // when it started; NaN: unknown
};

// A thread's checkpoints and tasks, reduced to what queries ask for: a million take about 100 MB.
class ThreadFacts {
public:
    // Reads what has changed since the last call. After Errc::Cancelled (`stop`) the next call goes on there.
    Result<void> refresh(const ThreadId& thread, checkpoint::ThreadChanges& changes, HistoryPages& pages,
                         const std::stop_token& stop = {});

    [[nodiscard]] std::string_view id(std::size_t checkpoint) const;
    [[nodiscard]] const std::vector<std::string>& nodes(const CheckpointFact& fact) const
    {
        return m_nodeSets[fact.nodes];
    }
    // Returns the last checkpoint at that time whose step is not above `step`; −1: there is none.
    [[nodiscard]] std::ptrdiff_t at(double timeMs,
                                    std::int64_t step = std::numeric_limits<std::int64_t>::max()) const;

    std::vector<CheckpointFact> checkpoints; // by id
    std::vector<TaskFact> tasks; // by checkpoint, then by start
    SharedWords words;
    std::vector<std::string> texts{ std::string() };

private:
    Result<void> readBehind(const ThreadId& thread, HistoryPages& pages, const std::stop_token& stop);
    void keepPart(checkpoint::ThreadChanges::Stamp stamp);
    void cutAt(std::string_view id);
    void add(const HistoryPage& page);
    std::uint32_t setOf(const std::vector<NodeId>& nodes);

    std::string m_letters; // all ids, joined
    std::vector<std::vector<std::string>> m_nodeSets{ std::vector<std::string>() };
    std::map<std::string, std::uint32_t, std::less<>> m_setPlaces;
    checkpoint::ThreadChanges::Stamp m_stamp;
};

// Parses "2026-11-21T08:00:00.123456+00:00" into milliseconds since 1970; NaN for anything else.
double isoMilliseconds(const std::string& iso);

} // namespace sg::history
