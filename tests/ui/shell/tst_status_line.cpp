// The status bar says what reaches the network, and nothing else than that.

#include "tests/support/window_style.h"
#include "ui/shell/status_line.h"

#include <QLabel>
#include <QMainWindow>
#include <QStatusBar>

using namespace sg::ui;

class TestStatusLine : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void namesTheHosts()
    {
        QMainWindow window;
        StatusLine line(window.statusBar());
        const auto* network = window.findChild<QLabel*>(QStringLiteral("statusNetwork"));
        QCOMPARE(network->text(), QStringLiteral("Offline-ready"));
        ProjectInfo info;
        info.sandbox.backend = QStringLiteral("docker");
        info.mode.hosts << QStringLiteral("api.test");
        line.setSandbox(info);
        QCOMPARE(network->text(), QStringLiteral("Network: api.test"));
        info.mode.hosts << QStringLiteral("<b>*.example.com:443");
        info.sandbox.backend.clear(); // also where no sandbox can be had
        line.setSandbox(info);
        QCOMPARE(network->text(), QStringLiteral("Network: 2 hosts"));
        QVERIFY(network->toolTip().contains(QLatin1String("api.test, &lt;b&gt;*.example.com:443")));
        info.mode.fetchesData = true;
        line.setSandbox(info);
        QVERIFY(network->text().contains(QLatin1String("Fetches data")));
        line.clear();
        QCOMPARE(network->text(), QStringLiteral("Offline-ready"));
    }

    // Where nothing else leaves this machine, they do.
    void namesWhereThreadsAndArtifactsAre()
    {
        QMainWindow window;
        StatusLine line(window.statusBar());
        const auto* network = window.findChild<QLabel*>(QStringLiteral("statusNetwork"));
        ProjectInfo info;
        info.shared = QStringLiteral("postgresql://me@db.example/flows");
        line.setSandbox(info);
        QCOMPARE(network->text(), QStringLiteral("Threads in PostgreSQL"));
        QVERIFY(network->toolTip().contains(info.shared));
        info.bucket = QStringLiteral("s3://bucket/flows");
        line.setSandbox(info);
        QVERIFY(network->text().contains(QLatin1String("Artifacts in a bucket")));
        QVERIFY(network->toolTip().contains(info.bucket));
    }

    void anEngineThatHasNotAnsweredIsNoMissingOne()
    {
        QMainWindow window;
        StatusLine line(window.statusBar());
        const auto* sandbox = window.findChild<QLabel*>(QStringLiteral("statusSandbox"));
        ProjectInfo info;
        line.setSandbox(info);
        QVERIFY2(sandbox->text().contains(QLatin1String("Looking for a sandbox")),
                 qPrintable(sandbox->text()));
        info.sandbox.isKnown = true;
        line.setSandbox(info);
        QVERIFY2(sandbox->text().contains(QLatin1String("No sandbox")), qPrintable(sandbox->text()));
        info.sandbox = {};
        info.isReadOnly = true; // nobody is asked
        line.setSandbox(info);
        QVERIFY2(sandbox->text().contains(QLatin1String("No sandbox")), qPrintable(sandbox->text()));
    }
};

SG_WINDOW_TEST(TestStatusLine)
#include "tst_status_line.moc"
