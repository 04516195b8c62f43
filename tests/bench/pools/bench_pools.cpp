// bench-pools [JOBS]: jobs of a role's queue on a Redis server of its own (AOF everysec): how many are added
// in a second, how many a worker does, how soon a killed worker's job goes on, and how long one job takes
// there and back. Beside them stand the processor time that a job takes here and in the server, and the same
// commands sent without scripts, in the same run: these two tell more on a machine that does other things.

#include "core/base/clock.h"
#include "core/workers/role_line.h"
#include "core/workers/worker.h"
#include "tests/bench/figure_lines.h"
#include "tests/support/redis_server.h"

#include <sys/resource.h>

#include <cstdlib>
#include <thread>

using namespace sg;
using namespace sg::bench;
using namespace sg::workers;
using namespace std::chrono_literals;

namespace {

constexpr int kTogether = 50;
constexpr int kPrefetch = 16;
const std::string kPayload(256, 'x');

std::string idOf(int job)
{
    return "t/" + std::to_string(job) + "/1";
}

WorkerOptions optionsOf(const test::RedisServer& server, int prefetch)
{
    WorkerOptions options;
    options.address = *parseQueueAddress(server.address());
    options.queue = { "bench", "work" };
    options.prefetch = prefetch;
    return options;
}

JobOutcome nothing(const StartedJob& /*job*/, const std::stop_token& /*lost*/, const Worker::Say& /*say*/)
{
    return JobDone{ "=" };
}

// Seconds of processor time of this process and of the server.
double processorTime(Redis& redis)
{
    rusage own{};
    ::getrusage(RUSAGE_SELF, &own);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    double all = seconds(own.ru_utime) + seconds(own.ru_stime);
    const auto info = redis.call({ "INFO", "cpu" });
    for (const char* field : { "used_cpu_sys:", "used_cpu_user:" })
        if (const std::size_t at = info ? info->text.find(field) : std::string::npos; at != std::string::npos)
            all += std::atof(info->text.c_str() + at + std::string_view(field).size());
    return all;
}

struct Measured {
    double seconds = 0; // of a job
    double processor = 0; // seconds of a job, here and in the server
};

template<class Work>
Measured measured(const test::RedisServer& server, int jobs, const Work& work)
{
    Redis redis(*parseQueueAddress(server.address()));
    const double before = processorTime(redis);
    const auto begin = steady_clock::now();
    work();
    const double took = millisecondsSince(begin) / 1000;
    return { took / jobs, (processorTime(redis) - before) / jobs };
}

Measured add(const test::RedisServer& server, int jobs)
{
    Redis redis(*parseQueueAddress(server.address()));
    RoleQueue queue(redis, { "bench", "work" });
    return measured(server, jobs, [&] {
        std::vector<NewJob> together;
        for (int i = 0; i < jobs; ++i) {
            NewJob job;
            job.id = idOf(i);
            job.payload = kPayload;
            together.push_back(std::move(job));
            if (together.size() == static_cast<std::size_t>(kTogether) || i + 1 == jobs) {
                static_cast<void>(queue.add(together));
                together.clear();
            }
        }
    });
}

Measured work(const test::RedisServer& server, int jobs, int prefetch)
{
    SystemRandom random;
    Worker worker(optionsOf(server, prefetch), nothing, random);
    return measured(server, jobs, [&] {
        if (!worker.start())
            return;
        while (worker.figures().done < jobs)
            std::this_thread::sleep_for(1ms);
    });
}

// Commands that stay where they are, as a pipeline's words only refer to texts.
class Pipeline {
public:
    void add(std::initializer_list<std::string> words) { m_commands.emplace_back(words); }
    void send(Redis& redis)
    {
        std::vector<Redis::Words> all;
        for (const std::vector<std::string>& command : m_commands)
            all.emplace_back(command.begin(), command.end());
        static_cast<void>(redis.callAll(all));
        m_commands.clear();
    }

private:
    std::vector<std::vector<std::string>> m_commands;
};

const std::string kPrefix = "sg:{bench}:raw:";

// Sends the commands that add() makes the server do, without its scripts.
Measured addRaw(const test::RedisServer& server, int jobs)
{
    Redis redis(*parseQueueAddress(server.address()));
    static_cast<void>(redis.call({ "XGROUP", "CREATE", kPrefix + "q", "w", "0", "MKSTREAM" }));
    return measured(server, jobs, [&] {
        Pipeline pipeline;
        for (int i = 0; i < jobs; ++i) {
            const std::string key = kPrefix + "job:" + idOf(i);
            pipeline.add({ "HGET", key, "st" });
            pipeline.add({ "HSET", key, "st", "ready", "p", kPayload, "pr", "q", "enq", "1764327573000" });
            pipeline.add({ "XADD", kPrefix + "q", "*", "j", idOf(i) });
            if (i % kTogether == kTogether - 1 || i + 1 == jobs) {
                pipeline.add({ "TIME" });
                pipeline.add({ "HINCRBY", kPrefix + "stat", "enqueued", "50" });
                pipeline.add({ "XADD", kPrefix + "audit", "*", "e", "enqueue", "j", idOf(i) });
                pipeline.send(redis);
            }
        }
    });
}

void beginRaw(Pipeline& pipeline, const std::string& key, const std::string& id)
{
    pipeline.add({ "HMGET", key, "st", "p", "att", "fence", "part", "enq", "max" });
    pipeline.add({ "HSET", key, "st", "running", "fence", "1764327573000000", "w", "host-1-abcdef01", "t0",
                   "1764327573000", "att", "1" });
    pipeline.add({ "ZADD", kPrefix + "run", "1764327603000", id });
}

void endRaw(Pipeline& pipeline, const std::string& key, const std::string& id)
{
    pipeline.add({ "HMGET", key, "st", "fence", "re", "err" });
    pipeline.add({ "HSET", key, "st", "done", "p", "", "r", "=", "t1", "1764327573000" });
    pipeline.add({ "PEXPIRE", key, "604800000" });
    pipeline.add({ "ZREM", kPrefix + "run", id });
}

// Measures work(), each so many jobs as one pipeline.
Measured workRaw(const test::RedisServer& server, int jobs, int together)
{
    Redis redis(*parseQueueAddress(server.address()));
    return measured(server, jobs, [&] {
        Pipeline pipeline;
        for (int i = 0; i < jobs; i += together) {
            pipeline.add({ "TIME" });
            for (int each = i; each < i + together; ++each)
                endRaw(pipeline, kPrefix + "job:" + idOf(each), idOf(each));
            pipeline.add({ "HINCRBY", kPrefix + "stat", "done", "1" });
            pipeline.add({ "XADD", kPrefix + "audit", "*", "e", "done", "j", idOf(i), "fence", "1" });
            pipeline.add({ "HMGET", kPrefix + "ctl", "paused", "rate", "burst", "conc", "tokens", "ts" });
            for (const char* stream : { "at", "hi" })
                pipeline.add({ "XLEN", kPrefix + stream });
            pipeline.add({ "XREADGROUP", "GROUP", "w", "c", "COUNT", std::to_string(together), "NOACK",
                           "STREAMS", kPrefix + "q", ">" });
            pipeline.add(
                { "XTRIM", kPrefix + "q", "MAXLEN", std::to_string(std::max(0, jobs - i - together)) });
            for (int each = i; each < i + together; ++each)
                beginRaw(pipeline, kPrefix + "job:" + idOf(each), idOf(each));
            pipeline.add({ "XADD", kPrefix + "audit", "*", "e", "start", "j", idOf(i), "att", "1" });
            pipeline.send(redis);
        }
    });
}

void print(const std::string& id, const Measured& ours, const Measured& raw)
{
    printFigure("pools.queue." + id, 1 / ours.seconds, "1/s");
    printFigure("pools.queue." + id + "_processor", ours.processor * 1e6, "us");
    printFigure("pools.queue." + id + "_over_raw", ours.processor / raw.processor, "x");
}

void thereAndBack()
{
    const test::RedisServer server(test::RedisServer::Keep::AppendOnly);
    SystemRandom random;
    Worker worker(optionsOf(server, 1), nothing, random);
    if (!worker.start())
        return;
    RoleLine line(*parseQueueAddress(server.address()), { "bench", "work" }, "client");
    std::vector<double> times;
    for (int i = 0; i < 500; ++i) {
        NewJob job;
        job.id = std::to_string(i);
        job.payload = "=";
        const auto begin = steady_clock::now();
        if (!line.perform(std::move(job), {}, {}))
            return;
        times.push_back(millisecondsSince(begin));
    }
    printFigure("pools.queue.there_and_back", median(times));
}

// The job of a worker that is gone: how long after its lease another begins it.
void recovery()
{
    const test::RedisServer server(test::RedisServer::Keep::AppendOnly);
    Redis redis(*parseQueueAddress(server.address()));
    RoleQueue queue(redis, { "bench", "work" });
    SystemRandom random;
    double worst = 0;
    for (int i = 0; i < 10; ++i) {
        NewJob job;
        job.id = std::to_string(i);
        static_cast<void>(queue.add({ job }));
        static_cast<void>(queue.take({ "gone", 300ms, 3 }, 1, {}));
        const auto lost = steady_clock::now();
        std::atomic<double> begun = 0;
        WorkerOptions options = optionsOf(server, 1);
        options.lease = 300ms;
        Worker worker(
            std::move(options),
            [&](const StartedJob&, const std::stop_token&, const Worker::Say&) -> JobOutcome {
                begun = millisecondsSince(lost);
                return JobDone{ "=" };
            },
            random);
        if (!worker.start())
            return;
        while (begun == 0.0)
            std::this_thread::sleep_for(1ms);
        worst = std::max(worst, begun - 300);
    }
    printFigure("pools.queue.recovery", worst);
}

} // namespace

int main(int argc, char** argv)
{
    const int jobs = argc > 1 ? std::atoi(argv[1]) : 50'000; // NOLINT(cert-err34-c): a person's own
    for (const int together : { 1, kPrefetch }) {
        const test::RedisServer server(test::RedisServer::Keep::AppendOnly);
        const Measured added = add(server, jobs);
        const Measured worked = work(server, jobs, together);
        const test::RedisServer other(test::RedisServer::Keep::AppendOnly);
        const Measured addedRaw = addRaw(other, jobs);
        const Measured workedRaw = workRaw(other, jobs, together);
        if (together == 1)
            print("enqueue", added, addedRaw);
        print(together == 1 ? "work" : "prefetch", worked, workedRaw);
    }
    thereAndBack();
    recovery();
    return 0;
}
