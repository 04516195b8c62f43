// Workers and Redis are killed, and Redis loses what it held, while jobs are done. What is to be done is
// counted in advance: each result counts once, each hopeless job is a dead letter once, and nothing is left.
//
// SG_CHAOS_JOBS and SG_CHAOS_KILLS make it larger; packaging/gates/pools.sh does.

#include "core/base/clock.h"
#include "core/checkpoint/dispatch_log.h"
#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "core/workers/receipts.h"
#include "core/workers/role_line.h"
#include "tests/support/machine.h"
#include "tests/support/qtest_std.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_main.h"

#include <sys/prctl.h>

#include <atomic>
#include <mutex>

using namespace sg;
using namespace sg::test;
using namespace sg::workers;
using namespace std::chrono_literals;

namespace {

int fromEnvironment(const char* name, int fallback)
{
    const char* text = std::getenv(name); // NOLINT(concurrency-mt-unsafe): never changed here
    return text == nullptr ? fallback : std::atoi(text); // NOLINT(cert-err34-c): the gate's own
}

std::string kindOf(int job)
{
    if (job % 100 == 7)
        return "bad";
    if (job % 200 == 11)
        return "deadly";
    return job % 12 == 5 ? "flaky" : "ok";
}

class Crew {
public:
    Crew(std::string socket, int size)
        : m_socket(std::move(socket))
        , m_workers(static_cast<std::size_t>(size), -1)
    {
        replaceEnded();
    }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;
    ~Crew()
    {
        for (const pid_t worker : m_workers) {
            ::kill(worker, SIGKILL);
            ::waitpid(worker, nullptr, 0);
        }
    }

    void kill(std::size_t which)
    {
        pid_t& worker = m_workers[which % m_workers.size()];
        ::kill(worker, SIGKILL);
        ::waitpid(worker, nullptr, 0);
        worker = -1;
        replaceEnded();
    }
    // For longer than a lease: others take over, and what it says when it wakes up does not count.
    void freeze(std::size_t which, std::chrono::milliseconds time) const
    {
        const pid_t worker = m_workers[which % m_workers.size()];
        ::kill(worker, SIGSTOP);
        std::this_thread::sleep_for(time);
        ::kill(worker, SIGCONT);
    }
    void replaceEnded()
    {
        for (pid_t& worker : m_workers) {
            if (worker > 0 && ::waitpid(worker, nullptr, WNOHANG) == 0)
                continue;
            worker = ::fork();
            if (worker == 0) {
                ::prctl(PR_SET_PDEATHSIG, SIGKILL);
                ::execl(SG_CHAOS_WORKER, SG_CHAOS_WORKER, m_socket.c_str(), "800", nullptr);
                ::_exit(127);
            }
        }
    }

private:
    const std::string m_socket;
    std::vector<pid_t> m_workers;
};

} // namespace

class TestPoolChaos : public QObject {
    Q_OBJECT

    const int m_jobs = fromEnvironment("SG_CHAOS_JOBS", 400);
    const int m_kills = fromEnvironment("SG_CHAOS_KILLS", 30);

    struct Counts {
        std::mutex mutex;
        std::vector<int> done;
        std::vector<int> dead;
        int wrong = 0;
        std::string why;
    };

    void perform(RoleLine& line, checkpoint::CheckpointStore& store, int number, Counts& counts) const
    {
        const std::string payload = kindOf(number) + " " + std::to_string(number);
        checkpoint::Dispatch dispatch{
            ThreadId("t"),          TaskId(std::to_string(number)),   1, "d", "chaos",
            std::to_string(number), checkpoint::Dispatch::State::Open
        };
        NewJob job;
        job.id = dispatch.job;
        job.payload = payload;
        job.attempts = 3;
        job.partition = std::to_string(number % 20); // so that many wait for one worker
        const auto noted = store.dispatchLog()->put(dispatch);
        const auto ended = line.perform(std::move(job), {}, {});
        Receipts receipts(*store.dispatchLog(), nullptr, {});
        receipts.add(dispatch);
        const auto stored = store.together(receipts.taskDone(dispatch.task));
        const std::lock_guard lock(counts.mutex);
        const bool isDone = ended && ended->state == JobState::Done && ended->result == "did " + payload;
        const bool isDead = ended && ended->state == JobState::Dead && ended->result == "failed " + payload;
        counts.done[static_cast<std::size_t>(number)] += isDone ? 1 : 0;
        counts.dead[static_cast<std::size_t>(number)] += isDead ? 1 : 0;
        if (!noted || !stored || isDone == isDead) {
            ++counts.wrong;
            counts.why = payload + ": "
                + (ended ? std::string(nameOf(ended->state)) + " " + ended->error : ended.error().message);
        }
    }

    void run(RedisServer::Keep keep, bool flushes)
    {
        RedisServer server(keep);
        const TempDir folder;
        auto store = checkpoint::openSqliteCheckpointStore(folder / "c.sqlite", {});
        QVERIFY(store);
        Crew crew(server.socket(), 4);
        RoleLine line(*parseQueueAddress(server.address()), { "test", "chaos" }, "client");
        Counts counts;
        counts.done.resize(static_cast<std::size_t>(m_jobs));
        counts.dead.resize(static_cast<std::size_t>(m_jobs));
        std::atomic<int> next = 0;
        std::vector<std::thread> runs;
        for (int i = 0; i < 64; ++i)
            runs.emplace_back([&] {
                for (int number = next++; number < m_jobs; number = next++)
                    perform(line, **store, number, counts);
            });
        std::atomic<bool> isOver = false;
        std::thread waiter([&] {
            for (std::thread& each : runs)
                each.join();
            isOver = true;
        });
        for (int kill = 0; !isOver; ++kill) {
            std::this_thread::sleep_for(kill < m_kills ? 60ms : 100ms);
            if (kill >= m_kills)
                crew.replaceEnded();
            else if (kill % 10 == 9 && keep == RedisServer::Keep::AppendOnly)
                server.kill(), std::this_thread::sleep_for(200ms), server.start();
            else if (kill % 10 == 4 && flushes)
                static_cast<void>(Redis(*parseQueueAddress(server.address())).call({ "FLUSHALL" }));
            else if (kill % 10 == 6)
                crew.freeze(static_cast<std::size_t>(kill), 1000ms);
            else
                crew.kill(static_cast<std::size_t>(kill));
        }
        waiter.join();
        check(counts, server, **store, flushes);
    }

    void check(const Counts& counts, const RedisServer& server, checkpoint::CheckpointStore& store,
               bool flushes) const
    {
        QVERIFY2(counts.wrong == 0, (std::to_string(counts.wrong) + ": " + counts.why).c_str());
        std::int64_t hopeless = 0;
        for (int number = 0; number < m_jobs; ++number) {
            const bool isBad = kindOf(number) == "bad";
            hopeless += isBad ? 1 : 0;
            QCOMPARE(counts.done[static_cast<std::size_t>(number)], isBad ? 0 : 1);
            QCOMPARE(counts.dead[static_cast<std::size_t>(number)], isBad ? 1 : 0);
        }
        const auto dispatches = store.dispatchLog()->all(ThreadId("t"));
        QVERIFY(dispatches);
        QCOMPARE(static_cast<int>(dispatches->size()), m_jobs);
        for (const checkpoint::Dispatch& each : *dispatches)
            QVERIFY(each.state == checkpoint::Dispatch::State::Received);
        Redis redis(*parseQueueAddress(server.address()));
        if (!flushes) // which removed some dead letters after they had been told
            QCOMPARE(redis.call({ "XLEN", "sg:{test}:chaos:dead" })->integer, hopeless);
        QTRY_COMPARE_WITH_TIMEOUT(redis.call({ "ZCARD", "sg:{test}:chaos:run" })->integer, std::int64_t(0),
                                  5000);
        QCOMPARE(redis.call({ "ZCARD", "sg:{test}:chaos:z" })->integer, std::int64_t(0));
        QTRY_COMPARE_WITH_TIMEOUT(redis.call({ "XLEN", "sg:{test}:chaos:q" })->integer, std::int64_t(0),
                                  5000);
    }

private Q_SLOTS:
    void initTestCase() { SG_NEED("redis"); }

    void workersAreKilled() { run(RedisServer::Keep::Nothing, false); }
    void redisIsKilled() { run(RedisServer::Keep::AppendOnly, false); }
    void redisLosesAll() { run(RedisServer::Keep::AppendOnly, true); }
};

SG_TEST(TestPoolChaos)
#include "tst_pool_chaos.moc"
