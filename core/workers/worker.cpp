#include "core/workers/worker.h"

#include "core/base/hash.h"
#include "core/base/log.h"
#include "core/base/random_bytes.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace sg::workers {
namespace {

constexpr std::chrono::milliseconds kBlock{ 1000 }; // a drain waits for no longer
constexpr std::chrono::milliseconds kLongestBeat{ 1000 }; // a cancelled job ends within it
constexpr std::chrono::milliseconds kLongestPause{ 200 };
constexpr std::chrono::milliseconds kLongestUntold{ 20 };
constexpr std::chrono::milliseconds kLeastPatience{ 1500 };
constexpr std::chrono::milliseconds kMostPatience{ 10'000 };

std::string newConsumer()
{
    std::array<char, 65> host{};
    ::gethostname(host.data(), host.size() - 1);
    std::string name = host.data();
    std::erase_if(name,
                  [](unsigned char each) { return std::isalnum(each) == 0 && each != '-' && each != '.'; });
    std::array<char, 4> chance{};
    fillRandomBytes(chance.data(), chance.size());
    return name + "-" + std::to_string(::getpid()) + "-" + toHex({ chance.data(), chance.size() });
}

std::chrono::milliseconds beatOf(std::chrono::milliseconds lease)
{
    return std::clamp(lease / 3, std::chrono::milliseconds(50), kLongestBeat);
}

std::string keyOf(const StartedJob& job)
{
    return job.id + " " + job.fence;
}

} // namespace

void WorkerFigures::took(std::chrono::duration<double> time)
{
    const auto slot = std::ranges::lower_bound(kBounds, time.count()) - kBounds.begin();
    ++durations.at(static_cast<std::size_t>(slot));
    tookMicros += static_cast<std::int64_t>(time.count() * 1e6);
}

Worker::Worker(WorkerOptions options, Handler handler, Random& random)
    : m_options(std::move(options))
    , m_handler(std::move(handler))
    , m_random(random)
    , m_lease{ newConsumer(), m_options.lease, m_options.mostLost }
{
}

Worker::~Worker()
{
    drain();
    wait();
}

Result<void> Worker::start()
{
    Redis redis(m_options.address);
    if (auto connected = redis.connect(); !connected)
        return connected;
    RoleQueue queue(redis, m_options.queue);
    if (auto known = queue.announce(); !known)
        return known;
    tellPresence(queue, {});
    m_working = m_options.concurrency;
    for (int i = 0; i < m_options.concurrency; ++i)
        m_workers.emplace_back([this] { work(); });
    m_renewing = std::jthread([this] { renew(); });
    m_tending = std::jthread([this] { tend(); });
    return {};
}

void Worker::drain()
{
    m_draining.request_stop();
}

void Worker::wait()
{
    for (std::jthread& thread : m_workers)
        if (thread.joinable())
            thread.join();
    m_leaving.request_stop();
    if (m_renewing.joinable())
        m_renewing.join();
    if (m_tending.joinable())
        m_tending.join();
}

// A server that is silent for a lease has given the jobs to others, or the connection only looks alive.
std::chrono::milliseconds Worker::patience() const
{
    return std::clamp(m_options.lease, kLeastPatience, kMostPatience);
}

void Worker::pause(std::chrono::milliseconds time)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, m_draining.get_token(), time, [] { return false; });
}

void Worker::work()
{
    Redis redis(m_options.address, patience());
    RoleQueue queue(redis, m_options.queue);
    std::vector<Ended> ended;
    std::chrono::milliseconds again{ 100 };
    const std::stop_token draining = m_draining.get_token();
    // A drained worker tells its results for as long as another could not have taken its jobs over.
    auto mayTell = [&, until = SteadyTime()]() mutable {
        if (!draining.stop_requested())
            return true;
        const SteadyTime now = std::chrono::steady_clock::now();
        if (until == SteadyTime())
            until = now + m_options.lease;
        return !ended.empty() && now < until;
    };
    while (mayTell()) {
        if (draining.stop_requested()) {
            if (tellEnded(queue, ended))
                break;
            std::this_thread::sleep_for(again);
            again = std::min(again * 2, std::chrono::milliseconds(2000));
            continue;
        }
        const auto taken = takeMore(queue, ended);
        if (!taken) {
            logMessage(LogLevel::Warning,
                       "worker of role " + m_options.queue.role + ": " + taken.error().message);
            pause(again);
            again = std::min(again * 2, std::chrono::milliseconds(2000));
            continue;
        }
        again = std::chrono::milliseconds(100);
        m_figures.lastTakeMs = std::chrono::duration_cast<std::chrono::milliseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count();
        workThrough(queue, *taken, ended);
        if (taken->jobs.empty() && taken->wait)
            pause(taken->wait->count() < 0 ? kLongestPause : std::min(*taken->wait, kLongestPause));
    }
    --m_working;
}

// Ends what was done and takes what is next, in one step. Where nothing is, it waits for a while.
Result<RoleQueue::Taken> Worker::takeMore(RoleQueue& queue, std::vector<Ended>& ended)
{
    std::vector<Finished> finished;
    for (const Ended& each : ended)
        finished.push_back({ each.job, each.result });
    auto taken = queue.take(m_lease, m_options.prefetch, finished);
    if (!taken)
        return taken;
    told(ended, taken->counted);
    return taken->jobs.empty() && !taken->wait ? queue.takeNext(m_lease, kBlock) : std::move(taken);
}

void Worker::workThrough(RoleQueue& queue, const RoleQueue::Taken& taken, std::vector<Ended>& ended)
{
    for (const StartedJob& job : taken.jobs)
        hold(job);
    SteadyTime told = std::chrono::steady_clock::now();
    for (const StartedJob& job : taken.jobs) {
        handle(queue, job, ended);
        // Results do not wait for slow jobs that were taken together with theirs.
        const SteadyTime now = std::chrono::steady_clock::now();
        if (&job != &taken.jobs.back() && now - told > kLongestUntold) {
            static_cast<void>(tellEnded(queue, ended));
            told = now;
        }
    }
}

void Worker::handle(RoleQueue& queue, const StartedJob& job, std::vector<Ended>& ended)
{
    const std::stop_token lost = lostToken(job);
    const SteadyTime begun = std::chrono::steady_clock::now();
    ++m_figures.busy;
    const Say say = [&](std::string_view bytes) { return static_cast<bool>(queue.say(job, bytes)); };
    JobOutcome outcome =
        lost.stop_requested() ? JobOutcome(JobFailure{ "lost", {}, true, {} }) : m_handler(job, lost, say);
    --m_figures.busy;
    m_figures.took(std::chrono::steady_clock::now() - begun);
    if (auto* done = std::get_if<JobDone>(&outcome)) {
        ended.push_back({ job, std::move(done->result) });
        return; // its lease is renewed until the queue knows
    }
    const double chance = static_cast<double>(m_random.next() >> 11U) * 0x1.0p-53;
    const auto failed = queue.fail(job, std::get<JobFailure>(outcome), m_options.backoff, chance);
    release(job);
    if (!failed) // the lease runs out, and it is tried again
        logMessage(LogLevel::Warning,
                   "worker of role " + m_options.queue.role + ": " + failed.error().message);
    else
        ++(*failed == RoleQueue::Failed::Stale         ? m_figures.stale
               : *failed == RoleQueue::Failed::Retried ? m_figures.retried
                                                       : m_figures.dead);
}

bool Worker::tellEnded(RoleQueue& queue, std::vector<Ended>& ended)
{
    std::vector<Finished> all;
    for (const Ended& each : ended)
        all.push_back({ each.job, each.result });
    const auto counted = queue.finish(all);
    if (!counted) {
        logMessage(LogLevel::Warning,
                   "worker of role " + m_options.queue.role + ": " + counted.error().message);
        return counted.error().code != Errc::Unavailable;
    }
    told(ended, *counted);
    return true;
}

void Worker::told(std::vector<Ended>& ended, const std::vector<bool>& counted)
{
    for (std::size_t i = 0; i < ended.size(); ++i) {
        ++(i < counted.size() && counted[i] ? m_figures.done : m_figures.stale);
        release(ended[i].job);
    }
    ended.clear();
}

void Worker::hold(const StartedJob& job)
{
    const std::lock_guard lock(m_mutex);
    m_held.insert_or_assign(keyOf(job), Held{ job, {}, std::chrono::steady_clock::now() });
}

std::stop_token Worker::lostToken(const StartedJob& job)
{
    const std::lock_guard lock(m_mutex);
    return m_held.at(keyOf(job)).lost.get_token();
}

void Worker::release(const StartedJob& job)
{
    const std::lock_guard lock(m_mutex);
    m_held.erase(keyOf(job));
}

// Gives up jobs whose lease was not renewed since then: it has run out.
void Worker::loseAll(SteadyTime before)
{
    const std::lock_guard lock(m_mutex);
    for (auto& [key, held] : m_held)
        if (held.renewed < before)
            held.lost.request_stop();
}

void Worker::tellPresence(RoleQueue& queue, const std::string& job) const
{
    static_cast<void>(queue.presence(m_lease.consumer, kLongestBeat,
                                     { { "busy", std::to_string(m_figures.busy.load()) },
                                       { "slots", std::to_string(m_options.concurrency) },
                                       { "done", std::to_string(m_figures.done.load()) },
                                       { "job", job } }));
}

void Worker::renew()
{
    Redis redis(m_options.address, patience() / 3);
    RoleQueue queue(redis, m_options.queue);
    const std::chrono::milliseconds every = beatOf(m_options.lease);
    const std::stop_token leaving = m_leaving.get_token();
    while (!leaving.stop_requested()) {
        std::vector<StartedJob> jobs;
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait_for(lock, leaving, every, [] { return false; });
            for (const auto& [key, held] : m_held)
                jobs.push_back(held.job);
        }
        const SteadyTime asked = std::chrono::steady_clock::now();
        tellPresence(queue, jobs.empty() ? std::string() : jobs.front().id);
        if (!jobs.empty()) {
            const auto mine = queue.beat(m_lease, jobs);
            const std::lock_guard lock(m_mutex);
            for (std::size_t i = 0; mine && i < mine->size(); ++i)
                if (const auto held = m_held.find(keyOf(jobs[i])); held != m_held.end()) {
                    if ((*mine)[i])
                        held->second.renewed = asked;
                    else
                        held->second.lost.request_stop();
                }
        }
        loseAll(std::chrono::steady_clock::now() - m_options.lease);
    }
    static_cast<void>(queue.leave(m_lease.consumer));
}

void Worker::tend()
{
    Redis redis(m_options.address, patience());
    RoleQueue queue(redis, m_options.queue);
    const std::stop_token leaving = m_leaving.get_token();
    while (!leaving.stop_requested()) {
        // Workers ask at different times, so that not all do so at once.
        const std::chrono::milliseconds every(200 + static_cast<std::int64_t>(m_random.next() % 200));
        static_cast<void>(queue.tend(m_lease));
        std::unique_lock lock(m_mutex);
        m_changed.wait_for(lock, leaving, every, [] { return false; });
    }
}

} // namespace sg::workers
