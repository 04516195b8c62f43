#pragma once

#include "core/base/result.h"
#include "core/history/history_pages.h"

#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace sg::history {

// The tasks that ran inside a thread's subgraphs, by namespace. A namespace that has ended is read once.
class NestedTasks {
public:
    struct Part {
        std::vector<TaskRow> tasks; // by checkpoint, then by start
        std::int64_t checkpoints = 0;
        bool hasEnded = false; // no task in it is left to run
    };
    // Errc::Cancelled if `stop` was requested; the next call goes on there.
    Result<void> refresh(const ThreadId& thread, HistoryPages& pages, const std::stop_token& stop = {});

    [[nodiscard]] const std::map<std::string, Part>& parts() const { return m_parts; } // by namespace

private:
    std::map<std::string, Part> m_parts;
};

} // namespace sg::history
