#include "ui/start/card_grid.h"

#include "ui/widgets/fonts.h"

#include <algorithm>
#include <utility>

namespace sg::ui {

CardGrid::CardGrid(int cardWidth, int gap, QWidget* parent)
    : QWidget(parent)
    , m_cardWidth(cardWidth)
    , m_gap(gap)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void CardGrid::setCards(const QList<QWidget*>& cards)
{
    for (QWidget* old : std::as_const(m_cards))
        if (!cards.contains(old))
            old->deleteLater();
    m_cards = cards;
    QWidget* before = nullptr;
    for (QWidget* card : cards) {
        card->setParent(this);
        card->show();
        if (before != nullptr)
            setTabOrder(before, card);
        before = card;
    }
    m_shown = cards;
    place();
}

void CardGrid::showOnly(const QList<QWidget*>& cards)
{
    m_shown = cards;
    place();
}

void CardGrid::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    place();
}

void CardGrid::place()
{
    const int gap = scaledLength(m_gap);
    const int columns = std::max(1, (width() + gap) / (scaledLength(m_cardWidth) + gap));
    const int each = (width() - (columns - 1) * gap) / columns;
    int bottom = 0;
    for (int i = 0; i < m_shown.size(); ++i) {
        const int height = m_shown[i]->sizeHint().height();
        const int top = i / columns * (height + gap);
        m_shown[i]->setGeometry(i % columns * (each + gap), top, each, height);
        bottom = std::max(bottom, top + height);
    }
    setFixedHeight(bottom);
}

} // namespace sg::ui
