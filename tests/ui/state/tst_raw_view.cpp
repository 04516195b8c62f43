// The bytes of a value, page by page.

#include "tests/support/window_style.h"
#include "ui/state/raw_view.h"
#include "ui/widgets/banner.h"

#include <QClipboard>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>

using namespace sg::ui;

namespace {

QString words(const char* text)
{
    return QString::fromUtf8(text);
}

RawPage page(qint64 offset, qsizetype count)
{
    RawPage made;
    made.place = { words("t"), words("c1"), words("/doc") };
    made.type = words("pickle");
    made.module = words("app.models.Model");
    made.size = 10'000;
    made.offset = offset;
    made.bytes = QByteArray("\x80\x04Hello\x00", 8).repeated(static_cast<int>(count / 8));
    return made;
}

QPushButton* button(const RawView& view, const char* name)
{
    for (QPushButton* each : view.findChildren<QPushButton*>())
        if (each->accessibleName() == words(name))
            return each;
    return nullptr;
}

} // namespace

class TestRawView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void linesHaveOffsetHexAndLetters()
    {
        QCOMPARE(hexLines(QByteArray("\x80\x04"
                                     "AB\x00",
                                     5),
                          32),
                 words("00000020  80 04 41 42 00                                   ..AB."));
        QCOMPARE(hexLines(QByteArray(17, 'x'), 0).count(QLatin1Char('\n')), 1);
        QVERIFY(hexLines({}, 0).isEmpty());
    }

    void turnsPagesAndCopies()
    {
        RawView view;
        QSignalSpy asked(&view, &RawView::pageRequested);
        view.open(page(0, 0).place);
        QCOMPARE(asked.takeLast().at(1).toLongLong(), 0);
        view.setPage(page(0, kRawPage));
        QVERIFY(!button(view, "Page before")->isEnabled());
        QVERIFY(view.findChild<QPlainTextEdit*>()->toPlainText().startsWith(words("00000000  80 04 48 65")));
        button(view, "Next page")->click();
        QCOMPARE(asked.takeLast().at(1).toLongLong(), kRawPage);
        button(view, "Last page")->click();
        QCOMPARE(asked.takeLast().at(1).toLongLong(), 2 * kRawPage);
        view.setPage(page(2 * kRawPage, 10'000 - 2 * kRawPage));
        QVERIFY(!button(view, "Next page")->isEnabled());
        view.setPage(page(0, 8));
        button(view, "Copy this page as hex")->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), words("800448656c6c6f00"));
        button(view, "Copy this page as base64")->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), words("gARIZWxsbwA="));
    }

    void saysWhyThereIsNothing()
    {
        RawView view;
        view.open(page(0, 0).place);
        RawPage none;
        none.place = page(0, 0).place;
        none.error = { words("this checkpoint is not there any more"), {} };
        view.setPage(none);
        QVERIFY(!button(view, "Save the whole value as a file")->isEnabled());
    }

    void anErrorIsTriedAgain()
    {
        RawView view;
        view.open(page(0, 0).place);
        view.setPage(page(0, kRawPage));
        RawPage none = page(kRawPage, 0);
        none.bytes.clear();
        none.error = { words("the database is locked"), {} };
        view.setPage(none);
        QVERIFY(view.findChild<QPlainTextEdit*>()->toPlainText().isEmpty()); // those of another page
        auto* banner = view.findChild<Banner*>();
        QVERIFY(banner->isVisible());
        QSignalSpy asked(&view, &RawView::pageRequested);
        for (QPushButton* each : banner->findChildren<QPushButton*>())
            if (each->text() == words("Try again"))
                each->click();
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.front().at(1).toLongLong(), kRawPage);
        view.setPage(page(kRawPage, kRawPage));
        QVERIFY(!banner->isVisible());
    }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString name = sg::test::useTheme();
        RawView view;
        view.open(page(0, 0).place);
        const QImage empty = sg::test::pictureOf(view, words("raw-empty-") + name);
        view.setPage(page(0, kRawPage));
        QVERIFY(sg::test::pictureOf(view, words("raw-") + name) != empty);
    }
};

SG_WINDOW_TEST(TestRawView)
#include "tst_raw_view.moc"
