#include "ui/bridge/project_bridge_impl.h"

// What panels ask of the open project.
namespace sg::ui {
namespace {

constexpr int kFirstHistory = 1500; // checkpoints that are read before anything is shown
constexpr int kWholeHistory = 100'000; // the newest; more would fill the memory

} // namespace

void ProjectBridge::refreshThreads()
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->readers, [workbench = m_impl->workbench] { return readThreads(*workbench); },
        [this](const Answer<std::vector<ThreadRow>>& answer) {
            if (answer.error.what.isEmpty())
                Q_EMIT threadsLoaded(answer.value);
            else
                Q_EMIT queryFailed(answer.error);
        });
}

// The newest checkpoints at once, all of a long history when they are read.
void ProjectBridge::loadHistory(const QString& thread)
{
    if (!isOpen())
        return;
    const quint64 asked = ++m_impl->histories;
    const auto read = [this, thread, asked](QThreadPool& pool, int limit, auto&& after) {
        m_impl->ask(
            pool,
            [workbench = m_impl->workbench, thread, limit] { return readHistory(*workbench, thread, limit); },
            [this, asked, after](const Answer<HistoryRows>& answer) {
                if (asked != m_impl->histories)
                    return; // a newer question is under way
                if (!answer.error.what.isEmpty()) {
                    Q_EMIT queryFailed(answer.error);
                    return;
                }
                Q_EMIT historyLoaded(answer.value);
                after(answer.value);
            });
    };
    read(m_impl->readers, kFirstHistory, [this, read](const HistoryRows& rows) {
        if (static_cast<int>(rows.checkpoints.size()) >= kFirstHistory)
            read(m_impl->slow, kWholeHistory, [](const HistoryRows&) {});
    });
}

void ProjectBridge::loadState(const QString& thread, const QString& checkpoint, const QString& base)
{
    if (!isOpen())
        return;
    const quint64 asked = ++m_impl->states;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, thread, checkpoint, base] {
            return readState(*workbench, thread, checkpoint, base);
        },
        [this, asked](const Answer<StateView>& answer) {
            if (asked != m_impl->states)
                return; // a newer question is under way
            if (answer.error.what.isEmpty())
                Q_EMIT stateLoaded(answer.value);
            else
                Q_EMIT queryFailed(answer.error);
        });
}

void ProjectBridge::loadWorld(const QString& thread, const QString& checkpoint)
{
    if (!isOpen())
        return;
    if (m_impl->readsWorld) {
        m_impl->nextWorld = { thread, checkpoint };
        return;
    }
    m_impl->readsWorld = true;
    m_impl->askAlways(
        m_impl->slow,
        [workbench = m_impl->workbench, thread, checkpoint] {
            return readWorld(*workbench, thread, checkpoint);
        },
        [this, asked = m_impl->generation](const WorldView& world) {
            m_impl->readsWorld = false;
            const auto next = std::exchange(m_impl->nextWorld, std::nullopt);
            if (next)
                loadWorld(next->first, next->second);
            else if (asked == m_impl->generation)
                Q_EMIT worldLoaded(world);
        });
}

void ProjectBridge::loadLog(const QString& thread)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->readers, [workbench = m_impl->workbench, thread] { return readLog(*workbench, thread); },
        [this, thread](const Answer<std::vector<LogRow>>& answer) {
            if (answer.error.what.isEmpty())
                Q_EMIT logLoaded(thread, answer.value);
            else
                Q_EMIT queryFailed(answer.error);
        });
}

} // namespace sg::ui
