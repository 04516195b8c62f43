#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace sg::sandbox {

// The folder of one session, with an inner one that its container sees too: there the runner makes its
// socket. Before any code runs the folder is sealed: the socket moves to the outer folder, and the shared one
// is removed, so that nobody can create anything there. Anything the container could have written is not
// trusted.
class SocketFolder {
public:
    // Under /run/sandglass where we are root, else $XDG_RUNTIME_DIR/sandglass, else /tmp/sandglass-UID; `uid`
    // may write to the shared folder.
    static Result<SocketFolder> create(uid_t uid, gid_t gid);
    // Takes over a folder of an earlier process. Errc::NotFound.
    static Result<SocketFolder> adopt(const std::filesystem::path& path);
    SocketFolder(SocketFolder&& other) noexcept;
    SocketFolder& operator=(SocketFolder&&) = delete;
    ~SocketFolder(); // removes the folder unless released

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] static std::filesystem::path shared(const std::filesystem::path& folder)
    {
        return folder / "io";
    }
    // Connects to the socket that process `peer` listens on: Errc::PermissionDenied if another process does,
    // Errc::NotFound and Errc::Unavailable while it does not listen yet.
    [[nodiscard]] Result<Fd> connect(pid_t peer) const;
    // Called once the runner listens, before anything else runs. The socket stays the same, also for later
    // connections.
    [[nodiscard]] Result<void> seal() const;
    void release() { m_path.clear(); }

private:
    explicit SocketFolder(std::filesystem::path path)
        : m_path(std::move(path))
    {
    }
    std::filesystem::path m_path;
};

// Removes folders of processes that are gone, except those in `inUse` and those whose socket somebody listens
// on: containers of several engines share the parent folder.
void removeStaleSocketFolders(const std::vector<std::string>& inUse);

} // namespace sg::sandbox
