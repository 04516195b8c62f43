#pragma once

#include "core/base/result.h"
#include "core/sandbox/sandbox_user.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sg::sandbox {

// bubblewrap started by root would leave its process host root, so it is started as another user, who cannot
// reach folders in /root. RootStage makes them reachable for that process alone: in a mount namespace of its
// own, /run/sandglass is a fresh tmpfs with a bind mount of each folder.
class RootStage {
public:
    explicit RootStage(SandboxUser user);

    // Returns the path at which the sandbox's user will find the file or folder. Must be called before
    // enter().
    std::filesystem::path add(const std::filesystem::path& source);
    // The folder for the mounts, which stays empty outside the namespace.
    static Result<void> makeMountPoint();
    // Called in the child, async-signal-safe: enters the namespace, mounts, and becomes the user; 0 or an
    // errno value.
    [[nodiscard]] int enter() const;

private:
    struct Bind {
        std::string source;
        std::string target;
        bool folder = true;
        mutable int opened = -1; // used by the child alone
    };
    SandboxUser m_user;
    std::vector<Bind> m_binds;
};

} // namespace sg::sandbox
