#include "ui/terminal/terminal_colours.h"

#include "ui/widgets/palette.h"

#include <algorithm>

namespace sg::ui {
namespace {

// Black, red, green, yellow, blue, magenta, cyan, white; then the bright ones.
constexpr std::array<QRgb, 16> kOnLight = {
    0xFF1C2026, 0xFFA32806, 0xFF0F6B48, 0xFF8A6100, 0xFF2B3FB8, 0xFF94119F, 0xFF0B6A75, 0xFF606874,
    0xFF444B55, 0xFFBF3A14, 0xFF128458, 0xFF9A6C00, 0xFF3D52D5, 0xFFB915D6, 0xFF0E7C88, 0xFF6B7280,
};
constexpr std::array<QRgb, 16> kOnDark = {
    0xFF8A949F, 0xFFF0875A, 0xFF36E6B8, 0xFFF2C34B, 0xFF8C9BFF, 0xFFE25BE2, 0xFF63D2E0, 0xFFC3C9D1,
    0xFF9CA5B0, 0xFFFFA27A, 0xFF7FF0CF, 0xFFFFD97A, 0xFFA9B4FF, 0xFFF08CF0, 0xFF93E5EF, 0xFFE6E9ED,
};
// Background colours are deeper.
constexpr std::array<QRgb, 16> kGrounds = {
    0xFF2E3436, 0xFFA32806, 0xFF128458, 0xFF8A6100, 0xFF3D52D5, 0xFF94119F, 0xFF0E7C88, 0xFFC3C9D1,
    0xFF555C66, 0xFFBF3A14, 0xFF1B9C69, 0xFFA87700, 0xFF5568E0, 0xFFB915D6, 0xFF1391A0, 0xFFE6E9ED,
};

QRgb cubeColour(std::uint32_t index)
{
    if (index >= 232) {
        const int grey = 8 + 10 * static_cast<int>(index - 232);
        return qRgb(grey, grey, grey);
    }
    const auto level = [](std::uint32_t step) { return step == 0 ? 0 : 55 + 40 * static_cast<int>(step); };
    const std::uint32_t place = index - 16;
    return qRgb(level(place / 36), level(place / 6 % 6), level(place % 6));
}

QRgb colourOf(const CellLook::Colour& colour, QRgb fallback, const std::array<QRgb, 16>& first)
{
    using Kind = CellLook::Colour::Kind;
    if (colour.kind == Kind::Default)
        return fallback;
    if (colour.kind == Kind::Rgb)
        return 0xFF000000 | colour.value;
    const std::uint32_t index = std::min(colour.value, 255U);
    return index < first.size() ? first.at(index) : cubeColour(index);
}

QRgb plainInk(const CellLook& look)
{
    CellLook::Colour ink = look.ink;
    if (look.isBold && ink.kind == CellLook::Colour::Kind::Indexed && ink.value < 8)
        ink.value += 8;
    const bool hasGround = look.ground.kind != CellLook::Colour::Kind::Default;
    // Over an explicit background, text gets the colours for dark ones: programs that set both expect this.
    return colourOf(ink, tokens().text, isDark() || hasGround ? kOnDark : kOnLight);
}

QRgb plainGround(const CellLook& look)
{
    return colourOf(look.ground, tokens().terminal, kGrounds);
}

} // namespace

QRgb inkOf(const CellLook& look)
{
    return look.isReversed ? plainGround(look) : plainInk(look);
}

QRgb groundOf(const CellLook& look)
{
    return look.isReversed ? plainInk(look) : plainGround(look);
}

} // namespace sg::ui
