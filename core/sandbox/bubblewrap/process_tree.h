#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace sg::sandbox {

struct TreeUsage {
    double cpuSeconds = 0; // with what ended processes used
    std::int64_t memoryBytes = 0; // shared pages counted once among those that share them
    std::int64_t threads = 0;
};

// The process and all below it; orphans are below it if it is process 1 of its pid namespace.
std::vector<pid_t> processTree(pid_t root);
TreeUsage treeUsage(pid_t root);
// Every process of the tree stands still, or goes on. False: they fork faster than they could be stopped.
bool stopTree(pid_t root);
void continueTree(pid_t root);

} // namespace sg::sandbox
