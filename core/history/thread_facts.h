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

// The names that many rows share, once each.
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
    std::uint32_t idEnd = 0; // of its id in the letters of all; it begins where the one before ends
    std::int32_t step = 0;
    std::uint32_t source = 0; // of the shared words
    std::uint32_t nodes = 0; // of the sets of nodes
    std::uint32_t problem = 0; // of the texts
    double timeMs = 0; // NaN: unknown
};

struct TaskFact {
    std::uint32_t checkpoint = 0; // the superstep's start
    std::int32_t step = 0;
    std::uint32_t node = 0; // of the shared words
    std::uint32_t outcome = 0; // the same
    std::uint32_t text = 0; // of the texts: what went wrong
    std::int32_t attempts = 1;
    float seconds = 0; // NaN: unknown
    double timeMs = 0; // of its start; NaN: unknown
};

// A thread's checkpoints and tasks as far as a query asks of them: packed, a million take about 100 MB.
class ThreadFacts {
public:
    // Reads what has changed since the last time. Cancelled where `stop` said so: the next time goes on
    // there.
    Result<void> refresh(const ThreadId& thread, checkpoint::ThreadChanges& changes, HistoryPages& pages,
                         const std::stop_token& stop = {});

    [[nodiscard]] std::string_view id(std::size_t checkpoint) const;
    [[nodiscard]] const std::vector<std::string>& nodes(const CheckpointFact& fact) const
    {
        return m_nodeSets[fact.nodes];
    }
    // The last checkpoint at that time, made by that step or before; −1: none.
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

    std::string m_letters; // of all ids
    std::vector<std::vector<std::string>> m_nodeSets{ std::vector<std::string>() };
    std::map<std::string, std::uint32_t, std::less<>> m_setPlaces;
    checkpoint::ThreadChanges::Stamp m_stamp;
};

// Milliseconds since 1970 of "2026-11-21T08:00:00.123456+00:00"; NaN where it is no such time.
double isoMilliseconds(const std::string& iso);

} // namespace sg::history
