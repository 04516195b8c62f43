#include "core/net/http_exchange.h"

#include <utility>

namespace sg::net {

Result<std::string> HttpExchange::read()
{
    std::unique_lock lock(m_mutex);
    if (!std::exchange(m_isAsked, true)) {
        lock.unlock();
        wake(); // a client may wait for "100 Continue"
        lock.lock();
    }
    m_changed.wait(lock, [this] { return !m_in.empty() || m_isBodyOver || m_failure; });
    if (m_in.empty()) {
        if (m_isBodyOver)
            return std::string();
        return *m_failure;
    }
    const bool wasFull = m_in.size() >= kMostBuffered;
    std::string bytes = std::exchange(m_in, {});
    lock.unlock();
    if (wasFull)
        wake();
    return bytes;
}

Result<std::string> HttpExchange::readAll(std::size_t limit)
{
    std::string all;
    while (true) {
        auto more = read();
        if (!more || more->empty())
            return more ? Result<std::string>(std::move(all)) : std::move(more);
        if (all.size() + more->size() > limit)
            return Error{ Errc::LimitExceeded,
                          "the body is longer than the " + std::to_string(limit)
                              + " bytes that it may have" };
        all += *more;
    }
}

void HttpExchange::answer(HttpAnswer answer)
{
    {
        const std::lock_guard lock(m_mutex);
        if (std::exchange(m_hasBegun, true))
            return;
        m_whole = std::move(answer);
    }
    wake();
}

void HttpExchange::begin(int status, std::string headers, std::optional<std::uint64_t> length)
{
    {
        const std::lock_guard lock(m_mutex);
        if (std::exchange(m_hasBegun, true))
            return;
        m_beginning.emplace();
        m_beginning->begins = true;
        m_beginning->status = status;
        m_beginning->headers = std::move(headers);
        m_beginning->length = length;
    }
    wake();
}

bool HttpExchange::hasBegun() const
{
    const std::lock_guard lock(m_mutex);
    return m_hasBegun;
}

bool HttpExchange::canWrite() const
{
    const std::lock_guard lock(m_mutex);
    return m_out.size() < kMostBuffered;
}

Result<void> HttpExchange::write(std::string_view bytes)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_out.size() < kMostBuffered || m_failure; });
    if (m_failure)
        return *m_failure;
    const bool wasEmpty = m_out.empty();
    m_out += bytes;
    lock.unlock();
    if (wasEmpty)
        wake();
    return {};
}

void HttpExchange::takeOver()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isTakenOver = true;
        m_isAsked = true;
        m_hasBegun = true;
        m_isBodyOver = false;
    }
    wake();
}

HttpExchange::Next HttpExchange::takeNext()
{
    Next next;
    {
        const std::lock_guard lock(m_mutex);
        if (m_beginning)
            next = *std::exchange(m_beginning, {});
        next.whole = std::exchange(m_whole, {});
        next.bytes = std::exchange(m_out, {});
        next.isOver = m_isFinished;
    }
    if (!next.bytes.empty())
        m_changed.notify_all();
    return next;
}

bool HttpExchange::wantsBody() const
{
    const std::lock_guard lock(m_mutex);
    return m_in.size() < kMostBuffered;
}

bool HttpExchange::isAskedForBody() const
{
    const std::lock_guard lock(m_mutex);
    return m_isAsked;
}

bool HttpExchange::isTakenOver() const
{
    const std::lock_guard lock(m_mutex);
    return m_isTakenOver;
}

void HttpExchange::gotBody(std::string_view bytes)
{
    {
        const std::lock_guard lock(m_mutex);
        m_in += bytes;
    }
    m_changed.notify_all();
}

void HttpExchange::endBody()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isBodyOver = true;
    }
    m_changed.notify_all();
}

void HttpExchange::fail(Error why)
{
    // This comes before the error is seen: a handler whose write fails may ask at once whether its client is
    // gone.
    m_gone.request_stop();
    {
        const std::lock_guard lock(m_mutex);
        if (m_failure)
            return;
        m_failure = std::move(why);
    }
    m_changed.notify_all();
}

void HttpExchange::finish()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isFinished = true;
    }
    wake();
}

} // namespace sg::net
