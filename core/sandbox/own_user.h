#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"
#include "core/sandbox/sandbox_user.h"

namespace sg::sandbox {

// A user that no other sandbox of this machine has, where we are root. The kernel counts descriptors in
// flight, inotify instances, pipe memory and more for each user: whoever uses them up must not take them from
// others.
class OwnUser {
public:
    OwnUser() = default; // none: the sandbox runs as who we are
    // Held until this is destroyed. Where the numbers for such uses are not ours to give (a user namespace
    // that maps few) or all are taken it is the account "sandglass", which others have, too. Any thread.
    static Result<OwnUser> take();
    // Of a sandbox that runs as that user already. It stays its user even where another process still holds
    // it.
    static OwnUser adopt(uid_t uid);

    [[nodiscard]] SandboxUser user() const { return m_user; }
    [[nodiscard]] bool isShared() const { return !m_lock.isOpen(); }

private:
    SandboxUser m_user;
    Fd m_lock;
};

} // namespace sg::sandbox
