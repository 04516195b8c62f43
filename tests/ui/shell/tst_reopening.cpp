// The next start opens what was open last.

#include "tests/support/example_project.h"
#include "tests/support/window_test.h"
#include "ui/run/run_bar.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/shell/main_window.h"
#include "ui/start/start_page.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/widgets/banner.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>

#include <unistd.h>

#include <filesystem>

using namespace sg;
using namespace sg::ui;

namespace {

const char* const kGraph = R"({"format": 1, "name": "g", "state": {"value": {"type": "last_value"}},
 "nodes": [{"name": "one", "kind": "jq", "jq": "{value: 1}"}, {"name": "two", "kind": "jq", "jq": "{value: 2}"}],
 "edges": [["__start__", "one"], ["one", "two"], ["two", "__end__"]]})";

struct Started {
    explicit Started(bool reopens = true)
    {
        QSignalSpy ready(&window, &MainWindow::ready);
        window.show();
        if (reopens) {
            window.reopenLast();
            isReady = QTest::qWaitFor([&] { return !ready.isEmpty(); }, 20'000);
        }
    }
    bool run(const char* thread)
    {
        selection.setThread(QString::fromLatin1(thread));
        QSignalSpy finished(&window.clients().runs, &RunsClient::runFinished);
        if (!QTest::qWaitFor([this] { return bar.runAction()->isEnabled(); }))
            return false;
        bar.runAction()->trigger();
        return QTest::qWaitFor([&] { return !finished.isEmpty(); }, 20'000)
            && QTest::qWaitFor([this] { return history.count() == 4 && history.isWhole(); });
    }
    [[nodiscard]] QString told() const
    {
        QStringList words;
        for (const auto* banner : window.findChildren<Banner*>())
            if (banner->isVisible())
                for (const auto* label : banner->findChildren<QLabel*>())
                    words << label->text();
        return words.join(QLatin1Char(' '));
    }
    [[nodiscard]] bool showsStart() const { return window.findChild<StartPage*>()->isVisible(); }
    bool press(const char* words)
    {
        return QTest::qWaitFor([&] { // it is laid out a moment after it was made
            for (auto* each : window.findChildren<QPushButton*>())
                if (each->isVisible() && each->text() == QLatin1String(words)) {
                    each->click();
                    return true;
                }
            return false;
        });
    }

    MainWindow window;
    Selection& selection = *window.findChild<Selection*>();
    RunBar& bar = *window.findChild<RunBar*>();
    TimelinePanel& timeline = *window.findChild<TimelinePanel*>();
    ShownHistory& history = *window.findChild<ShownHistory*>();
    bool isReady = false;
};

} // namespace

class TestReopening : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("sandglass-test"));
        QCoreApplication::setApplicationName(QStringLiteral("reopening"));
    }
    void init() { QSettings().clear(); }

    void aFirstStartShowsTheStartPage()
    {
        const Started first;
        QVERIFY(first.isReady && first.showsStart());
        QCOMPARE(first.told(), QString());
    }

    void projectThreadAndCheckpointComeBack()
    {
        const test::TempDir folder;
        folder.write("g.graph.json", kGraph);
        QString checkpoint;
        {
            Started first(false);
            QSignalSpy ready(&first.window, &MainWindow::ready);
            first.window.openProject(QString::fromStdString((folder / "g.graph.json").string()));
            QTRY_VERIFY(!ready.isEmpty() && !first.bar.thread().isEmpty());
            QVERIFY(first.run("alice"));
            QVERIFY(first.run("bob")); // the newest: what is shown where nothing is kept
            first.selection.setThread(QStringLiteral("alice"));
            QTRY_COMPARE(first.history.count(), 4);
            first.timeline.goToFirst();
            checkpoint = first.selection.checkpoint();
            QVERIFY(!checkpoint.isEmpty());
            QVERIFY(first.window.close());
        }
        {
            Started again;
            QVERIFY(again.isReady && !again.showsStart());
            QTRY_COMPARE(again.selection.thread(), QStringLiteral("alice"));
            QTRY_COMPARE(again.selection.checkpoint(), checkpoint);
            QTRY_COMPARE(again.history.current(), checkpoint);
            again.selection.setThread(QStringLiteral("bob")); // kept without a close, too
            QTRY_COMPARE(QSettings().value(QStringLiteral("last/thread")).toString(), QStringLiteral("bob"));
            QVERIFY(again.window.close());
        }
        QSettings().setValue(QStringLiteral("last/thread"), QStringLiteral("gone"));
        QSettings().setValue(QStringLiteral("last/checkpoint"), QStringLiteral("gone"));
        {
            Started third;
            QTRY_COMPARE(third.selection.thread(), QStringLiteral("bob"));
            QVERIFY(third.selection.isAtHead());
            third.selection.setThread(QStringLiteral("alice"));
            QTRY_COMPARE(third.history.count(), 4);
            QVERIFY(third.selection.isAtHead());
        }
    }

    void notWhereTheUserDoesNotWantIt()
    {
        const test::TempDir folder;
        folder.write("g.graph.json", kGraph);
        QSettings().setValue(QStringLiteral("last/project"),
                             QString::fromStdString((folder / "g.graph.json").string()));
        {
            Started asked;
            QVERIFY(asked.isReady && !asked.showsStart());
            auto* setting = asked.window.findChild<QAction*>(QStringLiteral("file.reopen-at-start"));
            QVERIFY(setting->isChecked());
            setting->trigger();
        }
        const Started left;
        QVERIFY(left.isReady && left.showsStart());
    }

    void aProjectThatIsGoneIsSaidToBe()
    {
        QSettings().setValue(QStringLiteral("last/project"), QStringLiteral("/nonexistent/x.graph.json"));
        {
            Started started;
            QVERIFY(started.isReady && started.showsStart());
            QVERIFY2(started.told().contains(QLatin1String("/nonexistent/x.graph.json")),
                     qPrintable(started.told()));
            QVERIFY(started.told().contains(QLatin1String("open last")));
        }
        Started again; // it may be on a disk that comes back
        QVERIFY(again.told().contains(QLatin1String("/nonexistent")));
        QVERIFY(again.press("Forget it"));
        const Started last;
        QCOMPARE(last.told(), QString());
    }

    void aBrokenProjectLeavesTheWindowUsable()
    {
        const test::TempDir folder;
        folder.write("g.graph.json", kGraph);
        folder.write(".sandglass/checkpoints.sqlite", std::string(8192, 'x'));
        QSettings().setValue(QStringLiteral("last/project"),
                             QString::fromStdString((folder / "g.graph.json").string()));
        Started started;
        QVERIFY(started.isReady);
        QTRY_VERIFY(!started.told().isEmpty());
        const test::TempDir other;
        other.write("g.graph.json", kGraph);
        started.window.openProject(QString::fromStdString((other / "g.graph.json").string()));
        QTRY_VERIFY(!started.showsStart() && !started.bar.thread().isEmpty());
    }

    void whatMayHaveEndedTheLastStartIsOnlyOffered()
    {
        const test::TempDir folder;
        folder.write("g.graph.json", kGraph);
        QSettings().setValue(QStringLiteral("last/project"),
                             QString::fromStdString((folder / "g.graph.json").string()));
        QSettings().setValue(QStringLiteral("last/opening"), true);
        Started started;
        QVERIFY(started.isReady && started.showsStart());
        QVERIFY(started.told().contains(QLatin1String("g.graph.json")));
        QVERIFY(started.press("Open it"));
        QTRY_VERIFY(!started.showsStart());
        QVERIFY(!QSettings().contains(QStringLiteral("last/opening")));
    }

    void aCloseWhileItOpensIsNoReason()
    {
        const test::TempDir folder;
        folder.write("g.graph.json", kGraph);
        QSettings().setValue(QStringLiteral("last/project"),
                             QString::fromStdString((folder / "g.graph.json").string()));
        {
            Started impatient(false);
            impatient.window.reopenLast();
            QVERIFY(QSettings().contains(QStringLiteral("last/opening")));
            QVERIFY(impatient.window.close());
        }
        QVERIFY(!QSettings().contains(QStringLiteral("last/opening")));
        QSettings().setValue(QStringLiteral("last/opening"),
                             static_cast<qlonglong>(::getppid())); // another window, which lives
        const Started started;
        QVERIFY(started.isReady && !started.showsStart());
    }

    void anotherProjectsThreadIsNotKept()
    {
        const test::TempDir folder;
        folder.write("g.graph.json", kGraph);
        QSettings().setValue(QStringLiteral("last/project"), QStringLiteral("/elsewhere/x.graph.json"));
        QSettings().setValue(QStringLiteral("last/thread"), QStringLiteral("alice"));
        QSettings().setValue(QStringLiteral("last/checkpoint"), QStringLiteral("c9"));
        Started first(false);
        QSignalSpy ready(&first.window, &MainWindow::ready);
        const QString path = QString::fromStdString((folder / "g.graph.json").string());
        first.window.openProject(path);
        QTRY_VERIFY(!ready.isEmpty());
        QCOMPARE(QSettings().value(QStringLiteral("last/project")).toString(), path);
        QVERIFY(QSettings().value(QStringLiteral("last/thread")).toString() != QStringLiteral("alice"));
        QCOMPARE(QSettings().value(QStringLiteral("last/checkpoint")).toString(), QString());
        QSettings().setValue(QStringLiteral("last/project"), QStringLiteral("/elsewhere/x.graph.json"));
        first.selection.setThread(QStringLiteral("bob")); // another window wrote its own meanwhile
        QTRY_COMPARE(QSettings().value(QStringLiteral("last/thread")).toString(), QStringLiteral("bob"));
        QCOMPARE(QSettings().value(QStringLiteral("last/project")).toString(), path);
    }
};

SG_WINDOW_TEST(TestReopening)
#include "tst_reopening.moc"
