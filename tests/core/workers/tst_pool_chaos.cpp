// Workers and Redis are killed, and Redis loses what it held, while jobs are done. What is to be done is
// counted in advance: each result counts once, each hopeless job is a dead letter once, and nothing is left.
//
// SG_CHAOS_JOBS and SG_CHAOS_KILLS make it larger; packaging/gates/pools.sh does.

#include "core/base/clock.h"
#include "core/checkpoint/dispatch_log.h"
#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "core/engine/receipts.h"
#include "core/workers/role_line.h"
#include "tests/support/machine.h"
#include "tests/support/qtest_std.h"
#include "tests/support/qtry.h"
#include "tests/support/redis_server.h"
#include "tests/support/swallowing_proxy.h"
#include "tests/support/test_main.h"

#include <sys/prctl.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <functional>
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

    int m_jumps = 0; // of the clock, as the server tells it

    static void restart(RedisServer& server)
    {
        server.kill();
        std::this_thread::sleep_for(200ms);
        server.start();
    }

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
        engine::Receipts receipts(*store.dispatchLog(), nullptr, {});
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

    // These troubles happen besides workers that are killed and frozen.
    struct Trouble {
        RedisServer::Keep keep = RedisServer::Keep::AppendOnly;
        std::function<void(RedisServer&, int time)> also{}; // forty times, or at each fifth kill
        bool flushes = false;
        RedisServer::Environment environment{};
    };

    void run(const Trouble& trouble)
    {
        RedisServer server(trouble.keep, {}, trouble.environment);
        run(trouble, server, server.socket());
    }

    void run(const Trouble& trouble, RedisServer& server, const std::string& socket)
    {
        const TempDir folder;
        auto store = checkpoint::openSqliteCheckpointStore(folder / "c.sqlite", {});
        QVERIFY(store);
        Crew crew(socket, 4);
        RoleLine line(*parseQueueAddress("unix://" + socket), { "test", "chaos" }, "client");
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
        const int every = std::max(5, m_kills / 40);
        int kill = 0;
        for (; !isOver; ++kill) {
            std::this_thread::sleep_for(kill < m_kills ? 60ms : 100ms);
            if (kill >= m_kills)
                crew.replaceEnded();
            else if (trouble.also && kill % every == every - 1)
                trouble.also(server, kill / every);
            else if (kill % 10 == 6)
                crew.freeze(static_cast<std::size_t>(kill), 1000ms);
            else
                crew.kill(static_cast<std::size_t>(kill));
        }
        waiter.join();
        qInfo("%d jobs under %d kills", m_jobs, std::min(kill, m_kills));
        QVERIFY(kill > m_kills / 3); // else nothing was shown
        check(counts, server, **store, trouble.flushes);
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
        QTRY_COMPARE(redis.call({ "ZCARD", "sg:{test}:chaos:run" })->integer, std::int64_t(0));
        QCOMPARE(redis.call({ "ZCARD", "sg:{test}:chaos:z" })->integer, std::int64_t(0));
        QTRY_COMPARE(redis.call({ "XLEN", "sg:{test}:chaos:q" })->integer, std::int64_t(0));
    }

private Q_SLOTS:
    void initTestCase() { SG_NEED("redis"); }

    void workersAreKilled() { run({ RedisServer::Keep::Nothing }); }

    void redisIsKilled()
    {
        Trouble trouble;
        trouble.also = [](RedisServer& server, int time) {
            if (time % 2 == 0)
                restart(server);
        };
        run(trouble);
    }

    void redisLosesAll()
    {
        Trouble trouble;
        trouble.flushes = true;
        trouble.also = [](RedisServer& server, int time) {
            if (time % 2 == 0)
                restart(server);
            else
                static_cast<void>(Redis(*parseQueueAddress(server.address())).call({ "FLUSHALL" }));
        };
        run(trouble);
    }

    // Connections that are open on both sides and carry nothing: of workers and of who waits.
    void connectionsAreSwallowed()
    {
        RedisServer server;
        SwallowingProxy proxy(server.socket());
        Trouble trouble;
        trouble.also = [&](RedisServer&, int) { proxy.swallow(); };
        run(trouble, server, proxy.socket());
    }

    // By half an hour, forth and back.
    void theServersClockJumps()
    {
        const TempDir folder;
        std::fstream clock(folder / "clock",
                           std::ios::in | std::ios::out | std::ios::trunc | std::ios::binary);
        const auto move = [&](std::int64_t micros) {
            clock.seekp(0);
            clock.write(reinterpret_cast<const char*>(&micros), sizeof micros);
            clock.flush();
        };
        move(0);
        Trouble trouble;
        trouble.environment = { { "LD_PRELOAD", SG_MOVED_CLOCK },
                                { "SG_MOVED_CLOCK", (folder / "clock").string() } };
        trouble.also = [&](RedisServer& server, int time) {
            const std::int64_t micros = time % 2 == 0 ? 1'800'000'000 : 0;
            move(micros);
            const auto now = std::chrono::duration_cast<std::chrono::seconds>(
                                 std::chrono::system_clock::now().time_since_epoch())
                                 .count();
            const auto told = Redis(*parseQueueAddress(server.address())).call({ "TIME" });
            m_jumps += told && std::abs((*told)[0].number() - now - micros / 1'000'000) < 5 ? 1 : 0;
        };
        m_jumps = 0;
        run(trouble);
        QVERIFY(m_jumps > 0);
    }
};

SG_TEST(TestPoolChaos)
#include "tst_pool_chaos.moc"
