#include "tests/bench/engine/workloads.h"

#include "core/base/clock.h"
#include "tests/bench/engine/bench_graphs.h"

#include <chrono>
#include <ctime>
#include <map>
#include <optional>

namespace sg::bench {
namespace {

using Steady = std::chrono::steady_clock;

double secondsSince(Steady::time_point start)
{
    return std::chrono::duration<double>(Steady::now() - start).count();
}

double cpuSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

constexpr std::int64_t kStepsEach = 5; // W5

class Measurement {
public:
    explicit Measurement(const Setup& setup)
        : m_setup(setup)
    {
        const std::map<std::string, std::int64_t> own{ { "W1", 1000 },  { "W2", 300 },   { "W3", 20 },
                                                       { "W4", 1000 },  { "W4D", 1000 }, { "W5", 1000 },
                                                       { "W6", 10000 }, { "W7", 1000 } };
        const auto found = own.find(setup.workload);
        m_figures.n = setup.n > 0 ? setup.n : found == own.end() ? 0 : found->second;
        if (found == own.end())
            m_figures.problem = "unknown workload " + setup.workload;
    }

    Figures run()
    {
        if (!m_figures.problem.empty())
            return m_figures;
        const std::string& name = m_setup.workload;
        const std::int64_t n = m_figures.n;
        if (name == "W1")
            once(m_setup.jqHelper.empty() ? counterWorkflow(n) : jqCounterWorkflow(n, m_setup.jqHelper),
                 Value(ValueMap{ { "count", 0 } }), n, n);
        else if (name == "W2")
            repeated(
                chainWorkflow(),
                [](std::int64_t i) {
                    return Value(ValueMap{ { "x", Value(i) } });
                },
                false, 2 * n);
        else if (name == "W3")
            repeated(
                fanOutWorkflow(),
                [](std::int64_t) {
                    return Value(ValueMap{ { "out", Value(ValueList()) } });
                },
                true, 2 * n);
        else if (name == "W4" || name == "W4D")
            once(growingWorkflow(n, name == "W4D"), Value(ValueMap{ { "messages", Value(ValueList()) } }), n,
                 n);
        else if (name == "W5")
            repeated(
                counterWorkflow(kStepsEach),
                [](std::int64_t) {
                    return Value(ValueMap{ { "count", 0 } });
                },
                true, kStepsEach * n);
        else if (name == "W6")
            history();
        else
            once(layeredWorkflow(n), Value(ValueMap{ { "sum", 0 } }), 50, n / kWidth);
        return m_figures;
    }

private:
    bool compile(Workflow workflow)
    {
        m_workflow.emplace(std::move(workflow));
        const auto start = Steady::now();
        auto program = engine::compile(m_workflow->graph, m_workflow->nodes);
        m_figures.more.set("compile_ms", Value(secondsSince(start) * 1e3));
        if (!program) {
            m_figures.problem = program.error().message;
            return false;
        }
        m_engine.emplace(*std::move(program), engine::Services{ m_setup.store, m_clock, m_random, nullptr });
        return true;
    }

    bool invoke(const std::string& thread, Value input, std::int64_t limit)
    {
        engine::RunOptions options;
        options.thread = ThreadId(thread);
        options.recursionLimit = static_cast<int>(limit + 10);
        options.durability = m_setup.durability;
        const engine::RunResult result = m_engine->run(engine::RunInput::input(std::move(input)), options);
        if (result.status != RunStatus::Done)
            m_figures.problem = result.errorType + ": " + result.error;
        return result.status == RunStatus::Done;
    }

    void once(Workflow workflow, Value input, std::int64_t limit, std::int64_t supersteps)
    {
        if (!compile(std::move(workflow)))
            return;
        startClocks();
        if (invoke("t", std::move(input), limit))
            stopClocks();
        m_figures.supersteps = supersteps;
    }

    void repeated(Workflow workflow, const std::function<Value(std::int64_t)>& input, bool freshThreads,
                  std::int64_t supersteps)
    {
        if (!compile(std::move(workflow)))
            return;
        startClocks();
        for (std::int64_t i = 0; i < m_figures.n; ++i)
            if (!invoke(freshThreads ? "t" + std::to_string(i) : "t", input(i), 25))
                return;
        stopClocks();
        m_figures.supersteps = supersteps;
    }

    void history()
    {
        const std::int64_t steps = m_figures.n - 2; // beside the input's two checkpoints
        if (!compile(counterWorkflow(steps)) || !invoke("t", Value(ValueMap{ { "count", 0 } }), steps))
            return;
        const engine::StateAddress at{ ThreadId("t"), "", std::nullopt };
        constexpr int reads = 200;
        auto start = Steady::now();
        (void)m_engine->getState(at);
        m_figures.more.set("get_state_us", Value(secondsSince(start) * 1e6));
        start = Steady::now();
        for (int i = 0; i < reads; ++i)
            (void)m_engine->getState(at);
        m_figures.more.set("get_state_warm_us", Value(secondsSince(start) / reads * 1e6));
        start = Steady::now();
        (void)list(20);
        m_figures.more.set("first20_ms", Value(secondsSince(start) * 1e3));
        startClocks();
        m_figures.supersteps = list(std::nullopt);
        stopClocks();
    }

    std::int64_t list(std::optional<std::int64_t> limit)
    {
        std::int64_t count = 0;
        if (auto failed = m_engine->history({ { ThreadId("t"), "", {} }, {}, limit, {} },
                                            [&count](const engine::StateSnapshot&) { return ++count > 0; }))
            m_figures.problem = failed->message;
        return count;
    }

    void startClocks()
    {
        m_cpuStart = cpuSeconds();
        m_start = Steady::now();
    }
    void stopClocks()
    {
        m_figures.seconds = secondsSince(m_start);
        m_figures.cpuSeconds = cpuSeconds() - m_cpuStart;
    }

    const Setup& m_setup;
    Steady::time_point m_start;
    double m_cpuStart = 0;
    Figures m_figures;
    SystemClock m_clock;
    SystemRandom m_random;
    std::optional<Workflow> m_workflow;
    std::optional<engine::Engine> m_engine;
};

} // namespace

Figures measure(const Setup& setup)
{
    return Measurement(setup).run();
}

} // namespace sg::bench
