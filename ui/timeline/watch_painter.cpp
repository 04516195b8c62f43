#include "ui/selection/checkpoint_words.h"
#include "ui/timeline/timeline_strip_painter.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <limits>

// Paints the values of a watched expression, step by step, on the viewed branch: a value holds until the next
// checkpoint.
namespace sg::ui {

namespace {

constexpr float kUnknownNumber = std::numeric_limits<float>::quiet_NaN();
constexpr double kMargin = 6;
constexpr double kWordRoom = 28; // nearer words are left out

} // namespace

// The marks on the way to the viewed branch's end that are seen, one a pixel, in order.
std::vector<int> TimelineStripPainter::seenOnWay() const
{
    std::vector<int> seen;
    const HistoryModel& model = m_scene.model;
    const double left = m_scene.scroll.x();
    const double right = left + m_scene.size.width() - m_geometry.header;
    const std::vector<int> path = model.pathTo(model.lastOf(m_lane));
    for (int lane = 0; lane < static_cast<int>(path.size()); ++lane) {
        const int until = path[static_cast<std::size_t>(lane)];
        if (until == HistoryModel::kNone)
            continue;
        const auto& marks = model.lane(lane).marks;
        const TimelineGeometry::Range range = m_geometry.marksBetween(model, lane, left, right);
        for (int index = range.from; index <= range.to;) {
            const int mark = marks[static_cast<std::size_t>(index)];
            if (model.mark(mark).column > until)
                break;
            seen.push_back(mark);
            index = std::max(
                index + 1, m_geometry.markBehind(model, lane, index + 1, m_geometry.x(model.mark(mark)) + 1));
        }
    }
    std::ranges::sort(seen, {}, [&model](int mark) { return model.mark(mark).column; });
    return seen;
}

void TimelineStripPainter::paintWatch(const Row& row, const WatchTracks::Track& track)
{
    const QString now = WatchTracks::wordsAt(track, m_scene.current);
    const bool isWrong = !track.error.isEmpty() || track.errors.contains(m_scene.current);
    const QFontMetricsF small(uiFont(TextSize::Small));
    const double room = m_geometry.header - 32 * m_unit;
    const QString note = small.elidedText(now, Qt::ElideRight, room * 0.6);
    paintFrame(row,
               QFontMetricsF(uiFont(TextSize::Small, QFont::DemiBold))
                   .elidedText(track.program, Qt::ElideRight, room - small.horizontalAdvance(note)),
               note, isWrong);
    const std::vector<int> marks = seenOnWay();
    const double floor = row.top + row.height - kMargin * m_unit;
    const double height = row.height - 2 * kMargin * m_unit;
    const double span = std::max(1e-12, track.most - track.least);
    QPainterPath line;
    bool isBegun = false;
    double lastWord = -1e9;
    QString told;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const double x = m_geometry.header - m_scene.scroll.x() + m_geometry.x(m_scene.model.mark(marks[i]));
        const auto place = static_cast<std::size_t>(marks[i]);
        const float number = place < track.numbers.size() ? track.numbers[place] : kUnknownNumber;
        if (std::isnan(number)) {
            isBegun = false;
            paintWatchWord(row, track, marks[i], x, lastWord, told);
            continue;
        }
        const double part = track.most > track.least ? (number - track.least) / span : 0.5;
        const double y = std::round(floor - part * height) + 0.5;
        if (isBegun)
            line.lineTo(x, line.currentPosition().y());
        else
            line.moveTo(x, y);
        line.lineTo(x, y);
        isBegun = true;
        if (i + 1 == marks.size()) // the newest goes on
            line.lineTo(x + std::min(m_geometry.step, 24 * m_unit), y);
    }
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(timelinePen(&Tokens::text2, 1.25));
    m_painter.drawPath(line);
    if (track.hasNumbers && track.most > track.least)
        paintWatchScale(row, track);
}

// Words stand where they begin to hold; errors are a mark each.
void TimelineStripPainter::paintWatchWord(const Row& row, const WatchTracks::Track& track, int mark, double x,
                                          double& lastWord, QString& told)
{
    const double middle = row.top + row.height / 2;
    if (track.errors.contains(mark)) {
        m_painter.setPen(timelinePen(&Tokens::failed, 1.5));
        const double reach = 3 * m_unit;
        m_painter.drawLine(QPointF(x - reach, middle - reach), QPointF(x + reach, middle + reach));
        m_painter.drawLine(QPointF(x - reach, middle + reach), QPointF(x + reach, middle - reach));
        told.clear();
        return;
    }
    const QString words = track.words.value(mark);
    if (words.isEmpty() || words == told || x < lastWord)
        return;
    told = words;
    x = std::max(x, m_geometry.header + 1); // it held before what is seen
    const QFont font = uiFont(TextSize::Tiny);
    const QFontMetricsF metrics(font);
    const QString shown = metrics.elidedText(words, Qt::ElideRight, 100 * m_unit);
    lastWord = x + metrics.horizontalAdvance(shown) + kWordRoom * m_unit / 2;
    m_painter.setPen(timelinePen(&Tokens::strong, 1));
    m_painter.drawLine(QPointF(x, row.top + 4 * m_unit), QPointF(x, row.top + row.height - 4 * m_unit));
    m_painter.setFont(font);
    m_painter.setPen(color(&Tokens::text));
    m_painter.drawText(QRectF(x + 4 * m_unit, row.top, 110 * m_unit, row.height),
                       Qt::AlignLeft | Qt::AlignVCenter, shown);
}

void TimelineStripPainter::paintWatchScale(const Row& row, const WatchTracks::Track& track)
{
    m_painter.setFont(uiFont(TextSize::Tiny));
    m_painter.setPen(color(&Tokens::muted));
    const QRectF room(m_scene.size.width() - 78 * m_unit, row.top + 2, 70 * m_unit, row.height - 4);
    m_painter.drawText(room, Qt::AlignRight | Qt::AlignTop, QString::number(track.most, 'g', 5));
    m_painter.drawText(room, Qt::AlignRight | Qt::AlignBottom, QString::number(track.least, 'g', 5));
}

} // namespace sg::ui
