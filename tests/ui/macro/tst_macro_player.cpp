// Against a desk that says what it was asked; the clock is the real one.

#include "tests/support/test_main.h"
#include "ui/macro/macro_desk.h"
#include "ui/macro/macro_player.h"

#include <QSignalSpy>
#include <QTest>

#include <functional>

using namespace sg::ui;

namespace {

class Desk final : public MacroDesk {
public:
    bool knows(const QString& command) override
    {
        ++looks;
        return command != QLatin1String("no.such");
    }
    QString whyNot(const QString& command) override
    {
        return command == QLatin1String("run.off") ? QStringLiteral("nothing is open") : QString();
    }
    void give(const QString& command) override
    {
        done << command;
        if (onGive)
            onGive();
    }
    QString chooseThread(const QString& thread) override
    {
        done << QStringLiteral("thread ") + thread;
        return {};
    }
    QString chooseCheckpoint(const MacroPlace&) override
    {
        ++tries;
        if (tries < triesNeeded)
            return QStringLiteral("There is no such step.");
        done << QStringLiteral("checkpoint");
        return {};
    }
    QString chooseNode(const QString& node) override
    {
        done << QStringLiteral("node ") + node;
        return {};
    }
    void setInput(const QString& json) override { done << QStringLiteral("input ") + json; }
    bool isRunUnderWay() const override { return runs; }
    bool isAtRest() const override { return rests; }
    QString openQuestion() const override { return question; }

    QStringList done;
    std::function<void()> onGive;
    int looks = 0;
    int tries = 0;
    int triesNeeded = 0;
    bool runs = false;
    bool rests = true;
    QString question;
};

MacroStep command(const char* id)
{
    MacroStep step;
    step.command = id;
    return step;
}

MacroStep runStep(const char* expect = "")
{
    MacroStep step = command("run.start");
    step.waitsForRun = true;
    step.expect = expect;
    return step;
}

struct Play {
    Desk desk;
    MacroPlayer player{ desk };
    QSignalSpy ended{ &player, &MacroPlayer::ended };

    QString play(const std::vector<MacroStep>& steps)
    {
        player.play({ "m", steps });
        return end();
    }
    QString end()
    {
        return QTest::qWaitFor([this] { return !ended.isEmpty(); }, 20'000) ? ended.front().front().toString()
                                                                            : QStringLiteral("nothing ended");
    }
};

} // namespace

class TestMacroPlayer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void doesTheStepsInOrder()
    {
        MacroStep all = command("view.a");
        all.thread = "t";
        all.checkpoint = 2;
        all.node = "n";
        all.input = "{}";
        Play play;
        QCOMPARE(play.play({ all, command("view.b") }), QString());
        QCOMPARE(play.desk.done.join(QLatin1Char(';')),
                 QStringLiteral("thread t;checkpoint;node n;input {};view.a;view.b"));
    }

    void anEmptyOneIsDone()
    {
        Play play;
        QCOMPARE(play.play({}), QString());
    }

    void stopsWithTheReason_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("reason");
        QTest::newRow("unknown") << "no.such"
                                 << "no command `no.such`";
        QTest::newRow("disabled") << "run.off"
                                  << "nothing is open";
    }
    void stopsWithTheReason()
    {
        QFETCH(QString, id);
        QFETCH(QString, reason);
        Play play;
        const QString told = play.play({ command("view.a"), command(qPrintable(id)), command("view.c") });
        QVERIFY2(told.contains(reason) && told.contains(QLatin1String("step 2 of 3")), qPrintable(told));
        QCOMPARE(play.desk.done, QStringList{ QStringLiteral("view.a") });
        QCOMPARE(play.ended.count(), 1);
        QCOMPARE(play.desk.looks, 3); // at each command, and once before it gave up
    }

    // Something that is being read now may be there in a moment.
    void triesAgainWhatIsNotThereYet()
    {
        MacroStep step;
        step.checkpoint = 1;
        Play play;
        play.desk.triesNeeded = 5;
        QCOMPARE(play.play({ step }), QString());
        Play never;
        never.desk.triesNeeded = 1'000'000;
        QVERIFY(never.play({ step }).contains(QLatin1String("no such step")));
    }

    void waitsUntilNothingIsAsked()
    {
        Play play;
        play.desk.rests = false;
        play.player.play({ "m", { command("view.a") } });
        QTest::qWait(300);
        QVERIFY(play.desk.done.isEmpty());
        play.desk.rests = true;
        QCOMPARE(play.end(), QString());
    }

    void aQuestionEndsIt()
    {
        Play play;
        play.desk.onGive = [&play] { play.desk.question = QStringLiteral("Save changes?"); };
        const QString told = play.play({ command("file.open"), command("view.b") });
        QVERIFY2(told.contains(QLatin1String("Save changes?")), qPrintable(told));
        QCOMPARE(play.desk.done.size(), 1);
    }

    // Such as a file dialog, whose command returns once it is closed.
    void aCommandThatDoesNotReturnEndsIt()
    {
        Play play;
        play.desk.onGive = [&play] {
            play.desk.question = QStringLiteral("Open");
            QTRY_VERIFY(!play.ended.isEmpty());
        };
        QVERIFY(play.play({ command("file.open"), command("view.b") }).contains(QLatin1String("Open")));
        QTest::qWait(100);
        QCOMPARE(play.desk.done.size(), 1);
        QCOMPARE(play.ended.count(), 1);
    }

    void waitsForTheRunThatItStarts()
    {
        Play play;
        play.player.play({ "m", { runStep(), command("view.b") } });
        QTRY_COMPARE(play.desk.done.size(), 1);
        play.player.noteRunStarted();
        QTest::qWait(150);
        QCOMPARE(play.desk.done.size(), 1);
        play.player.noteRunEnded(sg::RunStatus::Done, {});
        QCOMPARE(play.end(), QString());
        QCOMPARE(play.desk.done.size(), 2);
    }

    void aRunsEndCounts_data()
    {
        QTest::addColumn<QString>("expect");
        QTest::addColumn<QString>("status");
        QTest::addColumn<bool>("isWell");
        QTest::newRow("done") << ""
                              << "done" << true;
        QTest::newRow("a question") << ""
                                    << "interrupted" << true;
        QTest::newRow("failed") << ""
                                << "failed" << false;
        QTest::newRow("failed as expected") << "failed"
                                            << "failed" << true;
        QTest::newRow("done where it was to fail") << "failed"
                                                   << "done" << false;
        QTest::newRow("no end") << ""
                                << "recursion_limit" << false;
    }
    void aRunsEndCounts()
    {
        QFETCH(QString, expect);
        QFETCH(QString, status);
        QFETCH(bool, isWell);
        Play play;
        play.desk.onGive = [&] {
            play.player.noteRunStarted();
            play.player.noteRunEnded(sg::runStatusNamed(status.toStdString()),
                                     QStringLiteral("Node a failed"));
        };
        const QString told = play.play({ runStep(qPrintable(expect)) });
        QCOMPARE(told.isEmpty(), isWell);
        QCOMPARE(play.ended.front().at(1).toBool(), !isWell);
        if (!isWell)
            QVERIFY(told.contains(QLatin1String("Node a failed")) && told.contains(status));
    }

    void aRefusedRunEndsIt()
    {
        Play play;
        play.desk.onGive = [&play] { play.player.noteRefused(QStringLiteral("the thread is busy")); };
        QVERIFY(play.play({ runStep() }).contains(QLatin1String("the thread is busy")));
    }

    void aWaitEnds()
    {
        MacroStep step = runStep();
        step.timeoutSeconds = 1;
        Play play;
        QVERIFY(play.play({ step }).contains(QLatin1String("No run began within 1 s")));
        MacroStep wait;
        wait.waitsForRun = true;
        wait.timeoutSeconds = 1;
        Play under;
        under.desk.runs = true;
        QVERIFY(under.play({ wait }).contains(QLatin1String("did not end within 1 s")));
    }

    void theUserStopsIt()
    {
        Play play;
        play.desk.rests = false;
        play.player.play({ "m", { command("view.a") } });
        play.player.stop();
        QVERIFY(play.end().contains(QLatin1String("stopped")));
        QVERIFY(!play.player.isPlaying());
    }
};

SG_CORE_TEST(TestMacroPlayer)
#include "tst_macro_player.moc"
