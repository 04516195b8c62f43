// bench-python-steps THREADS STEPS AT_ONCE: a loop of one Python node that counts, on so many threads, with
// SQLite and a snapshot of the session at each step, as a user's project has it. Prints one JSON line.

#include "core/base/json.h"
#include "core/workbench/workbench.h"
#include "tests/bench/figure_lines.h"
#include "tests/support/temp_dir.h"

#include <atomic>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

using namespace sg;
using namespace sg::bench;

namespace {

constexpr int kWarm = 33; // steps until the oldest snapshot leaves
constexpr int kTaken = 100; // steps at either end that are compared

std::string graphOf(int steps)
{
    return R"({"format": 1, "name": "count", "state": {"n": {"type": "last_value"}},)"
           R"( "nodes": [{"name": "step", "kind": "python", "file": "nodes/step.py", "function": "step"}],)"
           R"( "edges": [["__start__", "step"]],)"
           R"( "branches": [{"from": "step", "jq": "if .n < )"
        + std::to_string(steps)
        + R"( then \"step\" else \"__end__\" end", "targets": {"step": "step", "__end__": "__end__"}}]})";
}

// When the checkpoints of each thread came.
class Times {
public:
    void take(const engine::RunEvent& event)
    {
        if (!std::holds_alternative<engine::CheckpointSaved>(event.body))
            return;
        const std::lock_guard lock(m_mutex);
        m_times[event.thread.value].push_back(steady_clock::now());
    }

    // Milliseconds from one to the next.
    std::vector<double> between(const std::string& thread)
    {
        const std::lock_guard lock(m_mutex);
        const auto& times = m_times[thread];
        std::vector<double> between;
        for (std::size_t i = 1; i < times.size(); ++i)
            between.push_back(std::chrono::duration<double, std::milli>(times[i] - times[i - 1]).count());
        return between;
    }

private:
    std::mutex m_mutex;
    std::map<std::string, std::vector<steady_clock::time_point>> m_times; // guarded by m_mutex
};

struct Asked {
    int threads = 1;
    int steps = 0;
    int atOnce = 1;
};

std::string nameOf(int thread)
{
    return "t" + std::to_string(thread);
}

// Empty: it counted so far.
std::string problemOf(runs::Runs& runs, const std::string& thread, int steps)
{
    runs::RunRequest request;
    request.thread = ThreadId(thread);
    request.input = engine::RunInput::input(Value::map({ { "n", 0 } }));
    request.recursionLimit = steps + 10;
    const auto run = runs.start(request);
    if (!run)
        return run.error().message;
    const engine::RunResult result = runs.wait(*run);
    if (result.status != RunStatus::Done)
        return result.error.empty() ? runStatusName(result.status) : result.error;
    return result.values["n"] == Value(steps) ? "" : "it counted to " + toJson(result.values["n"]);
}

std::string runAll(runs::Runs& runs, const Asked& asked)
{
    std::atomic<int> next = 0;
    std::mutex mutex;
    std::string problem;
    std::vector<std::jthread> workers;
    for (int worker = 0; worker < asked.atOnce; ++worker)
        workers.emplace_back([&] {
            for (int thread = next++; thread < asked.threads; thread = next++)
                if (const std::string told = problemOf(runs, nameOf(thread), asked.steps); !told.empty()) {
                    const std::lock_guard lock(mutex);
                    problem = told;
                }
        });
    workers.clear();
    return problem;
}

double medianOf(const std::vector<double>& times, std::size_t begin, std::size_t end)
{
    end = std::min(end, times.size());
    return begin < end ? median({ times.begin() + static_cast<std::ptrdiff_t>(begin),
                                  times.begin() + static_cast<std::ptrdiff_t>(end) })
                       : 0;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 4) {
        std::fputs("usage: bench-python-steps THREADS STEPS AT_ONCE\n", stderr);
        return 2;
    }
    const Asked asked{ std::atoi(argv[1]), std::atoi(argv[2]), std::atoi(argv[3]) };
    const test::TempDir folder;
    folder.write("nodes/step.py", "def step(state):\n    return {\"n\": state[\"n\"] + 1}\n");
    folder.write("count.graph.json", graphOf(asked.steps));
    const auto project = projects::locateProject(folder.path());
    workbench::WorkbenchOptions options;
    if (project)
        options.project = *project;
    options.backend = "bubblewrap";
    auto bench = project ? workbench::Workbench::open(std::move(options))
                         : Result<std::unique_ptr<workbench::Workbench>>(project.error());
    if (!bench) {
        std::fprintf(stderr, "%s\n", bench.error().message.c_str());
        return 1;
    }
    Times times;
    const Subscription heard =
        (*bench)->runs().events().subscribe([&](const engine::RunEvent& event) { times.take(event); });
    const auto begin = steady_clock::now();
    const std::string problem = runAll((*bench)->runs(), asked);
    const double wall = millisecondsSince(begin) / 1000;
    if (!problem.empty()) {
        std::fprintf(stderr, "%s\n", problem.c_str());
        return 1;
    }
    const std::vector<double> steps = times.between(nameOf(0));
    std::printf(
        "%s\n",
        toJson(Value::map({ { "wall_s", wall },
                            { "supersteps", asked.threads * asked.steps },
                            { "median_ms", medianOf(steps, 1, steps.size()) },
                            { "first_ms", medianOf(steps, 1, kWarm) },
                            { "early_ms", medianOf(steps, kWarm, kWarm + kTaken) },
                            { "late_ms",
                              medianOf(steps, steps.size() - std::min<std::size_t>(kTaken, steps.size()),
                                       steps.size()) } }))
            .c_str());
    return 0;
}
