#include "ui/timeline/history_window.h"
#include "ui/timeline/playback.h"
#include "ui/timeline/timeline_panel_impl.h"
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/timeline_words.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/style.h"

#include <QAction>
#include <QHBoxLayout>
#include <QToolButton>

namespace sg::ui {
namespace {

constexpr int kSeenBefore = 1500; // checkpoints that other panels see of a long history
constexpr int kSeenAfter = 300;

} // namespace

TimelinePanel::TimelinePanel(QWidget* parent)
    : QWidget(parent)
    , m_impl(new Impl(this))
{
    setFocusProxy(m_impl->view);
    setAccessibleName(tr("Timeline"));
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

void TimelinePanel::clear(const QString& thread)
{
    m_impl->playback->pause();
    m_impl->view->clear(thread);
}

void TimelinePanel::setHistory(const HistoryRows& rows)
{
    m_impl->view->reset(rows);
    Q_EMIT historyShown();
}

bool TimelinePanel::needsWhole() const
{
    return !m_impl->view->isWhole() && !m_impl->view->expectsWhole();
}

bool TimelinePanel::isWhole() const
{
    return m_impl->view->isWhole();
}

bool TimelinePanel::isAwaiting() const
{
    return m_impl->view->isAwaiting();
}

void TimelinePanel::expectWhole(qint64 total)
{
    m_impl->view->expectWhole(total);
}

void TimelinePanel::extendHistory(const HistoryRows& page, bool isLast)
{
    m_impl->view->extend(page, isLast);
    if (isLast)
        Q_EMIT historyShown();
}

int TimelinePanel::count() const
{
    return static_cast<int>(m_impl->view->model().marks().size());
}

HistoryRows TimelinePanel::around(const QString& checkpoint) const
{
    const TimelineModel& model = m_impl->view->model();
    const int mark = model.find(checkpoint);
    return historyAround(model, mark == TimelineModel::kNone ? model.head() : mark, kSeenBefore, kSeenAfter);
}

void TimelinePanel::addCheckpoints(const std::vector<CheckpointRow>& added)
{
    m_impl->view->add(added);
}

void TimelinePanel::changeTasks(const std::vector<TaskRow>& changed)
{
    m_impl->view->changeTasks(changed);
}

void TimelinePanel::setPlanned(const PlannedBranch& planned)
{
    m_impl->view->setPlanned(planned);
}

void TimelinePanel::setCurrent(const QString& checkpoint)
{
    m_impl->view->setCurrent(checkpoint);
}

QString TimelinePanel::current() const
{
    const int mark = m_impl->view->currentMark();
    return mark == TimelineModel::kNone ? QString() : m_impl->view->model().id(mark);
}

QString TimelinePanel::head() const
{
    const TimelineModel& model = m_impl->view->model();
    return model.isEmpty() ? QString() : model.id(model.head());
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

QString TimelinePanel::label(const QString& checkpoint) const
{
    const TimelineModel& model = m_impl->view->model();
    const int mark = model.find(checkpoint);
    if (mark == TimelineModel::kNone)
        return {};
    const CheckpointRow row = model.row(mark);
    return checkpointLabel(row) + QStringLiteral(", ") + stepName(row.step);
}

QString TimelinePanel::at(double timeMs) const
{
    const TimelineModel& model = m_impl->view->model();
    const int mark = markAtTime(model, timeMs);
    return mark == TimelineModel::kNone ? QString() : model.id(mark);
}

QString TimelinePanel::after(const QString& start) const
{
    const TimelineModel& model = m_impl->view->model();
    const int mark = model.find(start);
    return mark == TimelineModel::kNone ? QString() : model.id(madeFrom(model, mark));
}

QString TimelinePanel::afterTask(const QString& task) const
{
    const TimelineModel& model = m_impl->view->model();
    const int start = model.startOfTask(task);
    return start == TimelineModel::kNone ? QString() : after(model.id(start));
}

double TimelinePanel::firstTime() const
{
    const TimelineModel& model = m_impl->view->model();
    return model.isEmpty() ? kUnknown : model.mark(0).timeMs;
}

double TimelinePanel::timeOf(const QString& checkpoint) const
{
    const TimelineModel& model = m_impl->view->model();
    const int mark = model.find(checkpoint);
    return mark == TimelineModel::kNone ? kUnknown : model.mark(mark).timeMs;
}

int TimelinePanel::stepOf(const QString& checkpoint) const
{
    const TimelineModel& model = m_impl->view->model();
    const int mark = model.find(checkpoint);
    return mark == TimelineModel::kNone ? 0 : model.mark(mark).step;
}

int TimelinePanel::depthOf(const QString& checkpoint) const
{
    const TimelineModel& model = m_impl->view->model();
    const int mark = model.find(checkpoint);
    return mark == TimelineModel::kNone ? 0 : model.mark(mark).column + 1;
}

CheckpointRow TimelinePanel::row(const QString& checkpoint) const
{
    const TimelineModel& model = m_impl->view->model();
    const int mark = model.find(checkpoint);
    return mark == TimelineModel::kNone ? CheckpointRow() : model.row(mark);
}

QSet<QString> TimelinePanel::passedBefore(const QString& checkpoint, const QSet<QString>& asked) const
{
    const TimelineModel& model = m_impl->view->model();
    return sg::ui::passedBefore(model, model.find(checkpoint), asked);
}

QStringList TimelinePanel::wayTo(const QString& checkpoint, int most) const
{
    const TimelineModel& model = m_impl->view->model();
    QStringList way;
    for (int mark = model.find(checkpoint); mark != TimelineModel::kNone && way.size() < most;
         mark = model.mark(mark).parent)
        way << model.id(mark);
    return way;
}

QString TimelinePanel::atStep(const QString& checkpoint, int step) const
{
    const TimelineModel& model = m_impl->view->model();
    for (int mark = model.find(checkpoint); mark != TimelineModel::kNone; mark = model.mark(mark).parent)
        if (model.mark(mark).step == step)
            return model.id(mark);
    return {};
}

std::vector<TimelinePanel::Branch> TimelinePanel::branches() const
{
    const TimelineModel& model = m_impl->view->model();
    std::vector<Branch> made;
    for (int lane = 0; lane < static_cast<int>(model.lanes().size()); ++lane)
        made.push_back(
            { lane == 0 ? tr("main") : tr("branch %1").arg(lane + 1), model.id(model.lastOf(lane)) });
    return made;
}

int TimelinePanel::currentBranch() const
{
    const int current = m_impl->view->currentMark();
    return current == TimelineModel::kNone ? -1 : m_impl->view->model().mark(current).lane;
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
    m_impl->view->setNamespaces(namespaces);
}

void TimelinePanel::addNamespaces(const QStringList& namespaces)
{
    m_impl->view->addNamespaces(namespaces);
}

void TimelinePanel::setNested(const std::vector<HistoryRows>& runs)
{
    m_impl->view->setNested(runs);
}

QAction* TimelinePanel::nestedAction() const
{
    return m_impl->nested;
}

QList<QAction*> TimelinePanel::zoomActions() const
{
    return m_impl->zooms;
}

} // namespace sg::ui
