#pragma once

#include "core/sandbox/bubblewrap/bubblewrap_process.h"
#include "core/sandbox/bubblewrap/user_scope.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sg::sandbox {

struct LimitedProcess {
    BubblewrapProcess process;
    std::unique_ptr<SessionCgroup> cgroup; // null: weak limits, on each process
};

// LimitedStart starts sandboxes under the best limits that this process can set: a control group of its own
// making, one that systemd makes for it, or else limits on each process. Any thread.
class LimitedStart {
public:
    explicit LimitedStart(std::shared_ptr<LauncherThread> launcher);

    Result<LimitedProcess> start(BubblewrapStart start);
    // Returns why limits are weak, known after a start; empty: they are not.
    [[nodiscard]] std::string reason() const;

private:
    Result<LimitedProcess> startInScope(BubblewrapStart start);

    // constant after construction
    const std::shared_ptr<LauncherThread> m_launcher;
    const CgroupMounts m_mounts;
    // guarded by m_mutex
    mutable std::mutex m_mutex;
    std::vector<UserScope> m_scopes; // those that may work, best first
    std::string m_reason;
};

} // namespace sg::sandbox
