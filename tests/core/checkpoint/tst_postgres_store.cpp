#include "core/base/json.h"
#include "core/checkpoint/memory_checkpoint_store.h"
#include "core/checkpoint/postgres_checkpoint_store.h"
#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "tests/conformance/checkpoint_store_suite.h"
#include "tests/support/machine.h"
#include "tests/support/postgres_server.h"
#include "tests/support/test_main.h"

#include <cmath>
#include <limits>

using namespace sg;
using namespace sg::checkpoint;
using namespace sg::checkpoint::conformance;

class TestPostgresStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void suite_data();
    void suite();
    void dividesValuesAsLangGraphDoes();
    void keepsWhatJsonDoesNot();
    void sendsAnUnchangedValueOnce();
    void refusesAValueWithoutAVersion();
    void takesSendsOfOldCheckpoints();
    void copiesThreadsForReadersOfTheFile();
    void readingMakesNoTables();
    void addresses_data();
    void addresses();

private:
    std::unique_ptr<CheckpointStore> opened(const std::string& database,
                                            const PostgresStoreOptions& options = {});
    std::string fresh() { return "test" + std::to_string(++m_count); }

    std::unique_ptr<test::PostgresServer> m_server;
    int m_count = 0;
};

void TestPostgresStore::initTestCase()
{
    SG_NEED("postgres");
    m_server = std::make_unique<test::PostgresServer>();
}

std::unique_ptr<CheckpointStore> TestPostgresStore::opened(const std::string& database,
                                                           const PostgresStoreOptions& options)
{
    auto store =
        openPostgresCheckpointStore(m_server->address(database), makeMemoryCheckpointStore(), options);
    if (!store) {
        qCritical("%s", store.error().message.c_str());
        return nullptr;
    }
    return std::move(*store);
}

void TestPostgresStore::suite_data()
{
    QTest::addColumn<std::size_t>("check");
    std::size_t index = 0;
    for (const StoreCheck& check : checkpointStoreChecks()) {
        if (check.run != keepsTheOrderOfChannels)
            QTest::newRow(check.name) << index;
        ++index;
    }
}

void TestPostgresStore::suite()
{
    QFETCH(std::size_t, check);
    const auto store = opened(fresh());
    QVERIFY(store);
    checkpointStoreChecks()[check].run(*store);
}

void TestPostgresStore::dividesValuesAsLangGraphDoes()
{
    const std::string database = fresh();
    const auto store = opened(database);
    QVERIFY(store);
    const ValueMap values{ { "text", "ü" },
                           { "number", 7 },
                           { "half", 0.5 },
                           { "yes", true },
                           { "none", Value() },
                           { "list", Value::list({ 1 }) },
                           { "map", Value::map({}) },
                           { "bytes", Bytes{ std::string("\0\xFF", 2) } },
                           { "set", makeSet({ "x" }) } };
    SG_VERIFY_OK(
        store->put(refOf("t", "1"), {}, checkpointOf("1", values), metadataOf(0, { { "user", "Zoë" } })));
    SG_VERIFY_OK(store->putWrites(refOf("t", "1"), { writeOf("a", "x", Value()), writeOf("a", "y", 1) }));
    QCOMPARE(m_server->sql(database, "SELECT checkpoint->'channel_values' FROM checkpoints"),
             std::string(R"({"yes": true, "half": 0.5, "none": null, "text": "ü", "number": 7})"));
    QCOMPARE(m_server->sql(database,
                           "SELECT string_agg(channel || ' ' || type || ' ' || encode(blob, 'hex'), ','"
                           " ORDER BY channel) FROM checkpoint_blobs"),
             std::string("bytes bytes 00ff,list msgpack 9101,map msgpack 80,set msgpack "
                         "c7110093a86275696c74696e73a373657491a178"));
    QCOMPARE(
        m_server->sql(database,
                      "SELECT string_agg(channel || ' ' || type || ' ' || idx || ' ' || length(blob), ','"
                      " ORDER BY idx) FROM checkpoint_writes"),
        std::string("x null 0 0,y msgpack 1 1"));
    QCOMPARE(m_server->sql(database,
                           "SELECT type IS NULL, parent_checkpoint_id IS NULL, metadata FROM checkpoints"),
             std::string(R"(t|t|{"step": 0, "user": "Zoë", "source": "loop", "parents": {}})"));
    QCOMPARE(m_server->sql(database, "SELECT string_agg(v::text, ',' ORDER BY v) FROM checkpoint_migrations"),
             std::string("0,1,2,3,4,5,6,7,8,9"));
}

void TestPostgresStore::keepsWhatJsonDoesNot()
{
    const auto store = opened(fresh());
    QVERIFY(store);
    const ValueMap values{ { "big", 1e300 },
                           { "minus zero", -0.0 },
                           { "infinite", std::numeric_limits<double>::infinity() },
                           { "whole", 3.0 },
                           { "nul", std::string("a\0b", 3) },
                           { "broken", std::string("\xFF\xFE") },
                           { "huge", Value(std::size_t{ 18446744073709551615U }) },
                           { "tiny", 5e-324 } };
    SG_VERIFY_OK(store->put(refOf("t", "1"), {}, checkpointOf("1", values), metadataOf(0)));
    const auto record = store->get(ThreadId("t"), "", {});
    SG_VERIFY_OK(record);
    const ValueMap& found = (*record)->checkpoint.channelValues;
    QCOMPARE(Value(found), Value(values));
    for (const char* name : { "big", "minus zero", "whole", "tiny" })
        QVERIFY2(found.find(name)->isDouble(), name);
    QVERIFY(std::signbit(found.find("minus zero")->asDouble()));
}

// A superstep changes few channels; those with large values that stay are not sent again.
void TestPostgresStore::sendsAnUnchangedValueOnce()
{
    const std::string database = fresh();
    const auto store = opened(database);
    QVERIFY(store);
    const ValueMap values{ { "list", Value::list({ 1 }) } };
    SG_VERIFY_OK(store->put(refOf("t", "1"), {}, checkpointOf("1", values), metadataOf(0)));
    const std::string first = m_server->sql(database, "SELECT xmin FROM checkpoint_blobs");
    m_server->sql(database, "DELETE FROM checkpoint_blobs"); // shows that it is not sent
    SG_VERIFY_OK(store->put(refOf("t", "2"), CheckpointId("1"), checkpointOf("2", values), metadataOf(1)));
    QCOMPARE(m_server->sql(database, "SELECT count(*) FROM checkpoint_blobs"), std::string("0"));
    // Blobs of a checkpoint that is read are known to be there, or not.
    SG_VERIFY_OK(store->get(ThreadId("t"), "", {}));
    SG_VERIFY_OK(store->put(refOf("t", "3"), CheckpointId("2"), checkpointOf("3", values), metadataOf(2)));
    QCOMPARE(m_server->sql(database, "SELECT count(*) FROM checkpoint_blobs"), std::string("1"));
}

void TestPostgresStore::refusesAValueWithoutAVersion()
{
    const auto store = opened(fresh());
    QVERIFY(store);
    Checkpoint checkpoint = checkpointOf("1", { { "list", Value::list({ 1 }) } });
    checkpoint.channelVersions = {};
    const auto done = store->put(refOf("t", "1"), {}, checkpoint, metadataOf(0));
    QVERIFY(!done);
    QCOMPARE(done.error().code, Errc::Unsupported);
    QVERIFY2(done.error().message.find("channel 'list'") != std::string::npos, done.error().message.c_str());
}

void TestPostgresStore::takesSendsOfOldCheckpoints()
{
    const std::string database = fresh();
    const auto store = opened(database);
    QVERIFY(store);
    SG_VERIFY_OK(store->put(refOf("t", "1"), {}, checkpointOf("1"), metadataOf(0)));
    SG_VERIFY_OK(store->putWrites(refOf("t", "1"), { writeOf("b", "__pregel_tasks", 2, "~b") }));
    SG_VERIFY_OK(store->putWrites(refOf("t", "1"), { writeOf("a", "__pregel_tasks", 1, "~a") }));
    SG_VERIFY_OK(store->put(refOf("t", "2"), CheckpointId("1"), checkpointOf("2"), metadataOf(1)));
    const auto sends = [&]() -> Value {
        const auto record = store->get(ThreadId("t"), "", {});
        if (!record || !*record)
            return Value("none");
        const Value* found = (*record)->checkpoint.channelValues.find("__pregel_tasks");
        return found == nullptr ? Value() : *found;
    };
    QCOMPARE(sends(), Value());
    m_server->sql(database, "UPDATE checkpoints SET checkpoint = jsonb_set(checkpoint, '{v}', '3')");
    QCOMPARE(sends(), Value::list({ 1, 2 }));
}

void TestPostgresStore::copiesThreadsForReadersOfTheFile()
{
    const test::TempDir folder;
    const std::string database = fresh();
    PostgresStoreOptions options;
    options.copies = folder / "own" / "checkpoints.sqlite";
    const auto store = opened(database, options);
    QVERIFY(store);
    const auto here = [&] {
        SqliteStoreOptions reading;
        reading.readOnly = true;
        auto file = openSqliteCheckpointStore(options.copies, reading);
        return file ? listed(**file, {}) + " / " + writesOf(**file, refOf("t", "1")) : file.error().message;
    };
    SG_VERIFY_OK(
        store->put(refOf("t", "1"), {}, checkpointOf("1", { { "l", Value::list({ 1 }) } }), metadataOf(0)));
    SG_VERIFY_OK(store->putWrites(refOf("t", "1"), { writeOf("a", "x", 1) }));
    SG_VERIFY_OK(store->put(refOf("u", "5"), {}, checkpointOf("5"), metadataOf(0)));
    SG_VERIFY_OK(store->bringHere(ThreadId("t")));
    QCOMPARE(here(), std::string("t/1 / a[0] x=1"));
    // Other programs add a write, a checkpoint, and delete.
    SG_VERIFY_OK(store->putWrites(refOf("t", "1"), { writeOf("b", "x", 2) }));
    SG_VERIFY_OK(store->put(refOf("t", "2", "sub:1"), CheckpointId("1"), checkpointOf("2"), metadataOf(1)));
    SG_VERIFY_OK(store->bringHere({}));
    QCOMPARE(here(), std::string("u/5 t/sub:1/2 t/1 / a[0] x=1 b[0] x=2"));
    m_server->sql(database,
                  "DELETE FROM checkpoints WHERE thread_id = 'u' OR checkpoint_id = '2';"
                  "UPDATE checkpoint_writes SET idx = 3 WHERE task_id = 'b'");
    SG_VERIFY_OK(store->bringHere({}));
    QCOMPARE(here(), std::string("t/1 / a[0] x=1 b[3] x=2"));
}

void TestPostgresStore::readingMakesNoTables()
{
    const std::string database = fresh();
    PostgresStoreOptions options;
    options.readOnly = true;
    const auto store = opened(database, options);
    QVERIFY(store);
    const auto threads = store->threads();
    SG_VERIFY_OK(threads);
    QVERIFY(threads->empty());
    QCOMPARE(listed(*store, {}), std::string());
    const auto put = store->put(refOf("t", "1"), {}, checkpointOf("1"), metadataOf(0));
    QVERIFY(!put);
    QCOMPARE(put.error().code, Errc::Unsupported);
    QCOMPARE(m_server->sql(database, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"),
             std::string("0"));
    // They are seen once another program has made them.
    const auto writer = opened(database);
    SG_VERIFY_OK(writer->put(refOf("t", "1"), {}, checkpointOf("1"), metadataOf(0)));
    QCOMPARE(listed(*store, {}), std::string("t/1"));
}

void TestPostgresStore::addresses_data()
{
    QTest::addColumn<std::string>("address");
    QTest::addColumn<std::string>("shown");
    const auto row = [](const char* name, const char* scheme, const char* rest, const char* shown) {
        const std::string begin = std::string(scheme) + ":/" + "/";
        QTest::newRow(name) << begin + rest << begin + shown;
    };
    row("plain", "postgresql", "host/db", "host/db");
    row("user", "postgres", "user@host:5432/db?sslmode=require", "user@host:5432/db?sslmode=require");
    row("password", "postgresql", "user:secretword@host/db", "user@host/db");
    row("an at in it", "postgresql", "user:secret@word@host/db", "user@host/db");
    row("a slash in it", "postgresql", "user:secret/word@host/db", "user@host/db");
    row("a mark in it", "postgresql", "user:secret?word@host/db", "user@host/db");
    row("parameter", "postgresql", "host/db?password=secretword", "host/db");
    row("first", "postgresql", "host/db?password=secretword&sslmode=require", "host/db?sslmode=require");
    row("last", "postgresql", "host/db?sslmode=require&password=secretword", "host/db?sslmode=require");
    row("hidden name", "postgresql", "host/db?p%61ssword=secretword", "host/db");
    row("of a key", "postgresql", "host/db?sslpassword=secretword&port=1", "host/db?port=1");
    row("an at in a value", "postgresql", "host:5433/db?application_name=me@corp",
        "host:5433/db?application_name=me@corp");
    row("both", "postgresql", "user:secretword@host/db?application_name=me@corp",
        "user@host/db?application_name=me@corp");
    row("a mark and an equals sign in it", "postgresql", "user:secret?wo=rd@host/db", "user@host/db");
    row("socket", "postgresql", "user:secretword@/db?host=/tmp/x", "user@/db?host=/tmp/x");
}

void TestPostgresStore::addresses()
{
    QFETCH(std::string, address);
    QFETCH(std::string, shown);
    QVERIFY(isPostgresAddress(address));
    QCOMPARE(shownAddress(address), shown);
    QCOMPARE(shownAddress(shown), shown);
    PostgresStoreOptions options;
    options.readOnly = true;
    if (address.find("host/db") != std::string::npos) {
        const std::string nowhere = address.substr(0, address.find("host")) + "/db?host=/nowhere"
            + (address.find('?') == std::string::npos || address.find("?word") != std::string::npos
                   ? ""
                   : "&" + address.substr(address.find('?') + 1));
        const auto store = openPostgresCheckpointStore(nowhere, makeMemoryCheckpointStore(), options);
        QVERIFY(!store);
        std::string told = store.error().message;
        for (std::size_t at = told.find("password"); at != std::string::npos; at = told.find("password"))
            told.erase(at, 8);
        QVERIFY2(told.find("word") == std::string::npos, told.c_str());
        QVERIFY2(told.find("secret") == std::string::npos, told.c_str());
    }
}

SG_CORE_TEST(TestPostgresStore)
#include "tst_postgres_store.moc"
