#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/new_rows.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

// How LangGraph's savers number and keep the writes of one task.
namespace sg::checkpoint {

// -1 … -4 for __error__, __scheduled__, __interrupt__ and __resume__.
std::optional<std::int64_t> specialIndex(std::string_view channel);

// The writes of one task out of a list, which may hold those of several, each task's together.
struct TaskWrites {
    std::span<const PendingWrite> writes;
    bool replaces = false; // every channel is special: newer rows win; else older ones stay

    [[nodiscard]] std::int64_t indexOf(std::size_t position) const;
};
std::vector<TaskWrites> writesByTask(const std::vector<PendingWrite>& writes);

// Every channel of the task's writes is special.
bool onlySpecial(const NewWrites& task);

} // namespace sg::checkpoint
