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
constexpr int kEdge = 12;
constexpr int kLowEdge = 4; // above and below, where the panel is low
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
    column->setContentsMargins(kEdge, kEdge, kEdge, kEdge);
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
    m_sentence->setMaximumWidth(widthOf(plain));
}

// Lines of about the same length: a last word is not left alone.
int EmptyState::widthOf(const QString& plain) const
{
    int longest = 0;
    for (const QString& line : plain.split(QLatin1Char('\n')))
        longest = std::max(longest, m_sentence->fontMetrics().horizontalAdvance(line));
    const int most = scaledLength(kWidest);
    const int lines = (longest + most - 1) / most;
    return lines < 2 ? most : std::min(most, longest * 6 / (5 * lines));
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

int EmptyState::heightOfWords(int width) const
{
    const QMargins edges = layout()->contentsMargins();
    const int room = std::min(width - edges.left() - edges.right(), m_sentence->maximumWidth());
    const int actions = m_actions->isHidden() ? 0 : m_actions->sizeHint().height() + layout()->spacing();
    return m_sentence->heightForWidth(std::max(room, 1)) + actions;
}

QSize EmptyState::minimumSizeHint() const
{
    const int width = QWidget::minimumSizeHint().width();
    return { width, heightOfWords(std::max(width, scaledLength(kWidest))) + 2 * kLowEdge };
}

// In a low panel the sentence is worth more than its picture and the room around it.
void EmptyState::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const int words = heightOfWords(width());
    const int edge = words + 2 * kEdge <= height() ? kEdge : kLowEdge;
    layout()->setContentsMargins(kEdge, edge, kEdge, edge);
    m_icon->setVisible(words + scaledLength(kIconSize) + layout()->spacing() + 2 * kEdge <= height());
}

void EmptyState::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showIcon();
}

} // namespace sg::ui
