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
    std::string checkpoint{}; // its place in the history; empty: unknown
    std::string run{}; // for runs and log lines
    std::string node{}; // "plan", or several: "load, plan"
    std::int64_t step = 0;
    std::string status;
    double timeMs = 0; // NaN: unknown
    std::string text; // a log line, what went wrong, a checkpoint's source
    std::string ns{}; // for a task inside a subgraph: "plan:1f0…"; `checkpoint` is then the root graph's
};

// Names a subgraph's node for people: "plan/inner" for "plan:1f0…" and "inner".
std::string shownPath(const std::string& ns, const std::string& node);

struct SearchAnswer {
    std::vector<SearchHit>
        hits; // by thread, newest first; for each its runs, history, tasks of subgraphs, log
    std::int64_t found = 0; // including those beyond the limit
};

// The answer to SQL over the file's tables and the views in kSqlViews.
struct SqlAnswer {
    sqlite::QueryTable table;
    std::vector<std::pair<ThreadId, std::string>>
        checkpoints; // thread_id and checkpoint_id of rows that have both
};

// Answers queries over a checkpoint database. It keeps what it read and reads only what has changed since.
// Any thread may ask; queries run one after the other.
class Search {
public:
    Search(History& history, std::filesystem::path database); // `history` outlives it
    ~Search();
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;

    // `thread` limits the search to one thread. Errc::Cancelled if `stop` was requested.
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
