#include "core/sandbox/bubblewrap/bubblewrap_process.h"

#include "core/base/errno_error.h"
#include "core/base/json.h"
#include "core/base/printable.h"
#include "core/sandbox/code_limits.h"
#include "core/sandbox/seccomp_filter.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>

namespace sg::sandbox {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr auto kStartTimeout = 60s;
constexpr std::size_t kLastWords = 4096;
constexpr std::size_t kMaxStatus = 4096;

struct Channels {
    Fd ours;
    Fd runner;
    Fd statusRead;
    Fd statusWrite;
    std::vector<Fd> data; // arguments, filter, passwd, group
};

Result<Fd> memoryFile(const char* name, const std::string& content)
{
    Fd file(::memfd_create(name, MFD_CLOEXEC));
    if (!file.isOpen()
        || ::write(file.get(), content.data(), content.size()) != static_cast<ssize_t>(content.size())
        || ::lseek(file.get(), 0, SEEK_SET) != 0)
        return errnoError(errno, "hand data to bubblewrap");
    return file;
}

Result<Channels> openChannels(const BubblewrapPlan& plan)
{
    Channels channels;
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return errnoError(errno, "create the stream to the runner");
    channels.ours = Fd(ends[0]);
    channels.runner = Fd(ends[1]);
    // With room for several frames of output a writer need not wait for each to be read. Less works, too.
    const int room = 1 << 20;
    for (const int end : ends)
        (void)::setsockopt(end, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return errnoError(errno, "create a pipe");
    channels.statusRead = Fd(ends[0]);
    channels.statusWrite = Fd(ends[1]);
    const std::string id = std::to_string(kInnerUid);
    const std::pair<const char*, std::string> files[] = {
        { "arguments", joinArguments(bubblewrapOptions(plan)) },
        { "filter", seccompFilter() },
        { "passwd", "sandglass:x:" + id + ':' + id + "::/session:/bin/sh\n" },
        { "group", "sandglass:x:" + id + ":\n" },
    };
    for (const auto& [name, content] : files) {
        auto file = memoryFile(name, content);
        if (!file)
            return std::move(file.error());
        channels.data.push_back(std::move(*file));
    }
    return channels;
}

// Async-signal-safe; 0 or an errno value.
int limit(__rlimit_resource resource, std::int64_t value)
{
    rlimit old{};
    if (::getrlimit(resource, &old) != 0)
        return errno;
    const auto wanted =
        std::min(static_cast<rlim_t>(value), old.rlim_max); // an ordinary user cannot raise it
    const rlimit next{ wanted, wanted };
    return ::setrlimit(resource, &next) == 0 ? 0 : errno;
}

int applyLimits(const Limits& limits, bool byProcess)
{
    constexpr std::int64_t kReserve = 2LL << 30; // reserved and never used address space: arenas, stacks
    int error = limit(RLIMIT_CORE, 0);
    if (!error)
        error = limit(RLIMIT_NOFILE, runnersFiles(limits));
    if (!error)
        error = limit(RLIMIT_SIGPENDING, kSignalsInLine);
    if (!error)
        error = limit(RLIMIT_MSGQUEUE, 0);
    if (!error)
        error = limit(RLIMIT_FSIZE, limits.tmpfsBytes);
    if (!error && byProcess)
        error = limit(RLIMIT_DATA, limits.memoryBytes);
    if (!error && byProcess)
        error = limit(RLIMIT_AS, limits.memoryBytes + kReserve);
    return error;
}

ProcessSpec processSpec(const BubblewrapStart& start, const Channels& channels)
{
    ProcessSpec spec;
    std::vector<std::string> words = start.wrapper;
    words.insert(words.end(), { start.program, "--args", std::to_string(descriptor::kArguments), "--" });
    const std::vector<std::string> command =
        start.command.empty() ? runnerCommand(start.plan) : start.command;
    words.insert(words.end(), command.begin(), command.end());
    spec.program = words.front();
    spec.arguments.assign(words.begin() + 1, words.end());
    // No environment: bubblewrap's own can be read inside, despite --clearenv.
    spec.environment = start.environment;
    spec.pipeStderr = true;
    spec.keepDescriptors = {
        { channels.runner.get(), descriptor::kRunner },   { channels.data[0].get(), descriptor::kArguments },
        { channels.data[1].get(), descriptor::kSeccomp }, { channels.statusWrite.get(), descriptor::kStatus },
        { channels.data[2].get(), descriptor::kPasswd },  { channels.data[3].get(), descriptor::kGroup }
    };
    spec.prepare = [&start] {
        // A session of its own keeps Ctrl+C at a terminal from reaching the sandbox.
        int error = ::setsid() < 0 ? errno : 0;
        if (!error && start.cgroup)
            error = start.cgroup->join();
        if (!error)
            error = applyLimits(start.plan.limits, start.plan.limitsByProcess);
        if (!error && start.stage)
            error = start.stage->enter();
        return error;
    };
    return spec;
}

Error startFailure(ChildProcess& process, const std::string& fallback)
{
    (void)process.wait(1s);
    std::string words = readLastWords(process);
    if (words.empty())
        words = fallback;
    const std::string advice = namespaceAdvice();
    return { Errc::Unavailable,
             "bubblewrap could not start the sandbox: " + words + (advice.empty() ? "" : ". " + advice) };
}

// bubblewrap writes {"child-pid": N, …} and a newline before it sets up the sandbox.
Result<pid_t> readChildPid(int status, ChildProcess& process, steady_clock::time_point deadline)
{
    std::string text;
    while (text.find('\n') == std::string::npos && text.size() < kMaxStatus) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now()).count();
        pollfd watched{ status, POLLIN, 0 };
        if (left <= 0 || ::poll(&watched, 1, static_cast<int>(left)) == 0)
            return startFailure(process, "it did not answer in time");
        char buffer[512];
        const ssize_t got = ::read(status, buffer, sizeof buffer);
        if (got == 0 || (got < 0 && errno != EINTR))
            return startFailure(process, "it ended at once");
        if (got > 0)
            text.append(buffer, static_cast<std::size_t>(got));
    }
    const auto parsed = parseJson(std::string_view(text).substr(0, text.find('\n')));
    const std::int64_t pid = parsed ? parsed->intOr("child-pid", 0) : 0;
    if (pid <= 1)
        return Error{ Errc::Unsupported, "bubblewrap reported no process: " + printableText(text) };
    return static_cast<pid_t>(pid);
}

std::string commandName(pid_t pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/comm");
    std::string name;
    std::getline(file, name);
    return name;
}

// bubblewrap reports the fork, not that the set-up is done and the command runs.
Result<void> waitForCommand(pid_t inside, const std::string& program, ChildProcess& process,
                            steady_clock::time_point deadline)
{
    const std::string own = program.substr(program.rfind('/') + 1).substr(0, 15); // as the kernel cuts it
    while (true) {
        const std::string name = commandName(inside);
        if (!name.empty() && name != own)
            return {};
        pollfd watched{ process.exitDescriptor(), POLLIN, 0 };
        if (::poll(&watched, 1, 1) > 0)
            return startFailure(process, "it ended while it set the sandbox up");
        if (steady_clock::now() > deadline)
            return startFailure(process, "it did not finish in time");
    }
}

bool isSet(const char* path, char value)
{
    std::ifstream file(path);
    char first = 0;
    return file.get(first) && first == value;
}

} // namespace

Result<BubblewrapProcess> startBubblewrap(const BubblewrapStart& start, LauncherThread& launcher)
{
    auto channels = openChannels(start.plan);
    if (!channels)
        return std::move(channels.error());
    const ProcessSpec spec = processSpec(start, *channels);
    std::optional<Result<ChildProcess>> started;
    launcher.run([&] { started = ChildProcess::start(spec); });
    if (!*started) {
        Error& error = started->error();
        if (error.code == Errc::NotFound)
            return Error{ Errc::Unavailable,
                          start.program + " is not installed; install it with: sudo apt install bubblewrap" };
        return std::move(error).during("start a sandbox");
    }
    BubblewrapProcess process{ std::move(**started), 0, Fd(), std::move(channels->ours) };
    channels->runner.reset();
    channels->statusWrite.reset();
    ::fcntl(process.outside.stderrPipe().get(), F_SETFL, O_NONBLOCK);

    const auto deadline = steady_clock::now() + kStartTimeout;
    auto pid = readChildPid(channels->statusRead.get(), process.outside, deadline);
    if (!pid)
        return std::move(pid.error());
    process.inside = *pid;
    process.insideEnd = Fd(static_cast<int>(::syscall(SYS_pidfd_open, *pid, 0)));
    if (auto runs = waitForCommand(*pid, start.program, process.outside, deadline); !runs)
        return std::move(runs.error());
    if (!process.insideEnd.isOpen())
        return Error{ Errc::Unavailable, "the sandbox ended at once: " + readLastWords(process.outside) };
    return process;
}

std::string readLastWords(ChildProcess& process)
{
    std::string words(kLastWords, '\0');
    const ssize_t got = ::read(process.stderrPipe().get(), words.data(), words.size());
    words.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    while (!words.empty() && words.back() == '\n')
        words.pop_back();
    return printableText(words);
}

std::string namespaceAdvice()
{
    if (::geteuid() != 0 && isSet("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", '1')) {
        std::error_code error;
        if (!std::filesystem::exists("/etc/apparmor.d/bwrap", error))
            return "AppArmor keeps programs from creating user namespaces on this machine; allow bubblewrap "
                   "with a profile in "
                   "/etc/apparmor.d/bwrap, or with: sudo sysctl "
                   "kernel.apparmor_restrict_unprivileged_userns=0";
    }
    if (isSet("/proc/sys/kernel/unprivileged_userns_clone", '0'))
        return "This kernel keeps users from creating user namespaces; allow it with: "
               "sudo sysctl kernel.unprivileged_userns_clone=1";
    if (isSet("/proc/sys/user/max_user_namespaces", '0'))
        return "This machine allows no user namespaces; allow them with: sudo sysctl "
               "user.max_user_namespaces=10000";
    return {};
}

} // namespace sg::sandbox
