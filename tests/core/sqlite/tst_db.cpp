#include "core/base/file.h"
#include "core/sqlite/each_row.h"
#include "tests/core/sqlite/filled_db.h"
#include "tests/support/require.h"
#include "tests/support/small_disk.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <atomic>
#include <filesystem>
#include <thread>

namespace fs = std::filesystem;

using sg::Errc;
using sg::sqlite::Blob;
using sg::sqlite::Db;
using sg::sqlite::OpenMode;
using sg::sqlite::test::countRows;
using sg::sqlite::test::fill;
using sg::test::SmallDisk;
using sg::test::TempDir;
using namespace std::chrono_literals;

class TestDb : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rollsBackUnlessCommitted();
    void aFilesTriggersDoNothing();
    void readsOneConsistentView();
    void goesThroughAllRowsUntilOneIsRefused();
    void notesAVersion();
    void saysThatAnotherHoldsIt();
    void waitsForAnother();
    void aFullDiskLosesNothing();
    void findsDamageInsideTheFile();
};

void TestDb::rollsBackUnlessCommitted()
{
    const TempDir folder;
    auto db = Db::open(folder / "a.sqlite");
    SG_VERIFY_OK(db);
    SG_VERIFY_OK(db->exec("CREATE TABLE t(v)"));
    {
        auto dropped = db->begin();
        SG_VERIFY_OK(dropped);
        SG_VERIFY_OK(db->run("INSERT INTO t VALUES (1)"));
    }
    QCOMPARE(countRows(*db), 0);
    auto kept = db->begin();
    SG_VERIFY_OK(kept);
    SG_VERIFY_OK(db->run("INSERT INTO t VALUES (1)"));
    SG_VERIFY_OK(kept->commit());
    QCOMPARE(countRows(*db), 1);
    QVERIFY(db->begin()); // the one before has ended
}

// One of a crafted file could compute for ever with each write, or change what was written.
void TestDb::aFilesTriggersDoNothing()
{
    const TempDir folder;
    sg::sqlite::DbOptions options;
    options.triggers = false;
    auto db = Db::open(folder / "t.sqlite", options);
    SG_VERIFY_OK(db);
    SG_VERIFY_OK(db->exec("CREATE TABLE t(v); CREATE TRIGGER gone AFTER INSERT ON t BEGIN DELETE FROM t; END;"
                          "CREATE TRIGGER ends AFTER INSERT ON t BEGIN INSERT INTO t WITH RECURSIVE c(x) AS"
                          " (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT x FROM c; END;"));
    SG_VERIFY_OK(db->exec("INSERT INTO t VALUES (1)"));
    QCOMPARE(countRows(*db), 1);
}

void TestDb::readsOneConsistentView()
{
    const TempDir folder;
    auto writer = Db::open(folder / "a.sqlite");
    SG_VERIFY_OK(writer);
    SG_VERIFY_OK(writer->exec("CREATE TABLE t(v)"));
    auto reader = Db::open(folder / "a.sqlite", { .mode = OpenMode::ReadOnly });
    SG_VERIFY_OK(reader);
    QVERIFY(reader->isReadOnly());
    {
        auto view = reader->beginRead();
        SG_VERIFY_OK(view);
        QCOMPARE(countRows(*reader), 0);
        SG_VERIFY_OK(writer->run("INSERT INTO t VALUES (1)")); // the reader is not in its way
        QCOMPARE(countRows(*reader), 0);
    }
    QCOMPARE(countRows(*reader), 1);
}

void TestDb::goesThroughAllRowsUntilOneIsRefused()
{
    const TempDir folder;
    auto db = Db::open(folder / "a.sqlite");
    SG_VERIFY_OK(db);
    SG_VERIFY_OK(db->exec("CREATE TABLE t(v); INSERT INTO t VALUES (1), (2), (3)"));
    std::int64_t sum = 0;
    for (const std::int64_t refused : { 9, 2 }) {
        auto rows = db->cached("SELECT v FROM t ORDER BY v");
        SG_VERIFY_OK(rows);
        const auto read = sg::sqlite::eachRow(*rows, [&]() -> sg::Result<void> {
            if (rows->integer(0) == refused)
                return sg::Error{ Errc::InvalidArgument, "refused" };
            sum += rows->integer(0);
            return {};
        });
        QCOMPARE(bool(read), refused == 9);
    }
    QCOMPARE(sum, 1 + 2 + 3 + 1);
    auto overflow = db->cached("SELECT abs(-9223372036854775808) FROM t"); // fails as it is stepped
    SG_VERIFY_OK(overflow);
    QVERIFY(!sg::sqlite::eachRow(*overflow, [&] { ++sum; }));
    QCOMPARE(sum, 7);
}

void TestDb::notesAVersion()
{
    const TempDir folder;
    auto db = Db::open(folder / "a.sqlite");
    SG_VERIFY_OK(db);
    QCOMPARE(*db->userVersion(), 0);
    SG_VERIFY_OK(db->setUserVersion(7));
    QCOMPARE(*db->userVersion(), 7);
}

void TestDb::saysThatAnotherHoldsIt()
{
    const TempDir folder;
    auto first = Db::open(folder / "a.sqlite");
    SG_VERIFY_OK(first);
    SG_VERIFY_OK(first->exec("CREATE TABLE t(v)"));
    auto second = Db::open(folder / "a.sqlite", { .busyTimeout = 10ms });
    SG_VERIFY_OK(second);
    auto held = first->begin();
    SG_VERIFY_OK(held);
    const auto refused = second->begin();
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, Errc::Busy);
    SG_VERIFY_CONTAINS(refused.error().message,
                       (folder / "a.sqlite").string() + " is locked by another program");
    const auto write = second->run("INSERT INTO t VALUES (1)");
    QVERIFY(!write);
    QCOMPARE(write.error().code, Errc::Busy);
    QCOMPARE(countRows(*second), 0); // reading goes on
    SG_VERIFY_OK(held->commit());
    SG_VERIFY_OK(second->run("INSERT INTO t VALUES (1)"));
}

void TestDb::waitsForAnother()
{
    const TempDir folder;
    auto first = Db::open(folder / "a.sqlite");
    SG_VERIFY_OK(first);
    SG_VERIFY_OK(first->exec("CREATE TABLE t(v)"));
    std::atomic<int> failures{ 0 };
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
        threads.emplace_back([&] {
            auto db = Db::open(folder / "a.sqlite",
                               { .busyTimeout = 30s, .synchronous = sg::sqlite::Synchronous::Off });
            for (int i = 0; i < 30; ++i)
                failures += db && db->run("INSERT INTO t VALUES (1)") ? 0 : 1;
        });
    for (std::thread& thread : threads)
        thread.join();
    QCOMPARE(failures.load(), 0);
    QCOMPARE(countRows(*first), 90);
}

void TestDb::aFullDiskLosesNothing()
{
    const SmallDisk disk("300k");
    if (!disk.problem().empty())
        SG_SKIP_WITHOUT("small_disk", disk.problem());
    auto db = Db::open(disk.path() / "a.sqlite");
    SG_VERIFY_OK(db);
    SG_VERIFY_OK(db->exec("CREATE TABLE t(v)"));
    std::int64_t stored = 0;
    sg::Result<void> done;
    for (; done && stored < 10'000; stored += done ? 1 : 0)
        done = db->run("INSERT INTO t VALUES (?)", Blob{ std::string(2000, 'x') });
    QVERIFY(!done);
    QCOMPARE(done.error().code, Errc::NoSpace);
    SG_VERIFY_CONTAINS(done.error().message, (disk.path() / "a.sqlite").string());
    SG_VERIFY_CONTAINS(done.error().message, "free some space");
    QVERIFY(stored > 0);
    QCOMPARE(countRows(*db), stored);
    {
        auto transaction = db->begin();
        SG_VERIFY_OK(transaction);
        const auto inside = db->run("INSERT INTO t VALUES (?)", Blob{ std::string(300'000, 'x') });
        const auto end = inside ? transaction->commit() : sg::Result<void>(inside.error());
        QVERIFY(!end);
        QCOMPARE(end.error().code, Errc::NoSpace);
    }
    QCOMPARE(countRows(*db), stored);
    auto check = db->prepare("PRAGMA quick_check(1)");
    SG_VERIFY_OK(check);
    SG_VERIFY_OK(check->step());
    QCOMPARE(std::string(check->text(0)), std::string("ok"));
}

void TestDb::findsDamageInsideTheFile()
{
    const TempDir folder;
    const fs::path path = folder / "a";
    fill(path, 200);
    auto content = sg::readFile(path);
    SG_VERIFY_OK(content);
    for (std::size_t at = 3UL * 4096; at < 20UL * 4096; ++at)
        (*content)[at] = static_cast<char>(at * 31);
    folder.write("a", *content);
    auto db = Db::open(path, { .wal = false });
    SG_VERIFY_OK(db);
    auto statement = db->prepare("SELECT sum(length(body)) FROM t");
    SG_VERIFY_OK(statement);
    const auto row = statement->step();
    QVERIFY(!row);
    QCOMPARE(row.error().code, Errc::Corrupt);
    SG_VERIFY_CONTAINS(row.error().message, path.string() + " is damaged");
}

SG_TEST(TestDb)
#include "tst_db.moc"
