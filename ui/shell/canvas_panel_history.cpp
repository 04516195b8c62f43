#include "core/graph/diff.h"
#include "ui/graph/graph_view.h"
#include "ui/selection/selection.h"
#include "ui/shell/canvas_panel.h"
#include "ui/widgets/empty_state.h"

#include <QPushButton>
#include <QSet>
#include <QStackedLayout>

#include <algorithm>

// What the selected thread did: on the whole graph, inside of the shown subgraph, and on the graph as it was.
namespace sg::ui {
namespace {

constexpr std::size_t kFollowed = 1000; // checkpoints of a run that is watched

} // namespace

void CanvasPanel::setHistory(const HistoryRows& history)
{
    m_history = history;
    m_inner = {};
    askInner();
    refresh();
}

void CanvasPanel::setInnerHistory(const HistoryRows& history, const QStringList& path)
{
    if (history.thread != m_history.thread || path != pathWords())
        return;
    m_inner = history;
    refresh();
}

void CanvasPanel::askInner()
{
    if (!m_document.path().empty() && !m_innerSoon.isActive())
        m_innerSoon.start();
}

QStringList CanvasPanel::pathWords() const
{
    QStringList words;
    for (const NodeId& id : m_document.path())
        words << QString::fromStdString(id.value);
    return words;
}

// What ran inside of a subgraph has a history of its own.
const HistoryRows& CanvasPanel::shownHistory() const
{
    return m_document.path().empty() ? m_history : m_inner;
}

void CanvasPanel::takeCheckpoint()
{
    if (m_selection.checkpoint().isEmpty())
        m_showsThen = false;
    else // until the answer comes, what is shown stays: a walk through a run does not flicker
        Q_EMIT graphThenWanted(m_history.thread, m_selection.checkpoint());
    m_inner = {};
    askInner();
    showThen();
    refresh();
}

void CanvasPanel::setGraphThen(const GraphVersion& version)
{
    if (version.thread != m_history.thread || version.checkpoint != m_selection.checkpoint())
        return;
    auto read = graph::parseGraph(version.text);
    const auto found = read && !read->hasErrors() ? graph::differences(read->graph, m_document.whole())
                                                  : std::vector<graph::Difference>();
    m_showsThen = std::ranges::any_of(found, &graph::Difference::countsAtRun);
    if (m_showsThen && (m_then.isEmpty() || version.text != m_thenText)) {
        m_thenText = version.text;
        m_then.setGraph(read->graph);
        m_then.goTo(m_document.path());
    }
    showThen();
    refresh();
}

void CanvasPanel::showThen()
{
    const bool hadFocus = m_view->hasFocus() || m_thenView->hasFocus();
    m_compare->setVisible(m_showsThen);
    m_thenView->setVisible(m_showsThen);
    m_view->setVisible(!m_showsThen);
    GraphView* shown = m_showsThen ? m_thenView : m_view;
    m_stack->setCurrentWidget(shown);
    if (hadFocus)
        shown->setFocus();
    if (m_showsThen)
        m_empty->hide();
    else
        showEmpty();
    if (!m_showsThen && !m_then.isEmpty())
        m_then.setGraph({});
}

int CanvasPanel::viewedStep() const
{
    const auto viewed =
        std::ranges::find(m_history.checkpoints, m_selection.checkpoint(), &CheckpointRow::id);
    return viewed == m_history.checkpoints.end() ? 0 : viewed->step;
}

void CanvasPanel::addCheckpoints(const QString& thread, const std::vector<CheckpointRow>& added)
{
    if (thread != m_history.thread)
        return;
    for (const CheckpointRow& row : added) {
        auto& rows = m_history.checkpoints;
        const auto known = std::find_if(rows.rbegin(), rows.rend(),
                                        [&](const CheckpointRow& other) { return other.id == row.id; });
        if (known == rows.rend())
            rows.push_back(row);
        else
            *known = row;
    }
    forgetOld();
    askInner();
    refresh();
}

// A run that goes on for long leaves behind what nobody looks at here: the timeline knows it all.
void CanvasPanel::forgetOld()
{
    auto& rows = m_history.checkpoints;
    if (rows.size() <= 2 * kFollowed)
        return;
    rows.erase(rows.begin(), rows.end() - static_cast<std::ptrdiff_t>(kFollowed));
    QSet<QString> kept;
    for (const CheckpointRow& row : rows)
        kept.insert(row.id);
    std::erase_if(m_history.tasks, [&kept](const TaskRow& task) { return !kept.contains(task.checkpoint); });
}

void CanvasPanel::changeTasks(const QString& thread, const std::vector<TaskRow>& changed)
{
    if (thread != m_history.thread)
        return;
    for (const TaskRow& row : changed) {
        auto& rows = m_history.tasks; // what changes stands near the end
        const auto known = std::find_if(rows.rbegin(), rows.rend(), [&](const TaskRow& other) {
            return other.task == row.task && other.checkpoint == row.checkpoint;
        });
        if (known == rows.rend())
            rows.push_back(row);
        else
            *known = row;
    }
    askInner();
    refresh();
}

} // namespace sg::ui
