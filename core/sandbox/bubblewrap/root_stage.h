#pragma once

#include "core/base/result.h"
#include "core/sandbox/sandbox_user.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sg::sandbox {

// bubblewrap started by root would leave its process host root, so it is started as another user, who cannot
// reach what lies in /root. This makes it reachable to that process alone: in a mount namespace of its own,
// /run/sandglass is a fresh tmpfs with a bind mount of each folder.
class RootStage {
public:
    explicit RootStage(SandboxUser user);

    // Where the sandbox's user will find the file or folder. Call before enter().
    std::filesystem::path add(const std::filesystem::path& source);
    // The folder that the mounts go to; stays, empty.
    static Result<void> makeMountPoint();
    // Async-signal-safe, in the child: enters the namespace, mounts and becomes the user; 0 or an errno
    // value.
    [[nodiscard]] int enter() const;

private:
    struct Bind {
        std::string source;
        std::string target;
        bool folder = true;
        mutable int opened = -1; // the child's alone
    };
    SandboxUser m_user;
    std::vector<Bind> m_binds;
};

} // namespace sg::sandbox
