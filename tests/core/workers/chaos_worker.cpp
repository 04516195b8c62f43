// chaos-worker SOCKET LEASE_MS: a worker of role "chaos" whose jobs say what becomes of them: "ok N", "flaky
// N" (fails at its first attempt), "bad N" (always fails), "deadly N" (ends its worker at its first attempt).
// It ends by a signal.

#include "core/base/clock.h"
#include "core/workers/worker.h"

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <thread>

using namespace sg;
using namespace sg::workers;

namespace {

JobOutcome handle(const StartedJob& job, const std::stop_token& /*lost*/, const Worker::Say& say)
{
    const std::string kind = job.payload.substr(0, job.payload.find(' '));
    say("at " + job.payload);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (kind == "deadly" && job.attempt == 1)
        ::_exit(9);
    if (kind == "bad" || (kind == "flaky" && job.attempt == 1))
        return JobFailure{ "ValueError: " + kind, "failed " + job.payload, true, {} };
    return JobDone{ "did " + job.payload };
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 3)
        return 2;
    WorkerOptions options;
    options.address = *parseQueueAddress("unix://" + std::string(argv[1]));
    options.queue = { "test", "chaos" };
    options.concurrency = 2;
    options.lease = std::chrono::milliseconds(std::atoi(argv[2])); // NOLINT(cert-err34-c): the test's own
    options.mostLost = 1000; // by kills that are not the job's fault
    options.backoff = { std::chrono::milliseconds(20), std::chrono::milliseconds(200) };
    SystemRandom random;
    Worker worker(std::move(options), handle, random);
    while (!worker.start())
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    for (;;)
        std::this_thread::sleep_for(std::chrono::hours(1));
}
