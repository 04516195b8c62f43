#include "ui/graph/layout/port_places.h"

#include <algorithm>
#include <limits>
#include <span>

namespace sg::ui {

namespace {

constexpr double kStep = 22;
constexpr double kSpan = 40;
constexpr double kLast = 20; // below the middle: where a backward edge leaves if the bottom is blocked

} // namespace

PortPlaces::PortPlaces(const GraphDrawing& drawing, const std::vector<QRectF>& cards)
    : m_cards(cards)
    , m_leads(drawing.edges.size())
    , m_starts(cards.size() + 1)
    , m_counts(cards.size())
{
    for (const DrawnEdge& edge : drawing.edges)
        ++m_starts[edge.from + 1];
    for (std::size_t node = 0; node < cards.size(); ++node)
        m_starts[node + 1] += m_starts[node];
    const auto leadsOf = [this](std::size_t node) {
        return std::span(m_leads).subspan(m_starts[node], m_counts[node]);
    };
    for (const DrawnEdge& edge : drawing.edges) {
        if (!edge.open && cards[edge.to].left() < cards[edge.from].right() + kSideRoom)
            continue;
        const double height = edge.open ? std::numeric_limits<double>::max() : cards[edge.to].center().y();
        const std::span<Lead> leads = leadsOf(edge.from);
        const auto known = std::ranges::find(leads, edge.port, &Lead::second);
        if (known == leads.end())
            m_leads[m_starts[edge.from] + m_counts[edge.from]++] = { height, edge.port };
        else
            known->first = std::min(known->first, height);
    }
    for (std::size_t node = 0; node < cards.size(); ++node)
        if (m_counts[node] > 1)
            std::ranges::stable_sort(leadsOf(node), {}, &Lead::first);
}

QPointF PortPlaces::of(const DrawnEdge& edge) const
{
    const QRectF& rect = m_cards[edge.from];
    const auto leads = std::span(m_leads).subspan(m_starts[edge.from], m_counts[edge.from]);
    const auto lead = std::ranges::find(leads, edge.port, &Lead::second);
    if (lead != leads.end())
        return outPort(rect, static_cast<std::size_t>(lead - leads.begin()), leads.size());
    return { rect.right(), rect.center().y() + (leads.empty() ? 0 : std::min(kLast, rect.height() / 2)) };
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
