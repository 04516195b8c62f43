#include "ui/graph/port_places.h"

#include <algorithm>
#include <limits>

namespace sg::ui {

namespace {

constexpr double kStep = 22;
constexpr double kSpan = 40;
constexpr double kLast = 20; // below the middle: where what runs back leaves if the bottom is blocked

using Lead = std::pair<double, std::size_t>; // height of the target, port

std::vector<std::vector<Lead>> leadsOf(const GraphDrawing& drawing, const std::vector<QRectF>& cards)
{
    std::vector<std::vector<Lead>> leads(cards.size());
    for (const DrawnEdge& edge : drawing.edges) {
        if (!edge.open && cards[edge.to].left() < cards[edge.from].right() + kSideRoom)
            continue;
        auto& ports = leads[edge.from];
        const double height = edge.open ? std::numeric_limits<double>::max() : cards[edge.to].center().y();
        const auto known = std::find_if(ports.begin(), ports.end(),
                                        [&](const Lead& lead) { return lead.second == edge.port; });
        if (known == ports.end())
            ports.emplace_back(height, edge.port);
        else
            known->first = std::min(known->first, height);
    }
    return leads;
}

} // namespace

PortPlaces::PortPlaces(const GraphDrawing& drawing, const std::vector<QRectF>& cards)
    : m_cards(cards)
    , m_ranks(cards.size())
{
    auto leads = leadsOf(drawing, cards);
    for (std::size_t node = 0; node < leads.size(); ++node) {
        std::stable_sort(leads[node].begin(), leads[node].end(),
                         [](const Lead& a, const Lead& b) { return a.first < b.first; });
        for (std::size_t rank = 0; rank < leads[node].size(); ++rank)
            m_ranks[node][leads[node][rank].second] = rank;
    }
}

QPointF PortPlaces::of(const DrawnEdge& edge) const
{
    const QRectF& rect = m_cards[edge.from];
    const auto rank = m_ranks[edge.from].find(edge.port);
    if (rank != m_ranks[edge.from].end())
        return outPort(rect, rank->second, count(edge.from));
    return { rect.right(),
             rect.center().y() + (count(edge.from) > 0 ? std::min(kLast, rect.height() / 2) : 0) };
}

QPointF outPort(const QRectF& rect, std::size_t place, std::size_t count)
{
    if (count < 2)
        return { rect.right(), rect.center().y() };
    const double step = std::min(kStep, kSpan / static_cast<double>(count - 1));
    return { rect.right(),
             rect.center().y() + (static_cast<double>(place) - static_cast<double>(count - 1) / 2) * step };
}

} // namespace sg::ui
