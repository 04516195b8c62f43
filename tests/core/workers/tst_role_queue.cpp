// A role's queue on a real Redis: what each step does to a job, and what a worker that was lost can no longer
// do.

#include "core/workers/dead_letters.h"
#include "core/workers/job_story.h"
#include "core/workers/pools.h"
#include "core/workers/queue_scripts.h"
#include "core/workers/role_queue.h"
#include "tests/support/machine.h"
#include "tests/support/qtest_std.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <algorithm>

using namespace sg;
using namespace sg::test;
using namespace sg::workers;
using namespace std::chrono_literals;

namespace {

struct Client {
    explicit Client(const RedisServer& server, const std::string& role = "research")
        : redis(*parseQueueAddress(server.address()))
        , queue(redis, QueueName{ "test", role })
    {
    }
    Redis redis;
    RoleQueue queue;
};

Lease lease(const std::string& name, std::chrono::milliseconds time = 30s)
{
    return { name, time, 2 };
}

NewJob job(const std::string& id, Priority priority = Priority::Normal, int attempts = 1)
{
    NewJob made;
    made.id = id;
    made.payload = "payload of " + id;
    made.priority = priority;
    made.attempts = attempts;
    return made;
}

std::string taken(const Result<RoleQueue::Taken>& result)
{
    if (!result)
        return result.error().message;
    std::string text = result->wait ? "wait " : "";
    for (const StartedJob& each : result->jobs)
        text += (text.empty() ? "" : " ") + each.id;
    return text;
}

// Sets all times in the queue back, so that leases, delays, limits and signs of life are older by `time`. The
// test does not sleep, so it makes no difference how busy the machine is.
void passes(Client& client, std::chrono::milliseconds time)
{
    static const std::string kAge = R"lua(
local p, ms = KEYS[1], tonumber(ARGV[1])
for _, set in ipairs({ 'run', 'z' }) do
  for _, id in ipairs(redis.call('ZRANGE', p .. set, 0, -1)) do redis.call('ZINCRBY', p .. set, -ms, id) end
end
if redis.call('HEXISTS', p .. 'ctl', 'ts') == 1 then redis.call('HINCRBYFLOAT', p .. 'ctl', 'ts', -ms) end
for _, worker in ipairs(redis.call('SMEMBERS', p .. 'crew')) do
  local left = redis.call('PTTL', p .. 'wk:' .. worker) - ms
  if left > 0 then redis.call('PEXPIRE', p .. 'wk:' .. worker, left) else redis.call('DEL', p .. 'wk:' .. worker) end
end
return 1
)lua";
    const auto did =
        client.redis.call({ "EVAL", kAge, "1", client.queue.prefix(), std::to_string(time.count()) });
    QVERIFY(did && did->integer == 1);
}

std::string stateOf(Client& client, const std::string& id)
{
    const auto states = client.queue.states({ id });
    if (!states)
        return states.error().message;
    return states->front() ? std::string(nameOf(*states->front())) : "none";
}

} // namespace

class TestRoleQueue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { SG_NEED("redis"); }

    void givesAJobOutOnce()
    {
        const RedisServer server;
        Client client(server);
        QVERIFY(client.redis.connect());
        QCOMPARE(client.queue.add({ job("a"), job("a"), job("b") })->size(), std::size_t(3));
        const auto first = client.queue.take(lease("w1"), 1, {});
        QCOMPARE(taken(first), std::string("a"));
        QCOMPARE(first->jobs.front().payload, std::string("payload of a"));
        QCOMPARE(first->jobs.front().attempt, 1);
        QCOMPARE(taken(client.queue.take(lease("w2"), 10, {})), std::string("b"));
        QCOMPARE(taken(client.queue.take(lease("w3"), 10, {})), std::string());
        QCOMPARE(stateOf(client, "a"), std::string("running"));
        const auto done = client.queue.finish({ { first->jobs.front(), "result" } });
        QVERIFY(done && done->front());
        const auto ended = client.queue.ended({ "a", "b" });
        QCOMPARE((*ended)[0]->result, std::string("result"));
        QCOMPARE((*ended)[0]->worker, std::string("w1"));
        QVERIFY(!(*ended)[1]);
        QVERIFY(client.queue.add({ job("a") })->front() == JobState::Done); // it is not done again
        QCOMPARE(taken(client.queue.take(lease("w3"), 10, {})), std::string());
    }

    void endsOneAndTakesTheNextInOneStep()
    {
        const RedisServer server;
        Client client(server);
        static_cast<void>(client.queue.add({ job("a"), job("b") }));
        const auto first = client.queue.take(lease("w1"), 1, {});
        const auto second = client.queue.take(lease("w1"), 1, { { first->jobs.front(), "r" } });
        QVERIFY(second && second->counted.front());
        QCOMPARE(taken(second), std::string("b"));
        QCOMPARE(stateOf(client, "a"), std::string("done"));
    }

    void takesHigherPriorityFirst()
    {
        const RedisServer server;
        Client client(server);
        static_cast<void>(client.queue.add({ job("low", Priority::Low), job("normal"),
                                             job("high", Priority::High), job("high2", Priority::High) }));
        QCOMPARE(taken(client.queue.take(lease("w1"), 4, {})), std::string("high high2 normal low"));
    }

    void lowPriorityIsNotStarved()
    {
        const RedisServer server;
        Client client(server);
        static_cast<void>(client.queue.add({ job("low", Priority::Low) }));
        bool isTaken = false;
        for (int i = 0; i < 8 && !isTaken; ++i) {
            static_cast<void>(client.queue.add({ job("high" + std::to_string(i), Priority::High),
                                                 job("more" + std::to_string(i), Priority::High) }));
            isTaken = taken(client.queue.take(lease("w1"), 1, {})) == "low";
        }
        QVERIFY(isTaken);
    }

    void aLostWorkersJobIsTakenBack()
    {
        const RedisServer server;
        Client client(server);
        static_cast<void>(client.queue.add({ job("a") }));
        const auto lost = client.queue.take(lease("w1"), 1, {});
        QCOMPARE(*client.queue.tend(lease("w2")), 0);
        passes(client, 31s);
        QCOMPARE(*client.queue.tend(lease("w2")), 1);
        const auto again = client.queue.take(lease("w2"), 1, {});
        QCOMPARE(taken(again), std::string("a"));
        QCOMPARE(again->jobs.front().attempt, 2);
        // The first worker wakes up: nothing that it says counts.
        QVERIFY(!client.queue.beat(lease("w1"), lost->jobs)->front());
        QVERIFY(!client.queue.finish({ { lost->jobs.front(), "stale" } })->front());
        QVERIFY(*client.queue.fail(lost->jobs.front(), { "x", "", true, {} }, {}, 0)
                == RoleQueue::Failed::Stale);
        QVERIFY(client.queue.beat(lease("w2"), again->jobs)->front());
        QVERIFY(client.queue.finish({ { again->jobs.front(), "fresh" } })->front());
        QCOMPARE(client.queue.ended({ "a" })->front()->result, std::string("fresh"));
    }

    void aBeatKeepsTheLease()
    {
        const RedisServer server;
        Client client(server);
        static_cast<void>(client.queue.add({ job("a") }));
        const auto held = client.queue.take(lease("w1"), 1, {});
        for (int i = 0; i < 5; ++i) {
            passes(client, 12s);
            QVERIFY(client.queue.beat(lease("w1"), held->jobs)->front());
            QCOMPARE(*client.queue.tend(lease("w2")), 0);
        }
    }

    void aJobThatLosesItsWorkersBecomesADeadLetter()
    {
        const RedisServer server;
        Client client(server);
        static_cast<void>(client.queue.add({ job("poison") }));
        for (int i = 0; i < 3; ++i) {
            QCOMPARE(taken(client.queue.take(lease("w1"), 1, {})), std::string("poison"));
            passes(client, 31s);
            QCOMPARE(*client.queue.tend(lease("w2")), 1);
        }
        QCOMPARE(stateOf(client, "poison"), std::string("dead"));
        QCOMPARE(client.queue.ended({ "poison" })->front()->error,
                 std::string("its worker was lost 3 times"));
    }

    // A worker that died between reading the stream and starting the job.
    void anEntryThatWasNeverStartedComesBack()
    {
        const RedisServer server;
        Client client(server);
        static_cast<void>(client.queue.add({ job("a") }));
        static_cast<void>(client.queue.tend(lease("w1")));
        const std::string stream = client.queue.prefix() + "q";
        static_cast<void>(client.redis.call({ "XGROUP", "CREATE", stream, "w", "0" }));
        QVERIFY(client.redis.call({ "XREADGROUP", "GROUP", "w", "dead", "STREAMS", stream, ">" }));
        QCOMPARE(taken(client.queue.take(lease("w1", 20ms), 1, {})), std::string());
        std::this_thread::sleep_for(40ms);
        QCOMPARE(*client.queue.tend(lease("w1", 20ms)), 1);
        QCOMPARE(taken(client.queue.take(lease("w1", 20ms), 1, {})), std::string("a"));
    }

    void triesAgainLaterAndThenGivesUp()
    {
        const RedisServer server;
        Client client(server);
        static_cast<void>(client.queue.add({ job("flaky", Priority::Normal, 2) }));
        const Backoff backoff{ 40s, 1000s };
        auto first = client.queue.take(lease("w1"), 1, {});
        QVERIFY(*client.queue.fail(first->jobs.front(), { "ValueError: no", "result", true, {} }, backoff, 1)
                == RoleQueue::Failed::Retried);
        QCOMPARE(stateOf(client, "flaky"), std::string("delayed"));
        QCOMPARE(*client.queue.tend(lease("w1")), 0); // not yet
        passes(client, 41s);
        QCOMPARE(*client.queue.tend(lease("w1")), 1);
        auto second = client.queue.take(lease("w1"), 1, {});
        QCOMPARE(second->jobs.front().attempt, 2);
        QVERIFY(*client.queue.fail(second->jobs.front(), { "ValueError: no", "result", true, {} }, backoff, 1)
                == RoleQueue::Failed::Dead);
        const auto ended = client.queue.ended({ "flaky" });
        QVERIFY(ended->front()->state == JobState::Dead);
        QCOMPARE(ended->front()->result, std::string("result"));
        QVERIFY(client.queue.requeue({ "flaky" }, "anna")->front());
        QVERIFY(!client.queue.requeue({ "flaky" }, "anna")->front());
        const auto third = client.queue.take(lease("w1"), 1, {});
        QCOMPARE(third->jobs.front().payload, std::string("payload of flaky"));
        QCOMPARE(third->jobs.front().attempt, 1);
    }

    // 100,000 was once where it stopped, in silence.
    void requeuesAndDiscardsAllHoweverMany()
    {
        constexpr int kMany = 100'201;
        const RedisServer server;
        Client client(server);
        const QueueName name{ "test", "research" };
        const std::string made = R"lua(
for i = 1, tonumber(ARGV[1]) do
  local id = 'j' .. i
  local did = redis.call('XADD', KEYS[1] .. 'dead', '*', 'j', id, 'why', i % 3 == 0 and 'ValueError: a' or 'OSError: b', 'att', 1)
  redis.call('HSET', KEYS[1] .. 'job:' .. id, 'st', 'dead', 'did', did, 'p', 'payload', 'pr', 'q', 'att', 1)
end
return 1)lua";
        QVERIFY(client.redis.call({ "EVAL", made, "1", client.queue.prefix(), std::to_string(kMany) }));
        QCOMPARE(*countDeadLetters(client.redis, name), std::int64_t(kMany));
        QCOMPARE(deadLetters(client.redis, name, {}, 1'000'000)->size(), std::size_t(kMany));
        QCOMPARE(deadLetters(client.redis, name, { "ValueError" }, 1'000'000)->size(),
                 std::size_t(kMany / 3));
        QCOMPARE(deadLetters(client.redis, name, { "ValueError" }, 7)->size(), std::size_t(7));
        const auto newest = deadLetters(client.redis, name, {}, 2);
        QCOMPARE(newest->size(), std::size_t(2));
        QCOMPARE(newest->front().job, "j" + std::to_string(kMany));
        QCOMPARE(newest->front().payloadBytes, std::int64_t(7));
        std::int64_t told = 0;
        QCOMPARE(*handleDeadLetters(client.redis, name, { "ValueError" }, DeadWork::Discard,
                                    { "anna", [&](std::int64_t done) { told = done; } }),
                 std::int64_t(kMany / 3));
        QCOMPARE(told, std::int64_t(kMany / 3));
        QCOMPARE(*countDeadLetters(client.redis, name), std::int64_t(kMany - kMany / 3));
        QCOMPARE(*handleDeadLetters(client.redis, name, {}, DeadWork::Requeue, { "anna" }),
                 std::int64_t(kMany - kMany / 3));
        QCOMPARE(*countDeadLetters(client.redis, name), std::int64_t(0));
        QCOMPARE(client.redis.call({ "XLEN", client.queue.prefix() + "q" })->integer,
                 std::int64_t(kMany - kMany / 3));
        QCOMPARE(*handleDeadLetters(client.redis, name, {}, DeadWork::Discard, { "anna" }), std::int64_t(0));
    }

    void aDiscardedJobIsGoneAndItsStorySaysWho()
    {
        const RedisServer server;
        Client client(server);
        const QueueName name{ "test", "research" };
        QVERIFY(*client.queue.bury(job("a"), "ValueError: no such topic"));
        QVERIFY(*client.queue.bury(job("lost"), "OSError"));
        QVERIFY(client.queue.discard({ { "a", "1-1" } }, "anna")->front() == false); // another letter's entry
        const auto done = client.queue.discard({ { "a" }, { "none" } }, "anna");
        QVERIFY((*done)[0] && !(*done)[1]);
        QVERIFY(!client.queue.discard({ { "a" } }, "anna")->front());
        QVERIFY(!client.queue.requeue({ "a" }, "anna")->front());
        QCOMPARE(stateOf(client, "a"), std::string("cancelled"));
        QVERIFY(client.queue.add({ job("a") })->front() == JobState::Cancelled); // it is not done again
        QCOMPARE(taken(client.queue.take(lease("w1"), 5, {})), std::string());
        const auto story = jobStory(client.redis, name, "a");
        QVERIFY(story->lines.back().kind == StoryLine::Kind::Discarded);
        QCOMPARE(story->lines.back().text, std::string("anna"));
        QCOMPARE(story->error, std::string("ValueError: no such topic"));
        QCOMPARE(story->payload, std::string());
        QVERIFY(story->isWhole);
        const auto events = Pools(client.redis, "test").audit("research", 1);
        QVERIFY(events->front().fields.front() == std::pair(std::string("e"), std::string("discard")));
        QCOMPARE(Pools(client.redis, "test").look("research")->counters.at("discarded"), std::int64_t(1));
        const std::string key = client.queue.prefix() + "job:a";
        QVERIFY(client.redis.call({ "PTTL", key })->integer > 0);
        // A letter whose job the server has lost goes, too.
        static_cast<void>(client.redis.call({ "DEL", client.queue.prefix() + "job:lost" }));
        QCOMPARE(*handleDeadLetters(client.redis, name, {}, DeadWork::Requeue, { "anna" }), std::int64_t(0));
        QCOMPARE(*handleDeadLetters(client.redis, name, {}, DeadWork::Discard, { "anna" }), std::int64_t(1));
        QCOMPARE(*countDeadLetters(client.redis, name), std::int64_t(0));
    }

    void aCancelledJobIsNotDoneAndItsWorkerIsTold()
    {
        const RedisServer server;
        Client client(server);
        static_cast<void>(client.queue.add({ job("a"), job("b") }));
        const auto held = client.queue.take(lease("w1"), 1, {});
        QVERIFY(*client.queue.cancel("a"));
        QVERIFY(*client.queue.cancel("b"));
        QVERIFY(!*client.queue.cancel("b"));
        QVERIFY(!client.queue.beat(lease("w1"), held->jobs)->front());
        QCOMPARE(taken(client.queue.take(lease("w1"), 5, { { held->jobs.front(), "r" } })), std::string());
        QCOMPARE(stateOf(client, "a"), std::string("cancelled"));
        QCOMPARE(client.redis.call({ "XLEN", client.queue.prefix() + "q" })->integer, std::int64_t(0));
    }

    void aDelayedJobComesWhenItIsDue()
    {
        const RedisServer server;
        Client client(server);
        NewJob later = job("later");
        later.delay = 60s;
        QVERIFY(client.queue.add({ later })->front() == JobState::Delayed);
        QCOMPARE(*client.queue.tend(lease("w1")), 0);
        passes(client, 61s);
        QCOMPARE(*client.queue.tend(lease("w1")), 1);
        QCOMPARE(taken(client.queue.take(lease("w1"), 1, {})), std::string("later"));
    }

    void holdsRateAndConcurrency()
    {
        const RedisServer server;
        Client client(server);
        std::vector<NewJob> many;
        for (int i = 0; i < 20; ++i)
            many.push_back(job(std::to_string(i)));
        static_cast<void>(client.queue.add(many));
        const std::string control = client.queue.prefix() + "ctl";
        QVERIFY(client.redis.call({ "HSET", control, "conc", "3" }));
        auto started = client.queue.take(lease("w1"), 10, {});
        QCOMPARE(started->jobs.size(), std::size_t(3));
        QCOMPARE(taken(client.queue.take(lease("w2"), 10, {})), std::string("wait "));
        QVERIFY(client.redis.call({ "HSET", control, "conc", "0", "rate", "0.01", "burst", "2" }));
        QCOMPARE(client.queue.take(lease("w1"), 10, {})->jobs.size(), std::size_t(2));
        const auto refused = client.queue.take(lease("w1"), 10, {});
        QVERIFY(refused->wait && *refused->wait > 0ms && *refused->wait <= 100s);
        passes(client, 200s);
        QCOMPARE(client.queue.take(lease("w1"), 10, {})->jobs.size(), std::size_t(2));
        QVERIFY(client.redis.call({ "HSET", control, "rate", "0", "paused", "1" }));
        QCOMPARE(client.queue.take(lease("w1"), 10, {})->wait->count(), std::int64_t(-1));
    }

    // Its session is there.
    void aPartitionStaysAtItsWorker()
    {
        const RedisServer server;
        Client client(server);
        const auto partitioned = [](const std::string& id) {
            NewJob made = job(id);
            made.partition = "alice";
            return made;
        };
        static_cast<void>(client.queue.presence("w1", 100s, { { "busy", "0" } }));
        static_cast<void>(client.queue.add({ partitioned("a") }));
        const auto first = client.queue.take(lease("w1", 1h), 1, {});
        QVERIFY(client.queue.finish({ { first->jobs.front(), "r" } })->front());
        static_cast<void>(client.queue.add({ partitioned("b"), job("other") }));
        QCOMPARE(taken(client.queue.take(lease("w2", 1h), 5, {})), std::string("other"));
        const auto second = client.queue.take(lease("w1", 1h), 5, {});
        QCOMPARE(taken(second), std::string("b"));
        static_cast<void>(client.queue.add({ partitioned("c") }));
        QCOMPARE(taken(client.queue.take(lease("w2", 1h), 5, {})), std::string());
        passes(client, 301s); // three beats without a sign of life
        QCOMPARE(*client.queue.tend(lease("w2", 1h)), 1);
        QCOMPARE(taken(client.queue.take(lease("w2", 1h), 5, {})), std::string("c"));
        QVERIFY(client.queue.finish({ { second->jobs.front(), "r" } })->front());
        static_cast<void>(client.queue.tend(lease("w2", 1h)));
        QCOMPARE(client.redis.call({ "EXISTS", client.queue.prefix() + "at:w1" })->integer, std::int64_t(0));
    }

    void waitsForTheNext()
    {
        const RedisServer server;
        Client waiting(server);
        static_cast<void>(waiting.queue.take(lease("w1"), 1, {})); // makes the groups
        Result<RoleQueue::Taken> got = RoleQueue::Taken();
        std::thread other([&] { got = waiting.queue.takeNext(lease("w1"), kPatience); });
        Client client(server);
        std::this_thread::sleep_for(50ms);
        static_cast<void>(client.queue.add({ job("a") }));
        other.join();
        QCOMPARE(taken(got), std::string("a"));
    }

    void manyJobsAreAddedTakenAndEndedTogether()
    {
        const RedisServer server;
        Client client(server);
        std::vector<NewJob> many;
        for (std::size_t i = 0; i < 2 * scripts::kMostTogether + 1; ++i)
            many.push_back(job(std::to_string(i)));
        QCOMPARE(client.queue.add(many)->size(), many.size());
        std::vector<StartedJob> started;
        std::vector<Finished> finished;
        for (int i = 0; i < 3; ++i) {
            const auto some = client.queue.take(lease("w1"), 100'000, {});
            started.insert(started.end(), some->jobs.begin(), some->jobs.end());
        }
        QCOMPARE(started.size(), many.size());
        QCOMPARE(started.back().payload, many.back().payload);
        QCOMPARE(std::ranges::count(*client.queue.beat(lease("w1"), started), false), std::ptrdiff_t(0));
        for (const StartedJob& each : started)
            finished.push_back({ each, each.id });
        const auto counted = client.queue.finish(finished);
        QCOMPARE(static_cast<std::size_t>(std::ranges::count(*counted, true)), many.size());
        QCOMPARE(client.queue.ended({ many.back().id })->front()->result, many.back().id);
        QCOMPARE(client.redis.call({ "XLEN", client.queue.prefix() + "q" })->integer, std::int64_t(0));
        QCOMPARE(client.redis.call({ "ZCARD", client.queue.prefix() + "run" })->integer, std::int64_t(0));
    }

    // One entry of the audit may tell of many jobs: who reads it gets a row for each.
    void theAuditTellsOfEachJob()
    {
        const RedisServer server;
        Client client(server);
        static_cast<void>(client.queue.add({ job("a"), job("b") }));
        const auto held = client.queue.take(lease("w1"), 2, {});
        static_cast<void>(
            client.queue.take(lease("w1"), 1, { { held->jobs[0], "r" }, { held->jobs[1], "r" } }));
        std::string told;
        const auto events = Pools(client.redis, "test").audit("research", 100);
        QVERIFY(events);
        for (const PoolEvent& event : *events) {
            for (const auto& [name, value] : event.fields)
                if (name != "fence")
                    told += name + "=" + value + " ";
            told += "\n";
        }
        QCOMPARE(told,
                 std::string("e=done j=b \ne=done j=a \ne=start w=w1 j=b att=1 \ne=start w=w1 j=a att=1 \n"
                             "e=enqueue j=b \ne=enqueue j=a \n"));
        QCOMPARE(Pools(client.redis, "test").audit("research", 3)->size(), std::size_t(3));
        QCOMPARE(Pools(client.redis, "test").look("research")->counters.at("done"), std::int64_t(2));
    }

    void aJobsStoryIsTold()
    {
        const RedisServer server;
        Client client(server);
        static_cast<void>(client.queue.add({ job("other"), job("flaky", Priority::Normal, 2) }));
        const auto first = client.queue.take(lease("w1"), 2, {});
        const StartedJob& flaky = first->jobs.back();
        QCOMPARE(flaky.id, std::string("flaky"));
        const JobFailure failure{ "429 from field-notes", "result", true, {} };
        static_cast<void>(client.queue.fail(flaky, failure, { 40ms, 1s }, 1));
        std::this_thread::sleep_for(60ms);
        static_cast<void>(client.queue.tend(lease("w2")));
        const auto second = client.queue.take(lease("w2"), 1, {});
        static_cast<void>(client.queue.fail(second->jobs.front(), failure, { 40ms, 1s }, 1));
        const auto story = jobStory(client.redis, { "test", "research" }, "flaky");
        QVERIFY(story);
        std::string told;
        for (const StoryLine& line : story->lines)
            told += std::string(nameOf(line.kind)) + " " + line.worker + " " + line.text + " "
                + std::to_string(line.attempt) + " " + std::to_string(line.waitMs) + "\n";
        QCOMPARE(told,
                 std::string("enqueue   0 0\n"
                             "start w1  1 0\n"
                             "failed  429 from field-notes 0 0\n"
                             "retry   0 40\n"
                             "start w2  2 0\n"
                             "failed  429 from field-notes 0 0\n"
                             "dead  429 from field-notes 0 0\n"));
        QVERIFY(story->isWhole);
        QVERIFY(story->state == JobState::Dead);
        QCOMPARE(story->attempts, std::int64_t(2));
        QCOMPARE(story->payload, std::string("payload of flaky"));
        // Requeued and done: the same story goes on, and ends.
        static_cast<void>(client.queue.requeue({ "flaky" }, "anna"));
        const auto third = client.queue.take(lease("w1"), 1, {});
        static_cast<void>(client.queue.take(lease("w1"), 1, { { third->jobs.front(), "r" } }));
        const auto longer = jobStory(client.redis, { "test", "research" }, "flaky");
        QCOMPARE(longer->lines.size(), story->lines.size() + 3);
        QVERIFY(longer->lines.back().kind == StoryLine::Kind::Done);
        QCOMPARE(longer->lines[story->lines.size()].text, std::string("anna"));
        QVERIFY(jobStory(client.redis, { "test", "research" }, "none").error().code == Errc::NotFound);
        // The story says that it is not whole where the audit has dropped its oldest entries.
        static_cast<void>(client.redis.call({ "XTRIM", client.queue.prefix() + "audit", "MAXLEN", "2" }));
        QVERIFY(!jobStory(client.redis, { "test", "research" }, "flaky")->isWhole);
    }

    // An hour: without care, a lost worker's job would come back an hour late, and so would a delayed one.
    void aClockThatWasSetBackDelaysNothing()
    {
        const RedisServer server;
        Client client(server);
        NewJob later = job("later");
        later.delay = 300s;
        static_cast<void>(client.queue.add({ job("lost"), later }));
        QCOMPARE(taken(client.queue.take(lease("w1", 300s), 1, {})), std::string("lost"));
        static_cast<void>(client.queue.tend(lease("w2")));
        const std::string clock = client.queue.prefix() + "clock";
        const std::string hour = "3600000";
        static_cast<void>(client.redis.call({ "INCRBY", clock, hour }));
        static_cast<void>(client.redis.call({ "ZINCRBY", client.queue.prefix() + "run", hour, "lost" }));
        static_cast<void>(client.redis.call({ "ZINCRBY", client.queue.prefix() + "z", hour, "later" }));
        static_cast<void>(client.queue.presence("gone", std::chrono::hours(1), { { "busy", "0" } }));
        QCOMPARE(*client.queue.tend(lease("w2")), 0); // it sees the clock, and nothing is due yet
        QCOMPARE(client.redis.call({ "EXISTS", client.queue.prefix() + "wk:gone" })->integer,
                 std::int64_t(0));
        passes(client, 301s);
        QCOMPARE(*client.queue.tend(lease("w2")), 2);
        QCOMPARE(client.queue.take(lease("w2"), 5, {})->jobs.size(), std::size_t(2));
    }

    void aRolesUserMayRunAllOfItsScripts()
    {
        const RedisServer server;
        Client client(server);
        static_cast<void>(client.queue.announce());
        QVERIFY(Pools(client.redis, "test").acl("research", "secret"));
        const std::string user = "unix://sandglass-test-research:secret@" + server.socket();
        Redis redis(*parseQueueAddress(user));
        QVERIFY(redis.connect());
        RoleQueue queue(redis, { "test", "research" });
        QCOMPARE(taken(queue.take(lease("w1"), 1, {})), std::string()); // makes the groups
        for (const std::string id : { "a", "b", "c", "d" })
            QVERIFY(queue.add({ job(id) }));
        const auto held = queue.take(lease("w1"), 3, {});
        QCOMPARE(taken(held), std::string("a b c"));
        QCOMPARE(taken(queue.takeNext(lease("w1"), 10ms)), std::string("d"));
        QVERIFY(queue.beat(lease("w1"), held->jobs));
        QVERIFY(queue.say(held->jobs[0], "hello"));
        QVERIFY(queue.finish({ { held->jobs[0], "r" } })->front());
        QVERIFY(queue.fail(held->jobs[1], { "no", "", false, {} }, {}, 0));
        QVERIFY(queue.cancel(held->jobs[2].id));
        QVERIFY(queue.requeue({ held->jobs[1].id }, "anna")->front());
        QVERIFY(queue.tend(lease("w1")));
        QVERIFY(queue.bury(job("e"), "why"));
        QVERIFY(queue.discard({ { "e" } }, "anna")->front());
        QVERIFY(queue.forget({ "a" }));
        QVERIFY(queue.presence("w1", 100ms, { { "busy", "0" } }));
        QVERIFY(queue.leave("w1"));
        // Nothing of another role, however it is asked for.
        RoleQueue other(redis, { "test", "review" });
        const auto refused = other.add({ job("x") });
        QVERIFY(!refused && refused.error().code == Errc::PermissionDenied);
        QVERIFY(!other.take(lease("w1"), 1, {}));
        QVERIFY(!redis.call({ "HGET", "sg:{test}:review:job:x", "p" }));
        QVERIFY(!redis.call({ "HGET", "sg:{other}:research:job:x", "p" }));
        QVERIFY(!redis.call({ "EVAL", "return 1", "0" }));
        QVERIFY(!redis.call({ "KEYS", "*" }));
        QVERIFY(!redis.call({ "CONFIG", "GET", "*" }));
        QVERIFY(!redis.call({ "FLUSHALL" }));
    }

    void refusesAServerThatThrowsKeysAway()
    {
        const RedisServer server(RedisServer::Keep::Nothing,
                                 { "--maxmemory", "10mb", "--maxmemory-policy", "allkeys-lru" });
        Client client(server);
        const auto connected = client.redis.connect();
        QVERIFY(!connected);
        QVERIFY(connected.error().message.find("noeviction") != std::string::npos);
    }

    void tellsWhereNobodyAnswers()
    {
        Redis redis(*parseQueueAddress("unix:///nowhere/redis.sock"));
        const auto connected = redis.connect();
        QVERIFY(!connected && connected.error().code == Errc::Unavailable);
        QVERIFY(connected.error().message.find("unix:///nowhere/redis.sock") != std::string::npos);
    }

    // FLUSHALL, or another server in its place: scripts, groups and jobs are gone, and what waits is added
    // again.
    void outlivesTheLossOfAllKeys()
    {
        const RedisServer server;
        Client client(server);
        static_cast<void>(client.queue.add({ job("a") }));
        const auto held = client.queue.take(lease("w1"), 1, {});
        QVERIFY(client.redis.call({ "FLUSHALL" }));
        QVERIFY(client.redis.call({ "SCRIPT", "FLUSH" }));
        QCOMPARE(stateOf(client, "a"), std::string("none"));
        QVERIFY(client.queue.add({ job("a") })->front() == JobState::Ready);
        const auto again = client.queue.take(lease("w2"), 1, {});
        QCOMPARE(taken(again), std::string("a"));
        QVERIFY(again->jobs.front().fence > held->jobs.front().fence); // though the counter began anew
        QVERIFY(!client.queue.finish({ { held->jobs.front(), "stale" } })->front());
    }
};

SG_TEST(TestRoleQueue)
#include "tst_role_queue.moc"
