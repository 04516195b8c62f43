#include "ui/widgets/style.h"

#include "ui/widgets/desktop_wishes.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/standard_icons.h"
#include "ui/widgets/style_controls.h"
#include "ui/widgets/styling/style_frames.h"
#include "ui/widgets/styling/style_metrics.h"

#include <QApplication>
#include <QFocusFrame>
#include <QHeaderView>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QStatusBar>
#include <QStyleOption>
#include <QTabBar>

#include <algorithm>
#include <optional>

namespace sg::ui {

namespace {

void frame(QPainter& painter, const QRect& rect, QRgb edge)
{
    painter.save();
    painter.setPen(QColor(edge));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(0, 0, -1, -1));
    painter.restore();
}

// Paints frames and fills of one colour. Returns false for any other element.
bool drawFlat(QStyle::PrimitiveElement element, const QStyleOption& option, QPainter& painter)
{
    const Tokens& t = tokens();
    const QRect rect = option.rect;
    switch (element) {
    case QStyle::PE_Frame:
    case QStyle::PE_FrameGroupBox:
    case QStyle::PE_FrameTabWidget:
    case QStyle::PE_FrameDockWidget:
    case QStyle::PE_FrameWindow: frame(painter, rect, t.border); return true;
    case QStyle::PE_FrameMenu: frame(painter, rect, t.strong); return true;
    case QStyle::PE_FrameFocusRect:
        if (option.state.testFlag(QStyle::State_KeyboardFocusChange))
            frame(painter, rect, t.accent);
        return true;
    case QStyle::PE_FrameTabBarBase:
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), QColor(t.border));
        return true;
    case QStyle::PE_PanelMenu: painter.fillRect(rect, QColor(t.raised)); return true;
    case QStyle::PE_PanelScrollAreaCorner: painter.fillRect(rect, QColor(t.base)); return true;
    case QStyle::PE_PanelTipLabel:
        painter.fillRect(rect, QColor(t.strong));
        painter.fillRect(rect.adjusted(1, 1, -1, -1), QColor(t.raised));
        return true;
    case QStyle::PE_IndicatorToolBarSeparator:
        painter.fillRect(QRect(rect.center().x(), rect.center().y() - 10, 1, 20), QColor(t.border));
        return true;
    case QStyle::PE_PanelItemViewItem:
        if (option.state.testFlag(QStyle::State_Selected))
            painter.fillRect(rect, QColor(t.selection));
        else if (option.state.testFlag(QStyle::State_MouseOver)
                 && option.state.testFlag(QStyle::State_Enabled))
            painter.fillRect(rect, QColor(t.neutralTint));
        return true;
    default: return false;
    }
}

// A control that is narrower than its words shows fewer of them; otherwise they end in mid-letter.
QStyleOptionButton elided(QStyleOptionButton box)
{
    box.text = box.fontMetrics.elidedText(box.text, Qt::ElideRight, box.rect.width(), Qt::TextShowMnemonic);
    return box;
}

QStyleOptionComboBox elided(QStyleOptionComboBox choice, int room)
{
    const int beside = choice.currentIcon.isNull() ? 2 : choice.iconSize.width() + 6;
    choice.currentText = choice.fontMetrics.elidedText(choice.currentText, Qt::ElideRight, room - beside);
    return choice;
}

} // namespace

Style::Style()
    : QProxyStyle(QStringLiteral("Fusion"))
{
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const
{
    switch (element) {
    case PE_PanelButtonCommand: return paint::pushButtonPanel(*painter, *option, widget);
    case PE_PanelButtonTool: return paint::toolButtonPanel(*painter, *option);
    case PE_PanelLineEdit: return paint::lineEditPanel(*painter, *option);
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck: return paint::checkIndicator(*painter, *option);
    case PE_IndicatorRadioButton: return paint::radioIndicator(*painter, *option);
    case PE_IndicatorArrowUp:
    case PE_IndicatorArrowDown:
    case PE_IndicatorArrowLeft:
    case PE_IndicatorArrowRight: return paint::chevron(*painter, *option, element);
    case PE_IndicatorBranch: return paint::branchIndicator(*painter, *option);
    case PE_PanelStatusBar: return paint::barBackground(*painter, option->rect, Qt::TopEdge, tokens().border);
    case PE_IndicatorDockWidgetResizeHandle:
        return paint::separatorLine(*painter, option->rect, option->rect.width() < option->rect.height());
    case PE_FrameLineEdit:
    case PE_FrameButtonBevel:
    case PE_FrameDefaultButton:
    case PE_FrameStatusBarItem:
    case PE_IndicatorToolBarHandle: return;
    default:
        if (!drawFlat(element, *option, *painter))
            QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const
{
    const Tokens& t = tokens();
    switch (element) {
    case CE_TabBarTabShape:
        if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option))
            return paint::tabShape(*painter, *tab);
        break;
    case CE_TabBarTabLabel:
        if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option))
            return paint::tabLabel(*painter, *tab, widget, *this);
        break;
    case CE_DockWidgetTitle:
        if (const auto* dock = qstyleoption_cast<const QStyleOptionDockWidget*>(option))
            return paint::dockTitle(*painter, *dock, widget, *this);
        break;
    case CE_HeaderSection: return paint::headerSection(*painter, *option);
    case CE_HeaderLabel:
        if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option))
            return paint::headerLabel(*painter, *header);
        break;
    case CE_HeaderEmptyArea: return paint::barBackground(*painter, option->rect, Qt::BottomEdge, t.border);
    case CE_MenuBarItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option))
            return paint::menuBarItem(*painter, *item);
        break;
    case CE_MenuBarEmptyArea: return paint::barBackground(*painter, option->rect, Qt::BottomEdge, t.subtle);
    case CE_ToolBar: return paint::barBackground(*painter, option->rect, Qt::BottomEdge, t.border);
    case CE_FocusFrame: return paint::focusRing(*painter, QRectF(option->rect));
    case CE_Splitter: painter->fillRect(option->rect, QColor(t.border)); return;
    case CE_CheckBoxLabel:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
            const QStyleOptionButton label = elided(*button);
            return QProxyStyle::drawControl(element, &label, painter, widget);
        }
        break;
    case CE_ComboBoxLabel:
        if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option)) {
            const QStyleOptionComboBox label =
                elided(*combo, subControlRect(CC_ComboBox, combo, SC_ComboBoxEditField, widget).width());
            return QProxyStyle::drawControl(element, &label, painter, widget);
        }
        break;
    case CE_PushButtonLabel:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
            QStyleOptionButton label = *button;
            if (widget && widget->property("sgPrimary").toBool())
                label.palette.setColor(QPalette::ButtonText, QColor(t.onAccent));
            else if (widget && widget->property("sgLink").toBool() && button->state.testFlag(State_Enabled))
                label.palette.setColor(QPalette::ButtonText, QColor(t.accent));
            return QProxyStyle::drawControl(element, &label, painter, widget);
        }
        break;
    default: break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                               const QWidget* widget) const
{
    if (control == CC_ToolButton) {
        if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option))
            return paint::toolButton(*painter, *button, widget, *this);
    } else if (control == CC_ComboBox) {
        if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option))
            return paint::comboBox(*painter, *combo);
    } else if (control == CC_ScrollBar) {
        if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option))
            return paint::scrollBar(*painter, *bar, widget, *this);
    } else if (control == CC_SpinBox) {
        if (const auto* box = qstyleoption_cast<const QStyleOptionSpinBox*>(option))
            return paint::spinBox(*painter, *box, widget, *this);
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    if ((metric == PM_FocusFrameHMargin || metric == PM_FocusFrameVMargin)
        && (widget == nullptr
            || qobject_cast<const QFocusFrame*>(widget) != nullptr)) // it names itself rarely
        return 0; // the ring stands within what it is of
    if (metric == PM_DockWidgetTitleMargin)
        return widget ? std::max(2, (scaledLength(28) - widget->fontMetrics().height()) / 2) : 6;
    const std::optional<int> ours = metrics::fixedMetric(metric);
    return ours ? *ours : QProxyStyle::pixelMetric(metric, option, widget);
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                              const QWidget* widget) const
{
    const QSize base = QProxyStyle::sizeFromContents(type, option, size, widget);
    return metrics::sizeOf(type, option, size, base, widget);
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                     QStyleHintReturn* data) const
{
    switch (hint) {
    case SH_ComboBox_Popup: return 0;
    case SH_ItemView_ShowDecorationSelected: return 1;
    case SH_TabBar_Alignment: return Qt::AlignLeft;
    case SH_TabBar_ElideMode: return Qt::ElideNone;
    case SH_ToolTipLabel_Opacity: return 255;
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_ItemView_PaintAlternatingRowColorsForEmptyArea:
    case SH_ItemView_ActivateItemOnSingleClick: return 0;
    case SH_ToolBar_Movable:
    case SH_UnderlineShortcut: return 0; // Alt opens menus all the same
    case SH_Table_GridLineColor: return static_cast<int>(tokens().subtle);
    case SH_Widget_Animation_Duration: return desktopWishes().lessMotion ? 0 : 200;
    case SH_FocusFrame_AboveWidget: return 1;
    case SH_FocusFrame_Mask:
        if (auto* mask = qstyleoption_cast<QStyleHintReturnMask*>(data); mask && option)
            mask->region = QRegion(option->rect).subtracted(option->rect.adjusted(2, 2, -2, -2));
        return 1;
    default: return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                            const QWidget* widget) const
{
    if (control == CC_ComboBox && part == SC_ComboBoxEditField)
        return option->rect.adjusted(8, 2, -24, -2);
    if (control == CC_ComboBox && part == SC_ComboBoxArrow)
        return { option->rect.right() - 23, option->rect.top(), 24, option->rect.height() };
    if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
        bar && control == CC_ScrollBar)
        return metrics::scrollBarPart(*bar, part, pixelMetric(PM_ScrollBarSliderMin, option, widget));
    return QProxyStyle::subControlRect(control, option, part, widget);
}

QRect Style::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const
{
    if (element == SE_LineEditContents) {
        const auto* edit = qstyleoption_cast<const QStyleOptionFrame*>(option);
        return edit && edit->lineWidth > 0 ? option->rect.adjusted(6, 1, -6, -1) : option->rect;
    }
    return QProxyStyle::subElementRect(element, option, widget);
}

QIcon Style::standardIcon(StandardPixmap pixmap, const QStyleOption* option, const QWidget* widget) const
{
    const QLatin1String name = standardIconName(pixmap);
    return name.isEmpty() ? QProxyStyle::standardIcon(pixmap, option, widget)
                          : icon(name, standardIconInk(pixmap));
}

QPixmap Style::standardPixmap(StandardPixmap pixmap, const QStyleOption* option, const QWidget* widget) const
{
    const QLatin1String name = standardIconName(pixmap);
    return name.isEmpty() ? QProxyStyle::standardPixmap(pixmap, option, widget)
                          : icon(name, standardIconInk(pixmap)).pixmap(QSize(16, 16));
}

void Style::polish(QApplication* application)
{
    QProxyStyle::polish(application);
    for (const char* type : { "QAbstractItemView", "QTabBar", "QStatusBar", "QToolTip", "QTipLabel" })
        QApplication::setFont(uiFont(TextSize::Dense), type);
    QApplication::setFont(uiFont(TextSize::Small), "QHeaderView");
    if (application->findChild<FocusRing*>() == nullptr)
        new FocusRing(application);
}

void Style::polish(QWidget* widget)
{
    QProxyStyle::polish(widget);
    if (auto* button = qobject_cast<QPushButton*>(widget); button && button->property("sgPrimary").toBool()) {
        QFont font = button->font();
        font.setWeight(QFont::DemiBold);
        button->setFont(font);
    }
    if (auto* header = qobject_cast<QHeaderView*>(widget))
        header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    if (auto* bar = qobject_cast<QStatusBar*>(widget))
        bar->setSizeGripEnabled(false);
    if (qobject_cast<QAbstractButton*>(widget) || qobject_cast<QTabBar*>(widget))
        widget->setAttribute(Qt::WA_Hover);
}

void makeDense(QWidget* control)
{
    control->setProperty("sgDense", true);
    control->setFont(uiFont(TextSize::Dense));
}

} // namespace sg::ui
