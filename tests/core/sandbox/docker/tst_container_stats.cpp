#include "core/base/json.h"
#include "core/sandbox/docker/container_stats.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <sys/socket.h>
#include <unistd.h>

using namespace sg;
using namespace sg::sandbox;
using namespace std::chrono_literals;

namespace {

Value json(const char* text)
{
    auto value = parseJson(text);
    return value ? std::move(*value) : Value();
}

} // namespace

class TestContainerStats : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsBothVersions_data();
    void readsBothVersions();
    void computesPercent_data();
    void computesPercent();
    void splitsObjectsAnyhow();
    void takesNoObjectForever();
};

void TestContainerStats::readsBothVersions_data()
{
    QTest::addColumn<QByteArray>("stats");
    QTest::addColumn<QByteArray>("expected"); // memory limit pids pidsLimit cpuSeconds
    QTest::newRow("version 1") << QByteArray(
        R"({"memory_stats":{"usage":1000,"limit":5000,"stats":{"total_inactive_file":300,"inactive_file":1}},
        "pids_stats":{"current":3,"limit":64},"cpu_stats":{"cpu_usage":{"total_usage":1500000000}}})")
                               << QByteArray("700 5000 3 64 1.5");
    QTest::newRow("version 2") << QByteArray(
        R"({"memory_stats":{"usage":1000,"limit":5000,"stats":{"inactive_file":400}},
        "pids_stats":{"current":3},"cpu_stats":{"cpu_usage":{"total_usage":0}}})")
                               << QByteArray("600 5000 3 0 0");
    QTest::newRow("cache above use") << QByteArray(
        R"({"memory_stats":{"usage":10,"stats":{"inactive_file":400}}})")
                                     << QByteArray("0 0 0 0 0");
    QTest::newRow("ended") << QByteArray(
        R"({"memory_stats":{},"pids_stats":{},"cpu_stats":{"cpu_usage":{}}})")
                           << QByteArray("0 0 0 0 0");
    QTest::newRow("wrong kinds") << QByteArray(R"({"memory_stats":[],"pids_stats":"x","cpu_stats":7})")
                                 << QByteArray("0 0 0 0 0");
}

void TestContainerStats::readsBothVersions()
{
    QFETCH(QByteArray, stats);
    QFETCH(QByteArray, expected);
    const ResourceSample sample = parseStats(json(stats)).sample;
    const QByteArray text = QByteArray::number(static_cast<qint64>(sample.memoryBytes)) + ' '
        + QByteArray::number(static_cast<qint64>(sample.memoryLimit)) + ' '
        + QByteArray::number(static_cast<qint64>(sample.pids)) + ' '
        + QByteArray::number(static_cast<qint64>(sample.pidsLimit)) + ' '
        + QByteArray::number(sample.cpuSeconds);
    QCOMPARE(text, expected);
}

void TestContainerStats::computesPercent_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<double>("percent");
    const QByteArray at100 =
        R"({"cpu_stats":{"cpu_usage":{"total_usage":100},"system_cpu_usage":1000,"online_cpus":2}})";
    QTest::newRow("one of two cores")
        << at100
        << QByteArray(
               R"({"cpu_stats":{"cpu_usage":{"total_usage":600},"system_cpu_usage":2000,"online_cpus":2}})")
        << 100.0;
    QTest::newRow("cores from the list")
        << at100
        << QByteArray(
               R"({"cpu_stats":{"cpu_usage":{"total_usage":350,"percpu_usage":[1,2,3,4]},"system_cpu_usage":2000}})")
        << 100.0;
    QTest::newRow("the first") << QByteArray("null") << at100 << 0.0;
    QTest::newRow("started again")
        << at100
        << QByteArray(
               R"({"cpu_stats":{"cpu_usage":{"total_usage":1},"system_cpu_usage":2000,"online_cpus":2}})")
        << 0.0;
    QTest::newRow("no system time before")
        << QByteArray(R"({"cpu_stats":{"cpu_usage":{"total_usage":0}}})") << at100 << 0.0;
    QTest::newRow("no time passed") << at100 << at100 << 0.0;
}

void TestContainerStats::computesPercent()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(double, percent);
    QCOMPARE(statsCpuPercent(json(before), json(after)), percent);
}

void TestContainerStats::splitsObjectsAnyhow()
{
    int ends[2];
    QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    JsonLines lines({ Fd(ends[0]), "{\"a\":1}\n{\"a\"" });
    Fd engine(ends[1]);
    QCOMPARE(lines.take().size(), std::size_t(1));
    QCOMPARE(lines.take().size(), std::size_t(0));
    QCOMPARE(::write(engine.get(), ":2}\nnonsense\n{\"a\":3}\n{", 22), ssize_t(22));
    const std::vector<Value> more = lines.take(1s);
    QCOMPARE(more.size(), std::size_t(2));
    QCOMPARE(more[1].intOr("a", 0), std::int64_t(3));
    QVERIFY(!lines.ended());
    engine.reset();
    QCOMPARE(lines.take(1s).size(), std::size_t(0));
    QVERIFY(lines.ended());
}

void TestContainerStats::takesNoObjectForever()
{
    int ends[2];
    QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    JsonLines lines({ Fd(ends[0]), std::string(3 << 20, 'x') });
    const Fd engine(ends[1]);
    QCOMPARE(::write(engine.get(), "x", 1), ssize_t(1));
    QCOMPARE(lines.take().size(), std::size_t(0));
    QVERIFY(lines.ended()); // a line that never ends is no answer
}

SG_CORE_TEST(TestContainerStats)
#include "tst_container_stats.moc"
