#include "core/workers/role_queue.h"

#include "core/workers/queue_scripts.h"

#include <array>
#include <utility>

namespace sg::workers {
namespace {

constexpr std::array<std::pair<std::string_view, JobState>, 6> kStates{ {
    { "ready", JobState::Ready },
    { "delayed", JobState::Delayed },
    { "running", JobState::Running },
    { "done", JobState::Done },
    { "dead", JobState::Dead },
    { "cancelled", JobState::Cancelled },
} };

constexpr std::string_view kKeptMs = "604800000"; // a job that is done, and its result: seven days

Error unexpected(const RedisReply& reply)
{
    return { Errc::InvalidArgument,
             "the queue answered unexpectedly"
                 + (reply.kind == RedisReply::Kind::Error ? ": " + reply.text : std::string()) };
}

std::string textOf(std::chrono::milliseconds time)
{
    return std::to_string(time.count());
}

StartedJob jobOf(const RedisReply& reply)
{
    StartedJob job;
    job.id = reply[1].text;
    job.entry = reply[2].text;
    job.stream = reply[3].text;
    job.fence = reply[4].text;
    job.attempt = static_cast<int>(reply[5].number());
    job.payload = reply[6].text;
    job.partition = reply[7].text;
    job.attempts = static_cast<int>(reply[9].number());
    return job;
}

} // namespace

std::string_view streamOf(Priority priority)
{
    switch (priority) {
    case Priority::High: return "hi";
    case Priority::Normal: break;
    case Priority::Low: return "lo";
    }
    return "q";
}

std::optional<JobState> jobStateNamed(std::string_view word)
{
    for (const auto& [name, state] : kStates)
        if (name == word)
            return state;
    return std::nullopt;
}

std::string_view nameOf(JobState state)
{
    for (const auto& [name, each] : kStates)
        if (each == state)
            return name;
    return "ready";
}

Result<void> RoleQueue::announce()
{
    const auto added = m_redis.call({ "SADD", m_roles, m_role });
    if (!added && added.error().code == Errc::Unavailable)
        return added.error();
    return {};
}

Result<std::vector<JobState>> RoleQueue::add(const std::vector<NewJob>& jobs)
{
    std::vector<std::array<std::string, 2>> numbers;
    numbers.reserve(jobs.size());
    std::vector<Redis::Words> arguments;
    arguments.reserve(jobs.size());
    for (const NewJob& job : jobs) {
        numbers.push_back({ std::to_string(job.attempts), textOf(job.delay) });
        arguments.push_back({ job.id, job.payload, streamOf(job.priority), numbers.back()[0],
                              numbers.back()[1], job.replyTo, job.partition });
    }
    const auto replies = m_redis.runAll(scripts::enqueue(), m_prefix, arguments);
    if (!replies)
        return replies.error();
    std::vector<JobState> states;
    for (const RedisReply& reply : *replies) {
        const auto state = jobStateNamed(reply[0].text);
        if (!state)
            return unexpected(reply);
        states.push_back(*state);
    }
    return states;
}

Result<RoleQueue::Taken> RoleQueue::readTaken(const RedisReply& reply) const
{
    Taken taken;
    taken.finishedCounted = reply[1].number() != 0;
    if (reply[0].text == "wait") {
        taken.wait = std::chrono::milliseconds(reply[2].number());
        return taken;
    }
    if (reply[0].text != "jobs")
        return unexpected(reply);
    for (std::size_t i = 2; i < reply.list.size(); ++i)
        taken.jobs.push_back(jobOf(reply[i]));
    return taken;
}

Result<RoleQueue::Taken> RoleQueue::take(const Lease& lease, int count,
                                         const std::optional<Finished>& finished)
{
    const std::string time = textOf(lease.time);
    const std::string most = std::to_string(lease.mostLost);
    const std::string number = std::to_string(count);
    Redis::Words words{ lease.consumer, time, most, number };
    if (finished) {
        const StartedJob& job = finished->job;
        words.insert(words.end(), { job.entry, job.id, job.fence, job.stream, finished->result, kKeptMs });
    }
    const auto reply = m_redis.run(scripts::take(), m_prefix, words);
    if (!reply)
        return reply.error();
    return readTaken(*reply);
}

Result<RoleQueue::Taken> RoleQueue::takeNext(const Lease& lease, std::chrono::milliseconds wait)
{
    const std::string block = textOf(wait);
    const std::string high = m_prefix + "hi";
    const std::string normal = m_prefix + "q";
    const std::string low = m_prefix + "lo";
    const std::string own = m_prefix + "at:" + lease.consumer;
    const auto read = m_redis.call({ "XREADGROUP", "GROUP", "w", lease.consumer, "COUNT", "1", "BLOCK", block,
                                     "STREAMS", own, high, normal, low, ">", ">", ">", ">" },
                                   wait);
    if (!read) {
        // The next take() makes the groups.
        if (read.error().message.find("NOGROUP") != std::string::npos)
            return Taken{};
        return read.error();
    }
    Taken all;
    for (const RedisReply& stream : read->list) {
        const std::string name = stream[0].text.substr(m_prefix.size());
        for (const RedisReply& entry : stream[1].list) {
            const std::string time = textOf(lease.time);
            const std::string most = std::to_string(lease.mostLost);
            const auto reply =
                m_redis.run(scripts::start(), m_prefix,
                            { lease.consumer, time, most, name, entry[0].text, entry[1][1].text });
            if (!reply)
                return reply.error();
            auto taken = readTaken(*reply);
            if (!taken)
                return taken;
            for (StartedJob& job : taken->jobs)
                all.jobs.push_back(std::move(job));
            if (taken->wait)
                all.wait = taken->wait;
        }
    }
    return all;
}

Result<std::vector<bool>> RoleQueue::beat(const Lease& lease, const std::vector<StartedJob>& jobs)
{
    const std::string time = textOf(lease.time);
    std::vector<Redis::Words> arguments;
    for (const StartedJob& job : jobs)
        arguments.push_back({ lease.consumer, time, job.entry, job.id, job.fence, job.stream });
    const auto replies = m_redis.runAll(scripts::beat(), m_prefix, arguments);
    if (!replies)
        return replies.error();
    std::vector<bool> mine;
    for (const RedisReply& reply : *replies)
        mine.push_back(reply.kind == RedisReply::Kind::Error || reply.number() != 0);
    return mine;
}

Result<std::vector<bool>> RoleQueue::finish(const std::vector<Finished>& all)
{
    std::vector<Redis::Words> arguments;
    for (const Finished& each : all)
        arguments.push_back(
            { each.job.entry, each.job.id, each.job.fence, each.job.stream, each.result, kKeptMs });
    const auto replies = m_redis.runAll(scripts::done(), m_prefix, arguments);
    if (!replies)
        return replies.error();
    std::vector<bool> counted;
    for (const RedisReply& reply : *replies) {
        if (reply.kind == RedisReply::Kind::Error)
            return unexpected(reply);
        counted.push_back(reply.number() != 0);
    }
    return counted;
}

Result<RoleQueue::Failed> RoleQueue::fail(const StartedJob& job, const JobFailure& failure,
                                          const Backoff& backoff, double chance)
{
    const std::string base = textOf(backoff.base);
    const std::string cap = textOf(backoff.cap);
    const std::string part = std::to_string(0.5 + chance / 2);
    const std::string after = textOf(failure.notBefore);
    const auto reply = m_redis.run(scripts::fail(), m_prefix,
                                   { job.entry, job.id, job.fence, job.stream, failure.error, failure.result,
                                     failure.mayRetry ? "1" : "0", base, cap, part, after });
    if (!reply)
        return reply.error();
    return reply->number() == 0 ? Failed::Stale : reply->number() == 1 ? Failed::Retried : Failed::Dead;
}

Result<void> RoleQueue::say(const StartedJob& job, std::string_view bytes)
{
    const auto reply = m_redis.run(scripts::say(), m_prefix, { job.id, job.fence, bytes });
    return reply ? Result<void>() : reply.error();
}

Result<int> RoleQueue::tend(const Lease& lease)
{
    const std::string time = textOf(lease.time);
    const std::string most = std::to_string(lease.mostLost);
    const auto reply = m_redis.run(scripts::tend(), m_prefix, { most, time, lease.consumer });
    if (!reply)
        return reply.error();
    return static_cast<int>(reply->number());
}

Result<bool> RoleQueue::cancel(const std::string& job)
{
    const auto reply = m_redis.run(scripts::cancel(), m_prefix, { job });
    if (!reply)
        return reply.error();
    return reply->number() != 0;
}

Result<bool> RoleQueue::bury(const NewJob& job, const std::string& why)
{
    const auto reply = m_redis.run(scripts::bury(), m_prefix, { job.id, job.payload, why });
    if (!reply)
        return reply.error();
    return reply->number() != 0;
}

Result<bool> RoleQueue::requeue(const std::string& job, const std::string& actor)
{
    const auto reply = m_redis.run(scripts::requeue(), m_prefix, { job, actor });
    if (!reply)
        return reply.error();
    return reply->number() != 0;
}

Result<void> RoleQueue::forget(const std::vector<std::string>& jobs)
{
    if (jobs.empty())
        return {};
    const auto reply = m_redis.run(scripts::forget(), m_prefix, Redis::Words(jobs.begin(), jobs.end()));
    if (!reply)
        return reply.error();
    return {};
}

Result<std::vector<std::optional<EndedJob>>> RoleQueue::ended(const std::vector<std::string>& jobs)
{
    std::vector<std::string> keys;
    for (const std::string& job : jobs)
        keys.push_back(m_prefix + "job:" + job);
    std::vector<Redis::Words> commands;
    for (const std::string& key : keys)
        commands.push_back({ "HMGET", key, "st", "r", "err", "w" });
    const auto replies = m_redis.callAll(commands);
    if (!replies)
        return replies.error();
    std::vector<std::optional<EndedJob>> found;
    for (std::size_t i = 0; i < replies->size(); ++i) {
        const RedisReply& reply = (*replies)[i];
        const auto state = jobStateNamed(reply[0].text);
        found.emplace_back();
        if (state && hasEnded(*state))
            found.back() = EndedJob{ jobs[i], *state, reply[1].text, reply[2].text, reply[3].text };
    }
    return found;
}

Result<std::vector<std::optional<JobState>>> RoleQueue::states(const std::vector<std::string>& jobs)
{
    std::vector<std::string> keys;
    for (const std::string& job : jobs)
        keys.push_back(m_prefix + "job:" + job);
    std::vector<Redis::Words> commands;
    for (const std::string& key : keys)
        commands.push_back({ "HGET", key, "st" });
    const auto replies = m_redis.callAll(commands);
    if (!replies)
        return replies.error();
    std::vector<std::optional<JobState>> found;
    for (const RedisReply& reply : *replies)
        found.push_back(jobStateNamed(reply.text));
    return found;
}

Result<void> RoleQueue::presence(const std::string& consumer, std::chrono::milliseconds beat,
                                 const std::vector<std::pair<std::string, std::string>>& fields)
{
    const std::string key = m_prefix + "wk:" + consumer;
    const std::string time = textOf(3 * beat);
    Redis::Words words{ "HSET", key };
    for (const auto& [name, value] : fields)
        words.insert(words.end(), { name, value });
    const std::string crew = m_prefix + "crew";
    const auto replies = m_redis.callAll({ words, { "PEXPIRE", key, time }, { "SADD", crew, consumer } });
    return replies ? Result<void>() : replies.error();
}

Result<void> RoleQueue::leave(const std::string& consumer)
{
    const std::string key = m_prefix + "wk:" + consumer;
    const auto reply = m_redis.call({ "DEL", key });
    return reply ? Result<void>() : reply.error();
}

} // namespace sg::workers
