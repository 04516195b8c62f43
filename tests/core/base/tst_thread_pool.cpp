#include "core/base/thread_pool.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <atomic>
#include <semaphore>
#include <set>
#include <thread>

using sg::ThreadPool;
using sg::test::waitFor;

class TestThreadPool : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hasAtLeastOneThread();
    void runsWhatIsSubmittedBeforeItEnds();
    void neverRunsMoreThanItsThreads();
    void runsInParallel();
    void startsInTheOrderOfSubmission();
    void reusesIdleThreads();
    void jobsMaySubmitJobs();
    void dropsWhatAJobHeld();
};

void TestThreadPool::hasAtLeastOneThread()
{
    QCOMPARE(ThreadPool(4).maxThreads(), std::size_t{ 4 });
    QCOMPARE(ThreadPool(0).maxThreads(), std::size_t{ 1 });
}

void TestThreadPool::runsWhatIsSubmittedBeforeItEnds()
{
    std::atomic<int> done{ 0 };
    {
        ThreadPool pool(3);
        for (int i = 0; i < 500; ++i)
            pool.submit([&] { ++done; });
    }
    QCOMPARE(done.load(), 500);
}

void TestThreadPool::neverRunsMoreThanItsThreads()
{
    std::atomic<int> running{ 0 };
    std::atomic<int> most{ 0 };
    {
        ThreadPool pool(3);
        for (int i = 0; i < 200; ++i)
            pool.submit([&] {
                const int now = ++running;
                for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) { }
                std::this_thread::yield();
                --running;
            });
    }
    QVERIFY2(most <= 3, std::to_string(most).c_str());
}

void TestThreadPool::runsInParallel()
{
    std::counting_semaphore<8> arrived(0);
    std::counting_semaphore<8> leave(0);
    ThreadPool pool(4);
    for (int i = 0; i < 4; ++i)
        pool.submit([&] {
            arrived.release();
            leave.acquire();
        });
    for (int i = 0; i < 4; ++i)
        QVERIFY(arrived.try_acquire_for(sg::test::kPatience));
    leave.release(4);
}

void TestThreadPool::startsInTheOrderOfSubmission()
{
    std::string order;
    {
        ThreadPool pool(1);
        for (const char c : std::string("abcdefgh"))
            pool.submit([&order, c] { order += c; });
    }
    QCOMPARE(order, std::string("abcdefgh"));
}

void TestThreadPool::reusesIdleThreads()
{
    ThreadPool pool(8);
    std::set<std::thread::id> used; // one job at a time touches it
    for (int i = 0; i < 20; ++i) {
        std::atomic<bool> done{ false };
        pool.submit([&] {
            used.insert(std::this_thread::get_id());
            done = true;
        });
        QVERIFY(waitFor([&] { return done.load(); }));
    }
    QVERIFY2(used.size() < 8, std::to_string(used.size()).c_str());
}

void TestThreadPool::jobsMaySubmitJobs()
{
    std::atomic<int> done{ 0 };
    {
        ThreadPool pool(2);
        for (int i = 0; i < 10; ++i)
            pool.submit([&] {
                ++done;
                pool.submit([&] { ++done; });
            });
    }
    QCOMPARE(done.load(), 20);
}

void TestThreadPool::dropsWhatAJobHeld()
{
    ThreadPool pool(1);
    const auto held = std::make_shared<int>(1);
    pool.submit([held] {});
    QVERIFY(waitFor([&] { return held.use_count() == 1; }));
}

SG_TEST(TestThreadPool)
#include "tst_thread_pool.moc"
