#include "ui/replay/replay_title.h"

#include "ui/widgets/elided_label.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/ink_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace sg::ui {

ReplayTitle::ReplayTitle(QWidget* parent)
    : Strip(36, &Tokens::border, parent)
    , m_sign(new QLabel(this))
    , m_title(new QLabel(this))
    , m_where(new ElidedLabel({}, this))
    , m_promise(new InkLabel(&Tokens::muted, TextSize::Dense, QFont::Normal, this))
{
    m_title->setFont(uiFont(TextSize::Heading, QFont::DemiBold));
    m_where->setFont(uiFont(TextSize::Dense));
    m_where->setForegroundRole(QPalette::PlaceholderText);
    auto* cancel = new QToolButton(this);
    cancel->setIcon(icon(QLatin1String("close")));
    cancel->setAutoRaise(true);
    cancel->setAccessibleName(tr("Close the preview"));
    connect(cancel, &QToolButton::clicked, this, &ReplayTitle::closeAsked);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 0, 8, 1);
    row->setSpacing(8);
    row->addWidget(m_sign);
    row->addWidget(m_title);
    row->addWidget(m_where, 1);
    row->addWidget(m_promise);
    row->addWidget(cancel);
}

void ReplayTitle::setPlan(const ReplayPlan& plan, ReplayVerb verb, const QString& again)
{
    const bool forks = verb == ReplayVerb::Fork;
    m_sign->setPixmap(icon(QLatin1String(forks ? "fork" : "replay")).pixmap(16));
    m_title->setText(verb == ReplayVerb::Rerun ? tr("Run %1 again from step %2").arg(again).arg(plan.step)
                         : forks               ? tr("Fork from step %1").arg(plan.step)
                                               : tr("Replay from step %1").arg(plan.step));
    QStringList next;
    for (const PlannedTask& task : plan.next)
        next << task.node;
    const QString after = plan.after.isEmpty() ? tr("the input") : plan.after.join(QStringLiteral(", "));
    m_thread = plan.thread;
    m_place = next.isEmpty() ? tr("after %1, where nothing is left to run").arg(after)
                             : tr("after %1 → %2").arg(after, next.join(QStringLiteral(", ")));
    setViewed(true);
    m_promise->setText((forks ? tr("Nothing runs and nothing is written before you press %1.")
                              : tr("Nothing runs before you press %1."))
                           .arg(wordOf(verb)));
}

void ReplayTitle::setViewed(bool isViewed)
{
    m_where->setFullText(isViewed ? m_place
                                  : tr("of %1, while another step is shown; %2").arg(m_thread, m_place));
}

} // namespace sg::ui
