#include "ui/widgets/styling/style_frames.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/tab_count.h"

#include <QFontMetrics>
#include <QPainter>
#include <QStyleOption>
#include <QWidget>

#include <cmath>
#include <optional>

namespace sg::ui::paint {

namespace {

bool hasState(const QStyleOption& option, QStyle::StateFlag flag)
{
    return option.state.testFlag(flag);
}

constexpr double kPillGap = 6; // between the text of a tab and its count

QFont semiBold(QFont font)
{
    font.setWeight(QFont::DemiBold);
    return font;
}

} // namespace

int tabTextExtra(const QWidget& tabBar, const QString& text)
{
    const QFontMetrics bold(semiBold(tabBar.font()));
    const int plain = QFontMetrics(tabBar.font()).horizontalAdvance(text);
    const std::optional<TabCount> counted = tabCountOf(&tabBar, text);
    if (!counted)
        return std::max(0, bold.horizontalAdvance(text) - plain);
    return static_cast<int>(
               std::ceil(bold.horizontalAdvance(counted->title) + kPillGap + badgeWidth(counted->count)))
        - plain;
}

void tabShape(QPainter& painter, const QStyleOptionTab& option)
{
    const Tokens& t = tokens();
    const QRect rect = option.rect;
    if (hasState(option, QStyle::State_Selected)) {
        painter.fillRect(rect.adjusted(0, 0, 0, -1), QColor(t.base));
        painter.fillRect(QRect(rect.left(), rect.top(), rect.width(), 2), QColor(t.accent));
    } else if (hasState(option, QStyle::State_MouseOver) && hasState(option, QStyle::State_Enabled)) {
        painter.fillRect(rect.adjusted(0, 0, -1, -1), QColor(t.hover));
    }
    painter.fillRect(QRect(rect.right(), rect.top(), 1, rect.height() - 1), QColor(t.subtle));
    painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), QColor(t.border));
}

void tabLabel(QPainter& painter, const QStyleOptionTab& option, const QWidget* widget, const QStyle& style)
{
    const Tokens& t = tokens();
    const bool selected = hasState(option, QStyle::State_Selected);
    const bool enabled = hasState(option, QStyle::State_Enabled);
    const QRect text = style.subElementRect(QStyle::SE_TabBarTabText, &option, widget);
    if (!option.icon.isNull()) {
        const QSize size = option.iconSize.isValid() ? option.iconSize : QSize(14, 14);
        const QRect place(text.left() - 4 - size.width(), text.center().y() - size.height() / 2, size.width(),
                          size.height());
        option.icon.paint(&painter, place, Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled);
    }
    painter.save();
    painter.setFont(selected ? semiBold(painter.font()) : painter.font());
    QColor ink(selected ? t.text : t.text2);
    if (!enabled)
        ink.setAlphaF(0.42F);
    painter.setPen(ink);
    if (const std::optional<TabCount> counted = tabCountOf(widget, option.text)) {
        const double pill = badgeWidth(counted->count);
        const QFontMetrics metrics = painter.fontMetrics();
        const double words = metrics.horizontalAdvance(counted->title);
        const double left = std::floor(text.center().x() - (words + kPillGap + pill) / 2);
        painter.drawText(QRectF(left, text.top(), words + 1, text.height()), Qt::AlignLeft | Qt::AlignVCenter,
                         counted->title);
        paintBadge(painter, counted->count, counted->kind, left + words + kPillGap + pill,
                   text.center().y() + 0.5);
    } else {
        painter.drawText(text, Qt::AlignCenter | Qt::TextShowMnemonic, option.text);
    }
    painter.restore();
    if (hasState(option, QStyle::State_HasFocus) && hasState(option, QStyle::State_KeyboardFocusChange)) {
        painter.save();
        painter.setPen(QPen(QColor(t.accent), 1));
        painter.drawRect(option.rect.adjusted(3, 4, -5, -5));
        painter.restore();
    }
}

void dockTitle(QPainter& painter, const QStyleOptionDockWidget& option, const QWidget* widget,
               const QStyle& style)
{
    barBackground(painter, option.rect, Qt::BottomEdge, tokens().border);
    painter.save();
    painter.setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    painter.setPen(color(&Tokens::text));
    const QRect text =
        style.subElementRect(QStyle::SE_DockWidgetTitleBarText, &option, widget).adjusted(8, 0, 0, 0);
    const QString shown = painter.fontMetrics().elidedText(option.title, Qt::ElideRight, text.width());
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextHideMnemonic, shown);
    painter.restore();
}

void headerSection(QPainter& painter, const QStyleOption& option)
{
    const Tokens& t = tokens();
    const QRect rect = option.rect;
    painter.fillRect(rect, QColor(t.window));
    painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), QColor(t.border));
    const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(&option);
    const bool last = header
        && (header->position == QStyleOptionHeader::End
            || header->position == QStyleOptionHeader::OnlyOneSection);
    if (!last && (!header || header->orientation == Qt::Horizontal))
        painter.fillRect(QRect(rect.right(), rect.top() + 5, 1, rect.height() - 11), QColor(t.border));
}

void headerLabel(QPainter& painter, const QStyleOptionHeader& option)
{
    QRect rect = option.rect.adjusted(6, 0, -6, -1);
    painter.save();
    painter.setFont(uiFont(TextSize::Small));
    painter.setPen(color(&Tokens::muted));
    if (option.sortIndicator != QStyleOptionHeader::None) {
        const bool down = option.sortIndicator == QStyleOptionHeader::SortDown;
        paintIcon(painter, down ? QLatin1String("down") : QLatin1String("up"),
                  QRectF(rect.right() - 11, rect.center().y() - 5, 12, 12), color(&Tokens::muted));
        rect.setRight(rect.right() - 14);
    }
    if (!option.icon.isNull()) {
        option.icon.paint(&painter, QRect(rect.left(), rect.center().y() - 6, 14, 14));
        rect.setLeft(rect.left() + 18);
    }
    const int align = static_cast<int>(option.textAlignment & Qt::AlignHorizontal_Mask) | Qt::AlignVCenter;
    painter.drawText(rect, align,
                     painter.fontMetrics().elidedText(option.text, Qt::ElideRight, rect.width()));
    painter.restore();
}

void branchIndicator(QPainter& painter, const QStyleOption& option)
{
    if (!hasState(option, QStyle::State_Children))
        return;
    const bool open = hasState(option, QStyle::State_Open);
    const QPointF centre = QRectF(option.rect).center();
    paintIcon(painter, open ? QLatin1String("down") : QLatin1String("right"),
              QRectF(std::round(centre.x() - 6), std::round(centre.y() - 6), 12, 12), color(&Tokens::muted));
}

void menuBarItem(QPainter& painter, const QStyleOptionMenuItem& option)
{
    const Tokens& t = tokens();
    painter.fillRect(option.rect, QColor(t.window));
    painter.save();
    if (hasState(option, QStyle::State_Selected)) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(QColor(t.hover));
        painter.drawRoundedRect(QRectF(option.rect).adjusted(0, 2, 0, -3), 3, 3);
    }
    painter.setPen(
        option.palette.color(hasState(option, QStyle::State_Enabled) ? QPalette::Active : QPalette::Disabled,
                             QPalette::WindowText));
    painter.drawText(option.rect, Qt::AlignCenter | Qt::TextHideMnemonic | Qt::TextSingleLine, option.text);
    painter.restore();
}

void barBackground(QPainter& painter, const QRect& rect, Qt::Edge lineAt, QRgb line)
{
    painter.fillRect(rect, color(&Tokens::window));
    const int y = lineAt == Qt::TopEdge ? rect.top() : rect.bottom();
    painter.fillRect(QRect(rect.left(), y, rect.width(), 1), QColor(line));
}

void separatorLine(QPainter& painter, const QRect& rect, bool horizontal)
{
    painter.fillRect(rect, color(&Tokens::window));
    const QRect line = horizontal ? QRect(rect.center().x(), rect.top(), 1, rect.height())
                                  : QRect(rect.left(), rect.center().y(), rect.width(), 1);
    painter.fillRect(line, color(&Tokens::border));
}

} // namespace sg::ui::paint
