#include "ui/selection/selection.h"

#include <cmath>
#include <limits>
#include <utility>

namespace sg::ui {
namespace {

constexpr double kNoTime = std::numeric_limits<double>::quiet_NaN();

} // namespace

Selection::Selection(QObject* parent)
    : QObject(parent)
{
}

void Selection::setThread(const QString& thread)
{
    if (thread == m_thread)
        return;
    m_thread = thread;
    // Listeners of threadChanged must not see the checkpoint of the thread before.
    const bool hadCheckpoint = !std::exchange(m_checkpoint, {}).isEmpty();
    const bool hadMoment = !std::isnan(std::exchange(m_moment, kNoTime));
    const bool hadBase = !std::exchange(m_base, {}).isEmpty();
    Q_EMIT threadChanged(m_thread);
    if (hadCheckpoint && m_checkpoint.isEmpty())
        Q_EMIT checkpointChanged(m_checkpoint);
    if (hadMoment && std::isnan(m_moment))
        Q_EMIT momentChanged(m_moment);
    if (hadBase && m_base.isEmpty())
        Q_EMIT baseChanged(m_base);
}

void Selection::setCheckpoint(const QString& checkpoint)
{
    change(checkpoint, kNoTime);
}

void Selection::setMoment(const QString& checkpoint, double timeMs)
{
    change(checkpoint, timeMs);
}

void Selection::change(const QString& checkpoint, double timeMs)
{
    const bool isOther = checkpoint != m_checkpoint;
    const bool isOtherTime = timeMs != m_moment && !(std::isnan(timeMs) && std::isnan(m_moment));
    m_checkpoint = checkpoint;
    m_moment = timeMs;
    if (isOther)
        Q_EMIT checkpointChanged(m_checkpoint);
    if (isOtherTime)
        Q_EMIT momentChanged(m_moment);
}

void Selection::setBase(const QString& checkpoint)
{
    if (checkpoint == m_base)
        return;
    m_base = checkpoint;
    Q_EMIT baseChanged(m_base);
}

void Selection::setNode(const QString& node)
{
    if (node == m_node)
        return;
    m_node = node;
    Q_EMIT nodeChanged(m_node);
}

void Selection::clear()
{
    setThread({});
    setCheckpoint({});
    setBase({});
    setNode({});
}

} // namespace sg::ui
