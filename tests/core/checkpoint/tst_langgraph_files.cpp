#include "core/checkpoint/serde/inert.h"
#include "core/sqlite/db.h"
#include "tests/core/checkpoint/langgraph_fixture.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <fstream>

using namespace sg;
using namespace sg::checkpoint;
using namespace sg::checkpoint::test;
using sg::test::TempDir;

namespace {

// Everything in LangGraph's tables, one line a row, with types and bytes.
std::string dump(const std::filesystem::path& path)
{
    auto db = sqlite::Db::open(path, { .mode = sqlite::OpenMode::ReadWrite, .wal = false });
    if (!db)
        return db.error().message;
    std::string text;
    for (const char* sql :
         { "SELECT thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, typeof(checkpoint),"
           " typeof(metadata), hex(metadata), hex(checkpoint) FROM checkpoints ORDER BY 1, 2, 3",
           "SELECT thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, "
           "typeof(value),"
           " hex(value) FROM writes ORDER BY 1, 2, 3, 4, 6" }) {
        auto rows = db->prepare(sql);
        if (!rows)
            return rows.error().message;
        for (auto row = rows->step(); row && *row; row = rows->step()) {
            for (int column = 0; column < rows->columnCount(); ++column)
                text += (rows->isNull(column) ? "NULL" : std::string(rows->text(column))) + "|";
            text += "\n";
        }
    }
    return text;
}

Result<void> copyAll(CheckpointStore& from, CheckpointStore& to)
{
    Result<void> done;
    auto listed = from.list({}, [&](const CheckpointRecord& record) {
        done = to.putRecord(record);
        return static_cast<bool>(done);
    });
    return listed ? done : listed;
}

} // namespace

class TestLangGraphFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writesTheBytesThatLangGraphWrites_data();
    void writesTheBytesThatLangGraphWrites();
    void makesTheTablesThatLangGraphMakes();
    void keepsWhatItCannotRead();
    void addsTheTaskPathColumn();
    void readingChangesNothing_data();
    void readingChangesNothing();
    void addsItsTablesWithTheFirstWrite();
    void takesOverWhichSnapshotWasWhose();
};

void TestLangGraphFiles::writesTheBytesThatLangGraphWrites_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("runs") << QByteArray("langgraph.db");
    QTest::newRow("every Python type") << QByteArray("exotic.db");
}

void TestLangGraphFiles::writesTheBytesThatLangGraphWrites()
{
    QFETCH(QByteArray, name);
    const TempDir folder;
    const auto original = copied(folder, name.constData());
    const auto source = opened(original);
    QVERIFY(source);
    {
        const auto target = opened(folder / "copy.db", false);
        QVERIFY(target);
        SG_VERIFY_OK(copyAll(*source, *target));
    }
    QVERIFY(dump(original).size() > 1000);
    QCOMPARE(dump(folder / "copy.db"), dump(original));
}

void TestLangGraphFiles::makesTheTablesThatLangGraphMakes()
{
    const TempDir folder;
    QVERIFY(opened(folder / "new.db", false));
    const auto schema = [](const std::filesystem::path& path) {
        auto db = sqlite::Db::open(path, { .mode = sqlite::OpenMode::ReadOnly, .wal = false });
        std::string text;
        for (const char* table : { "checkpoints", "writes" }) {
            auto rows =
                db->prepare("SELECT cid, name, type, \"notnull\", dflt_value, pk FROM pragma_table_info('"
                            + std::string(table) + "')");
            for (auto row = rows->step(); row && *row; row = rows->step()) {
                for (int column = 0; column < rows->columnCount(); ++column)
                    text += std::string(rows->text(column)) + "|";
                text += "\n";
            }
        }
        auto mode = db->prepare("PRAGMA journal_mode");
        return mode->step() ? text + std::string(mode->text(0)) : text;
    };
    const auto original = copied(folder, "langgraph.db");
    QVERIFY(schema(original).find("task_path") != std::string::npos);
    QCOMPARE(schema(folder / "new.db"), schema(original));
}

void TestLangGraphFiles::keepsWhatItCannotRead()
{
    const TempDir folder;
    const auto source = opened(copied(folder, "legacy.db"));
    QVERIFY(source);
    const CheckpointRecord json = record(*source, "json_row");
    QCOMPARE(json.writes.size(), std::size_t(3));
    QCOMPARE(json.writes[0].value, Value::list({ "x" }));
    const PendingWrite& pickle = json.writes[1];
    QCOMPARE(pickle.typeTag, std::string("pickle"));
    QCOMPARE(pickle.value, (Value(Ext{ kOpaqueExt, std::string("\x80\x04K\x01.") })));
    QCOMPARE(toJson(plainValue(pickle.value)), std::string(R"({"$opaque":{"bytes":5}})"));

    const auto target = opened(folder / "copy.db", false);
    QVERIFY(target);
    SG_VERIFY_OK(target->put(json.ref, json.parent, json.checkpoint, json.metadata));
    SG_VERIFY_OK(target->putWrites(json.ref, json.writes));
    const CheckpointRecord again = record(*target, "json_row");
    for (const std::size_t i : { 1U, 2U }) {
        QCOMPARE(again.writes[i].value, json.writes[i].value);
        QCOMPARE(again.writes[i].typeTag, json.writes[i].typeTag);
    }
}

void TestLangGraphFiles::addsTheTaskPathColumn()
{
    const TempDir folder;
    const auto path = copied(folder, "legacy.db");
    const auto reader = opened(path);
    QVERIFY(reader);
    QCOMPARE(record(*reader, "json_row").writes.size(), std::size_t(3));

    const auto writer = opened(path, false);
    QVERIFY(writer);
    const CheckpointRecord json = record(*writer, "json_row");
    PendingWrite write;
    write.taskId = TaskId("00000000-0000-0000-0000-000000000000");
    write.taskPath = "~__pregel_pull, a";
    write.channel = "x";
    SG_VERIFY_OK(writer->putWrites(json.ref, { write }));
    for (CheckpointStore* store : { writer.get(), reader.get() }) { // a reader notices too
        const CheckpointRecord found = record(*store, "json_row");
        QCOMPARE(found.writes.size(), std::size_t(4));
        QCOMPARE(found.writes[0].taskPath, std::string());
        QCOMPARE(found.writes[3].taskPath, std::string("~__pregel_pull, a"));
    }
}

void TestLangGraphFiles::readingChangesNothing_data()
{
    QTest::addColumn<bool>("readOnly");
    QTest::newRow("read-only") << true;
    QTest::newRow("read-write") << false;
}

void TestLangGraphFiles::readingChangesNothing()
{
    QFETCH(bool, readOnly);
    const TempDir folder;
    const auto path = copied(folder, "langgraph.db");
    const auto bytes = [](const std::filesystem::path& file) {
        std::ifstream in(file, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    {
        const auto store = opened(path, readOnly);
        QVERIFY(store);
        int visited = 0;
        SG_VERIFY_OK(store->list({}, [&](const CheckpointRecord& item) {
            ++visited;
            return store->get(item.ref.thread, item.ref.ns, item.ref.id).operator bool();
        }));
        QCOMPARE(visited, 21);
        SG_VERIFY_OK(store->threads());
        SG_VERIFY_OK(store->runLog().lastRuns());
        QCOMPARE(store->runLog().tasksOf(ThreadId("counter"))->size(), std::size_t(0));
        if (readOnly) {
            const auto refused = store->deleteThread(ThreadId("counter"));
            QVERIFY(!refused);
            QCOMPARE(refused.error().code, Errc::PermissionDenied);
            SG_VERIFY_CONTAINS(refused.error().message, path.string());
        }
    }
    QVERIFY(bytes(path) == bytes(fixture("langgraph.db")));
    std::string left;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        left += entry.path().filename().string() + " ";
    QCOMPARE(left, std::string("langgraph.db "));
}

void TestLangGraphFiles::addsItsTablesWithTheFirstWrite()
{
    const TempDir folder;
    const auto path = copied(folder, "langgraph.db");
    const auto tables = [&] {
        auto db = sqlite::Db::open(path, { .mode = sqlite::OpenMode::ReadOnly, .wal = false });
        auto rows = db->prepare("SELECT group_concat(name, ' ') FROM (SELECT name FROM sqlite_master"
                                " WHERE type = 'table' ORDER BY name)");
        return rows->step() ? std::string(rows->text(0)) : std::string();
    };
    const auto store = opened(path, false);
    QVERIFY(store);
    QCOMPARE(tables(), std::string("checkpoints writes"));
    SG_VERIFY_OK(store->deleteThread(ThreadId("no such thread")));
    QCOMPARE(tables(),
             std::string("checkpoints sandglass_graphs sandglass_log sandglass_meta sandglass_run_graphs "
                         "sandglass_run_packages sandglass_runs "
                         "sandglass_session_snapshots "
                         "sandglass_snapshot_pieces sandglass_snapshots sandglass_tasks writes"));
}

void TestLangGraphFiles::takesOverWhichSnapshotWasWhose()
{
    const TempDir folder;
    const auto path = folder / "old.sqlite";
    {
        const auto store = opened(path, false);
        QVERIFY(store);
        SG_VERIFY_OK(store->deleteThread(ThreadId("no such thread")));
    }
    auto db = sqlite::Db::open(path);
    SG_VERIFY_OK(db);
    SG_VERIFY_OK(db->exec("DROP TABLE sandglass_session_snapshots;"
                          "CREATE TABLE sandglass_checkpoint_snapshots (thread_id, checkpoint_ns, "
                          "checkpoint_id, partial, snapshot_id);"
                          "INSERT INTO sandglass_checkpoint_snapshots VALUES ('t', '', 'c', 0, 's');"
                          "UPDATE sandglass_meta SET value = 1 WHERE key = 'version'"));
    const CheckpointRef ref{ ThreadId("t"), "", CheckpointId("c") };
    const auto store = opened(path, false);
    QVERIFY(store);
    SG_VERIFY_OK(store->deleteThread(ThreadId("no such thread")));
    const auto bindings = store->snapshotLog()->bindingsAt(ref, false);
    SG_VERIFY_OK(bindings);
    QCOMPARE(bindings->size(), std::size_t(1));
    QCOMPARE(bindings->front().snapshot.value, std::string("s"));
    QCOMPARE(bindings->front().part, std::string());
}

SG_TEST(TestLangGraphFiles)
#include "tst_langgraph_files.moc"
