#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"
#include "core/sandbox/sandbox_user.h"

namespace sg::sandbox {

// OwnUser is a user that no other sandbox of this machine has, where we are root. The kernel counts
// descriptors in flight, inotify instances, pipe memory and more for each user, so one sandbox could take
// them from others.
class OwnUser {
public:
    OwnUser() = default; // no user of its own: the sandbox runs as our user
    // Leases a user until this object is destroyed. Where such numbers are not ours to give (a user namespace
    // that maps few) or all are taken, it is the shared account "sandglass". Any thread.
    static Result<OwnUser> take();
    // The user of a sandbox that runs already, even where another process holds the lease.
    static OwnUser adopt(uid_t uid);

    [[nodiscard]] SandboxUser user() const { return m_user; }
    [[nodiscard]] bool isShared() const { return !m_lock.isOpen(); }

private:
    SandboxUser m_user;
    Fd m_lock;
};

} // namespace sg::sandbox
