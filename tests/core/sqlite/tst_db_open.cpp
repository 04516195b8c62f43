#include "core/base/file.h"
#include "core/sqlite/step_watch.h"
#include "tests/core/sqlite/filled_db.h"
#include "tests/support/ordinary_user.h"
#include "tests/support/require.h"
#include "tests/support/small_disk.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <sqlite3.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace fs = std::filesystem;

using sg::Errc;
using sg::sqlite::Db;
using sg::sqlite::OpenMode;
using sg::sqlite::test::countRows;
using sg::sqlite::test::fill;
using sg::test::SmallDisk;
using sg::test::TempDir;

class TestDbOpen : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void opensAnyFileName_data();
    void opensAnyFileName();
    void refusesToOpen_data();
    void refusesToOpen();
    void opensAnEmptyFile();
    void refusesToOpenWithoutPermission();
    void refusesToWriteReadOnly();
    void readsFromAReadOnlyDisk();
    void readsNoViewInATablesPlace();
    void endsAStepThatComputesForEver();
};

void TestDbOpen::opensAnyFileName_data()
{
    QTest::addColumn<std::string>("name");
    for (const char* name : { ":memory:", "file:x?mode=memory", "a b?c#d%20e.sqlite", "-x", "\xC3\xA4" })
        QTest::newRow(name) << std::string(name);
}

void TestDbOpen::opensAnyFileName()
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

void TestDbOpen::refusesToOpen_data()
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

void TestDbOpen::refusesToOpen()
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

void TestDbOpen::opensAnEmptyFile()
{
    const TempDir folder;
    SG_VERIFY_OK(Db::open(folder.write("empty", "")));
}

void TestDbOpen::refusesToOpenWithoutPermission()
{
    const TempDir folder;
    fill(folder / "a", 1);
    QCOMPARE(::chmod((folder / "a").c_str(), 0), 0);
    QCOMPARE(::chmod(folder.path().c_str(), 0777), 0);
    const auto wrong = sg::test::asOrdinaryUser([&]() -> std::string {
        const auto db = Db::open(folder / "a");
        if (db)
            return "it was opened";
        return db.error().code == Errc::PermissionDenied ? "" : db.error().message;
    });
    QCOMPARE(wrong, std::string());
}

void TestDbOpen::refusesToWriteReadOnly()
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

void TestDbOpen::readsFromAReadOnlyDisk()
{
    const SmallDisk disk("4m");
    if (!disk.problem().empty())
        SG_SKIP_WITHOUT("small_disk", disk.problem());
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

// The recursion has no end: before, each look at such a file hung.
void TestDbOpen::readsNoViewInATablesPlace()
{
    const TempDir folder;
    {
        // By SQLite itself, as whoever crafts one.
        sqlite3* raw = nullptr;
        QCOMPARE(sqlite3_open((folder / "crafted.sqlite").c_str(), &raw), SQLITE_OK);
        QCOMPARE(
            sqlite3_exec(
                raw,
                "CREATE VIEW checkpoints AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                " SELECT i AS thread_id FROM n WHERE i < 0",
                nullptr, nullptr, nullptr),
            SQLITE_OK);
        sqlite3_close(raw);
    }
    for (const OpenMode mode : { OpenMode::ReadOnly, OpenMode::Create }) {
        auto db = Db::open(folder / "crafted.sqlite", { mode });
        SG_VERIFY_OK(db);
        for (const char* sql : { "SELECT thread_id FROM checkpoints", "SELECT 1 FROM t JOIN Checkpoints c" })
            QVERIFY(db->cached(sql).error().code == Errc::Corrupt);
        const auto looked = db->prepare("SELECT thread_id FROM checkpoints");
        QVERIFY(!looked);
        QVERIFY2(looked.error().code == Errc::Corrupt, looked.error().message.c_str());
        QVERIFY2(looked.error().message.find("only tables are read") != std::string::npos,
                 looked.error().message.c_str());
    }
}

void TestDbOpen::endsAStepThatComputesForEver()
{
    auto db = Db::open(":memory:");
    SG_VERIFY_OK(db);
    sg::sqlite::StepWatch::install(db->handle(), std::chrono::seconds(1));
    auto endless = db->prepare(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0");
    SG_VERIFY_OK(endless);
    const auto step = endless->step();
    QVERIFY(!step);
    QVERIFY2(step.error().code == Errc::LimitExceeded, step.error().message.c_str());
    auto short1 = db->prepare("SELECT 1");
    SG_VERIFY_OK(short1);
    SG_VERIFY_OK(short1->step());
}

SG_TEST(TestDbOpen)
#include "tst_db_open.moc"
