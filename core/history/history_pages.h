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
    bool isLast = false; // no page follows
};

// Reads a thread's history in pieces, without the values of its states: the rows of History::checkpoints()
// and tasks(), for threads that do not fit into memory. One thread may use it at a time.
class HistoryPages {
public:
    static Result<HistoryPages> open(const std::filesystem::path& database);

    // Returns the newest `limit` checkpoints.
    Result<HistoryPage> newest(const ThreadId& thread, const std::string& ns, std::int64_t limit);
    // Returns the checkpoints after `after`; nullopt: from the first.
    Result<HistoryPage> page(const ThreadId& thread, const std::string& ns,
                             const std::optional<CheckpointId>& after, std::int64_t limit);
    Result<std::int64_t> count(const ThreadId& thread, const std::string& ns);
    // Returns the namespaces in which subgraphs ran ("plan:1f0…"), at most `limit`.
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
