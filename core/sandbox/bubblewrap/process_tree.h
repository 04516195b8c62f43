#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace sg::sandbox {

struct TreeUsage {
    double cpuSeconds = 0; // including ended processes
    std::int64_t memoryBytes = 0; // pages shared by several processes count once
    std::int64_t threads = 0;
};

// The process and all its descendants; these include orphans if it is process 1 of its pid namespace.
std::vector<pid_t> processTree(pid_t root);
TreeUsage treeUsage(pid_t root);
// Stops every process of the tree. False: they fork faster than they can be stopped, and all go on.
bool stopTree(pid_t root);
void continueTree(pid_t root);

} // namespace sg::sandbox
