#pragma once

#include "core/engine/node_body.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sg::test {

// A task without an engine: what a body asked, printed and used stands in plain fields afterwards.
class FakeTaskContext final : public engine::TaskContext {
public:
    explicit FakeTaskContext(Value input = Value(ValueMap()))
        : m_input(std::move(input))
    {
        task.thread = ThreadId("alice");
        task.run = RunId("run");
        task.node = NodeId("analyze");
        task.task = TaskId("task");
        task.step = 2;
    }

    [[nodiscard]] const engine::TaskInfo& info() const override { return task; }
    [[nodiscard]] const Value& input() const override { return m_input; }
    [[nodiscard]] bool mayWrite(std::string_view channel) const override
    {
        return m_input.find(channel) != nullptr || std::ranges::find(unseen, channel) != unseen.end();
    }
    [[nodiscard]] Value config() const override
    {
        ValueMap configurable{ { "thread_id", task.thread.value } };
        for (const auto& [key, value] : ofRun)
            configurable.set(key, value);
        return Value::map({ { "configurable", Value(std::move(configurable)) } });
    }
    [[nodiscard]] std::stop_token stopToken() const override { return stop.get_token(); }
    std::optional<Value> interrupt(const Value& value) override
    {
        if (used < answers.size())
            return answers.at(used++);
        asked.push_back(value);
        return std::nullopt;
    }
    [[nodiscard]] ValueList answersAhead() const override { return answers; }
    std::optional<Value> runSubgraph(const Value& input) override
    {
        subgraphInputs.push_back(input);
        return Value::map({ { "seen", input } });
    }
    void emitCustom(Value value) override { custom.push_back(std::move(value)); }
    [[nodiscard]] bool streamsMessages() const override { return streams; }
    void emitMessage(Value message, const ValueMap& about) override
    {
        messages.push_back(Value::list({ std::move(message), Value(about) }));
    }
    void log(Stream stream, std::string_view bytes) override
    {
        (stream == Stream::Stdout ? out : stream == Stream::Stderr ? err : events).append(bytes);
    }

    std::vector<std::string> unseen; // channels of the state that the input does not show
    engine::TaskInfo task;
    std::stop_source stop;
    ValueList answers;
    std::size_t used = 0;
    ValueList asked;
    ValueList custom;
    ValueMap ofRun; // configurable
    bool streams = false;
    ValueList messages; // of the stream mode
    ValueList subgraphInputs;
    std::string out;
    std::string err;
    std::string events;

private:
    const Value m_input;
};

// "returned {…}", "interrupted" or "ValueError: boom"
inline std::string outcomeText(const engine::NodeOutcome& outcome, std::string (*json)(const Value&))
{
    if (const auto* returned = std::get_if<engine::Returned>(&outcome))
        return "returned " + json(returned->value);
    if (const auto* failure = std::get_if<engine::Failure>(&outcome))
        return failure->type + ": " + failure->message;
    return "interrupted";
}

} // namespace sg::test
