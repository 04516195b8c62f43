#include "ui/shell/run_notices.h"

#include "ui/shell/desktop_notice.h"

#include <algorithm>

namespace sg::ui {
namespace {

constexpr int kTogetherMs = 500;
constexpr int kMostText = 300; // characters

// Messages of the window have marks of their own.
QString plain(QString text)
{
    return text.remove(QLatin1String("**")).left(kMostText);
}

} // namespace

RunNotices::RunNotices(QObject* parent, int longMs)
    : QObject(parent)
    , m_notice(new DesktopNotice(this))
    , m_longMs(longMs)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(kTogetherMs);
    connect(&m_soon, &QTimer::timeout, this, &RunNotices::show);
    connect(m_notice, &DesktopNotice::chosen, this, [this] { Q_EMIT chosen(m_thread); });
}

void RunNotices::noteStarted(const QString& thread)
{
    m_runs[thread].start();
}

bool RunNotices::add(const QString& thread, RunStatus status, const UserError& error, bool isUnseen)
{
    const QElapsedTimer run = m_runs.take(thread);
    if (!isUnseen || status == RunStatus::Stopped || status == RunStatus::Interrupted)
        return false;
    const bool isDone = status == RunStatus::Done;
    if (isDone && run.isValid() && !run.hasExpired(m_longMs))
        return false;
    ++(isDone ? m_done : m_failed);
    if (!isDone || m_failed == 0)
        m_thread = thread;
    if (!isDone)
        m_why = plain(error.what);
    if (!m_soon.isActive())
        m_soon.start();
    return true;
}

void RunNotices::clear()
{
    m_soon.stop();
    m_done = m_failed = 0;
    m_why.clear();
    m_notice->withdraw();
}

void RunNotices::show()
{
    QString title;
    if (m_done + m_failed == 1)
        title = m_failed == 0 ? tr("The run on %1 has ended").arg(m_thread)
                              : tr("The run on %1 has failed").arg(m_thread);
    else
        title = m_failed == 0 ? tr("%1 runs have ended").arg(m_done)
            : m_done == 0     ? tr("%1 runs have failed").arg(m_failed)
                              : tr("%1 runs have ended, %2 failed").arg(m_done).arg(m_failed);
    const bool isOfOne = m_done + m_failed == 1;
    const QString text = m_failed == 0 ? (isOfOne ? QString() : tr("The last on thread %1").arg(m_thread))
        : isOfOne                      ? m_why
                                       : tr("Thread %1: %2").arg(m_thread, m_why);
    m_notice->show(title, text, tr("Show"));
}

} // namespace sg::ui
