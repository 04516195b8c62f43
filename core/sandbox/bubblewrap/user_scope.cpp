#include "core/sandbox/bubblewrap/user_scope.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

namespace sg::sandbox {
namespace {

constexpr const char* kProgram = "/usr/bin/systemd-run";

Error unavailable(const std::string& why)
{
    return { Errc::Unavailable, why };
}

} // namespace

UserScope::UserScope(std::string program, std::string runtimeFolder, bool oomContinue)
    : m_program(std::move(program))
    , m_runtimeFolder(std::move(runtimeFolder))
    , m_oomContinue(oomContinue)
{
}

Result<UserScope> UserScope::find(const CgroupMounts& mounts)
{
    if (!mounts.unified)
        return unavailable("control groups of version 2 are not mounted");
    if (::access(kProgram, X_OK) != 0)
        return unavailable(std::string(kProgram) + " is not there");
    const char* variable =
        std::getenv("XDG_RUNTIME_DIR"); // NOLINT(concurrency-mt-unsafe): never changed here
    const std::string runtime = variable ? variable : "/run/user/" + std::to_string(::geteuid());
    struct stat manager { };
    if (::stat((runtime + "/systemd/private").c_str(), &manager) != 0 || !S_ISSOCK(manager.st_mode))
        return unavailable("no systemd user manager runs for this user");
    return UserScope(kProgram, runtime, true);
}

std::vector<std::string> UserScope::wrapper(const Limits& limits) const
{
    const auto quota = static_cast<long>(std::lround(limits.cpus * 100));
    std::vector<std::string> words{ m_program, "--user", "--scope", "--quiet", "--collect" };
    const auto property = [&](const std::string& assignment) {
        words.emplace_back("-p");
        words.push_back(assignment);
    };
    property("MemoryMax=" + std::to_string(limits.memoryBytes));
    property("MemorySwapMax=0");
    property("TasksMax=" + std::to_string(limits.pids));
    property("CPUQuota=" + std::to_string(std::max(quota, 1L)) + '%');
    if (m_oomContinue)
        property("OOMPolicy=continue");
    for (const char* word : { "--", "/usr/bin/env", "-i" })
        words.emplace_back(word);
    return words;
}

std::vector<std::string> UserScope::environment() const
{
    return { "XDG_RUNTIME_DIR=" + m_runtimeFolder,
             "DBUS_SESSION_BUS_ADDRESS=unix:path=" + m_runtimeFolder + "/bus" };
}

Result<std::unique_ptr<SessionCgroup>> limitedCgroupOf(const CgroupMounts& mounts, pid_t process,
                                                       const Limits& limits)
{
    std::ifstream file("/proc/" + std::to_string(process) + "/cgroup");
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("0::/", 0) != 0)
            continue;
        const std::filesystem::path folder = mounts.memory / line.substr(4);
        std::int64_t limit = 0;
        std::ifstream(folder / "memory.max") >> limit;
        // The kernel rounds to pages.
        if (limit <= 0 || std::abs(limit - limits.memoryBytes) > 65536)
            return unavailable("the limits do not hold in " + folder.string());
        return SessionCgroup::watch(folder);
    }
    return unavailable("process " + std::to_string(process) + " is in no control group of version 2");
}

} // namespace sg::sandbox
