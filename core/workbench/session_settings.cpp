#include "core/workbench/session_settings.h"

#include <algorithm>
#include <cmath>
#include <system_error>

namespace sg::workbench {
namespace {

constexpr std::int64_t kMiB = 1LL << 20;
constexpr const char* kDefaultImage = "sandglass/python";

std::string orDefault(const std::string& value, const char* fallback)
{
    return value.empty() ? fallback : value;
}

void applyLimits(const graph::SandboxLimits& from, SessionSettings& to)
{
    sandbox::Limits& limits = to.session.limits;
    if (from.memoryMb)
        limits.memoryBytes = *from.memoryMb * kMiB;
    if (from.tmpfsMb)
        limits.tmpfsBytes = *from.tmpfsMb * kMiB;
    if (from.pids)
        limits.pids = *from.pids;
    if (from.cpus)
        limits.cpus = *from.cpus;
    if (from.cellSeconds)
        to.cell.deadline = std::chrono::milliseconds(std::llround(*from.cellSeconds * 1000));
    if (from.outputMb)
        to.cell.outputBytes = *from.outputMb * kMiB;
}

} // namespace

bool usesSandbox(const graph::Graph& graph)
{
    return std::ranges::any_of(graph.nodes,
                               [](const graph::Node& node) {
                                   return node.kind == "python" || node.errorHandler.find("file") != nullptr
                                       || (node.subgraph && usesSandbox(*node.subgraph));
                               })
        || std::ranges::any_of(graph.branches,
                               [](const graph::Branch& branch) { return branch.settings.contains("file"); });
}

Result<SessionSettings> sessionSettings(const graph::Graph& graph, const ProjectPaths& project,
                                        const SessionChoice& choice)
{
    const graph::SandboxSettings& wanted = graph.sandbox;
    SessionSettings settings;
    sessions::SessionSpec& spec = settings.session;
    spec.backend = choice.backend.empty() ? orDefault(wanted.backend, "auto") : choice.backend;
    spec.storage = orDefault(wanted.storage, "TMPFS");
    spec.datasets = orDefault(wanted.datasets, "NONE");
    spec.image = orDefault(wanted.image, kDefaultImage);
    if (spec.backend == "auto" && spec.image != kDefaultImage)
        spec.backend = "docker"; // what the graph asks for is in its image: no other backend has it
    spec.keep = choice.keep;
    applyLimits(wanted.limits, settings);
    if (!wanted.egress.empty())
        return Error{
            Errc::Unsupported,
            "the graph's sandbox asks for network (/sandbox/egress), which this version does not offer: "
            "sandboxes have none. Remove it."
        };
    if (spec.datasets == "API" || spec.datasets == "HYBRID")
        return Error{ Errc::Unsupported,
                      "dataset access " + spec.datasets
                          + " is not offered by this version: use NONE or LOCAL_RO" };
    if (spec.datasets == "LOCAL_RO") {
        std::error_code failed;
        if (!std::filesystem::is_directory(project.datasets, failed))
            return Error{ Errc::NotFound,
                          "the graph reads local datasets, but " + project.datasets.string()
                              + " is missing. Put the files there, or set /sandbox/datasets to NONE." };
        spec.datasetFolder = project.datasets;
    }
    if (choice.keep && spec.backend == "bubblewrap")
        return Error{
            Errc::InvalidArgument,
            "a bubblewrap session ends with the program that started it; --keep-session needs docker"
        };
    return settings;
}

} // namespace sg::workbench
