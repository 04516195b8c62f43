#include "core/history/search.h"

#include "core/base/printable.h"
#include "core/history/nested_tasks.h"
#include "core/history/search_log.h"
#include "core/history/thread_facts.h"
#include "core/query/match.h"
#include "core/sqlite/db.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace sg::history {
namespace {

constexpr std::size_t kLongestText = 400; // of a hit, in bytes
constexpr std::size_t kMostKept = 2'000'000; // checkpoints of all threads that are kept between queries

// These views have readable names; times are ISO 8601 in UTC. The file's own tables can be queried, too.
constexpr const char* kSqlViews = R"(
PRAGMA temp_store = MEMORY;
CREATE TEMP VIEW steps AS SELECT thread_id, checkpoint_ns AS ns, checkpoint_id, parent_checkpoint_id,
    CASE WHEN json_valid(CAST(metadata AS TEXT)) THEN json_extract(CAST(metadata AS TEXT), '$.step') END AS step,
    CASE WHEN json_valid(CAST(metadata AS TEXT)) THEN json_extract(CAST(metadata AS TEXT), '$.source') END AS source,
    length(checkpoint) AS bytes FROM main.checkpoints;
CREATE TEMP VIEW runs AS SELECT run_id, thread_id, graph, status, error, supersteps,
    strftime('%Y-%m-%dT%H:%M:%fZ', started_at / 1000000.0, 'unixepoch') AS started_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', finished_at / 1000000.0, 'unixepoch') AS finished_at,
    (finished_at - started_at) / 1000000.0 AS seconds FROM main.sandglass_runs;
CREATE TEMP VIEW tasks AS SELECT thread_id, checkpoint_ns AS ns, checkpoint_id, task_id, node, step, attempt, outcome,
    seconds, error, strftime('%Y-%m-%dT%H:%M:%fZ', started_at / 1000000.0, 'unixepoch') AS started_at
    FROM main.sandglass_tasks;
CREATE TEMP VIEW log AS SELECT l.run_id, r.thread_id, l.step, l.node, l.stream, CAST(l.bytes AS TEXT) AS text,
    strftime('%Y-%m-%dT%H:%M:%fZ', l.time / 1000000.0, 'unixepoch') AS time
    FROM main.sandglass_log l LEFT JOIN main.sandglass_runs r USING (run_id);
)";

std::string joined(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

// Keeps the newest hits and counts all.
class Hits {
public:
    explicit Hits(std::size_t limit)
        : m_limit(limit)
    {
    }
    void add(SearchHit hit)
    {
        ++m_found;
        if (m_limit == 0)
            return; // hits of other threads have filled the answer
        if (m_kept.size() >= m_limit)
            m_kept.pop_front();
        if (hit.text.size() > kLongestText)
            hit.text.resize(kLongestText);
        hit.text = printableText(hit.text);
        m_kept.push_back(std::move(hit));
    }
    void moveTo(SearchAnswer& answer)
    {
        answer.found += m_found;
        answer.hits.insert(answer.hits.end(), std::make_move_iterator(m_kept.begin()),
                           std::make_move_iterator(m_kept.end()));
    }

private:
    std::size_t m_limit;
    std::int64_t m_found = 0;
    std::deque<SearchHit> m_kept;
};

// The groups are in the order in which they are shown.
struct FoundHits {
    explicit FoundHits(std::size_t limit)
        : runs(limit)
        , history(limit)
        , nested(limit)
        , log(limit)
    {
    }
    Hits runs;
    Hits history;
    Hits nested;
    Hits log;
};

struct Asked {
    const query::Query& query;
    const ThreadId& thread;
    const std::stop_token& stop;
};

void findRun(const Asked& asked, const RunRow& row, const ThreadFacts& facts, Hits& hits)
{
    const checkpoint::RunRecord& run = row.run;
    query::Subject subject;
    subject.kind = query::Kind::Run;
    subject.thread = asked.thread.value;
    subject.run = run.id.value;
    const std::string status = runStatusName(run.status);
    subject.status = status;
    subject.timeMs = unixMilliseconds(run.startedAt);
    if (run.finishedAt)
        subject.seconds = (unixMilliseconds(*run.finishedAt) - subject.timeMs) / 1000;
    const std::string text = run.error.empty() ? run.graph : run.error;
    subject.text = text;
    if (!query::matches(asked.query, subject))
        return;
    SearchHit hit{ query::Kind::Run, asked.thread,   {},  run.id.value, {}, run.supersteps,
                   status,           subject.timeMs, text };
    const double end =
        run.finishedAt ? unixMilliseconds(*run.finishedAt) : std::numeric_limits<double>::max();
    if (const std::ptrdiff_t place = facts.at(end); place >= 0)
        hit.checkpoint = facts.id(static_cast<std::size_t>(place));
    hits.add(std::move(hit));
}

void findCheckpoint(const Asked& asked, const ThreadFacts& facts, std::size_t place, Hits& hits)
{
    const CheckpointFact& fact = facts.checkpoints[place];
    query::Subject subject;
    subject.kind = query::Kind::Checkpoint;
    subject.thread = asked.thread.value;
    subject.checkpoint = facts.id(place);
    subject.nodes = facts.nodes(fact);
    subject.source = facts.words.at(fact.source);
    subject.step = fact.step;
    subject.timeMs = fact.timeMs;
    subject.text = facts.texts[fact.problem];
    if (!query::matches(asked.query, subject))
        return;
    hits.add({ query::Kind::Checkpoint,
               asked.thread,
               std::string(subject.checkpoint),
               {},
               joined(facts.nodes(fact)),
               fact.step,
               {},
               fact.timeMs,
               fact.problem == 0 ? std::string(subject.source) : std::string(subject.text) });
}

void findTask(const Asked& asked, const ThreadFacts& facts, const TaskFact& fact, Hits& hits)
{
    const std::string& node = facts.words.at(fact.node);
    query::Subject subject;
    subject.kind = query::Kind::Task;
    subject.thread = asked.thread.value;
    subject.checkpoint = facts.id(fact.checkpoint);
    subject.nodes = std::span(&node, 1);
    const std::string status = taskOutcomeName(fact.outcome);
    subject.status = status;
    subject.step = fact.step;
    subject.attempts = fact.attempts;
    subject.seconds = static_cast<double>(fact.seconds);
    subject.timeMs = std::isnan(fact.timeMs) ? facts.checkpoints[fact.checkpoint].timeMs : fact.timeMs;
    subject.text = facts.texts[fact.text];
    if (query::matches(asked.query, subject))
        hits.add({ query::Kind::Task,
                   asked.thread,
                   std::string(subject.checkpoint),
                   {},
                   node,
                   fact.step,
                   status,
                   subject.timeMs,
                   facts.texts[fact.text] });
}

// Checkpoints and tasks alternate in the order of the history.
void findHistory(const Asked& asked, const ThreadFacts& facts, Hits& hits)
{
    const bool wantsCheckpoints = query::mayMatch(asked.query, query::Kind::Checkpoint);
    const bool wantsTasks = query::mayMatch(asked.query, query::Kind::Task);
    std::size_t task = 0;
    for (std::size_t place = 0; place < facts.checkpoints.size(); ++place) {
        if (wantsCheckpoints)
            findCheckpoint(asked, facts, place, hits);
        for (; task < facts.tasks.size() && facts.tasks[task].checkpoint == place; ++task)
            if (wantsTasks)
                findTask(asked, facts, facts.tasks[task], hits);
        if (!wantsCheckpoints && !wantsTasks)
            return;
    }
}

void findNested(const Asked& asked, const ThreadFacts& facts, const NestedTasks& nested, Hits& hits)
{
    for (const auto& [ns, part] : nested.parts())
        for (const TaskRow& row : part.tasks) {
            const std::string text =
                row.error.empty() && row.detail.empty() ? std::string() : row.error + '\n' + row.detail;
            query::Subject subject;
            subject.kind = query::Kind::Task;
            subject.thread = asked.thread.value;
            subject.checkpoint = row.checkpoint.value;
            subject.nodes = std::span(&row.node.value, 1);
            const std::string status = taskOutcomeName(row.outcome);
            subject.status = status;
            subject.step = row.step;
            subject.attempts = static_cast<double>(row.attempts);
            subject.seconds = row.seconds < 0 ? std::numeric_limits<double>::quiet_NaN() : row.seconds;
            subject.timeMs = isoMilliseconds(row.startedAt);
            subject.text = text;
            if (!query::matches(asked.query, subject))
                continue;
            SearchHit hit{ .kind = query::Kind::Task,
                           .thread = asked.thread,
                           .node = row.node.value,
                           .step = row.step,
                           .status = status,
                           .timeMs = subject.timeMs,
                           .text = text,
                           .ns = ns };
            const std::ptrdiff_t place = std::isnan(subject.timeMs) ? -1 : facts.at(subject.timeMs);
            if (place >= 0)
                hit.checkpoint = facts.id(static_cast<std::size_t>(place));
            hits.add(std::move(hit));
        }
}

} // namespace

struct Search::Impl {
    Impl(History& of, std::filesystem::path path)
        : history(of)
        , database(std::move(path))
    {
    }

    Result<void> open()
    {
        if (changes)
            return {};
        auto looks = checkpoint::ThreadChanges::open(database);
        if (!looks)
            return std::move(looks.error());
        auto reads = HistoryPages::open(database);
        if (!reads)
            return std::move(reads.error());
        changes.emplace(*std::move(looks));
        pages.emplace(*std::move(reads));
        return {};
    }

    Result<void> refresh()
    {
        if (auto here = history.bringHere({}); !here)
            return here;
        if (auto done = open(); !done)
            return done;
        auto now = changes->version();
        if (!now)
            return std::move(now.error());
        if (version == *now)
            return {};
        auto rows = history.threads();
        if (!rows)
            return std::move(rows.error());
        threads.clear();
        std::set<std::string> known;
        for (const ThreadRow& row : *rows) {
            threads.push_back(row.thread);
            known.insert(row.thread.value);
        }
        std::erase_if(facts, [&known](const auto& each) { return !known.contains(each.first); });
        std::erase_if(nested, [&known](const auto& each) { return !known.contains(each.first); });
        fresh.clear();
        version = *now;
        return {};
    }

    Result<ThreadFacts*> factsOf(const ThreadId& thread, const std::stop_token& stop)
    {
        ThreadFacts& of = facts[thread.value];
        if (fresh.contains(thread.value))
            return &of;
        if (auto done = of.refresh(thread, *changes, *pages, stop); !done)
            return std::move(done.error());
        if (auto done = nested[thread.value].refresh(thread, *pages, stop); !done)
            return std::move(done.error());
        fresh.insert(thread.value);
        return &of;
    }

    Result<void> findIn(const Asked& asked, FoundHits& found);
    void giveUpOldest();

    History& history;
    const std::filesystem::path database;
    std::mutex mutex; // guards the following members
    std::optional<checkpoint::ThreadChanges> changes;
    std::optional<HistoryPages> pages;
    std::int64_t version = -1;
    std::vector<ThreadId> threads; // newest first
    std::map<std::string, ThreadFacts> facts; // by thread
    std::map<std::string, NestedTasks> nested; // by thread
    std::set<std::string> fresh; // threads whose facts belong to `version`
};

Result<void> Search::Impl::findIn(const Asked& asked, FoundHits& found)
{
    auto of = factsOf(asked.thread, asked.stop);
    if (!of)
        return std::move(of.error());
    const bool wantsLog = query::mayMatch(asked.query, query::Kind::Log);
    if (wantsLog || query::mayMatch(asked.query, query::Kind::Run)) {
        auto runs = history.runs(asked.thread);
        if (!runs)
            return std::move(runs.error());
        for (auto run = runs->rbegin(); run != runs->rend(); ++run)
            findRun(asked, *run, **of, found.runs);
        std::vector<RunId> logs;
        for (auto run = runs->rbegin(); run != runs->rend() && wantsLog; ++run)
            logs.push_back(run->run.id);
        if (wantsLog)
            logs.push_back(checkpoint::consoleRun(asked.thread));
        for (const RunId& run : logs)
            if (auto done = searchLog(history, { asked.thread, run, asked.query, **of }, asked.stop,
                                      [&](SearchHit hit) { found.log.add(std::move(hit)); });
                !done)
                return done;
    }
    findHistory(asked, **of, found.history);
    if (query::mayMatch(asked.query, query::Kind::Task))
        findNested(asked, **of, nested[asked.thread.value], found.nested);
    return {};
}

void Search::Impl::giveUpOldest()
{
    std::size_t kept = 0;
    for (const ThreadId& thread : threads) {
        const auto place = facts.find(thread.value);
        if (place == facts.end())
            continue;
        kept += place->second.checkpoints.size();
        if (kept > kMostKept) {
            facts.erase(place);
            nested.erase(thread.value);
            fresh.erase(thread.value);
        }
    }
}

std::string shownPath(const std::string& ns, const std::string& node)
{
    std::string path;
    for (std::size_t at = 0; at < ns.size();) {
        const std::size_t end = std::min(ns.find('|', at), ns.size());
        path += ns.substr(at, std::min(ns.find(':', at), end) - at) + "/";
        at = end + 1;
    }
    return path + node;
}

Search::Search(History& history, std::filesystem::path database)
    : m_impl(std::make_unique<Impl>(history, std::move(database)))
{
}

Search::~Search() = default;

Result<SearchAnswer> Search::find(const query::Query& query, const std::optional<ThreadId>& thread,
                                  std::size_t limit, const std::stop_token& stop)
{
    const std::lock_guard lock(m_impl->mutex);
    if (auto done = m_impl->refresh(); !done)
        return std::move(done.error());
    if (thread && std::ranges::find(m_impl->threads, *thread) == m_impl->threads.end())
        return Error{ Errc::NotFound, "there is no thread '" + thread->value + "'" };
    SearchAnswer answer;
    for (const ThreadId& each : m_impl->threads) {
        if (stop.stop_requested())
            return Error{ Errc::Cancelled, "the search was stopped" };
        query::Subject named; // threads that the query excludes are not read
        named.thread = each.value;
        const bool isMeant = std::ranges::all_of(query.terms, [&](const query::Term& term) {
            return term.field != query::Field::Thread || query::matches({ { term }, {} }, named);
        });
        if (!isMeant || (thread && each != *thread))
            continue;
        const std::size_t left = limit - std::min(limit, answer.hits.size());
        FoundHits found(left);
        if (auto done = m_impl->findIn({ query, each, stop }, found); !done)
            return std::move(done.error());
        for (Hits* hits : { &found.runs, &found.history, &found.nested, &found.log })
            hits->moveTo(answer);
        if (answer.hits.size() > limit)
            answer.hits.resize(limit);
    }
    m_impl->giveUpOldest();
    return answer;
}

Result<query::Vocabulary> Search::vocabulary()
{
    const std::lock_guard lock(m_impl->mutex);
    if (auto done = m_impl->refresh(); !done)
        return std::move(done.error());
    query::Vocabulary words;
    std::set<std::string> nodes;
    for (const auto& [thread, facts] : m_impl->facts)
        for (const TaskFact& task : facts.tasks)
            nodes.insert(facts.words.at(task.node));
    for (const auto& [thread, tasks] : m_impl->nested)
        for (const auto& [ns, part] : tasks.parts())
            for (const TaskRow& task : part.tasks)
                nodes.insert(task.node.value);
    for (const ThreadId& thread : m_impl->threads)
        words.threads.push_back(thread.value);
    words.nodes.assign(nodes.begin(), nodes.end());
    return words;
}

Result<SqlAnswer> Search::sql(std::string_view text, const sqlite::QueryLimits& limits,
                              const std::stop_token& stop)
{
    if (auto here = m_impl->history.bringHere({}); !here)
        return std::move(here.error());
    sqlite::DbOptions options;
    options.mode = sqlite::OpenMode::ReadOnly;
    auto db = sqlite::Db::open(m_impl->database, options);
    if (!db)
        return std::move(db.error());
    if (auto done = db->exec(kSqlViews); !done)
        return std::move(done.error());
    auto table = sqlite::confinedQuery(*db, text, limits, stop);
    if (!table)
        return std::move(table.error());
    SqlAnswer answer;
    const auto column = [&table](std::string_view name) {
        return std::ranges::find(table->columns, name) - table->columns.begin();
    };
    const auto thread = static_cast<std::size_t>(column("thread_id"));
    const auto checkpoint = static_cast<std::size_t>(column("checkpoint_id"));
    if (thread < table->columns.size() && checkpoint < table->columns.size())
        for (const auto& row : table->rows)
            answer.checkpoints.emplace_back(ThreadId(row[thread].text), row[checkpoint].text);
    answer.table = *std::move(table);
    return answer;
}

} // namespace sg::history
