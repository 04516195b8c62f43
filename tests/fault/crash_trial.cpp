#include "tests/fault/crash_trial.h"

#include "core/base/file.h"
#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "tests/fault/acknowledging_store.h"
#include "tests/fault/fault_run.h"
#include "tests/fault/workflow_run.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

namespace sg::fault {
namespace {

namespace fs = std::filesystem;
using std::chrono::microseconds;
using std::chrono::steady_clock;

// The child's whole life: it opens the file, goes on, and exits.
[[noreturn]] void work(const Workflow& workflow, const fs::path& database, const fs::path& problemFile,
                       int life)
{
    const auto finish = [&problemFile](const std::string& problem) {
        std::ofstream(problemFile) << problem << std::flush;
        ::_exit(problem.empty() ? 0 : 1);
    };
    auto store = checkpoint::openSqliteCheckpointStore(database, { .fullSync = true });
    if (!store)
        finish("open: " + store.error().message);
    Journal journal(database.string() + ".journal", life);
    AcknowledgingStore noted(**store, [&journal](const std::string& id) { journal.stored(id); });
    ThreadPool pool(4);
    const engine::RunResult result = runToEnd(workflow, noted, &journal, &pool);
    finish(result.status == RunStatus::Done ? "" : "the run failed: " + result.error);
    ::_exit(1);
}

// Recovery is left to the next child: a copy is looked at.
void copyDatabase(const fs::path& from, const fs::path& to)
{
    for (const char* side : { "", "-wal", "-shm", "-journal" })
        fs::remove(to.string() + side);
    for (const char* side : { "", "-wal", "-journal" })
        if (fs::exists(from.string() + side))
            fs::copy_file(from.string() + side, to.string() + side);
}

} // namespace

CrashTrial::CrashTrial(std::uint64_t seed, fs::path folder, std::mt19937_64& random, CrashCounts& counts)
    : m_workflow(randomWorkflow(seed))
    , m_folder(std::move(folder))
    , m_random(random)
    , m_counts(counts)
{
}

std::string CrashTrial::run(int mostKills)
{
    const auto start = steady_clock::now();
    if (live("unbroken", std::nullopt) != Ended::Well)
        return "unbroken: " + m_problem;
    const auto span = std::chrono::duration_cast<microseconds>(steady_clock::now() - start);
    auto unbroken = stored("unbroken");
    if (!unbroken)
        return unbroken.error().message;
    m_unbroken = *std::move(unbroken);
    if (std::string problem = problemOfChains(m_unbroken); !problem.empty())
        return "unbroken: " + problem;

    for (m_life = 1;; ++m_life) {
        std::optional<microseconds> delay;
        if (m_life <= mostKills)
            delay = microseconds(m_random() % static_cast<std::uint64_t>(span.count() + 1));
        const auto ended = live("broken", delay);
        if (!ended)
            return m_problem;
        if (std::string problem = look(m_life); !problem.empty())
            return "after life " + std::to_string(m_life) + ": " + problem;
        if (*ended == Ended::Well)
            break;
        ++m_counts.kills;
    }
    const auto end = stored("broken");
    if (!end)
        return end.error().message;
    if (std::string problem = problemOfChains(*end); !problem.empty())
        return problem;
    m_counts.checkpoints += static_cast<std::int64_t>(end->checkpoints.size());
    m_counts.tasks += static_cast<std::int64_t>(end->finishedTasks.size());
    return problemOfDifference(*end, m_unbroken);
}

std::optional<CrashTrial::Ended> CrashTrial::live(const std::string& name, std::optional<microseconds> delay)
{
    const fs::path problemFile = m_folder / "problem";
    const pid_t child = ::fork();
    if (child == 0)
        work(m_workflow, m_folder / name, problemFile, m_life);
    if (delay) {
        std::this_thread::sleep_for(*delay);
        ::kill(child, SIGKILL); // not waited for yet: the id is still the child's
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        return Ended::Killed;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return Ended::Well;
    const auto problem = readFile(problemFile);
    m_problem = problem ? *problem : "the child died by signal " + std::to_string(WTERMSIG(status));
    return std::nullopt;
}

Result<History> CrashTrial::stored(const std::string& name) const
{
    auto store = checkpoint::openSqliteCheckpointStore(m_folder / name);
    if (!store)
        return std::move(store.error());
    return readHistory(**store, ThreadId(kThread));
}

std::string CrashTrial::look(int life)
{
    if (!fs::exists(m_folder / "broken")) {
        ++m_counts.beforeFirstCheckpoint;
        return {};
    }
    copyDatabase(m_folder / "broken", m_folder / "copy");
    if (std::string problem = integrityProblem(m_folder / "copy"); !problem.empty())
        return problem;
    const auto history = stored("copy");
    if (!history)
        return history.error().message;
    if (std::string problem = problemOfPrefix(*history, m_unbroken); !problem.empty())
        return problem;
    m_counts.beforeFirstCheckpoint += history->namespaces.empty() ? 1 : 0;
    if (const auto root = history->namespaces.find(""); root != history->namespaces.end())
        m_counts.amidSuperstep += root->second.back().writes.empty() ? 0 : 1;
    return lookAtTasks(*history, life);
}

std::string CrashTrial::lookAtTasks(const History& history, int life)
{
    const JournalContent journal = readJournal(m_folder / "broken.journal");
    for (const std::string& checkpoint : journal.stored)
        if (!history.checkpoints.contains(checkpoint))
            return "checkpoint " + checkpoint + " was said to be stored, and is lost";
    std::set<std::string> startedNow;
    for (const StartedTask& task : journal.started) {
        if (task.life != life)
            continue;
        if (m_finished.contains(task.task))
            return "task " + task.task + " of " + task.node + " ran again although its writes were stored";
        if (!history.checkpoints.contains(task.checkpoint))
            return "task " + task.task + " of " + task.node
                + " ran before the checkpoint it starts from was stored";
        startedNow.insert(task.task);
    }
    for (const std::string& task : startedNow)
        m_counts.again += m_started.insert(task).second ? 0 : 1;
    for (const std::string& task : m_finished)
        if (!history.finishedTasks.contains(task))
            return "the writes of task " + task + " were stored, and are lost";
    m_finished = history.finishedTasks;
    return {};
}

} // namespace sg::fault
