#include "tests/fault/fault_run.h"

#include "core/checkpoint/memory_checkpoint_store.h"
#include "core/sqlite/db.h"

namespace sg::fault {
namespace {

namespace fs = std::filesystem;

Result<History> historyIn(const fs::path& database)
{
    auto store = checkpoint::openSqliteCheckpointStore(database);
    if (!store)
        return std::move(store.error());
    return readHistory(**store, ThreadId(kThread));
}

} // namespace

FaultRun runOn(const fs::path& database, const Workflow& workflow, bool fullSync)
{
    FaultRun run;
    auto store =
        checkpoint::openSqliteCheckpointStore(database, { .fullSync = fullSync, .busyTimeoutMs = 100 });
    if (!store) {
        run.error = store.error().message;
        return run;
    }
    AcknowledgingStore noted(**store, [&run](const std::string& id) { run.confirmed.insert(id); });
    const engine::RunResult result = runToEnd(workflow, noted, nullptr, nullptr);
    run.done = result.status == RunStatus::Done;
    run.error = result.error;
    return run;
}

std::string integrityProblem(const fs::path& database)
{
    auto db = sqlite::Db::open(database, { .mode = sqlite::OpenMode::ReadWrite });
    if (!db)
        return db.error().message;
    auto check = db->prepare("PRAGMA integrity_check");
    if (!check)
        return check.error().message;
    auto row = check->step();
    if (!row)
        return row.error().message;
    return check->text(0) == "ok" ? "" : std::string(check->text(0));
}

std::string problemOf(const fs::path& database, const History& whole, const std::set<std::string>& confirmed)
{
    if (std::string problem = integrityProblem(database); !problem.empty())
        return problem;
    const auto history = historyIn(database);
    if (!history)
        return history.error().message;
    for (const std::string& checkpoint : confirmed)
        if (!history->checkpoints.contains(checkpoint))
            return "checkpoint " + checkpoint + " was said to be stored, and is lost";
    return problemOfPrefix(*history, whole);
}

std::string problemAtEnd(const fs::path& database, const History& whole)
{
    const auto history = historyIn(database);
    if (!history)
        return history.error().message;
    if (std::string problem = problemOfChains(*history); !problem.empty())
        return problem;
    return problemOfDifference(*history, whole);
}

History undisturbed(const Workflow& workflow)
{
    const auto store = checkpoint::makeMemoryCheckpointStore();
    const engine::RunResult result = runToEnd(workflow, *store, nullptr, nullptr);
    auto history = readHistory(*store, ThreadId(kThread));
    return result.status == RunStatus::Done && history ? *std::move(history) : History();
}

} // namespace sg::fault
