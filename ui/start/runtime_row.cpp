#include "ui/start/runtime_row.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/ink_label.h"
#include "ui/widgets/palette.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>

namespace sg::ui {

RuntimeStatus::RuntimeStatus(QWidget* parent)
    : QWidget(parent)
    , m_name(new InkLabel(&Tokens::text, TextSize::Dense, QFont::DemiBold, this))
    , m_words(new InkLabel(&Tokens::text2, TextSize::Dense, QFont::Normal, this))
    , m_bar(new QProgressBar(this))
    , m_prepare(new QPushButton(tr("Prepare now"), this))
{
    setFixedHeight(scaledLength(40));
    m_name->setText(tr("Python with pandas"));
    m_name->setMinimumWidth(scaledLength(140));
    m_words->setObjectName(QStringLiteral("runtimeWords"));
    m_bar->setTextVisible(false);
    m_bar->setFixedSize(scaledLength(120), 6);
    m_bar->setAccessibleName(tr("Preparing the sandbox"));
    m_prepare->setObjectName(QStringLiteral("prepareRuntime"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(36, 0, 10, 0);
    row->setSpacing(10);
    row->addWidget(m_name);
    row->addWidget(m_bar);
    row->addWidget(m_words, 1);
    row->addWidget(m_prepare);
    connect(m_prepare, &QPushButton::clicked, this, &RuntimeStatus::prepareRequested);
    setRuntime({});
}

void RuntimeStatus::setRuntime(const RuntimeRow& row)
{
    m_row = row;
    const bool isPreparing = row.state == RuntimeRow::State::Preparing;
    m_bar->setVisible(isPreparing);
    m_bar->setValue(row.percent);
    m_prepare->setVisible(row.state == RuntimeRow::State::Missing);
    switch (row.state) {
    case RuntimeRow::State::Unknown: m_words->setText({}); break;
    case RuntimeRow::State::Ready: m_words->setText(tr("Ready")); break;
    case RuntimeRow::State::Missing:
        m_words->setText(tr("Not prepared: its %1 packages are not there yet").arg(row.packages.size()));
        break;
    case RuntimeRow::State::Preparing: m_words->setText(tr("%1 %, %2").arg(row.percent).arg(row.step)); break;
    }
    setToolTip(row.packages.join(QStringLiteral(", ")));
    update();
}

void RuntimeStatus::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(&Tokens::border), 1));
    painter.setBrush(color(&Tokens::raised));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    const bool isReady = m_row.state == RuntimeRow::State::Ready;
    paintIcon(painter, QLatin1String(isReady ? "check" : "python"), QRectF(12, height() / 2.0 - 8, 16, 16),
              color(isReady ? &Tokens::done : &Tokens::text2));
}

} // namespace sg::ui
