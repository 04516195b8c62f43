#include "ui/selection/checkpoint_words.h"
#include "ui/timeline/mini_history.h"
#include "ui/timeline/playback.h"
#include "ui/timeline/rewind_legend.h"
#include "ui/timeline/timeline_panel_impl.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/ink_label.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/steady_text.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QPainter>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

// The title row of the timeline: what is shown, playback, axis, zoom.
namespace sg::ui {
namespace {

constexpr int kDescribeMs = 250;

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

TimelinePanel::Impl::Impl(ShownHistory& history, TimelinePanel* shownIn)
    : QObject(shownIn)
    , panel(shownIn)
    , view(new TimelineView(history, panel))
    , playback(new Playback(*view, this))
    , play(new QAction(icon(QLatin1String("play")), TimelinePanel::tr("&Play the run back"), this))
{
    soon = new QTimer(this);
    soon->setSingleShot(true);
    soon->setInterval(kDescribeMs);
    connect(soon, &QTimer::timeout, this, &Impl::describe);
    row = new Strip(28, &Tokens::border, panel);
    title = new InkLabel(&Tokens::text, TextSize::Dense, QFont::DemiBold, row);
    title->setText(TimelinePanel::tr("Timeline"));
    thread = new InkLabel(&Tokens::muted, TextSize::Dense, QFont::Normal, row);
    mini = new MiniHistory(history, row);
    line = new UprightLine(row);
    where = new InkLabel(&Tokens::text, TextSize::Dense, QFont::Normal, row);
    count = new InkLabel(&Tokens::muted, TextSize::Dense, QFont::Normal, row);
    auto* words = new QHBoxLayout(row);
    words->setContentsMargins(4, 0, 8, 1);
    words->setSpacing(4);
    createFold(*words);
    words->addWidget(title);
    words->addSpacing(4);
    words->addWidget(thread);
    words->addSpacing(6);
    words->addWidget(line);
    words->addSpacing(6);
    words->addWidget(where);
    words->addWidget(count);
    words->addSpacing(8);
    words->addWidget(mini, 1);
    words->addStretch(0);
    legend = new RewindLegend(row);
    words->addWidget(legend);
    words->addSpacing(8);
    createPlayback(*words);
    words->addSpacing(8);
    createAxis(*words);
    words->addSpacing(8);
    createZoom();
    nested = new QAction(TimelinePanel::tr("Show what ran &inside of nodes"), this);
    nested->setCheckable(true);
    nested->setToolTip(
        TimelinePanel::tr("The runs of subgraphs, below their branch (Enter in the timeline)"));
    connect(nested, &QAction::triggered, this, [this] {
        if (const int current = view->currentMark(); current != HistoryModel::kNone)
            view->nested().toggle(view->model().mark(current).lane);
    });
    connect(view, &TimelineView::menuRequested, panel, &TimelinePanel::menuRequested);
    connect(view, &TimelineView::watchWanted, panel, &TimelinePanel::watchWanted);
    connect(&view->nested(), &NestedLanes::wanted, panel, &TimelinePanel::nestedWanted);
    auto* last = new QWidget(row);
    verbs = new QHBoxLayout(last);
    verbs->setContentsMargins(0, 0, 0, 0);
    verbs->setSpacing(2);
    words->addWidget(last);

    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(row);
    column->addWidget(view);
    connect(view, &TimelineView::changed, this, &Impl::describeSoon);
    connect(view, &TimelineView::wantedHeightChanged, panel, &TimelinePanel::wantedHeightChanged);
    connect(mini, &MiniHistory::checkpointSelected, panel, &TimelinePanel::checkpointSelected);
    connect(view, &TimelineView::checkpointSelected, panel, &TimelinePanel::checkpointSelected);
    connect(&history, &ShownHistory::changed, playback, [this](const HistoryChange& change) {
        if (change.kind == HistoryChange::Kind::Cleared)
            playback->pause();
    });
    showActions();
    describe();
}

void TimelinePanel::Impl::createPlayback(QHBoxLayout& words)
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

void TimelinePanel::Impl::createAxis(QHBoxLayout& words)
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

void TimelinePanel::Impl::createFold(QHBoxLayout& words)
{
    fold = new QAction(icon(QLatin1String("down")), TimelinePanel::tr("&Fold the timeline"), this);
    fold->setCheckable(true);
    auto* button = new QToolButton(row);
    makeDense(button);
    button->setDefaultAction(fold);
    button->setAutoRaise(true);
    words.addWidget(button);
    mini->hide();
    connect(fold, &QAction::toggled, this, [this](bool isFolded) {
        const bool hadFocus = panel->isAncestorOf(QApplication::focusWidget());
        fold->setIcon(icon(QLatin1String(isFolded ? "right" : "down")));
        fold->setToolTip(isFolded ? TimelinePanel::tr("Unfold the timeline")
                                  : TimelinePanel::tr("Fold the timeline"));
        view->setVisible(!isFolded);
        mini->setVisible(isFolded);
        verbs->parentWidget()->setVisible(!isFolded);
        panel->setFocusProxy(isFolded ? static_cast<QWidget*>(mini) : view);
        if (hadFocus)
            panel->setFocus();
        describe();
        Q_EMIT panel->wantedHeightChanged();
    });
}

void TimelinePanel::Impl::describeSoon()
{
    showActions();
    const bool isKnown = view->isAtHead() && thread->text() == view->model().thread();
    if (!isKnown || !described.isValid() || described.hasExpired(kDescribeMs))
        describe();
    else if (!soon->isActive())
        soon->start();
}

void TimelinePanel::Impl::showActions()
{
    const HistoryModel& model = view->model();
    const int current = view->currentMark();
    play->setEnabled(model.marks().size() > 1);
    nested->setEnabled(current != HistoryModel::kNone && view->nested().has(model.mark(current).lane));
    nested->setChecked(nested->isEnabled() && view->nested().isUnfolded(model.mark(current).lane));
}

void TimelinePanel::Impl::describe()
{
    described.start();
    const HistoryModel& model = view->model();
    const int current = view->currentMark();
    const bool any = current != HistoryModel::kNone;
    thread->setText(model.thread());
    thread->setVisible(any);
    line->setVisible(any);
    where->setVisible(any);
    count->setVisible(any);
    for (QWidget* control :
         { static_cast<QWidget*>(playButton), static_cast<QWidget*>(speed), static_cast<QWidget*>(axis) })
        control->setVisible(any && !fold->isChecked() && panel->width() >= scaledLength(880));
    legend->setVisible(any && !fold->isChecked() && view->showsRewind()
                       && panel->width() >= scaledLength(1200));
    if (!any)
        return;
    const HistoryModel::Mark& mark = model.mark(current);
    QStringList rest;
    const auto branches = model.lanes().size();
    if (branches > 1)
        rest << TimelinePanel::tr("%1 branches").arg(formatCount(static_cast<qint64>(branches)));
    const auto checkpoints = model.marks().size();
    rest << (checkpoints == 1
                 ? TimelinePanel::tr("1 checkpoint")
                 : TimelinePanel::tr("%1 checkpoints").arg(formatCount(static_cast<qint64>(checkpoints))));
    const QString step = TimelinePanel::tr("Step %1").arg(stepText(mark.step));
    setSteadyText(*where, step);
    const QString branch = mark.lane == 0 ? TimelinePanel::tr("of main, ")
                                          : TimelinePanel::tr("of branch %1, ").arg(mark.lane + 1);
    setSteadyText(*count, branch + rest.join(QStringLiteral(", ")));
}

} // namespace sg::ui
