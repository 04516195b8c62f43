#include "core/workers/role_line.h"

#include "core/base/log.h"

#include <algorithm>
#include <utility>

namespace sg::workers {
namespace {

constexpr std::chrono::milliseconds kLook{ 1000 }; // a lost message delays a result by no more
constexpr std::chrono::milliseconds kAgain{ 250 }; // between attempts to connect
constexpr std::chrono::milliseconds kPatience{ 5000 }; // with a connection that only looks alive

} // namespace

RoleLine::RoleLine(QueueAddress address, QueueName name, std::string client)
    : m_address(std::move(address))
    , m_name(std::move(name))
    , m_replyTo("re:" + std::move(client))
{
}

RoleLine::~RoleLine()
{
    m_listener.request_stop();
}

// Needs m_sendMutex.
Result<void> RoleLine::begin()
{
    if (m_isChecked)
        return {};
    m_redis = std::make_unique<Redis>(m_address, kPatience);
    if (auto connected = m_redis->connect(); !connected)
        return connected;
    m_queue = std::make_unique<RoleQueue>(*m_redis, m_name);
    if (auto known = m_queue->announce(); !known)
        return known;
    m_isChecked = true;
    m_listener = std::jthread([this](const std::stop_token& stop) { listen(stop); });
    return {};
}

Result<EndedJob> RoleLine::perform(NewJob job, const std::stop_token& stop, const Say& say, const Hear& hear)
{
    job.replyTo = m_replyTo;
    const std::string id = job.id;
    Result<std::vector<JobState>> added = std::vector<JobState>();
    {
        const std::lock_guard lock(m_sendMutex);
        if (auto begun = begin(); !begun)
            return std::move(begun.error());
        {
            const std::lock_guard guard(m_mutex);
            m_waiting.insert_or_assign(id, Waiting{ job, {}, std::nullopt });
        }
        added = m_queue->add({ job });
    }
    if (!added && say)
        say(added.error().message + "; the task is added again when Redis answers");
    m_changed.notify_all();
    std::unique_lock lock(m_mutex);
    Waiting& waiting = m_waiting.at(id); // it stays where it is until it is erased below
    for (bool goesOn = true; goesOn;) {
        m_changed.wait(lock, stop, [&] { return waiting.ended.has_value() || !waiting.heard.empty(); });
        std::vector<std::string> heard;
        heard.swap(waiting.heard);
        goesOn = !waiting.ended && !stop.stop_requested();
        lock.unlock();
        for (const std::string& bytes : heard)
            if (hear)
                hear(bytes);
        lock.lock();
        goesOn = goesOn || !waiting.heard.empty();
    }
    const bool hasEnded = waiting.ended.has_value();
    const auto found = m_waiting.find(id);
    std::optional<EndedJob> ended = std::move(found->second.ended);
    m_waiting.erase(found);
    lock.unlock();
    if (hasEnded)
        return std::move(*ended);
    cancel(id);
    return Error{ Errc::Cancelled, "stopped" };
}

void RoleLine::cancel(const std::string& job)
{
    const std::lock_guard lock(m_sendMutex);
    if (const auto done = m_queue->cancel(job); !done)
        logMessage(LogLevel::Warning, "job " + job + " is not cancelled: " + done.error().message);
}

void RoleLine::forgetLater(const std::string& job)
{
    {
        const std::lock_guard lock(m_mutex);
        m_forgotten.push_back(job);
    }
    m_changed.notify_all();
}

void RoleLine::tellForgotten(RoleQueue& queue)
{
    std::vector<std::string> jobs;
    {
        const std::lock_guard lock(m_mutex);
        jobs.swap(m_forgotten);
    }
    // A failure here leaves results that expire by themselves.
    if (!jobs.empty())
        static_cast<void>(queue.forget(jobs));
}

Result<std::optional<JobState>> RoleLine::state(const std::string& job)
{
    const std::lock_guard lock(m_sendMutex);
    if (auto begun = begin(); !begun)
        return std::move(begun.error());
    auto states = m_queue->states({ job });
    if (!states)
        return std::move(states.error());
    return states->front();
}

std::vector<std::string> RoleLine::waitedFor()
{
    const std::lock_guard lock(m_mutex);
    std::vector<std::string> jobs;
    for (const auto& [id, waiting] : m_waiting)
        if (!waiting.ended)
            jobs.push_back(id);
    return jobs;
}

// Hands over the ends of those of the jobs that have ended.
void RoleLine::look(RoleQueue& queue, const std::vector<std::string>& jobs)
{
    if (jobs.empty())
        return;
    const auto found = queue.ended(jobs);
    if (!found)
        return;
    bool any = false;
    {
        const std::lock_guard lock(m_mutex);
        for (const auto& ended : *found)
            if (ended)
                if (const auto waiting = m_waiting.find(ended->id); waiting != m_waiting.end()) {
                    waiting->second.ended = *ended;
                    any = true;
                }
    }
    if (any)
        m_changed.notify_all();
}

std::vector<std::string> RoleLine::sorted(const std::vector<std::string>& popped)
{
    std::vector<std::string> jobs;
    bool hasHeard = false;
    {
        const std::lock_guard lock(m_mutex);
        for (const std::string& each : popped) {
            const std::size_t end = each.starts_with('\n') ? each.find('\n', 1) : std::string::npos;
            if (end == std::string::npos) {
                jobs.push_back(each);
                continue;
            }
            if (const auto waiting = m_waiting.find(each.substr(1, end - 1)); waiting != m_waiting.end()) {
                waiting->second.heard.push_back(each.substr(end + 1));
                hasHeard = true;
            }
        }
    }
    if (hasHeard)
        m_changed.notify_all();
    return jobs;
}

void RoleLine::addMissing(RoleQueue& queue, const std::vector<std::string>& jobs)
{
    if (jobs.empty())
        return;
    const auto states = queue.states(jobs);
    if (!states)
        return;
    std::vector<NewJob> missing;
    {
        const std::lock_guard lock(m_mutex);
        for (std::size_t i = 0; i < states->size(); ++i)
            if (const auto waiting = m_waiting.find(jobs[i]); !(*states)[i] && waiting != m_waiting.end())
                missing.push_back(waiting->second.job);
    }
    if (!missing.empty())
        static_cast<void>(queue.add(missing));
}

void RoleLine::listen(const std::stop_token& stop)
{
    Redis redis(m_address, kPatience);
    RoleQueue queue(redis, m_name);
    const std::string list = m_name.prefix() + m_replyTo;
    auto lookNext = std::chrono::steady_clock::now() + kLook;
    while (!stop.stop_requested()) {
        {
            std::unique_lock lock(m_mutex);
            const auto isWaited = [](const auto& each) { return !each.second.ended.has_value(); };
            m_changed.wait(lock, stop,
                           [&] { return !m_forgotten.empty() || std::ranges::any_of(m_waiting, isWaited); });
        }
        tellForgotten(queue);
        if (stop.stop_requested() || waitedFor().empty())
            continue;
        const auto popped = redis.call({ "BLPOP", list, "1" }, kLook);
        const bool isDue = std::chrono::steady_clock::now() >= lookNext;
        if (popped && popped->list.size() == 2) {
            std::vector<std::string> jobs{ (*popped)[1].text };
            if (const auto more = redis.call({ "LPOP", list, "200" }))
                for (const RedisReply& each : more->list)
                    jobs.push_back(each.text);
            look(queue, sorted(jobs));
        }
        if (!popped) {
            std::unique_lock lock(m_mutex);
            m_changed.wait_for(lock, stop, kAgain, [] { return false; });
        }
        if (isDue || !popped || popped->isNil()) {
            const std::vector<std::string> jobs = waitedFor();
            look(queue, jobs);
            addMissing(queue, waitedFor());
            lookNext = std::chrono::steady_clock::now() + kLook;
        }
    }
}

} // namespace sg::workers
