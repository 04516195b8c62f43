#include "core/base/file.h"
#include "core/sqlite/db.h"
#include "tests/support/qtest_std.h"
#include "tests/support/small_disk.h"
#include "tests/support/temp_dir.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

namespace fs = std::filesystem;

using sg::Errc;
using sg::sqlite::Blob;
using sg::sqlite::ColumnType;
using sg::sqlite::Db;
using sg::sqlite::DbOptions;
using sg::sqlite::OpenMode;
using sg::test::SmallDisk;
using sg::test::TempDir;
using namespace std::chrono_literals;

namespace {

// A database with `rows` rows of a kilobyte each.
void fill(const fs::path& path, int rows)
{
    auto db = Db::open(path, { .wal = false });
    SG_VERIFY_OK(db);
    SG_VERIFY_OK(db->exec("CREATE TABLE t(id INTEGER PRIMARY KEY, body BLOB)"));
    auto transaction = db->begin();
    SG_VERIFY_OK(transaction);
    for (int i = 0; i < rows; ++i)
        SG_VERIFY_OK(db->run("INSERT INTO t(body) VALUES (?)", Blob{ std::string(1024, 'b') }));
    SG_VERIFY_OK(transaction->commit());
}

std::int64_t countRows(Db& db)
{
    auto statement = db.cached("SELECT count(*) FROM t");
    return statement && statement->step() ? statement->integer(0) : -1;
}

} // namespace

class TestDb : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void storesEveryType();
    void columnsHaveNames();
    void runsCachedStatementsAgain();
    void nestsTheSameCachedStatement();
    void rollsBackUnlessCommitted();
    void readsOneConsistentView();
    void notesAVersion();
    void opensAnyFileName_data();
    void opensAnyFileName();
    void refusesToOpen_data();
    void refusesToOpen();
    void opensAnEmptyFile();
    void refusesToOpenWithoutPermission();
    void refusesToWriteReadOnly();
    void readsFromAReadOnlyDisk();
    void saysThatAnotherHoldsIt();
    void waitsForAnother();
    void aFullDiskLosesNothing();
    void findsDamageInsideTheFile();
    void reportsConstraintsAndBadSql();
    void stopsALongQuery();
    void statementsWorkAfterAMove();
};

void TestDb::storesEveryType()
{
    const TempDir folder;
    auto db = Db::open(folder / "a.sqlite");
    SG_VERIFY_OK(db);
    SG_VERIFY_OK(db->exec("CREATE TABLE t(i, d, s, b, n, e, f, o)"));
    const std::string text("a\0\xC3\xA4", 4);
    SG_VERIFY_OK(db->run("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                         std::int64_t{ -9223372036854775807 - 1 }, 1.5, text, Blob{ text }, nullptr,
                         std::string_view(), Blob{}, std::optional<int>()));
    QCOMPARE(db->changedRows(), 1);
    auto row = db->prepare("SELECT * FROM t");
    SG_VERIFY_OK(row);
    auto step = row->step();
    SG_VERIFY_OK(step);
    QVERIFY(*step);
    QCOMPARE(row->integer(0), std::numeric_limits<std::int64_t>::min());
    QCOMPARE(row->real(1), 1.5);
    QCOMPARE(std::string(row->text(2)), text);
    QCOMPARE(std::string(row->blob(3)), text);
    const ColumnType types[] = { ColumnType::Integer, ColumnType::Real, ColumnType::Text, ColumnType::Blob,
                                 ColumnType::Null,    ColumnType::Text, ColumnType::Blob, ColumnType::Null };
    QCOMPARE(row->columnCount(), 8);
    for (int column = 0; column < 8; ++column)
        QCOMPARE(static_cast<int>(row->type(column)), static_cast<int>(types[column]));
    QVERIFY(row->isNull(4));
    QVERIFY(row->text(4).empty());
    step = row->step();
    SG_VERIFY_OK(step);
    QVERIFY(!*step);
}

void TestDb::columnsHaveNames()
{
    const TempDir folder;
    auto db = Db::open(folder / "a.sqlite");
    SG_VERIFY_OK(db);
    auto statement = db->prepare("SELECT 1 AS one, 2 AS two");
    SG_VERIFY_OK(statement);
    QCOMPARE(std::string(statement->columnName(1)), std::string("two"));
}

void TestDb::runsCachedStatementsAgain()
{
    const TempDir folder;
    auto db = Db::open(folder / "a.sqlite");
    SG_VERIFY_OK(db);
    SG_VERIFY_OK(db->exec("CREATE TABLE t(id INTEGER PRIMARY KEY, v)"));
    for (int i = 0; i < 100; ++i)
        SG_VERIFY_OK(db->run("INSERT INTO t(v) VALUES (?)", i));
    QCOMPARE(countRows(*db), 100);
    QCOMPARE(db->lastInsertId(), 100);
    auto unbound = db->cached("INSERT INTO t(v) VALUES (?)"); // what the last user bound is gone
    SG_VERIFY_OK(unbound);
    SG_VERIFY_OK(unbound->run());
    auto last = db->prepare("SELECT v FROM t WHERE id = ?");
    SG_VERIFY_OK(last);
    for (const int id : { 101, 100 }) { // one statement twice
        last->bind(1, id);
        SG_VERIFY_OK(last->step());
        QCOMPARE(last->isNull(0), id == 101);
        last->reset();
    }
}

void TestDb::nestsTheSameCachedStatement()
{
    const TempDir folder;
    auto db = Db::open(folder / "a.sqlite");
    SG_VERIFY_OK(db);
    SG_VERIFY_OK(db->exec("CREATE TABLE t(v); INSERT INTO t VALUES (1), (2), (3)"));
    std::string pairs;
    auto outer = db->cached("SELECT v FROM t ORDER BY v");
    SG_VERIFY_OK(outer);
    while (true) {
        auto outerRow = outer->step();
        SG_VERIFY_OK(outerRow);
        if (!*outerRow)
            break;
        auto inner = db->cached("SELECT v FROM t ORDER BY v");
        SG_VERIFY_OK(inner);
        for (auto row = inner->step(); row && *row; row = inner->step())
            pairs += std::to_string(outer->integer(0)) + std::to_string(inner->integer(0)) + ' ';
    }
    QCOMPARE(pairs, std::string("11 12 13 21 22 23 31 32 33 "));
}

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

void TestDb::notesAVersion()
{
    const TempDir folder;
    auto db = Db::open(folder / "a.sqlite");
    SG_VERIFY_OK(db);
    QCOMPARE(*db->userVersion(), 0);
    SG_VERIFY_OK(db->setUserVersion(7));
    QCOMPARE(*db->userVersion(), 7);
}

void TestDb::opensAnyFileName_data()
{
    QTest::addColumn<std::string>("name");
    for (const char* name : { ":memory:", "file:x?mode=memory", "a b?c#d%20e.sqlite", "-x", "\xC3\xA4" })
        QTest::newRow(name) << std::string(name);
}

void TestDb::opensAnyFileName()
{
    QFETCH(std::string, name);
    const TempDir folder;
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    const auto db = Db::open(name);
    fs::current_path(before);
    SG_VERIFY_OK(db);
    QVERIFY(fs::exists(folder / name));
}

void TestDb::refusesToOpen_data()
{
    QTest::addColumn<std::string>("name");
    QTest::addColumn<int>("mode");
    QTest::addColumn<int>("code");
    QTest::addColumn<std::string>("why");
    const auto row = [](const char* title, const char* name, OpenMode mode, Errc code, const char* why) {
        QTest::newRow(title) << std::string(name) << static_cast<int>(mode) << static_cast<int>(code)
                             << std::string(why);
    };
    row("missing", "none", OpenMode::ReadOnly, Errc::NotFound, "there is no database");
    row("missing, to write", "none", OpenMode::ReadWrite, Errc::NotFound, "there is no database");
    row("no folder", "none/a", OpenMode::Create, Errc::NotFound, "there is no folder");
    row("a folder", "folder", OpenMode::Create, Errc::InvalidArgument, "it is a folder");
    row("text", "text", OpenMode::Create, Errc::Corrupt, "is not a SQLite database");
    row("text, to read", "text", OpenMode::ReadOnly, Errc::Corrupt, "is not a SQLite database");
    row("truncated", "truncated", OpenMode::Create, Errc::Corrupt, "is damaged");
    row("truncated, to read", "truncated", OpenMode::ReadOnly, Errc::Corrupt, "is damaged");
    row("cut in its header", "header", OpenMode::ReadOnly, Errc::Corrupt, "");
}

void TestDb::refusesToOpen()
{
    QFETCH(std::string, name);
    QFETCH(int, mode);
    QFETCH(int, code);
    QFETCH(std::string, why);
    const TempDir folder;
    fs::create_directory(folder / "folder");
    folder.write("text", std::string(5000, 't'));
    fill(folder / "truncated", 20);
    fs::copy_file(folder / "truncated", folder / "header");
    fs::resize_file(folder / "truncated", 8000);
    fs::resize_file(folder / "header", 50);
    const auto before = fs::exists(folder / name) && !fs::is_directory(folder / name)
        ? sg::readFile(folder / name)
        : std::string();
    const auto db = Db::open(folder / name, { .mode = static_cast<OpenMode>(mode) });
    QVERIFY(!db);
    SG_VERIFY_CONTAINS(db.error().message, (folder / name).string());
    SG_VERIFY_CONTAINS(db.error().message, why);
    QCOMPARE(static_cast<int>(db.error().code), code);
    if (before && !before->empty())
        QVERIFY(*sg::readFile(folder / name) == *before); // a file that was refused is not touched
}

void TestDb::opensAnEmptyFile()
{
    const TempDir folder;
    SG_VERIFY_OK(Db::open(folder.write("empty", "")));
}

void TestDb::refusesToOpenWithoutPermission()
{
    if (::geteuid() == 0)
        QSKIP("root may read any file");
    const TempDir folder;
    fill(folder / "a", 1);
    QCOMPARE(::chmod((folder / "a").c_str(), 0), 0);
    const auto db = Db::open(folder / "a");
    QVERIFY(!db);
    QCOMPARE(db.error().code, Errc::PermissionDenied);
}

void TestDb::refusesToWriteReadOnly()
{
    const TempDir folder;
    fill(folder / "a", 1);
    auto db = Db::open(folder / "a", { .mode = OpenMode::ReadOnly });
    SG_VERIFY_OK(db);
    const auto done = db->run("DELETE FROM t");
    QVERIFY(!done);
    QCOMPARE(done.error().code, Errc::PermissionDenied);
    SG_VERIFY_CONTAINS(done.error().message, "cannot be written");
    QCOMPARE(countRows(*db), 1);
}

void TestDb::readsFromAReadOnlyDisk()
{
    const SmallDisk disk("4m");
    if (!disk.problem().empty())
        QSKIP(disk.problem().c_str());
    const fs::path path = disk.path() / "a?b.sqlite";
    {
        auto db = Db::open(path); // with write-ahead log
        SG_VERIFY_OK(db);
        SG_VERIFY_OK(db->exec("CREATE TABLE t(v); INSERT INTO t VALUES (1)"));
    }
    QVERIFY(disk.makeReadOnly());
    auto db = Db::open(path, { .mode = OpenMode::ReadOnly });
    SG_VERIFY_OK(db);
    QCOMPARE(countRows(*db), 1);
    const auto write = Db::open(path);
    QVERIFY(!write);
    QCOMPARE(write.error().code, Errc::PermissionDenied);
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
        QSKIP(disk.problem().c_str());
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
    SG_VERIFY_OK(db->quickCheck());
}

void TestDb::findsDamageInsideTheFile()
{
    const TempDir folder;
    const fs::path path = folder / "a";
    fill(path, 200);
    auto content = sg::readFile(path);
    SG_VERIFY_OK(content);
    for (std::size_t at = 3 * 4096; at < 20 * 4096; ++at)
        (*content)[at] = static_cast<char>(at * 31);
    folder.write("a", *content);
    auto db = Db::open(path, { .wal = false });
    SG_VERIFY_OK(db);
    const auto check = db->quickCheck();
    QVERIFY(!check);
    QCOMPARE(check.error().code, Errc::Corrupt);
    auto statement = db->prepare("SELECT sum(length(body)) FROM t");
    SG_VERIFY_OK(statement);
    const auto row = statement->step();
    QVERIFY(!row);
    QCOMPARE(row.error().code, Errc::Corrupt);
    SG_VERIFY_CONTAINS(row.error().message, path.string() + " is damaged");
}

void TestDb::reportsConstraintsAndBadSql()
{
    const TempDir folder;
    auto db = Db::open(folder / "a.sqlite");
    SG_VERIFY_OK(db);
    SG_VERIFY_OK(db->exec("CREATE TABLE t(v UNIQUE); INSERT INTO t VALUES (1)"));
    const auto twice = db->run("INSERT INTO t VALUES (?)", 1);
    QVERIFY(!twice);
    QCOMPARE(twice.error().code, Errc::Conflict);
    SG_VERIFY_OK(db->run("INSERT INTO t VALUES (?)", 2)); // the cached statement is usable again
    const auto bad = db->prepare("SELECT x FROM nowhere");
    QVERIFY(!bad);
    QCOMPARE(bad.error().code, Errc::InvalidArgument);
    SG_VERIFY_CONTAINS(bad.error().message, "no such table");
    const auto quoted = db->prepare("SELECT \"text\" FROM t"); // a name, never a text
    QVERIFY(!quoted);
}

void TestDb::stopsALongQuery()
{
    const TempDir folder;
    auto db = Db::open(folder / "a.sqlite");
    SG_VERIFY_OK(db);
    std::atomic<bool> done{ false };
    std::thread stopper([&] {
        while (!done)
            db->interrupt();
    });
    const auto endless =
        db->run("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n");
    done = true;
    stopper.join();
    QVERIFY(!endless);
    QCOMPARE(endless.error().code, Errc::Cancelled);
}

void TestDb::statementsWorkAfterAMove()
{
    const TempDir folder;
    auto opened = Db::open(folder / "a.sqlite");
    SG_VERIFY_OK(opened);
    auto statement = opened->cached("SELECT 1");
    SG_VERIFY_OK(statement);
    const Db db = std::move(*opened);
    auto moved = std::move(*statement);
    SG_VERIFY_OK(moved.step());
    QCOMPARE(moved.integer(0), 1);
}

QTEST_APPLESS_MAIN(TestDb)
#include "tst_db.moc"
