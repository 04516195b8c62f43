#include "core/sessions/host_budget.h"
#include "tests/support/qtest_std.h"
#include "tests/support/wait_for.h"

#include <atomic>
#include <thread>

using namespace sg;
using sessions::HostBudget;

namespace {

constexpr std::int64_t kMiB = 1 << 20;

// Somebody who waits in a thread of its own.
struct Waiter {
    Waiter(HostBudget& budget, const std::string& thread, std::int64_t memory = kMiB)
        : work([&budget, thread, memory, this](const std::stop_token& stop) {
            auto entered = budget.enter(ThreadId(thread), memory, stop, [this](const std::string& text) {
                const std::lock_guard lock(mutex);
                said.push_back(text);
            });
            if (entered)
                place = std::move(*entered);
            else
                problem = entered.error().message;
            isDone = true;
        })
    {
    }
    std::size_t saidCount()
    {
        const std::lock_guard lock(mutex);
        return said.size();
    }
    std::mutex mutex;
    std::vector<std::string> said; // guarded by mutex
    HostBudget::Place place;
    std::string problem;
    std::atomic<bool> isDone = false;
    std::jthread work;
};

HostBudget::Place placeOf(HostBudget& budget, const char* thread)
{
    auto place = budget.tryEnter(ThreadId(thread), kMiB);
    if (!place)
        qFatal("no place");
    return std::move(*place);
}

} // namespace

class TestHostBudget : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void letsInWhatFits()
    {
        HostBudget budget({ 2, 0 });
        auto a = budget.tryEnter(ThreadId("a"), kMiB);
        auto b = budget.tryEnter(ThreadId("a"), kMiB);
        QVERIFY(a && b && !budget.tryEnter(ThreadId("b"), kMiB));
        a.reset();
        QVERIFY(budget.tryEnter(ThreadId("b"), kMiB));
    }

    void countsMemory()
    {
        HostBudget budget({ 0, 10 * kMiB });
        const auto a = budget.tryEnter(ThreadId("a"), 6 * kMiB);
        QVERIFY(a && !budget.tryEnter(ThreadId("b"), 5 * kMiB));
        QVERIFY(budget.tryEnter(ThreadId("b"), 4 * kMiB));
        const auto never = budget.enter(ThreadId("c"), 11 * kMiB, {}, {});
        QVERIFY(!never && never.error().code == Errc::LimitExceeded);
        SG_VERIFY_CONTAINS(never.error().message, std::string("11 MiB does not fit"));
    }

    void saysWhyItWaitsAndGoesOnWhenThereIsRoom()
    {
        HostBudget budget({ 1, 0 });
        auto first = std::make_unique<HostBudget::Place>(placeOf(budget, "a"));
        Waiter waiter(budget, "b");
        QVERIFY(test::waitFor([&] { return waiter.saidCount() == 1; }));
        SG_VERIFY_CONTAINS(waiter.said.front(), std::string("1 session is alive, at most 1"));
        QVERIFY(!waiter.isDone);
        first.reset();
        QVERIFY(test::waitFor([&] { return waiter.isDone.load(); }));
        QCOMPARE(waiter.problem, std::string());
        QCOMPARE(budget.waitingCount(), 0);
    }

    void endsAWaitThatIsStopped()
    {
        HostBudget budget({ 1, 0 });
        const auto first = placeOf(budget, "a");
        Waiter waiter(budget, "b");
        QVERIFY(test::waitFor([&] { return budget.waitingCount() == 1; }));
        waiter.work.request_stop();
        QVERIFY(test::waitFor([&] { return waiter.isDone.load(); }));
        SG_VERIFY_CONTAINS(waiter.problem, std::string("stopped while it waited"));
        QCOMPARE(budget.waitingCount(), 0);
    }

    void aThreadThatAsksForManyDoesNotKeepOthersOut()
    {
        HostBudget budget({ 2, 0 });
        auto one = std::make_unique<HostBudget::Place>(placeOf(budget, "greedy"));
        auto two = std::make_unique<HostBudget::Place>(placeOf(budget, "greedy"));
        Waiter greedy(budget, "greedy");
        QVERIFY(test::waitFor([&] { return budget.waitingCount() == 1; }));
        Waiter modest(budget, "modest");
        QVERIFY(test::waitFor([&] { return budget.waitingCount() == 2; }));
        one.reset();
        QVERIFY(test::waitFor([&] { return modest.isDone.load(); }));
        QVERIFY(!greedy.isDone);
        two.reset();
        QVERIFY(test::waitFor([&] { return greedy.isDone.load(); }));
    }
};

QTEST_APPLESS_MAIN(TestHostBudget)
#include "tst_host_budget.moc"
