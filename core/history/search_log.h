#pragma once

#include "core/checkpoint/run_log.h"
#include "core/history/search.h"
#include "core/history/thread_facts.h"
#include "core/query/query.h"

#include <functional>
#include <map>
#include <stop_token>
#include <string>

namespace sg::history {

// Returns milliseconds since 1970, which queries compare.
double unixMilliseconds(WallTime time);

// Joins recorded pieces of output into lines for the search, for each stream of each task.
class LogLines {
public:
    using Take = std::function<void(const checkpoint::LogRecord& first, const std::string& line)>;
    explicit LogLines(Take take)
        : m_take(std::move(take))
    {
    }
    void add(const checkpoint::LogRecord& record);
    void finish(); // passes on lines that have no end yet

private:
    struct Open {
        checkpoint::LogRecord first; // the record in which the line began
        std::string letters;
    };
    void give(Open& open);

    Take m_take;
    std::map<std::string, Open> m_open; // unfinished lines, by task and stream
};

// One search in the log of a run; all of it outlives the call.
struct LogSearch {
    const ThreadId& thread;
    const RunId& run;
    const query::Query& query;
    const ThreadFacts& facts; // the lines' places in the history
};

// Passes on the matching lines of a run's log, one hit each.
Result<void> searchLog(History& history, const LogSearch& of, const std::stop_token& stop,
                       const std::function<void(SearchHit)>& take);

} // namespace sg::history
