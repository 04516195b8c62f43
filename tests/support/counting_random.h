#pragma once

#include "core/base/clock.h"

#include <atomic>

namespace sg::test {

// Returns 1, 2, 3 …, for ids that a test can predict. Any thread.
class CountingRandom final : public Random {
public:
    std::uint64_t next() override { return ++m_last; }

private:
    std::atomic<std::uint64_t> m_last{ 0 };
};

} // namespace sg::test
