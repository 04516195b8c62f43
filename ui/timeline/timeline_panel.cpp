#include "ui/timeline/timeline_panel.h"

#include "ui/timeline/history_window.h"
#include "ui/timeline/playback.h"
#include "ui/timeline/rewind_legend.h"
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/timeline_words.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/ink_label.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QAbstractButton>
#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace sg::ui {

namespace {

constexpr int kSeenBefore = 1500; // checkpoints that other panels see of a long history
constexpr int kSeenAfter = 300;

class UprightLine final : public QWidget {
public:
    explicit UprightLine(QWidget* parent)
        : QWidget(parent)
    {
        setFixedSize(1, scaledLength(16));
    }

protected:
    void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), color(&Tokens::border)); }
};

} // namespace

struct TimelinePanel::Impl : QObject {
    explicit Impl(TimelinePanel* panel);
    void createPlayback(QWidget* row, QHBoxLayout& words);
    void createAxis(QWidget* row, QHBoxLayout& words);
    void createZoom();
    void describe();
    void showPlaying();

    TimelinePanel* panel;
    InkLabel* title;
    InkLabel* thread;
    UprightLine* line;
    InkLabel* where; // "Step 4"
    InkLabel* count; // "of branch 2, 3 branches, 21 checkpoints"
    QHBoxLayout* verbs;
    TimelineView* view;
    Playback* playback;
    QAction* play;
    QToolButton* playButton;
    QComboBox* speed;
    RewindLegend* legend;
    SegmentedControl* axis;
    QList<QAction*> axes;
    QList<QAction*> zooms;
    QAction* nested;
};

TimelinePanel::Impl::Impl(TimelinePanel* shownIn)
    : QObject(shownIn)
    , panel(shownIn)
    , view(new TimelineView(panel))
    , playback(new Playback(*view, this))
    , play(new QAction(icon(QLatin1String("play")), TimelinePanel::tr("&Play the run back"), this))
{
    auto* row = new Strip(28, &Tokens::border, panel);
    title = new InkLabel(&Tokens::text, TextSize::Dense, QFont::DemiBold, row);
    title->setText(TimelinePanel::tr("Timeline"));
    thread = new InkLabel(&Tokens::muted, TextSize::Dense, QFont::Normal, row);
    line = new UprightLine(row);
    where = new InkLabel(&Tokens::text, TextSize::Dense, QFont::Normal, row);
    count = new InkLabel(&Tokens::muted, TextSize::Dense, QFont::Normal, row);
    auto* words = new QHBoxLayout(row);
    words->setContentsMargins(10, 0, 8, 1);
    words->setSpacing(4);
    words->addWidget(title);
    words->addSpacing(4);
    words->addWidget(thread);
    words->addSpacing(6);
    words->addWidget(line);
    words->addSpacing(6);
    words->addWidget(where);
    words->addWidget(count);
    words->addStretch();
    legend = new RewindLegend(row);
    words->addWidget(legend);
    words->addSpacing(8);
    createPlayback(row, *words);
    words->addSpacing(8);
    createAxis(row, *words);
    words->addSpacing(8);
    createZoom();
    nested = new QAction(TimelinePanel::tr("Show what ran &inside of nodes"), this);
    nested->setCheckable(true);
    nested->setToolTip(
        TimelinePanel::tr("The runs of subgraphs, below their branch (Enter in the timeline)"));
    connect(nested, &QAction::triggered, this, [this] {
        if (const int current = view->currentMark(); current != TimelineModel::kNone)
            view->toggleNested(view->model().mark(current).lane);
    });
    connect(view, &TimelineView::menuRequested, panel, &TimelinePanel::menuRequested);
    connect(view, &TimelineView::watchWanted, panel, &TimelinePanel::watchWanted);
    connect(view, &TimelineView::nestedWanted, panel, &TimelinePanel::nestedWanted);
    verbs = new QHBoxLayout;
    verbs->setSpacing(2);
    words->addLayout(verbs);

    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(row);
    column->addWidget(view);
    connect(view, &TimelineView::changed, this, &Impl::describe);
    connect(view, &TimelineView::checkpointSelected, panel, &TimelinePanel::checkpointSelected);
    describe();
}

void TimelinePanel::Impl::createPlayback(QWidget* row, QHBoxLayout& words)
{
    playButton = new QToolButton(row);
    makeDense(playButton);
    playButton->setDefaultAction(play);
    playButton->setAutoRaise(true);
    speed = new QComboBox(row);
    makeDense(speed);
    speed->setAccessibleName(TimelinePanel::tr("Speed of playing"));
    for (const double factor : { 0.5, 1.0, 2.0, 5.0, 20.0 })
        speed->addItem(TimelinePanel::tr("%1×").arg(factor), factor);
    speed->setCurrentIndex(1);
    words.addWidget(playButton);
    words.addWidget(speed);
    connect(play, &QAction::triggered, playback, &Playback::toggle);
    connect(view, &TimelineView::playRequested, playback, &Playback::toggle);
    connect(playback, &Playback::changed, this, &Impl::showPlaying);
    connect(speed, &QComboBox::currentIndexChanged, this,
            [this] { playback->setSpeed(speed->currentData().toDouble()); });
    showPlaying();
}

void TimelinePanel::Impl::showPlaying()
{
    const bool plays = playback->isPlaying();
    play->setIcon(icon(QLatin1String(plays ? "pause" : "play")));
    play->setText(plays ? TimelinePanel::tr("&Pause playing") : TimelinePanel::tr("&Play the run back"));
    play->setToolTip(plays ? TimelinePanel::tr("Pause (Space in the timeline)")
                           : TimelinePanel::tr("Play the run back, step by step (Space in the timeline)"));
}

void TimelinePanel::Impl::createAxis(QWidget* row, QHBoxLayout& words)
{
    axis = new SegmentedControl(TimelinePanel::tr("What the timeline is measured by"),
                                SegmentedControl::Mode::Single, row);
    makeDense(axis);
    words.addWidget(axis);
    auto* group = new QActionGroup(this);
    const std::pair<QString, TimelineAxis> known[] = {
        { TimelinePanel::tr("Step"), TimelineAxis::Step },
        { TimelinePanel::tr("Clock"), TimelineAxis::Clock },
        { TimelinePanel::tr("Folded"), TimelineAxis::Folded },
    };
    for (const auto& [name, value] : known) {
        axis->addSegment(name);
        QAction* action = group->addAction(name);
        action->setCheckable(true);
        action->setChecked(value == TimelineAxis::Step);
        connect(action, &QAction::triggered, this, [this, chosen = value] {
            axis->setCurrentIndex(static_cast<int>(chosen));
            view->setAxis(chosen);
        });
        axes << action;
    }
    axis->segment(2)->setToolTip(TimelinePanel::tr("Time without the gaps in which nothing ran"));
    connect(axis, &SegmentedControl::activated, this, [this](int index) { axes[index]->trigger(); });
}

void TimelinePanel::Impl::createZoom()
{
    const auto add = [this](const QString& name, char key, auto&& work) {
        auto* action = new QAction(name, this);
        action->setToolTip(TimelinePanel::tr("Key %1 in the timeline").arg(QLatin1Char(key)));
        connect(action, &QAction::triggered, this, work);
        zooms << action;
    };
    add(TimelinePanel::tr("Zoom &in"), 'W', [this] { view->zoomBy(1.25); });
    add(TimelinePanel::tr("Zoom &out"), 'S', [this] { view->zoomBy(0.8); });
    add(TimelinePanel::tr("&100 %"), '0', [this] { view->resetZoom(); });
    add(TimelinePanel::tr("The whole &history"), '1', [this] { view->zoomToFit(); });
}

void TimelinePanel::Impl::describe()
{
    const TimelineModel& model = view->model();
    const int current = view->currentMark();
    const bool any = current != TimelineModel::kNone;
    thread->setText(model.thread());
    thread->setVisible(any);
    line->setVisible(any);
    where->setVisible(any);
    count->setVisible(any);
    play->setEnabled(model.marks().size() > 1);
    nested->setEnabled(any && view->hasNested(model.mark(current).lane));
    nested->setChecked(nested->isEnabled() && view->isUnfolded(model.mark(current).lane));
    for (QWidget* control :
         { static_cast<QWidget*>(playButton), static_cast<QWidget*>(speed), static_cast<QWidget*>(axis) })
        control->setVisible(any && panel->width() >= scaledLength(880));
    legend->setVisible(any && view->showsRewind() && panel->width() >= scaledLength(1200));
    if (!any)
        return;
    const TimelineModel::Mark& mark = model.mark(current);
    QStringList rest;
    const auto branches = model.lanes().size();
    if (branches > 1)
        rest << TimelinePanel::tr("%1 branches").arg(formatCount(static_cast<qint64>(branches)));
    const auto checkpoints = model.marks().size();
    rest << (checkpoints == 1
                 ? TimelinePanel::tr("1 checkpoint")
                 : TimelinePanel::tr("%1 checkpoints").arg(formatCount(static_cast<qint64>(checkpoints))));
    const QString step = TimelinePanel::tr("Step %1").arg(stepText(mark.step));
    where->setText(branches == 1 ? step + QLatin1Char(',') : step);
    const QString branch = branches == 1 ? QString()
        : mark.lane == 0                 ? TimelinePanel::tr("of main, ")
                                         : TimelinePanel::tr("of branch %1, ").arg(mark.lane + 1);
    count->setText(branch + rest.join(QStringLiteral(", ")));
}

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
}

bool TimelinePanel::needsWhole() const
{
    return !m_impl->view->isWhole() && !m_impl->view->expectsWhole();
}

void TimelinePanel::expectWhole(qint64 total)
{
    m_impl->view->expectWhole(total);
}

void TimelinePanel::extendHistory(const HistoryRows& page, bool isLast)
{
    m_impl->view->extend(page, isLast);
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

void TimelinePanel::setBookmarks(const QHash<QString, QString>& notes)
{
    m_impl->view->setBookmarks(notes);
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

QStringList TimelinePanel::wayTo(const QString& checkpoint) const
{
    const TimelineModel& model = m_impl->view->model();
    QStringList way;
    for (int mark = model.find(checkpoint); mark != TimelineModel::kNone; mark = model.mark(mark).parent)
        way << model.id(mark);
    return way;
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
