#include "ui/selection/panel_parts.h"
#include "ui/timeline/feed/timeline_feed.h"
#include "ui/timeline/playback.h"
#include "ui/timeline/timeline_panel_impl.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/style.h"

#include <QAction>
#include <QHBoxLayout>
#include <QToolButton>

#include <algorithm>

namespace sg::ui {

TimelinePanel::TimelinePanel(ShownHistory& history, QWidget* parent)
    : QWidget(parent)
    , m_impl(new Impl(history, this))
{
    setFocusProxy(m_impl->view);
    setAccessibleName(tr("Timeline"));
}

TimelinePanel::TimelinePanel(const PanelParts& parts, QWidget* parent)
    : TimelinePanel(parts.history, parent)
{
    new TimelineFeed(parts, *this);
}

void TimelinePanel::addVerb(QAction* action)
{
    auto* button = new QToolButton(this);
    makeDense(button);
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_impl->verbs->addWidget(button);
}

void TimelinePanel::setPlanned(const PlannedBranch& planned)
{
    m_impl->view->setPlanned(planned);
}

void TimelinePanel::step(int by)
{
    m_impl->view->step(by);
}

void TimelinePanel::goToFirst()
{
    m_impl->view->goToFirst();
}

void TimelinePanel::setSamples(const std::vector<SampleRow>& samples, double cpuLimit)
{
    m_impl->view->setSamples(samples, cpuLimit);
}

void TimelinePanel::addSamples(const std::vector<SampleRow>& samples)
{
    m_impl->view->addSamples(samples);
}

void TimelinePanel::setArtifacts(const std::vector<ArtifactRow>& rows)
{
    m_impl->view->setArtifacts(rows);
}

void TimelinePanel::setLog(const std::vector<LogRow>& rows)
{
    m_impl->view->setCells(cellsIn(rows));
}

void TimelinePanel::addLog(const std::vector<LogRow>& rows)
{
    m_impl->view->addCells(endedCellsIn(rows));
}

void TimelinePanel::setBookmarks(const QHash<QString, QString>& notes)
{
    m_impl->view->setBookmarks(notes);
}

const QHash<QString, QString>& TimelinePanel::bookmarks() const
{
    return m_impl->view->bookmarks();
}

void TimelinePanel::setFound(const QStringList& checkpoints)
{
    m_impl->view->setFound(checkpoints);
}

void TimelinePanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_impl->describe();
}

QAction* TimelinePanel::playAction() const
{
    return m_impl->play;
}

QList<QAction*> TimelinePanel::axisActions() const
{
    return m_impl->axes;
}

bool TimelinePanel::addWatch(const QString& program)
{
    return m_impl->view->addWatch(program);
}

void TimelinePanel::removeWatch(const QString& program)
{
    m_impl->view->removeWatch(program);
}

QStringList TimelinePanel::watches() const
{
    return m_impl->view->watches();
}

void TimelinePanel::setWatched(const WatchRows& rows)
{
    m_impl->view->setWatched(rows);
}

void TimelinePanel::setNamespaces(const QStringList& namespaces)
{
    m_impl->view->nested().setNamespaces(namespaces);
}

void TimelinePanel::addNamespaces(const QStringList& namespaces)
{
    m_impl->view->nested().addNamespaces(namespaces);
}

bool TimelinePanel::hasInner() const
{
    return !m_impl->view->nested().isEmpty();
}

void TimelinePanel::addInnerNames(const QHash<QString, QString>& names)
{
    m_impl->view->nested().addNames(names);
}

void TimelinePanel::setNested(const std::vector<HistoryRows>& runs)
{
    m_impl->view->nested().setRuns(runs);
}

QAction* TimelinePanel::nestedAction() const
{
    return m_impl->nested;
}

QList<QAction*> TimelinePanel::zoomActions() const
{
    return m_impl->zooms;
}

QAction* TimelinePanel::foldAction() const
{
    return m_impl->fold;
}

int TimelinePanel::wantedHeight() const
{
    const int row = std::max(m_impl->row->minimumHeight(), m_impl->row->sizeHint().height());
    return m_impl->fold->isChecked() ? row : row + m_impl->view->wantedHeight();
}

} // namespace sg::ui
