#pragma once

// What the window's tests begin with: useStyle() in initTestCase(), themes() in a _data() function,
// useTheme() in its test.

#include "tests/support/window_test.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/style.h"

namespace sg::test {

// The application's own style and font size, as its main() sets them.
inline void useStyle()
{
    QFont font = QApplication::font();
    font.setPixelSize(13);
    QApplication::setFont(font);
    QApplication::setStyle(new ui::Style);
}

// A row "light" and a row "dark".
inline void themes()
{
    QTest::addColumn<int>("theme");
    QTest::newRow("light") << int(ui::Theme::Light);
    QTest::newRow("dark") << int(ui::Theme::Dark);
}

// Puts the application into the row's theme; its name.
inline QString useTheme()
{
    QFETCH(int, theme);
    ui::applyTheme(*qApp, ui::Theme(theme));
    return QLatin1String(QTest::currentDataTag());
}

} // namespace sg::test
