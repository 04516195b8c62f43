#pragma once

#include <cstddef>

namespace sg {

// Takes bytes from the kernel's generator, for seeds and for names that nobody may guess. Code that a test
// must be able to repeat takes a Random instead.
void fillRandomBytes(void* target, std::size_t count);

} // namespace sg
