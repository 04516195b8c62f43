#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace sg::sandbox::egress {

inline constexpr const char* kSocketName = "egress.sock";
inline constexpr const char* kMountPoint = "/run/egress"; // of the folder, in the sandbox

// A folder with a listening socket in it, to be mounted into the sandbox of one session; removed with this
// object unless leave() was called. Where we are root only the sandboxes' user may connect, else whoever gets
// through this user's own folder above. `session` is the session's id: no other has it.
class EgressFolder {
public:
    // `lasts`: its sandbox may outlive this process for as long as it likes.
    static Result<EgressFolder> create(const std::string& session, bool lasts);
    // The one that is mounted in a sandbox which an earlier process left, with a new socket in it.
    // Errc::NotFound.
    static Result<EgressFolder> adopt(const std::string& session, bool lasts);
    // Of a sandbox that was removed without its session.
    static void forget(const std::string& session);
    EgressFolder(EgressFolder&& other) noexcept;
    EgressFolder& operator=(EgressFolder&&) = delete;
    ~EgressFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] int listener() const { return m_listener.get(); } // non-blocking
    // It stays, for the process that takes the session up again. Nobody listens there until then.
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
