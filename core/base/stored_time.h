#pragma once

#include "core/base/clock.h"

#include <algorithm>
#include <chrono>

namespace sg {

// Times that were read from a file, a database or another program, which may hold any number. The clock
// counts nanoseconds: 292 years before and after 1970 are all that it can hold, and a sum beyond that is
// undefined.

inline constexpr std::chrono::hours kMostStoredSpan{ 24 * 36525 }; // 100 years

// Returns the moment so long after 1970, at most 146 years before or after it, so that a span can be added.
template<typename Rep, typename Period>
[[nodiscard]] WallTime storedTime(std::chrono::duration<Rep, Period> since1970)
{
    using Stored = std::chrono::duration<Rep, Period>;
    constexpr WallTime::duration most = WallTime::duration::max() / 2;
    const Stored last = std::chrono::duration_cast<Stored>(most);
    return WallTime(std::chrono::duration_cast<WallTime::duration>(std::clamp(since1970, -last, last)));
}

// Returns a span of time: none below 0, and at most 100 years.
template<typename Rep, typename Period>
[[nodiscard]] std::chrono::duration<Rep, Period> storedSpan(std::chrono::duration<Rep, Period> span)
{
    using Stored = std::chrono::duration<Rep, Period>;
    return std::clamp(span, Stored::zero(), std::chrono::duration_cast<Stored>(kMostStoredSpan));
}

} // namespace sg
