#include "app/cli/commands/sessions/session_parts.h"
#include "app/cli/project_option.h"
#include "core/sandbox/backend_kinds.h"
#include "core/sessions/runner/introspection.h"
#include "core/sessions/runner/session_terminal.h"
#include "core/sessions/session.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <memory>
#include <thread>

namespace sg::cli {
namespace {

constexpr auto kLook = std::chrono::milliseconds(100); // how late a new window size is noticed
constexpr char kLeave = 0x1d; // Ctrl+]
constexpr std::size_t kMostWaiting = 1U << 20;

struct Arguments {
    SessionPlace place;
    std::string thread;
};

// Puts this terminal into raw mode while it lives, so that every key is passed on.
class RawInput {
public:
    RawInput()
        : m_isTerminal(::tcgetattr(STDIN_FILENO, &m_before) == 0)
    {
        termios raw = m_before;
        ::cfmakeraw(&raw);
        if (m_isTerminal)
            ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    }
    ~RawInput()
    {
        if (m_isTerminal)
            ::tcsetattr(STDIN_FILENO, TCSANOW, &m_before);
    }
    RawInput(const RawInput&) = delete;
    RawInput& operator=(const RawInput&) = delete;
    [[nodiscard]] bool isTerminal() const { return m_isTerminal; }

private:
    termios m_before{};
    bool m_isTerminal;
};

sessions::TerminalSize windowSize()
{
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
        return {};
    return { size.ws_row, size.ws_col };
}

void writeOut(const std::string& bytes)
{
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t written = ::write(STDOUT_FILENO, bytes.data() + done, bytes.size() - done);
        if (written < 0 && errno != EINTR)
            return; // nobody reads any more
        done += written > 0 ? static_cast<std::size_t>(written) : 0;
    }
}

void writeAll(sessions::SessionTerminal& terminal, std::string_view bytes, const std::stop_token& stop)
{
    while (!bytes.empty() && !stop.stop_requested()) {
        const auto done = terminal.write(bytes, std::chrono::steady_clock::now() + kLook);
        if (!done)
            return; // the reader reports why
        bytes.remove_prefix(*done);
    }
}

// Passes on what is typed here, until the end of input, Ctrl+] or a stop. Bytes that the shell does not read
// wait here, at most 1 MiB, and then at their source; Ctrl+] is noticed only within that MiB.
void typeInto(sessions::SessionTerminal& terminal, bool isTerminal, std::atomic<bool>& left,
              const std::stop_token& stop)
{
    std::array<char, 4096> typed{};
    std::string waiting;
    sessions::TerminalSize size = windowSize();
    bool isLineStart = true;
    while (!stop.stop_requested()) {
        if (const sessions::TerminalSize now = windowSize(); now != size) {
            size = now;
            static_cast<void>(terminal.resize(size));
        }
        if (!waiting.empty()) {
            const auto done = terminal.write(waiting, std::chrono::steady_clock::now() + kLook);
            if (!done)
                return; // the reader reports why
            waiting.erase(0, *done);
            if (waiting.size() > kMostWaiting)
                continue;
        }
        pollfd input{ STDIN_FILENO, POLLIN, 0 };
        if (::poll(&input, 1, waiting.empty() ? static_cast<int>(kLook.count()) : 0) <= 0)
            continue;
        const ssize_t got = ::read(STDIN_FILENO, typed.data(), typed.size());
        const std::string_view bytes(typed.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
        const std::size_t leave = isTerminal ? bytes.find(kLeave) : std::string_view::npos;
        waiting += bytes.substr(0, leave);
        if (leave != std::string_view::npos) {
            static_cast<void>(terminal.write(waiting, std::chrono::steady_clock::now() + kLook));
            left = true;
            return;
        }
        if (bytes.empty()) { // passed on as Ctrl+D, which counts only at the start of a line
            waiting += isLineStart ? "\x04" : "\n\x04";
            writeAll(terminal, waiting, stop);
            return;
        }
        isLineStart = bytes.back() == '\n';
    }
}

int converse(sessions::SessionTerminal& terminal, const Output& out)
{
    const RawInput raw;
    std::atomic<bool> left = false;
    const std::jthread writer(
        [&](const std::stop_token& stop) { typeInto(terminal, raw.isTerminal(), left, stop); });
    while (!left) {
        const auto shown = terminal.read(std::chrono::steady_clock::now() + kLook);
        if (!shown && shown.error().code == Errc::Timeout)
            continue;
        if (!shown)
            return out.fail(shown.error());
        if (shown->empty())
            return static_cast<int>(terminal.exitCode().value_or(RunFailed));
        writeOut(*shown);
    }
    return Done; // the shell is hung up on
}

int shell(const Arguments& arguments, const Output& out)
{
    if (out.json)
        return out.fail(Usage, "session shell talks to a person; for programs there is session exec --json");
    auto thread = threadArgument(arguments.thread);
    if (!thread)
        return out.fail(thread.error());
    const auto talk = sessionToTalkTo(arguments.place, *thread, out, {});
    if (!talk)
        return out.fail(talk.error());
    auto terminal = sessions::SessionTerminal::open(talk->session, windowSize());
    if (!terminal)
        return out.fail(terminal.error());
    const sessions::SessionInfo info = talk->session->info();
    out.note("session " + info.id.value + " of thread " + thread->value + ", " + info.backend
             + ": what is done here is done to the live session. exit or Ctrl+] leaves"
             + (sandbox::mayBeKept(info.backend)
                    ? "; it lives on until: sandglass session stop " + info.id.value
                    : " and ends it"));
    return converse(**terminal, out);
}

} // namespace

void addSessionShell(Verb verb, Shell& shellOf)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb opening = verb.add("shell", "a shell in a thread's session, beside its interpreter");
    arguments->place.add(opening, true);
    opening.option("--thread", arguments->thread, "thread whose session it is").required();
    opening.onRun([arguments, &shellOf] { shellOf.exit = shell(*arguments, shellOf.out); });
}

} // namespace sg::cli
