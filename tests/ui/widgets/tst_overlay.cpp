// An overlay lies over the window for a moment: the tests say where it stands, what closes it, where the
// focus goes, and that assistive technology finds it in the window's own tree.

#include "tests/support/window_style.h"
#include "ui/widgets/overlay.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QWindow>

using namespace sg::ui;

namespace {

struct Shown {
    QWidget window;
    QLineEdit* before = new QLineEdit(&window);
    QPushButton* beside = new QPushButton(QStringLiteral("Beside"), &window);
    Overlay overlay{ before };
    QLineEdit* first = new QLineEdit(&overlay);
    QLineEdit* last = new QLineEdit(&overlay);
    QSignalSpy dismissed{ &overlay, &Overlay::dismissed };

    Shown()
    {
        window.resize(400, 300);
        beside->move(0, 250);
        overlay.setAccessibleName(QStringLiteral("Input"));
        first->setAccessibleName(QStringLiteral("question"));
        auto* row = new QHBoxLayout(&overlay);
        row->addWidget(first);
        row->addWidget(last);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        before->setFocus();
        open();
    }
    void open(const QPoint& at = { 40, 60 })
    {
        overlay.resize(200, 60);
        overlay.layOver(window.mapToGlobal(at));
        first->setFocus();
    }
};

QStringList namesBelow(QAccessibleInterface* at)
{
    QStringList names{ at->text(QAccessible::Name) };
    for (int i = 0; i < at->childCount(); ++i)
        names += namesBelow(at->child(i));
    return names;
}

} // namespace

class TestOverlay : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void itIsAPartOfTheWindowsTree()
    {
        Shown shown;
        QVERIFY(!shown.overlay.isWindow());
        const QStringList names = namesBelow(QAccessible::queryAccessibleInterface(&shown.window));
        QVERIFY2(names.contains(QStringLiteral("Input")), qPrintable(names.join(QLatin1Char('|'))));
        QVERIFY(names.contains(QStringLiteral("question")));
        QCOMPARE(QAccessible::queryAccessibleInterface(&shown.overlay)->role(), QAccessible::Dialog);
    }

    void escapeClosesItAndTheFocusReturns()
    {
        Shown shown;
        QVERIFY(shown.first->hasFocus());
        QTest::keyClick(shown.first, Qt::Key_Escape);
        QVERIFY(!shown.overlay.isVisible());
        QVERIFY(shown.before->hasFocus());
        QCOMPARE(shown.dismissed.count(), 1);
    }

    void aPressOutsideClosesItAndDoesNothingElse()
    {
        Shown shown;
        QSignalSpy clicked(shown.beside, &QPushButton::clicked);
        const auto click = [&shown](const QWidget* at) {
            QTest::mouseClick(shown.window.windowHandle(), Qt::LeftButton, {},
                              at->mapTo(&shown.window, at->rect().center()));
        };
        click(shown.first);
        QVERIFY(shown.overlay.isVisible());
        click(shown.beside);
        QVERIFY(!shown.overlay.isVisible());
        QCOMPARE(clicked.count(), 0);
        QVERIFY(shown.before->hasFocus());
        click(shown.beside);
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(shown.dismissed.count(), 1);
    }

    void tabStaysInside()
    {
        Shown shown;
        QTest::keyClick(shown.first, Qt::Key_Tab);
        QVERIFY(shown.last->hasFocus());
        QTest::keyClick(shown.last, Qt::Key_Tab);
        QVERIFY(shown.first->hasFocus());
        QTest::keyClick(shown.first, Qt::Key_Backtab);
        QVERIFY(shown.last->hasFocus());
        QVERIFY(shown.overlay.isVisible());
    }

    void aFocusThatGoesElsewhereClosesItAndStaysThere()
    {
        Shown shown;
        shown.beside->setFocus();
        QVERIFY(!shown.overlay.isVisible());
        QVERIFY(shown.beside->hasFocus());
        QCOMPARE(shown.dismissed.count(), 1);
    }

    void aChoiceLiftsItWithoutAWord()
    {
        Shown shown;
        shown.overlay.lift();
        QVERIFY(!shown.overlay.isVisible());
        QVERIFY(shown.before->hasFocus());
        QCOMPARE(shown.dismissed.count(), 0);
    }

    void itStaysInItsWindow()
    {
        Shown shown;
        shown.overlay.lift();
        shown.open({ 390, 290 });
        QVERIFY(shown.window.rect().contains(shown.overlay.geometry()));
        shown.window.resize(300, 200);
        QCoreApplication::sendPostedEvents();
        QTRY_VERIFY(shown.window.rect().contains(shown.overlay.geometry()));
    }
};

SG_WINDOW_TEST(TestOverlay)
#include "tst_overlay.moc"
