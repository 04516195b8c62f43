#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace sg::sandbox {

// The folder of one session, and in it one that its container sees, too: there the runner makes its socket.
// Before any code runs it is sealed: the socket is moved to where the container sees nothing, and what both
// saw is removed, so that nobody can make anything there any more. What an engine's container could write is
// not trusted all the same.
class SocketFolder {
public:
    // Under /run/sandglass where we are root, else $XDG_RUNTIME_DIR/sandglass, else /tmp/sandglass-UID;
    // the shared one written to by `uid`.
    static Result<SocketFolder> create(uid_t uid, gid_t gid);
    // One made by an earlier process. Errc::NotFound.
    static Result<SocketFolder> adopt(const std::filesystem::path& path);
    SocketFolder(SocketFolder&& other) noexcept;
    SocketFolder& operator=(SocketFolder&&) = delete;
    ~SocketFolder(); // removes it, unless released

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] static std::filesystem::path shared(const std::filesystem::path& folder)
    {
        return folder / "io";
    }
    // The connection to the socket that process `peer` listens on: Errc::PermissionDenied if it is another's,
    // Errc::NotFound and Errc::Unavailable while it does not listen yet.
    [[nodiscard]] Result<Fd> connect(pid_t peer) const;
    // Once the runner listens and nothing else has run. Its socket stays the same, also for who connects
    // later.
    [[nodiscard]] Result<void> seal() const;
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
