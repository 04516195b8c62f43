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

// The places where control groups can be made: version 2, or each mounted controller of version 1. Empty
// paths: none.
struct CgroupMounts {
    bool unified = false; // version 2: all four are the same
    std::filesystem::path memory;
    std::filesystem::path pids;
    std::filesystem::path cpu;
    std::filesystem::path cpuAccounting;
};

// Parses the text of /proc/self/mountinfo.
CgroupMounts parseCgroupMounts(std::string_view mountinfo);
CgroupMounts findCgroupMounts();

struct CgroupUsage {
    double cpuSeconds = 0;
    std::int64_t memoryBytes = 0; // without page cache
    std::int64_t pids = 0;
    std::int64_t oomKills = 0;
    std::chrono::milliseconds throttled{ 0 };
};

// The control group of one session, under "sandglass/" of each hierarchy. The destructor kills its processes
// and removes it.
class SessionCgroup {
public:
    // Errc::PermissionDenied and the like: this process may not limit others, so limits are weak.
    static Result<std::unique_ptr<SessionCgroup>> create(const CgroupMounts& mounts, const std::string& name,
                                                         const Limits& limits);
    // A group of version 2 that another program made and removes: only its usage is read.
    static std::unique_ptr<SessionCgroup> watch(const std::filesystem::path& folder);
    ~SessionCgroup();
    SessionCgroup(const SessionCgroup&) = delete;
    SessionCgroup& operator=(const SessionCgroup&) = delete;

    // Async-signal-safe: moves the calling process into the group; 0 or an errno value.
    [[nodiscard]] int join() const;
    [[nodiscard]] CgroupUsage usage() const;
    // Changes memory, processes and CPUs. Errc::InvalidArgument: more is in use than the new limit.
    [[nodiscard]] Result<void> setLimits(const Limits& limits) const;
    void end(); // kills its processes and removes the group

private:
    SessionCgroup(const CgroupMounts& mounts, const std::string& name);
    explicit SessionCgroup(const std::filesystem::path& watched);
    Result<void> prepare(const Limits& limits) const;

    bool m_unified;
    std::filesystem::path m_memory;
    std::filesystem::path m_pids;
    std::filesystem::path m_cpu; // may be empty
    std::filesystem::path m_cpuAccounting; // may be empty
    std::vector<std::filesystem::path> m_folders; // the above, each once
    std::vector<std::string> m_joinFiles; // cgroup.procs of each
};

// A name that tells later processes whose group it is.
std::string sessionCgroupName();
// Removes groups whose processes ended without doing so.
void removeStaleCgroups(const CgroupMounts& mounts);

} // namespace sg::sandbox
