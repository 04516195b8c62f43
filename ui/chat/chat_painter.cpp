#include "ui/chat/chat_painter.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"

#include <QAbstractTextDocumentLayout>
#include <QFontMetricsF>
#include <QPainter>
#include <QTextCursor>

#include <algorithm>
#include <cmath>

namespace sg::ui {
namespace {

void paintWords(QPainter& painter, const QRectF& rect, const QFont& font, const QColor& ink,
                const QString& words, Qt::Alignment side = Qt::AlignLeft)
{
    painter.setFont(font);
    painter.setPen(ink);
    painter.drawText(rect, static_cast<int>(side | Qt::AlignVCenter | Qt::TextSingleLine),
                     QFontMetricsF(font).elidedText(words, Qt::ElideRight, rect.width()));
}

void markFound(const InertDocument& document, const QString& words,
               QAbstractTextDocumentLayout::PaintContext& context)
{
    QTextCursor cursor(const_cast<InertDocument*>(&document)); // reads only
    for (cursor = document.find(words); !cursor.isNull() && context.selections.size() < 1000;
         cursor = document.find(words, cursor)) {
        QAbstractTextDocumentLayout::Selection found;
        found.cursor = cursor;
        found.format.setBackground(color(&Tokens::warnTint));
        found.format.setForeground(color(&Tokens::text));
        context.selections.push_back(found);
    }
}

void paintText(QPainter& painter, const ChatBox& part, int index, const ChatMarks& marks, const QRectF& seen)
{
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette.setColor(QPalette::Text, color(part.ink));
    context.palette.setColor(QPalette::Link, color(&Tokens::accent));
    context.clip = seen.translated(-part.rect.topLeft());
    if (!marks.found.isEmpty())
        markFound(*part.document, marks.found, context);
    if (marks.selected == index && marks.from != marks.to) {
        QAbstractTextDocumentLayout::Selection selection;
        selection.cursor = QTextCursor(part.document.get());
        selection.cursor.setPosition(marks.from);
        selection.cursor.setPosition(marks.to, QTextCursor::KeepAnchor);
        selection.format.setBackground(color(&Tokens::selection));
        selection.format.setForeground(color(&Tokens::text));
        context.selections.push_back(selection);
    }
    painter.save();
    painter.translate(part.rect.topLeft());
    painter.setClipRect(QRectF(QPointF(), part.rect.size()), Qt::IntersectClip);
    part.document->documentLayout()->draw(&painter, context);
    painter.restore();
}

void paintFrame(QPainter& painter, const ChatBox& part, const ChatMarks& marks)
{
    const bool isCurrent = marks.isCurrent && marks.call == part.call;
    painter.setBrush(color(part.state == StateKind::Failed        ? &Tokens::failedTint
                               : part.state == StateKind::Waiting ? &Tokens::waitingTint
                                                                  : &Tokens::alt));
    painter.setPen(QPen(color(isCurrent                              ? &Tokens::accent
                                  : part.state == StateKind::Failed  ? &Tokens::failed
                                  : part.state == StateKind::Waiting ? &Tokens::waiting
                                                                     : &Tokens::border),
                        isCurrent ? 2 : 1));
    const double inset = isCurrent ? 1 : 0.5;
    painter.drawRoundedRect(part.rect.adjusted(inset, inset, -inset, -inset), 4, 4);
}

QRectF square(double left, double middle, double size)
{
    return { left, middle - size / 2, size, size };
}

void paintCall(QPainter& painter, const ChatBox& part)
{
    const QRectF rect = part.rect;
    const double middle = rect.center().y();
    paintIcon(painter, part.isOpen ? QLatin1String("down") : QLatin1String("right"),
              square(rect.left() + scaledLength(8), middle, scaledLength(12)), color(&Tokens::muted));
    paintStateGlyph(painter, part.state, square(rect.left() + scaledLength(28), middle, scaledLength(14)),
                    tokens().alt);
    const QFont bold = monoFont(TextSize::Dense, QFont::DemiBold);
    const QFont dense = uiFont(TextSize::Dense);
    const double time = part.time.isEmpty()
        ? 0
        : std::ceil(QFontMetricsF(dense).horizontalAdvance(part.time)) + scaledLength(8);
    const double right = rect.right() - scaledLength(10);
    double left = rect.left() + scaledLength(52);
    const double nameWidth =
        std::min(QFontMetricsF(bold).horizontalAdvance(part.text) + 2, std::max(0.0, right - time - left));
    paintWords(painter, { left, rect.top(), nameWidth, rect.height() }, bold, color(&Tokens::text),
               part.text);
    left += nameWidth + scaledLength(10);
    const QFont mono = monoFont();
    const double idWidth = std::min(QFontMetricsF(mono).horizontalAdvance(part.note) + 2,
                                    std::max(0.0, (right - time - left) / 3));
    paintWords(painter, { left, rect.top(), idWidth, rect.height() }, mono, color(&Tokens::muted), part.note);
    left += idWidth + scaledLength(12);
    const bool isLoudState = part.state == StateKind::Failed || part.state == StateKind::Waiting;
    paintWords(painter, { right - time, rect.top(), time, rect.height() }, dense,
               color(isLoudState ? stateToken(part.state) : &Tokens::muted), part.time, Qt::AlignRight);
    double end = right - time;
    if (part.to > part.from) {
        const QRectF bar(end - scaledLength(104), middle - scaledLength(6), scaledLength(104),
                         scaledLength(12));
        if (bar.left() > left + scaledLength(80)) {
            painter.fillRect(QRectF(bar.left(), middle - 0.5, bar.width(), 1), color(&Tokens::subtle));
            const QRectF ran(bar.left() + part.from * bar.width(), bar.top() + 3,
                             std::max(3.0, (part.to - part.from) * bar.width()), bar.height() - 6);
            painter.fillRect(ran, color(&Tokens::strong));
            painter.fillRect(QRectF(ran.left(), bar.top(), 3, bar.height()), color(stateToken(part.state)));
            end = bar.left() - scaledLength(10);
        }
    }
    if (end > left)
        paintWords(painter, { left, rect.top(), end - left, rect.height() }, uiFont(TextSize::Dense),
                   color(part.state == StateKind::Failed ? &Tokens::failed : &Tokens::text2), part.brief,
                   Qt::AlignRight);
}

void paintThought(QPainter& painter, const ChatBox& part)
{
    const double middle = part.rect.center().y();
    paintIcon(painter, part.isOpen ? QLatin1String("down") : QLatin1String("right"),
              square(part.rect.left(), middle, scaledLength(12)), color(&Tokens::muted));
    paintWords(painter, part.rect.adjusted(scaledLength(18), 0, 0, 0), uiFont(TextSize::Dense),
               color(&Tokens::muted), part.text);
}

void paintLine(QPainter& painter, const ChatBox& part)
{
    paintWords(painter, part.rect,
               part.isBold ? uiFont(TextSize::Normal, QFont::DemiBold) : uiFont(TextSize::Dense),
               color(part.ink), part.text, part.isRight ? Qt::AlignRight : Qt::AlignLeft);
}

void paintPart(QPainter& painter, const ChatBox& part, int index, const ChatMarks& marks, const QRectF& seen)
{
    switch (part.kind) {
    case ChatBox::Kind::Icon:
        paintIcon(painter, QLatin1String(part.text.toLatin1()), part.rect, color(part.ink));
        break;
    case ChatBox::Kind::Line: paintLine(painter, part); break;
    case ChatBox::Kind::Text: paintText(painter, part, index, marks, seen); break;
    case ChatBox::Kind::Picture:
        painter.fillRect(part.rect, Qt::white); // figures say black on white without saying so
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        painter.drawImage(part.rect, part.picture);
        break;
    case ChatBox::Kind::Thought: paintThought(painter, part); break;
    case ChatBox::Kind::Call: paintCall(painter, part); break;
    case ChatBox::Kind::Frame: paintFrame(painter, part, marks); break;
    case ChatBox::Kind::Rule:
        painter.fillRect(QRectF(part.rect.left() + 1, part.rect.top(), part.rect.width() - 2, 1),
                         color(&Tokens::subtle));
        break;
    case ChatBox::Kind::More:
        paintWords(painter, part.rect, uiFont(TextSize::Dense), color(&Tokens::accent), part.text);
        break;
    case ChatBox::Kind::Cursor: painter.fillRect(part.rect, color(&Tokens::running)); break;
    }
}

} // namespace

void paintEntry(QPainter& painter, const ChatLayout& layout, const ChatMarks& marks, const QRectF& seen)
{
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF whole(0, 0, layout.width, layout.height);
    if (marks.isCurrent && marks.call < 0)
        painter.fillRect(QRectF(0, 0, 2, layout.height),
                         color(marks.hasFocus ? &Tokens::accent : &Tokens::strong));
    for (std::size_t i = 0; i < layout.parts.size(); ++i)
        if (layout.parts[i].rect.adjusted(-2, -2, 2, 2).intersects(seen))
            paintPart(painter, layout.parts[i], static_cast<int>(i), marks, seen);
    painter.fillRect(QRectF(0, whole.bottom() - 1, whole.width(), 1), color(&Tokens::subtle));
}

} // namespace sg::ui
