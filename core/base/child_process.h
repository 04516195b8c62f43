#pragma once

#include "core/base/result.h"

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace sg {

// An Fd owns a file descriptor.
class Fd {
public:
    Fd() = default;
    explicit Fd(int fd)
        : m_fd(fd)
    {
    }
    Fd(Fd&& other) noexcept
        : m_fd(std::exchange(other.m_fd, -1))
    {
    }
    Fd& operator=(Fd&& other) noexcept;
    ~Fd() { reset(); }
    [[nodiscard]] int get() const { return m_fd; }
    [[nodiscard]] bool isOpen() const { return m_fd >= 0; }
    int take() { return std::exchange(m_fd, -1); }
    void reset();

private:
    int m_fd = -1;
};

// Describes a child to start. It gets exactly this environment and only these descriptors.
struct ProcessSpec {
    std::string program; // searched in PATH, or relative to this process's folder if it holds a slash
    std::vector<std::string> arguments; // without the program's own name
    std::vector<std::string> environment; // "NAME=value"; empty means empty
    std::string workingFolder; // empty: "/"
    bool pipeStdin = false; // else /dev/null
    bool pipeStdout = false;
    bool pipeStderr = false;
    std::vector<std::pair<int, int>> keepDescriptors; // descriptor here → number in the child (3 and above)
    // Runs in the child between fork and exec: async-signal-safe calls only. A non-zero errno value aborts
    // the start. Kept descriptors, default signals and the working folder are set already.
    std::function<int()> prepare;
};

// A running child. Its destructor kills (SIGKILL) and reaps it. One thread owns it; any thread may call
// kill(). Writing to stdinPipe() after the child closed its end raises SIGPIPE unless the program ignores
// that signal.
class ChildProcess {
public:
    static Result<ChildProcess> start(const ProcessSpec& spec);
    ChildProcess(ChildProcess&&) noexcept;
    ChildProcess& operator=(ChildProcess&&) noexcept;
    ~ChildProcess();

    [[nodiscard]] pid_t pid() const { return m_pid; }
    Fd& stdinPipe() { return m_stdin; }
    Fd& stdoutPipe() { return m_stdout; }
    Fd& stderrPipe() { return m_stderr; }

    void kill(int signal);
    struct Exit {
        int code = 0; // exit code, or -1 if ended by a signal
        int signal = 0;
    };
    // Errc::Timeout if the child still runs; it goes on. After its end every call returns the same.
    Result<Exit> wait(std::chrono::milliseconds timeout);
    // Becomes readable (poll) when the child ends.
    [[nodiscard]] int exitDescriptor() const { return m_pidfd.get(); }

private:
    ChildProcess() = default;
    void end();

    pid_t m_pid = -1;
    Fd m_pidfd;
    std::optional<Exit> m_exit; // once reaped
    Fd m_stdin;
    Fd m_stdout;
    Fd m_stderr;
};

struct ProcessOutput {
    ChildProcess::Exit exit;
    std::string out;
    std::string err;
};

// Starts the child, feeds it `input` and collects stdout and stderr until it ends. The child is killed with
// Errc::LimitExceeded when either stream passes `outputLimit` bytes, with Errc::Timeout at the deadline, and
// with Errc::Cancelled soon after a stop. Never raises SIGPIPE.
Result<ProcessOutput> runProcess(ProcessSpec spec, const std::string& input,
                                 std::chrono::milliseconds timeout, std::size_t outputLimit = 16U << 20,
                                 const std::stop_token& stop = {});

} // namespace sg
