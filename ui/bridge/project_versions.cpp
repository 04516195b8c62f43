#include "core/projects/project_text.h"
#include "ui/bridge/project_bridge_impl.h"
#include "ui/bridge/row_conversion.h"

// What the canvas asks beside the graph that is edited: subgraphs' runs, and other versions of the graph.
namespace sg::ui {

void ProjectBridge::loadInnerHistory(const QString& thread, const QString& checkpoint,
                                     const QStringList& path)
{
    if (!isOpen())
        return;
    const quint64 asked = ++m_impl->inner;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, thread, checkpoint, path] {
            return readInnerHistory(*workbench, thread, checkpoint, path);
        },
        [this, asked, path](const Answer<HistoryRows>& answer) {
            if (asked != m_impl->inner)
                return; // a newer question is under way
            if (answer.error.what.isEmpty())
                Q_EMIT innerHistoryLoaded(answer.value, path);
            else
                Q_EMIT queryFailed(answer.error);
        });
}

void ProjectBridge::loadGraphAt(const QString& thread, const QString& checkpoint)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, thread, checkpoint] {
            GraphVersion version{ thread, checkpoint, {}, {} };
            auto found = workbench->history().graphAt(ThreadId(utf8(thread)), CheckpointId(utf8(checkpoint)));
            if (!found)
                version.error = text(found.error().message);
            else if (*found)
                version.text = **found;
            return version;
        },
        [this](const GraphVersion& version) { Q_EMIT graphVersionLoaded(version); });
}

void ProjectBridge::loadCommittedGraph(const QString& revision)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->slow,
        [file = m_impl->workbench->project().graph, revision] {
            GraphVersion version;
            auto found = projects::committedText(file, utf8(revision));
            if (found)
                version.text = *found;
            else
                version.error = text(found.error().message);
            return version;
        },
        [this](const GraphVersion& version) { Q_EMIT graphVersionLoaded(version); });
}

} // namespace sg::ui
