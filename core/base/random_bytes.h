#pragma once

#include <cstddef>

namespace sg {

// From the kernel's generator. For seeds and for names that nobody may guess; anything that a test must be
// able to repeat takes a Random instead.
void fillRandomBytes(void* target, std::size_t count);

} // namespace sg
