#pragma once

#include <QFont>

namespace sg::ui {

// Every size is a factor of QApplication::font(), of which 13 px is 100 %. Families are those of the desktop.
enum class TextSize {
    Tiny, // 10: axis limits, tasks stacked in one lane
    Small, // 11: second lines, table heads, pills
    Dense, // 12: tables, trees, tabs, dock titles, status
    Normal, // 13: menus, buttons, node titles
    Heading, // 15: inspector heading
    Title, // 20: start page, meter values
};

double textFactor(TextSize size);
QFont uiFont(TextSize size, QFont::Weight weight = QFont::Normal);
QFont monoFont(TextSize size = TextSize::Dense, QFont::Weight weight = QFont::Normal);

// A length designed for 13 px text, scaled to the text in use: whole pixels, never smaller than designed.
int scaledLength(int designed);

} // namespace sg::ui
