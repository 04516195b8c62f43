#include "tests/core/sqlite/filled_db.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <atomic>
#include <limits>
#include <thread>

using sg::Errc;
using sg::sqlite::Blob;
using sg::sqlite::ColumnType;
using sg::sqlite::Db;
using sg::sqlite::test::countRows;
using sg::test::TempDir;

class TestStatement : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void storesEveryType();
    void runsCachedStatementsAgain();
    void nestsTheSameCachedStatement();
    void statementsWorkAfterAMove();
    void reportsConstraintsAndBadSql();
    void stopsALongQuery();
};

void TestStatement::storesEveryType()
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

void TestStatement::runsCachedStatementsAgain()
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

void TestStatement::nestsTheSameCachedStatement()
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

void TestStatement::statementsWorkAfterAMove()
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

void TestStatement::reportsConstraintsAndBadSql()
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

void TestStatement::stopsALongQuery()
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

SG_TEST(TestStatement)
#include "tst_statement.moc"
