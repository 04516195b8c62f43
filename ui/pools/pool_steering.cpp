#include "ui/pools/pool_steering.h"

#include "ui/widgets/icons.h"
#include "ui/widgets/ink_label.h"
#include "ui/widgets/style.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSpinBox>

namespace sg::ui {
namespace {

constexpr double kMostRate = 1e6;
constexpr int kMostAtOnce = 100'000;

} // namespace

PoolSteering::PoolSteering(QWidget* parent)
    : Strip(36, &Tokens::border, parent)
    , m_role(new InkLabel(&Tokens::text, TextSize::Dense, QFont::DemiBold, this))
    , m_rate(new QDoubleSpinBox(this))
    , m_atOnce(new QSpinBox(this))
    , m_apply(new QPushButton(tr("Set limits"), this))
    , m_pause(new QPushButton(this))
{
    m_rate->setRange(0, kMostRate);
    m_rate->setDecimals(1);
    m_rate->setSuffix(tr(" /s"));
    m_rate->setSpecialValueText(tr("no limit"));
    m_rate->setAccessibleName(tr("Jobs a second"));
    m_atOnce->setRange(0, kMostAtOnce);
    m_atOnce->setSpecialValueText(tr("no limit"));
    m_atOnce->setAccessibleName(tr("Jobs at once"));
    for (QWidget* each : { static_cast<QWidget*>(m_rate), static_cast<QWidget*>(m_atOnce),
                           static_cast<QWidget*>(m_apply), static_cast<QWidget*>(m_pause) })
        makeDense(each);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 0, 8, 1);
    row->setSpacing(8);
    row->addWidget(m_role);
    for (const auto& [words, field] : { std::pair<QString, QWidget*>(tr("Rate"), m_rate),
                                        std::pair<QString, QWidget*>(tr("At once"), m_atOnce) }) {
        auto* label = new InkLabel(&Tokens::text2, TextSize::Dense, QFont::Normal, this);
        label->setText(words);
        row->addWidget(label);
        row->addWidget(field);
    }
    row->addWidget(m_apply);
    auto* note = new InkLabel(&Tokens::muted, TextSize::Dense, QFont::Normal, this);
    note->setText(tr("Limits count at once, for new jobs"));
    note->setMinimumWidth(1); // a narrow window cuts it before the verbs
    row->addWidget(note, 1);
    row->addWidget(m_pause);
    connect(m_apply, &QPushButton::clicked, this, &PoolSteering::apply);
    connect(m_pause, &QPushButton::clicked, this, [this] {
        PoolChange change;
        change.role = m_pool.role;
        change.paused = m_pool.isPaused ? 0 : 1;
        Q_EMIT changeRequested(change);
    });
    show(nullptr);
}

void PoolSteering::show(const PoolRow* pool)
{
    setEnabled(pool != nullptr);
    const PoolRow next = pool == nullptr ? PoolRow() : *pool;
    // A field keeps what a person types until the server tells of another limit.
    if (next.role != m_pool.role || next.rate != m_pool.rate)
        m_rate->setValue(next.rate);
    if (next.role != m_pool.role || next.atOnce != m_pool.atOnce)
        m_atOnce->setValue(next.atOnce);
    m_pool = next;
    m_role->setText(pool == nullptr ? tr("No role") : next.role);
    m_pause->setText(next.isPaused ? tr("Go on") : tr("Pause"));
    m_pause->setIcon(icon(QLatin1String(next.isPaused ? "play" : "pause")));
    m_pause->setToolTip(next.isPaused ? tr("Its workers take jobs again")
                                      : tr("Its workers take no more jobs; those under way end"));
}

void PoolSteering::apply()
{
    PoolChange change;
    change.role = m_pool.role;
    change.rate = m_rate->value();
    change.atOnce = m_atOnce->value();
    Q_EMIT changeRequested(change);
}

} // namespace sg::ui
