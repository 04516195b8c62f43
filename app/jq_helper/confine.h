#pragma once

#include <cstddef>

namespace sg::jq_helper {

// Restricts this process to computing and to its open descriptors: no files, processes, network, core dump or
// debugger, and `memoryBytes` of address space. False: the kernel refused, and the caller must not go on.
bool confine(std::size_t memoryBytes);

} // namespace sg::jq_helper
