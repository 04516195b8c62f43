#include "core/checkpoint/memory_checkpoint_store.h"
#include "core/runs/run_recorder.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::engine;
using runs::RunRecorder;

namespace {

const ThreadId kThread("t");
const RunId kRun("r");

RunEvent eventOf(RunEventBody body)
{
    RunEvent made;
    made.time = WallTime(std::chrono::seconds(1'795'248'000));
    made.thread = kThread;
    made.run = kRun;
    made.body = std::move(body);
    return made;
}

TaskFinished finished(const std::string& task, const std::string& checkpoint, TaskFinished::Outcome outcome,
                      const std::string& error = {})
{
    TaskFinished body{ { TaskId(task), NodeId("n"), "sub:1", 1, CheckpointId(checkpoint),
                         WallTime(std::chrono::seconds(1'795'247'000)), 2 } };
    body.seconds = 0.5;
    body.outcome = outcome;
    body.error = error;
    return body;
}

} // namespace

class TestRunRecorder : public QObject {
    Q_OBJECT

    std::unique_ptr<checkpoint::CheckpointStore> m_store;

private Q_SLOTS:
    void init()
    {
        m_store = checkpoint::makeMemoryCheckpointStore();
        checkpoint::RunRecord run;
        run.id = kRun;
        run.thread = kThread;
        SG_VERIFY_OK(m_store->runLog().startRun(run));
    }

    void writesTasksWithWhatTheyStartedFrom()
    {
        RunRecorder recorder(m_store->runLog());
        recorder.record(eventOf(finished("a", "c1", TaskFinished::Outcome::Done)));
        recorder.record(eventOf(finished("b", "c0", TaskFinished::Outcome::Failed, "ValueError: boom")));
        recorder.record(eventOf(finished("c", "c2", TaskFinished::Outcome::Stopped)));
        recorder.flush();
        auto tasks = m_store->runLog().tasksOf(kThread);
        SG_VERIFY_OK(tasks);
        QCOMPARE(tasks->size(), std::size_t(3));
        std::string text;
        for (const checkpoint::TaskRecord& task : *tasks)
            text += task.task.value + " " + task.checkpoint.id.value + " " + taskOutcomeName(task.outcome)
                + " " + std::to_string(task.attempt) + " " + task.error + ";";
        QCOMPARE(text, std::string("b c0 failed 2 ValueError: boom;a c1 done 2 ;c c2 interrupted 2 ;"));
        QCOMPARE(tasks->front().checkpoint.ns, std::string("sub:1"));
        QVERIFY(tasks->front().startedAt == WallTime(std::chrono::seconds(1'795'247'000)));
    }

    void keepsOutputInOrderAndByteForByte()
    {
        const std::string bytes("\x1b[0m\xff\0end", 9);
        {
            RunRecorder recorder(m_store->runLog());
            for (int i = 0; i < 5000; ++i) // more than one batch
                recorder.record(eventOf(
                    LogLine{ TaskId("a"), NodeId("n"), 1, LogLine::Stream::Stdout, std::to_string(i) }));
            recorder.record(eventOf(LogLine{ TaskId("a"), NodeId("n"), 1, LogLine::Stream::Stderr, bytes }));
        } // the end of the recorder writes what is left
        auto log = m_store->runLog().logOf(kRun, 0, 10'000);
        SG_VERIFY_OK(log);
        QCOMPARE(log->size(), std::size_t(5001));
        for (std::size_t i = 0; i < 5000; ++i)
            QCOMPARE((*log)[i].bytes, std::to_string(i));
        QCOMPARE(log->back().bytes, bytes);
        QCOMPARE(log->back().stream, std::string("stderr"));
    }
};

SG_TEST(TestRunRecorder)
#include "tst_run_recorder.moc"
