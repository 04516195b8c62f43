#include "core/sqlite/db.h"
#include "tests/conformance/checkpoint/run_log_checks.h"
#include "tests/core/checkpoint/supersteps.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <fstream>
#include <random>

using namespace sg;
using namespace sg::checkpoint;
using namespace sg::checkpoint::test;
using sg::test::TempDir;
namespace fs = std::filesystem;

namespace {

std::string bytesOf(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
}

} // namespace

class TestDamagedFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void refusesWhatIsNoCheckpointFile_data();
    void refusesWhatIsNoCheckpointFile();
    void aTruncatedFileIsNamed();
    void damagedBytesNeverCrash();
    void aDamagedRowHidesNoOther();
    void triggersOfTheFileDoNothing();
    void readsButDoesNotWriteANewerVersion();
};

void TestDamagedFiles::refusesWhatIsNoCheckpointFile_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("readOnly");
    QTest::addColumn<Errc>("code");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* title, const char* name, bool readOnly, Errc code, const char* says) {
        QTest::newRow(title) << QByteArray(name) << readOnly << code << QByteArray(says);
    };
    row("missing, to read", "none.sqlite", true, Errc::NotFound, "none.sqlite");
    row("missing folder", "no/such/a.sqlite", false, Errc::NotFound, "no/such");
    row("a folder", "folder", false, Errc::InvalidArgument, "folder");
    row("text, to write", "text", false, Errc::Corrupt, "is not a SQLite database");
    row("text, to read", "text", true, Errc::Corrupt, "is not a SQLite database");
    row("noise", "noise", false, Errc::Corrupt, "noise");
}

void TestDamagedFiles::refusesWhatIsNoCheckpointFile()
{
    QFETCH(QByteArray, name);
    QFETCH(bool, readOnly);
    QFETCH(Errc, code);
    QFETCH(QByteArray, says);
    const TempDir folder;
    fs::create_directory(folder / "folder");
    folder.write("text", std::string(5000, 'a'));
    std::string noise(20'000, '\0');
    std::mt19937 random(1);
    for (char& byte : noise)
        byte = static_cast<char>(random());
    folder.write("noise", noise);
    const std::string before = bytesOf(folder / "text");
    const auto store = openSqliteCheckpointStore(folder / name.toStdString(), { .readOnly = readOnly });
    QVERIFY(!store);
    QCOMPARE(store.error().code, code);
    SG_VERIFY_CONTAINS(store.error().message, says.toStdString());
    QCOMPARE(bytesOf(folder / "text"), before);
}

void TestDamagedFiles::aTruncatedFileIsNamed()
{
    const TempDir folder;
    const fs::path whole = makeFile(folder, 60);
    const std::string bytes = bytesOf(whole);
    QVERIFY(bytes.size() > 20UL * 4096);
    for (std::size_t size = 2; size < bytes.size(); size += 4095) {
        // (SQLite takes a file of one byte for an empty one.)
        const fs::path cut = folder.write("cut.sqlite", std::string_view(bytes).substr(0, size));
        for (const bool readOnly : { true, false }) {
            const auto store = openSqliteCheckpointStore(cut, { .readOnly = readOnly });
            QVERIFY2(!store, std::to_string(size).c_str());
            QCOMPARE(store.error().code, Errc::Corrupt);
            SG_VERIFY_CONTAINS(store.error().message, cut.string());
        }
        QCOMPARE(fs::file_size(cut), size); // left as it is, for whoever repairs it
    }
}

void TestDamagedFiles::damagedBytesNeverCrash()
{
    const TempDir folder;
    const std::string bytes = bytesOf(makeFile(folder, 40));
    std::mt19937 random(7);
    int readable = 0;
    for (int round = 0; round < 150; ++round) {
        std::string damaged = bytes;
        for (int i = 0; i < 1 + round % 20; ++i)
            damaged[100 + random() % (damaged.size() - 100)] = static_cast<char>(random());
        const fs::path path = folder.write("damaged.sqlite", damaged);
        auto store = openSqliteCheckpointStore(path, { .fullSync = false });
        if (!store)
            continue;
        const std::string found = checkedSteps(**store);
        readable += found == "40 whole supersteps" ? 1 : 0;
        const auto head = (*store)->get(ThreadId("t"), "", {});
        const auto threads = (*store)->threads();
        const auto put = putStep(**store, 41);
        for (const Error* error : { head ? nullptr : &head.error(), threads ? nullptr : &threads.error(),
                                    put ? nullptr : &put.error() }) {
            if (error)
                SG_VERIFY_CONTAINS(error->message, path.string());
        }
    }
    QVERIFY(readable < 150);
}

void TestDamagedFiles::aDamagedRowHidesNoOther()
{
    const TempDir folder;
    const fs::path path = makeFile(folder, 5);
    {
        auto db = sqlite::Db::open(path);
        SG_VERIFY_OK(db);
        SG_VERIFY_OK(
            db->exec("UPDATE checkpoints SET checkpoint = x'C1' WHERE checkpoint_id = '00000002';"
                     "UPDATE checkpoints SET type = 'pickle' WHERE checkpoint_id = '00000003';"
                     "UPDATE checkpoints SET metadata = '{' WHERE checkpoint_id = '00000004';"
                     "UPDATE writes SET value = x'93' WHERE checkpoint_id = '00000001' AND idx = 0;"));
    }
    auto store = openSqliteCheckpointStore(path, {});
    SG_VERIFY_OK(store);
    std::string problems;
    SG_VERIFY_OK((*store)->list({}, [&](const CheckpointRecord& record) {
        problems += record.ref.id.value + (record.problem.empty() ? " ok;" : " bad;");
        return true;
    }));
    QCOMPARE(problems, std::string("00000005 ok;00000004 bad;00000003 bad;00000002 bad;00000001 bad;"));
    const std::pair<const char*, const char*> expected[] = { { "00000001", "a write of task task to x" },
                                                             { "00000002", "MessagePack" },
                                                             { "00000003", "\"pickle\"" },
                                                             { "00000004", "metadata" } };
    for (const auto& [id, says] : expected) {
        const auto record = (*store)->get(ThreadId("t"), "", CheckpointId(id));
        QVERIFY(!record);
        SG_VERIFY_CONTAINS(record.error().message, says);
        SG_VERIFY_CONTAINS(record.error().message,
                           std::string("checkpoint ") + id + " of thread t in " + path.string());
    }
    CheckpointQuery query; // a filter passes over metadata that is no JSON
    query.metadataFilter = { { "step", 5 } };
    QCOMPARE(conformance::listed(**store, query), std::string("t/00000005"));
}

// Triggers of a file from elsewhere could compute for ever with each write, or change what is written.
void TestDamagedFiles::triggersOfTheFileDoNothing()
{
    const TempDir folder;
    const fs::path path = makeFile(folder, 3);
    {
        auto db = sqlite::Db::open(path);
        SG_VERIFY_OK(db);
        SG_VERIFY_OK(
            db->exec("CREATE TRIGGER empties AFTER INSERT ON checkpoints BEGIN DELETE FROM checkpoints; END;"
                     "CREATE TRIGGER refuses BEFORE INSERT ON writes BEGIN SELECT RAISE(ABORT, 'no'); END;"));
    }
    auto store = openSqliteCheckpointStore(path, { .fullSync = false });
    SG_VERIFY_OK(store);
    SG_VERIFY_OK(putStep(**store, 4));
    QCOMPARE(checkedSteps(**store), std::string("4 whole supersteps"));
}

void TestDamagedFiles::readsButDoesNotWriteANewerVersion()
{
    const TempDir folder;
    const fs::path path = makeFile(folder, 3);
    {
        auto db = sqlite::Db::open(path);
        SG_VERIFY_OK(db);
        SG_VERIFY_OK(db->exec("UPDATE sandglass_meta SET value = 1000 WHERE key = 'version'"));
    }
    const std::string before = bytesOf(path);
    {
        auto store = openSqliteCheckpointStore(path, {});
        SG_VERIFY_OK(store);
        QCOMPARE(checkedSteps(**store), std::string("3 whole supersteps"));
        const auto ref = refOf("t", "00000003");
        for (const Result<void>& refused :
             { putStep(**store, 4), (*store)->putWrites(ref, { writeOf("a", "x", 1) }),
               (*store)->deleteThread(ref.thread),
               (*store)->runLog().startRun(conformance::runOf("r", "t", 1)) }) {
            QVERIFY(!refused);
            QCOMPARE(refused.error().code, Errc::Unsupported);
            SG_VERIFY_CONTAINS(refused.error().message, path.string());
            SG_VERIFY_CONTAINS(refused.error().message, "update Sandglass");
        }
        QCOMPARE(checkedSteps(**store), std::string("3 whole supersteps"));
    }
    QVERIFY(bytesOf(path) == before);
}

SG_TEST(TestDamagedFiles)
#include "tst_damaged_files.moc"
