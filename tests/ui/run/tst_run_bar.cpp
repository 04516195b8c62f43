// Runs are started by the bar: its states, the input's checks, the threads' model.

#include "tests/support/window_style.h"
#include "ui/run/input_editor.h"
#include "ui/run/run_bar.h"
#include "ui/run/thread_list.h"
#include "ui/run/thread_model.h"
#include "ui/selection/thread_book.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QSignalSpy>

using namespace sg::ui;

class TestRunBar : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString name = sg::test::useTheme();
        RunBar bar;
        bar.resize(1000, 40);
        bar.show();
        const QImage closed = sg::test::pictureOf(bar, QStringLiteral("run-closed-") + name);
        bar.setProject(QStringLiteral("penguins"));
        bar.setThread(QStringLiteral("alice"));
        bar.setMode(QStringLiteral("Disk · Local data"));
        QCoreApplication::sendPostedEvents();
        QVERIFY(sg::test::pictureOf(bar, QStringLiteral("run-open-") + name) != closed);
        ThreadBook book;
        ThreadList list(book);
        list.resize(240, 200);
        list.show();
        book.setThreads({ { QStringLiteral("alice"), 21, 0, sg::RunStatus::Running },
                          { QStringLiteral("bob"), 1, 0, sg::RunStatus::Interrupted },
                          { QStringLiteral("carol"), 4, 0, sg::RunStatus::Failed } });
        list.setCurrent(QStringLiteral("bob"));
        QVERIFY(sg::test::colourCount(sg::test::pictureOf(list, QStringLiteral("run-threads-") + name)) > 8);
    }

    void canRunWhen_data()
    {
        QTest::addColumn<bool>("open");
        QTest::addColumn<QString>("thread");
        QTest::addColumn<QString>("input");
        QTest::addColumn<bool>("running");
        QTest::addColumn<QString>("blocked");
        QTest::addColumn<bool>("canRun");
        QTest::addColumn<bool>("canStop");
        QTest::newRow("no project") << false << "t"
                                    << "" << false << "" << false << false;
        QTest::newRow("ready") << true << "t"
                               << "" << false << "" << true << false;
        QTest::newRow("with input") << true << "t"
                                    << "{\"a\": 1}" << false << "" << true << false;
        QTest::newRow("no thread") << true << "  "
                                   << "" << false << "" << false << false;
        QTest::newRow("broken input") << true << "t"
                                      << "{\"a\":" << false << "" << false << false;
        QTest::newRow("input is a list") << true << "t"
                                         << "[1]" << false << "" << false << false;
        QTest::newRow("running") << true << "t"
                                 << "" << true << "" << false << true;
        QTest::newRow("blocked") << true << "t"
                                 << "" << false << "No sandbox was found." << false << false;
    }
    void canRunWhen()
    {
        QFETCH(bool, open);
        QFETCH(QString, thread);
        QFETCH(QString, input);
        QFETCH(bool, running);
        QFETCH(QString, blocked);
        RunBar bar;
        if (open)
            bar.setProject(QStringLiteral("penguins"));
        bar.setThread(thread);
        bar.setInput(input);
        bar.setRunning(running);
        bar.setBlocked(blocked);
        QTEST(bar.runAction()->isEnabled(), "canRun");
        QTEST(bar.stopAction()->isEnabled(), "canStop");
        QSignalSpy asked(&bar, &RunBar::runRequested);
        bar.runAction()->trigger();
        QFETCH(bool, canRun);
        QCOMPARE(asked.count(), canRun ? 1 : 0);
    }

    void resumesWhereStepsAreLeft_data()
    {
        QTest::addColumn<bool>("resumable");
        QTest::addColumn<bool>("running");
        QTest::addColumn<QString>("blocked");
        QTest::addColumn<bool>("can");
        QTest::newRow("done") << false << false << "" << false;
        QTest::newRow("failed") << true << false << "" << true;
        QTest::newRow("running again") << true << true << "" << false;
        QTest::newRow("broken graph") << true << false << "The graph has errors." << false;
    }
    void resumesWhereStepsAreLeft()
    {
        QFETCH(bool, can);
        QFETCH(bool, resumable);
        QFETCH(bool, running);
        QFETCH(QString, blocked);
        RunBar bar;
        bar.setProject(QStringLiteral("penguins"));
        bar.setThread(QStringLiteral("alice"));
        bar.setInput(QStringLiteral("{\"a\":")); // of the next run, not of this one
        bar.setResumable(resumable);
        bar.setRunning(running);
        bar.setBlocked(blocked);
        QSignalSpy asked(&bar, &RunBar::resumeRequested);
        bar.resumeAction()->trigger();
        QCOMPARE(asked.count(), can ? 1 : 0);
        QVERIFY(!bar.resumeAction()->toolTip().isEmpty());
    }

    void goesOnWithAPausedThread()
    {
        RunBar bar;
        bar.show();
        bar.setProject(QStringLiteral("penguins"));
        bar.setThread(QStringLiteral("alice"));
        bar.setInput(QStringLiteral("{\"a\":")); // of the next run, not of this one
        bar.setRunning(true);
        QSignalSpy pauses(&bar, &RunBar::pauseRequested);
        bar.pauseAction()->trigger();
        QCOMPARE(pauses.count(), 1);
        bar.setRunning(false);
        bar.setResumable(true);
        bar.setPaused(QStringLiteral("publish"));
        QVERIFY(!bar.pauseAction()->isEnabled());
        QVERIFY(bar.stepAction()->isEnabled() && bar.stopAction()->isEnabled());
        QCOMPARE(bar.runAction()->text(), QStringLiteral("&Continue"));
        QSignalSpy runs(&bar, &RunBar::runRequested);
        QSignalSpy resumes(&bar, &RunBar::resumeRequested);
        bar.runAction()->trigger();
        QCOMPARE(runs.count(), 0);
        QCOMPARE(resumes.count(), 1);
        bar.setPaused({});
        QCOMPARE(bar.runAction()->text(), QStringLiteral("&Run"));
        QVERIFY(!bar.stopAction()->isEnabled());
        QStringList icons;
        for (const QAction* action :
             { bar.pauseAction(), bar.stepAction(), bar.resumeAction(), bar.stopAction() })
            icons << action->icon().name();
        icons.removeDuplicates();
        QCOMPARE(icons.size(), 4);
    }

    void keepsWhatIsTypedWhenThreadsArrive()
    {
        RunBar bar;
        bar.setProject(QStringLiteral("penguins"));
        bar.setThread(QStringLiteral("new one"));
        QSignalSpy chosen(&bar, &RunBar::threadChosen);
        bar.setThreads({ QStringLiteral("alice"), QStringLiteral("bob") });
        QCOMPARE(bar.thread(), QStringLiteral("new one"));
        QCOMPARE(chosen.count(), 0);
    }

    void saysWhereTheInputIsBroken()
    {
        QWidget parent;
        InputEditor editor(&parent);
        editor.setJson(QStringLiteral("{\n  \"a\" 1}"));
        QVERIFY(!editor.isValid());
        QVERIFY2(editor.problem().contains(QStringLiteral("line 2")), qPrintable(editor.problem()));
        editor.setJson(QStringLiteral("  "));
        QVERIFY(editor.isValid());
    }

    void threadsAreAProperModel()
    {
        ThreadModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.reset({ { QStringLiteral("alice"), 3, 0, sg::RunStatus::Done } });
        model.setStatus(QStringLiteral("bob"), sg::RunStatus::Running);
        QCOMPARE(model.threads(), (QStringList{ QStringLiteral("bob"), QStringLiteral("alice") }));
        model.setStatus(QStringLiteral("alice"), sg::RunStatus::Failed);
        QVERIFY(model.status(QStringLiteral("alice")) == sg::RunStatus::Failed);
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        model.reset({ { QStringLiteral("bob"), 1, 0, sg::RunStatus::Done },
                      { QStringLiteral("alice"), 3, 0, sg::RunStatus::Done } });
        QCOMPARE(resets.count(), 0); // the same threads: only their figures change
        QVERIFY(model.status(QStringLiteral("bob")) == sg::RunStatus::Done);
    }
};

SG_WINDOW_TEST(TestRunBar)
#include "tst_run_bar.moc"
