#include "core/sandbox/docker/attached_stream.h"

#include <algorithm>

namespace sg::sandbox {
namespace {

constexpr std::size_t kHead = 8;
constexpr std::size_t kMaxErrors = 16384;
constexpr char kStderr = 2;

} // namespace

AttachedStream::AttachedStream(EngineStream stream)
    : m_raw(std::move(stream.socket), std::move(stream.early))
{
}

// Reads a piece of stdout, or 0 bytes after a piece of another stream; Errc::Cancelled at the stream's end.
Result<std::size_t> AttachedStream::readFrame(char* buffer, std::size_t size,
                                              std::chrono::milliseconds timeout)
{
    if (m_left == 0) {
        char head[kHead];
        auto got = m_raw.read(head, kHead - m_head.size(), timeout);
        if (!got)
            return got;
        if (*got == 0)
            return Error{ Errc::Cancelled, "end" };
        m_head.append(head, *got);
        if (m_head.size() < kHead)
            return std::size_t{ 0 };
        m_isError = m_head[0] == kStderr;
        for (std::size_t at = 4; at < kHead; ++at)
            m_left = m_left << 8U | static_cast<unsigned char>(m_head[at]);
        m_head.clear();
        return std::size_t{ 0 };
    }
    auto got = m_raw.read(buffer, std::min(size, m_left), timeout);
    if (!got)
        return got;
    if (*got == 0)
        return Error{ Errc::Cancelled, "end" };
    m_left -= *got;
    if (!m_isError)
        return got;
    const std::lock_guard lock(m_mutex);
    m_errors.append(buffer, std::min(*got, kMaxErrors - std::min(kMaxErrors, m_errors.size())));
    return std::size_t{ 0 };
}

Result<std::size_t> AttachedStream::read(char* buffer, std::size_t size, std::chrono::milliseconds timeout)
{
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (true) {
        const auto left = std::max(
            std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()),
            std::chrono::milliseconds(0));
        auto got = readFrame(buffer, size, left);
        if (!got && got.error().code == Errc::Cancelled)
            return std::size_t{ 0 };
        if (!got || *got > 0)
            return got;
    }
}

void AttachedStream::receive(std::chrono::milliseconds patience)
{
    char buffer[1024];
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (true) {
        const auto left = std::max(
            std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()),
            std::chrono::milliseconds(0));
        if (!readFrame(buffer, sizeof buffer, left))
            return;
    }
}

std::string AttachedStream::errors()
{
    const std::lock_guard lock(m_mutex);
    return m_errors;
}

} // namespace sg::sandbox
