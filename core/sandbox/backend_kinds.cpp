#include "core/sandbox/backend_kinds.h"

#include <algorithm>
#include <array>

namespace sg::sandbox {
namespace {

constexpr std::array kBackends{
    BackendKind{ .name = "docker",
                 .title = "Docker",
                 .note = "Container",
                 .ready = "Engine connected",
                 .help = "Docker Engine",
                 .package = "docker.io",
                 .runsOn = RunsOn::Image,
                 .isAutomatic = true,
                 .isWeaker = false,
                 .diesWithProgram = false,
                 .mayBeKept = true },
    BackendKind{ .name = "bubblewrap",
                 .title = "Local sandbox",
                 .note = "Weaker limits",
                 .ready = "Local sandbox",
                 .help = "bubblewrap: namespaces of this machine's kernel",
                 .package = "bubblewrap",
                 .runsOn = RunsOn::Environment,
                 .isAutomatic = true,
                 .isWeaker = true,
                 .diesWithProgram = true,
                 .mayBeKept = false },
    BackendKind{ .name = "e2b",
                 .title = "E2B or OpenKruise",
                 .note = "Elsewhere",
                 .ready = "Sandboxes elsewhere",
                 .help = "a service that speaks E2B's protocol",
                 .package = {},
                 .runsOn = RunsOn::Service,
                 .isAutomatic = false,
                 .isWeaker = false,
                 .diesWithProgram = false,
                 .mayBeKept = true },
};

} // namespace

std::span<const BackendKind> backendKinds()
{
    return kBackends;
}

const BackendKind* findBackendKind(std::string_view name)
{
    const auto found = std::ranges::find(kBackends, name, &BackendKind::name);
    return found == kBackends.end() ? nullptr : &*found;
}

const BackendKind& firstBackendOn(RunsOn place)
{
    return *std::ranges::find(kBackends, place, &BackendKind::runsOn);
}

bool diesWithProgram(std::string_view backend)
{
    const BackendKind* kind = findBackendKind(backend);
    return kind != nullptr && kind->diesWithProgram;
}

bool mayBeKept(std::string_view backend)
{
    const BackendKind* kind = findBackendKind(backend);
    return kind != nullptr && kind->mayBeKept;
}

bool runsOnEnvironment(std::string_view backend)
{
    const BackendKind* kind = findBackendKind(backend);
    return kind != nullptr && kind->runsOn == RunsOn::Environment;
}

std::string backendNames(bool (*fits)(const BackendKind&), std::string_view between)
{
    std::string names;
    for (const BackendKind& kind : kBackends)
        if (fits(kind))
            names += (names.empty() ? std::string() : std::string(between)) + std::string(kind.name);
    return names;
}

} // namespace sg::sandbox
