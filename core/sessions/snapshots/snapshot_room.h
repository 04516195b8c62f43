#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>

namespace sg::sessions {

// "3 MB"; rounded up.
std::string megabytes(std::int64_t bytes);

// SnapshotRoom limits how much disk all snapshots of a project take. It measures once, then keeps count, and
// measures again before it refuses anything, as other processes add and remove files. Any thread.
class SnapshotRoom {
public:
    // `capBytes`: 0 for no limit.
    SnapshotRoom(std::filesystem::path folder, std::int64_t capBytes)
        : m_folder(std::move(folder))
        , m_capBytes(capBytes)
    {
    }

    // Called before bytes are written of which up to `bytes` may be new. Errc::LimitExceeded: "20 MB over the
    // project's cap of 100 MB".
    Result<void> claim(std::int64_t bytes);
    // Notes that so many bytes were new, and are stored now.
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
