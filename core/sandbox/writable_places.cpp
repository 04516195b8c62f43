#include "core/sandbox/writable_places.h"

#include <algorithm>

namespace sg::sandbox {
namespace {

constexpr std::int64_t kMaxShared = 64 << 20;
constexpr std::int64_t kSecretsSize = 1 << 20;
constexpr std::int64_t kLeast = 4096; // 0 would mean no limit

} // namespace

std::vector<WritablePlace> writablePlaces(const Limits& limits, bool sessionFolderBound, bool dataTmpfs,
                                          bool secrets)
{
    const std::int64_t total = std::max<std::int64_t>(std::min(limits.tmpfsBytes, limits.memoryBytes / 2), 0);
    const std::int64_t shared = std::min(kMaxShared, total / 8);
    const std::int64_t data = dataTmpfs ? (total - shared) / 2 : 0;
    const std::int64_t rest = total - shared - data;
    const std::int64_t temporary = sessionFolderBound ? rest : rest / 4;
    const auto size = [](std::int64_t wanted) { return std::max(wanted, kLeast); };
    std::vector<WritablePlace> places{ { std::string(kSharedMemory), size(shared), "1777" },
                                       { "/tmp", size(temporary), "1777" },
                                       { "/session", sessionFolderBound ? 0 : size(rest - temporary) } };
    if (dataTmpfs)
        places.push_back({ "/data", size(data) });
    if (secrets)
        places.push_back({ "/run/secrets", kSecretsSize });
    return places;
}

std::vector<WritablePlace> writablePlaces(const SandboxSpec& spec)
{
    return writablePlaces(spec.limits, !spec.sessionFolder.empty(), spec.dataTmpfs, spec.secrets);
}

std::string outsideOption(const std::vector<WritablePlace>& places)
{
    std::string option;
    for (const WritablePlace& place : places)
        if (place.path != "/session" && place.path != "/run/secrets")
            option += (option.empty() ? "" : ":") + place.path;
    return option;
}

std::int64_t sizeOf(const std::vector<WritablePlace>& places, std::string_view path)
{
    const auto found = std::ranges::find(places, path, &WritablePlace::path);
    return found == places.end() ? 0 : found->size;
}

} // namespace sg::sandbox
