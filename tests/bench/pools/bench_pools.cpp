// bench-pools [JOBS]: jobs of a role's queue on a Redis server of its own (AOF everysec): how many are added
// in a second, how many a worker does, how soon a killed worker's job goes on, and how long one job takes
// there and back.

#include "core/base/clock.h"
#include "core/workers/role_line.h"
#include "core/workers/worker.h"
#include "tests/bench/figure_lines.h"
#include "tests/support/redis_server.h"

#include <cstdlib>
#include <thread>

using namespace sg;
using namespace sg::bench;
using namespace sg::workers;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kTogether = 50;

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

double add(const test::RedisServer& server, int jobs)
{
    Redis redis(*parseQueueAddress(server.address()));
    RoleQueue queue(redis, { "bench", "work" });
    std::vector<NewJob> together;
    const auto begin = steady_clock::now();
    for (int i = 0; i < jobs; ++i) {
        NewJob job;
        job.id = "t/" + std::to_string(i) + "/1";
        job.payload = std::string(256, 'x');
        together.push_back(std::move(job));
        if (together.size() == kTogether || i + 1 == jobs) {
            static_cast<void>(queue.add(together));
            together.clear();
        }
    }
    return jobs / millisecondsSince(begin) * 1000;
}

double work(const test::RedisServer& server, int jobs, int prefetch)
{
    SystemRandom random;
    Worker worker(optionsOf(server, prefetch), nothing, random);
    const auto begin = steady_clock::now();
    if (!worker.start())
        return 0;
    while (worker.figures().done < jobs)
        std::this_thread::sleep_for(1ms);
    return jobs / millisecondsSince(begin) * 1000;
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
    {
        const test::RedisServer server(test::RedisServer::Keep::AppendOnly);
        printFigure("pools.queue.enqueue", add(server, jobs), "1/s");
        printFigure("pools.queue.work", work(server, jobs, 1), "1/s");
    }
    {
        const test::RedisServer server(test::RedisServer::Keep::AppendOnly);
        static_cast<void>(add(server, jobs));
        printFigure("pools.queue.prefetch", work(server, jobs, 16), "1/s");
    }
    thereAndBack();
    recovery();
    return 0;
}
