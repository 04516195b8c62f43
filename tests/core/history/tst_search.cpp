// A query finds what is in a database, and what is kept between questions follows what is written.

#include "core/base/clock.h"
#include "core/base/uuid.h"
#include "core/history/database.h"
#include "core/history/search.h"
#include "core/history/search_log.h"
#include "core/sqlite/db.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

using namespace sg;
using history::Database;
using history::Search;

namespace {

class Stored {
public:
    Stored()
        : m_database(std::move(*Database::open(file(), Database::Access::ReadWrite)))
    {
    }
    [[nodiscard]] std::filesystem::path file() const { return m_folder / "c.sqlite"; }
    history::History& history() { return m_database->history(); }

    CheckpointId add(const std::string& thread, std::int64_t step,
                     const std::optional<CheckpointId>& parent = {})
    {
        checkpoint::Checkpoint made;
        made.id = CheckpointId(m_ids.next(step));
        made.timestamp = isoTime(m_clock.now());
        made.channelValues.set("n", Value(step));
        made.channelVersions.set("n", Value(step + 1));
        if (!m_database->store().put({ ThreadId(thread), "", made.id }, parent, made,
                                     { step < 0 ? "input" : "loop", step, {}, {} }))
            qFatal("not stored");
        return made.id;
    }
    void task(const std::string& thread, const CheckpointId& at, std::int64_t step, const std::string& node,
              const std::string& outcome, const std::string& error = {})
    {
        checkpoint::TaskRecord task;
        task.checkpoint = { ThreadId(thread), "", at };
        task.task = TaskId("task-" + node + at.value);
        task.node = NodeId(node);
        task.step = step;
        task.attempt = 1;
        task.startedAt = m_clock.now();
        task.seconds = 0.5;
        task.outcome = taskOutcomeNamed(outcome);
        task.error = error;
        if (!m_database->log().addTasks({ task }))
            qFatal("not recorded");
    }
    void run(const std::string& thread, const std::string& id, const std::string& status,
             const std::vector<std::string>& output)
    {
        checkpoint::RunRecord record;
        record.id = RunId(id);
        record.thread = ThreadId(thread);
        record.graph = "g";
        record.startedAt = m_clock.now();
        if (!m_database->log().startRun(record))
            qFatal("no run");
        std::vector<checkpoint::LogRecord> pieces;
        for (const std::string& bytes : output)
            pieces.push_back(
                { 0, RunId(id), m_clock.now(), TaskId("t1"), NodeId("agent"), 2, "stdout", bytes });
        if (!m_database->log().addLog(pieces)
            || !m_database->log().finishRun(RunId(id), m_clock.now(), runStatusNamed(status), "", 2))
            qFatal("no log");
    }
    void sql(const std::string& text) const
    {
        auto db = sqlite::Db::open(file());
        if (!db || !db->exec(text))
            qFatal("not changed");
    }

private:
    test::TempDir m_folder;
    std::unique_ptr<Database> m_database;
    SystemClock m_clock;
    SystemRandom m_random;
    Uuid6Source m_ids{ m_clock, m_random };
};

// "task alice 3 agent failed"
QString found(Search& search, const std::string& text, std::size_t limit = 100)
{
    const auto parsed = query::parse(text);
    auto answer = search.find(std::get<query::Query>(parsed), {}, limit);
    if (!answer)
        return QString::fromStdString(answer.error().message);
    QStringList lines;
    for (const history::SearchHit& hit : answer->hits) {
        const char* kinds[] = { "run", "checkpoint", "task", "log" };
        lines << QString::fromStdString(std::string(kinds[static_cast<int>(hit.kind)]) + ' '
                                        + hit.thread.value + ' ' + std::to_string(hit.step) + ' ' + hit.node
                                        + ' ' + hit.status)
                     .trimmed();
    }
    if (answer->found > static_cast<std::int64_t>(answer->hits.size()))
        lines << QStringLiteral("of %1").arg(answer->found);
    return lines.join(QLatin1Char('\n'));
}

} // namespace

class TestSearch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void findsRunsTasksCheckpointsAndLines()
    {
        Stored stored;
        const CheckpointId a = stored.add("alice", -1);
        const CheckpointId b = stored.add("alice", 0, a);
        stored.task("alice", a, 0, "load", "done");
        stored.task("alice", b, 1, "agent", "failed", "TimeoutError: no answer");
        stored.add("bob", -1);
        stored.run("alice", "run-1", "failed", { "waiting for a ti", "meout\nsecond", " line\n" });
        Search search(stored.history(), stored.file());
        QCOMPARE(found(search, "status:failed node:agent step:>0 \"timeout\""),
                 QStringLiteral("task alice 1 agent failed"));
        QCOMPARE(found(search, "timeout"),
                 QStringLiteral("task alice 1 agent failed\nlog alice 2 agent stdout"));
        QCOMPARE(found(search, "is:log second"), QStringLiteral("log alice 2 agent stdout"));
        QCOMPARE(found(search, "is:run status:failed"), QStringLiteral("run alice 2  failed"));
        QCOMPARE(found(search, "is:checkpoint thread:bob"), QStringLiteral("checkpoint bob -1"));
        QCOMPARE(found(search, "is:checkpoint step:0"), QStringLiteral("checkpoint alice 0"));
        QCOMPARE(found(search, "is:checkpoint thread:alice", 1), QStringLiteral("checkpoint alice 0\nof 2"));
        // Threads behind the one that filled the answer are counted.
        QCOMPARE(found(search, "is:checkpoint", 1).section(QLatin1Char('\n'), 1), QStringLiteral("of 3"));
        QCOMPARE(found(search, "is:checkpoint", 0), QStringLiteral("of 3"));
        const auto words = search.vocabulary();
        QCOMPARE(words->nodes, (std::vector<std::string>{ "agent", "load" }));
        QCOMPARE(words->threads.size(), std::size_t(2));
        const auto line = search.find(std::get<query::Query>(query::parse("is:log timeout")), {}, 10);
        QCOMPARE(line->hits.front().checkpoint, b.value); // the step before the one that printed it
        QCOMPARE(line->hits.front().text, std::string("waiting for a timeout"));
    }

    void followsWhatIsWritten()
    {
        Stored stored;
        const CheckpointId a = stored.add("t", -1);
        const CheckpointId b = stored.add("t", 0, a);
        Search search(stored.history(), stored.file());
        QCOMPARE(found(search, "is:task"), QStringLiteral(""));
        QCOMPARE(found(search, "is:checkpoint"), QStringLiteral("checkpoint t -1\ncheckpoint t 0"));
        stored.task("t", b, 1, "plan", "done");
        QCOMPARE(found(search, "is:task"), QStringLiteral("task t 1 plan done")); // of the newest
        stored.add("t", 1, b);
        stored.task("t", a, 0, "again", "failed"); // of the past
        QCOMPARE(found(search, "is:task"), QStringLiteral("task t 0 again failed\ntask t 1 plan done"));
        QCOMPARE(found(search, "is:checkpoint step:>=1"), QStringLiteral("checkpoint t 1"));
        stored.sql("DELETE FROM checkpoints WHERE checkpoint_id = '" + a.value + "'");
        QCOMPARE(found(search, "is:checkpoint"), QStringLiteral("checkpoint t 0\ncheckpoint t 1"));
        stored.sql("DELETE FROM checkpoints; DELETE FROM sandglass_tasks");
        QCOMPARE(found(search, ""), QStringLiteral(""));
    }

    void isStopped()
    {
        Stored stored;
        stored.add("t", -1);
        Search search(stored.history(), stored.file());
        std::stop_source stop;
        stop.request_stop();
        const auto answer = search.find({}, {}, 10, stop.get_token());
        QVERIFY(!answer);
        QCOMPARE(answer.error().code, Errc::Cancelled);
    }

    // Steps that were read when it was stopped stay, and the rest follows.
    void readingTheHistoryIsStopped()
    {
        Stored stored;
        const CheckpointId a = stored.add("t", -1);
        auto changes = checkpoint::ThreadChanges::open(stored.file());
        auto pages = history::HistoryPages::open(stored.file());
        QVERIFY(changes && pages);
        history::ThreadFacts facts;
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(facts.refresh(ThreadId("t"), *changes, *pages, stop.get_token()).error().code,
                 Errc::Cancelled);
        QVERIFY(facts.refresh(ThreadId("t"), *changes, *pages));
        QCOMPARE(facts.checkpoints.size(), std::size_t(1));
        stored.add("t", 0, a);
        QVERIFY(!facts.refresh(ThreadId("t"), *changes, *pages, stop.get_token()));
        QVERIFY(facts.refresh(ThreadId("t"), *changes, *pages));
        QCOMPARE(facts.checkpoints.size(), std::size_t(2));
    }

    void keepsFewLinesThatDoNotEnd()
    {
        std::vector<std::string> lines;
        history::LogLines joined(
            [&lines](const checkpoint::LogRecord&, const std::string& line) { lines.push_back(line); });
        const auto add = [&joined](int task, const std::string& bytes) {
            joined.add(
                { task, RunId("r"), {}, TaskId(std::to_string(task)), NodeId("n"), 0, "stdout", bytes });
        };
        for (int task = 0; task < 1000; ++task)
            add(task, "line\n");
        QCOMPARE(lines.size(), std::size_t(1000));
        for (int task = 0; task < 1000; ++task)
            add(task, "begins " + std::to_string(task));
        QVERIFY(lines.size() >= 1500); // most have been given up to the rest
        QCOMPARE(lines[1000], std::string("begins 0")); // the oldest first
        joined.finish();
        QCOMPARE(lines.size(), std::size_t(2000));
    }

    void whatASessionSaysIsALineOfItsOwn()
    {
        std::string lines;
        history::LogLines joined(
            [&lines](const checkpoint::LogRecord&, const std::string& line) { lines += line + "|"; });
        for (const char* said : { "it started", "it was brought back" })
            joined.add({ 1, RunId("r"), {}, TaskId("t"), NodeId("n"), 0, "event", said });
        QCOMPARE(lines, std::string("it started|it was brought back|"));
    }

    void answersSql()
    {
        Stored stored;
        const CheckpointId a = stored.add("t", -1);
        stored.task("t", a, 0, "plan", "failed", "why");
        stored.run("t", "r", "done", { "hello\n" });
        Search search(stored.history(), stored.file());
        auto answer = search.sql("SELECT thread_id, checkpoint_id, node FROM tasks WHERE outcome = 'failed'");
        QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
        QCOMPARE(answer->checkpoints.size(), std::size_t(1));
        QCOMPARE(answer->checkpoints.front().second, a.value);
        QCOMPARE(search.sql("SELECT step, source FROM steps")->table.rows.front().at(1).text,
                 std::string("input"));
        QCOMPARE(search.sql("SELECT thread_id, text FROM log")->table.rows.front().at(1).text,
                 std::string("hello\n"));
        QCOMPARE(search.sql("SELECT status, seconds >= 0 FROM runs")->table.rows.front().at(0).text,
                 std::string("done"));
        QCOMPARE(search.sql("DROP VIEW tasks").error().code, Errc::PermissionDenied);
    }
};

SG_TEST(TestSearch)
#include "tst_search.moc"
