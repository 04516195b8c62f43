#include "ui/bridge/sessions/terminal_line.h"

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

constexpr qsizetype kMostPrinted = 256 << 10;
constexpr qsizetype kMostTyped = 4 << 20; // fits a large paste

} // namespace

std::shared_ptr<TerminalLine> TerminalLine::make(TerminalGrid grid)
{
    // The object must be deleted on the thread that made it, whichever thread has the last owner.
    return { new TerminalLine(grid), [](TerminalLine* line) { line->deleteLater(); } };
}

void TerminalLine::type(const QByteArray& bytes)
{
    std::unique_lock lock(m_mutex);
    if (m_closed)
        return;
    if (m_typed.size() + bytes.size() <= kMostTyped) {
        m_typed += bytes;
        m_changed.notify_all();
        return;
    }
    lock.unlock();
    Q_EMIT refused(bytes.size());
}

void TerminalLine::resize(TerminalGrid grid)
{
    const std::lock_guard lock(m_mutex);
    if (m_grid == grid)
        return;
    m_grid = grid;
    m_gridChanged = true;
    m_changed.notify_all();
}

QByteArray TerminalLine::take(qsizetype most)
{
    const std::lock_guard lock(m_mutex);
    QByteArray taken = m_printed.left(most);
    m_printed.remove(0, taken.size());
    m_told = !m_printed.isEmpty();
    m_changed.notify_all();
    return taken;
}

bool TerminalLine::holdsMore() const
{
    const std::lock_guard lock(m_mutex);
    return !m_printed.isEmpty();
}

void TerminalLine::close()
{
    const std::lock_guard lock(m_mutex);
    m_closed = true;
    m_changed.notify_all();
}

TerminalGrid TerminalLine::grid() const
{
    const std::lock_guard lock(m_mutex);
    return m_grid;
}

std::optional<TerminalLine::Wish> TerminalLine::nextWish(const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, stop, [this] { return m_closed || m_gridChanged || !m_typed.isEmpty(); });
    if (m_closed || stop.stop_requested())
        return std::nullopt;
    Wish wish{ std::exchange(m_typed, {}), std::nullopt };
    if (std::exchange(m_gridChanged, false))
        wish.grid = m_grid;
    return wish;
}

bool TerminalLine::print(const QByteArray& bytes)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_closed || m_printed.size() < kMostPrinted; });
    if (m_closed)
        return false;
    m_printed += bytes;
    if (std::exchange(m_told, true))
        return true;
    lock.unlock();
    Q_EMIT printed();
    return true;
}

bool TerminalLine::isClosed() const
{
    const std::lock_guard lock(m_mutex);
    return m_closed;
}

void TerminalLine::end(const QString& how)
{
    Q_EMIT ended(how);
}

} // namespace sg::ui
