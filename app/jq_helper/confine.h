#pragma once

#include <cstddef>

namespace sg::jq_helper {

// From here on this process can compute and talk on the descriptors it has, nothing else: no file, no
// process, no network, no core dump, nobody's debugger, `memoryBytes` of address space. False: the kernel
// refused; do not go on.
bool confine(std::size_t memoryBytes);

} // namespace sg::jq_helper
