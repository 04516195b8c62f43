#pragma once

#include "core/engine/node_body.h"
#include "core/engine/run_event.h"
#include "core/models/model_desk.h"
#include "core/telemetry/span.h"

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace sg::telemetry {

// A call of an agent's tool that has ended.
struct ToolUse {
    std::string agent;
    std::string tool;
    std::string call; // its id
    std::string error{}; // the type of one; empty: it went well
    std::chrono::duration<double> took{ 0 };
};

// Makes spans of what runs tell, one trace a run, and hands each over as it ends. Names follow
// OpenTelemetry's conventions for generative AI. Any thread.
class RunSpans {
public:
    RunSpans(std::function<void(Span)> sink, const Clock& clock);

    void take(const engine::RunEvent& event);
    void take(const models::ToldCall& call);
    void take(const engine::TaskInfo& task, const ToolUse& use);

private:
    struct Run {
        std::string graph;
        WallTime began{};
        std::set<std::string> agents; // ids of tasks that turned out to be an agent's
    };
    void endTask(const engine::RunEvent& event, const engine::TaskFinished& task);
    void endRun(const engine::RunEvent& event, const engine::RunFinished& end);
    void noteAgent(const RunId& run, const std::string& ns);

    const std::function<void(Span)> m_sink;
    const Clock& m_clock;
    std::mutex m_mutex;
    std::map<RunId, Run> m_runs; // guarded by m_mutex; those that go on
};

} // namespace sg::telemetry
