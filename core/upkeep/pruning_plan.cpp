#include "core/upkeep/pruning_plan.h"

#include "core/checkpoint/serde/checkpoint_codec.h"
#include "core/history/database.h"
#include "core/sqlite/db.h"
#include "core/upkeep/pruning_tree.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace sg::upkeep {
namespace {

constexpr std::size_t kMostForks = 100;

// Where the threads are on a server, `shared` is their store; else null.
Result<checkpoint::ThreadLock> lockOf(const ProjectParts& parts, checkpoint::CheckpointStore* shared,
                                      const ThreadId& thread)
{
    const std::filesystem::path& file = parts.project.checkpoints;
    return shared == nullptr ? checkpoint::ThreadLock::take(file, thread)
                             : checkpoint::ThreadLock::take(*shared, file, thread);
}

Result<void> planThread(const ProjectParts& parts, Result<checkpoint::ThreadLock> lock,
                        checkpoint::CheckpointStore& store, sqlite::Db& db, const ThreadId& thread,
                        std::int64_t keep, PrunePlan& plan)
{
    if (!lock && lock.error().code != Errc::Conflict)
        return std::move(lock.error());
    if (!lock) {
        plan.report.skipped.push_back(thread.value + ": a run is under way");
        return {};
    }
    const auto all = needsAll(store, thread, "");
    if (!all && checkpoint::isOfOneCheckpoint(all.error())) {
        plan.report.skipped.push_back(thread.value + ": its newest checkpoint cannot be read");
        return {};
    }
    if (!all)
        return all.error();
    if (*all) {
        plan.report.skipped.push_back(
            thread.value + ": it stores changes of channels, which need the checkpoints before them");
        return {};
    }
    const auto rows = parts.history.checkpoints(thread);
    if (!rows)
        return rows.error();
    plan.locks.push_back(std::move(*lock));
    PruneTree tree;
    for (const history::CheckpointRow& row : *rows)
        tree[row.id.value] = { row.parent ? row.parent->value : std::string(), row.step };
    keepNewest(tree, keep);
    for (const auto& [id, node] : tree)
        if (!node.isKept) {
            plan.removed.push_back({ thread, "", CheckpointId(id) });
            ++plan.report.checkpoints;
        }
    const std::vector<CutBranch> cuts = cutBranches(tree, thread);
    plan.report.lostParents += std::ssize(cuts);
    for (CutBranch& fork : forksOf(tree, cuts))
        if (plan.report.forks.size() < kMostForks)
            plan.report.forks.push_back(std::move(fork));
    return planSubgraphs(db, store, thread, tree, keep, plan);
}

struct InnerRow {
    std::string ns;
    std::string id;
    std::string parent;
    ValueMap outer; // namespace of each outer graph → the checkpoint that it ran from
};

// The task that a namespace belongs to: for "own|plan:1f0…|1" task 1f0… of the graph "own". nullopt for a
// subgraph that keeps its state between calls.
struct Stem {
    std::string graph;
    std::string task;
};
std::optional<Stem> stemOf(const std::string& ns)
{
    const std::size_t colon = ns.find(':');
    if (colon == std::string::npos)
        return std::nullopt;
    const std::size_t bar = ns.rfind('|', colon);
    const std::size_t end = std::min(ns.find('|', colon), ns.size());
    return Stem{ bar == std::string::npos ? std::string() : ns.substr(0, bar),
                 ns.substr(colon + 1, end - colon - 1) };
}

// These are checkpoints of a thread by namespace and id.
using Places = std::set<std::pair<std::string, std::string>>;

class InnerPlan {
public:
    InnerPlan(sqlite::Db& db, ThreadId thread)
        : m_db(db)
        , m_thread(std::move(thread))
    {
    }
    Result<void> read();
    void outerWas(const PruneTree& tree);
    Result<void> planOwn(checkpoint::CheckpointStore& store, std::int64_t keep, PrunePlan& plan);
    Result<void> planTasks(PrunePlan& plan);

private:
    Result<void> readRows();
    Result<void> readNamespaces();
    Result<std::set<std::string>> removedTasks();
    [[nodiscard]] bool isGone(const InnerRow& row, const std::string& graph) const;

    sqlite::Db& m_db;
    const ThreadId m_thread;
    std::vector<std::string> m_tables; // tables with tasks
    std::vector<InnerRow> m_rows; // by namespace
    std::set<std::string> m_namespaces;
    Places m_known; // of all graphs
    Places m_removed;
};

template<typename Take>
Result<void> eachRow(sqlite::Db& db, const std::string& sql, const ThreadId& thread, Take take)
{
    auto statement = db.prepare(sql);
    if (!statement)
        return std::move(statement.error());
    statement->bind(1, thread.value);
    while (true) {
        const auto more = statement->step();
        if (!more || !*more)
            return more ? Result<void>() : more.error();
        take(*statement);
    }
}

std::string textAt(const sqlite::Statement& row, int column)
{
    return std::string(row.text(column));
}

Result<void> InnerPlan::read()
{
    m_tables = { "writes" };
    auto ours = m_db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'sandglass_tasks'");
    if (!ours)
        return std::move(ours.error());
    const auto found = ours->step();
    if (!found)
        return found.error();
    if (*found) // false for a file of LangGraph's own
        m_tables.emplace_back("sandglass_tasks");
    auto read =
        eachRow(m_db, "SELECT checkpoint_ns, checkpoint_id FROM checkpoints WHERE thread_id = ?1", m_thread,
                [this](const sqlite::Statement& row) { m_known.emplace(textAt(row, 0), textAt(row, 1)); });
    if (read)
        read = readRows();
    return read ? readNamespaces() : read;
}

Result<void> InnerPlan::readRows()
{
    return eachRow(
        m_db,
        "SELECT checkpoint_ns, checkpoint_id, parent_checkpoint_id, metadata FROM checkpoints WHERE "
        "thread_id = ?1 AND checkpoint_ns <> '' ORDER BY 1, 2",
        m_thread, [this](const sqlite::Statement& row) {
            InnerRow read{ textAt(row, 0), textAt(row, 1), textAt(row, 2), {} };
            if (auto metadata = checkpoint::decodeMetadata(row.text(3)))
                read.outer = std::move(metadata->parents);
            m_namespaces.insert(read.ns);
            m_known.emplace(read.ns, read.id);
            m_rows.push_back(std::move(read));
        });
}

// A subgraph that was stopped early may have tasks, but no checkpoint.
Result<void> InnerPlan::readNamespaces()
{
    for (const std::string& table : m_tables)
        if (auto read = eachRow(
                m_db,
                "SELECT DISTINCT checkpoint_ns FROM " + table
                    + " WHERE thread_id = ?1 AND checkpoint_ns <> ''",
                m_thread, [this](const sqlite::Statement& row) { m_namespaces.insert(textAt(row, 0)); });
            !read)
            return read;
    return {};
}

void InnerPlan::outerWas(const PruneTree& tree)
{
    for (const auto& [id, node] : tree)
        if (!node.isKept)
            m_removed.emplace("", id);
}

// This is also true for subgraphs that an earlier pruning left.
bool InnerPlan::isGone(const InnerRow& row, const std::string& graph) const
{
    const Value* outer = row.outer.find(graph);
    if (outer == nullptr || !outer->isString())
        return false;
    const std::pair<std::string, std::string> place(graph, outer->asString());
    return m_removed.contains(place) || !m_known.contains(place);
}

Result<void> InnerPlan::planOwn(checkpoint::CheckpointStore& store, std::int64_t keep, PrunePlan& plan)
{
    std::map<std::string, PruneTree> trees;
    for (const InnerRow& row : m_rows)
        if (!stemOf(row.ns))
            trees[row.ns][row.id].parent = row.parent;
    for (auto& [ns, tree] : trees) {
        const auto all = needsAll(store, m_thread, ns);
        if (!all)
            return all.error();
        keepNewest(tree, *all ? static_cast<std::int64_t>(tree.size()) : keep);
    }
    for (const InnerRow& row : m_rows) {
        if (stemOf(row.ns) || trees[row.ns][row.id].isKept || !isGone(row, ""))
            continue;
        m_removed.emplace(row.ns, row.id);
        plan.removed.push_back({ m_thread, row.ns, CheckpointId(row.id) });
        ++plan.report.nested;
    }
    return {};
}

Result<std::set<std::string>> InnerPlan::removedTasks()
{
    std::set<std::string> tasks;
    for (const std::string& table : m_tables)
        if (auto read = eachRow(m_db,
                                "SELECT DISTINCT checkpoint_ns, checkpoint_id, task_id FROM " + table
                                    + " WHERE thread_id = ?1",
                                m_thread,
                                [&](const sqlite::Statement& row) {
                                    if (m_removed.contains({ textAt(row, 0), textAt(row, 1) }))
                                        tasks.insert(textAt(row, 2));
                                });
            !read)
            return std::move(read.error());
    return tasks;
}

Result<void> InnerPlan::planTasks(PrunePlan& plan)
{
    if (m_namespaces.empty())
        return {};
    const auto tasks = removedTasks();
    if (!tasks)
        return tasks.error();
    std::set<std::string> gone;
    for (const std::string& ns : m_namespaces)
        if (const auto stem = stemOf(ns); stem && tasks->contains(stem->task))
            gone.insert(ns);
    // A killed task has written nothing, but its subgraph's checkpoints say where it began.
    for (const InnerRow& row : m_rows)
        if (const auto stem = stemOf(row.ns); stem && isGone(row, stem->graph))
            gone.insert(row.ns);
    for (const InnerRow& row : m_rows)
        plan.report.nested += gone.contains(row.ns) ? 1 : 0;
    for (const std::string& ns : gone)
        plan.namespaces.emplace_back(m_thread, ns);
    return {};
}

} // namespace

Result<PrunePlan> planPruning(const ProjectParts& parts, const PruneChoice& choice)
{
    const std::filesystem::path& file = parts.project.checkpoints;
    auto database = history::Database::open(file, history::Database::Access::ReadOnly);
    if (!database)
        return std::move(database.error());
    sqlite::DbOptions options;
    options.mode = sqlite::OpenMode::ReadOnly;
    auto db = sqlite::Db::open(file, options);
    if (!db)
        return std::move(db.error());
    const auto threads = (*database)->store().threads();
    if (!threads)
        return threads.error();
    std::unique_ptr<history::Database> shared; // the locks may outlive it
    if (!parts.project.shared.empty()) {
        auto opened =
            history::Database::openShared(parts.project.shared, history::Database::Access::ReadWrite);
        if (!opened)
            return std::move(opened.error());
        shared = std::move(*opened);
    }
    PrunePlan plan;
    bool isFound = false;
    for (const checkpoint::ThreadSummary& thread : *threads) {
        if (choice.thread && thread.thread != *choice.thread)
            continue;
        isFound = true;
        auto planned = planThread(parts, lockOf(parts, shared ? &shared->store() : nullptr, thread.thread),
                                  (*database)->store(), *db, thread.thread, choice.keep, plan);
        if (!planned)
            return std::move(planned.error());
    }
    if (choice.thread && !isFound)
        return Error{ Errc::NotFound, "there is no thread " + choice.thread->value };
    return plan;
}

Result<void> planSubgraphs(sqlite::Db& db, checkpoint::CheckpointStore& store, const ThreadId& thread,
                           const PruneTree& tree, std::int64_t keep, PrunePlan& plan)
{
    InnerPlan inner(db, thread);
    auto planned = inner.read();
    inner.outerWas(tree);
    if (planned)
        planned = inner.planOwn(store, keep, plan);
    return planned ? inner.planTasks(plan) : planned;
}

} // namespace sg::upkeep
