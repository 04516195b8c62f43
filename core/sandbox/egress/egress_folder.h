#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace sg::sandbox::egress {

inline constexpr const char* kSocketName = "egress.sock";
inline constexpr const char* kMountPoint = "/run/egress"; // of the folder in the sandbox

// A folder with a listening socket, which the sandbox of one session mounts; removed with this object unless
// leave() was called. Where we are root, only the sandbox's user may connect; else whoever can pass this
// user's own parent folder. `session` is the session's unique id.
class EgressFolder {
public:
    // `lasts`: the sandbox may outlive this process without limit.
    static Result<EgressFolder> create(const std::string& session, bool lasts);
    // Takes over the folder that is mounted in a sandbox of an earlier process, with a new socket in it.
    // Errc::NotFound.
    static Result<EgressFolder> adopt(const std::string& session, bool lasts);
    // Removes the folder of a sandbox that was removed without its session.
    static void forget(const std::string& session);
    EgressFolder(EgressFolder&& other) noexcept;
    EgressFolder& operator=(EgressFolder&&) = delete;
    ~EgressFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] int listener() const { return m_listener.get(); } // non-blocking
    // Keeps the folder for the process that takes the session up again. Nobody listens until then.
    void leave();

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
