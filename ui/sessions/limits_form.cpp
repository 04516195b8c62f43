#include "ui/sessions/limits_form.h"

#include "ui/sessions/session_choice.h"
#include "ui/sessions/session_table.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/ink_label.h"
#include "ui/widgets/style.h"

#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

#include <cmath>

namespace sg::ui {

namespace {

constexpr double kMiB = 1024.0 * 1024;

} // namespace

LimitsForm::LimitsForm(QWidget* parent)
    : QWidget(parent)
    , m_refusal(new InkLabel(&Tokens::failed, TextSize::Dense, QFont::Normal, this))
    , m_memory(new QSpinBox(this))
    , m_pids(new QSpinBox(this))
    , m_cpus(new QDoubleSpinBox(this))
    , m_apply(new QPushButton(tr("Apply"), this))
    , m_note(new QLabel(this))
{
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_memory->setRange(16, 1 << 20);
    m_memory->setSuffix(tr(" MiB"));
    m_memory->setSingleStep(256);
    m_memory->setAccessibleName(tr("Limit of memory"));
    m_pids->setRange(8, 32768);
    m_pids->setAccessibleName(tr("Limit of processes"));
    m_cpus->setRange(0.1, 256);
    m_cpus->setSingleStep(0.5);
    m_cpus->setDecimals(1);
    m_cpus->setAccessibleName(tr("Limit of CPU cores"));
    for (QWidget* box : { static_cast<QWidget*>(m_memory), static_cast<QWidget*>(m_pids),
                          static_cast<QWidget*>(m_cpus), static_cast<QWidget*>(m_apply) }) {
        makeDense(box);
        box->setMaximumWidth(scaledLength(140));
    }
    m_note->setWordWrap(true);
    m_note->setFont(uiFont(TextSize::Dense));
    m_note->setForegroundRole(QPalette::PlaceholderText);
    auto* form = new QFormLayout(this);
    form->setContentsMargins(12, 12, 12, 12);
    form->setVerticalSpacing(8);
    form->setLabelAlignment(Qt::AlignLeft);
    form->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    form->addRow(tr("Memory"), m_memory);
    form->addRow(tr("Processes"), m_pids);
    form->addRow(tr("CPU cores"), m_cpus);
    m_refusal->setWordWrap(true);
    m_refusal->setObjectName(QStringLiteral("limitRefusal"));
    m_refusal->hide();
    form->addRow(m_refusal);
    form->addRow(QString(), m_apply);
    form->addRow(m_note);
    connect(m_apply, &QPushButton::clicked, this, &LimitsForm::apply);
    connect(m_memory, &QSpinBox::valueChanged, m_refusal, &QWidget::hide);
    connect(m_pids, &QSpinBox::valueChanged, m_refusal, &QWidget::hide);
}

void LimitsForm::setUse(const SampleRow& sample)
{
    m_usedBytes = sample.memoryBytes;
    m_usedPids = sample.pids;
}

QString LimitsForm::refusal() const
{
    if (m_memory->value() * kMiB < m_usedBytes)
        return tr("Memory: %1 are in use now. Choose more than that, or restart the session first.")
            .arg(formatMemory(m_usedBytes));
    if (m_pids->value() < m_usedPids)
        return tr("Processes: %1 run now. Choose more than that, or end some first.").arg(m_usedPids);
    return {};
}

void LimitsForm::apply()
{
    const QString why = refusal();
    m_refusal->setText(why);
    m_refusal->setVisible(!why.isEmpty());
    if (why.isEmpty())
        Q_EMIT applied({ m_memory->value() * kMiB, m_pids->value(), m_cpus->value() });
}

void LimitsForm::show(const SessionRow& session)
{
    const bool lives = !hasEnded(session);
    for (QWidget* box : { static_cast<QWidget*>(m_memory), static_cast<QWidget*>(m_pids),
                          static_cast<QWidget*>(m_cpus), static_cast<QWidget*>(m_apply) })
        box->setEnabled(lives);
    m_note->setText(
        !lives ? tr("This session has ended.")
            : session.weakLimits
            ? tr("This sandbox cannot enforce limits of CPU and memory as a whole; each process has its own.")
            : tr("They hold from now on, also for what runs already. The graph's own limits stay as they "
                 "are."));
    if (session.session == m_session)
        return;
    m_session = session.session;
    m_usedBytes = 0; // nothing is known of this one yet
    m_usedPids = 0;
    m_memory->setValue(static_cast<int>(std::lround(session.memoryLimit / kMiB)));
    m_pids->setValue(session.pidsLimit);
    m_cpus->setValue(session.cpuLimit);
}

} // namespace sg::ui
