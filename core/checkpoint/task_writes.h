#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/new_rows.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

// These functions number and keep the writes of a task as LangGraph's savers do.
namespace sg::checkpoint {

// Returns -1 … -4 for __error__, __scheduled__, __interrupt__ and __resume__.
std::optional<std::int64_t> specialIndex(std::string_view channel);

// The writes of one task, out of a list that may hold those of several, each task's together.
struct TaskWrites {
    std::span<const PendingWrite> writes;
    bool replaces = false; // every channel is special: newer rows win; otherwise older ones stay

    [[nodiscard]] std::int64_t indexOf(std::size_t position) const;
};
std::vector<TaskWrites> writesByTask(const std::vector<PendingWrite>& writes);

bool onlySpecial(const NewWrites& task);

} // namespace sg::checkpoint
