#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"
#include "ui/macro/macro_file.h"
#include "ui/macro/macro_recorder.h"

#include <QCoreApplication>
#include <QTest>

using namespace sg::ui;

namespace {

// Keeps the recorded steps, a step a line, without what a file has around.
struct Recording {
    MacroRecorder::Chosen now{ "main", MacroHead(), "" };
    MacroRecorder recorder{ [this] { return now; } };

    Recording() { recorder.start(); }
    void choose(const std::function<void(MacroRecorder::Chosen&)>& change)
    {
        change(now);
        recorder.noteChoice();
        QTest::qWait(1);
    }
    QString steps()
    {
        QString text = QString::fromStdString(macroText(recorder.stop()));
        text = text.section(QLatin1Char('['), 1).section(QLatin1Char(']'), 0, -2);
        QStringList lines;
        for (const QString& line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
            if (!line.trimmed().isEmpty())
                lines << line.trimmed().remove(QLatin1Char('"'));
        return lines.join(QLatin1Char('\n'));
    }
};

} // namespace

class TestMacroRecorder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void beginsWithWhatIsChosen()
    {
        Recording recording;
        recording.recorder.noteCommand(QStringLiteral("view.a"));
        QCOMPARE(recording.steps(), QStringLiteral("{ thread: main },\n{ command: view.a }"));
    }

    void whatACommandChoosesIsNoStep()
    {
        Recording recording;
        recording.now.checkpoint = 3;
        recording.recorder.noteChoice(); // inside of the command
        recording.recorder.noteCommand(QStringLiteral("thread.previous-checkpoint"));
        QTest::qWait(1);
        recording.choose([](auto& chosen) { chosen.node = "plan"; });
        QCOMPARE(
            recording.steps(),
            QStringLiteral("{ thread: main },\n{ command: thread.previous-checkpoint },\n{ node: plan }"));
    }

    void whatIsOnlyPassedIsNoStep()
    {
        Recording recording;
        recording.recorder.noteCommand(QStringLiteral("view.a"));
        recording.choose([](auto& chosen) { chosen.checkpoint = 1; });
        recording.choose([](auto& chosen) { chosen.checkpoint = 2; });
        recording.choose([](auto& chosen) { chosen.node = "a"; });
        recording.choose([](auto& chosen) { chosen = { "other", MacroHead(), "a" }; });
        QCOMPARE(recording.steps(),
                 QStringLiteral("{ thread: main },\n{ command: view.a },\n{ checkpoint: 2, node: a },\n"
                                "{ thread: other }"));
    }

    void aRunIsWaitedFor()
    {
        Recording recording;
        recording.recorder.noteRun(QStringLiteral("main"), QStringLiteral("{\"value\": 1}"));
        recording.recorder.noteCommand(QStringLiteral("run.start"));
        recording.recorder.noteRunStarted();
        recording.recorder.noteRunEnded(sg::RunStatus::Done);
        QCOMPARE(recording.steps(),
                 QStringLiteral("{ thread: main },\n{ input: {value: 1}, command: run.start, "
                                "wait: run }"));
    }

    void aWaitAfterMoreIsAStepOfItsOwn()
    {
        Recording recording;
        recording.recorder.noteRun(QStringLiteral("new"), QStringLiteral("{}"));
        recording.recorder.noteCommand(QStringLiteral("run.start"));
        recording.recorder.noteRunStarted();
        recording.recorder.noteCommand(QStringLiteral("run.stop"));
        recording.recorder.noteRunEnded(sg::RunStatus::Stopped);
        QCOMPARE(recording.steps(),
                 QStringLiteral("{ thread: main },\n{ thread: new, input: {}, command: run.start },\n"
                                "{ command: run.stop },\n{ wait: run, expect: stopped }"));
    }
};

SG_CORE_TEST(TestMacroRecorder)
#include "tst_macro_recorder.moc"
