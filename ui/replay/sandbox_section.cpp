#include "ui/replay/sandbox_section.h"

#include "ui/replay/side_effects.h"
#include "ui/selection/checkpoint_words.h"
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
    using rewind::SandboxChoice;
    const auto offer = [this](SandboxChoice choice, const QString& words) {
        m_choice->addItem(words, static_cast<int>(choice));
    };
    const bool isExact = plan.sandbox == SandboxMark::Exact;
    const bool hasNothing = plan.sandbox == SandboxMark::None;
    if (hasNothing) // restoring a removed snapshot would be refused, so this is the default
        offer(SandboxChoice::Fresh, tr("begin empty"));
    offer(SandboxChoice::Restore,
          hasNothing ? tr("as at this step, as far as it was kept") : tr("as at this step"));
    if (isExact)
        offer(SandboxChoice::Exact, tr("exactly as at this step, or stop"));
    if (isExact || plan.sandbox == SandboxMark::Restored)
        offer(SandboxChoice::Stored, tr("from what was stored"));
    if (!hasNothing)
        offer(SandboxChoice::Fresh, tr("begin empty"));
    offer(SandboxChoice::Keep, tr("leave it as it stands now"));
    setTitle(tr("Sandbox at step %1").arg(plan.step));
    m_sign->setRewind(rewindOf(plan.sandbox));
    setVisible(plan.sandbox != SandboxMark::Unused);
}

void SandboxSection::setFate(const QString& text)
{
    m_fate->setText(text);
}

rewind::SandboxChoice SandboxSection::choice() const
{
    return static_cast<rewind::SandboxChoice>(m_choice->currentData().toInt());
}

} // namespace sg::ui
