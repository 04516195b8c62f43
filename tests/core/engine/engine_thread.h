#pragma once

#include "core/base/json.h"
#include "core/base/thread_pool.h"
#include "core/checkpoint/memory_checkpoint_store.h"
#include "core/engine/engine.h"
#include "tests/core/engine/text_graph.h"
#include "tests/support/counting_random.h"
#include "tests/support/fake_clock.h"
#include "tests/support/qtest_std.h"

#include <memory>
#include <string>
#include <vector>

namespace sg::test {

// One thread of one graph, run as often as the test likes; what happened stands in text.
class EngineThread {
public:
    EngineThread(const graph::Graph& graph, FunctionNodes nodes, checkpoint::CheckpointStore* given = nullptr)
        : m_nodes(std::move(nodes))
        , m_owned(given == nullptr ? checkpoint::makeMemoryCheckpointStore() : nullptr)
        , m_store(given == nullptr ? m_owned.get() : given)
        , m_pool(4)
    {
        auto program = engine::compile(graph, m_nodes);
        if (!program)
            qFatal("%s", program.error().message.c_str());
        m_engine = std::make_unique<engine::Engine>(*std::move(program),
                                                    engine::Services{ m_store, m_clock, m_random, &m_pool });
        options.thread = ThreadId("t");
    }

    engine::RunResult run(const engine::RunInput& input)
    {
        events.clear();
        return m_engine->run(input, options,
                             [this](const engine::RunEvent& event) { events.push_back(event); });
    }
    engine::RunResult run(std::string_view input) { return run(engine::RunInput::input(json(input))); }
    engine::RunResult goOn() { return run(engine::RunInput::goOn()); }

    // "1 a b; 2 c": the tasks of each superstep in order of their start, ":" and how they ended where it was
    // not well.
    [[nodiscard]] std::string trace() const
    {
        std::string text;
        std::int64_t step = -100;
        for (const engine::RunEvent& event : events) {
            if (const auto* task = std::get_if<engine::TaskStarted>(&event.body);
                task != nullptr && task->step != step) {
                step = task->step;
                text += (text.empty() ? "" : "; ") + std::to_string(step);
            }
            const auto* task = std::get_if<engine::TaskFinished>(&event.body);
            if (task == nullptr)
                continue;
            text += " " + task->node.value;
            if (task->outcome == engine::TaskFinished::Outcome::Failed)
                text += ":failed";
            if (task->outcome == engine::TaskFinished::Outcome::Interrupted)
                text += ":asks";
            if (task->outcome == engine::TaskFinished::Outcome::Stopped)
                text += ":stopped";
        }
        return text;
    }
    [[nodiscard]] engine::StateSnapshot state()
    {
        return std::get<engine::StateSnapshot>(m_engine->getState({ options.thread, "", std::nullopt }));
    }
    [[nodiscard]] engine::Engine& engine() { return *m_engine; }
    [[nodiscard]] FakeClock& clock() { return m_clock; }

    engine::RunOptions options;
    std::vector<engine::RunEvent> events; // of the last run

private:
    FunctionNodes m_nodes;
    std::unique_ptr<checkpoint::CheckpointStore> m_owned;
    checkpoint::CheckpointStore* m_store;
    FakeClock m_clock;
    CountingRandom m_random;
    ThreadPool m_pool;
    std::unique_ptr<engine::Engine> m_engine;
};

inline std::string text(const Value& value)
{
    return toJson(value);
}

} // namespace sg::test
