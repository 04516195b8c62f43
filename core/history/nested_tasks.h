#pragma once

#include "core/base/result.h"
#include "core/history/history_pages.h"

#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace sg::history {

// The tasks that ran inside of a thread's subgraphs, namespace by namespace. What has ended is read once.
class NestedTasks {
public:
    struct Part {
        std::vector<TaskRow> tasks; // by checkpoint, then by start
        std::int64_t checkpoints = 0;
        bool hasEnded = false; // nothing is to run in it any more
    };
    // Cancelled where `stop` said so: the next time goes on there.
    Result<void> refresh(const ThreadId& thread, HistoryPages& pages, const std::stop_token& stop = {});

    [[nodiscard]] const std::map<std::string, Part>& parts() const { return m_parts; } // by namespace

private:
    std::map<std::string, Part> m_parts;
};

} // namespace sg::history
