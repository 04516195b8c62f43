#pragma once

#include "core/base/clock.h"

#include <atomic>

namespace sg::test {

// 1, 2, 3 …: ids that a test can write down. Any thread.
class CountingRandom final : public Random {
public:
    std::uint64_t next() override { return ++m_last; }

private:
    std::atomic<std::uint64_t> m_last{ 0 };
};

} // namespace sg::test
