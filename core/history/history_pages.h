#pragma once

#include "core/base/result.h"
#include "core/checkpoint/thread_outline.h"
#include "core/history/history.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sg::history {

struct HistoryPage {
    std::vector<CheckpointRow> checkpoints; // oldest first
    std::vector<TaskRow> tasks; // by checkpoint, then by start
    bool isLast = false; // nothing is behind
};

// A thread's history in pieces of any size, without the values of its states: what History::checkpoints() and
// tasks() tell, for threads that no memory would hold. One thread at a time.
class HistoryPages {
public:
    static Result<HistoryPages> open(const std::filesystem::path& database);

    // The newest `limit`.
    Result<HistoryPage> newest(const ThreadId& thread, const std::string& ns, std::int64_t limit);
    // The next ones behind `after`; nullopt: the first.
    Result<HistoryPage> page(const ThreadId& thread, const std::string& ns,
                             const std::optional<CheckpointId>& after, std::int64_t limit);
    Result<std::int64_t> count(const ThreadId& thread, const std::string& ns);
    // Where subgraphs ran: "plan:1f0…"; at most `limit`.
    Result<std::vector<std::string>> namespaces(const ThreadId& thread, std::size_t limit);

private:
    explicit HistoryPages(checkpoint::ThreadOutline outline)
        : m_outline(std::move(outline))
    {
    }
    Result<void> addWriters(const ThreadId& thread, const std::string& ns,
                            const std::vector<checkpoint::OutlineRecord>& records, HistoryPage& page);

    checkpoint::ThreadOutline m_outline;
};

} // namespace sg::history
