#include "core/sandbox/docker/container_stats.h"

#include <algorithm>

namespace sg::sandbox {
namespace {

using namespace std::chrono_literals;

constexpr auto kFirstObject = 5s;
constexpr auto kStale = 5s; // the engine sends one a second

std::int64_t cpuTotal(const Value& stats, const char* part = "cpu_stats")
{
    return stats[part]["cpu_usage"].intOr("total_usage", 0);
}

} // namespace

StatsSample parseStats(const Value& stats)
{
    StatsSample parsed;
    ResourceSample& sample = parsed.sample;
    const Value& memory = stats["memory_stats"];
    const Value& detail = memory["stats"];
    // Control groups of version 1 have the total_ names, version 2 the plain ones.
    const std::int64_t cache = detail.intOr("total_inactive_file", detail.intOr("inactive_file", 0));
    sample.memoryBytes = std::max<std::int64_t>(memory.intOr("usage", 0) - cache, 0);
    sample.memoryLimit = std::max<std::int64_t>(memory.intOr("limit", 0), 0);
    sample.cpuSeconds = static_cast<double>(std::max<std::int64_t>(cpuTotal(stats), 0)) / 1e9;
    sample.pids = std::max<std::int64_t>(stats["pids_stats"].intOr("current", 0), 0);
    sample.pidsLimit = std::max<std::int64_t>(stats["pids_stats"].intOr("limit", 0), 0);
    sample.throttled = std::chrono::milliseconds(
        std::max<std::int64_t>(stats["cpu_stats"]["throttling_data"].intOr("throttled_time", 0), 0)
        / 1'000'000);
    parsed.measured = stats.stringOr("read", "");
    return parsed;
}

double statsCpuPercent(const Value& before, const Value& after)
{
    const Value& cpu = after["cpu_stats"];
    const std::int64_t used = cpuTotal(after) - cpuTotal(before);
    const std::int64_t passed =
        cpu.intOr("system_cpu_usage", 0) - before["cpu_stats"].intOr("system_cpu_usage", 0);
    const std::int64_t listed = cpu["cpu_usage"]["percpu_usage"].isList()
        ? static_cast<std::int64_t>(cpu["cpu_usage"]["percpu_usage"].asList().size())
        : 1;
    const std::int64_t cpus = cpu.intOr("online_cpus", listed);
    if (before.isNull() || used < 0 || passed <= 0 || before["cpu_stats"].intOr("system_cpu_usage", 0) <= 0)
        return 0;
    return static_cast<double>(used) / static_cast<double>(passed) * static_cast<double>(cpus) * 100;
}

Result<void> ContainerStats::receive(const EngineApi& engine, const std::string& container)
{
    const auto now = std::chrono::steady_clock::now();
    const bool stale = !m_last.isNull() && now - m_received > kStale;
    if (m_lines && !m_lines->ended() && !stale)
        return {};
    m_lines.reset();
    auto stream = engine.follow("/containers/" + container + "/stats?stream=1");
    if (!stream)
        return std::move(stream.error());
    m_lines.emplace(std::move(*stream));
    return {};
}

Result<ResourceSample> ContainerStats::sample(const EngineApi& engine, const std::string& container)
{
    // Objects that came meanwhile are taken first; they may be old, as nobody asked.
    std::vector<Value> objects = m_lines ? m_lines->take() : std::vector<Value>();
    if (objects.empty()) {
        if (auto opened = receive(engine, container); !opened)
            return std::move(opened.error());
        const bool known = !m_last.isNull() && std::chrono::steady_clock::now() - m_received <= kStale;
        objects = m_lines->take(known ? 0ms : std::chrono::milliseconds(kFirstObject));
    }
    for (Value& object : objects) {
        if (object["cpu_stats"].isNull())
            continue;
        m_percent = statsCpuPercent(m_last, object);
        m_last = std::move(object);
        m_received = std::chrono::steady_clock::now();
    }
    if (m_last.isNull())
        return Error{ Errc::Timeout, "the engine tells nothing about the resource use of " + container };
    ResourceSample sample = parseStats(m_last).sample;
    sample.time = std::chrono::system_clock::now();
    sample.cpuPercent = m_percent;
    return sample;
}

} // namespace sg::sandbox
