#include "ui/pools/pool_charts.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/time_format.h"

#include <QPainter>

#include <algorithm>
#include <array>

namespace sg::ui {
namespace {

struct Chart {
    const char* title;
    double PoolSample::*value;
};
constexpr std::array kCharts{
    Chart{ QT_TRANSLATE_NOOP("sg::ui::PoolCharts", "Waiting"), &PoolSample::waiting },
    Chart{ QT_TRANSLATE_NOOP("sg::ui::PoolCharts", "Done a second"), &PoolSample::done },
    Chart{ QT_TRANSLATE_NOOP("sg::ui::PoolCharts", "Retries a minute"), &PoolSample::retries },
};

QString figure(double value)
{
    return QString::number(value, 'f', value > 0 && value < 9.95 ? 1 : 0);
}

} // namespace

PoolCharts::PoolCharts(const PoolHistory& history, QWidget* parent)
    : QWidget(parent)
    , m_history(history)
{
    setAccessibleName(tr("Curves of the pools"));
}

void PoolCharts::show(const QStringList& roles, const QString& chosen)
{
    m_roles = roles;
    m_chosen = chosen;
    update();
}

void PoolCharts::setSpan(double seconds)
{
    m_spanSeconds = seconds;
    update();
}

QSize PoolCharts::minimumSizeHint() const
{
    return { scaledLength(480), scaledLength(104) };
}

void PoolCharts::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(&Tokens::base));
    double end = 0;
    for (const QString& role : m_roles)
        if (const auto& samples = m_history.of(role); !samples.empty())
            end = std::max(end, samples.back().timeMs);
    const double width = static_cast<double>(this->width()) / static_cast<double>(kCharts.size());
    for (std::size_t i = 0; i < kCharts.size(); ++i) {
        const QRectF room(width * static_cast<double>(i), 0, width, height() - 1);
        paintChart(painter, room, tr(kCharts.at(i).title), kCharts.at(i).value, end);
        painter.setPen(color(&Tokens::border));
        if (i > 0)
            painter.drawLine(room.topLeft(), room.bottomLeft());
    }
    painter.setPen(color(&Tokens::border));
    painter.drawLine(rect().bottomLeft(), rect().bottomRight());
}

void PoolCharts::paintChart(QPainter& painter, const QRectF& room, const QString& title,
                            double PoolSample::*value, double endMs) const
{
    const int pad = scaledLength(12);
    const int head = scaledLength(24);
    const int foot = scaledLength(18);
    const int names = scaledLength(72);
    const double from = endMs - m_spanSeconds * 1000;
    double most = 0;
    double now = 0;
    for (const QString& role : m_roles) {
        const auto& samples = m_history.of(role);
        for (auto each = std::ranges::lower_bound(samples, from, {}, &PoolSample::timeMs);
             each != samples.end(); ++each)
            most = std::max(most, (*each).*value);
        now += samples.empty() ? 0 : samples.back().*value;
    }
    painter.setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    painter.setPen(color(&Tokens::text));
    const QRectF top = room.adjusted(pad, 0, -pad, 0);
    painter.drawText(QRectF(top.topLeft(), QSizeF(top.width(), head)), Qt::AlignLeft | Qt::AlignVCenter,
                     title);
    painter.setFont(uiFont(TextSize::Small));
    painter.setPen(color(&Tokens::muted));
    painter.drawText(QRectF(top.topLeft(), QSizeF(top.width(), head)), Qt::AlignRight | Qt::AlignVCenter,
                     tr("%1 now, %2 most").arg(figure(now), figure(most)));
    const QRectF plot = room.adjusted(pad, head, -names, -foot);
    painter.setPen(color(&Tokens::subtle));
    painter.drawLine(plot.topLeft(), plot.topRight());
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    if (endMs <= 0)
        return;
    painter.setPen(color(&Tokens::muted));
    const QRectF times(plot.left(), plot.bottom(), plot.width(), foot);
    painter.drawText(times, Qt::AlignLeft | Qt::AlignVCenter, formatClock(from).left(5));
    painter.drawText(times, Qt::AlignRight | Qt::AlignVCenter, formatClock(endMs).left(5));
    painter.setRenderHint(QPainter::Antialiasing);
    double freeFrom = plot.top() - head; // names do not lie upon each other
    QStringList order = m_roles;
    const auto last = [&](const QString& role) {
        const auto& samples = m_history.of(role);
        return samples.empty() ? 0 : samples.back().*value;
    };
    std::ranges::stable_sort(order, [&](const QString& a, const QString& b) { return last(a) > last(b); });
    for (const QString& role : order) {
        const auto& samples = m_history.of(role);
        QPolygonF line;
        for (auto each = std::ranges::lower_bound(samples, from, {}, &PoolSample::timeMs);
             each != samples.end(); ++each)
            line << QPointF(plot.right() - (endMs - each->timeMs) / (m_spanSeconds * 1000) * plot.width(),
                            plot.bottom() - (most > 0 ? (*each).*value / most : 0) * plot.height());
        if (line.isEmpty())
            continue;
        const bool isChosen = role == m_chosen;
        painter.setPen(QPen(color(isChosen ? &Tokens::accent : &Tokens::strong), isChosen ? 2 : 1));
        painter.drawPolyline(line);
        const double lineHeight = scaledLength(13);
        const double y = std::max(freeFrom, line.last().y() - lineHeight / 2);
        if (y + lineHeight > room.bottom() - scaledLength(2))
            continue;
        freeFrom = y + lineHeight;
        painter.setPen(color(isChosen ? &Tokens::text : &Tokens::muted));
        painter.setFont(uiFont(TextSize::Small, isChosen ? QFont::DemiBold : QFont::Normal));
        painter.drawText(QRectF(plot.right() + scaledLength(6), y, names - scaledLength(10), lineHeight),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(role, Qt::ElideRight, names - scaledLength(10)));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace sg::ui
