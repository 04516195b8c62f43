// The page of connections: what it says of services and their sandboxes, and what it asks for.

#include "tests/support/window_style.h"
#include "ui/connections/connection_form.h"
#include "ui/connections/connection_model.h"
#include "ui/connections/connections_panel.h"
#include "ui/connections/remote_model.h"

#include <QAbstractItemModelTester>
#include <QDateTime>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include <algorithm>

using namespace sg::ui;

namespace {

ConnectionRow connection(const char* name, const char* api = "https://api.e2b.app")
{
    ConnectionRow row;
    row.name = QLatin1String(name);
    row.api = QLatin1String(api);
    row.sandboxes = row.api;
    row.key = QStringLiteral("e2b");
    row.sandboxTemplate = QStringLiteral("code-interpreter-v1");
    row.abilities = { { QStringLiteral("pause"), true, QStringLiteral("memory and files are kept") },
                      { QStringLiteral("fork"), false, QStringLiteral("restored instead") } };
    return row;
}

ConnectionHealth answer(const char* name, double latencyMs = 126)
{
    ConnectionHealth health;
    health.name = QLatin1String(name);
    health.latencyMs = latencyMs;
    health.listsTemplates = true;
    health.templates = QStringList{ QStringLiteral("pandas-large") };
    RemoteSandboxRow living;
    living.connection = health.name;
    living.name = health.name + QStringLiteral("/ix7k2");
    living.thread = QStringLiteral("erin");
    living.endsMs = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) + 41.0 * 60 * 1000 + 500;
    health.sandboxes.push_back(living);
    return health;
}

QPushButton* button(const QWidget& in, const char* words)
{
    for (QPushButton* each : in.findChildren<QPushButton*>())
        if (each->text() == QString::fromUtf8(words) && each->isVisible())
            return each;
    return nullptr;
}

} // namespace

class TestConnectionsPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString theme = sg::test::useTheme();
        QWidget window;
        ConnectionsPanel panel(&window);
        window.resize(980, 640);
        panel.resize(980, 640);
        window.show();
        panel.setConnections(
            { connection("cloud"), connection("lab", "http://lab-2:8443"), connection("old") }, {});
        panel.setHealth(answer("cloud"));
        panel.setHealth(answer("lab", 9));
        ConnectionHealth refused;
        refused.name = QStringLiteral("old");
        refused.error.what = QStringLiteral("https://api.e2b.app refuses the key e2b");
        refused.isKeyRefused = true;
        panel.setHealth(refused);
        QVERIFY(sg::test::colourCount(sg::test::pictureOf(panel, QStringLiteral("connections-") + theme))
                > 8);
        panel.add();
        QVERIFY(sg::test::colourCount(sg::test::pictureOf(window, QStringLiteral("connection-form-") + theme))
                > 8);
    }

    void modelsAreProper()
    {
        ConnectionModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.reset({ connection("cloud") });
        model.setAsking(QStringLiteral("cloud"));
        const auto says = [&model](int column) { return model.index(0, column).data().toString(); };
        QCOMPARE(says(ConnectionModel::AnswerColumn), QStringLiteral("asking…"));
        model.setHealth(answer("cloud"));
        QCOMPARE(says(ConnectionModel::AnswerColumn), QStringLiteral("126\u00A0ms"));
        QCOMPARE(says(ConnectionModel::AddressColumn), QStringLiteral("api.e2b.app"));
        QCOMPARE(says(ConnectionModel::CanColumn), QStringLiteral("pause"));
        QCOMPARE(says(ConnectionModel::KeyColumn), QStringLiteral("e2b"));
        model.reset(
            { connection("cloud", "https://elsewhere.example") }); // another service: it is not asked yet
        QCOMPARE(says(ConnectionModel::AnswerColumn), QStringLiteral("not asked yet"));
        RemoteModel remote;
        const QAbstractItemModelTester other(&remote, QAbstractItemModelTester::FailureReportingMode::QtTest);
        remote.setSandboxes(QStringLiteral("cloud"), answer("cloud").sandboxes);
        QCOMPARE(remote.index(0, RemoteModel::SandboxColumn).data().toString(), QStringLiteral("ix7k2"));
        QCOMPARE(remote.index(0, RemoteModel::WhereColumn).data().toString(), QStringLiteral("cloud"));
        QVERIFY(
            remote.index(0, RemoteModel::LeftColumn).data().toString().startsWith(QStringLiteral("0:41:0")));
        remote.keep({});
        QCOMPARE(remote.rowCount(), 0);
    }

    void eachServiceIsAskedOnce()
    {
        ConnectionsPanel panel;
        QSignalSpy loads(&panel, &ConnectionsPanel::loadRequested);
        QSignalSpy checks(&panel, &ConnectionsPanel::checkRequested);
        panel.show();
        QCOMPARE(loads.count(), 1);
        panel.setConnections({ connection("cloud") }, {});
        QCOMPARE(checks.count(), 1);
        panel.setHealth(answer("cloud"));
        panel.setConnections({ connection("cloud") }, {});
        QCOMPARE(checks.count(), 1);
        const QString facts = panel.findChild<QLabel*>(QStringLiteral("connectionFacts"))->text();
        QVERIFY2(facts.contains(QStringLiteral("Templates there: pandas-large.")), qPrintable(facts));
        QVERIFY(facts.contains(QStringLiteral("Cannot: fork (restored instead).")));
    }

    void aSandboxIsEndedAfterAQuestion()
    {
        ConnectionsPanel panel;
        panel.show();
        panel.setConnections({ connection("cloud") }, {});
        panel.setHealth(answer("cloud"));
        QSignalSpy ends(&panel, &ConnectionsPanel::endRequested);
        button(panel, "End all…")->click();
        auto* question = panel.findChild<QMessageBox*>(QStringLiteral("endSandboxes"));
        QVERIFY(question != nullptr);
        QVERIFY(question->text().contains(QStringLiteral("cloud/ix7k2 of thread erin")));
        QCOMPARE(ends.count(), 0);
        for (QAbstractButton* each : question->buttons())
            if (each->text() == QStringLiteral("End"))
                each->click();
        QCOMPARE(ends.count(), 1);
        QCOMPARE(ends.front().at(1).toString(), QStringLiteral("cloud/ix7k2"));
        panel.setEnded(QStringLiteral("cloud/ix7k2"), {});
        QVERIFY(!button(panel, "End all…")->isEnabled());
    }

    void whatCannotBeSavedIsSaidInTheForm()
    {
        QWidget window;
        ConnectionsPanel panel(&window);
        window.resize(900, 700);
        panel.resize(900, 700);
        window.show();
        panel.setConnections({}, {});
        panel.add();
        auto* form = window.findChild<ConnectionForm*>();
        QVERIFY(form->isVisible());
        QSignalSpy saves(&panel, &ConnectionsPanel::saveRequested);
        button(*form, "Add and check")->click();
        QCOMPARE(saves.count(), 1);
        panel.setSaved({}, { QStringLiteral("a connection needs a name"), {} });
        QVERIFY(form->isVisible());
        const auto labels = form->findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
            return label->isVisible() && label->text() == QStringLiteral("a connection needs a name");
        }));
        panel.setSaved(QStringLiteral("cloud"), {});
        QVERIFY(!form->isVisible());
    }
};

SG_WINDOW_TEST(TestConnectionsPanel)
#include "tst_connections_panel.moc"
