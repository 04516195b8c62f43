#pragma once

// Helpers of the window's tests: useStyle() for initTestCase(), themes() for a _data() function, useTheme()
// for its test.

#include "tests/support/window_test.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/style.h"

namespace sg::test {

// Sets the application's style and font size, as its main() does.
inline void useStyle()
{
    QFont font = QApplication::font();
    font.setPixelSize(13);
    QApplication::setFont(font);
    QApplication::setStyle(new ui::Style);
}

// Adds the rows "light" and "dark".
inline void themes()
{
    QTest::addColumn<int>("theme");
    QTest::newRow("light") << int(ui::Theme::Light);
    QTest::newRow("dark") << int(ui::Theme::Dark);
}

// Puts the application into the row's theme, and returns its name.
inline QString useTheme()
{
    QFETCH(int, theme);
    ui::applyTheme(*qApp, ui::Theme(theme));
    return QLatin1String(QTest::currentDataTag());
}

} // namespace sg::test
