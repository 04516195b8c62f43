#include "ui/shell/status_line.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"

#include <QLabel>
#include <QPainter>
#include <QStatusBar>

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
    m_session->setText(tr("No session"));
    m_network->setText(tr("Offline-ready"));
    m_network->setToolTip(
        tr("Nothing goes to the network: sandboxes have none, and the workbench asks nobody."));
    m_waiting->hide();
    m_checkpoints->clear();
    m_isolation->clear();
}

void StatusLine::setSandbox(const ProjectInfo& info)
{
    if (info.backend.isEmpty()) {
        m_sandbox->setText(dot(&Tokens::failed) + tr("No sandbox"));
        m_sandbox->setToolTip(info.sandboxProblem.what);
        m_isolation->clear();
        return;
    }
    const bool local = info.backend == QLatin1String("bubblewrap");
    m_sandbox->setText(dot(info.weakLimits ? &Tokens::warn : &Tokens::done)
                       + (local ? info.weakLimits ? tr("Local sandbox, weaker limits") : tr("Local sandbox")
                                : tr("Engine connected")));
    m_sandbox->setToolTip(local ? tr("bubblewrap: namespaces of this machine's kernel")
                                : tr("Docker Engine"));
    m_isolation->setText(info.isolation);
    m_isolation->setToolTip(tr("How sandboxes are kept apart from this machine"));
}

void StatusLine::setSessions(const std::vector<SessionRow>& sessions, const QString& thread)
{
    for (const SessionRow& row : sessions) {
        if (row.thread != thread)
            continue;
        m_session->setText(tr("Session %1, %2").arg(row.session, row.state));
        return;
    }
    m_session->setText(tr("No session"));
}

void StatusLine::setWaiting(int questions)
{
    m_waiting->setVisible(questions > 0);
    m_waiting->setText(QStringLiteral("<span style='color:%1'><b>%2</b></span>")
                           .arg(color(&Tokens::waiting).name(), tr("%1 waiting").arg(questions)));
}

void StatusLine::setCheckpoints(int count)
{
    m_checkpoints->setText(count == 1 ? tr("1 checkpoint") : tr("%1 checkpoints").arg(count));
}

} // namespace sg::ui
