#include "ui/replay/replay_panel.h"
#include "ui/run/inbox_panel.h"
#include "ui/run/interrupt_card.h"
#include "ui/run/run_bar.h"
#include "ui/run/thread_list.h"
#include "ui/selection/selection.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/main_window.h"
#include "ui/shell/status_line.h"
#include "ui/state/state_panel.h"
#include "ui/timeline/overview/thread_overview.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QInputDialog>
#include <QMenu>
#include <QTimer>

#include <algorithm>

// What is asked about the past: where values came from, differences, bookmarks, labels.
namespace sg::ui {
namespace {

constexpr int kOriginLimit = 2; // a value's origin, and the one before
constexpr int kHistoryLimit = 200;
constexpr int kWayGiven = 2000; // checkpoints: what lies behind them is found in the database
constexpr int kOverviewSoonMs = 200;

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
    connectSearch();
    connectUsage();
    connectRaw();
    connect(&m_clients->project, &OpenProject::closing, this, [this] {
        m_clients->upkeep.removeThreads(m_threads->deleted());
        m_threads->forgetDeleted();
    });
    connect(m_timeline, &TimelinePanel::watchWanted, this,
            [this](const QString& program, const QStringList& way) {
                m_clients->search.watch(m_selection->thread(), way, program);
            });
    connect(&m_clients->search, &SearchClient::watched, m_timeline, &TimelinePanel::setWatched);
    connect(&m_clients->search, &SearchClient::watchesLoaded, this, [this](const QStringList& programs) {
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
    thread.addAction(m_find);
    thread.addAction(m_showUsage);
    thread.addAction(m_showRaw);
    thread.setToolTipsVisible(true); // why some cannot be used
}

void MainWindow::connectNotes()
{
    connect(&m_clients->history, &HistoryClient::notesLoaded, this, [this](const NoteRows& notes) {
        m_notes = notes;
        m_threads->setLabels(notes);
        m_inbox->setLabels(notes);
        m_timeline->setBookmarks(notes.value(m_selection->thread()).bookmarks);
    });
    connect(m_threads, &ThreadList::labelEdited, &m_clients->history, &HistoryClient::setLabel);
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
                           m_clients->search.keepWatches(m_timeline->watches());
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
            m_clients->search.keepWatches(m_timeline->watches());
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
                m_clients->history.setBookmark(thread, checkpoint,
                                               had && note.isEmpty() ? std::nullopt : std::optional(note));
            });
    ask->open();
}

void MainWindow::connectValues()
{
    const auto ask = [this](const QString& pointer, bool wantsOrigin) {
        m_wantsOrigin = wantsOrigin;
        QStringList way = m_timeline->wayTo(m_timeline->current(), kWayGiven);
        if (m_timeline->isAwaiting()) // the cursor is not there yet
            way = QStringList(m_selection->checkpoint());
        m_clients->history.traceValue(m_selection->thread(), way, pointer,
                                      wantsOrigin ? kOriginLimit : kHistoryLimit);
    };
    connect(m_state, &StatePanel::originRequested, this,
            [ask](const QString& pointer) { ask(pointer, true); });
    connect(m_state, &StatePanel::historyRequested, this,
            [ask](const QString& pointer) { ask(pointer, false); });
    connect(&m_clients->history, &HistoryClient::valueTraced, this, [this](const ValueTraceRows& trace) {
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
    connect(m_state, &StatePanel::patchRequested, &m_clients->history, &HistoryClient::makePatch);
    connect(&m_clients->history, &HistoryClient::patchMade, this,
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
    m_clients->history.loadState(m_selection->thread(), m_selection->checkpoint(), m_base);
    showWorld();
}

void MainWindow::connectOverview()
{
    connect(m_docks, &DockLayout::cameToBeSeen, this, [this](const QWidget* panel) {
        if (panel == m_overview)
            m_clients->history.loadOverview();
    });
    auto* soon = new QTimer(this); // when a project is being opened its docks are not laid out yet
    soon->setSingleShot(true);
    soon->setInterval(kOverviewSoonMs);
    connect(soon, &QTimer::timeout, this, [this] {
        if (m_docks->isSeen(m_overview->viewport())) // it covers the panel
            m_clients->history.loadOverview();
    });
    connect(&m_clients->history, &HistoryClient::threadsLoaded, soon, qOverload<>(&QTimer::start));
    connect(&m_clients->project, &OpenProject::closing, this, [this] { m_overview->setRows({}); });
    connect(&m_clients->history, &HistoryClient::overviewLoaded, m_overview, &ThreadOverview::setRows);
    connect(&m_clients->history, &HistoryClient::notesLoaded, this, [this](const NoteRows& notes) {
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

} // namespace sg::ui
