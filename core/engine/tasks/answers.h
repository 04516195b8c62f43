#pragma once

#include "core/base/value.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace sg::engine {

// The answer of a resumed run that names no interrupt: the first task that asks takes it. Any thread.
class SingleAnswer {
public:
    explicit SingleAnswer(Value value)
        : m_value(std::move(value))
    {
    }
    std::optional<Value> take();
    [[nodiscard]] std::optional<Value> peek() const;
    // Called once another task's writes are recorded: only an answer taken after that is stored at the exit.
    void settle();
    [[nodiscard]] bool isDropped() const;

private:
    mutable std::mutex m_mutex;
    Value m_value;
    // Guarded by m_mutex:
    bool m_taken = false;
    bool m_settled = false;
    bool m_dropped = false;
};

// The values that a task's interrupt() calls return, in order. They belong to the task's thread, also for
// nested graphs.
class Answers {
public:
    Answers(std::vector<Value> given, std::shared_ptr<SingleAnswer> single, Answers* parent)
        : m_given(std::move(given))
        , m_single(std::move(single))
        , m_parent(parent)
    {
    }
    // The answer to the next call, and the answers to record with it.
    struct Given {
        Value answer;
        ValueList recorded;
    };
    std::optional<Given> next();
    [[nodiscard]] ValueList ahead() const;
    [[nodiscard]] std::size_t count() const { return m_given.size(); }
    void restart() { m_calls = 0; } // a new attempt asks from the first question on
    // Returns which of the task's nested runs this is: 0, 1, …
    int nextSubgraph() { return m_subgraphs++; }

private:
    std::optional<Value> takeSingle();
    [[nodiscard]] std::optional<Value> peekSingle() const;

    std::vector<Value> m_given;
    std::shared_ptr<SingleAnswer> m_single; // shared by the tasks of a superstep
    Answers* m_parent; // those of the task that this graph is nested in
    std::size_t m_calls = 0;
    std::atomic<int> m_subgraphs = 0;
};

} // namespace sg::engine
