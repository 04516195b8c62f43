#pragma once

#include "core/base/result.h"
#include "core/history/history.h"
#include "core/query/completion.h"
#include "core/query/query.h"
#include "core/sqlite/confined_query.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sg::history {

struct SearchHit {
    query::Kind kind = query::Kind::Checkpoint;
    ThreadId thread;
    std::string checkpoint; // where it stands in the history; empty: unknown
    std::string run; // of runs and log lines
    std::string node; // "plan", or several: "load, plan"
    std::int64_t step = 0;
    std::string status;
    double timeMs = 0; // NaN: unknown
    std::string text; // a log line, what went wrong, a checkpoint's source
    std::string ns{}; // of a task inside of a subgraph: "plan:1f0…"; `checkpoint` is the thread's own then
};

// A node of a subgraph for people: "plan/inner" of "plan:1f0…" and "inner".
std::string shownPath(const std::string& ns, const std::string& node);

struct SearchAnswer {
    std::vector<SearchHit>
        hits; // by thread, newest first; of each runs, the history, tasks of subgraphs, the log
    std::int64_t found = 0; // with those beyond the limit
};

// The tables that SQL may name beside the file's own; see kSqlViews.
struct SqlAnswer {
    sqlite::QueryTable table;
    std::vector<std::pair<ThreadId, std::string>>
        checkpoints; // of rows that name one: thread_id, checkpoint_id
};

// Answers queries over a checkpoint database: with what was read before, only what has changed since is read
// again. Any thread; one question after the other.
class Search {
public:
    Search(History& history, std::filesystem::path database); // `history` outlives it
    ~Search();
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;

    // `thread`: that one alone. At most `limit` hits; Cancelled where `stop` said so.
    Result<SearchAnswer> find(const query::Query& query, const std::optional<ThreadId>& thread,
                              std::size_t limit, const std::stop_token& stop = {});
    Result<query::Vocabulary> vocabulary(); // of what was read last
    Result<SqlAnswer> sql(std::string_view text, const sqlite::QueryLimits& limits = {},
                          const std::stop_token& stop = {});

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace sg::history
