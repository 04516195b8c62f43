#pragma once

#include "core/base/value.h"
#include "core/sandbox/docker/engine_api.h"
#include "core/sandbox/docker/json_lines.h"
#include "core/sandbox/sandbox.h"

#include <optional>
#include <string>

namespace sg::sandbox {

// One object of the engine's stats as a sample, without its percentage; `cpuTime` is when the engine
// measured.
struct StatsSample {
    ResourceSample sample;
    std::string measured; // the engine's time; changes with each object
};
StatsSample parseStats(const Value& stats);

// CPU in percent between two of the engine's objects: 100 is one core; 0 where they cannot be compared.
double statsCpuPercent(const Value& before, const Value& after);

// A container's resource use, from one connection that is opened with the first sample: a single question
// takes the engine a second each.
class ContainerStats {
public:
    // Waits for the first object of a connection, about a second; afterwards answers at once.
    Result<ResourceSample> sample(const EngineApi& engine, const std::string& container);

private:
    Result<void> receive(const EngineApi& engine, const std::string& container);

    std::optional<JsonLines> m_lines;
    Value m_last;
    double m_percent = 0;
    std::chrono::steady_clock::time_point m_received;
};

} // namespace sg::sandbox
