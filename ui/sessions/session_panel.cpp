#include "ui/sessions/session_panel.h"

#include "ui/bridge/clients.h"
#include "ui/selection/panel_parts.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/sessions/console_view.h"
#include "ui/sessions/limits_form.h"
#include "ui/sessions/meter_marks.h"
#include "ui/sessions/meters_page.h"
#include "ui/sessions/process_table.h"
#include "ui/sessions/session_bar.h"
#include "ui/sessions/session_choice.h"
#include "ui/sessions/session_table.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/style.h"

#include <QDateTime>
#include <QHash>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSet>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace sg::ui {

namespace {

constexpr int kTickMs = 1000;
constexpr int kRoomAbove = 420; // from this height on the list is above the chosen session
constexpr int kRoomBeside = 1000; // from this width on the list is beside it

} // namespace

struct SessionPanel::Impl : QObject {
    explicit Impl(SessionPanel* panel);
    void connectBar();
    void connectPages();
    void follow(); // chooses the thread's session unless the user chose one
    void choose(const QString& session);
    void show();
    void showView();
    void showMeters();
    void arrange();
    void tick();
    void keepTime(); // runs the timer while the panel shows a living session
    void askProcesses();
    [[nodiscard]] const SessionRow* rowOf(const QString& session) const; // null if there is none
    [[nodiscard]] const SessionRow* chosenRow() const { return rowOf(chosen); }

    SessionPanel* panel;
    QString thread;
    QString chosen; // id of the chosen session
    QString restarting; // session that will be replaced
    QString processesOf; // session whose processes are shown
    bool isChosenByUser = false;
    std::vector<SessionRow> sessions;
    QHash<QString, SampleHistory> samples; // by session
    QHash<QString, std::vector<SessionNoteRow>> notes; // by session
    QSet<QString> asked; // sessions whose stored data was requested
    QSet<QString> askedProcesses; // sessions whose processes are being requested, once at a time
    QTimer timer; // counts down and requests processes while the panel is visible

    QStackedWidget* pages;
    EmptyState* empty;
    QWidget* filled;
    SessionBar* bar;
    QSplitter* splitter;
    SessionTable* table;
    QVBoxLayout* column; // the bar where the list is beside or a view, and both
    QVBoxLayout* lower; // what belongs to the chosen session: the bar where the list is above, and views
    QStackedWidget* views;
    MetersPage* meters;
    ProcessTable* processes;
    ConsoleView* console;
    LimitsForm* limits;
    QScrollArea* limitsArea; // so that the form does not keep the panel from being low
};

SessionPanel::Impl::Impl(SessionPanel* owner)
    : QObject(owner)
    , panel(owner)
    , pages(new QStackedWidget(owner))
    , empty(new EmptyState(QLatin1String("chip"), SessionPanel::tr("This graph has not started a sandbox."),
                           pages))
    , filled(new QWidget(pages))
    , bar(new SessionBar(filled))
    , splitter(new QSplitter(Qt::Horizontal, filled))
    , table(new SessionTable(splitter))
    , column(new QVBoxLayout(filled))
    , lower(new QVBoxLayout)
    , views(new QStackedWidget(splitter))
    , meters(new MetersPage(views))
    , processes(new ProcessTable(views))
    , console(new ConsoleView(views))
    , limits(new LimitsForm(views))
    , limitsArea(new QScrollArea(views))
{
    limitsArea->setFrameShape(QFrame::NoFrame);
    limitsArea->setWidgetResizable(true);
    limitsArea->setFocusPolicy(Qt::NoFocus);
    limitsArea->setWidget(limits);
    for (QWidget* page : { static_cast<QWidget*>(meters), static_cast<QWidget*>(processes),
                           static_cast<QWidget*>(console), static_cast<QWidget*>(limitsArea) })
        views->addWidget(page);
    connect(empty->setButton(SessionPanel::tr("Change mode…")), &QPushButton::clicked, panel,
            &SessionPanel::modeRequested);
    auto* chosenParts = new QWidget(splitter);
    chosenParts->setLayout(lower);
    lower->setContentsMargins(0, 0, 0, 0);
    lower->setSpacing(0);
    lower->addWidget(views, 1);
    splitter->addWidget(table);
    splitter->addWidget(chosenParts);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(splitter, 1);
    pages->addWidget(empty);
    pages->addWidget(filled);
    auto* outer = new QVBoxLayout(owner);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(pages);
    timer.setInterval(kTickMs);
    connect(&timer, &QTimer::timeout, this, &Impl::tick);
    connectBar();
    connectPages();
}

void SessionPanel::Impl::connectBar()
{
    connect(bar, &SessionBar::viewChanged, this, &Impl::showView);
    connect(bar, &SessionBar::stopRequested, panel, [this] { Q_EMIT panel->stopRequested(chosen); });
    connect(bar, &SessionBar::restartRequested, panel, [this] {
        restarting = chosen;
        Q_EMIT panel->restartRequested(chosen);
    });
    connect(bar, &SessionBar::pauseRequested, panel,
            [this](bool pause) { Q_EMIT panel->pauseRequested(chosen, pause); });
    connect(bar, &SessionBar::extendRequested, panel,
            [this](int minutes) { Q_EMIT panel->extendRequested(chosen, minutes); });
}

void SessionPanel::Impl::connectPages()
{
    connect(table, &SessionTable::chosen, this, [this](const QString& session) {
        isChosenByUser = isChosenByUser || table->hasFocus();
        choose(session);
    });
    connect(meters, &MetersPage::momentRequested, panel, &SessionPanel::momentRequested);
    connect(limits, &LimitsForm::applied, panel,
            [this](const SessionLimits& wanted) { Q_EMIT panel->limitsRequested(chosen, wanted); });
    connect(console, &ConsoleView::momentRequested, panel, &SessionPanel::momentRequested);
    connect(console, &ConsoleView::cellEntered, panel, &SessionPanel::cellEntered);
    connect(console, &ConsoleView::stopRequested, panel, &SessionPanel::cellStopRequested);
    connect(console, &ConsoleView::completionWanted, panel, &SessionPanel::completionWanted);
}

const SessionRow* SessionPanel::Impl::rowOf(const QString& session) const
{
    const auto found = std::ranges::find(sessions, session, &SessionRow::session);
    return found == sessions.end() ? nullptr : &*found;
}

void SessionPanel::Impl::follow()
{
    if (const SessionRow* before = rowOf(restarting); before && hasEnded(*before))
        if (const SessionRow* after = successorOf(sessions, *before)) {
            if (chosen == std::exchange(restarting, {}))
                chosen = after->session;
        }
    if (isChosenByUser && chosenRow() != nullptr)
        return;
    isChosenByUser = false;
    const SessionRow* row = sessionToShow(sessions, thread);
    chosen = row ? row->session : QString();
}

void SessionPanel::Impl::choose(const QString& session)
{
    chosen = session;
    show();
}

void SessionPanel::Impl::show()
{
    const SessionRow* row = chosenRow();
    pages->setCurrentWidget(row ? filled : static_cast<QWidget*>(empty));
    if (!row) {
        bar->forget();
        return;
    }
    table->select(row->session);
    bar->show(*row);
    limits->show(*row);
    if (const auto& known = samples[row->session].samples(); !known.empty())
        limits->setUse(known.back());
    console->setPlace(consolePlace(sessions, *row));
    if (std::exchange(processesOf, chosen) != chosen) {
        processes->wait();
        if (bar->view() == SessionBar::View::Processes)
            askProcesses();
    }
    showMeters();
    if (panel->isVisible() && !asked.contains(chosen)) {
        asked.insert(chosen);
        Q_EMIT panel->pastRequested(chosen);
    }
}

void SessionPanel::Impl::showMeters()
{
    if (const SessionRow* row = chosenRow()) {
        const SampleHistory& history = samples[row->session];
        meters->show(*row, history, notes.value(row->session), row->thread == thread);
    }
}

void SessionPanel::Impl::showView()
{
    const SessionBar::View view = bar->view();
    const bool isSmall = table->property("alone").toBool();
    table->setVisible(!isSmall || view == SessionBar::View::List);
    views->parentWidget()->setVisible(view != SessionBar::View::List);
    QWidget* const shown[] = { meters, meters, processes, console, limitsArea };
    views->setCurrentWidget(shown[static_cast<int>(view)]);
    if (view == SessionBar::View::Processes)
        askProcesses();
}

// One request at a time, because a sandbox that does not answer would occupy one reader after another.
void SessionPanel::Impl::askProcesses()
{
    if (chosen.isEmpty() || askedProcesses.contains(chosen))
        return;
    askedProcesses.insert(chosen);
    Q_EMIT panel->processesRequested(chosen);
}

// The list is above if the panel is tall, beside if it is wide, and otherwise a view of its own.
void SessionPanel::Impl::arrange()
{
    const bool isTall = panel->height() >= scaledLength(kRoomAbove);
    const bool isWide = panel->width() >= scaledLength(kRoomBeside);
    splitter->setOrientation(isTall ? Qt::Vertical : Qt::Horizontal);
    (isTall ? lower : column)->insertWidget(0, bar); // which takes it out of the other one
    if (isTall)
        splitter->setSizes({ scaledLength(150), panel->height() - scaledLength(150) });
    else if (isWide)
        splitter->setSizes({ panel->width() * 9 / 16, panel->width() * 7 / 16 });
    table->setProperty("alone", !isTall && !isWide);
    bar->setListSeen(isTall || isWide);
    showView();
}

void SessionPanel::Impl::keepTime()
{
    const bool lives = std::ranges::any_of(sessions, [](const SessionRow& row) { return !hasEnded(row); });
    if (!lives || !panel->isVisible())
        timer.stop();
    else if (!timer.isActive())
        timer.start();
}

void SessionPanel::Impl::tick()
{
    table->sessions().tick(static_cast<double>(QDateTime::currentMSecsSinceEpoch()));
    const SessionRow* row = chosenRow();
    if (row && !hasEnded(*row) && bar->view() == SessionBar::View::Processes)
        askProcesses();
}

SessionPanel::SessionPanel(QWidget* parent)
    : QWidget(parent)
    , m_impl(new Impl(this))
{
    setAccessibleName(tr("Session"));
    m_impl->arrange();
}

SessionPanel::SessionPanel(const PanelParts& parts, QWidget* parent)
    : SessionPanel(parent)
{
    askFor(parts);
    follow(parts);
}

void SessionPanel::askFor(const PanelParts& parts)
{
    SessionsClient* client = &parts.clients.sessions;
    connect(this, &SessionPanel::stopRequested, client, &SessionsClient::stopSession);
    connect(this, &SessionPanel::restartRequested, client, &SessionsClient::restartSession);
    connect(this, &SessionPanel::pauseRequested, client, &SessionsClient::pauseSession);
    connect(this, &SessionPanel::extendRequested, client, &SessionsClient::extendSession);
    connect(this, &SessionPanel::limitsRequested, client, &SessionsClient::setSessionLimits);
    connect(this, &SessionPanel::pastRequested, client, &SessionsClient::loadSessionPast);
    connect(this, &SessionPanel::processesRequested, client, &SessionsClient::loadProcesses);
    connect(this, &SessionPanel::cellEntered, client, &SessionsClient::runCell);
    connect(this, &SessionPanel::cellStopRequested, client, &SessionsClient::stopCell);
    connect(this, &SessionPanel::completionWanted, client, &SessionsClient::completeCode);
    connect(client, &SessionsClient::sessionsChanged, this, &SessionPanel::setSessions);
    connect(client, &SessionsClient::samplesAdded, this, &SessionPanel::addSamples);
    connect(client, &SessionsClient::sessionPastLoaded, this, &SessionPanel::setPast);
    connect(client, &SessionsClient::sessionNoted, this, &SessionPanel::addNote);
    connect(client, &SessionsClient::processesLoaded, this, &SessionPanel::setProcesses);
    connect(client, &SessionsClient::cellPrinted, this, &SessionPanel::printCell);
    connect(client, &SessionsClient::cellEnded, this, &SessionPanel::endCell);
    connect(client, &SessionsClient::codeCompleted, this, &SessionPanel::showCompletion);
}

void SessionPanel::follow(const PanelParts& parts)
{
    const Selection* selection = &parts.selection;
    ShownHistory* history = &parts.history;
    connect(selection, &Selection::threadChanged, this, &SessionPanel::setThread);
    connect(history, &ShownHistory::momentChanged, this, [this, history] { setMoment(history->moment()); });
    connect(this, &SessionPanel::momentRequested, history,
            [history](double timeMs) { history->goToMoment(timeMs); });
    connect(&parts.clients.history, &HistoryClient::historyLoaded, this,
            [this, selection](const HistoryRows& rows) {
                if (rows.thread == selection->thread())
                    setTasks(rows.tasks);
            });
    connect(&parts.clients.runs, &RunsClient::tasksChanged, this,
            [this, selection](const QString& thread, const std::vector<TaskRow>& changed) {
                if (thread == selection->thread())
                    changeTasks(changed);
            });
}

void SessionPanel::addTo(QMenu& menu)
{
    SessionBar* bar = m_impl->bar;
    menu.addMenu(bar->extendMenu());
    menu.addActions(bar->verbs());
    menu.addSeparator();
    using View = SessionBar::View;
    for (const auto& [text, view] :
         { std::pair{ tr("&Meters"), View::Meters }, std::pair{ tr("Pr&ocesses"), View::Processes },
           std::pair{ tr("&Console"), View::Console }, std::pair{ tr("&Limits"), View::Limits } })
        menu.addAction(text, this, [this, shown = view] {
            Q_EMIT viewRequested();
            m_impl->bar->setView(shown);
            if (shown == View::Console)
                m_impl->console->setFocus(Qt::OtherFocusReason);
        });
    menu.addAction(m_impl->console->stopAction());
}

void SessionPanel::clear()
{
    m_impl->thread.clear();
    m_impl->chosen.clear();
    m_impl->isChosenByUser = false;
    m_impl->sessions.clear();
    m_impl->samples.clear();
    m_impl->notes.clear();
    m_impl->asked.clear();
    m_impl->askedProcesses.clear(); // requests of the former project get no answer
    m_impl->restarting.clear();
    m_impl->processesOf.clear();
    m_impl->meters->setTasks({});
    m_impl->console->clear();
    m_impl->table->sessions().reset({});
    m_impl->keepTime();
    m_impl->show();
}

void SessionPanel::setMode(const QString& mode)
{
    const QString words = mode.toLower().replace(QStringLiteral(" · "), QStringLiteral(", "));
    m_impl->empty->setSentence(words.isEmpty()
                                   ? tr("This graph has not started a sandbox.")
                                   : tr("This graph has not started a sandbox. Mode: %1.").arg(words));
}

void SessionPanel::setThread(const QString& thread)
{
    m_impl->thread = thread;
    m_impl->isChosenByUser = false;
    m_impl->meters->setTasks({});
    m_impl->follow();
    m_impl->show();
}

void SessionPanel::setSessions(const std::vector<SessionRow>& sessions)
{
    m_impl->sessions = sessions;
    for (const QString& known : m_impl->samples.keys())
        if (std::ranges::find(sessions, known, &SessionRow::session) == sessions.end())
            m_impl->samples.remove(known);
    m_impl->table->sessions().reset(sessions);
    m_impl->keepTime();
    m_impl->follow();
    m_impl->show();
}

void SessionPanel::addSamples(const QString& session, const std::vector<SampleRow>& samples)
{
    if (samples.empty())
        return;
    m_impl->samples[session].add(samples);
    m_impl->table->sessions().setSample(session, samples.back());
    if (session == m_impl->chosen) {
        m_impl->showMeters();
        m_impl->limits->setUse(samples.back());
    }
}

void SessionPanel::setPast(const SessionPast& past)
{
    SampleHistory& history = m_impl->samples[past.session];
    history.addOlder(past.samples);
    std::vector<SessionNoteRow>& notes = m_impl->notes[past.session];
    for (const SessionNoteRow& live : std::exchange(notes, past.notes))
        ui::addNote(notes, live);
    if (!history.isEmpty())
        m_impl->table->sessions().setSample(past.session, history.samples().back());
    if (past.session == m_impl->chosen)
        m_impl->showMeters();
}

void SessionPanel::addNote(const QString& session, const SessionNoteRow& note)
{
    ui::addNote(m_impl->notes[session], note);
    if (session == m_impl->chosen)
        m_impl->showMeters();
}

void SessionPanel::setProcesses(const ProcessList& processes)
{
    m_impl->askedProcesses.remove(processes.session);
    if (processes.session == m_impl->chosen)
        m_impl->processes->show(processes);
}

void SessionPanel::setMoment(double timeMs)
{
    m_impl->meters->setMoment(timeMs);
    m_impl->console->setMoment(timeMs);
}

void SessionPanel::setTasks(const std::vector<TaskRow>& tasks)
{
    m_impl->meters->setTasks(tasks);
}

void SessionPanel::changeTasks(const std::vector<TaskRow>& changed)
{
    m_impl->meters->changeTasks(changed);
}

void SessionPanel::printCell(const QString& thread, const std::vector<LogRow>& lines)
{
    m_impl->console->print(thread, lines);
}

void SessionPanel::endCell(const QString& thread, const CellEnd& end)
{
    m_impl->console->end(thread, end);
}

void SessionPanel::showCompletion(const CodeCompletion& completion)
{
    m_impl->console->showCompletion(completion);
}

void SessionPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_impl->arrange();
}

void SessionPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_impl->keepTime();
    m_impl->table->sessions().tick(static_cast<double>(QDateTime::currentMSecsSinceEpoch()));
    m_impl->show();
}

void SessionPanel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_impl->timer.stop();
}

} // namespace sg::ui
