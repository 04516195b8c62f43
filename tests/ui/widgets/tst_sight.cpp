// A panel is seen alone, in a dock, or behind another dock's tab.

#include "tests/support/window_test.h"
#include "ui/widgets/sight.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QSignalSpy>
#include <QTest>

using namespace sg::ui;

class TestSight : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPanelAlone()
    {
        QWidget panel;
        const auto* sight = new Sight(panel);
        QSignalSpy came(sight, &Sight::came);
        QVERIFY(!sight->isSeen());
        panel.show();
        QVERIFY(sight->isSeen());
        QCOMPARE(came.size(), 1);
        panel.hide();
        QVERIFY(!sight->isSeen());
    }

    void aPanelBehindATab()
    {
        QMainWindow window;
        window.resize(600, 400);
        window.setCentralWidget(new QWidget);
        auto* panel = new QWidget(&window);
        const auto* sight = new Sight(*panel); // before it is in its dock
        auto* behind = new QDockWidget(&window);
        behind->setWidget(panel);
        auto* front = new QDockWidget(&window);
        front->setWidget(new QWidget);
        window.addDockWidget(Qt::BottomDockWidgetArea, behind);
        window.addDockWidget(Qt::BottomDockWidgetArea, front);
        window.tabifyDockWidget(behind, front);
        front->raise();
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QTRY_VERIFY(!sight->isSeen());
        QSignalSpy came(sight, &Sight::came);
        behind->raise();
        QTRY_VERIFY(sight->isSeen());
        QTRY_VERIFY(!came.isEmpty());
    }
};

SG_WINDOW_TEST(TestSight)
#include "tst_sight.moc"
