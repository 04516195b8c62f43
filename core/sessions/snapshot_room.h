#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>

namespace sg::sessions {

// How much a project's snapshots may take on disk, all together. Counted once, then kept up to date: what
// other processes add meanwhile is not seen. Any thread.
class SnapshotRoom {
public:
    // `capBytes`: 0 for no limit.
    SnapshotRoom(std::filesystem::path folder, std::int64_t capBytes)
        : m_folder(std::move(folder))
        , m_capBytes(capBytes)
    {
    }

    // Before so many new bytes are written. Errc::LimitExceeded: "20 MB over the project's cap of 100 MB".
    Result<void> claim(std::int64_t bytes);

private:
    const std::filesystem::path m_folder;
    const std::int64_t m_capBytes;
    std::mutex m_mutex;
    std::optional<std::int64_t> m_used; // guarded by m_mutex
};

} // namespace sg::sessions
