#include "ui/widgets/palette.h"

#include "ui/widgets/desktop_wishes.h"

#include <QApplication>
#include <QPalette>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

Tokens shownTokens = kLightTokens;
Theme shownTheme = Theme::Light;
bool darkShown = false;
DesktopWishes wishes;

// Texts at 7:1 and edges at 3:1 on every ground; the colours of states stay what they mean.
Tokens contrasted(Tokens t, bool dark)
{
    t.text = dark ? 0xFFFFFFFF : 0xFF000000;
    const QRgb ink = blended(t.text, t.window, 0.85);
    t.text2 = t.muted = t.neutral = t.codeComment = ink;
    t.border = t.strong = t.line = blended(t.text, t.window, 0.65);
    t.subtle = t.dot = blended(t.text, t.window, 0.35);
    return t;
}

double linear(int channel)
{
    const double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(QRgb color)
{
    return 0.2126 * linear(qRed(color)) + 0.7152 * linear(qGreen(color)) + 0.0722 * linear(qBlue(color));
}

// Qt 6.4 has no query for the desktop's colour scheme, but its palette tells. It is read once, because later
// the application has its own palette.
bool desktopIsDark()
{
    static const bool dark = [] {
        const QPalette desktop = QGuiApplication::palette();
        return desktop.color(QPalette::WindowText).lightness() > desktop.color(QPalette::Window).lightness();
    }();
    return dark;
}

} // namespace

const Tokens& tokens()
{
    return shownTokens;
}

bool isDark()
{
    return darkShown;
}

QPalette paletteFrom(const Tokens& t)
{
    QPalette palette;
    const auto set = [&palette](QPalette::ColorRole role, QRgb rgb) { palette.setColor(role, QColor(rgb)); };
    set(QPalette::Window, t.window);
    set(QPalette::WindowText, t.text);
    set(QPalette::Base, t.base);
    set(QPalette::AlternateBase, t.alt);
    set(QPalette::Text, t.text);
    set(QPalette::PlaceholderText, t.muted);
    set(QPalette::ToolTipBase, t.raised);
    set(QPalette::ToolTipText, t.text);
    set(QPalette::Button, t.button);
    set(QPalette::ButtonText, t.text);
    set(QPalette::BrightText, t.failed);
    set(QPalette::Light, t.raised);
    set(QPalette::Midlight, t.hover);
    set(QPalette::Mid, t.border);
    set(QPalette::Dark, t.strong);
    set(QPalette::Shadow, t.strong);
    set(QPalette::Link, t.accent);
    set(QPalette::LinkVisited, t.accent);
    set(QPalette::Highlight, t.selection);
    set(QPalette::HighlightedText, t.text);

    const QColor disabled(blended(t.text, t.window, 0.42));
    for (const auto role : { QPalette::WindowText, QPalette::Text, QPalette::ButtonText,
                             QPalette::HighlightedText, QPalette::PlaceholderText })
        palette.setColor(QPalette::Disabled, role, disabled);
    palette.setColor(QPalette::Disabled, QPalette::Base, QColor(t.window));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor(t.hover));
    return palette;
}

void applyTheme(QApplication& application, Theme theme)
{
    const bool systemIsDark = desktopIsDark();
    shownTheme = theme;
    darkShown = theme == Theme::Dark || (theme == Theme::System && systemIsDark);
    const Tokens& plain = darkShown ? kDarkTokens : kLightTokens;
    shownTokens = wishes.moreContrast ? contrasted(plain, darkShown) : plain;
    application.setPalette(paletteFrom(shownTokens));
}

const DesktopWishes& desktopWishes()
{
    return wishes;
}

void setDesktopWishes(QApplication& application, const DesktopWishes& wanted)
{
    if (wanted == wishes)
        return;
    wishes = wanted;
    applyTheme(application, shownTheme);
}

double contrastRatio(QRgb a, QRgb b)
{
    const auto [low, high] = std::minmax({ luminance(a), luminance(b) }); // values: references would dangle
    return (high + 0.05) / (low + 0.05);
}

QRgb blended(QRgb over, QRgb under, double opacity)
{
    const auto mix = [opacity](int o, int u) {
        return static_cast<int>(std::lround(o * opacity + u * (1 - opacity)));
    };
    return qRgb(mix(qRed(over), qRed(under)), mix(qGreen(over), qGreen(under)),
                mix(qBlue(over), qBlue(under)));
}

} // namespace sg::ui
