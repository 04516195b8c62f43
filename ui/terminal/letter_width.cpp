#include "ui/terminal/letter_width.h"

#include <QChar>

#include <algorithm>
#include <array>

namespace sg::ui {
namespace {

struct Range {
    char32_t first;
    char32_t last;
};

// Sorted ranges of wide characters.
constexpr std::array<Range, 19> kWide = { {
    { 0x1100, 0x115F }, { 0x231A, 0x231B },   { 0x2329, 0x232A },   { 0x23E9, 0x23EC },   { 0x25FD, 0x25FE },
    { 0x2614, 0x2615 }, { 0x2648, 0x2653 },   { 0x2E80, 0x303E },   { 0x3041, 0x33FF },   { 0x3400, 0x4DBF },
    { 0x4E00, 0xA4CF }, { 0xA960, 0xA97F },   { 0xAC00, 0xD7A3 },   { 0xF900, 0xFAFF },   { 0xFE30, 0xFE6F },
    { 0xFF01, 0xFF60 }, { 0x1F300, 0x1F64F }, { 0x1F680, 0x1F9FF }, { 0x20000, 0x3FFFD },
} };

} // namespace

int letterWidth(char32_t letter)
{
    if (letter < 0x300)
        return 1;
    const QChar::Category category = QChar::category(letter);
    if (category == QChar::Mark_NonSpacing || category == QChar::Mark_Enclosing
        || category == QChar::Other_Format)
        return 0;
    const auto range = std::ranges::lower_bound(kWide, letter, {}, &Range::last);
    return range != kWide.end() && letter >= range->first ? 2 : 1;
}

} // namespace sg::ui
