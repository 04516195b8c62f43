#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>

namespace sg::sessions {

// "3 MB": what has begun counts as a whole one.
std::string megabytes(std::int64_t bytes);

// How much a project's snapshots may take on disk, all together. Counted once, then kept up to date; counted
// again before anything is refused: other processes add to it and remove from it. Any thread.
class SnapshotRoom {
public:
    // `capBytes`: 0 for no limit.
    SnapshotRoom(std::filesystem::path folder, std::int64_t capBytes)
        : m_folder(std::move(folder))
        , m_capBytes(capBytes)
    {
    }

    // Before bytes are written of which so many may be new. Errc::LimitExceeded: "20 MB over the project's
    // cap of 100 MB".
    Result<void> claim(std::int64_t bytes);
    // So many were new, and lie there now.
    void add(std::int64_t bytes);

private:
    void measure(); // with the mutex

    const std::filesystem::path m_folder;
    const std::int64_t m_capBytes;
    std::mutex m_mutex;
    // Guarded by m_mutex:
    std::optional<std::int64_t> m_used;
    std::chrono::steady_clock::time_point m_measuredAt;
};

} // namespace sg::sessions
