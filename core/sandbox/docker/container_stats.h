#pragma once

#include "core/base/value.h"
#include "core/sandbox/docker/engine_api.h"
#include "core/sandbox/docker/json_lines.h"
#include "core/sandbox/sandbox.h"

#include <optional>
#include <string>

namespace sg::sandbox {

// An object of the engine's stats as a sample, without its percentage.
struct StatsSample {
    ResourceSample sample;
    std::string measured; // the engine's time; differs for each object
};
StatsSample parseStats(const Value& stats);

// CPU percentage between two of the engine's objects: 100 is one core; 0: they cannot be compared.
double statsCpuPercent(const Value& before, const Value& after);

// ContainerStats samples a container over one connection, opened with the first sample: a single request
// takes the engine a second.
class ContainerStats {
public:
    // Waits about a second for a connection's first object; afterwards returns at once.
    Result<ResourceSample> sample(const EngineApi& engine, const std::string& container);

private:
    Result<void> receive(const EngineApi& engine, const std::string& container);

    std::optional<JsonLines> m_lines;
    Value m_last;
    double m_percent = 0;
    std::chrono::steady_clock::time_point m_received;
};

} // namespace sg::sandbox
