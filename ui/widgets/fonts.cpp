#include "ui/widgets/fonts.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontInfo>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr double kDesignedPixels = 13;

void resize(QFont& font, TextSize size)
{
    const QFont base = QApplication::font();
    const double factor = textFactor(size);
    if (base.pointSizeF() > 0)
        font.setPointSizeF(base.pointSizeF() * factor);
    else
        font.setPixelSize(std::max(1, static_cast<int>(std::lround(base.pixelSize() * factor))));
}

} // namespace

double textFactor(TextSize size)
{
    switch (size) {
    case TextSize::Tiny: return 0.77;
    case TextSize::Small: return 0.85;
    case TextSize::Dense: return 0.92;
    case TextSize::Normal: return 1;
    case TextSize::Heading: return 1.15;
    case TextSize::Title: return 1.54;
    }
    return 1;
}

QFont uiFont(TextSize size, QFont::Weight weight)
{
    QFont font = QApplication::font();
    resize(font, size);
    font.setWeight(weight);
    return font;
}

QFont monoFont(TextSize size, QFont::Weight weight)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    static const bool isOurs = qEnvironmentVariableIsEmpty("XDG_CURRENT_DESKTOP")
        && QFontDatabase::hasFamily(QStringLiteral("JetBrains Mono"));
    if (isOurs) // without a desktop nobody has named a font
        font.setFamily(QStringLiteral("JetBrains Mono"));
    resize(font, size);
    font.setWeight(weight);
    font.setStyleHint(QFont::Monospace);
    // Ligatures would draw "!=" as one sign and shift columns.
    font.setStyleStrategy(QFont::PreferNoShaping);
    return font;
}

int scaledLength(int designed)
{
    const double pixels = QFontInfo(QApplication::font()).pixelSize();
    return static_cast<int>(std::lround(designed * std::max(1.0, pixels / kDesignedPixels)));
}

} // namespace sg::ui
