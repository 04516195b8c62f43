#include "core/base/uuid.h"
#include "tests/support/counting_random.h"
#include "tests/support/fake_clock.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <set>
#include <thread>

using sg::parseUuid;
using sg::uuidText;

class TestUuid : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsItsOwnText();
    void refusesOtherText_data();
    void refusesOtherText();
    void uuid4HasVersionAndVariant();
    void uuid5IsAsPythonMakesIt_data();
    void uuid5IsAsPythonMakesIt();
    void uuid6HoldsTimeStepAndChance();
    void uuid6RisesWhileTheClockStandsOrGoesBack();
    void uuid6IsUniqueOverThreads();
    void systemRandomDiffersBetweenInstances();
    void isoTimeIsAsPythonPrintsIt_data();
    void isoTimeIsAsPythonPrintsIt();
};

void TestUuid::readsItsOwnText()
{
    const std::string text = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
    const auto uuid = parseUuid(text);
    QVERIFY(uuid);
    QCOMPARE(uuidText(*uuid), text);
    QCOMPARE(uuidText(*parseUuid("6BA7B810-9DAD-11D1-80B4-00C04FD430C8")), text);
}

void TestUuid::refusesOtherText_data()
{
    QTest::addColumn<std::string>("text");
    for (const char* text :
         { "", "6ba7b810", "6ba7b810-9dad-11d1-80b4-00c04fd430c", "6ba7b810-9dad-11d1-80b4-00c04fd430c88",
           "6ba7b810x9dad-11d1-80b4-00c04fd430c8", "6ba7b810-9dad-11d1-80b4-00c04fd430cg",
           "6ba7b8109-dad-11d1-80b4-00c04fd430c8" })
        QTest::newRow(text) << std::string(text);
}

void TestUuid::refusesOtherText()
{
    QFETCH(std::string, text);
    QVERIFY(!parseUuid(text));
}

void TestUuid::uuid4HasVersionAndVariant()
{
    sg::SystemRandom random;
    std::set<std::string> seen;
    for (int i = 0; i < 100; ++i) {
        const std::string text = uuidText(sg::uuid4(random));
        QCOMPARE(text[14], '4');
        QVERIFY(std::string("89ab").find(text[19]) != std::string::npos);
        QVERIFY(seen.insert(text).second);
    }
}

void TestUuid::uuid5IsAsPythonMakesIt_data()
{
    QTest::addColumn<std::string>("space");
    QTest::addColumn<std::string>("name");
    QTest::addColumn<std::string>("expected");
    QTest::newRow("dns") << std::string("6ba7b810-9dad-11d1-80b4-00c04fd430c8") << std::string("python.org")
                         << std::string("886313e1-3b8a-5372-9b90-0c9aee199e5d");
    QTest::newRow("zero, empty") << std::string("00000000-0000-0000-0000-000000000000") << std::string()
                                 << std::string("e129f27c-5103-5c5c-844b-cdf0a15e160d");
}

void TestUuid::uuid5IsAsPythonMakesIt()
{
    QFETCH(std::string, space);
    QFETCH(std::string, name);
    QFETCH(std::string, expected);
    QCOMPARE(uuidText(sg::uuid5(*parseUuid(space), name)), expected);
}

void TestUuid::uuid6HoldsTimeStepAndChance()
{
    const sg::test::FakeClock clock; // 2026-11-21T08:00:00Z
    sg::test::CountingRandom random;
    sg::Uuid6Source source(clock, random);
    const std::uint64_t ticks = 0x01B21DD213814000ULL + 17952480000000000ULL;
    const std::string text = source.next(-1);
    const auto uuid = parseUuid(text);
    QVERIFY(uuid);
    std::uint64_t high = 0;
    for (std::size_t i = 0; i < 6; ++i)
        high = high << 8U | (*uuid)[i];
    const std::uint64_t low = ((*uuid)[6] & 0x0FU) << 8U | (*uuid)[7];
    QCOMPARE(high << 12U | low, ticks);
    QCOMPARE(text[14], '6');
    QCOMPARE(text.substr(19), std::string("bfff-000000000001"));
    QCOMPARE(source.next(5).substr(19), std::string("8005-000000000002"));
}

void TestUuid::uuid6RisesWhileTheClockStandsOrGoesBack()
{
    const sg::test::FakeClock clock;
    sg::test::CountingRandom random;
    sg::Uuid6Source source(clock, random);
    std::string last;
    for (int i = 0; i < 10000; ++i) {
        if (i == 5000)
            clock.advance(-std::chrono::hours(1));
        const std::string next = source.next(3);
        QVERIFY(last < next);
        last = next;
    }
    clock.advance(std::chrono::hours(2));
    QVERIFY(last < source.next(0));
}

void TestUuid::uuid6IsUniqueOverThreads()
{
    const sg::SystemClock clock;
    sg::test::CountingRandom random;
    sg::Uuid6Source source(clock, random);
    std::vector<std::vector<std::string>> made(4);
    std::vector<std::thread> threads;
    for (auto& ids : made)
        threads.emplace_back([&source, &ids] {
            for (int i = 0; i < 1000; ++i)
                ids.push_back(source.next(i).substr(0, 18)); // the time alone
        });
    for (std::thread& thread : threads)
        thread.join();
    std::set<std::string> all;
    for (const auto& ids : made)
        all.insert(ids.begin(), ids.end());
    QCOMPARE(all.size(), std::size_t{ 4000 });
}

void TestUuid::systemRandomDiffersBetweenInstances()
{
    QVERIFY(sg::SystemRandom().next() != sg::SystemRandom().next());
}

void TestUuid::isoTimeIsAsPythonPrintsIt_data()
{
    QTest::addColumn<qint64>("micros");
    QTest::addColumn<std::string>("expected");
    QTest::newRow("epoch") << qint64{ 0 } << std::string("1970-01-01T00:00:00+00:00");
    QTest::newRow("fraction") << qint64{ 1795248000123456 }
                              << std::string("2026-11-21T08:00:00.123456+00:00");
    QTest::newRow("leading zeros") << qint64{ 1795248000000007 }
                                   << std::string("2026-11-21T08:00:00.000007+00:00");
    QTest::newRow("leap day") << qint64{ 951782400000000 } << std::string("2000-02-29T00:00:00+00:00");
    QTest::newRow("before the epoch") << qint64{ -1 } << std::string("1969-12-31T23:59:59.999999+00:00");
}

void TestUuid::isoTimeIsAsPythonPrintsIt()
{
    QFETCH(qint64, micros);
    QFETCH(std::string, expected);
    QCOMPARE(sg::isoTime(sg::WallTime(std::chrono::microseconds(micros))), expected);
}

SG_TEST(TestUuid)
#include "tst_uuid.moc"
