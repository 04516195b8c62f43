#pragma once

#include "core/base/result.h"
#include "core/base/word.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sg::sessions {

enum class SessionStorage {
    Tmpfs, // /session in memory, gone with the sandbox
    Bind, // /session is a folder of the project and outlives the sandbox
};

enum class DatasetAccess {
    None,
    LocalRo, // a folder of this machine at /data, read-only
    Api, // fetched on request and staged in /data
    Hybrid, // a folder of this machine at /heavy_data, read-only; what is not there is fetched to /data
};

// A session's mode: where its files live, times what it may read.
struct SessionMode {
    SessionStorage storage = SessionStorage::Tmpfs;
    DatasetAccess datasets = DatasetAccess::None;
    friend bool operator==(const SessionMode&, const SessionMode&) = default;
};

constexpr auto namesOf(SessionStorage)
{
    return std::to_array<std::pair<SessionStorage, std::string_view>>({
        { SessionStorage::Tmpfs, "TMPFS" },
        { SessionStorage::Bind, "BIND" },
    });
}
constexpr auto namesOf(DatasetAccess)
{
    return std::to_array<std::pair<DatasetAccess, std::string_view>>({
        { DatasetAccess::None, "NONE" },
        { DatasetAccess::LocalRo, "LOCAL_RO" },
        { DatasetAccess::Api, "API" },
        { DatasetAccess::Hybrid, "HYBRID" },
    });
}
constexpr std::string_view nameOf(SessionStorage storage)
{
    return nameAmong(storage);
}
constexpr std::string_view nameOf(DatasetAccess access)
{
    return nameAmong(access);
}
// The mode's name in LangGraph-Sandbox: "TMPFS_NONE", "BIND_LOCAL", "TMPFS_API", "BIND_HYBRID".
std::string nameOf(const SessionMode& mode);

[[nodiscard]] inline bool stagesData(DatasetAccess access)
{
    return access == DatasetAccess::Api || access == DatasetAccess::Hybrid;
}

// The parts of a mode that a name tells; one of them may be open.
struct ModeName {
    std::optional<SessionStorage> storage;
    std::optional<DatasetAccess> datasets;
};

// Accepts any case and order, with "_", "-" or spaces between: TMPFS, BIND, NONE, LOCAL (LOCAL_RO), API,
// HYBRID, and one of each: TMPFS_LOCAL, API_TMPFS. Errc::InvalidArgument: another word, or two of one kind.
Result<ModeName> modeNamed(std::string_view text);

} // namespace sg::sessions
