#include "core/sandbox/bubblewrap/session_cgroup.h"

#include "core/base/child_process.h"
#include "core/base/errno_error.h"
#include "core/base/log.h"
#include "core/sandbox/owner_process.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <optional>
#include <sstream>
#include <thread>

namespace sg::sandbox {
namespace {

namespace fs = std::filesystem;

constexpr auto kRemovalPatience = std::chrono::seconds(5);
constexpr std::int64_t kCpuPeriodUs = 100000;

// Reads a small file of a kernel file system, which reports a size of 0.
std::string readText(const fs::path& path)
{
    const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string text;
    char buffer[4096];
    ssize_t got = 0;
    while (file.isOpen() && (got = ::read(file.get(), buffer, sizeof buffer)) > 0)
        text.append(buffer, static_cast<std::size_t>(got));
    return text;
}

Result<void> writeText(const fs::path& path, const std::string& text)
{
    const Fd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.isOpen() || ::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        return errnoError(errno, "write " + text + " to " + path.string());
    return {};
}

std::int64_t numberIn(std::string_view text)
{
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

// The number after "key " at the start of a line.
std::int64_t valueOf(std::string_view text, std::string_view key)
{
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        const std::string_view line = text.substr(from, end - from);
        if (line.size() > key.size() && line.substr(0, key.size()) == key && line[key.size()] == ' ')
            return numberIn(line.substr(key.size() + 1));
        from = end + 1;
    }
    return 0;
}

bool hasOption(const std::string& options, const std::string& name)
{
    return (',' + options + ',').find(',' + name + ',') != std::string::npos;
}

Result<void> makeFolder(const fs::path& path)
{
    if (::mkdir(path.c_str(), 0755) != 0 && errno != EEXIST)
        return errnoError(errno, "create control group " + path.string());
    return {};
}

void killAll(const fs::path& folder)
{
    std::istringstream pids(readText(folder / "cgroup.procs"));
    for (pid_t pid = 0; pids >> pid;)
        if (pid > 1)
            ::kill(pid, SIGKILL);
}

// A group can be removed once its last process is reaped, which takes a moment.
void removeFolder(const fs::path& folder)
{
    const auto deadline = std::chrono::steady_clock::now() + kRemovalPatience;
    auto pause = std::chrono::microseconds(200);
    while (::rmdir(folder.c_str()) != 0 && errno == EBUSY) {
        if (std::chrono::steady_clock::now() > deadline) {
            logMessage(LogLevel::Warning,
                       "control group " + folder.string() + " still has processes and stays");
            return;
        }
        killAll(folder);
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::microseconds(20000));
    }
}

} // namespace

CgroupMounts parseCgroupMounts(std::string_view mountinfo)
{
    CgroupMounts mounts;
    fs::path unified;
    std::istringstream lines{ std::string(mountinfo) };
    for (std::string line; std::getline(lines, line);) {
        const std::size_t dash = line.find(" - ");
        if (dash == std::string::npos)
            continue;
        std::string skipped;
        std::string mountPoint;
        std::string type;
        std::string options;
        std::istringstream(line) >> skipped >> skipped >> skipped >> skipped >> mountPoint;
        std::istringstream(line.substr(dash + 3)) >> type >> skipped >> options;
        if (type == "cgroup2")
            unified = mountPoint;
        if (type != "cgroup")
            continue;
        if (hasOption(options, "memory"))
            mounts.memory = mountPoint;
        if (hasOption(options, "pids"))
            mounts.pids = mountPoint;
        if (hasOption(options, "cpu"))
            mounts.cpu = mountPoint;
        if (hasOption(options, "cpuacct"))
            mounts.cpuAccounting = mountPoint;
    }
    if (mounts.memory.empty() && !unified.empty())
        return { true, unified, unified, unified, unified };
    return mounts;
}

CgroupMounts findCgroupMounts()
{
    return parseCgroupMounts(readText("/proc/self/mountinfo"));
}

SessionCgroup::SessionCgroup(const CgroupMounts& mounts, const std::string& name)
    : m_unified(mounts.unified)
{
    const auto place = [&](const fs::path& mount) {
        return mount.empty() ? fs::path() : mount / "sandglass" / name;
    };
    m_memory = place(mounts.memory);
    m_pids = place(mounts.pids);
    m_cpu = place(mounts.cpu);
    m_cpuAccounting = place(mounts.cpuAccounting);
    for (const fs::path* folder : { &m_memory, &m_pids, &m_cpu, &m_cpuAccounting }) {
        if (folder->empty() || std::find(m_folders.begin(), m_folders.end(), *folder) != m_folders.end())
            continue;
        m_folders.push_back(*folder);
        m_joinFiles.push_back(*folder / "cgroup.procs");
    }
}

SessionCgroup::SessionCgroup(const fs::path& watched)
    : m_unified(true)
    , m_memory(watched)
    , m_pids(watched)
    , m_cpu(watched)
    , m_cpuAccounting(watched)
{
}

std::unique_ptr<SessionCgroup> SessionCgroup::watch(const fs::path& folder)
{
    return std::unique_ptr<SessionCgroup>(new SessionCgroup(folder));
}

Result<std::unique_ptr<SessionCgroup>> SessionCgroup::create(const CgroupMounts& mounts,
                                                             const std::string& name, const Limits& limits)
{
    if (mounts.memory.empty() || mounts.pids.empty())
        return Error{ Errc::Unavailable, "this system mounts no control groups for memory and processes" };
    std::unique_ptr<SessionCgroup> group(new SessionCgroup(mounts, name));
    if (auto prepared = group->prepare(limits); !prepared)
        return std::move(prepared.error());
    return group;
}

Result<void> SessionCgroup::prepare(const Limits& limits) const
{
    for (const fs::path& folder : m_folders) {
        const fs::path ours = folder.parent_path();
        if (auto made = makeFolder(ours); !made)
            return made;
        if (m_unified) {
            for (const fs::path& parent : { ours.parent_path(), ours })
                if (auto enabled = writeText(parent / "cgroup.subtree_control", "+memory +pids +cpu");
                    !enabled)
                    return enabled;
        }
        if (auto made = makeFolder(folder); !made)
            return made;
    }
    return setLimits(limits);
}

Result<void> SessionCgroup::setLimits(const Limits& limits) const
{
    const auto quota = static_cast<std::int64_t>(limits.cpus * static_cast<double>(kCpuPeriodUs));
    // In version 1 the sum with swap must never be below the memory limit, so it is raised first.
    const fs::path swap = m_memory / (m_unified ? "memory.swap.max" : "memory.memsw.limit_in_bytes");
    const bool hasSwap = ::access(swap.c_str(), W_OK) == 0; // absent where the kernel does not account for it
    const std::string swapLimit = m_unified ? "0" : std::to_string(limits.memoryBytes);
    const bool isRaised =
        !m_unified && limits.memoryBytes > numberIn(readText(m_memory / "memory.limit_in_bytes"));
    if (hasSwap && isRaised)
        if (auto written = writeText(swap, swapLimit); !written)
            return written;
    std::vector<std::pair<fs::path, std::string>> settings;
    if (m_unified) {
        settings = { { m_memory / "memory.max", std::to_string(limits.memoryBytes) },
                     { m_cpu / "cpu.max", std::to_string(quota) + ' ' + std::to_string(kCpuPeriodUs) } };
    } else {
        settings = { { m_memory / "memory.limit_in_bytes", std::to_string(limits.memoryBytes) } };
        if (!m_cpu.empty()) {
            settings.emplace_back(m_cpu / "cpu.cfs_period_us", std::to_string(kCpuPeriodUs));
            settings.emplace_back(m_cpu / "cpu.cfs_quota_us", std::to_string(quota));
        }
    }
    settings.emplace_back(m_pids / "pids.max", std::to_string(limits.pids));
    for (const auto& [path, text] : settings)
        if (auto written = writeText(path, text); !written)
            return written;
    return hasSwap && !isRaised ? writeText(swap, swapLimit) : Result<void>();
}

SessionCgroup::~SessionCgroup()
{
    end();
}

int SessionCgroup::join() const
{
    for (const std::string& path : m_joinFiles) {
        const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (file < 0)
            return errno;
        const bool written = ::write(file, "0", 1) == 1;
        const int error = errno;
        ::close(file);
        if (!written)
            return error;
    }
    return 0;
}

CgroupUsage SessionCgroup::usage() const
{
    CgroupUsage usage;
    const std::string memory = readText(m_memory / "memory.stat");
    usage.pids = numberIn(readText(m_pids / "pids.current"));
    if (m_unified) {
        const std::string cpu = readText(m_cpu / "cpu.stat");
        usage.cpuSeconds = static_cast<double>(valueOf(cpu, "usage_usec")) / 1e6;
        usage.throttled = std::chrono::milliseconds(valueOf(cpu, "throttled_usec") / 1000);
        usage.memoryBytes = numberIn(readText(m_memory / "memory.current")) - valueOf(memory, "inactive_file")
            - valueOf(memory, "active_file");
        usage.oomKills = valueOf(readText(m_memory / "memory.events"), "oom_kill");
    } else {
        if (!m_cpuAccounting.empty())
            usage.cpuSeconds =
                static_cast<double>(numberIn(readText(m_cpuAccounting / "cpuacct.usage"))) / 1e9;
        if (!m_cpu.empty())
            usage.throttled = std::chrono::milliseconds(
                valueOf(readText(m_cpu / "cpu.stat"), "throttled_time") / 1'000'000);
        usage.memoryBytes = numberIn(readText(m_memory / "memory.usage_in_bytes"))
            - valueOf(memory, "total_inactive_file") - valueOf(memory, "total_active_file");
        usage.oomKills = valueOf(readText(m_memory / "memory.oom_control"), "oom_kill");
    }
    usage.memoryBytes = std::max<std::int64_t>(usage.memoryBytes, 0);
    return usage;
}

void SessionCgroup::end()
{
    for (const fs::path& folder : m_folders)
        removeFolder(folder);
    m_folders.clear();
}

std::string sessionCgroupName()
{
    static std::atomic<unsigned> count = 0;
    return ownerMark(ownProcess()) + '-' + std::to_string(++count);
}

void removeStaleCgroups(const CgroupMounts& mounts)
{
    for (const fs::path& mount : { mounts.memory, mounts.pids, mounts.cpu, mounts.cpuAccounting }) {
        std::error_code error;
        std::vector<fs::path> stale;
        for (fs::directory_iterator entry(mount / "sandglass", error), end; !error && entry != end;
             entry.increment(error)) {
            const std::string name = entry->path().filename();
            const std::size_t dash = name.rfind('-');
            const auto owner =
                dash == std::string::npos ? std::nullopt : parseOwnerMark(name.substr(0, dash));
            if (owner && isGone(*owner))
                stale.push_back(entry->path());
        }
        for (const fs::path& folder : stale)
            removeFolder(folder);
    }
}

} // namespace sg::sandbox
