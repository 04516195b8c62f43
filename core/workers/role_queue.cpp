#include "core/workers/role_queue.h"

#include "core/workers/queue_scripts.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sg::workers {
namespace {

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

StartedJob jobOf(RedisReply& reply)
{
    StartedJob job;
    if (reply.list.size() < 7)
        return job;
    job.id = std::move(reply.list[0].text);
    job.fence = std::move(reply.list[1].text);
    job.attempt = static_cast<int>(reply[2].number());
    job.payload = std::move(reply.list[3].text);
    job.partition = std::move(reply.list[4].text);
    job.waited = std::chrono::milliseconds(reply[5].number());
    job.attempts = static_cast<int>(reply[6].number());
    return job;
}

std::vector<bool> flagsOf(const RedisReply& reply)
{
    std::vector<bool> flags;
    flags.reserve(reply.list.size());
    for (const RedisReply& each : reply.list)
        flags.push_back(each.number() != 0);
    return flags;
}

Result<RoleQueue::Taken> takenOf(RedisReply reply)
{
    if (reply.list.size() < 2)
        return unexpected(reply);
    RoleQueue::Taken taken;
    taken.counted = flagsOf(reply[1]);
    if (const std::int64_t wait = reply[0].number(); wait != 0)
        taken.wait = std::chrono::milliseconds(wait);
    if (reply.list.size() > 2)
        for (RedisReply& each : reply.list[2].list)
            taken.jobs.push_back(jobOf(each));
    return taken;
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

Result<void> RoleQueue::announce()
{
    const auto added = m_redis.call({ "SADD", m_roles, m_role });
    if (!added && added.error().code == Errc::Unavailable)
        return added.error();
    return {};
}

// Runs the script over `words`, of which each so many are one job's, with at most kMostTogether jobs in one
// call and `first` before them.
Result<std::vector<RedisReply>> RoleQueue::inParts(const RedisScript& script, const Redis::Words& first,
                                                   const Redis::Words& words, std::size_t each)
{
    const std::size_t most = each * scripts::kMostTogether;
    std::vector<Redis::Words> calls;
    for (std::size_t at = 0; at < words.size(); at += most) {
        calls.push_back(first);
        const auto begin = words.begin() + static_cast<std::ptrdiff_t>(at);
        calls.back().insert(calls.back().end(), begin,
                            begin + static_cast<std::ptrdiff_t>(std::min(most, words.size() - at)));
    }
    auto replies = m_redis.runAll(script, m_prefix, calls);
    if (replies)
        for (const RedisReply& reply : *replies)
            if (reply.kind == RedisReply::Kind::Error)
                return m_redis.errorOf(reply);
    return replies;
}

Result<std::vector<bool>> RoleQueue::flags(const Result<std::vector<RedisReply>>& replies) const
{
    if (!replies)
        return replies.error();
    std::vector<bool> all;
    for (const RedisReply& reply : *replies) {
        const std::vector<bool> some = flagsOf(reply);
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

Result<std::vector<JobState>> RoleQueue::add(const std::vector<NewJob>& jobs)
{
    std::vector<std::array<std::string, 2>> numbers;
    numbers.reserve(jobs.size());
    Redis::Words words;
    words.reserve(jobs.size() * 7);
    for (const NewJob& job : jobs) {
        numbers.push_back({ std::to_string(job.attempts), textOf(job.delay) });
        words.insert(words.end(),
                     { job.id, job.payload, streamOf(job.priority), numbers.back()[0], numbers.back()[1],
                       job.replyTo, job.partition });
    }
    const auto replies = inParts(scripts::enqueue(), {}, words, 7);
    if (!replies)
        return replies.error();
    std::vector<JobState> states;
    states.reserve(jobs.size());
    for (const RedisReply& reply : *replies)
        for (const RedisReply& each : reply.list) {
            const auto state = jobStateNamed(each.text);
            if (!state)
                return unexpected(each);
            states.push_back(*state);
        }
    return states;
}

Result<RoleQueue::Taken> RoleQueue::take(const Lease& lease, int count, const std::vector<Finished>& finished)
{
    const std::string time = textOf(lease.time);
    const std::string number =
        std::to_string(std::min<std::size_t>(static_cast<std::size_t>(count), scripts::kMostTogether));
    const std::string turn = std::to_string(++m_turn % 8);
    const std::string ended = std::to_string(finished.size());
    Redis::Words words{ lease.consumer, time, number, turn, kKeptMs, ended };
    for (const Finished& each : finished)
        words.insert(words.end(), { each.job.id, each.job.fence, each.result });
    auto reply = m_redis.run(scripts::take(), m_prefix, words);
    if (!reply)
        return std::move(reply.error());
    return takenOf(std::move(*reply));
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
            auto reply = m_redis.run(scripts::start(), m_prefix,
                                     { lease.consumer, time, name, entry[0].text, entry[1][1].text });
            if (!reply)
                return std::move(reply.error());
            auto taken = takenOf(std::move(*reply));
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
    Redis::Words words;
    for (const StartedJob& job : jobs)
        words.insert(words.end(), { job.id, job.fence });
    return flags(inParts(scripts::beat(), { time }, words, 2));
}

Result<std::vector<bool>> RoleQueue::finish(const std::vector<Finished>& all)
{
    Redis::Words words;
    for (const Finished& each : all)
        words.insert(words.end(), { each.job.id, each.job.fence, each.result });
    return flags(inParts(scripts::done(), { kKeptMs }, words, 3));
}

Result<RoleQueue::Failed> RoleQueue::fail(const StartedJob& job, const JobFailure& failure,
                                          const Backoff& backoff, double chance)
{
    const std::string base = textOf(backoff.base);
    const std::string cap = textOf(backoff.cap);
    const std::string part = std::to_string(0.5 + chance / 2);
    const std::string after = textOf(failure.notBefore);
    const auto reply = m_redis.run(scripts::fail(), m_prefix,
                                   { job.id, job.fence, failure.error, failure.result,
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

Result<std::vector<bool>> RoleQueue::requeue(const std::vector<std::string>& jobs, const std::string& actor)
{
    return flags(inParts(scripts::requeue(), { actor }, Redis::Words(jobs.begin(), jobs.end()), 1));
}

Result<std::vector<bool>> RoleQueue::discard(const std::vector<Dead>& letters, const std::string& actor)
{
    Redis::Words words;
    for (const Dead& letter : letters)
        words.insert(words.end(), { letter.job, letter.entry });
    return flags(inParts(scripts::discard(), { kKeptMs, actor }, words, 2));
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
