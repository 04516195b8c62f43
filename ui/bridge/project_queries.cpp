#include "ui/bridge/history_reader.h"
#include "ui/bridge/log_merge.h"
#include "ui/bridge/log_query.h"
#include "ui/bridge/project_bridge_impl.h"

// What panels ask of the open project.
namespace sg::ui {
namespace {

constexpr int kFirstHistory = 1500; // checkpoints that are read before anything is shown
constexpr int kPage = 2500; // checkpoints that the window takes up at once
constexpr int kMostNamespaces = 20'000;
constexpr int kMostNested = 500; // checkpoints of one run inside of a node

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
                Q_EMIT threadsFailed(answer.error);
        });
}

// The newest checkpoints; who has not seen the others asks for all.
void ProjectBridge::loadHistory(const QString& thread)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, thread] { return readHistory(*workbench, thread, kFirstHistory); },
        [this, thread, asked = ++m_impl->histories](const Answer<HistoryRows>& answer) {
            if (asked != m_impl->histories)
                return; // a newer question is under way
            if (answer.error.what.isEmpty())
                Q_EMIT historyLoaded(answer.value);
            else
                Q_EMIT historyFailed(thread, answer.error);
        });
}

void ProjectBridge::loadWholeHistory(const QString& thread)
{
    if (isOpen())
        readOn(std::make_shared<HistoryReader>(*m_impl->workbench, thread), ++m_impl->wholes);
}

// One page after another: the next is read when the one before has been taken, so that none pile up.
// The workbench belongs to the work alone: its last owner may take long to end, and is never this thread.
void ProjectBridge::readOn(const std::shared_ptr<HistoryReader>& reader, quint64 asked)
{
    m_impl->ask(
        m_impl->slow, [reader, workbench = m_impl->workbench] { return reader->next(kPage); },
        [this, reader, asked](const Answer<HistoryReader::Page>& answer) {
            if (asked != m_impl->wholes)
                return;
            if (!answer.error.what.isEmpty()) {
                Q_EMIT queryFailed(answer.error);
                return;
            }
            Q_EMIT historyExtended(answer.value.rows, answer.value.isLast);
            if (!answer.value.isLast)
                readOn(reader, asked);
        });
}

void ProjectBridge::loadNamespaces(const QString& thread)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, thread] {
            return HistoryReader(*workbench, thread).namespaces(kMostNamespaces);
        },
        [this, thread](const Answer<QStringList>& answer) {
            if (answer.error.what.isEmpty())
                Q_EMIT namespacesLoaded(thread, answer.value);
            else
                Q_EMIT queryFailed(answer.error);
        });
}

void ProjectBridge::loadNested(const QString& thread, const QStringList& namespaces)
{
    if (!isOpen() || namespaces.isEmpty())
        return;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, thread, namespaces] {
            std::vector<HistoryRows> runs;
            for (const QString& ns : namespaces)
                runs.push_back(HistoryReader(*workbench, thread, ns).newest(kMostNested).value);
            return runs;
        },
        [this](const std::vector<HistoryRows>& runs) { Q_EMIT nestedLoaded(runs); });
}

void ProjectBridge::loadState(const QString& thread, const QString& checkpoint, const QString& base)
{
    if (!isOpen())
        return;
    const auto newest = m_impl->states;
    const quint64 asked = ++*newest;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, thread, checkpoint, base, newest, asked] {
            if (asked != *newest) // while the cursor is dragged, what it has left is not read
                return Answer<StateView>();
            return readState(*workbench, thread, checkpoint, base);
        },
        [this, asked, thread](const Answer<StateView>& answer) {
            if (asked != *m_impl->states)
                return; // a newer question is under way
            if (answer.error.what.isEmpty())
                Q_EMIT stateLoaded(answer.value);
            else
                Q_EMIT stateFailed(thread, answer.error);
        });
}

void ProjectBridge::loadWorld(const WorldWanted& wanted)
{
    if (!isOpen())
        return;
    if (m_impl->readsWorld) {
        m_impl->nextWorld = wanted;
        return;
    }
    m_impl->readsWorld = true;
    m_impl->askAlways(
        m_impl->slow, [workbench = m_impl->workbench, wanted] { return readWorld(*workbench, wanted); },
        [this, asked = m_impl->generation](const WorldView& world) {
            m_impl->readsWorld = false;
            const auto next = std::exchange(m_impl->nextWorld, std::nullopt);
            if (next)
                loadWorld(*next);
            else if (asked == m_impl->generation)
                Q_EMIT worldLoaded(world);
        });
}

void ProjectBridge::loadLog(const QString& thread)
{
    if (!isOpen())
        return;
    m_impl->logReading = Impl::LogReading{ m_impl->generation, thread, {} };
    m_impl->ask(
        m_impl->readers, [workbench = m_impl->workbench, thread] { return readLog(*workbench, thread); },
        [this, thread, asked = ++m_impl->logs](Answer<ThreadLog> answer) {
            if (asked != m_impl->logs)
                return; // a newer question is under way
            if (!answer.error.what.isEmpty()) {
                m_impl->logReading.reset();
                Q_EMIT logFailed(thread, answer.error);
                return;
            }
            m_impl->live->catchUp(); // what was written before the log was read
            const Impl::LogReading meanwhile = *std::exchange(m_impl->logReading, std::nullopt);
            m_impl->live->wasRead(thread, answer.value.audited);
            Q_EMIT logLoaded(
                thread,
                mergedLog(std::move(answer.value), meanwhile.live, [this, thread](const LogRow& begun) {
                    return begun.source == LogRow::Source::Cell ? m_impl->cellStops.contains(thread)
                                                                : m_impl->live->goesOn(begun);
                }));
        });
}

} // namespace sg::ui
