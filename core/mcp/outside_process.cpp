#include "core/base/child_process.h"
#include "core/base/errno_error.h"
#include "core/base/printable.h"
#include "core/base/sigpipe_guard.h"
#include "core/mcp/server_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <utility>

namespace sg::mcp {
namespace {

constexpr std::chrono::seconds kMostWrite{ 30 };
constexpr std::chrono::seconds kGrace{ 2 };
constexpr std::size_t kMostWords = 4096;

// Variables that a server needs to find programs and its user's files.
std::vector<std::string> plainEnvironment()
{
    std::vector<std::string> kept;
    for (const char* name : { "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER" }) {
        const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nothing here sets it
        if (value != nullptr && !std::string_view(value).starts_with("()"))
            kept.push_back(std::string(name) + '=' + value);
    }
    return kept;
}

int ownGroup()
{
    return ::setpgid(0, 0) == 0 ? 0 : errno;
}

class OutsideProcess final : public ServerProcess {
public:
    OutsideProcess(ChildProcess child, Fd wake)
        : m_child(std::move(child))
        , m_wake(std::move(wake))
    {
        for (const Fd* pipe : { &m_child.stdinPipe(), &m_child.stdoutPipe(), &m_child.stderrPipe() })
            ::fcntl(pipe->get(), F_SETFL, ::fcntl(pipe->get(), F_GETFL) | O_NONBLOCK);
    }

    ~OutsideProcess() override
    {
        OutsideProcess::close();
        {
            const std::lock_guard lock(m_writing);
            m_child.stdinPipe().reset();
        }
        if (!m_child.wait(kGrace)) {
            ::kill(-m_child.pid(), SIGTERM);
            static_cast<void>(m_child.wait(kGrace));
        }
        ::kill(-m_child.pid(), SIGKILL); // also what it left behind
    }

    Result<std::size_t> read(char* buffer, std::size_t size, std::chrono::milliseconds timeout) override
    {
        const auto end = std::chrono::steady_clock::now() + timeout;
        for (;;) {
            takeWords();
            const ssize_t got = ::read(m_child.stdoutPipe().get(), buffer, size);
            if (got >= 0)
                return static_cast<std::size_t>(got);
            if (errno != EAGAIN && errno != EINTR)
                return errnoError(errno, "read from the server");
            const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
            if (left.count() <= 0)
                return Error{ Errc::Timeout, "the server said nothing" };
            std::array<pollfd, 3> waits{
                pollfd{ m_child.stdoutPipe().get(), POLLIN, 0 }, pollfd{ m_wake.get(), POLLIN, 0 },
                pollfd{ m_stderrOver ? -1 : m_child.stderrPipe().get(), POLLIN, 0 }
            };
            ::poll(waits.data(), waits.size(), static_cast<int>(left.count()));
            if (waits[1].revents != 0)
                return std::size_t{ 0 };
        }
    }

    Result<void> write(std::string_view bytes) override
    {
        const std::lock_guard lock(m_writing);
        const SigpipeGuard guard;
        const auto end = std::chrono::steady_clock::now() + kMostWrite;
        while (!bytes.empty()) {
            const ssize_t put = ::write(m_child.stdinPipe().get(), bytes.data(), bytes.size());
            if (put > 0) {
                bytes.remove_prefix(static_cast<std::size_t>(put));
                continue;
            }
            if (errno != EAGAIN && errno != EINTR)
                return Error{ Errc::Unavailable, "the server's program has ended" };
            const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
            if (left.count() <= 0)
                return Error{ Errc::Unavailable, "the server reads nothing" };
            std::array<pollfd, 2> waits{ pollfd{ m_child.stdinPipe().get(), POLLOUT, 0 },
                                         pollfd{ m_wake.get(), POLLIN, 0 } };
            ::poll(waits.data(), waits.size(), static_cast<int>(left.count()));
            if (waits[1].revents != 0)
                return Error{ Errc::Unavailable, "the server is being ended" };
        }
        return {};
    }

    void close() override
    {
        const std::uint64_t one = 1;
        static_cast<void>(::write(m_wake.get(), &one, sizeof one) == sizeof one);
    }

    std::string lastWords() override
    {
        const std::lock_guard lock(m_wordsMutex);
        return printableText(m_words);
    }

private:
    void takeWords()
    {
        std::array<char, 4096> buffer{};
        ssize_t got = 0;
        const std::lock_guard lock(m_wordsMutex);
        while ((got = ::read(m_child.stderrPipe().get(), buffer.data(), buffer.size())) > 0) {
            m_words.append(buffer.data(), static_cast<std::size_t>(got));
            if (m_words.size() > kMostWords)
                m_words.erase(0, m_words.size() - kMostWords);
        }
        m_stderrOver = got == 0;
    }

    ChildProcess m_child;
    const Fd m_wake; // readable from close() on
    std::mutex m_writing;
    bool m_stderrOver = false; // belongs to the reading thread
    std::mutex m_wordsMutex;
    std::string m_words; // guarded by m_wordsMutex
};

} // namespace

Result<std::unique_ptr<ServerProcess>> startOutside(const ServerCommand& command)
{
    ProcessSpec spec;
    spec.program = command.words.front();
    spec.arguments.assign(command.words.begin() + 1, command.words.end());
    spec.environment = plainEnvironment();
    spec.environment.insert(spec.environment.end(), command.environment.begin(), command.environment.end());
    spec.workingFolder = command.folder;
    spec.pipeStdin = spec.pipeStdout = spec.pipeStderr = true;
    spec.prepare = ownGroup;
    Fd wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!wake.isOpen())
        return errnoError(errno, "start the server");
    auto child = ChildProcess::start(spec);
    if (!child)
        return std::move(child.error()).during("start the server");
    return std::unique_ptr<ServerProcess>(
        std::make_unique<OutsideProcess>(std::move(*child), std::move(wake)));
}

} // namespace sg::mcp
