#include "ui/replay/replay_foot.h"

#include "ui/widgets/ink_label.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>

namespace sg::ui {

ReplayFoot::ReplayFoot(QWidget* parent)
    : Strip(44, &Tokens::border, parent, Line::Above)
    , m_writerTitle(new InkLabel(&Tokens::muted, TextSize::Dense, QFont::Normal, this))
    , m_writer(new QComboBox(this))
    , m_until(new QComboBox(this))
    , m_problem(new InkLabel(&Tokens::failed, TextSize::Dense, QFont::Normal, this))
{
    m_writerTitle->setText(tr("Written as"));
    m_writer->setAccessibleName(m_writerTitle->text());
    m_until->setAccessibleName(tr("How far it runs"));
    m_problem->setWordWrap(true);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setProperty("sgFlat", true);
    m_later = new QPushButton(tr("Fork, run later"), this);
    m_now = new QPushButton(tr("Replay"), this);
    m_now->setProperty("sgPrimary", true);
    connect(m_until, &QComboBox::currentIndexChanged, this, &ReplayFoot::aimChanged);
    connect(cancel, &QPushButton::clicked, this, &ReplayFoot::cancelled);
    connect(m_later, &QPushButton::clicked, this, [this] { Q_EMIT pressed(false); });
    connect(m_now, &QPushButton::clicked, this, [this] { Q_EMIT pressed(true); });
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 1, 12, 0);
    row->setSpacing(8);
    row->addWidget(m_writerTitle);
    row->addWidget(m_writer);
    row->addWidget(m_problem, 1);
    row->addWidget(m_until);
    row->addWidget(cancel);
    row->addWidget(m_later);
    row->addWidget(m_now);
}

void ReplayFoot::begin(const QStringList& nodes, const ReplayAim& aim)
{
    m_writer->clear();
    m_writer->addItem(tr("the node that wrote last"));
    m_writer->addItems(nodes);
    const QSignalBlocker quiet(m_until);
    m_until->clear();
    m_until->addItem(tr("Run to the end"));
    m_until->addItem(tr("Run one step"), QStringList{ QStringLiteral("*") });
    for (const QString& node : nodes)
        m_until->addItem(tr("Pause before %1").arg(node), QStringList{ node });
    if (aim.until == ReplayAim::Until::Step)
        m_until->setCurrentIndex(1);
    else if (aim.until == ReplayAim::Until::Before)
        m_until->setCurrentIndex(std::max(0, m_until->findData(QStringList{ aim.node })));
}

void ReplayFoot::setLook(const Look& look)
{
    const bool forks = look.verb == ReplayVerb::Fork;
    m_writer->setVisible(look.hasChanges);
    m_writerTitle->setVisible(look.hasChanges);
    m_problem->setText(look.problem);
    m_later->setVisible(forks);
    m_later->setEnabled(look.mayFork);
    m_now->setEnabled(look.mayRun);
    m_now->setText(forks ? tr("Fork and run") : wordOf(look.verb));
}

ReplayAim ReplayFoot::aim() const
{
    switch (m_until->currentIndex()) {
    case -1:
    case 0: return {};
    case 1: return { ReplayAim::Until::Step, {} };
    default: return { ReplayAim::Until::Before, pauseBefore().value(0) };
    }
}

QStringList ReplayFoot::pauseBefore() const
{
    return m_until->currentData().toStringList();
}

QString ReplayFoot::writer() const
{
    return m_writer->currentIndex() > 0 ? m_writer->currentText() : QString();
}

} // namespace sg::ui
