#include "core/sessions/snapshots/snapshot_room.h"

#include <string>
#include <system_error>

namespace sg::sessions {
namespace {

constexpr std::chrono::milliseconds kMeasuredAgain{ 1000 }; // measuring a large folder takes a while

std::int64_t bytesIn(const std::filesystem::path& folder)
{
    std::int64_t bytes = 0;
    std::error_code failed;
    for (auto it = std::filesystem::recursive_directory_iterator(folder, failed);
         !failed && it != std::filesystem::recursive_directory_iterator(); it.increment(failed)) {
        std::error_code gone;
        const auto size = it->is_regular_file(gone) ? it->file_size(gone) : 0;
        bytes += gone ? 0 : static_cast<std::int64_t>(size);
    }
    return bytes;
}

} // namespace

std::string megabytes(std::int64_t bytes)
{
    return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MB";
}

void SnapshotRoom::measure()
{
    m_used = bytesIn(m_folder);
    m_measuredAt = std::chrono::steady_clock::now();
}

Result<void> SnapshotRoom::claim(std::int64_t bytes)
{
    if (m_capBytes <= 0)
        return {};
    const std::lock_guard lock(m_mutex);
    if (!m_used)
        measure();
    if (*m_used + bytes > m_capBytes && std::chrono::steady_clock::now() - m_measuredAt > kMeasuredAgain)
        measure();
    if (*m_used + bytes > m_capBytes)
        return Error{ Errc::LimitExceeded,
                      megabytes(*m_used + bytes - m_capBytes) + " over the project's cap of "
                          + megabytes(m_capBytes)
                          + " (SNAPSHOTS_MB); make room with: sandglass snapshots gc" };
    return {};
}

void SnapshotRoom::add(std::int64_t bytes)
{
    const std::lock_guard lock(m_mutex);
    if (m_used)
        *m_used += bytes;
}

} // namespace sg::sessions
