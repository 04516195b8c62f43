#pragma once

#include "core/base/child_process.h"
#include "tests/support/wait_for.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <string>

namespace sg::test {

// A program on its own terminal, 80 columns wide: what is typed reaches it as from a keyboard, including
// Ctrl+C.
class TerminalProgram {
public:
    explicit TerminalProgram(ProcessSpec spec)
        : m_terminal(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK))
    {
        std::array<char, 64> name{};
        if (!m_terminal.isOpen() || ::grantpt(m_terminal.get()) != 0 || ::unlockpt(m_terminal.get()) != 0
            || ::ptsname_r(m_terminal.get(), name.data(), name.size()) != 0)
            return;
        const winsize size{ 24, 80, 0, 0 };
        ::ioctl(m_terminal.get(), TIOCSWINSZ, &size);
        spec.prepare = [name] {
            if (::setsid() < 0)
                return errno;
            const int terminal = ::open(name.data(), O_RDWR); // NOLINT: becomes the controlling one
            for (int number = 0; number < 3; ++number)
                if (terminal < 0 || ::dup2(terminal, number) < 0)
                    return errno;
            return 0;
        };
        spec.environment.push_back("TERM=xterm");
        if (auto started = ChildProcess::start(spec))
            m_process.emplace(std::move(*started));
    }

    [[nodiscard]] bool isStarted() const { return m_process.has_value(); }
    void type(const std::string& keys) const
    {
        [[maybe_unused]] const ssize_t written = ::write(m_terminal.get(), keys.data(), keys.size());
    }
    // Waits until the program writes `text`, after the text of the previous call; `seen()` has all output in
    // between.
    [[nodiscard]] bool writes(const std::string& text,
                              std::chrono::milliseconds timeout = std::chrono::seconds(60))
    {
        m_seen.clear();
        return waitFor(
            [&] {
                receive();
                const std::size_t found = m_written.find(text);
                if (found == std::string::npos)
                    return false;
                m_seen = m_written.substr(0, found + text.size());
                m_written.erase(0, found + text.size());
                return true;
            },
            timeout);
    }
    [[nodiscard]] const std::string& seen() const { return m_seen; }
    [[nodiscard]] const std::string& unseen() const { return m_written; }
    // The exit code, or minus the signal's number, or -1000: it still runs.
    int ends(std::chrono::milliseconds timeout = std::chrono::seconds(60))
    {
        std::optional<ChildProcess::Exit> exit;
        static_cast<void>(waitFor(
            [&] {
                receive();
                if (const auto ended = m_process->wait(std::chrono::milliseconds(0)))
                    exit = *ended;
                return exit.has_value();
            },
            timeout));
        receive();
        return !exit ? -1000 : exit->signal != 0 ? -exit->signal : exit->code;
    }

private:
    void receive()
    {
        std::array<char, 4096> buffer{};
        for (ssize_t got = 1; got > 0;) {
            got = ::read(m_terminal.get(), buffer.data(), buffer.size());
            if (got > 0)
                m_written.append(buffer.data(), static_cast<std::size_t>(got));
        }
    }

    Fd m_terminal;
    std::optional<ChildProcess> m_process;
    std::string m_written;
    std::string m_seen;
};

// Accepts connections on 127.0.0.1 and never sends anything.
class SilentServer {
public:
    SilentServer()
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof address;
        static_cast<void>(::bind(m_socket.get(), reinterpret_cast<sockaddr*>(&address), length));
        ::listen(m_socket.get(), 8);
        ::getsockname(m_socket.get(), reinterpret_cast<sockaddr*>(&address), &length);
        m_port = ntohs(address.sin_port);
    }
    [[nodiscard]] int port() const { return m_port; }
    // True where somebody connects within a minute.
    [[nodiscard]] bool isAsked() const
    {
        pollfd watched{ m_socket.get(), POLLIN, 0 };
        return ::poll(&watched, 1, 60'000) == 1;
    }

private:
    Fd m_socket{ ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) };
    int m_port = 0;
};

} // namespace sg::test
