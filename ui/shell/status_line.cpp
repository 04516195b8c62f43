#include "ui/shell/status_line.h"

#include "core/sandbox/backend_kinds.h"
#include "ui/graph/kind_look.h"
#include "ui/sessions/session_choice.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/steady_text.h"
#include "ui/widgets/time_format.h"

#include <QDateTime>
#include <QLabel>
#include <QPainter>
#include <QStatusBar>

#include <algorithm>
#include <cmath>

namespace sg::ui {
namespace {

// One word of the bar; a line parts it from what stands before it.
class StatusWord final : public QLabel {
public:
    StatusWord(bool isFirst, QWidget* parent)
        : QLabel(parent)
        , m_isFirst(isFirst)
    {
        setFont(uiFont(TextSize::Dense));
        setContentsMargins(10, 0, 10, 0);
    }

protected:
    void paintEvent(QPaintEvent* event) override
    {
        QLabel::paintEvent(event);
        if (!m_isFirst && !text().isEmpty())
            QPainter(this).fillRect(QRect(0, height() / 2 - 7, 1, 14), color(&Tokens::border));
    }

private:
    bool m_isFirst;
};

constexpr double kMinuteMs = 60'000;

// "12 min left"; in the last minutes each second: "0:01:42 left".
QString timeLeft(double leftMs)
{
    if (leftMs < 2 * kMinuteMs)
        return StatusLine::tr("%1 left").arg(formatCountdown(std::max(0.0, leftMs / 1000)));
    const auto minutes = static_cast<qint64>(leftMs / kMinuteMs);
    return minutes < 120 ? StatusLine::tr("%1 min left").arg(minutes)
                         : StatusLine::tr("%1 h left").arg(minutes / 60);
}

// The word is the backend's; most people have never met it.
QString isolationHelp(const QString& isolation)
{
    const QString first = StatusLine::tr("How sandboxes are kept apart from this machine.");
    if (isolation.startsWith(QLatin1String("namespace"), Qt::CaseInsensitive))
        return first + QLatin1Char(' ')
            + StatusLine::tr(
                   "Namespaces: Linux gives each sandbox files, processes and a network of its own; the "
                   "kernel is shared, and limits may be weaker than a container engine's.");
    if (isolation.startsWith(QLatin1String("container"), Qt::CaseInsensitive))
        return first + QLatin1Char(' ')
            + StatusLine::tr(
                   "Container: a container engine runs each sandbox with limits of its own; the kernel is "
                   "shared.");
    return first;
}

QString dot(Token ink)
{
    return QStringLiteral("<span style='color:%1'>●</span>&nbsp; ").arg(color(ink).name());
}

} // namespace

StatusLine::StatusLine(QStatusBar* bar)
    : QObject(bar)
    , m_bar(bar)
    , m_sandbox(add(QStringLiteral("statusSandbox"), 0))
    , m_session(add(QStringLiteral("statusSession"), 0))
    , m_network(add(QStringLiteral("statusNetwork"), 0))
    , m_waiting(add(QStringLiteral("statusWaiting"), 0))
    , m_checkpoints(new StatusWord(true, bar))
    , m_isolation(new StatusWord(false, bar))
{
    bar->setSizeGripEnabled(false);
    bar->addPermanentWidget(m_checkpoints);
    bar->addPermanentWidget(m_isolation);
    m_countdown.setInterval(1000);
    connect(&m_countdown, &QTimer::timeout, this, &StatusLine::showSession);
    clear();
}

QLabel* StatusLine::add(const QString& name, int stretch)
{
    auto* label = new StatusWord(name == QLatin1String("statusSandbox"), m_bar);
    label->setObjectName(name);
    m_bar->addWidget(label, stretch);
    return label;
}

void StatusLine::clear()
{
    m_sandbox->setText(tr("No project"));
    setSessions({}, {});
    setNetwork({});
    m_waiting->hide();
    setSteadyText(*m_checkpoints, {});
    m_isolation->clear();
}

void StatusLine::setNetwork(const ProjectInfo& info)
{
    QStringList words;
    QStringList told;
    const QStringList& hosts = info.mode.hosts;
    if (!hosts.isEmpty()) {
        words << (hosts.size() == 1 ? tr("Network: %1").arg(hosts.front())
                                    : tr("Network: %1 hosts").arg(hosts.size()));
        told << tr("Sandboxes reach these hosts and nothing else: %1.").arg(hosts.join(QStringLiteral(", ")));
    }
    if (info.mode.fetchesData) {
        words << tr("Fetches data");
        told << tr("The workbench fetches the data sets that nodes ask for.");
    }
    if (!info.shared.isEmpty()) {
        words << tr("Threads in PostgreSQL");
        told << tr("The threads are in %1.").arg(info.shared);
    }
    if (!info.bucket.isEmpty()) {
        words << tr("Artifacts in a bucket");
        told << tr("Artifacts are in %1.").arg(info.bucket);
    }
    if (words.isEmpty()) {
        words << tr("Offline-ready");
        told << tr("Nothing goes to the network: sandboxes have none, and the workbench asks nobody.");
    }
    m_network->setTextFormat(Qt::PlainText);
    m_network->setText(words.join(QStringLiteral(" · ")));
    m_network->setToolTip(told.join(QLatin1Char(' ')).toHtmlEscaped());
}

void StatusLine::setSandbox(const ProjectInfo& info)
{
    setNetwork(info);
    const SandboxInfo& found = info.sandbox;
    if (found.backend.isEmpty()) {
        const bool isAsked = !found.isKnown && !info.isReadOnly;
        m_sandbox->setText(isAsked ? dot(&Tokens::neutral) + tr("Looking for a sandbox…")
                                   : dot(&Tokens::failed) + tr("No sandbox"));
        m_sandbox->setToolTip(isAsked ? tr("The container engine has not answered yet") : found.problem.what);
        m_isolation->clear();
        return;
    }
    const sandbox::BackendKind* kind = sandbox::findBackendKind(found.backend.toStdString());
    const QString ready = kind ? translated(kind->ready) : found.backend;
    m_sandbox->setText(
        dot(found.weakLimits ? &Tokens::warn : &Tokens::done)
        + (kind && kind->isWeaker && found.weakLimits ? tr("%1, weaker limits").arg(ready) : ready));
    m_sandbox->setToolTip(kind ? translated(kind->help) : QString());
    m_isolation->setText(tr("Isolation: %1").arg(found.isolation));
    m_isolation->setToolTip(isolationHelp(found.isolation));
}

void StatusLine::setSessions(const std::vector<SessionRow>& sessions, const QString& thread)
{
    const SessionRow* live = liveSessionOf(sessions, thread);
    m_live = live ? *live : SessionRow();
    if (live && !std::isnan(m_live.expiresMs))
        m_countdown.start();
    else
        m_countdown.stop();
    showSession();
}

void StatusLine::showSession()
{
    QString words = m_live.session.isEmpty()
        ? tr("No session")
        : tr("Session %1, %2").arg(m_live.session, QString::fromStdString(m_live.state.text()));
    if (!m_live.session.isEmpty() && !std::isnan(m_live.expiresMs))
        words += QStringLiteral(", ")
            + timeLeft(m_live.expiresMs - static_cast<double>(QDateTime::currentMSecsSinceEpoch()));
    if (words != m_session->text())
        m_session->setText(words);
}

void StatusLine::setWaiting(int questions, int paused)
{
    QStringList words;
    if (paused > 0)
        words << tr("%1 paused").arg(paused);
    if (questions > 0)
        words << tr("%1 waiting").arg(questions);
    m_waiting->setVisible(!words.isEmpty());
    m_waiting->setText(QStringLiteral("<span style='color:%1'><b>%2</b></span>")
                           .arg(color(&Tokens::waiting).name(), words.join(QStringLiteral(", "))));
}

void StatusLine::setCheckpoints(int count)
{
    setSteadyText(*m_checkpoints, count == 1 ? tr("1 checkpoint") : tr("%1 checkpoints").arg(count));
}

} // namespace sg::ui
