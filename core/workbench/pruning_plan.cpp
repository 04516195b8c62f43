#include "core/workbench/pruning_plan.h"

#include "core/sqlite/db.h"
#include "core/workbench/database.h"
#include "core/workbench/pruning_subgraphs.h"
#include "core/workbench/pruning_tree.h"
#include "core/workbench/workbench.h"

#include <utility>

namespace sg::workbench {
namespace {

constexpr std::size_t kMostForks = 100;

Result<void> planThread(Workbench& workbench, checkpoint::CheckpointStore& store, sqlite::Db& db,
                        const ThreadId& thread, std::int64_t keep, PrunePlan& plan)
{
    auto lock = ThreadLock::take(workbench.project().checkpoints, thread);
    if (!lock) {
        plan.report.skipped.push_back(thread.value + ": a run is under way");
        return {};
    }
    const auto all = needsAll(store, thread, "");
    if (!all && all.error().code == Errc::Corrupt) {
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
    const auto rows = workbench.history().checkpoints(thread);
    if (!rows)
        return rows.error();
    plan.locks.push_back(std::move(*lock));
    PruneTree tree;
    for (const CheckpointRow& row : *rows)
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

} // namespace

Result<PrunePlan> planPruning(Workbench& workbench, const PruneChoice& choice)
{
    const std::filesystem::path& file = workbench.project().checkpoints;
    auto database = Database::open(file, Database::Access::ReadOnly);
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
    PrunePlan plan;
    bool isFound = false;
    for (const checkpoint::ThreadSummary& thread : *threads) {
        if (choice.thread && thread.thread != *choice.thread)
            continue;
        isFound = true;
        if (auto planned = planThread(workbench, (*database)->store(), *db, thread.thread, choice.keep, plan);
            !planned)
            return std::move(planned.error());
    }
    if (choice.thread && !isFound)
        return Error{ Errc::NotFound, "there is no thread " + choice.thread->value };
    return plan;
}

} // namespace sg::workbench
