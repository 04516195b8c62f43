// A jq program asked of the states of a thread.

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/uuid.h"
#include "core/history/database.h"
#include "core/history/watch.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

using namespace sg;
using history::Database;

namespace {

class Thread {
public:
    explicit Thread(int count)
        : m_database(std::move(*Database::open(m_folder / "c.sqlite", Database::Access::ReadWrite)))
    {
        for (int i = 0; i < count; ++i) {
            checkpoint::Checkpoint made;
            made.id = CheckpointId(m_ids.next(i));
            made.timestamp = "2026-01-01T00:00:00+00:00";
            made.channelValues.set("n", Value(i));
            if (i % 2 == 1)
                made.channelValues.set("text", Value("odd"));
            if (!m_database->store().put({ ThreadId("t"), "", made.id }, {}, made, { "loop", i, {}, {} }))
                qFatal("not stored");
            ids.push_back(made.id);
        }
    }
    history::Watch watch(const std::string& program, bool readsFile = false)
    {
        return history::Watch(m_database->store(), ThreadId("t"), program, expressions::findJqHelper(),
                              readsFile ? m_folder / "c.sqlite" : std::filesystem::path());
    }

    std::vector<CheckpointId> ids;

private:
    test::TempDir m_folder;
    SystemClock m_clock;
    SystemRandom m_random;
    Uuid6Source m_ids{ m_clock, m_random };
    std::unique_ptr<Database> m_database;
};

std::string textOf(const std::vector<history::WatchPoint>& points)
{
    std::string all;
    for (const history::WatchPoint& point : points)
        all += (all.empty() ? "" : " ") + (point.error.empty() ? toJson(point.value) : "!");
    return all;
}

} // namespace

class TestWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhatEachStateHolds_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("points");
        QTest::newRow("number") << ".n * 2"
                                << "0 2 4 6";
        QTest::newRow("of a part") << ".text | length"
                                   << "0 3 0 3";
        QTest::newRow("the first of several") << ".n, 7"
                                              << "0 1 2 3";
        QTest::newRow("none") << "empty"
                              << "null null null null";
        QTest::newRow("errors are a point's own") << ".text | ascii_downcase | length"
                                                  << "! 3 ! 3";
        QTest::newRow("of its own making") << "if .n == 2 then error({a: 1}) else .n end"
                                           << "0 1 ! 3";
        QTest::newRow("a comment at its end") << ".n # number"
                                              << "0 1 2 3";
        QTest::newRow("definitions") << "def f: .n + 1; f"
                                     << "1 2 3 4";
    }
    void saysWhatEachStateHolds()
    {
        QFETCH(QString, program);
        QFETCH(QString, points);
        Thread thread(4);
        auto watch = thread.watch(program.toStdString());
        const auto found = watch.points(thread.ids);
        QVERIFY2(found, found ? "" : found.error().message.c_str());
        QCOMPARE(QString::fromStdString(textOf(*found)), points);
    }

    void tellsWhatIsWrongWithTheProgram()
    {
        Thread thread(1);
        QVERIFY(thread.watch(".n").check());
        for (const char* program : { ".n |", ".n) | (. + 1", "" }) { // the second would pass within another
            const auto wrong = thread.watch(program).check();
            QVERIFY2(!wrong || std::string_view(program).empty(), program);
            if (!wrong)
                QCOMPARE(wrong.error().code, Errc::InvalidArgument);
        }
    }

    void asksManyTogether_data()
    {
        QTest::addColumn<bool>("readsFile");
        QTest::newRow("of the store") << false;
        QTest::newRow("of its file") << true;
    }
    void asksManyTogether()
    {
        QFETCH(bool, readsFile);
        Thread thread(1000);
        auto watch = thread.watch("if .n % 7 == 3 then error(\"no\") else [.n, .text] end", readsFile);
        const auto found = watch.points(thread.ids);
        QVERIFY2(found, found ? "" : found.error().message.c_str());
        QCOMPARE(found->size(), thread.ids.size());
        for (int i = 0; i < 1000; ++i) {
            const history::WatchPoint& point = (*found)[static_cast<std::size_t>(i)];
            QCOMPARE(point.error, std::string(i % 7 == 3 ? "no" : ""));
            QCOMPARE(point.value,
                     i % 7 == 3 ? Value() : Value::list({ i, i % 2 == 1 ? Value("odd") : Value() }));
        }
    }

    void oneThatIsGoneSpoilsNoOther()
    {
        Thread thread(3);
        thread.ids[1] = CheckpointId("gone");
        auto watch = thread.watch(".n");
        const auto found = watch.points(thread.ids);
        QVERIFY(found);
        QCOMPARE(textOf(*found), std::string("0 ! 2"));
    }

    void aProgramWithoutAnEndIsStopped()
    {
        Thread thread(2);
        auto watch = thread.watch("[range(1e12)] | length");
        const auto found = watch.points(thread.ids);
        QVERIFY(!found || !(*found)[0].error.empty());
    }
};

SG_TEST(TestWatch)
#include "tst_watch.moc"
