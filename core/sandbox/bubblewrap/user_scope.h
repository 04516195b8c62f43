#pragma once

#include "core/base/result.h"
#include "core/sandbox/bubblewrap/session_cgroup.h"

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

namespace sg::sandbox {

// Full limits for an ordinary user: systemd's user manager has control groups of version 2 delegated to it
// and starts a program in one of its own (a scope), which is gone when the last process in it is.
class UserScope {
public:
    // Errc::Unavailable says what is missing on this machine.
    static Result<UserScope> find(const CgroupMounts& mounts);
    // `oomContinue`: newer managers would end the whole scope when one process in it runs out of memory;
    // older ones do not know that setting.
    explicit UserScope(std::string program, std::string runtimeFolder, bool oomContinue);

    // Goes before the program and its arguments. The program gets no environment.
    [[nodiscard]] std::vector<std::string> wrapper(const Limits& limits) const;
    // What the wrapper itself needs to reach the manager.
    [[nodiscard]] std::vector<std::string> environment() const;
    [[nodiscard]] UserScope withoutOomSetting() const { return UserScope(m_program, m_runtimeFolder, false); }

private:
    std::string m_program;
    std::string m_runtimeFolder;
    bool m_oomContinue;
};

// The control group that a process was started in, if the limits hold there: Errc::Unavailable otherwise.
Result<std::unique_ptr<SessionCgroup>> limitedCgroupOf(const CgroupMounts& mounts, pid_t process,
                                                       const Limits& limits);

} // namespace sg::sandbox
