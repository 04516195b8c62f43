#pragma once

#include <QProxyStyle>

class QApplication;

namespace sg::ui {

// Fusion's behaviour with a look of its own: flat fills, 1 px lines, radii of 4, an accent line over the
// active tab, dock titles 28 px high. All colours come from tokens(), all icons from icons.h.
//
// Widgets choose a variant by a dynamic property, which must be set before they are shown:
//   "sgPrimary" (bool) on a QPushButton   the default button of a view, in accent
//   "sgFlat" (bool) on a QPushButton      no frame until hovered
//   "sgLink" (bool) on a QPushButton      accent text, no frame
//   "sgDense" (bool) on any control       24 high with 12 px text, for docks and bars; see makeDense()
class Style : public QProxyStyle {
    Q_OBJECT
public:
    Style();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                           const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                         const QWidget* widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption* option,
                         const QWidget* widget) const override;
    QIcon standardIcon(StandardPixmap pixmap, const QStyleOption* option,
                       const QWidget* widget) const override;
    QPixmap standardPixmap(StandardPixmap pixmap, const QStyleOption* option,
                           const QWidget* widget) const override;
    void polish(QApplication* application) override;
    void polish(QWidget* widget) override;
    using QProxyStyle::polish;
};

// Makes the control 24 px high with 12 px text, for docks and filter bars.
void makeDense(QWidget* control);

} // namespace sg::ui
