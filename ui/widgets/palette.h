#pragma once

#include <QColor>

class QApplication;
class QPalette;

namespace sg::ui {

// The colours of one theme. Colour means state, accent means the current place, everything else is neutral.
struct Tokens {
    QRgb window; // tool bars, dock titles, inspectors
    QRgb base; // trees, tables, log, timeline
    QRgb alt; // zebra rows, span shading
    QRgb canvas; // scene background
    QRgb raised; // node cards, tooltips
    QRgb button;
    QRgb hover;
    QRgb text;
    QRgb text2;
    QRgb muted;
    QRgb subtle; // row and tick lines
    QRgb border; // dock and control edges
    QRgb strong; // rails, edges not taken
    QRgb line; // ports, idle card and edge: 3:1 on the canvas
    QRgb dot; // grid of the canvas
    QRgb accent;
    QRgb onAccent;
    QRgb selection;
    QRgb accentTint;
    QRgb neutral; // queued, skipped
    QRgb running; // also "changed" in a diff
    QRgb done; // also "added"
    QRgb failed; // also "removed", limit lines
    QRgb waiting;
    QRgb warn; // with the warning sign; never a node's state
    QRgb neutralTint;
    QRgb runningTint;
    QRgb doneTint;
    QRgb failedTint;
    QRgb waitingTint;
    QRgb warnTint;
    QRgb codeKeyword;
    QRgb codeString;
    QRgb codeNumber;
    QRgb codeComment;
    QRgb terminal;
};

using Token = QRgb Tokens::*; // a colour independent of the theme: &Tokens::accent

inline constexpr Tokens kLightTokens = {
    .window = 0xFFF1F2F4,
    .base = 0xFFFFFFFF,
    .alt = 0xFFF8F9FA,
    .canvas = 0xFFFCFCFC,
    .raised = 0xFFFFFFFF,
    .button = 0xFFFBFBFC,
    .hover = 0xFFE5E8EC,
    .text = 0xFF1C2026,
    .text2 = 0xFF444B55,
    .muted = 0xFF606874,
    .subtle = 0xFFE7E9ED,
    .border = 0xFFD4D8DE,
    .strong = 0xFFAEB5BF,
    .line = 0xFF868E9A,
    .dot = 0xFFDDE0E5,
    .accent = 0xFF3D52D5,
    .onAccent = 0xFFFFFFFF,
    .selection = 0xFFDDE2FB,
    .accentTint = 0xFFEEF1FE,
    .neutral = 0xFF6B7280,
    .running = 0xFF084B71,
    .done = 0xFF128458,
    .failed = 0xFFA32806,
    .waiting = 0xFFB915D6,
    .warn = 0xFF8A6100,
    .neutralTint = 0xFFECEEF1,
    .runningTint = 0xFFE0ECF3,
    .doneTint = 0xFFEBF7F1,
    .failedTint = 0xFFFAE8E2,
    .waitingTint = 0xFFFCF0FE,
    .warnTint = 0xFFFCF3DA,
    .codeKeyword = 0xFF3D52D5,
    .codeString = 0xFF0F6B48,
    .codeNumber = 0xFF8A4B00,
    .codeComment = 0xFF6B7280,
    .terminal = 0xFFFFFFFF,
};

inline constexpr Tokens kDarkTokens = {
    .window = 0xFF282B2F,
    .base = 0xFF1B1D20,
    .alt = 0xFF202327,
    .canvas = 0xFF1E2124,
    .raised = 0xFF282C30,
    .button = 0xFF33373D,
    .hover = 0xFF3A3F46,
    .text = 0xFFE6E9ED,
    .text2 = 0xFFC3C9D1,
    .muted = 0xFF9CA5B0,
    .subtle = 0xFF2F3338,
    .border = 0xFF3C4147,
    .strong = 0xFF5B636D,
    .line = 0xFF727B86,
    .dot = 0xFF30353A,
    .accent = 0xFF8C9BFF,
    .onAccent = 0xFF14172B,
    .selection = 0xFF343B61,
    .accentTint = 0xFF272B41,
    .neutral = 0xFF8A949F,
    .running = 0xFF9CC6F7,
    .done = 0xFF36E6B8,
    .failed = 0xFFF0875A,
    .waiting = 0xFFE25BE2,
    .warn = 0xFFF2C34B,
    .neutralTint = 0xFF30343A,
    .runningTint = 0xFF253645,
    .doneTint = 0xFF1E3B34,
    .failedTint = 0xFF452D24,
    .waitingTint = 0xFF39233D,
    .warnTint = 0xFF3A321F,
    .codeKeyword = 0xFFA9B4FF,
    .codeString = 0xFF7FD9B8,
    .codeNumber = 0xFFF0B37A,
    .codeComment = 0xFF8A949F,
    .terminal = 0xFF17191B,
};

enum class Theme { Light, Dark, System };

// The tokens of the theme that was applied last, Light before that. GUI thread only. Read them when painting
// instead of keeping the reference, because the theme can change.
const Tokens& tokens();
[[nodiscard]] bool isDark();

inline QColor color(Token token)
{
    return QColor::fromRgba(tokens().*token);
}

QPalette paletteFrom(const Tokens& tokens);

// Sets the application's palette; widgets repaint by themselves. System means the desktop's scheme when the
// application started.
void applyTheme(QApplication& application, Theme theme);

// Returns the contrast, from 1 to 21, as WCAG defines it.
double contrastRatio(QRgb a, QRgb b);

// `over` painted on `under` with that opacity.
QRgb blended(QRgb over, QRgb under, double opacity);

} // namespace sg::ui
