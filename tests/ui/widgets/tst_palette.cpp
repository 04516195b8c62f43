// The colours, by computation: what must be readable on what.

#include "tests/support/window_test.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"

#include <QPainter>
#include <QPalette>

using namespace sg::ui;

namespace {

struct Pair {
    const char* name;
    Token ink;
    Token ground;
    double atLeast;
};

// Words 4.5:1, borders and lines 3:1.
const Pair kPairs[] = {
    { "text on window", &Tokens::text, &Tokens::window, 4.5 },
    { "text on base", &Tokens::text, &Tokens::base, 4.5 },
    { "text on selection", &Tokens::text, &Tokens::selection, 4.5 },
    { "text on hover", &Tokens::text, &Tokens::hover, 4.5 },
    { "text on button", &Tokens::text, &Tokens::button, 4.5 },
    { "text on raised", &Tokens::text, &Tokens::raised, 4.5 },
    { "text on running tint", &Tokens::text, &Tokens::runningTint, 4.5 },
    { "text on done tint", &Tokens::text, &Tokens::doneTint, 4.5 },
    { "text on failed tint", &Tokens::text, &Tokens::failedTint, 4.5 },
    { "text on waiting tint", &Tokens::text, &Tokens::waitingTint, 4.5 },
    { "text on warn tint", &Tokens::text, &Tokens::warnTint, 4.5 },
    { "text2 on window", &Tokens::text2, &Tokens::window, 4.5 },
    { "text2 on neutral tint", &Tokens::text2, &Tokens::neutralTint, 4.5 },
    { "muted on window", &Tokens::muted, &Tokens::window, 4.5 },
    { "muted on base", &Tokens::muted, &Tokens::base, 4.5 },
    { "muted on canvas", &Tokens::muted, &Tokens::canvas, 4.5 },
    { "muted on raised", &Tokens::muted, &Tokens::raised, 4.5 },
    { "on accent", &Tokens::onAccent, &Tokens::accent, 4.5 },
    { "accent on base", &Tokens::accent, &Tokens::base, 4.5 },
    { "accent on window", &Tokens::accent, &Tokens::window, 4.5 },
    { "line on canvas", &Tokens::line, &Tokens::canvas, 3.0 },
    { "line on base", &Tokens::line, &Tokens::base, 3.0 },
    { "keyword on base", &Tokens::codeKeyword, &Tokens::base, 4.5 },
    { "string on base", &Tokens::codeString, &Tokens::base, 4.5 },
    { "number on base", &Tokens::codeNumber, &Tokens::base, 4.5 },
    { "warn on base", &Tokens::warn, &Tokens::base, 4.5 },
    { "warn on its tint", &Tokens::warn, &Tokens::warnTint, 4.5 },
};

const Token kGroundsOfStates[] = { &Tokens::canvas, &Tokens::base, &Tokens::raised };

} // namespace

class TestPalette : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { sg::test::failOnQtWarnings(); }

    void contrastIsEnough_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<double>("ratio");
        QTest::addColumn<double>("atLeast");
        for (const bool dark : { false, true }) {
            const Tokens& t = dark ? kDarkTokens : kLightTokens;
            const char* theme = dark ? "dark" : "light";
            for (const Pair& pair : kPairs)
                QTest::addRow("%s: %s", theme, pair.name)
                    << dark << contrastRatio(t.*pair.ink, t.*pair.ground) << pair.atLeast;
            for (const StateKind kind : kStateKinds)
                for (const Token ground : kGroundsOfStates)
                    QTest::addRow("%s: state %d on ground %x", theme, int(kind), t.*ground)
                        << dark << contrastRatio(t.*stateToken(kind), t.*ground) << 4.5;
        }
    }
    void contrastIsEnough()
    {
        QFETCH(double, ratio);
        QFETCH(double, atLeast);
        QVERIFY2(ratio >= atLeast, qPrintable(QStringLiteral("%1 < %2").arg(ratio).arg(atLeast)));
    }

    void contrastIsWcags()
    {
        QCOMPARE(qRound(contrastRatio(0xFF000000, 0xFFFFFFFF) * 100), 2100);
        QCOMPARE(qRound(contrastRatio(0xFF777777, 0xFFFFFFFF) * 100), 448);
    }

    void themesFillThePalette()
    {
        applyTheme(*qApp, Theme::Dark);
        QVERIFY(isDark());
        QCOMPARE(QApplication::palette().color(QPalette::Window).rgb(), kDarkTokens.window);
        QCOMPARE(QApplication::palette().color(QPalette::Highlight).rgb(), kDarkTokens.selection);
        applyTheme(*qApp, Theme::Light);
        QVERIFY(!isDark());
        QCOMPARE(QApplication::palette().color(QPalette::Base).rgb(), kLightTokens.base);
        applyTheme(*qApp, Theme::System); // the offscreen desktop is light
        QVERIFY(!isDark());
    }

    void everyIconDrawsAtEverySize()
    {
        QVERIFY(iconNames().size() > 50);
        for (const QString& name : iconNames()) {
            const QByteArray latin = name.toLatin1();
            for (const int side : { 12, 14, 16, 24 })
                for (const double scale : { 1.0, 2.0 }) {
                    const QImage image =
                        icon(QLatin1String(latin)).pixmap(QSize(side, side), scale).toImage();
                    QCOMPARE(image.size(), QSize(side, side) * scale);
                    int inked = 0;
                    for (int y = 0; y < image.height(); ++y)
                        for (int x = 0; x < image.width(); ++x)
                            inked += qAlpha(image.pixel(x, y)) > 60 ? 1 : 0;
                    QVERIFY2(inked >= side / 2, qPrintable(QStringLiteral("%1 at %2").arg(name).arg(side)));
                }
        }
    }

    void iconsFollowTheTheme()
    {
        const QIcon stop = icon(QLatin1String("stop"));
        const auto middle = [&] { return stop.pixmap(QSize(16, 16), 1.0).toImage().pixel(8, 8); };
        applyTheme(*qApp, Theme::Light);
        QCOMPARE(middle(), kLightTokens.text2);
        applyTheme(*qApp, Theme::Dark);
        QCOMPARE(middle(), kDarkTokens.text2);
        const QRgb disabled = stop.pixmap(QSize(16, 16), 1.0, QIcon::Disabled).toImage().pixel(8, 8);
        QVERIFY(qAlpha(disabled) < 130);
        applyTheme(*qApp, Theme::Light);
    }

    void glyphsDifferWithoutColour()
    {
        // In grey no two states' glyphs may look the same.
        std::vector<QImage> pictures;
        for (const StateKind kind : kStateKinds) {
            QImage picture(20, 20, QImage::Format_ARGB32_Premultiplied);
            picture.fill(kLightTokens.raised);
            QPainter painter(&picture);
            paintStateGlyph(painter, kind, QRectF(0, 0, 20, 20), kLightTokens.raised);
            painter.end();
            pictures.push_back(picture.convertToFormat(QImage::Format_Grayscale8));
        }
        for (std::size_t a = 0; a < pictures.size(); ++a)
            for (std::size_t b = a + 1; b < pictures.size(); ++b) {
                int different = 0;
                for (int y = 0; y < 20; ++y)
                    for (int x = 0; x < 20; ++x)
                        different +=
                            std::abs(qGray(pictures[a].pixel(x, y)) - qGray(pictures[b].pixel(x, y))) > 60
                            ? 1
                            : 0;
                QVERIFY2(different >= 10, qPrintable(QStringLiteral("%1 and %2").arg(a).arg(b)));
            }
    }

    void textSizesAreFactorsOfTheDesktops()
    {
        const QFont before = QApplication::font();
        for (const double points : { 9.0, 12.0, 18.0 }) {
            QFont font = before;
            font.setPointSizeF(points);
            QApplication::setFont(font);
            QCOMPARE(uiFont(TextSize::Normal).pointSizeF(), points);
            QCOMPARE(uiFont(TextSize::Title).pointSizeF(), points * 1.54);
            QCOMPARE(uiFont(TextSize::Dense).family(), before.family());
            QVERIFY(scaledLength(28) >= 28);
        }
        QApplication::setFont(before);
    }
};

SG_WINDOW_TEST(TestPalette)
#include "tst_palette.moc"
