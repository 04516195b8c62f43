#pragma once

#include "tests/conformance/checkpoint/store_fixture.h"

namespace sg::checkpoint::conformance {

inline RunRecord runOf(std::string_view id, std::string_view thread, int second)
{
    RunRecord run;
    run.id = RunId(std::string(id));
    run.thread = ThreadId(std::string(thread));
    run.graph = "counter";
    run.startedAt = WallTime(std::chrono::seconds(1'795'248'000 + second));
    run.status = RunStatus::Running;
    return run;
}

inline std::string runIds(const Result<std::vector<RunRecord>>& runs)
{
    std::string text;
    for (const RunRecord& run : *runs)
        text += (text.empty() ? "" : " ") + run.id.value + ":" + runStatusName(run.status);
    return text;
}

inline void remembersRuns(CheckpointStore& store)
{
    RunLog& log = store.runLog();
    SG_VERIFY_OK(log.runs(ThreadId("a")));
    QCOMPARE(runIds(log.lastRuns()), std::string());
    SG_VERIFY_OK(log.startRun(runOf("r1", "a", 1)));
    SG_VERIFY_OK(log.startRun(runOf("r3", "a", 3)));
    SG_VERIFY_OK(log.startRun(runOf("r2", "b", 2)));
    const WallTime end = runOf("", "", 5).startedAt + std::chrono::microseconds(7);
    SG_VERIFY_OK(log.finishRun(RunId("r1"), end, RunStatus::Failed, "it broke", 4));
    QCOMPARE(runIds(log.runs(ThreadId("a"))), std::string("r3:running r1:failed"));
    QCOMPARE(runIds(log.lastRuns()), std::string("r3:running r2:running"));
    const auto runs = log.runs(ThreadId("a"));
    const RunRecord& run = runs->back();
    QCOMPARE(run.graph, std::string("counter"));
    QVERIFY(run.startedAt == runOf("", "", 1).startedAt);
    QVERIFY(run.finishedAt == end);
    QCOMPARE(run.error, std::string("it broke"));
    QCOMPARE(run.supersteps, std::int64_t(4));
    QVERIFY(!runs->front().finishedAt);
}

inline void remembersTasks(CheckpointStore& store)
{
    RunLog& log = store.runLog();
    TaskRecord task;
    task.checkpoint = refOf("a", "1", "sub:1");
    task.task = TaskId("t1");
    task.node = NodeId("n");
    task.step = 2;
    task.startedAt = runOf("", "", 9).startedAt;
    task.seconds = 0.25;
    task.outcome = TaskOutcome::Failed;
    task.error = "ValueError";
    task.detail = "Traceback …";
    SG_VERIFY_OK(log.addTasks({ task }));
    task.startedAt += std::chrono::seconds(1);
    SG_VERIFY_OK(log.addTasks({ task }));
    task.outcome = TaskOutcome::Done;
    SG_VERIFY_OK(log.addTasks({ task })); // the same attempt
    const auto tasks = log.tasksOf(ThreadId("a"));
    SG_VERIFY_OK(tasks);
    QCOMPARE(tasks->size(), std::size_t(2));
    QVERIFY(tasks->front().outcome == TaskOutcome::Failed);
    const TaskRecord& second = tasks->back();
    QVERIFY(second.checkpoint == task.checkpoint);
    QCOMPARE(second.task.value, std::string("t1"));
    QCOMPARE(second.node.value, std::string("n"));
    QCOMPARE(second.step, std::int64_t(2));
    QCOMPARE(second.attempt, std::int64_t(2));
    QVERIFY(second.startedAt == task.startedAt);
    QCOMPARE(second.seconds, 0.25);
    QVERIFY(second.outcome == TaskOutcome::Done);
    QCOMPARE(second.error, std::string("ValueError"));
    QCOMPARE(second.detail, std::string("Traceback …"));
}

inline LogRecord logOf(std::string_view run, std::string_view bytes)
{
    LogRecord record;
    record.run = RunId(std::string(run));
    record.time = runOf("", "", 1).startedAt;
    record.task = TaskId("t");
    record.node = NodeId("n");
    record.step = 3;
    record.stream = "stdout";
    record.bytes = bytes;
    return record;
}

inline std::string logText(const Result<std::vector<LogRecord>>& records)
{
    std::string text;
    for (const LogRecord& record : *records)
        text +=
            (text.empty() ? "" : " ") + record.run.value + std::to_string(record.seq) + ":" + record.bytes;
    return text;
}

inline void remembersTheLog(CheckpointStore& store)
{
    RunLog& log = store.runLog();
    SG_VERIFY_OK(log.startRun(runOf("q", "a", 1)));
    SG_VERIFY_OK(log.startRun(runOf("r", "a", 2)));
    SG_VERIFY_OK(log.addLog({ logOf("q", "one"), logOf("q", std::string_view("\xFF\0\x1B", 3)) }));
    SG_VERIFY_OK(log.addLog({ logOf("r", "a"), logOf("q", "three"), logOf("r", "b"), logOf("r", "c") }));
    SG_VERIFY_OK(log.addLog({}));
    QCOMPARE(logText(log.logOf(RunId("r"), 0, 10)), std::string("r0:a r1:b r2:c"));
    QCOMPARE(logText(log.logOf(RunId("r"), 1, 1)), std::string("r1:b"));
    QCOMPARE(logText(log.logOf(RunId("r"), 9, 10)), std::string());
    QCOMPARE(logText(log.logOf(RunId("unknown"), 0, 10)), std::string());
    QCOMPARE(logText(log.logTail(ThreadId("a"), 4)), std::string("q2:three r0:a r1:b r2:c"));
    QCOMPARE(logText(log.logTail(ThreadId("a"), 2)), std::string("r1:b r2:c"));
    LogRecord cell = logOf(consoleRun(ThreadId("a")).value, "cell");
    cell.time -= std::chrono::seconds(1);
    SG_VERIFY_OK(log.addLog({ cell, logOf(consoleRun(ThreadId("b")).value, "of another thread") }));
    const auto all = log.logTail(ThreadId("a"), 9);
    QCOMPARE(all->size(), std::size_t(7));
    QCOMPARE(all->front().bytes, std::string("cell")); // by its time
    QCOMPARE(logText(log.logTail(ThreadId("a"), 2)), std::string("r1:b r2:c"));
    QCOMPARE(log.runs(ThreadId("a"))->size(), std::size_t(2));
    const auto bytes = log.logOf(RunId("q"), 1, 1);
    QCOMPARE(bytes->front().bytes, std::string("\xFF\0\x1B", 3));
    QCOMPARE(bytes->front().stream, std::string("stdout"));
    QCOMPARE(bytes->front().step, std::int64_t(3));
    QCOMPARE(bytes->front().node.value, std::string("n"));
    QVERIFY(bytes->front().time == runOf("", "", 1).startedAt);
}

inline void theRunLogTakesPartInTransactions(CheckpointStore& store)
{
    RunLog& log = store.runLog();
    SG_VERIFY_OK(log.startRun(runOf("r", "a", 1)));
    const RunId console = consoleRun(ThreadId("a"));
    SG_VERIFY_OK(log.addLog({ logOf("r", "kept"), logOf(console.value, "cell") }));
    const auto failed = store.together([&]() -> Result<void> {
        TaskRecord task;
        task.checkpoint = refOf("a", "1");
        const bool stored = log.addTasks({ task }) && log.addLog({ logOf("r", "lost") })
            && log.startRun(runOf("s", "a", 2)) && log.finishRun(RunId("r"), {}, RunStatus::Done, "", 1)
            && store.deleteThread(ThreadId("a"));
        return Error{ Errc::Cancelled, stored ? "on purpose" : "not stored" };
    });
    QCOMPARE(failed.error().message, std::string("on purpose"));
    QCOMPARE(runIds(log.runs(ThreadId("a"))), std::string("r:running"));
    QCOMPARE(logText(log.logOf(RunId("r"), 0, 10)), std::string("r0:kept"));
    QCOMPARE(logText(log.logOf(console, 0, 10)), std::string("console:a0:cell"));
    QCOMPARE(log.tasksOf(ThreadId("a"))->size(), std::size_t(0));

    SG_VERIFY_OK(store.deleteThread(ThreadId("a")));
    QCOMPARE(runIds(log.runs(ThreadId("a"))), std::string());
    QCOMPARE(logText(log.logOf(RunId("r"), 0, 10)), std::string());
    QCOMPARE(logText(log.logOf(console, 0, 10)), std::string());
}

} // namespace sg::checkpoint::conformance
