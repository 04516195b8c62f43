// SQL of somebody's own: what it may ask, and that hostile SQL can neither write, attach, load nor hang.

#include "core/base/file.h"
#include "core/sqlite/confined_query.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <chrono>
#include <thread>

using namespace sg;
using namespace sg::sqlite;

namespace {

std::filesystem::path filled(const std::filesystem::path& folder)
{
    const std::filesystem::path path = folder / "state.sqlite";
    auto db = Db::open(path);
    if (!db
        || !db->exec("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, body BLOB);"
                     "INSERT INTO t VALUES (1, 'one', x'0102'), (2, 'two', NULL), (3, 'three', x'');"))
        qFatal("the database could not be filled");
    return path;
}

Result<QueryTable> asked(const std::filesystem::path& path, std::string_view sql,
                         const QueryLimits& limits = {}, const std::stop_token& stop = {})
{
    DbOptions options;
    options.mode = OpenMode::ReadOnly;
    auto db = Db::open(path, options);
    if (!db)
        return std::move(db.error());
    return confinedQuery(*db, sql, limits, stop);
}

QString shown(const Result<QueryTable>& table)
{
    if (!table)
        return QString::fromStdString(table.error().message);
    QStringList rows;
    for (const auto& row : table->rows) {
        QStringList cells;
        for (const QueryCell& cell : row)
            cells << (cell.isNull ? QStringLiteral("NULL") : QString::fromStdString(cell.text));
        rows << cells.join(QLatin1Char('|'));
    }
    return rows.join(QLatin1Char('\n')) + (table->isCut ? QStringLiteral("\n…") : QString());
}

} // namespace

class TestConfinedQuery : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<test::TempDir>();
        m_path = filled(m_folder->path());
    }

    void answers()
    {
        QCOMPARE(shown(asked(m_path, "SELECT name, body FROM t ORDER BY id;")),
                 QStringLiteral("one|blob, 2 bytes\ntwo|NULL\nthree|blob, 0 bytes"));
        QCOMPARE(shown(asked(m_path,
                             "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) "
                             "SELECT upper(hex(i)), json_extract('{\"a\": 5}', '$.a') FROM n")),
                 QStringLiteral("31|5\n32|5\n33|5"));
        QCOMPARE(shown(asked(m_path, "SELECT printf('%1000000000d', 1)")), QStringLiteral("NULL"));
        QueryLimits few;
        few.rows = 2;
        QCOMPARE(shown(asked(m_path, "SELECT id FROM t", few)), QStringLiteral("1\n2\n…"));
        QueryLimits narrow;
        narrow.cellBytes = 3;
        QCOMPARE(shown(asked(m_path, "SELECT name FROM t WHERE id = 3", narrow)), QStringLiteral("thr"));
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("sql");
        QTest::addColumn<QString>("why");
        const auto row = [](const char* sql, const char* why) {
            QTest::newRow(sql) << QByteArray(sql) << QString::fromLatin1(why);
        };
        row("DELETE FROM t", "not allowed");
        row("INSERT INTO t VALUES (4, 'x', NULL)", "not allowed");
        row("UPDATE t SET name = 'x'", "not allowed");
        row("DROP TABLE t", "not allowed");
        row("CREATE TABLE x (a)", "not allowed");
        row("CREATE TEMP TABLE x AS SELECT * FROM t", "not allowed");
        row("ATTACH 'FOLDER/other.sqlite' AS other", "not allowed");
        row("VACUUM INTO 'FOLDER/copy.sqlite'", "only reads");
        row("PRAGMA writable_schema = ON", "not allowed");
        row("PRAGMA journal_mode = DELETE", "not allowed");
        row("SELECT * FROM pragma_database_list", "not allowed");
        row("SELECT * FROM dbstat", "not allowed");
        row("SELECT load_extension('/tmp/x.so')", "not allowed");
        row("SELECT writefile('/tmp/x', 'x')", "no such function");
        row("SELECT readfile('/etc/passwd')", "no such function");
        row("SELECT replace(name, 'a', 'b') FROM t", "not allowed");
        row("SELECT fts3_tokenizer('simple')", "not allowed");
        row("BEGIN IMMEDIATE", "not allowed");
        row("SELECT 1; DROP TABLE t", "one query at a time");
        row("SELECT missing FROM t", "no such column");
        row("", "empty");
        row("SELECT randomblob(1000000000)", "not allowed");
        row("SELECT hex(zeroblob(1000000000))", "not allowed");
    }
    void refuses()
    {
        QFETCH(QByteArray, sql);
        QFETCH(QString, why);
        const std::string before = *readFile(m_path);
        const auto answer =
            asked(m_path, QByteArray(sql).replace("FOLDER", m_folder->path().c_str()).toStdString());
        QVERIFY2(!answer && QString::fromStdString(answer.error().message).contains(why),
                 qPrintable(shown(answer)));
        QCOMPARE(*readFile(m_path), before);
        for (const char* name : { "copy.sqlite", "other.sqlite" })
            QVERIFY(!std::filesystem::exists(*m_folder / name));
    }

    // Each would run for minutes or for ever, in one way of its own.
    void hostileQueriesEnd_data()
    {
        QTest::addColumn<QByteArray>("sql");
        QTest::newRow("endless rows") << QByteArray(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");
        QTest::newRow("a product") << QByteArray(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
            "SELECT sum(a.i * b.i * c.i) FROM n a, n b, n c");
        QTest::newRow("no row ever") << QByteArray(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0");
        QByteArray doubled = "WITH a0 AS (SELECT 1 AS x)";
        for (int i = 1; i < 30; ++i)
            doubled += QByteArray(", a") + QByteArray::number(i) + " AS (SELECT l.x FROM a"
                + QByteArray::number(i - 1) + " l, a" + QByteArray::number(i - 1) + " r)";
        QTest::newRow("parts that multiply") << doubled + " SELECT * FROM a29";
        QTest::newRow("patterns") << QByteArray(
            "SELECT count(*) FROM t WHERE printf('%.*c', 4000000, 'a') LIKE '%a%a%a%a%a%a%a%a%a%a%a%a%b'");
        QTest::newRow("nested") << QByteArray("SELECT 1 FROM ") + QByteArray("a(").repeated(30'000);
        QTest::newRow("nested parts") << QByteArray("WITH ") + QByteArray("a AS(").repeated(10'000);
        QTest::newRow("growing text") << QByteArray("WITH RECURSIVE n(s) AS (SELECT 'aaaaaaaaaaaaaaaa' UNION "
                                                    "ALL SELECT s || s FROM n) SELECT length(s) FROM n");
    }
    void hostileQueriesEnd()
    {
        QFETCH(QByteArray, sql);
        QueryLimits limits;
        limits.time = std::chrono::milliseconds(300);
        const auto start = std::chrono::steady_clock::now();
        const auto answer = asked(m_path, sql.toStdString(), limits);
        const auto took = std::chrono::steady_clock::now() - start;
        QVERIFY2(took < std::chrono::seconds(20), qPrintable(shown(answer))); // of a loaded machine
        if (!answer)
            QVERIFY2(answer.error().code == Errc::LimitExceeded
                         || (sql.contains("a(a(") && answer.error().code == Errc::InvalidArgument),
                     qPrintable(shown(answer)));
    }

    // Each would take gigabytes, of memory or of the disk, well before its time is up.
    void memoryHasAnEnd_data()
    {
        QTest::addColumn<QByteArray>("sql");
        const QByteArray numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) ";
        QByteArray wide = "SELECT printf('%.*c', 4000000, 'a')";
        for (int i = 1; i < 100; ++i)
            wide += ", printf('%.*c', 4000000, 'a')";
        QTest::newRow("columns") << wide;
        QTest::newRow("sorter") << numbers + "SELECT printf('%.*c', 1000000, 'a') || i FROM n ORDER BY 1";
        QTest::newRow("distinct") << numbers + "SELECT DISTINCT printf('%.*c', 1000000, 'a') || i FROM n";
        QTest::newRow("queue") << QByteArray(
            "WITH RECURSIVE n(s) AS (SELECT printf('%.*c', 1000000, 'a') UNION "
            "ALL SELECT s FROM n, t) SELECT count(*) FROM n");
    }
    void memoryHasAnEnd()
    {
        QFETCH(QByteArray, sql);
        QueryLimits limits;
        limits.time = std::chrono::minutes(5);
        const auto answer = asked(m_path, sql.toStdString(), limits);
        QVERIFY(!answer);
        QCOMPARE(answer.error().code, Errc::LimitExceeded);
        QVERIFY2(shown(answer).contains(QStringLiteral("memory")), qPrintable(shown(answer)));
        QCOMPARE(shown(asked(m_path, "SELECT count(*) FROM t")), QStringLiteral("3")); // of another one
    }

    void aLongValueIsSaid()
    {
        auto db = Db::open(m_path);
        QVERIFY(db && db->exec("UPDATE t SET body = zeroblob(20000000) WHERE id = 1"));
        QCOMPARE(shown(asked(m_path, "SELECT name, length(body) FROM t WHERE id = 1")),
                 QStringLiteral("one|20000000"));
        const auto answer = asked(m_path, "SELECT * FROM t");
        QVERIFY(!answer);
        QCOMPARE(answer.error().code, Errc::LimitExceeded);
        QVERIFY2(shown(answer).contains(QStringLiteral("longer than")), qPrintable(shown(answer)));
        QCOMPARE(asked(m_path, std::string(100'000, ' ') + "SELECT 1").error().code, Errc::LimitExceeded);
    }

    // A file may hold more views than a stack has room for.
    void viewsThatNestForEverEnd()
    {
        auto db = Db::open(m_path);
        QVERIFY(db && db->exec("CREATE VIEW v0 AS SELECT 1 AS x"));
        const auto nestUpTo = [&db](int from, int to) {
            std::string sql = "BEGIN;";
            for (int i = from; i < to; ++i)
                sql +=
                    "CREATE VIEW v" + std::to_string(i) + " AS SELECT x FROM v" + std::to_string(i - 1) + ";";
            return db->exec(sql + "COMMIT");
        };
        QVERIFY(nestUpTo(1, 900));
        QCOMPARE(shown(asked(m_path, "SELECT x FROM v5")), QStringLiteral("1"));
        QCOMPARE(asked(m_path, "SELECT x FROM v899").error().code, Errc::LimitExceeded);
        QVERIFY(nestUpTo(900, 3000));
        const auto answer = asked(m_path, "SELECT 1");
        QVERIFY(!answer);
        QVERIFY2(shown(answer).contains(QStringLiteral("more views")), qPrintable(shown(answer)));
    }

    void viewsOfTheFileCountToo()
    {
        std::string sql = "CREATE VIEW v0 AS SELECT 1 AS x;";
        for (int i = 1; i < 40; ++i)
            sql += "CREATE VIEW v" + std::to_string(i) + " AS SELECT l.x FROM \"v" + std::to_string(i - 1)
                + "\" l, [v" + std::to_string(i - 1) + "] r;";
        auto db = Db::open(m_path);
        QVERIFY(db && db->exec(sql));
        QCOMPARE(shown(asked(m_path, "SELECT x FROM v3")), QStringLiteral("1"));
        QCOMPARE(asked(m_path, "SELECT x FROM v39").error().code, Errc::LimitExceeded);
    }

    void isStopped()
    {
        std::stop_source stop;
        QueryLimits limits;
        limits.time = std::chrono::minutes(5);
        std::jthread later([&stop] {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            stop.request_stop();
        });
        const auto answer = asked(
            m_path, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
            limits, stop.get_token());
        QVERIFY(!answer);
        QCOMPARE(answer.error().code, Errc::Cancelled);
    }

private:
    std::unique_ptr<test::TempDir> m_folder;
    std::filesystem::path m_path;
};

SG_TEST(TestConfinedQuery)
#include "tst_confined_query.moc"
