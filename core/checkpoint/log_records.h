#pragma once

#include "core/checkpoint/run_log.h"

#include <vector>

namespace sg::checkpoint {

// Merges two lists that are in order of time and returns the newest `limit` records. Records of one list keep
// their order, whatever their times.
inline std::vector<LogRecord> newestOfBoth(const std::vector<LogRecord>& one,
                                           const std::vector<LogRecord>& other, std::int64_t limit)
{
    std::vector<LogRecord> both;
    both.reserve(one.size() + other.size());
    auto left = one.begin();
    auto right = other.begin();
    while (left != one.end() || right != other.end()) {
        const bool takesLeft = right == other.end() || (left != one.end() && left->time <= right->time);
        both.push_back(takesLeft ? *left++ : *right++);
    }
    const std::int64_t surplus = std::ssize(both) - std::max<std::int64_t>(limit, 0);
    if (surplus > 0)
        both.erase(both.begin(), both.begin() + surplus);
    return both;
}

} // namespace sg::checkpoint
