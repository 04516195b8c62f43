#include "ui/widgets/empty_state.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/rich_sentence.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace sg::ui {

namespace {
constexpr int kIconSize = 24;
constexpr int kWidest = 340;
} // namespace

EmptyState::EmptyState(QLatin1String iconName, const QString& sentence, QWidget* parent)
    : QWidget(parent)
    , m_iconName(iconName)
    , m_icon(new QLabel(this))
    , m_sentence(new QLabel(this))
    , m_actions(new QWidget(this))
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_icon->setAlignment(Qt::AlignCenter);
    m_sentence->setAlignment(Qt::AlignCenter);
    m_sentence->setWordWrap(true);
    m_sentence->setMaximumWidth(scaledLength(kWidest));
    m_sentence->setTextFormat(Qt::RichText);
    m_sentence->setTextInteractionFlags(Qt::NoTextInteraction);
    auto* row = new QHBoxLayout(m_actions);
    row->setContentsMargins(0, 4, 0, 0);
    row->setSpacing(8);
    row->setAlignment(Qt::AlignCenter);
    m_actions->hide();

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(8);
    column->addStretch();
    column->addWidget(m_icon);
    auto* centred = new QHBoxLayout;
    centred->addStretch();
    centred->addWidget(m_sentence, 1000);
    centred->addStretch();
    column->addLayout(centred);
    column->addWidget(m_actions);
    column->addStretch();
    showIcon();
    setSentence(sentence);
}

void EmptyState::setSentence(const QString& sentence)
{
    m_sentence->setText(richSentence(sentence));
    QString plain = sentence;
    plain.remove(QLatin1Char('`'));
    m_sentence->setAccessibleName(plain);
    setAccessibleName(plain);
}

void EmptyState::setIcon(QLatin1String name)
{
    m_iconName = name;
    showIcon();
}

QPushButton* EmptyState::setButton(const QString& text)
{
    if (!m_button) {
        m_button = new QPushButton(m_actions);
        m_actions->layout()->addWidget(m_button);
        m_actions->show();
    }
    m_button->setText(text);
    return m_button;
}

QPushButton* EmptyState::setLink(const QString& text)
{
    if (!m_link) {
        m_link = new QPushButton(m_actions);
        m_link->setProperty("sgLink", true);
        m_actions->layout()->addWidget(m_link);
        m_actions->show();
    }
    m_link->setText(text);
    return m_link;
}

void EmptyState::showIcon()
{
    const int side = scaledLength(kIconSize);
    m_icon->setPixmap(icon(m_iconName).pixmap(QSize(side, side), devicePixelRatioF()));
}

// In a low panel the sentence is worth more than its picture.
void EmptyState::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const QMargins edges = layout()->contentsMargins();
    const int room = std::min(width() - edges.left() - edges.right(), scaledLength(kWidest));
    const int actions = m_actions->isHidden() ? 0 : m_actions->sizeHint().height() + layout()->spacing();
    const int words = m_sentence->heightForWidth(std::max(room, 1)) + actions;
    m_icon->setVisible(words + scaledLength(kIconSize) + layout()->spacing() + edges.top() + edges.bottom()
                       <= height());
}

void EmptyState::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showIcon();
}

} // namespace sg::ui
