#pragma once

#include "core/query/query.h"

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sg::query {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// The values that terms are compared with. The views must outlive it.
struct Subject {
    Kind kind = Kind::Checkpoint;
    std::string_view thread;
    std::string_view checkpoint; // empty, here and below: it has none
    std::string_view run;
    std::span<const std::string> nodes; // for a checkpoint: the nodes that made it
    std::string_view status;
    std::string_view source;
    std::string_view stream;
    std::optional<std::int64_t> step;
    double attempts = kUnknown;
    double seconds = kUnknown;
    double timeMs = kUnknown; // since 1970
    std::string_view text; // searched for words, besides the names above
};

bool matches(const Query& query, const Subject& subject);

// False: nothing of that kind can match, so it need not be read.
bool mayMatch(const Query& query, Kind kind);

} // namespace sg::query
