#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"
#include "core/sandbox/sandbox_user.h"

#include <filesystem>
#include <optional>

namespace sg::sandbox::egress {

inline constexpr const char* kSocketName = "egress.sock";
inline constexpr const char* kMountPoint = "/run/egress"; // of the folder, in the sandbox

// A folder with a listening socket in it, to be mounted into one sandbox; removed with this object. Where we
// are root only the sandboxes' user may connect, else whoever gets through this user's own folder above.
class EgressFolder {
public:
    static Result<EgressFolder> create();
    EgressFolder(EgressFolder&& other) noexcept;
    EgressFolder& operator=(EgressFolder&&) = delete;
    ~EgressFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] int listener() const { return m_listener.get(); } // non-blocking

private:
    explicit EgressFolder(std::filesystem::path path)
        : m_path(std::move(path))
    {
    }
    Result<void> listen();
    std::filesystem::path m_path;
    Fd m_listener;
};

} // namespace sg::sandbox::egress
