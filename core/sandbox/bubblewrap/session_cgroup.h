#pragma once

#include "core/base/result.h"
#include "core/sandbox/sandbox.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sg::sandbox {

// Where control groups can be made: version 2, or each controller of version 1 where it is mounted. Empty
// paths: none.
struct CgroupMounts {
    bool unified = false; // version 2: all four are the same
    std::filesystem::path memory;
    std::filesystem::path pids;
    std::filesystem::path cpu;
    std::filesystem::path cpuAccounting;
};

// From the text of /proc/self/mountinfo.
CgroupMounts parseCgroupMounts(std::string_view mountinfo);
CgroupMounts findCgroupMounts();

struct CgroupUsage {
    double cpuSeconds = 0;
    std::int64_t memoryBytes = 0; // without page cache
    std::int64_t pids = 0;
    std::int64_t oomKills = 0;
    std::chrono::milliseconds throttled{ 0 };
};

// The control group of one session, under "sandglass/" of each hierarchy. Destroying it kills what is in it
// and removes it.
class SessionCgroup {
public:
    // Errc::PermissionDenied and the like where this process may not limit others: limits are weak then.
    static Result<std::unique_ptr<SessionCgroup>> create(const CgroupMounts& mounts, const std::string& name,
                                                         const Limits& limits);
    // One of version 2 that another program made and removes: for its use only.
    static std::unique_ptr<SessionCgroup> watch(const std::filesystem::path& folder);
    ~SessionCgroup();
    SessionCgroup(const SessionCgroup&) = delete;
    SessionCgroup& operator=(const SessionCgroup&) = delete;

    // Async-signal-safe: moves the calling process into the group; 0 or an errno value.
    [[nodiscard]] int join() const;
    [[nodiscard]] CgroupUsage usage() const;
    // Memory, processes and CPUs from now on. Errc::InvalidArgument where more is in use than would be
    // allowed.
    [[nodiscard]] Result<void> setLimits(const Limits& limits) const;
    void end(); // kills what is left and removes the group

private:
    SessionCgroup(const CgroupMounts& mounts, const std::string& name);
    explicit SessionCgroup(const std::filesystem::path& watched);
    Result<void> prepare(const Limits& limits) const;

    bool m_unified;
    std::filesystem::path m_memory;
    std::filesystem::path m_pids;
    std::filesystem::path m_cpu; // may be empty
    std::filesystem::path m_cpuAccounting; // may be empty
    std::vector<std::filesystem::path> m_folders; // the same, each once
    std::vector<std::string> m_joinFiles; // cgroup.procs of each
};

// A name that tells later processes whose group it is.
std::string sessionCgroupName();
// Removes the groups of processes that ended without doing so.
void removeStaleCgroups(const CgroupMounts& mounts);

} // namespace sg::sandbox
