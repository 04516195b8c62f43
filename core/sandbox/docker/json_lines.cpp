#include "core/sandbox/docker/json_lines.h"

#include "core/base/json.h"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

namespace sg::sandbox {
namespace {

constexpr std::size_t kMaxLine = 1 << 20;

}

JsonLines::JsonLines(EngineStream stream)
    : m_socket(std::move(stream.socket))
    , m_text(std::move(stream.early))
{
}

// False: nothing more has come yet.
bool JsonLines::receive()
{
    char buffer[16384];
    const ssize_t got = ::recv(m_socket.get(), buffer, sizeof buffer, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (got <= 0 || m_text.size() > kMaxLine) {
        m_ended = true;
        return false;
    }
    m_text.append(buffer, static_cast<std::size_t>(got));
    return true;
}

std::vector<Value> JsonLines::take(std::chrono::milliseconds timeout)
{
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    std::vector<Value> objects;
    while (true) {
        while (!m_ended && receive()) { }
        for (std::size_t end = 0; (end = m_text.find('\n')) != std::string::npos; m_text.erase(0, end + 1)) {
            auto object = parseJson(std::string_view(m_text).substr(0, end));
            if (object)
                objects.push_back(std::move(*object));
        }
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
        if (!objects.empty() || m_ended || left <= 0)
            return objects;
        pollfd watched{ m_socket.get(), POLLIN, 0 };
        ::poll(&watched, 1, static_cast<int>(left));
    }
}

} // namespace sg::sandbox
