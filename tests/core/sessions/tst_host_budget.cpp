#include "core/sessions/host_budget.h"
#include "core/sessions/memory_ledger.h"
#include "tests/support/qtest_std.h"
#include "tests/support/qtry.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <set>
#include <thread>

using namespace sg;
using sessions::HostBudget;

namespace {

constexpr std::int64_t kMiB = 1 << 20;

// Threads of runs, and places of sessions that nobody uses.
struct Host final : HostBudget::Host {
    bool makeRoom(const ThreadId& forWhom) override
    {
        const std::lock_guard lock(mutex);
        ++looks;
        if (idle.empty())
            return false;
        idle.erase(idle.begin());
        madeFor += forWhom.value;
        return true;
    }
    [[nodiscard]] bool isInRun(const ThreadId& thread) const override
    {
        const std::lock_guard lock(mutex);
        return running.contains(thread.value);
    }
    void end(const std::string& thread)
    {
        const std::lock_guard lock(mutex);
        running.erase(thread);
    }
    mutable std::mutex mutex;
    std::set<std::string> running; // guarded by mutex
    std::vector<HostBudget::Place> idle; // guarded by mutex
    std::string madeFor; // guarded by mutex
    std::atomic<int> looks = 0;
};

// Somebody who waits in a thread of its own.
struct Waiter {
    Waiter(HostBudget& budget, const std::string& thread, std::int64_t memory = kMiB, bool isOfRun = false)
        : work([&budget, thread, memory, isOfRun, this](const std::stop_token& stop) {
            auto entered =
                budget.enter({ ThreadId(thread), memory, isOfRun }, stop, [this](const std::string& text) {
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
    // 15.6 GiB are left to programs of a laptop with 16.
    void theNinthOfALaptopWaits()
    {
        constexpr std::int64_t kGiB = 1024 * kMiB;
        const test::TempDir folder;
        const sessions::HostBudgetLimits limits{ 256, sessions::wholeGiB(15'974 * kMiB), folder / "memory" };
        HostBudget window(limits);
        HostBudget commandLine(limits); // another program of the same user
        std::vector<HostBudget::Place> places;
        for (int i = 0; i < 8; ++i) {
            auto place = (i % 3 == 0 ? commandLine : window).tryEnter(ThreadId("t"), 2 * kGiB);
            QVERIFY2(place, qPrintable(QString::number(i)));
            places.push_back(std::move(*place));
        }
        QVERIFY(!window.tryEnter(ThreadId("t"), kMiB));
        Waiter ninth(commandLine, "ninth", 2 * kGiB);
        QTRY_COMPARE(ninth.saidCount(), std::size_t(1));
        QVERIFY2(ninth.said.front().find("16384 of 16384 MiB are given away, also to other programs")
                     != std::string::npos,
                 ninth.said.front().c_str());
        QVERIFY(window.isAnotherWaiting());
        QVERIFY(!commandLine.isAnotherWaiting()); // it waits itself
        places.pop_back(); // of the other program
        QTRY_VERIFY(ninth.isDone);
        QCOMPARE(ninth.problem, std::string());
        QVERIFY(!window.isAnotherWaiting());
    }

    void whatAProgramHadIsGivenBackWhenItIsKilled()
    {
        const test::TempDir folder;
        const sessions::MemoryLedger ledger(folder / "memory", 100 * kMiB);
        std::array<int, 2> ends{};
        QCOMPARE(::pipe(ends.data()), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            const auto share = ledger.take(70 * kMiB);
            char byte = share ? 'y' : 'n';
            static_cast<void>(!::write(ends[1], &byte, 1));
            ::pause();
        }
        char byte = 0;
        QCOMPARE(::read(ends[0], &byte, 1), ssize_t(1));
        QCOMPARE(ledger.givenAway(), 70 * kMiB);
        const auto rest = ledger.take(30 * kMiB);
        QVERIFY(rest);
        QVERIFY(!ledger.take(1));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        QCOMPARE(ledger.givenAway(), 30 * kMiB);
        const auto around = ledger.take(70 * kMiB); // in pieces, where others lie between
        QVERIFY(around);
        QVERIFY(!ledger.hasRoom(1));
        ::close(ends[0]);
        ::close(ends[1]);
    }

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
        const auto never = budget.enter({ ThreadId("c"), 11 * kMiB }, {}, {});
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

    void whoIsIdleMakesRoomForTheFirstInTheLine()
    {
        Host host;
        HostBudget budget({ 2, 0 }, &host);
        host.idle.push_back(placeOf(budget, "idle"));
        const auto held = placeOf(budget, "busy");
        Waiter first(budget, "first");
        QVERIFY(test::waitFor([&] { return first.isDone.load(); }));
        QCOMPARE(first.problem, std::string());
        QCOMPARE(host.madeFor, std::string("first"));
        Waiter second(budget, "second"); // nobody is idle now
        QVERIFY(test::waitFor([&] { return second.saidCount() > 0; }));
        QVERIFY(!second.isDone);
        {
            const std::lock_guard lock(host.mutex);
            host.idle.push_back(std::move(first.place));
        }
        QVERIFY(test::waitFor([&] { return second.isDone.load(); }));
        QCOMPARE(second.problem, std::string());
    }

    void aRunThatHoldsAllAndWaitsForMoreGivesUp()
    {
        Host host;
        host.running = { "run" };
        HostBudget budget({ 1, 0 }, &host);
        const auto held = placeOf(budget, "run");
        Waiter waiter(budget, "run", kMiB, true);
        QVERIFY(test::waitFor([&] { return waiter.isDone.load(); }));
        SG_VERIFY_CONTAINS(waiter.problem, "this one, of thread run, has 1 session and needs another");
        SG_VERIFY_CONTAINS(waiter.problem, "raise SANDGLASS_SESSIONS");
        QCOMPARE(budget.waitingCount(), 0);
    }

    void ofRunsThatWaitForEachOtherOneGivesUp()
    {
        Host host;
        host.running = { "a", "b" };
        HostBudget budget({ 3, 0 }, &host);
        const auto one = placeOf(budget, "a");
        auto two = placeOf(budget, "b");
        const auto three = placeOf(budget, "b");
        Waiter a(budget, "a", kMiB, true);
        QVERIFY(test::waitFor([&] { return a.saidCount() > 0; }));
        QVERIFY(!a.isDone); // the other one may end
        Waiter b(budget, "b", kMiB, true);
        QVERIFY(test::waitFor([&] { return b.isDone.load(); }));
        SG_VERIFY_CONTAINS(b.problem, "thread b, has 2 sessions and needs another");
        QVERIFY(!a.isDone);
        {
            const std::lock_guard lock(host.mutex); // it has failed, and nobody uses what it had
            host.running.erase("b");
            host.idle.push_back(std::move(two));
        }
        QVERIFY(test::waitFor([&] { return a.isDone.load(); }));
        QCOMPARE(a.problem, std::string());
    }

    void whoeverIsNoRunIsWaitedFor_data()
    {
        QTest::addColumn<bool>("isOfRun");
        QTest::addColumn<bool>("isInRun");
        QTest::newRow("a cell by hand beside a run") << false << true;
        QTest::newRow("a thread without a run") << true << false;
    }
    void whoeverIsNoRunIsWaitedFor()
    {
        QFETCH(bool, isOfRun);
        QFETCH(bool, isInRun);
        Host host;
        if (isInRun)
            host.running = { "a" };
        HostBudget budget({ 1, 0 }, &host);
        auto held = std::make_unique<HostBudget::Place>(placeOf(budget, "a"));
        Waiter waiter(budget, "a", kMiB, isOfRun);
        QVERIFY(test::waitFor([&] { return waiter.saidCount() > 0; }));
        Waiter other(budget, "b", kMiB, true);
        QVERIFY(test::waitFor([&] { return other.saidCount() > 0; }));
        QVERIFY(test::waitFor([&] { return host.looks >= 4; }));
        QVERIFY(!waiter.isDone && !other.isDone);
        held.reset();
        QVERIFY(test::waitFor([&] { return waiter.isDone.load(); }));
        QCOMPARE(waiter.problem, std::string());
        waiter.place = {};
        QVERIFY(test::waitFor([&] { return other.isDone.load(); }));
        QCOMPARE(other.problem, std::string());
    }
};

SG_TEST(TestHostBudget)
#include "tst_host_budget.moc"
