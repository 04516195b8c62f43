#include "ui/replay/replay_panel.h"
#include "ui/run/inbox_panel.h"
#include "ui/run/interrupt_card.h"
#include "ui/run/run_bar.h"
#include "ui/run/thread_list.h"
#include "ui/selection/selection.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/desktop_notice.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/main_window.h"
#include "ui/shell/status_line.h"
#include "ui/state/state_panel.h"
#include "ui/timeline/thread_overview.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QInputDialog>
#include <QMenu>
#include <QTimer>

#include <algorithm>

// What is asked about the past: where values came from, differences, bookmarks, labels, questions that wait.
namespace sg::ui {
namespace {

constexpr int kOriginLimit = 2; // a value's origin, and the one before
constexpr int kHistoryLimit = 200;
constexpr int kOverviewSoonMs = 200;

QHash<QString, QStringList> successors(const graph::Graph& graph)
{
    QHash<QString, QStringList> next;
    for (const graph::Edge& edge : graph.edges)
        for (const NodeId& from : edge.from)
            if (edge.to.value != graph::kEnd)
                next[QString::fromStdString(from.value)] << QString::fromStdString(edge.to.value);
    return next;
}

} // namespace

void MainWindow::createPast()
{
    m_bookmark = new QAction(icon(QLatin1String("bookmark")), tr("&Bookmark with a note…"), this);
    m_bookmark->setShortcut(QKeySequence(QStringLiteral("Ctrl+B")));
    connect(m_bookmark, &QAction::triggered, this, &MainWindow::editBookmark);
    m_compare = new QAction(icon(QLatin1String("compare")), tr("&Compare other steps with this one"), this);
    m_compare->setShortcut(QKeySequence(QStringLiteral("Ctrl+D")));
    m_compare->setCheckable(true);
    connect(m_compare, &QAction::triggered, this, [this] { compareWith(m_base.isEmpty()); });
    m_nextQuestion = new QAction(icon(QLatin1String("inbox")), tr("Next &question that waits"), this);
    m_nextQuestion->setShortcut(QKeySequence(QStringLiteral("Ctrl+I")));
    connect(m_nextQuestion, &QAction::triggered, this, [this] {
        m_docks->raise(m_inbox);
        m_inbox->focusNext();
    });
    m_watch = new QAction(icon(QLatin1String("plus")), tr("&Watch an expression…"), this);
    connect(m_watch, &QAction::triggered, this, &MainWindow::addWatch);
    connectNotes();
    connectValues();
    connectInbox();
    connectOverview();
    connect(m_bridge, &ProjectBridge::closing, this, [this] {
        m_bridge->removeThreads(m_threads->deleted());
        m_threads->forgetDeleted();
    });
    connect(m_timeline, &TimelinePanel::watchWanted, this,
            [this](const QString& program, const QStringList& way) {
                m_bridge->watch(m_selection->thread(), way, program);
            });
    connect(m_bridge, &ProjectBridge::watched, m_timeline, &TimelinePanel::setWatched);
    connect(m_bridge, &ProjectBridge::watchesLoaded, this, [this](const QStringList& programs) {
        for (const QString& other : m_timeline->watches()) // of the project before
            m_timeline->removeWatch(other);
        for (const QString& program : programs)
            m_timeline->addWatch(program);
    });
    connectTracks();
}

void MainWindow::createPastMenu(QMenu& thread)
{
    thread.addAction(m_timeline->playAction());
    thread.addAction(tr("&First checkpoint"), QKeySequence(QStringLiteral("Alt+Home")), this,
                     [this] { m_timeline->goToFirst(); });
    QMenu* axis = thread.addMenu(tr("&Measure the timeline by"));
    axis->addActions(m_timeline->axisActions());
    axis->addSeparator();
    axis->addActions(m_timeline->zoomActions());
    thread.addAction(m_timeline->nestedAction());
    QMenu* watches = thread.addMenu(tr("Watched e&xpressions"));
    connect(watches, &QMenu::aboutToShow, this, [this, watches] { fillWatches(*watches); });
    fillWatches(*watches);
    thread.addSeparator();
    thread.addAction(m_compare);
    thread.addAction(m_compareBranches);
    thread.addAction(m_bookmark);
    QMenu* bookmarks = thread.addMenu(tr("B&ookmarks"));
    connect(bookmarks, &QMenu::aboutToShow, this, [this, bookmarks] { fillBookmarks(*bookmarks); });
    thread.addMenu(tr("&Values"))->addActions(m_state->compareActions());
    thread.addMenu(tr("Order of the &threads"))->addActions(m_threads->orderActions());
    thread.addSeparator();
    thread.addAction(m_goToFailure);
    thread.addAction(m_nextQuestion);
}

void MainWindow::connectNotes()
{
    connect(m_bridge, &ProjectBridge::notesLoaded, this, [this](const NoteRows& notes) {
        m_notes = notes;
        m_threads->setLabels(notes);
        m_inbox->setLabels(notes);
        m_timeline->setBookmarks(notes.value(m_selection->thread()).bookmarks);
    });
    connect(m_threads, &ThreadList::labelEdited, m_bridge, &ProjectBridge::setLabel);
    connect(m_threads, &ThreadList::deletedChanged, this,
            [this] { m_runBar->setThreads(m_threads->threads()); });
}

void MainWindow::fillBookmarks(QMenu& menu)
{
    menu.clear();
    const QHash<QString, QString> marks = m_notes.value(m_selection->thread()).bookmarks;
    QStringList ids = marks.keys();
    ids.sort(); // checkpoints' ids sort by time
    for (const QString& id : std::as_const(ids)) {
        const auto plain = [](QString words) { return words.replace(QLatin1Char('&'), QLatin1String("&&")); };
        const QString place = plain(m_timeline->label(id));
        const QString note = plain(marks.value(id));
        QAction* action = menu.addAction(note.isEmpty() ? place : note + QLatin1Char('\t') + place, this,
                                         [this, id] { viewCheckpoint(id); });
        action->setEnabled(!place.isEmpty());
    }
    if (ids.isEmpty())
        menu.addAction(tr("No bookmarks in this thread"))->setEnabled(false);
}

void MainWindow::fillWatches(QMenu& menu)
{
    menu.clear();
    menu.addAction(m_watch);
    const QStringList programs = m_timeline->watches();
    if (!programs.isEmpty())
        menu.addSection(tr("Choose one to remove it"));
    for (const QString& program : programs)
        menu.addAction(QString(program).replace(QLatin1Char('&'), QStringLiteral("&&")), this,
                       [this, program] {
                           m_timeline->removeWatch(program);
                           m_bridge->keepWatches(m_timeline->watches());
                       });
}

void MainWindow::addWatch()
{
    auto* ask = new QInputDialog(this);
    ask->setAttribute(Qt::WA_DeleteOnClose);
    ask->setWindowTitle(tr("Watch an expression"));
    ask->setLabelText(tr("A jq program over the state of each step, such as: .messages | length"));
    ask->setTextValue(QStringLiteral("."));
    connect(ask, &QInputDialog::textValueSelected, this, [this](const QString& program) {
        if (m_timeline->addWatch(program))
            m_bridge->keepWatches(m_timeline->watches());
        else if (!program.trimmed().isEmpty())
            showError({ tr("It is watched already, or there are four: remove one first."), {} });
    });
    ask->open();
}

void MainWindow::editBookmark()
{
    const QString thread = m_selection->thread();
    const QString checkpoint = m_timeline->current();
    if (checkpoint.isEmpty())
        return;
    const QHash<QString, QString> marks = m_notes.value(thread).bookmarks;
    auto* ask = new QInputDialog(this);
    ask->setAttribute(Qt::WA_DeleteOnClose);
    ask->setWindowTitle(tr("Bookmark"));
    ask->setLabelText(marks.contains(checkpoint)
                          ? tr("Note for %1. Empty removes the bookmark.").arg(m_timeline->label(checkpoint))
                          : tr("Note for %1").arg(m_timeline->label(checkpoint)));
    ask->setTextValue(marks.value(checkpoint));
    connect(ask, &QInputDialog::textValueSelected, this,
            [this, thread, checkpoint, had = marks.contains(checkpoint)](const QString& text) {
                const QString note = text.simplified();
                m_bridge->setBookmark(thread, checkpoint,
                                      had && note.isEmpty() ? std::nullopt : std::optional(note));
            });
    ask->open();
}

void MainWindow::connectValues()
{
    connect(m_state, &StatePanel::originRequested, this, [this](const QString& pointer) {
        m_wantsOrigin = true;
        m_bridge->traceValue(m_selection->thread(), m_timeline->wayTo(m_timeline->current()), pointer,
                             kOriginLimit);
    });
    connect(m_state, &StatePanel::historyRequested, this, [this](const QString& pointer) {
        m_wantsOrigin = false;
        m_bridge->traceValue(m_selection->thread(), m_timeline->wayTo(m_timeline->current()), pointer,
                             kHistoryLimit);
    });
    connect(m_bridge, &ProjectBridge::valueTraced, this, [this](const ValueTraceRows& trace) {
        if (trace.thread != m_selection->thread() || trace.origins.empty())
            return;
        if (!m_wantsOrigin) {
            m_state->setTrace(trace);
            return;
        }
        // Asked at the origin itself, the one before is meant.
        const bool isHere = trace.origins.front().checkpoint == trace.checkpoint && trace.origins.size() > 1;
        const ValueOriginRow& origin = trace.origins[isHere ? 1 : 0];
        viewCheckpoint(origin.checkpoint);
        if (!origin.writtenBy.isEmpty())
            m_selection->setNode(origin.writtenBy.front());
    });
    connect(m_state, &StatePanel::checkpointChosen, this, &MainWindow::viewCheckpoint);
    connect(m_state, &StatePanel::baseRequested, this, &MainWindow::compareWith);
    connect(m_state, &StatePanel::patchRequested, m_bridge, &ProjectBridge::makePatch);
    connect(m_bridge, &ProjectBridge::patchMade, this,
            [](const QString& json) { QGuiApplication::clipboard()->setText(json); });
}

void MainWindow::viewCheckpoint(const QString& checkpoint)
{
    m_selection->setCheckpoint(checkpoint == m_timeline->head() ? QString() : checkpoint);
}

void MainWindow::compareWith(bool current)
{
    m_base = current ? m_timeline->current() : QString();
    m_compare->setChecked(!m_base.isEmpty());
    m_state->setBase(m_timeline->label(m_base));
    m_bridge->loadState(m_selection->thread(), m_selection->checkpoint(), m_base);
}

void MainWindow::connectInbox()
{
    m_notice = new DesktopNotice(this);
    connect(m_notice, &DesktopNotice::chosen, this, [this] {
        raise();
        activateWindow();
        m_nextQuestion->trigger();
    });
    connect(m_inbox, &InboxPanel::threadChosen, m_selection, &Selection::setThread);
    connect(m_inbox, &InboxPanel::answered, m_bridge, &ProjectBridge::answerOne);
    connect(m_bridge, &ProjectBridge::threadsLoaded, this, [this](const std::vector<ThreadRow>& rows) {
        const bool any = std::ranges::any_of(
            rows, [](const ThreadRow& row) { return row.status == QLatin1String("interrupted"); });
        if (any)
            m_bridge->loadWaiting();
        else
            showWaiting({});
    });
    connect(m_bridge, &ProjectBridge::waitingLoaded, this, &MainWindow::showWaiting);
}

void MainWindow::connectOverview()
{
    connect(m_docks, &DockLayout::cameToBeSeen, this, [this](const QWidget* panel) {
        if (panel == m_overview)
            m_bridge->loadOverview();
    });
    auto* soon = new QTimer(this); // when a project is being opened its docks are not laid out yet
    soon->setSingleShot(true);
    soon->setInterval(kOverviewSoonMs);
    connect(soon, &QTimer::timeout, this, [this] {
        if (m_docks->isSeen(m_overview->viewport())) // it covers the panel
            m_bridge->loadOverview();
    });
    connect(m_bridge, &ProjectBridge::threadsLoaded, soon, qOverload<>(&QTimer::start));
    connect(m_bridge, &ProjectBridge::closing, this, [this] { m_overview->setRows({}); });
    connect(m_bridge, &ProjectBridge::overviewLoaded, m_overview, &ThreadOverview::setRows);
    connect(m_bridge, &ProjectBridge::notesLoaded, this, [this](const NoteRows& notes) {
        QHash<QString, QString> labels;
        for (auto note = notes.constBegin(); note != notes.constEnd(); ++note)
            labels.insert(note.key(), note->label);
        m_overview->setLabels(labels);
    });
    connect(m_selection, &Selection::threadChanged, m_overview, &ThreadOverview::setCurrent);
    connect(m_overview, &ThreadOverview::threadChosen, m_selection, &Selection::setThread);
    connect(m_overview, &ThreadOverview::momentChosen, this, [this](const QString& thread, double time) {
        m_momentWanted = { thread, time };
        showMomentWanted();
    });
}

// Where a run ended, once the history of its thread is there.
void MainWindow::showMomentWanted()
{
    if (!m_momentWanted || m_momentWanted->first != m_selection->thread() || m_timeline->count() == 0)
        return;
    const double time = m_momentWanted->second;
    if (!m_timeline->isWhole() && time < m_timeline->firstTime())
        return; // it is being read
    m_momentWanted.reset();
    goTo(m_timeline->at(time));
}

void MainWindow::showWaiting(const std::vector<WaitingRow>& found)
{
    std::vector<WaitingRow> rows;
    QHash<QString, QString> paused; // at a breakpoint: that asks nobody
    for (const WaitingRow& row : found)
        if (row.interrupt.isEmpty() && row.asked.isNull())
            paused.insert(row.thread, row.node);
        else
            rows.push_back(row);
    m_threads->setPaused(paused);
    const auto isNew = [this](const WaitingRow& row) {
        return std::ranges::none_of(m_inbox->waiting(), [&row](const WaitingRow& known) {
            return known.thread == row.thread && known.interrupt == row.interrupt
                && known.checkpoint == row.checkpoint;
        });
    };
    const auto fresh = std::ranges::find_if(rows, isNew);
    if (fresh != rows.end() && !isActiveWindow() && !m_info.isReadOnly)
        notifyOf(*fresh);
    else if (rows.empty())
        m_notice->withdraw();
    m_inbox->setNext(successors(m_info.graph));
    m_inbox->setCanAnswer(
        !m_info.isReadOnly,
        m_info.isReadOnly ? tr("This file is only read: fork it into a project to answer there") : QString());
    m_inbox->setWaiting(rows);
    m_status->setWaiting(static_cast<int>(rows.size()));
    m_nextQuestion->setEnabled(!rows.empty());
    m_docks->setTitle(m_inbox, rows.empty() ? tr("Inbox") : tr("Inbox (%1)").arg(rows.size()));
}

// In the desktop's own way, where it has one; else the task bar alone.
void MainWindow::notifyOf(const WaitingRow& row)
{
    QApplication::alert(this);
    m_notice->show(tr("%1 waits for you").arg(row.node),
                   tr("Thread %1, step %2").arg(row.thread).arg(row.step));
}

} // namespace sg::ui
