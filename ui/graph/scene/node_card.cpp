#include "ui/graph/scene/node_card.h"

#include "ui/graph/layout/graph_drawing.h"
#include "ui/widgets/icons.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <utility>

namespace sg::ui {

namespace {

constexpr double kRadius = 6;
constexpr double kNotch = 10;
constexpr double kTextLeft = 42;
constexpr double kRightPadding = 10;
constexpr double kTitleBaseline = 24;
constexpr double kSecondBaseline = 41;
constexpr double kQuietOpacity = 0.55;
constexpr double kSkippedTitle = 0.62;
const QRectF kCard(0, 0, kCardWidth, kCardHeight);

// Font sizes are in scene units; the view's scale carries the user's text size.
QFont cardFont(int pixels, QFont::Weight weight)
{
    QFont font = QApplication::font();
    font.setPixelSize(pixels);
    font.setWeight(weight);
    return font;
}

QFont titleFont()
{
    return cardFont(13, QFont::DemiBold);
}

QFont secondFont(StateKind kind)
{
    return cardFont(11, isLoud(kind) ? QFont::DemiBold : QFont::Normal);
}

double borderWidth(StateKind kind)
{
    return kind == StateKind::Running || kind == StateKind::Paused ? 2 : kind == StateKind::Failed ? 3 : 1;
}

void setText(QStaticText& target, const QString& text, const QFont& font, double width)
{
    target.setTextFormat(Qt::PlainText);
    target.setPerformanceHint(QStaticText::AggressiveCaching);
    target.setText(QFontMetricsF(font).elidedText(text, Qt::ElideRight, width));
    target.prepare({}, font);
}

// The design gives baselines, but QStaticText is placed by its top.
void drawAt(QPainter& painter, const QStaticText& text, const QFont& font, double x, double baseline,
            const QColor& ink)
{
    painter.setFont(font);
    painter.setPen(ink);
    painter.drawStaticText(QPointF(x, baseline - QFontMetricsF(font).ascent()), text);
}

QPen borderPen(StateKind kind, bool hovered)
{
    const Tokens& t = tokens();
    QPen pen(QColor(kind == StateKind::Idle ? (hovered ? t.text2 : t.line) : t.*stateToken(kind)),
             borderWidth(kind));
    if (kind == StateKind::Queued) {
        pen.setWidthF(1.5);
        pen.setCapStyle(Qt::RoundCap);
        pen.setDashPattern({ 0.1, 2.5 });
    } else if (kind == StateKind::Skipped) {
        pen.setDashPattern({ 5, 3 });
    } else if (kind == StateKind::Paused) {
        pen.setCapStyle(Qt::FlatCap);
        pen.setDashPattern({ 5, 2 }); // of its width
    }
    return pen;
}

// The pin of a fixed place is small and on the lower edge, because it says nothing about a run.
void paintHeld(QPainter& painter)
{
    const QPointF at(kCardWidth - 16, kCardHeight - 0.5);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(&Tokens::canvas));
    painter.drawEllipse(at, 8, 8);
    paintIcon(painter, QLatin1String("pin"), QRectF(at.x() - 6, at.y() - 6, 12, 12), color(&Tokens::text2));
}

void paintBadge(QPainter& painter, double x, QLatin1String icon, QRgb edge, QRgb ink)
{
    painter.setPen(QColor(edge));
    painter.setBrush(color(&Tokens::canvas));
    painter.drawEllipse(QPointF(x, 0), 9, 9);
    paintIcon(painter, icon, QRectF(x - 6, -6.5, 12, 12), QColor(ink));
}

// A breakpoint; two strokes mean that it has a condition.
void paintDot(QPainter& painter, double x, bool conditional)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(&Tokens::canvas));
    painter.drawEllipse(QPointF(x, 0), 6.5, 6.5);
    painter.setBrush(color(&Tokens::text));
    painter.drawEllipse(QPointF(x, 0), 5, 5);
    if (!conditional)
        return;
    painter.setPen(QPen(color(&Tokens::canvas), 1.4));
    for (const double y : { -1.4, 1.4 })
        painter.drawLine(QPointF(x - 2.4, y), QPointF(x + 2.4, y));
}

// 4 wide, inside a border of `width`, with left corners rounded like the card's. Clipping a rectangle by the
// outline would cost more than the rest of the card.
QPainterPath barShape(double width, double radius)
{
    const QRectF bar(width, width, 4, kCardHeight - 2 * width);
    const double r = std::min(radius, bar.width());
    QPainterPath path(bar.topRight());
    path.lineTo(bar.bottomRight());
    path.lineTo(bar.left() + r, bar.bottom());
    path.quadTo(bar.bottomLeft(), QPointF(bar.left(), bar.bottom() - r));
    path.lineTo(bar.left(), bar.top() + r);
    path.quadTo(bar.topLeft(), QPointF(bar.left() + r, bar.top()));
    path.closeSubpath();
    return path;
}

} // namespace

QPainterPath cardOutline(const QRectF& rect, double inset, double radius, double notch)
{
    const QRectF r = rect.adjusted(inset, inset, -inset, -inset);
    QPainterPath path;
    if (notch <= 0) {
        path.addRoundedRect(r, radius, radius);
        return path;
    }
    const double d = 2 * radius;
    path.moveTo(r.left() + radius, r.top());
    path.lineTo(r.right() - notch, r.top());
    path.lineTo(r.right(), r.top() + notch);
    path.lineTo(r.right(), r.bottom() - radius);
    path.arcTo(QRectF(r.right() - d, r.bottom() - d, d, d), 0, -90);
    path.lineTo(r.left() + radius, r.bottom());
    path.arcTo(QRectF(r.left(), r.bottom() - d, d, d), 270, -90);
    path.lineTo(r.left(), r.top() + radius);
    path.arcTo(QRectF(r.left(), r.top(), d, d), 180, -90);
    path.closeSubpath();
    return path;
}

QRectF NodeCard::glyphRect()
{
    return { 14, kCardHeight / 2 - 10, 20, 20 };
}

QRectF NodeCard::bounds()
{
    return kCard.adjusted(-8.5, -11, 8.5, 8.5);
}

QRectF NodeCard::secondLineRect()
{
    return { kTextLeft, 28, kCardWidth - kTextLeft, 18 };
}

void NodeCard::setContent(const QString& title, const QString& subtitle, QLatin1String kindIcon)
{
    m_title = title;
    m_subtitle = subtitle;
    m_kindIcon = kindIcon;
    layOutTexts();
}

void NodeCard::setState(const NodeState& state, const QString& secondLine)
{
    m_state = state;
    m_secondLine = secondLine;
    layOutTexts();
}

bool NodeCard::setPorts(const std::vector<QPointF>& ports)
{
    if (ports == m_ports)
        return false;
    m_ports = ports;
    return true;
}

void NodeCard::layOutTexts()
{
    // An idle card has the kind's icon in the glyph's place on the left, so its title is not shortened.
    const double iconRoom = m_state.kind == StateKind::Idle ? 0 : m_state.kind == StateKind::Failed ? 20 : 16;
    const double room = kCardWidth - kTextLeft - kRightPadding;
    setText(m_titleText, m_title, titleFont(), room - iconRoom);
    const QString& second = m_secondLine.isEmpty() ? m_subtitle : m_secondLine;
    setText(m_secondText, second, secondFont(m_state.kind), room + 2);
    // The state's words come first: a note that would shorten them is shown only in the tooltip.
    setText(m_noteText, m_state.note, cardFont(11, QFont::Normal), room);
    m_noteFits =
        !m_state.note.isEmpty() && m_secondText.size().width() + m_noteText.size().width() + 6 <= room + 4;
}

void NodeCard::paint(QPainter& painter, const Mood& mood) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (mood.selected) {
        painter.setPen(QPen(color(&Tokens::accent), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(kCard.adjusted(-4, -4, 4, 4), 9, 9);
    }
    paintBody(painter, mood);
    paintTexts(painter, mood);
    paintPorts(painter);
    paintMarks(painter);
    painter.restore();
}

void NodeCard::paintBody(QPainter& painter, const Mood& mood) const
{
    const Tokens& t = tokens();
    const StateKind kind = m_state.kind;
    const double notch = kind == StateKind::Failed ? kNotch : 0;
    const QRgb fill = mood.flash > 0 ? blended(t.failedTint, t.raised, mood.flash) : t.raised;
    painter.fillPath(cardOutline(kCard, 0, kRadius, notch), QColor(fill));
    paintBar(painter);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(borderPen(kind, mood.hovered));
    if (kind == StateKind::Waiting) {
        painter.drawPath(cardOutline(kCard, 0.5, kRadius, 0));
        painter.drawPath(cardOutline(kCard, 2.5, kRadius - 2, 0));
        return;
    }
    const double half = borderWidth(kind) / 2;
    painter.drawPath(cardOutline(kCard, half, kRadius - half + 0.5, notch));
}

void NodeCard::paintBar(QPainter& painter) const
{
    const StateKind kind = m_state.kind;
    if (kind == StateKind::Idle)
        return;
    QColor ink = color(stateToken(kind));
    if (kind == StateKind::Waiting) {
        painter.fillRect(QRectF(4, 4, 4, kCardHeight - 8), ink);
        return;
    }
    const double width = borderWidth(kind);
    if (kind == StateKind::Paused) { // two halves
        const double half = (kCardHeight - 2 * width - 6) / 2;
        painter.fillRect(QRectF(width, width + 1, 4, half), ink);
        painter.fillRect(QRectF(width, kCardHeight - width - 1 - half, 4, half), ink);
        return;
    }
    if (kind == StateKind::Cached) {
        painter.setPen(QPen(ink, 1));
        painter.drawLine(QPointF(5.5, width), QPointF(5.5, kCardHeight - width));
        return;
    }
    if (isQuiet(kind))
        ink.setAlphaF(static_cast<float>(kQuietOpacity));
    painter.fillPath(barShape(width, std::max(kRadius - width, 2.0)), ink);
}

void NodeCard::paintTexts(QPainter& painter, const Mood& mood) const
{
    const Tokens& t = tokens();
    const StateKind kind = m_state.kind;
    QColor title(t.text);
    if (kind == StateKind::Skipped)
        title.setAlphaF(static_cast<float>(kSkippedTitle));
    drawAt(painter, m_titleText, titleFont(), kTextLeft, kTitleBaseline, title);
    drawAt(painter, m_secondText, secondFont(kind), kTextLeft, kSecondBaseline,
           QColor(isQuiet(kind) ? t.muted : t.*stateToken(kind)));
    if (m_noteFits)
        drawAt(painter, m_noteText, cardFont(11, QFont::Normal),
               kCardWidth - kRightPadding + 3 - m_noteText.size().width(), kSecondBaseline, QColor(t.muted));
    if (kind == StateKind::Idle) {
        paintIcon(painter, m_kindIcon, QRectF(14, kCardHeight / 2 - 9, 18, 18), QColor(t.text2));
        return;
    }
    paintStateGlyph(painter, kind, glyphRect(), t.raised, mood.turn);
    const bool failed = kind == StateKind::Failed;
    paintIcon(painter, m_kindIcon, QRectF(kCardWidth - 24 - (failed ? 4 : 0), failed ? 13 : 10, 14, 14),
              QColor(t.muted));
}

void NodeCard::paintPorts(QPainter& painter) const
{
    painter.setPen(QPen(color(&Tokens::line), 1.5));
    painter.setBrush(color(&Tokens::canvas));
    for (const QPointF& port : m_ports)
        painter.drawEllipse(port, 4, 4);
}

void NodeCard::paintMarks(QPainter& painter) const
{
    const Tokens& t = tokens();
    if (m_state.breakpointBefore)
        paintDot(painter, 16, !m_state.breakCondition.isEmpty());
    if (m_state.breakpointAfter)
        paintDot(painter, kCardWidth - 16, !m_state.breakCondition.isEmpty());
    if (m_state.isHeld)
        paintHeld(painter);
    if (m_state.stale || m_state.pinned)
        paintBadge(painter, kCardWidth - 40, m_state.stale ? QLatin1String("replay") : QLatin1String("pin"),
                   t.strong, t.text2);
    if (!m_state.problem.isEmpty()) {
        const QRgb ink = m_state.problemIsWarning ? t.warn : t.failed;
        paintBadge(painter, kCardWidth - (m_state.breakpointAfter ? 36 : 14), QLatin1String("warn"), ink,
                   ink);
    }
}

void paintTerminal(QPainter& painter, const QRectF& rect, const QString& word, bool selected)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const double radius = rect.height() / 2;
    if (selected) {
        painter.setPen(QPen(color(&Tokens::accent), 2));
        painter.drawRoundedRect(rect.adjusted(-4, -4, 4, 4), radius + 4, radius + 4);
    }
    painter.setPen(color(&Tokens::line));
    painter.setBrush(color(&Tokens::canvas));
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius - 0.5, radius - 0.5);
    painter.setFont(cardFont(11, QFont::Normal));
    painter.setPen(color(&Tokens::text2));
    painter.drawText(rect, Qt::AlignCenter, word);
    painter.restore();
}

} // namespace sg::ui
