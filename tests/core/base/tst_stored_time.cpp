#include "core/base/stored_time.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <cstdint>
#include <limits>

using namespace sg;
using namespace std::chrono;

// Times of a file that anybody may have changed: a sum or conversion beyond the clock's range is undefined.
class TestStoredTime : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatTheClockHoldsIsKept()
    {
        QVERIFY(storedTime(milliseconds(1'000'000'000'123)) == WallTime(milliseconds(1'000'000'000'123)));
        QVERIFY(storedTime(microseconds(-5)) == WallTime(microseconds(-5)));
        QVERIFY(storedSpan(milliseconds(90)) == milliseconds(90));
    }

    void extremesStayInOrder()
    {
        constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
        constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
        QVERIFY(storedTime(seconds(least)) < storedTime(seconds(0)));
        QVERIFY(storedTime(seconds(0)) < storedTime(seconds(most)));
        QVERIFY(storedTime(milliseconds(most)) > WallTime(hours(24 * 365 * 140)));
        QVERIFY(storedTime(microseconds(least)) < WallTime(-hours(24 * 365 * 140)));
        QVERIFY(storedSpan(milliseconds(least)) == milliseconds(0));
        QVERIFY(storedSpan(milliseconds(most)) > hours(24 * 365 * 99));
    }

    void aSpanCanBeAddedToAnyMoment()
    {
        const WallTime latest = storedTime(seconds(std::numeric_limits<std::int64_t>::max()));
        QVERIFY(latest + storedSpan(milliseconds(std::numeric_limits<std::int64_t>::max())) > latest);
    }
};

SG_TEST(TestStoredTime)
#include "tst_stored_time.moc"
