// However many refusals code asks for, few rows tell of them, and each is counted.

#include "core/sandbox/egress/refusal_fold.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::sandbox::egress;
using namespace std::chrono_literals;

namespace {

EgressDecision refusal(const std::string& place, const std::string& reason = "not on the list")
{
    EgressDecision decision;
    decision.place = place;
    decision.reason = reason;
    return decision;
}

// "a:443 x3, b:443 x1"
std::string text(const std::vector<EgressDecision>& told)
{
    std::string all;
    for (const EgressDecision& each : told)
        all += (all.empty() ? "" : ", ") + (each.place.empty() ? "more" : each.place) + " x"
            + std::to_string(each.times);
    return all;
}

std::int64_t counted(const std::vector<EgressDecision>& told)
{
    std::int64_t count = 0;
    for (const EgressDecision& each : told)
        count += each.times;
    return count;
}

} // namespace

class TestRefusalFold : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tellsTheFirstAtOnceAndThoseLikeItTogether()
    {
        RefusalFold fold;
        const SteadyTime begin(1000s);
        QCOMPARE(text(fold.take(refusal("a:443"), begin)), std::string("a:443 x1"));
        QCOMPARE(text(fold.take(refusal("a:443"), begin + 100ms)), std::string());
        QCOMPARE(text(fold.take(refusal("b:443"), begin + 200ms)), std::string("b:443 x1"));
        QCOMPARE(text(fold.take(refusal("a:443", "another reason"), begin + 300ms)), std::string("a:443 x1"));
        QCOMPARE(text(fold.take(refusal("a:443"), begin + 900ms)), std::string());
        QCOMPARE(text(fold.due(begin + 999ms)), std::string());
        QVERIFY(fold.isWaiting());
        QCOMPARE(text(fold.due(begin + 1000ms)), std::string("a:443 x2"));
        QCOMPARE(text(fold.take(refusal("a:443"), begin + 1500ms)), std::string());
        QCOMPARE(text(fold.due(begin + 2000ms)), std::string("a:443 x1"));
        QCOMPARE(text(fold.due(begin + 5000ms)), std::string());
        QVERIFY(!fold.isWaiting());
        QCOMPARE(text(fold.take(refusal("a:443"), begin + 6000ms)), std::string("a:443 x1"));
    }

    void aMinuteHasSoManyRows()
    {
        RefusalFold fold;
        SteadyTime now(1000s);
        std::vector<EgressDecision> told;
        const auto add = [&](std::vector<EgressDecision> more) {
            told.insert(told.end(), more.begin(), more.end());
        };
        for (int i = 0; i < 50'000; ++i, now += 1ms) // 50 s, each to another place
            add(fold.take(refusal("x" + std::to_string(i) + ":443"), now));
        QCOMPARE(static_cast<int>(told.size()), RefusalFold::kMostRefusals);
        add(fold.due(now + 9999ms));
        QCOMPARE(static_cast<int>(told.size()), RefusalFold::kMostRefusals);
        add(fold.due(now + 10s));
        QCOMPARE(static_cast<int>(told.size()), RefusalFold::kMostRefusals + 1);
        QCOMPARE(counted(told), std::int64_t{ 50'000 });
        QCOMPARE(text({ told.back() }), std::string("more x49940"));
        QCOMPARE(text(fold.take(refusal("a:443"), now + 10s)), std::string("a:443 x1"));
    }

    void tellsTheRestAtTheEnd()
    {
        RefusalFold fold;
        std::vector<EgressDecision> told;
        for (int i = 0; i < 1000; ++i)
            for (EgressDecision& each : fold.take(refusal("x" + std::to_string(i % 100)), SteadyTime(1000s)))
                told.push_back(std::move(each));
        for (EgressDecision& each : fold.rest())
            told.push_back(std::move(each));
        QCOMPARE(counted(told), std::int64_t{ 1000 });
        QVERIFY(static_cast<int>(told.size()) <= 2 * RefusalFold::kMostRefusals + 1);
        QVERIFY(!fold.isWaiting());
    }
};

SG_TEST(TestRefusalFold)
#include "tst_refusal_fold.moc"
