#include "ui/shell/parts/inbox_part.h"

#include "ui/bridge/clients.h"
#include "ui/run/inbox_panel.h"
#include "ui/selection/selection.h"
#include "ui/shell/desktop_notice.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/run_notices.h"
#include "ui/shell/status_line.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QApplication>
#include <QMainWindow>
#include <QStatusBar>
#include <QWindow>

namespace sg::ui {
namespace {

constexpr int kAnsweredToldMs = 8000;

// Tells that nobody looks at the window or at a dialog of it.
bool nobodyLooks()
{
    return QApplication::activeWindow() == nullptr;
}

} // namespace

InboxPart::InboxPart(const WindowParts& parts, InboxPanel& inbox, StatusLine& status)
    : WindowPart(parts)
    , m_inbox(&inbox)
    , m_status(&status)
{
    m_next = new QAction(icon(QLatin1String("inbox")), tr("Next &question that waits"), m_window);
    m_next->setShortcut(QKeySequence(QStringLiteral("Ctrl+I")));
    connect(m_next, &QAction::triggered, this, [this] {
        m_docks->raise(m_inbox);
        m_inbox->focusNext();
    });
    m_notice = new DesktopNotice(m_window);
    connect(m_notice, &DesktopNotice::chosen, this, [this] {
        m_window->raise();
        m_window->activateWindow();
        m_next->trigger();
    });
    connect(m_inbox, &InboxPanel::countChanged, this, &InboxPart::showCount);
    connect(m_inbox, &InboxPanel::asked, this, [this](const WaitingRow& row) {
        if (nobodyLooks() && !m_clients->project.info().isReadOnly)
            notifyOf(row);
    });
    connect(m_inbox, &InboxPanel::givenBack, this, [this](const QString& thread, int answers) {
        m_window->statusBar()->showMessage(
            answers == 1
                ? tr("An answer to %1 was not given: the question still waits").arg(thread)
                : tr("%1 answers to %2 were not given: the questions still wait").arg(answers).arg(thread),
            kAnsweredToldMs);
    });
    connectRunNotices();
}

void InboxPart::connectRunNotices()
{
    auto* notices = new RunNotices(this);
    connect(&m_clients->runs, &RunsClient::runFinished, notices,
            [this, notices](const QString& thread, RunStatus status, const UserError& error) {
                const bool isTold = notices->add(thread, status, error,
                                                 nobodyLooks() && !m_clients->project.info().isReadOnly);
                if (isTold)
                    QApplication::alert(m_window);
            });
    connect(&m_clients->runs, &RunsClient::runStarted, notices, &RunNotices::noteStarted);
    connect(qGuiApp, &QGuiApplication::focusWindowChanged, notices, [notices](const QWindow* focused) {
        if (focused != nullptr)
            notices->clear();
    });
    connect(&m_clients->project, &OpenProject::closing, notices, &RunNotices::clear);
    connect(notices, &RunNotices::chosen, this, [this](const QString& thread) {
        m_window->raise();
        m_window->activateWindow();
        m_selection->setThread(thread);
    });
}

void InboxPart::showCount(int asking, int pauses)
{
    m_status->setWaiting(asking, pauses);
    m_next->setEnabled(asking > 0);
    m_docks->setCount(m_inbox, asking + pauses, Badge::Kind::Waiting);
    if (m_inbox->waiting().empty())
        m_notice->withdraw();
}

// Notifies in the desktop's own way, if it has one; else by the task bar alone.
void InboxPart::notifyOf(const WaitingRow& row)
{
    QApplication::alert(m_window);
    m_notice->show(tr("%1 waits for you").arg(row.node),
                   tr("Thread %1, step %2").arg(row.thread).arg(row.step));
}

} // namespace sg::ui
