#include "ui/graph/edits/alignment.h"

#include <algorithm>
#include <cmath>

namespace sg::ui {
namespace {

struct Card {
    NodeId id;
    double x;
    double y;
    double width;
    double height;
};

// Distributes the cards in equal steps between the first and the last, which stay.
void spread(std::vector<Card>& cards, double Card::*at)
{
    std::ranges::stable_sort(cards, {}, at);
    const double first = cards.front().*at;
    const double step = (cards.back().*at - first) / static_cast<double>(cards.size() - 1);
    for (std::size_t i = 1; i + 1 < cards.size(); ++i)
        cards[i].*at = std::round(first + step * static_cast<double>(i));
}

// Aligns one side of the cards at the outermost; `sign` is -1 for left or top, 1 for right or bottom.
void flush(std::vector<Card>& cards, double Card::*at, double Card::*size, int sign)
{
    const auto edge = [&](const Card& card) { return sign * (card.*at) + card.*size / 2; };
    const double outermost = edge(*std::ranges::max_element(cards, {}, edge));
    for (Card& card : cards)
        card.*at = sign * (outermost - card.*size / 2);
}

} // namespace

std::vector<std::pair<NodeId, graph::Position>> alignedPlaces(const GraphDrawing& drawing,
                                                              const std::vector<QPointF>& centres,
                                                              const std::vector<NodeId>& nodes,
                                                              Alignment alignment)
{
    std::vector<Card> cards;
    for (const NodeId& id : nodes)
        if (const std::size_t i = drawing.findNode(id); i < centres.size())
            cards.push_back(
                { id, centres[i].x(), centres[i].y(), drawing.nodes[i].width(), drawing.nodes[i].height() });
    if (cards.size() < 2)
        return {};
    switch (alignment) {
    case Alignment::Left: flush(cards, &Card::x, &Card::width, -1); break;
    case Alignment::Right: flush(cards, &Card::x, &Card::width, 1); break;
    case Alignment::Top: flush(cards, &Card::y, &Card::height, -1); break;
    case Alignment::Bottom: flush(cards, &Card::y, &Card::height, 1); break;
    case Alignment::Across: spread(cards, &Card::x); break;
    case Alignment::Down: spread(cards, &Card::y); break;
    }
    std::vector<std::pair<NodeId, graph::Position>> places;
    for (const Card& card : cards)
        places.emplace_back(card.id, graph::Position{ card.x, card.y });
    return places;
}

} // namespace sg::ui
