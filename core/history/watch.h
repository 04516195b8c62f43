#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/checkpoint/checkpoint_store.h"
#include "core/checkpoint/state_values.h"
#include "core/expressions/jq_evaluator.h"

#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sg::history {

struct WatchPoint {
    CheckpointId checkpoint;
    Value value{}; // the program's first output; null: it has none
    std::string error{}; // for this state alone; then there is no value
};

// Evaluates one jq program on many states, in the confined helper that runs a graph's programs. One thread
// may use it at a time; `store` outlives it. `database` is the store's file, from which many states are read
// faster; empty: there is none.
class Watch {
public:
    Watch(checkpoint::CheckpointStore& store, ThreadId thread, std::string program, const std::string& helper,
          const std::filesystem::path& database = {});
    Watch(Watch&&) noexcept;
    ~Watch();

    // Errc::InvalidArgument: it is no jq program; the message says where it fails.
    Result<void> check();
    // Evaluates checkpoints of the thread's root graph, in their order.
    Result<std::vector<WatchPoint>> points(const std::vector<CheckpointId>& checkpoints);

private:
    Result<void> evaluate(const ValueList& states, std::span<WatchPoint> points);
    Result<void> add(std::span<const CheckpointId> checkpoints, std::vector<WatchPoint>& points,
                     std::future<Result<void>>& underWay);

    checkpoint::CheckpointStore& m_store;
    std::optional<checkpoint::StateValues> m_file;
    ThreadId m_thread;
    std::string m_program;
    std::string m_helper;
    std::unique_ptr<expressions::JqEvaluator> m_evaluator; // [0] takes a list of states, [1] one state
};

} // namespace sg::history
