#pragma once

#include "core/engine/node_body.h"

namespace sg::engine {

// The context in which a state update runs a node's branches: they read input and ids; nobody answers.
class UpdateContext final : public TaskContext {
public:
    UpdateContext(ThreadId thread, NodeId node, TaskId task, const Value& input)
        : m_input(input)
    {
        m_info.thread = std::move(thread);
        m_info.node = std::move(node);
        m_info.task = std::move(task);
    }
    [[nodiscard]] const TaskInfo& info() const override { return m_info; }
    [[nodiscard]] const Value& input() const override { return m_input; }
    [[nodiscard]] Value config() const override
    {
        return Value::map({ { "configurable", Value::map({ { "thread_id", m_info.thread.value } }) } });
    }
    [[nodiscard]] std::stop_token stopToken() const override { return {}; }
    std::optional<Value> interrupt(const Value& /*value*/) override { return std::nullopt; }
    [[nodiscard]] ValueList answersAhead() const override { return {}; }
    void emitCustom(Value /*value*/) override { }
    void log(Stream /*stream*/, std::string_view /*bytes*/) override { }

private:
    TaskInfo m_info;
    const Value& m_input;
};

} // namespace sg::engine
