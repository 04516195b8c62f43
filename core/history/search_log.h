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

// Since 1970, as queries compare times.
double unixMilliseconds(WallTime time);

// What was printed comes in pieces; people search lines. Of each stream of each task the pieces are put
// together, and given line by line.
class LogLines {
public:
    using Take = std::function<void(const checkpoint::LogRecord& first, const std::string& line)>;
    explicit LogLines(Take take)
        : m_take(std::move(take))
    {
    }
    void add(const checkpoint::LogRecord& record);
    void finish(); // what has no end of line yet

private:
    struct Open {
        checkpoint::LogRecord first; // of the line: when and where it began
        std::string letters;
    };
    void give(Open& open);

    Take m_take;
    std::map<std::string, Open> m_open; // by task and stream: those that have not ended
};

// The lines of a run's log that match, one hit each. `facts` say where they stand in the history.
Result<void> searchLog(History& history, const ThreadId& thread, const RunId& run, const query::Query& query,
                       const ThreadFacts& facts, const std::stop_token& stop,
                       const std::function<void(SearchHit)>& take);

} // namespace sg::history
