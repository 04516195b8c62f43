#include "ui/bridge/pools/pools_client.h"

#include "core/base/json.h"
#include "core/config/setting_layers.h"
#include "core/workers/dead_letters.h"
#include "core/workers/job_story.h"
#include "core/workers/pools.h"
#include "core/workers/role_pools.h"
#include "core/workers/task_message.h"
#include "ui/bridge/rows/row_conversion.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <tuple>

namespace sg::ui {
namespace {

using workers::QueueChoice;
using workers::Redis;

constexpr std::chrono::milliseconds kPatience{ 3000 };
constexpr std::int64_t kMostLetters = 200; // of each role
constexpr std::size_t kMostPayload = 16'384; // characters that are shown

Result<std::optional<QueueChoice>> queueOf(const QString& address)
{
    config::SettingValues settings = config::environmentSettings(config::processEnvironment);
    if (!address.isEmpty())
        settings.push_back(
            { "queue", utf8(address), config::SettingLayer::CommandLine, "the page of pools" });
    const auto merged = config::mergeSettings(settings);
    if (!merged)
        return merged.error();
    return workers::queueChoice(*merged);
}

// A queue that is named, or why there is none to be asked.
Result<QueueChoice> namedQueue(const QString& address)
{
    auto queue = queueOf(address);
    if (!queue)
        return std::move(queue.error());
    if (!*queue)
        return Error{ Errc::InvalidArgument, "no queue is named" };
    return std::move(**queue);
}

std::string actor()
{
    const char* user = std::getenv("USER"); // NOLINT(concurrency-mt-unsafe): never changed
    return user == nullptr || *user == '\0' ? "uid " + std::to_string(::getuid()) : user;
}

qint64 counterOf(const workers::PoolView& pool, const char* name)
{
    const auto found = pool.counters.find(name);
    return found == pool.counters.end() ? 0 : found->second;
}

// A worker's name is its host, its process and chance, with "-" between; a host's name may have one, too.
QString hostOf(const QString& worker)
{
    return worker.section(QLatin1Char('-'), 0, -3);
}

PoolRow rowOf(const workers::PoolView& pool)
{
    PoolRow row;
    row.role = text(pool.role);
    row.ready = pool.ready;
    row.later = pool.delayed;
    row.running = pool.running;
    row.dead = pool.dead;
    row.oldestSeconds = pool.ready > 0 ? pool.oldestSeconds : 0;
    row.isPaused = pool.isPaused;
    row.rate = pool.rate;
    row.atOnce = static_cast<int>(pool.concurrency);
    row.done = counterOf(pool, "done");
    row.retried = counterOf(pool, "retried");
    row.lost = counterOf(pool, "lost");
    for (const workers::WorkerView& each : pool.workers) {
        WorkerRow worker;
        worker.role = row.role;
        worker.name = text(each.name);
        worker.host = hostOf(worker.name);
        worker.busy = static_cast<int>(each.busy);
        worker.slots = static_cast<int>(each.slots);
        worker.done = each.done;
        worker.job = text(each.job);
        row.slots += worker.slots;
        row.workers.push_back(std::move(worker));
    }
    return row;
}

// "AOF each second". A user without the right to ask is told nothing.
QString persistenceOf(Redis& redis)
{
    const auto reply = redis.call({ "CONFIG", "GET", "append*" });
    if (!reply)
        return {};
    std::string isOn;
    std::string sync;
    for (std::size_t i = 0; i + 1 < reply->list.size(); i += 2) {
        if ((*reply)[i].text == "appendonly")
            isOn = (*reply)[i + 1].text;
        else if ((*reply)[i].text == "appendfsync")
            sync = (*reply)[i + 1].text;
    }
    if (isOn != "yes")
        return isOn.empty() ? QString() : PoolsClient::tr("kept in memory alone");
    return sync == "everysec" ? PoolsClient::tr("AOF each second")
                              : PoolsClient::tr("AOF %1").arg(text(sync));
}

Result<void> lookAt(Redis& redis, const std::string& ns, PoolsLook& look)
{
    workers::Pools pools(redis, ns);
    const auto roles = pools.roles();
    if (!roles)
        return roles.error();
    for (const std::string& role : *roles) {
        const auto pool = pools.look(role);
        if (!pool)
            return pool.error();
        look.pools.push_back(rowOf(*pool));
        look.deadInAll += pool->dead;
        if (pool->dead == 0)
            continue;
        const auto letters = workers::deadLetters(redis, { ns, role }, {}, kMostLetters);
        if (!letters)
            return letters.error();
        for (const workers::DeadLetter& letter : *letters)
            look.dead.push_back({ text(role), text(letter.job), text(letter.why),
                                  static_cast<int>(letter.attempts), static_cast<double>(letter.timeMs) });
    }
    std::ranges::stable_sort(look.dead, std::ranges::greater(), &DeadLetterRow::timeMs);
    return {};
}

PoolsLook lookOf(const QString& address)
{
    PoolsLook look;
    const auto queue = queueOf(address);
    if (!queue) {
        look.isConfigured = true;
        look.error = userError(queue.error());
        return look;
    }
    if (!*queue)
        return look;
    look.isConfigured = true;
    look.address = text((*queue)->address.shown());
    look.queue = text((*queue)->ns);
    Redis redis((*queue)->address, kPatience);
    if (const auto connected = redis.connect(); !connected) {
        look.error = userError(connected.error());
        return look;
    }
    const auto asked = std::chrono::steady_clock::now();
    static_cast<void>(redis.call({ "PING" }));
    look.latencyMs =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - asked).count();
    look.persistence = persistenceOf(redis);
    if (const auto seen = lookAt(redis, (*queue)->ns, look); !seen)
        look.error = userError(seen.error());
    look.timeMs =
        std::chrono::duration<double, std::milli>(std::chrono::system_clock::now().time_since_epoch())
            .count();
    return look;
}

// Describes the task for people. A parcel that another program made is shown as it is.
QString payloadWords(const std::string& parcel)
{
    if (parcel.empty())
        return {};
    if (parcel.front() == '#')
        return PoolsClient::tr("stored among the contents of artifacts: %1").arg(text(parcel.substr(1)));
    const auto message = workers::decodeTask(std::string_view(parcel).substr(1));
    if (!message)
        return QString::fromUtf8(parcel.data() + 1,
                                 static_cast<qsizetype>(std::min(parcel.size() - 1, kMostPayload)));
    const Value shown = Value::map({ { "node", message->info.node.value },
                                     { "thread", message->info.thread.value },
                                     { "step", message->info.step },
                                     { "run", message->info.run.value },
                                     { "input", message->input } });
    return text(toJson(shown, JsonStyle::Indented)).left(static_cast<qsizetype>(kMostPayload));
}

JobStoryRow storyOf(const QString& address, const QString& role, const QString& job)
{
    JobStoryRow row;
    row.role = role;
    row.job = job;
    const auto queue = namedQueue(address);
    if (!queue) {
        row.error = userError(queue.error());
        return row;
    }
    Redis redis(queue->address, kPatience);
    const auto story = workers::jobStory(redis, { queue->ns, utf8(role) }, utf8(job));
    if (!story) {
        row.error = userError(story.error());
        return row;
    }
    row.state = story->state;
    row.attempts = static_cast<int>(story->attempts);
    row.most = static_cast<int>(story->most);
    row.partition = text(story->partition);
    row.payload = payloadWords(story->payload);
    row.payloadBytes = static_cast<qint64>(story->payload.size());
    row.isWhole = story->isWhole;
    for (const workers::StoryLine& line : story->lines)
        row.lines.push_back({ static_cast<double>(line.timeMs), line.kind, text(line.worker), text(line.text),
                              static_cast<int>(line.attempt), static_cast<double>(line.waitMs) / 1000 });
    return row;
}

// Names the first letter that somebody else was faster with.
Result<void> allDone(const Result<std::vector<bool>>& done, const std::string& role, const QStringList& jobs)
{
    if (!done)
        return done.error();
    const auto missed = std::ranges::find(*done, false);
    if (missed == done->end())
        return {};
    const QString& job = jobs[static_cast<int>(missed - done->begin())];
    return Error{ Errc::NotFound, "role " + role + " has no dead letter " + utf8(job) + " any more" };
}

Result<void> changed(const QString& address, const PoolChange& change)
{
    const auto queue = namedQueue(address);
    if (!queue)
        return queue.error();
    Redis redis(queue->address, kPatience);
    workers::Pools pools(redis, queue->ns);
    const std::string role = utf8(change.role);
    if (change.paused >= 0)
        if (auto done = pools.pause(role, change.paused == 1, actor()); !done)
            return done;
    workers::PoolLimits limits;
    if (change.rate >= 0)
        limits.rate = change.rate;
    if (change.atOnce >= 0)
        limits.concurrency = change.atOnce;
    if (limits.rate || limits.concurrency)
        if (auto done = pools.limit(role, limits, actor()); !done)
            return done;
    workers::RoleQueue roleQueue(redis, { queue->ns, role });
    std::vector<std::string> requeued;
    for (const QString& job : change.requeued)
        requeued.push_back(utf8(job));
    if (auto done = allDone(roleQueue.requeue(requeued, actor()), role, change.requeued); !done)
        return done;
    std::vector<workers::RoleQueue::Dead> discarded;
    for (const QString& job : change.discarded)
        discarded.push_back({ utf8(job) });
    return allDone(roleQueue.discard(discarded, actor()), role, change.discarded);
}

} // namespace

void PoolsClient::load()
{
    // A page that is looked at asks each second: nothing waits for that.
    access().run(
        this, slow(), [address = m_address] { return lookOf(address); },
        [this](const PoolsLook& look) { Q_EMIT loaded(look); }, 0);
}

void PoolsClient::loadStory(const QString& role, const QString& job)
{
    askOutside(
        slow(), [address = m_address, role, job] { return storyOf(address, role, job); },
        [this](const JobStoryRow& story) { Q_EMIT storyLoaded(story); });
}

void PoolsClient::change(const PoolChange& change)
{
    askOutside(
        slow(),
        [address = m_address, change] {
            const auto done = ui::changed(address, change);
            return done ? UserError() : userError(done.error());
        },
        [this, change](const UserError& error) { Q_EMIT changed(change, error); });
}

} // namespace sg::ui
