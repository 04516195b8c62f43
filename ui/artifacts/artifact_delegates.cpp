#include "ui/artifacts/artifact_delegates.h"

#include "ui/artifacts/artifact_model.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"

#include <QFontMetricsF>
#include <QListView>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr int kGap = 6; // on each side of a card
constexpr int kWords = 44;

void paintArtifactIcon(QPainter& painter, const QModelIndex& index, const QRectF& rect, Token ink)
{
    const QByteArray name = index.data(ArtifactModel::IconRole).toString().toLatin1();
    paintIcon(painter, QLatin1String(name), rect, color(ink));
}

bool isFocused(const QStyleOptionViewItem& option)
{
    return option.state.testFlag(QStyle::State_HasFocus) && option.widget && option.widget->hasFocus();
}

// Paints the first lines of a text as a tiny page, with headings emphasized.
void paintLines(QPainter& painter, const QStringList& lines, const QRectF& sheet)
{
    const double step = scaledLength(11);
    const QFont tiny = monoFont(TextSize::Tiny);
    const QFont heading = uiFont(TextSize::Small, QFont::DemiBold);
    double y = sheet.top() + scaledLength(6);
    for (const QString& line : lines) {
        const bool isHeading = line.startsWith(QLatin1Char('#'));
        const double height = isHeading ? scaledLength(16) : step;
        if (y + height > sheet.bottom())
            return;
        QString words = line;
        while (isHeading && (words.startsWith(QLatin1Char('#')) || words.startsWith(QLatin1Char(' '))))
            words.remove(0, 1);
        painter.setFont(isHeading ? heading : tiny);
        painter.setPen(color(isHeading ? &Tokens::text : &Tokens::muted));
        painter.drawText(QRectF(sheet.left() + 10, y, sheet.width() - 14, height + 2),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, words);
        y += height + 1;
    }
}

void paintCells(QPainter& painter, const std::vector<QStringList>& cells, const QRectF& sheet)
{
    const double step = scaledLength(15);
    const auto columns = std::max<qsizetype>(1, cells.front().size());
    const double width = (sheet.width() - 12) / static_cast<double>(columns);
    double y = sheet.top();
    for (std::size_t row = 0; row < cells.size() && y + step <= sheet.bottom(); ++row, y += step) {
        if (row == 0)
            painter.fillRect(QRectF(sheet.left(), y, sheet.width(), step), color(&Tokens::window));
        painter.setFont(uiFont(TextSize::Tiny, row == 0 ? QFont::DemiBold : QFont::Normal));
        painter.setPen(color(row == 0 ? &Tokens::text2 : &Tokens::text));
        const QFontMetricsF metrics(painter.font());
        for (qsizetype column = 0; column < cells[row].size(); ++column) {
            const QRectF cell(sheet.left() + 8 + static_cast<double>(column) * width, y, width - 6, step);
            painter.drawText(cell, Qt::AlignLeft | Qt::AlignVCenter,
                             metrics.elidedText(cells[row][column], Qt::ElideRight, cell.width()));
        }
        painter.fillRect(QRectF(sheet.left(), y + step - 1, sheet.width(), 1), color(&Tokens::subtle));
    }
}

void paintContent(QPainter& painter, const QModelIndex& index, const QRectF& sheet)
{
    const auto thumbnail = index.data(ArtifactModel::ThumbnailRole).value<ArtifactThumbnail>();
    painter.save();
    painter.setClipRect(sheet, Qt::IntersectClip);
    if (!thumbnail.image.isNull()) {
        painter.fillRect(sheet, Qt::white); // pictures are made for paper
        const QSizeF room = sheet.adjusted(4, 4, -4, -4).size();
        QSizeF size = thumbnail.image.size();
        if (size.width() > room.width() || size.height() > room.height())
            size.scale(room, Qt::KeepAspectRatio);
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        painter.drawImage(QRectF(sheet.center() - QPointF(size.width(), size.height()) / 2, size),
                          thumbnail.image);
    } else if (!thumbnail.cells.empty()) {
        paintCells(painter, thumbnail.cells, sheet);
    } else if (!thumbnail.lines.isEmpty()) {
        paintLines(painter, thumbnail.lines, sheet);
    } else {
        painter.fillRect(sheet, color(&Tokens::alt));
        const double side = scaledLength(28);
        paintArtifactIcon(
            painter, index,
            QRectF(sheet.center() - QPointF(side / 2, side / 2 + (thumbnail.artifact.isEmpty() ? 0 : 8)),
                   QSizeF(side, side)),
            &Tokens::muted);
        if (!thumbnail.artifact.isEmpty()) {
            painter.setFont(uiFont(TextSize::Small));
            painter.setPen(color(&Tokens::muted));
            painter.drawText(
                QRectF(sheet.left(), sheet.center().y() + side / 2 - 2, sheet.width(), scaledLength(16)),
                Qt::AlignCenter, ArtifactModel::tr("no preview"));
        }
    }
    painter.restore();
}

void paintWords(QPainter& painter, const QModelIndex& index, const QRectF& words, bool selected)
{
    const double side = scaledLength(14);
    paintArtifactIcon(painter, index, QRectF(words.left() + 8, words.top() + 8, side, side), &Tokens::text2);
    const QFont bold = uiFont(TextSize::Dense, QFont::DemiBold);
    const QFont small = uiFont(TextSize::Small);
    const QRectF name(words.left() + 14 + side, words.top() + 6, words.width() - side - 20, scaledLength(17));
    painter.setFont(bold);
    painter.setPen(color(&Tokens::text));
    painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(bold).elidedText(index.data().toString(), Qt::ElideMiddle, name.width()));
    const QRectF note(words.left() + 8, name.bottom() + 1, words.width() - 16, scaledLength(15));
    const QString size = index.data(ArtifactModel::SizeRole).toString();
    const QFontMetricsF metrics(small);
    painter.setFont(small);
    painter.setPen(color(selected ? &Tokens::text : &Tokens::muted));
    painter.drawText(note, Qt::AlignRight | Qt::AlignVCenter, size);
    const double room = note.width() - metrics.horizontalAdvance(size) - 8;
    painter.drawText(
        note, Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(index.data(ArtifactModel::MadeByRole).toString(), Qt::ElideRight, room));
}

} // namespace

QSize ArtifactRowDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return { option.rect.width(), scaledLength(28) };
}

void ArtifactRowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                const QModelIndex& index) const
{
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const bool hovered = option.state.testFlag(QStyle::State_MouseOver);
    const QRectF row = option.rect;
    painter->save();
    painter->fillRect(row, color(selected ? &Tokens::selection : hovered ? &Tokens::alt : &Tokens::base));
    const double side = scaledLength(16);
    paintArtifactIcon(*painter, index, QRectF(row.left() + 12, row.center().y() - side / 2 + 0.5, side, side),
                      selected ? &Tokens::text2 : &Tokens::muted);
    const QFont words = uiFont(TextSize::Dense);
    const QFontMetricsF metrics(words);
    const double size = scaledLength(56);
    QRectF room = row.adjusted(12 + side + 8, 0, -12, 0);
    painter->setFont(words);
    painter->setPen(color(selected ? &Tokens::text : &Tokens::muted));
    painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter,
                      index.data(ArtifactModel::SizeRole).toString());
    room.setRight(room.right() - size - 8);
    // The name comes first; the node and step get the remaining width.
    const QString title = index.data().toString();
    const double titleWidth = std::min(metrics.horizontalAdvance(title) + 2, room.width());
    const double left = room.left()
        + std::max(titleWidth + 12, std::min(room.width() * 0.55, room.width() - scaledLength(120)));
    if (left + scaledLength(32) < room.right()) {
        const QRectF note(left, room.top(), room.right() - left, room.height());
        painter->drawText(note, Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(index.data(ArtifactModel::MadeByRole).toString(), Qt::ElideRight,
                                             note.width()));
    }
    painter->setPen(color(&Tokens::text));
    painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                      metrics.elidedText(title, Qt::ElideMiddle, room.width()));
    if (isFocused(option)) {
        painter->setPen(color(&Tokens::accent));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(row.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    painter->restore();
}

QSize ArtifactCardDelegate::leastCell()
{
    return { scaledLength(168), scaledLength(148) };
}

QSize ArtifactCardDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    const auto* view = qobject_cast<const QListView*>(option.widget);
    return view && view->gridSize().isValid() ? view->gridSize() : leastCell();
}

void ArtifactCardDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const
{
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const bool hovered = option.state.testFlag(QStyle::State_MouseOver);
    const QRectF card = QRectF(option.rect).adjusted(kGap, kGap, -kGap, -kGap);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    QPainterPath outline;
    outline.addRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter->fillPath(outline, color(selected ? &Tokens::accentTint : &Tokens::raised));
    painter->save();
    painter->setClipPath(outline);
    const QRectF sheet = card.adjusted(1, 1, -1, -scaledLength(kWords));
    paintContent(*painter, index, sheet);
    painter->fillRect(QRectF(card.left(), sheet.bottom(), card.width(), 1), color(&Tokens::border));
    paintWords(*painter, index, QRectF(card.left(), sheet.bottom(), card.width(), scaledLength(kWords)),
               selected);
    painter->restore();
    const Token edge = selected || isFocused(option) ? &Tokens::accent
        : hovered                                    ? &Tokens::strong
                                                     : &Tokens::border;
    const double width = selected ? 2 : 1;
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(color(edge), width));
    painter->drawRoundedRect(card.adjusted(width / 2, width / 2, -width / 2, -width / 2), 4, 4);
    painter->restore();
}

} // namespace sg::ui
