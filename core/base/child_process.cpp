#include "core/base/child_process.h"

#include "core/base/errno_error.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <filesystem>

namespace sg {
namespace {

constexpr int kFirstFree = 3; // after stdin, stdout and stderr

enum class Stage { Descriptors, WorkingFolder, Prepare, Exec };

struct StartFailure { // what the child writes to its start pipe
    Stage stage;
    int error;
};

// Everything the child needs is made before fork: between fork and exec it must not allocate.
struct Launch {
    std::string path;
    std::vector<char*> argv;
    std::vector<char*> envp;
    const char* folder = "/";
    int standard[3] = { -1, -1, -1 };
    std::vector<std::pair<int, int>> kept; // descriptor here → number in the child
    int firstHigh = kFirstFree; // above every number in `kept`
    int startPipe = -1;
    const std::function<int()>* prepare = nullptr;
};

struct Pipe {
    Fd read;
    Fd write;
};

// The child sets up descriptors 0 to 2, so other descriptors must not have these numbers.
Fd moveUp(Fd fd, int first)
{
    if (fd.get() >= first)
        return fd;
    return Fd(::fcntl(fd.get(), F_DUPFD_CLOEXEC, first));
}

Result<Pipe> makePipe(int first)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return errnoError(errno, "create a pipe");
    Pipe made{ moveUp(Fd(ends[0]), first), moveUp(Fd(ends[1]), first) };
    if (!made.read.isOpen() || !made.write.isOpen())
        return errnoError(errno, "create a pipe");
    return made;
}

bool isProgram(const std::string& path)
{
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

Result<std::string> findProgram(const std::string& program)
{
    if (program.find('/') != std::string::npos) {
        std::error_code error;
        return std::filesystem::absolute(program, error).string();
    }
    const char* variable =
        std::getenv("PATH"); // NOLINT(concurrency-mt-unsafe): nothing here changes the environment
    const std::string folders = variable ? variable : "/usr/local/bin:/usr/bin:/bin";
    for (std::size_t from = 0; from <= folders.size();) {
        const std::size_t colon = std::min(folders.find(':', from), folders.size());
        const std::string path = folders.substr(from, colon - from) + '/' + program;
        if (path.front() == '/' && path.size() > program.size() + 1 && isProgram(path))
            return path;
        from = colon + 1;
    }
    return errnoError(ENOENT, program);
}

// ---- in the child: async-signal-safe calls only ----

[[noreturn]] void giveUp(const Launch& launch, Stage stage, int error)
{
    const StartFailure failure{ stage, error };
    [[maybe_unused]] const ssize_t written = ::write(launch.startPipe, &failure, sizeof failure);
    ::_exit(127);
}

void closeOnExecFrom(int first)
{
    if (::syscall(SYS_close_range, first, ~0U, CLOSE_RANGE_CLOEXEC) == 0)
        return;
    rlimit limit{};
    const bool known = ::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    const int end = known ? static_cast<int>(std::min<rlim_t>(limit.rlim_cur, INT_MAX)) : 65536;
    for (int fd = first; fd < end; ++fd)
        ::fcntl(fd, F_SETFD, FD_CLOEXEC);
}

void placeDescriptors(Launch& launch)
{
    for (int number = 0; number < kFirstFree; ++number)
        if (::dup2(launch.standard[number], number) < 0)
            giveUp(launch, Stage::Descriptors, errno);
    // The descriptors first move above every target, because targets may be one another's sources.
    for (auto& [ours, number] : launch.kept) {
        ours = ::fcntl(ours, F_DUPFD_CLOEXEC, launch.firstHigh);
        if (ours < 0)
            giveUp(launch, Stage::Descriptors, errno);
    }
    closeOnExecFrom(kFirstFree);
    for (const auto& [ours, number] : launch.kept)
        if (::dup2(ours, number) < 0)
            giveUp(launch, Stage::Descriptors, errno);
}

void resetSignals()
{
    struct sigaction action { };
    action.sa_handler = SIG_DFL;
    for (int signal = 1; signal < NSIG; ++signal)
        ::sigaction(signal, &action, nullptr); // refused for SIGKILL, SIGSTOP and libc's own
    sigset_t none;
    ::sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void runChild(Launch& launch)
{
    placeDescriptors(launch);
    resetSignals();
    if (::chdir(launch.folder) != 0)
        giveUp(launch, Stage::WorkingFolder, errno);
    if (*launch.prepare) {
        if (const int error = (*launch.prepare)())
            giveUp(launch, Stage::Prepare, error);
    }
    ::execve(launch.path.c_str(), launch.argv.data(), launch.envp.data());
    giveUp(launch, Stage::Exec, errno);
}

// ---- in the parent ----

// Signals are blocked so that no handler of ours runs in the child before it resets them.
pid_t forkWithSignalsBlocked(Launch& launch)
{
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = ::fork();
    if (pid == 0)
        runChild(launch);
    const int error = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = error;
    return pid;
}

Error startError(const ProcessSpec& spec, const StartFailure& failure)
{
    switch (failure.stage) {
    case Stage::Descriptors: return errnoError(failure.error, spec.program + ": pass descriptors");
    case Stage::WorkingFolder:
        return errnoError(failure.error, spec.program + ": enter " + spec.workingFolder);
    case Stage::Prepare: return errnoError(failure.error, spec.program + ": prepare the process");
    case Stage::Exec: break;
    }
    return errnoError(failure.error, spec.program);
}

std::vector<char*> pointersTo(const std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (const std::string& text : texts)
        pointers.push_back(const_cast<char*>(text.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

Launch launchOf(const ProcessSpec& spec, std::string path)
{
    Launch launch;
    launch.path = std::move(path);
    launch.argv = pointersTo(spec.arguments);
    launch.argv.insert(launch.argv.begin(), const_cast<char*>(spec.program.c_str()));
    launch.envp = pointersTo(spec.environment);
    if (!spec.workingFolder.empty())
        launch.folder = spec.workingFolder.c_str();
    launch.kept = spec.keepDescriptors;
    for (const auto& [ours, number] : spec.keepDescriptors)
        launch.firstHigh = std::max(launch.firstHigh, number + 1);
    launch.prepare = &spec.prepare;
    return launch;
}

// The ends of a child's standard streams: ours, and the child's, which close once it runs.
struct StandardStreams {
    Fd ours[3];
    Fd theirs[3];
};

Result<StandardStreams> openStandardStreams(const ProcessSpec& spec)
{
    StandardStreams streams;
    const bool wanted[3] = { spec.pipeStdin, spec.pipeStdout, spec.pipeStderr };
    for (int number = 0; number < kFirstFree; ++number) {
        if (!wanted[number]) {
            streams.theirs[number] = moveUp(Fd(::open("/dev/null", O_RDWR | O_CLOEXEC)), kFirstFree);
            if (!streams.theirs[number].isOpen())
                return errnoError(errno, "open /dev/null");
            continue;
        }
        auto pipe = makePipe(kFirstFree);
        if (!pipe)
            return std::move(pipe.error());
        const bool input = number == 0;
        streams.ours[number] = std::move(input ? pipe->write : pipe->read);
        streams.theirs[number] = std::move(input ? pipe->read : pipe->write);
    }
    return streams;
}

} // namespace

Fd& Fd::operator=(Fd&& other) noexcept
{
    if (this != &other) {
        reset();
        m_fd = other.take();
    }
    return *this;
}

void Fd::reset()
{
    if (m_fd >= 0)
        ::close(take());
}

Result<ChildProcess> ChildProcess::start(const ProcessSpec& spec)
{
    auto path = findProgram(spec.program);
    if (!path)
        return std::move(path.error());
    Launch launch = launchOf(spec, std::move(*path));
    auto streams = openStandardStreams(spec);
    if (!streams)
        return std::move(streams.error()).during(spec.program);
    auto startPipe = makePipe(launch.firstHigh);
    if (!startPipe)
        return std::move(startPipe.error()).during(spec.program);
    for (int number = 0; number < kFirstFree; ++number)
        launch.standard[number] = streams->theirs[number].get();
    launch.startPipe = startPipe->write.get();

    ChildProcess child;
    child.m_pid = forkWithSignalsBlocked(launch);
    if (child.m_pid < 0)
        return errnoError(errno, spec.program + ": start a process");
    child.m_pidfd = Fd(static_cast<int>(::syscall(SYS_pidfd_open, child.m_pid, 0)));
    const int pidfdError = child.m_pidfd.isOpen() ? 0 : errno;
    startPipe->write.reset();

    StartFailure failure{ Stage::Exec, 0 };
    ssize_t got = 0;
    do
        got = ::read(startPipe->read.get(), &failure, sizeof failure);
    while (got < 0 && errno == EINTR);
    if (got == sizeof failure)
        return startError(spec, failure);
    if (pidfdError != 0)
        return errnoError(pidfdError, spec.program + ": watch the process");
    child.m_stdin = std::move(streams->ours[0]);
    child.m_stdout = std::move(streams->ours[1]);
    child.m_stderr = std::move(streams->ours[2]);
    return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : m_pid(std::exchange(other.m_pid, -1))
    , m_pidfd(std::move(other.m_pidfd))
    , m_exit(std::exchange(other.m_exit, std::nullopt))
    , m_stdin(std::move(other.m_stdin))
    , m_stdout(std::move(other.m_stdout))
    , m_stderr(std::move(other.m_stderr))
{
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept
{
    if (this != &other) {
        end();
        m_pid = std::exchange(other.m_pid, -1);
        m_pidfd = std::move(other.m_pidfd);
        m_exit = std::exchange(other.m_exit, std::nullopt);
        m_stdin = std::move(other.m_stdin);
        m_stdout = std::move(other.m_stdout);
        m_stderr = std::move(other.m_stderr);
    }
    return *this;
}

ChildProcess::~ChildProcess()
{
    end();
}

void ChildProcess::end()
{
    if (m_pid <= 0 || m_exit)
        return;
    ::kill(m_pid, SIGKILL); // not reaped yet, so the number is still this child's
    while (::waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) { }
    m_pid = -1;
}

void ChildProcess::kill(int signal)
{
    if (m_pidfd.isOpen()) // unlike a number, it never means another process
        ::syscall(SYS_pidfd_send_signal, m_pidfd.get(), signal, nullptr, 0);
}

Result<ChildProcess::Exit> ChildProcess::wait(std::chrono::milliseconds timeout)
{
    using namespace std::chrono;
    const auto deadline = steady_clock::now() + timeout;
    while (!m_exit) {
        const auto left = std::max(ceil<milliseconds>(deadline - steady_clock::now()), milliseconds(0));
        pollfd watched{ m_pidfd.get(), POLLIN, 0 };
        const int ready =
            ::poll(&watched, 1, static_cast<int>(std::min<std::int64_t>(left.count(), INT_MAX)));
        if (ready < 0 && errno != EINTR)
            return errnoError(errno, "wait for process " + std::to_string(m_pid));
        if (ready == 0 && left.count() == 0)
            return Error{ Errc::Timeout, "process " + std::to_string(m_pid) + " still runs" };
        if (ready <= 0)
            continue;
        int status = 0;
        const pid_t reaped = ::waitpid(m_pid, &status, 0);
        if (reaped < 0 && errno == EINTR)
            continue;
        if (reaped < 0) // this program ignores SIGCHLD, so the exit is unknown
            m_exit = Exit{ -1, 0 };
        else if (WIFSIGNALED(status))
            m_exit = Exit{ -1, WTERMSIG(status) };
        else
            m_exit = Exit{ WEXITSTATUS(status), 0 };
    }
    return *m_exit;
}

} // namespace sg
