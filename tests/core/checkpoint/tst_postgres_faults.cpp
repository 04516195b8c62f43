#include "core/checkpoint/memory_checkpoint_store.h"
#include "core/checkpoint/postgres_checkpoint_store.h"
#include "tests/conformance/checkpoint/store_fixture.h"
#include "tests/support/machine.h"
#include "tests/support/postgres_server.h"
#include "tests/support/swallowing_proxy.h"
#include "tests/support/test_main.h"

#include <QElapsedTimer>

#include <chrono>
#include <thread>

using namespace sg;
using namespace sg::checkpoint;
using namespace sg::checkpoint::conformance;

class TestPostgresFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void refusesTablesOfOthers_data();
    void refusesTablesOfOthers();
    void readsButDoesNotChangeNewerTables();
    void completesTablesOfAnOlderLangGraph();
    void hostileRows_data();
    void hostileRows();
    void goesOnAfterARestart();
    void goesOnWhenItsSessionsAreEnded();
    void givesUpOnAServerThatStaysAway();
    void aTransactionIsWholeWhateverHappens();
    void oneRunAThread();
    void aTakenThreadIsNotWritten();
    void aLostLockIsTakenAgain();
    void aDeafSessionIsEndedAndFollowed();
    void aThreadOfAnotherSchemaIsAnother();
    void aStatementHasItsTime();
    void refusesHostileNames();

private:
    using Opened = Result<std::unique_ptr<CheckpointStore>>;
    Opened open(const std::string& database, const PostgresStoreOptions& options = {})
    {
        return openPostgresCheckpointStore(m_server->address(database), makeMemoryCheckpointStore(), options);
    }
    std::string fresh() { return "test" + std::to_string(++m_count); }
    void endSessions(const std::string& database)
    {
        m_server->sql("postgres",
                      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + database
                          + "'");
    }

    std::unique_ptr<test::PostgresServer> m_server;
    int m_count = 0;
};

void TestPostgresFaults::initTestCase()
{
    SG_NEED("postgres");
    m_server = std::make_unique<test::PostgresServer>();
}

void TestPostgresFaults::refusesTablesOfOthers_data()
{
    QTest::addColumn<std::string>("sql");
    QTest::newRow("other columns") << std::string("CREATE TABLE checkpoints (id int)");
    QTest::newRow("other type") << std::string(
        "CREATE TABLE checkpoint_blobs (thread_id text, checkpoint_ns text, channel text, version text,"
        " type text, blob text)");
    QTest::newRow("writes") << std::string("CREATE TABLE checkpoint_writes (thread_id text)");
}

void TestPostgresFaults::refusesTablesOfOthers()
{
    QFETCH(std::string, sql);
    const std::string database = fresh();
    static_cast<void>(m_server->address(database));
    m_server->sql(database, sql);
    for (const bool readOnly : { true, false }) {
        PostgresStoreOptions options;
        options.readOnly = readOnly;
        const auto store = open(database, options);
        QVERIFY(!store);
        QCOMPARE(store.error().code, Errc::InvalidArgument);
        QVERIFY2(store.error().message.find("another program's") != std::string::npos,
                 store.error().message.c_str());
    }
    QCOMPARE(m_server->sql(database, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"),
             std::string("1"));
}

void TestPostgresFaults::readsButDoesNotChangeNewerTables()
{
    const std::string database = fresh();
    {
        const auto store = open(database);
        SG_VERIFY_OK(store);
        SG_VERIFY_OK((*store)->put(refOf("t", "1"), {}, checkpointOf("1"), metadataOf(0)));
    }
    m_server->sql(database, "INSERT INTO checkpoint_migrations VALUES (12)");
    const auto refused = open(database);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, Errc::Unsupported);
    PostgresStoreOptions options;
    options.readOnly = true;
    const auto store = open(database, options);
    SG_VERIFY_OK(store);
    QCOMPARE(listed(**store, {}), std::string("t/1"));
}

void TestPostgresFaults::completesTablesOfAnOlderLangGraph()
{
    const std::string database = fresh();
    SG_VERIFY_OK(open(database));
    m_server->sql(database,
                  "ALTER TABLE checkpoint_writes DROP COLUMN task_path;"
                  "DROP INDEX checkpoint_writes_thread_id_idx;"
                  "DELETE FROM checkpoint_migrations WHERE v > 7");
    const auto store = open(database);
    SG_VERIFY_OK(store);
    SG_VERIFY_OK((*store)->put(refOf("t", "1"), {}, checkpointOf("1"), metadataOf(0)));
    SG_VERIFY_OK((*store)->putWrites(refOf("t", "1"), { writeOf("a", "x", 1, "~p") }));
    QCOMPARE(writesOf(**store, refOf("t", "1")), std::string("a[0] x=1"));
    QCOMPARE(m_server->sql(database, "SELECT max(v), count(*) FROM checkpoint_migrations"),
             std::string("9|10"));
    QCOMPARE(m_server->sql(database, "SELECT count(*) FROM pg_indexes WHERE indexname LIKE '%thread_id_idx'"),
             std::string("3"));
}

void TestPostgresFaults::hostileRows_data()
{
    QTest::addColumn<std::string>("sql");
    QTest::addColumn<std::string>("problem");
    const auto row = [](const char* name, const char* sql, const char* problem) {
        QTest::newRow(name) << std::string(sql) << std::string(problem);
    };
    row("no map", "UPDATE checkpoints SET checkpoint = '[1]'", "the checkpoint is no map");
    row("a text", "UPDATE checkpoints SET checkpoint = '\"x\"'", "the checkpoint is no map");
    row("versions of another type",
        "UPDATE checkpoints SET checkpoint = jsonb_set(checkpoint, '{channel_versions}', '5')", "");
    row("values of another type",
        "UPDATE checkpoints SET checkpoint = jsonb_set(checkpoint, '{channel_values}', '[1, 2]')", "");
    row("a version that is a word",
        "UPDATE checkpoints SET checkpoint = jsonb_set(checkpoint, '{v}', '\"x\"')", "");
    row("metadata of another type", "UPDATE checkpoints SET metadata = '[]'",
        "its metadata is no JSON object");
    row("broken blob", "UPDATE checkpoint_blobs SET blob = '\\xc1'", "the value of channel 'l'");
    row("blob without bytes", "UPDATE checkpoint_blobs SET blob = NULL", "the value of channel 'l'");
    row("empty", "UPDATE checkpoint_blobs SET blob = NULL, type = 'empty'", "");
    row("a pickle", "UPDATE checkpoint_blobs SET type = 'pickle'", "");
    row("broken write", "UPDATE checkpoint_writes SET blob = '\\xc1'", "a write of task a to x");
    row("nested too deep",
        "UPDATE checkpoints SET checkpoint = jsonb_set(checkpoint, '{channel_values,x}',"
        " (repeat('[', 2000) || repeat(']', 2000))::jsonb)",
        "the checkpoint is no JSON");
}

void TestPostgresFaults::hostileRows()
{
    QFETCH(std::string, sql);
    QFETCH(std::string, problem);
    const std::string database = fresh();
    const auto store = open(database);
    SG_VERIFY_OK(store);
    SG_VERIFY_OK((*store)->put(refOf("t", "1"), {}, checkpointOf("1", { { "l", Value::list({ 1 }) } }),
                               metadataOf(0)));
    SG_VERIFY_OK((*store)->putWrites(refOf("t", "1"), { writeOf("a", "x", 1) }));
    m_server->sql(database, sql);
    const auto record = (*store)->get(ThreadId("t"), "", {});
    std::string listedProblem = "none was listed";
    SG_VERIFY_OK((*store)->list({}, [&](const CheckpointRecord& each) {
        listedProblem = each.problem;
        return true;
    }));
    SG_VERIFY_OK((*store)->threads());
    if (problem.empty()) {
        SG_VERIFY_OK(record);
        QCOMPARE(listedProblem, std::string());
    } else {
        QVERIFY(!record);
        QVERIFY2(record.error().message.find(problem) != std::string::npos, record.error().message.c_str());
        QVERIFY2(record.error().message.find("checkpoint 1 of thread t") != std::string::npos,
                 record.error().message.c_str());
        QCOMPARE(listedProblem, record.error().message);
    }
}

void TestPostgresFaults::goesOnAfterARestart()
{
    const std::string database = fresh();
    const auto store = open(database);
    SG_VERIFY_OK(store);
    SG_VERIFY_OK((*store)->put(refOf("t", "1"), {}, checkpointOf("1"), metadataOf(0)));
    m_server->stop(SIGINT);
    Result<void> done;
    std::jthread writer(
        [&] { done = (*store)->put(refOf("t", "2"), CheckpointId("1"), checkpointOf("2"), metadataOf(1)); });
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    m_server->start(); // by this thread: the server ends with the one that started it
    writer.join();
    SG_VERIFY_OK(done);
    QCOMPARE(listed(**store, {}), std::string("t/2 t/1"));
}

void TestPostgresFaults::goesOnWhenItsSessionsAreEnded()
{
    const std::string database = fresh();
    const auto store = open(database);
    SG_VERIFY_OK(store);
    for (const char* id : { "1", "2", "3" }) {
        SG_VERIFY_OK((*store)->put(refOf("t", id), {}, checkpointOf(id), metadataOf(0)));
        endSessions(database);
        QVERIFY(!listed(**store, {}).starts_with("error"));
        endSessions(database);
    }
    QCOMPARE(listed(**store, {}), std::string("t/3 t/2 t/1"));
}

void TestPostgresFaults::givesUpOnAServerThatStaysAway()
{
    const std::string database = fresh();
    PostgresStoreOptions options;
    options.reconnectMs = 300;
    const auto store = open(database, options);
    SG_VERIFY_OK(store);
    m_server->stop(SIGINT);
    const auto put = (*store)->put(refOf("t", "1"), {}, checkpointOf("1"), metadataOf(0));
    const auto got = (*store)->get(ThreadId("t"), "", {});
    const auto none = open("postgres", options);
    QElapsedTimer further;
    further.start();
    for (int i = 0; i < 10; ++i) { // the time is spent: nobody waits for a server that stays away
        QVERIFY(!(*store)->put(refOf("t", "1"), {}, checkpointOf("1"), metadataOf(0)));
        QVERIFY(!(*store)->get(ThreadId("t"), "", {}));
    }
    QVERIFY2(further.elapsed() < 3000, std::to_string(further.elapsed()).c_str()); // 20 waits are 6 s
    m_server->start();
    QVERIFY2(none.error().message.ends_with("Start the server, or correct the address"),
             none.error().message.c_str());
    for (const Error* error : { &put.error(), &got.error(), &none.error() }) {
        QCOMPARE(error->code, Errc::Io);
        QVERIFY2(error->message.find('\t') == std::string::npos, error->message.c_str());
        QVERIFY2(error->message.find("postgresql:") != std::string::npos, error->message.c_str());
    }
    SG_VERIFY_OK((*store)->put(refOf("t", "1"), {}, checkpointOf("1"), metadataOf(0)));
}

// The session ends within a transaction: before it has sent anything, and after it has read its own writes.
void TestPostgresFaults::aTransactionIsWholeWhateverHappens()
{
    for (const bool reads : { false, true }) {
        const std::string database = fresh();
        const auto store = open(database);
        SG_VERIFY_OK(store);
        const auto done = (*store)->together([&]() -> Result<void> {
            if (auto put = (*store)->put(refOf("t", "1"), {}, checkpointOf("1"), metadataOf(0)); !put)
                return put;
            if (reads && listed(**store, {}) != "t/1")
                return Error{ Errc::Io, "not seen" };
            endSessions(database);
            return (*store)->putWrites(refOf("t", "1"), { writeOf("a", "x", 1) });
        });
        SG_VERIFY_OK(done);
        QCOMPARE(listed(**store, {}), std::string("t/1"));
        QCOMPARE(writesOf(**store, refOf("t", "1")), std::string("a[0] x=1"));
    }
}

void TestPostgresFaults::oneRunAThread()
{
    const std::string database = fresh();
    const auto one = open(database);
    const auto other = open(database);
    SG_VERIFY_OK(one);
    SG_VERIFY_OK(other);
    auto held = (*one)->hold(ThreadId("t"));
    SG_VERIFY_OK(held);
    for (const auto* store : { &one, &other }) {
        const auto again = (**store)->hold(ThreadId("t"));
        QVERIFY(!again);
        QCOMPARE(again.error().code, Errc::Conflict);
        QVERIFY((**store)->isHeld(ThreadId("t")));
        QVERIFY(!(**store)->isHeld(ThreadId("u")));
    }
    SG_VERIFY_OK((*other)->hold(ThreadId("u")));
    held->reset();
    SG_VERIFY_OK((*other)->hold(ThreadId("t")));
}

void TestPostgresFaults::aTakenThreadIsNotWritten()
{
    const std::string database = fresh();
    const auto one = open(database);
    const auto other = open(database);
    SG_VERIFY_OK(one);
    SG_VERIFY_OK(other);
    const auto held = (*one)->hold(ThreadId("t"));
    SG_VERIFY_OK(held);
    SG_VERIFY_OK((*one)->put(refOf("t", "1"), {}, checkpointOf("1"), metadataOf(0)));
    endSessions(database);
    {
        const auto taken = (*other)->hold(ThreadId("t"));
        SG_VERIFY_OK(taken);
        SG_VERIFY_OK((*other)->put(refOf("t", "2"), CheckpointId("1"), checkpointOf("2"), metadataOf(1)));
    }
    const auto put = (*one)->put(refOf("t", "3"), CheckpointId("1"), checkpointOf("3"), metadataOf(1));
    QVERIFY(!put);
    QCOMPARE(put.error().code, Errc::Conflict);
    QCOMPARE(listed(**one, {}), std::string("t/2 t/1"));
    SG_VERIFY_OK((*one)->put(refOf("u", "1"), {}, checkpointOf("1"), metadataOf(0))); // another thread
}

void TestPostgresFaults::aLostLockIsTakenAgain()
{
    const std::string database = fresh();
    const auto one = open(database);
    const auto other = open(database);
    SG_VERIFY_OK(one);
    SG_VERIFY_OK(other);
    const auto held = (*one)->hold(ThreadId("t"));
    SG_VERIFY_OK(held);
    endSessions(database);
    SG_VERIFY_OK((*one)->put(refOf("t", "1"), {}, checkpointOf("1"), metadataOf(0)));
    QVERIFY((*other)->isHeld(ThreadId("t")));
    QVERIFY(!(*other)->hold(ThreadId("t")));
}

// The network drops what the server answers: the old session lives on there, with its lock.
void TestPostgresFaults::aDeafSessionIsEndedAndFollowed()
{
    const std::string database = fresh();
    static_cast<void>(m_server->address(database));
    test::SwallowingProxy proxy((m_server->folder() / ".s.PGSQL.5432").string(), ".s.PGSQL.5432");
    PostgresStoreOptions options;
    options.statementTimeoutMs = 1500; // and 5 s beyond it until a session is given up
    options.reconnectMs = 4000; // less than it takes to notice
    const auto one = openPostgresCheckpointStore(
        "postgresql://tester@/" + database + "?host=" + proxy.folder(), makeMemoryCheckpointStore(), options);
    SG_VERIFY_OK(one);
    const auto held = (*one)->hold(ThreadId("t"));
    SG_VERIFY_OK(held);
    SG_VERIFY_OK((*one)->put(refOf("t", "1"), {}, checkpointOf("1"), metadataOf(0)));
    proxy.swallow();
    SG_VERIFY_OK((*one)->put(refOf("t", "2"), CheckpointId("1"), checkpointOf("2"), metadataOf(1)));
    QCOMPARE(listed(**one, {}), std::string("t/2 t/1"));
    const auto other = open(database);
    SG_VERIFY_OK(other);
    QVERIFY(!(*other)->hold(ThreadId("t"))); // the lock is held again
    QCOMPARE(m_server->sql("postgres", "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"),
             std::string("1"));
}

void TestPostgresFaults::aThreadOfAnotherSchemaIsAnother()
{
    const std::string database = fresh();
    static_cast<void>(m_server->address(database));
    m_server->sql(database, "CREATE SCHEMA flows");
    const auto one = open(database);
    const auto other = openPostgresCheckpointStore(
        m_server->address(database) + "&options=-csearch_path%3Dflows", makeMemoryCheckpointStore(), {});
    SG_VERIFY_OK(one);
    SG_VERIFY_OK(other);
    const auto held = (*one)->hold(ThreadId("t"));
    SG_VERIFY_OK(held);
    QVERIFY(!(*other)->isHeld(ThreadId("t")));
    SG_VERIFY_OK((*other)->hold(ThreadId("t")));
}

void TestPostgresFaults::aStatementHasItsTime()
{
    const std::string database = fresh();
    PostgresStoreOptions options;
    options.statementTimeoutMs = 300;
    const auto slow = open(database, options);
    const auto other = open(database);
    SG_VERIFY_OK(slow);
    SG_VERIFY_OK(other);
    const auto done = (*other)->together([&]() -> Result<void> {
        if (auto put = (*other)->put(refOf("t", "1"), {}, checkpointOf("1"), metadataOf(0)); !put)
            return put;
        if (listed(**other, {}) != "t/1") // its row is locked from here on
            return Error{ Errc::Io, "not seen" };
        const auto waits = (*slow)->put(refOf("t", "1"), {}, checkpointOf("1"), metadataOf(5));
        return waits ? Error{ Errc::Io, "it did not wait" } : waits;
    });
    QVERIFY(!done);
    QCOMPARE(done.error().code, Errc::Timeout);
    SG_VERIFY_OK((*slow)->put(refOf("t", "1"), {}, checkpointOf("1"), metadataOf(5)));
}

void TestPostgresFaults::refusesHostileNames()
{
    const auto store = open(fresh());
    SG_VERIFY_OK(store);
    for (const std::string& name : { std::string("a\0b", 3), std::string("\xFF") }) {
        const auto put =
            (*store)->put({ ThreadId(name), "", CheckpointId("1") }, {}, checkpointOf("1"), metadataOf(0));
        QVERIFY(!put);
        QCOMPARE(put.error().code, Errc::InvalidArgument);
    }
    const std::string quotes = "'; DROP TABLE checkpoints; --";
    SG_VERIFY_OK(
        (*store)->put({ ThreadId(quotes), "", CheckpointId("1") }, {}, checkpointOf("1"), metadataOf(0)));
    QCOMPARE(listed(**store, {}), quotes + "/1");
}

SG_CORE_TEST(TestPostgresFaults)
#include "tst_postgres_faults.moc"
