#pragma once

#include "core/base/clock.h"
#include "core/base/value.h"

#include <string>
#include <utility>
#include <vector>

namespace sg::telemetry {

// A piece of work with its time. Its texts have no secrets.
struct Span {
    enum class Kind { Internal = 1, Client = 3 }; // OTLP's numbers

    std::string trace; // 32 hex digits
    std::string id; // 16 hex digits
    std::string parent; // empty: it is the trace's root
    std::string name;
    Kind kind = Kind::Internal;
    WallTime begin{};
    WallTime end{};
    std::vector<std::pair<std::string, Value>> attributes{}; // texts, numbers, flags and lists of them
    std::string error{}; // empty: it went well
};

// Returns the body of a request to a collector: an ExportTraceServiceRequest in OTLP's JSON.
std::string otlpTraces(const std::vector<Span>& spans);

} // namespace sg::telemetry
