#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/value.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <unordered_map>

namespace sg::checkpoint {

// A write of a task to a channel that holds messages.
struct MessageWrite {
    std::string ns; // of the graph whose task wrote it; empty: the root graph
    std::string task;
    std::string node; // that task's; empty: unknown
    std::string startedAt; // ISO 8601; empty: unknown
    double seconds = -1; // of all attempts; -1: unknown
    std::string checkpoint; // of the root graph: where the superstep started; empty: unknown
    std::string rootNode; // the node of the root graph that it belongs to; empty: unknown
    Value value;
};

// Visits the rows that came after row `after`, in the order in which they came, and returns the number of the
// last one. Values above kMostMessageWrite are left out: they are whole lists, written again.
// Errc::Cancelled: `stop` was requested.
inline constexpr std::int64_t kMostMessageWrite = 4'000'000; // bytes
Result<std::int64_t> readMessageWrites(const std::filesystem::path& database, const ThreadId& thread,
                                       std::int64_t after,
                                       const std::function<void(const MessageWrite&)>& take,
                                       const std::stop_token& stop = {});

// The record of a task that has ended.
struct EndedTask {
    std::string checkpoint; // where its superstep started
    std::string startedAt; // ISO 8601
    double seconds = -1; // of all attempts
};
Result<std::unordered_map<std::string, EndedTask>> readEndedTasks(const std::filesystem::path& database,
                                                                  const ThreadId& thread);

// Returns the parents of the root graph's checkpoints: of the thread; empty text: it has none.
Result<std::unordered_map<std::string, std::string>> readParents(const std::filesystem::path& database,
                                                                 const ThreadId& thread);

} // namespace sg::checkpoint
