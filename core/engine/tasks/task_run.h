#pragma once

#include "core/engine/node_body.h"
#include "core/engine/out/run_context.h"
#include "core/engine/steps/task_end.h"
#include "core/engine/steps/writers.h"
#include "core/engine/tasks/answers.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sg::engine {

// Executes one task on its thread: attempts, its node's body and writers, interrupts and nested graphs.
class TaskRun final : public TaskContext {
public:
    // A TaskRun needs this from the loop; it is constant while tasks run, so that several threads may ask.
    struct Host {
        virtual ~Host() = default;
        [[nodiscard]] virtual const GraphState& state() const = 0;
        [[nodiscard]] virtual const StepLimits& limits() const = 0;
        [[nodiscard]] virtual bool runsAlone() const = 0; // no other task of the superstep runs meanwhile
        [[nodiscard]] virtual const std::string& ns() const = 0;
        [[nodiscard]] virtual const CheckpointId& checkpoint() = 0;
        virtual const std::string& taskId(Task& task) = 0;
        [[nodiscard]] virtual std::size_t placeOf(const Task& task) const = 0; // in the superstep
        [[nodiscard]] virtual std::vector<NodeId> nodesOfSuperstep() const = 0;
        // Runs the task's subgraph, resuming if the task is a retry.
        virtual TaskEnd runNested(TaskRun& task, const Value& input) = 0;
        virtual void emitCustom(const Task& task, Value value) = 0;
        [[nodiscard]] virtual bool streamsMessages() const = 0;
        virtual void emitMessage(Value message, Value metadata) = 0;
    };

    TaskRun(Host& host, RunContext& run, Task& task, Answers& answers);

    // The task's writes are in task.writes afterwards.
    TaskEnd execute();

    [[nodiscard]] Task& task() { return m_task; }
    [[nodiscard]] Answers& answers() { return m_answers; }
    [[nodiscard]] const CompiledNode& node() const { return m_node; }
    [[nodiscard]] bool isRetry() const { return m_attempt > 1; }
    [[nodiscard]] std::string taskNs() const;

    [[nodiscard]] const TaskInfo& info() const override;
    [[nodiscard]] const Value& input() const override { return *m_input; }
    [[nodiscard]] Value state() const override;
    [[nodiscard]] bool mayWrite(std::string_view channel) const override;
    [[nodiscard]] const HandledError* handled() const override { return m_handled; }
    [[nodiscard]] Value config() const override;
    [[nodiscard]] Value runContext() const override { return m_run.options.context; }
    [[nodiscard]] std::stop_token stopToken() const override { return m_run.options.stop; }
    [[nodiscard]] TaskPlace place() const override;
    [[nodiscard]] std::vector<NodeId> nodesOfSuperstep() const override { return m_host.nodesOfSuperstep(); }
    void waited(std::chrono::duration<double> time) override { m_task.waitedSeconds += time.count(); }
    std::optional<Value> interrupt(const Value& value) override;
    [[nodiscard]] ValueList answersAhead() const override { return m_answers.ahead(); }
    std::optional<Value> runSubgraph(const Value& input) override;
    [[nodiscard]] const Failure* subgraphFailure() const override;
    void emitCustom(Value value) override;
    [[nodiscard]] bool streamsMessages() const override { return m_host.streamsMessages(); }
    void emitMessage(Value message, const ValueMap& about) override;
    void log(Stream stream, std::string_view bytes) override;
    void warn(std::string_view line) override;
    void restored(Value&& how) override;

private:
    TaskEnd attempt();
    TaskEnd runBody();
    TaskEnd finish(NodeOutcome outcome);
    TaskEnd writeResult(const Value& returned);
    [[nodiscard]] bool canReadInputAgain() const;
    NodeOutcome runBranch(NodeBody& body, const Value& input);
    bool takeCommand(TaskEnd& end);
    bool retry(const Failure& failure);
    Value handlerInput() const;

    Host& m_host;
    RunContext& m_run;
    Task& m_task;
    Answers& m_answers;
    const CompiledNode& m_node;
    const Value* m_input;
    const HandledError* m_handled = nullptr; // while the body of an error handler runs
    int m_attempt = 1;
    std::optional<TaskEnd> m_bubble; // why the body must end
    mutable std::optional<TaskInfo> m_info; // made on demand
};

} // namespace sg::engine
