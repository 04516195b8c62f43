#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace sg::sandbox {

// The folder of one session that both this machine and its container see, with the runner's socket in it.
// Code in the container can put anything there, so nothing in it is trusted.
class SocketFolder {
public:
    // Under /run/sandglass where we are root, else $XDG_RUNTIME_DIR/sandglass, else /tmp/sandglass-UID;
    // written to by `uid`.
    static Result<SocketFolder> create(uid_t uid, gid_t gid);
    // One made by an earlier process. Errc::NotFound.
    static Result<SocketFolder> adopt(const std::filesystem::path& path);
    SocketFolder(SocketFolder&& other) noexcept;
    SocketFolder& operator=(SocketFolder&&) = delete;
    ~SocketFolder(); // removes it, unless released

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    // A file for the container to read at its start.
    Result<void> write(const std::string& name, const std::string& content) const;
    // The connection to the socket that process `peer` listens on: Errc::PermissionDenied if it is another's,
    // Errc::NotFound and Errc::Unavailable while it does not listen yet.
    [[nodiscard]] Result<Fd> connect(pid_t peer) const;
    void release() { m_path.clear(); }

private:
    explicit SocketFolder(std::filesystem::path path)
        : m_path(std::move(path))
    {
    }
    std::filesystem::path m_path;
};

// Removes the folders of processes that are gone, but those named in `inUse` and those on whose socket
// somebody listens: an engine's containers are not another's, and the folders are of both.
void removeStaleSocketFolders(const std::vector<std::string>& inUse);

} // namespace sg::sandbox
