#pragma once

#include "core/base/result.h"
#include "core/sandbox/bubblewrap/session_cgroup.h"

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

namespace sg::sandbox {

// UserScope gives an ordinary user full limits: systemd's user manager has control groups of version 2
// delegated to it, and starts a program in one of its own (a scope), which ends with its last process.
class UserScope {
public:
    // Errc::Unavailable says what is missing on this machine.
    static Result<UserScope> find(const CgroupMounts& mounts);
    // `oomContinue`: newer managers would end the whole scope when one of its processes runs out of memory;
    // older ones do not know that setting.
    explicit UserScope(std::string program, std::string runtimeFolder, bool oomContinue);

    // Precedes the program and its arguments. The program gets no environment.
    [[nodiscard]] std::vector<std::string> wrapper(const Limits& limits) const;
    // The environment that the wrapper needs to reach the manager.
    [[nodiscard]] std::vector<std::string> environment() const;
    [[nodiscard]] UserScope withoutOomSetting() const { return UserScope(m_program, m_runtimeFolder, false); }

private:
    std::string m_program;
    std::string m_runtimeFolder;
    bool m_oomContinue;
};

// The control group that a process was started in. Errc::Unavailable: the limits do not hold there.
Result<std::unique_ptr<SessionCgroup>> limitedCgroupOf(const CgroupMounts& mounts, pid_t process,
                                                       const Limits& limits);

} // namespace sg::sandbox
