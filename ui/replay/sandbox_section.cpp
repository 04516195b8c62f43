#include "ui/replay/sandbox_section.h"

#include "ui/replay/side_effects.h"
#include "ui/widgets/rewind_sign.h"
#include "ui/widgets/style.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

namespace sg::ui {

SandboxSection::SandboxSection(QWidget* parent)
    : ReplaySection({}, parent)
    , m_sign(addSign())
    , m_fate(setWords(tr("What is restored")))
{
    auto* foot = new QWidget(this);
    m_choice = new QComboBox(foot);
    makeDense(m_choice);
    m_choice->setAccessibleName(tr("Sandbox"));
    m_choice->setToolTip(tr("What becomes of the sandbox"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(12, 0, 12, 8);
    row->addWidget(m_choice);
    addFoot(foot);
    connect(m_choice, &QComboBox::currentIndexChanged, this, &SandboxSection::chosen);
}

void SandboxSection::setPlan(const ReplayPlan& plan)
{
    const QSignalBlocker quiet(m_choice);
    m_choice->clear();
    const bool isExact = plan.sandbox == QLatin1String("exact");
    const bool hasNothing = plan.sandbox == QLatin1String("none");
    if (hasNothing) // restoring a removed snapshot would be refused, so this is the default
        m_choice->addItem(tr("begin empty"), QLatin1String(kSandboxFresh));
    m_choice->addItem(hasNothing ? tr("as at this step, as far as it was kept") : tr("as at this step"),
                      QLatin1String(kSandboxRestored));
    if (isExact)
        m_choice->addItem(tr("exactly as at this step, or stop"), QLatin1String(kSandboxExact));
    if (isExact || plan.sandbox == QLatin1String("restored"))
        m_choice->addItem(tr("from what was stored"), QLatin1String(kSandboxStored));
    if (!hasNothing)
        m_choice->addItem(tr("begin empty"), QLatin1String(kSandboxFresh));
    m_choice->addItem(tr("leave it as it stands now"), QLatin1String(kSandboxKept));
    setTitle(tr("Sandbox at step %1").arg(plan.step));
    m_sign->setRewind(rewindFrom(plan.sandbox));
    setVisible(!plan.sandbox.isEmpty());
}

void SandboxSection::setFate(const QString& text)
{
    m_fate->setText(text);
}

QString SandboxSection::choice() const
{
    return m_choice->currentData().toString();
}

} // namespace sg::ui
