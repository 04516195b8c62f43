#include "ui/widgets/styling/style_metrics.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/styling/style_frames.h"

#include <QStyleOption>
#include <QWidget>

#include <algorithm>
#include <iterator>
#include <utility>

namespace sg::ui::metrics {

namespace {

constexpr std::pair<QStyle::PixelMetric, int> kMetrics[] = {
    { QStyle::PM_TabBarTabHSpace, 24 },
    { QStyle::PM_TabBarTabVSpace, 0 },
    { QStyle::PM_TabBarTabShiftHorizontal, 0 },
    { QStyle::PM_TabBarTabShiftVertical, 0 },
    { QStyle::PM_TabBarBaseOverlap, 0 },
    { QStyle::PM_TabBarIconSize, 14 },
    { QStyle::PM_ToolBarFrameWidth, 0 },
    { QStyle::PM_ToolBarHandleExtent, 0 },
    { QStyle::PM_ToolBarItemMargin, 6 },
    { QStyle::PM_ToolBarItemSpacing, 4 },
    { QStyle::PM_ToolBarSeparatorExtent, 13 },
    { QStyle::PM_ToolBarIconSize, 16 },
    { QStyle::PM_MenuPanelWidth, 1 }, // its edge is drawn only where it has room
    { QStyle::PM_MenuBarPanelWidth, 0 },
    { QStyle::PM_MenuBarVMargin, 0 },
    { QStyle::PM_MenuBarItemSpacing, 0 },
    { QStyle::PM_MenuBarHMargin, 8 },
    { QStyle::PM_ButtonShiftHorizontal, 0 },
    { QStyle::PM_ButtonShiftVertical, 0 },
    { QStyle::PM_SmallIconSize, 16 },
    { QStyle::PM_ButtonIconSize, 16 },
    { QStyle::PM_ListViewIconSize, 16 },
    { QStyle::PM_IndicatorWidth, 16 },
    { QStyle::PM_IndicatorHeight, 16 },
    { QStyle::PM_ExclusiveIndicatorWidth, 16 },
    { QStyle::PM_ExclusiveIndicatorHeight, 16 },
    { QStyle::PM_DockWidgetFrameWidth, 0 },
    { QStyle::PM_DockWidgetSeparatorExtent, 3 },
    { QStyle::PM_DockWidgetTitleBarButtonMargin, 4 },
    { QStyle::PM_SplitterWidth, 1 },
    { QStyle::PM_DefaultFrameWidth, 1 },
    { QStyle::PM_ScrollBarExtent, 12 },
    { QStyle::PM_ScrollBarSliderMin, 24 },
    { QStyle::PM_ScrollView_ScrollBarSpacing, 0 },
    { QStyle::PM_ScrollView_ScrollBarOverlap, 0 },
    { QStyle::PM_FocusFrameHMargin, 7 },
    { QStyle::PM_TreeViewIndentation, 16 },
    { QStyle::PM_HeaderMargin, 6 },
    { QStyle::PM_HeaderMarkSize, 12 },
    { QStyle::PM_MenuButtonIndicator, 16 },
    { QStyle::PM_ToolTipLabelFrameWidth, 6 },
};

bool isDense(const QWidget* widget)
{
    return widget && widget->property("sgDense").toBool();
}

int controlHeight(const QWidget* widget)
{
    return scaledLength(isDense(widget) ? 24 : 28);
}

} // namespace

std::optional<int> fixedMetric(QStyle::PixelMetric metric)
{
    const auto* found = std::find_if(std::begin(kMetrics), std::end(kMetrics),
                                     [&](const auto& entry) { return entry.first == metric; });
    return found == std::end(kMetrics) ? std::nullopt : std::optional(found->second);
}

QSize sizeOf(QStyle::ContentsType type, const QStyleOption* option, const QSize& contents, const QSize& base,
             const QWidget* widget)
{
    switch (type) {
    case QStyle::CT_PushButton: {
        const bool dense = isDense(widget);
        return { contents.width() + (dense ? 18 : 22), controlHeight(widget) };
    }
    case QStyle::CT_ToolButton: {
        const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
        const bool iconOnly = button && button->toolButtonStyle == Qt::ToolButtonIconOnly;
        // Qt has already added the arrow's space for a split button.
        const bool menu = button && button->features.testFlag(QStyleOptionToolButton::HasMenu)
            && !button->features.testFlag(QStyleOptionToolButton::MenuButtonPopup);
        const int height = controlHeight(widget);
        const int width = iconOnly ? height : contents.width() + 14;
        return { width + (menu ? 16 : 0), height };
    }
    case QStyle::CT_ComboBox: return { contents.width() + 36, controlHeight(widget) };
    case QStyle::CT_LineEdit: return { contents.width() + 12, controlHeight(widget) };
    case QStyle::CT_SpinBox: return { base.width(), controlHeight(widget) };
    case QStyle::CT_TabBarTab: {
        const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
        const int extra = tab && widget ? paint::tabTextExtra(*widget, tab->text) : 0;
        return { base.width() + extra, std::max(scaledLength(30), base.height()) };
    }
    case QStyle::CT_MenuBarItem: return { contents.width() + 16, scaledLength(27) };
    case QStyle::CT_MenuBar: return { base.width(), scaledLength(28) };
    case QStyle::CT_HeaderSection: return { base.width(), std::max(scaledLength(24), base.height()) };
    case QStyle::CT_ItemViewItem: return { base.width(), std::max(scaledLength(24), base.height()) };
    default: return base;
    }
}

QRect scrollBarPart(const QStyleOptionSlider& bar, QStyle::SubControl part, int shortest)
{
    const bool horizontal = bar.orientation == Qt::Horizontal;
    const int length = horizontal ? bar.rect.width() : bar.rect.height();
    const qint64 range = static_cast<qint64>(bar.maximum) - bar.minimum;
    const qint64 share =
        length * static_cast<qint64>(bar.pageStep) / std::max<qint64>(1, range + bar.pageStep);
    const int slider =
        range <= 0 ? length : std::clamp(static_cast<int>(share), std::min(length, shortest), length);
    const int start = QStyle::sliderPositionFromValue(bar.minimum, bar.maximum, bar.sliderPosition,
                                                      length - slider, bar.upsideDown);
    const auto along = [&](int from, int size) {
        return horizontal ? QRect(bar.rect.left() + from, bar.rect.top(), size, bar.rect.height())
                          : QRect(bar.rect.left(), bar.rect.top() + from, bar.rect.width(), size);
    };
    switch (part) {
    case QStyle::SC_ScrollBarSlider: return along(start, slider);
    case QStyle::SC_ScrollBarSubPage: return along(0, start);
    case QStyle::SC_ScrollBarAddPage: return along(start + slider, length - start - slider);
    case QStyle::SC_ScrollBarGroove: return bar.rect;
    default: return {};
    }
}

} // namespace sg::ui::metrics
