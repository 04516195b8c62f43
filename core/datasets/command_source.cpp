#include "core/base/child_process.h"
#include "core/base/errno_error.h"
#include "core/base/printable.h"
#include "core/datasets/dataset_source.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>

namespace sg::datasets {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t kPiece = 1U << 20;
constexpr std::size_t kMostErrorWords = 2000;
constexpr milliseconds kPipeLook{ 50 };
constexpr milliseconds kEnding{ 5000 };

std::string withId(std::string text, const std::string& id)
{
    for (std::size_t at = text.find("{id}"); at != std::string::npos; at = text.find("{id}", at + id.size()))
        text.replace(at, 4, id);
    return text;
}

// Passes on only the variables that programs need to run, and the one secret: programs that fetch data read
// their keys from a variable, and whoever can read a process's environment could read a descriptor given to
// it, too.
std::vector<std::string> environment(const SourceWorld& world)
{
    std::vector<std::string> made;
    for (const char* name : { "PATH", "HOME", "LANG", "LC_ALL", "TZ" })
        if (const char* value = std::getenv(name)) // NOLINT(concurrency-mt-unsafe): nothing here sets it
            made.push_back(std::string(name) + "=" + value);
    if (world.secret != nullptr)
        made.push_back(world.secret->name() + "=" + world.secret->reveal());
    return made;
}

ProcessSpec specOf(const DatasetSource& source, const SourceWorld& world, const std::string& id)
{
    ProcessSpec spec;
    spec.program = source.command.front();
    if (spec.program.find('/') != std::string::npos)
        spec.program = (world.project / spec.program).string();
    for (std::size_t i = 1; i < source.command.size(); ++i)
        spec.arguments.push_back(withId(source.command[i], id));
    spec.environment = environment(world);
    spec.workingFolder = world.project.string();
    spec.pipeStdout = spec.pipeStderr = true;
    spec.prepare = [] { return ::setpgid(0, 0) == 0 ? 0 : errno; }; // a group, so that all its children can
                                                                    // be ended
    return spec;
}

// Passes the program's output to the sink and keeps the end of its standard error.
class Reading {
public:
    Reading(ChildProcess& child, const Sink& sink)
        : m_child(child)
        , m_sink(sink)
        , m_piece(kPiece, '\0')
    {
    }

    Result<void> until(steady_clock::time_point deadline)
    {
        std::array<pollfd, 2> watched{ pollfd{ m_child.stdoutPipe().get(), POLLIN, 0 },
                                       pollfd{ m_child.stderrPipe().get(), POLLIN, 0 } };
        while (watched[0].fd >= 0) {
            if (!m_sink.goesOn())
                return Error{ Errc::Cancelled, "it was stopped" };
            if (steady_clock::now() > deadline)
                return Error{ Errc::Timeout, "the command did not end within its time" };
            if (::poll(watched.data(), watched.size(), static_cast<int>(kPipeLook.count())) <= 0)
                continue;
            if (watched[1].revents != 0 && !takeWords(watched[1].fd))
                watched[1].fd = -1;
            if (watched[0].revents == 0)
                continue;
            const ssize_t got = ::read(watched[0].fd, m_piece.data(), m_piece.size());
            if (got < 0 && errno != EINTR)
                return errnoError(errno, "read what the command prints");
            if (got == 0)
                watched[0].fd = -1;
            if (got > 0)
                if (auto taken = m_sink.take({ m_piece.data(), static_cast<std::size_t>(got) }); !taken)
                    return taken;
        }
        static_cast<void>(::fcntl(m_child.stderrPipe().get(), F_SETFL, O_NONBLOCK));
        while (watched[1].fd >= 0 && takeWords(watched[1].fd)) { }
        return {};
    }

    [[nodiscard]] std::string words() const { return printableText(m_words); }

private:
    bool takeWords(int fd)
    {
        std::array<char, 4096> text{};
        const ssize_t got = ::read(fd, text.data(), text.size());
        if (got <= 0)
            return false;
        m_words.append(text.data(), static_cast<std::size_t>(got));
        if (m_words.size() > kMostErrorWords)
            m_words.erase(0, m_words.size() - kMostErrorWords);
        return true;
    }

    ChildProcess& m_child;
    const Sink& m_sink;
    std::string m_piece;
    std::string m_words;
};

} // namespace

Result<void> fetchByCommand(const DatasetSource& source, const SourceWorld& world, const std::string& id,
                            const Sink& sink)
{
    auto child = ChildProcess::start(specOf(source, world, id));
    if (!child) // not NotFound: the program is missing, not the dataset
        return Error{ Errc::Unavailable, source.name + ": " + child.error().message };
    const auto deadline = steady_clock::now() + source.timeout;
    Reading reading(*child, sink);
    auto read = reading.until(deadline);
    if (read) {
        const auto exit = child->wait(kEnding);
        if (!exit)
            read = Error{ Errc::Timeout, "the command closed its output but did not end" };
        else if (exit->code != 0)
            read = Error{ Errc::Unavailable,
                          "the command ended with "
                              + (exit->code < 0 ? "signal " + std::to_string(exit->signal)
                                                : "exit code " + std::to_string(exit->code))
                              + (reading.words().empty() ? "" : ": " + reading.words()) };
    }
    ::kill(-child->pid(), SIGKILL); // ends what it left running
    if (!read)
        return std::move(read.error()).during(source.name);
    return {};
}

} // namespace sg::datasets
