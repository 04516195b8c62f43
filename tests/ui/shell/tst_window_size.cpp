// The window opens as large as the screen allows: no panel asks for more room than there is.

#include "tests/support/window_test.h"
#include "ui/shell/main_window.h"

#include <QDockWidget>
#include <QStandardPaths>
#include <QTest>

using namespace sg::ui;

class TestWindowSize : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("sandglass-test"));
        QCoreApplication::setApplicationName(QStringLiteral("window-size"));
    }

    void everyPanelFitsASmallWindow()
    {
        constexpr int kMost = 620; // of one panel: another stands beside it in 1280
        MainWindow window;
        QStringList wide;
        for (const QDockWidget* dock : window.findChildren<QDockWidget*>()) {
            const bool isAlone = dock->objectName() == QLatin1String("timelineDock")
                || dock->objectName() == QLatin1String("replayDock"); // they have the whole width
            const int asked = dock->widget()->minimumSizeHint().width();
            if (asked > (isAlone ? 1280 : kMost))
                wide << QStringLiteral("%1 asks for %2").arg(dock->objectName()).arg(asked);
        }
        QVERIFY2(wide.isEmpty(), qPrintable(wide.join(QStringLiteral("; "))));
        QVERIFY(window.width() <= 1600); // not grown by what the docks wanted on their way
        window.resize(1280, 720);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QCOMPARE(window.width(), 1280);
    }
};

SG_WINDOW_TEST(TestWindowSize)
#include "tst_window_size.moc"
