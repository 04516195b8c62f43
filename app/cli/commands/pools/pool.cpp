#include "app/cli/commands/commands.h"
#include "app/cli/commands/pools/open_pools.h"
#include "app/cli/commands/pools/pool_bridge.h"
#include "app/cli/commands/pools/pool_dead.h"
#include "app/cli/commands/pools/pool_scale.h"
#include "app/cli/queue_option.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/random_bytes.h"
#include "core/workers/job_story.h"
#include "core/workers/pools.h"

#include <array>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace sg::cli {
namespace {

using workers::PoolView;

struct Arguments {
    QueueOption queue;
    std::string role;
    std::string job;
    std::int64_t last = 50;
    bool off = false;
    bool make = false;
    workers::PoolLimits limits;
};

std::string seconds(double time)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f s", time);
    return text.data();
}

Value valueOf(const workers::WorkerView& worker)
{
    return Value::map({ { "worker", worker.name },
                        { "busy", worker.busy },
                        { "slots", worker.slots },
                        { "done", worker.done },
                        { "job", worker.job } });
}

Value valueOf(const PoolView& pool)
{
    ValueMap counters;
    for (const auto& [name, number] : pool.counters)
        counters.set(name, number);
    ValueList workers;
    for (const workers::WorkerView& worker : pool.workers)
        workers.push_back(valueOf(worker));
    return Value::map({ { "role", pool.role },
                        { "ready", pool.ready },
                        { "delayed", pool.delayed },
                        { "running", pool.running },
                        { "dead", pool.dead },
                        { "oldest_seconds", pool.oldestSeconds },
                        { "lag", pool.lag ? Value(*pool.lag) : Value() },
                        { "paused", pool.isPaused },
                        { "rate", pool.rate },
                        { "burst", pool.burst },
                        { "at_once", pool.concurrency },
                        { "counters", std::move(counters) },
                        { "workers", std::move(workers) } });
}

std::string lineOf(const PoolView& pool)
{
    return padded(pool.role, 16) + padded(std::to_string(pool.ready), 9)
        + padded(std::to_string(pool.running), 9) + padded(std::to_string(pool.delayed), 9)
        + padded(std::to_string(pool.dead), 7) + padded(std::to_string(pool.workers.size()), 9)
        + padded(seconds(pool.oldestSeconds), 10) + (pool.isPaused ? "paused" : "");
}

void printPool(const PoolView& pool, const Output& out)
{
    out.text(padded("role", 16) + padded("waiting", 9) + padded("running", 9) + padded("later", 9)
             + padded("dead", 7) + padded("workers", 9) + "oldest");
    out.text(lineOf(pool));
    if (pool.rate > 0)
        out.text("at most " + toJson(Value(pool.rate)) + " tasks a second");
    if (pool.concurrency > 0)
        out.text("at most " + std::to_string(pool.concurrency) + " tasks at once");
    for (const auto& [name, number] : pool.counters)
        out.text("  " + padded(name, 12) + std::to_string(number));
    for (const workers::WorkerView& worker : pool.workers)
        out.text("  " + worker.name + ": " + std::to_string(worker.busy) + " of "
                 + std::to_string(worker.slots) + " busy, " + std::to_string(worker.done) + " done"
                 + (worker.job.empty() ? "" : ", at " + worker.job));
}

int list(const Arguments& /*arguments*/, workers::Pools& pools, const Output& out)
{
    const auto roles = pools.roles();
    if (!roles)
        return out.fail(roles.error());
    ValueList all;
    if (roles->empty())
        out.text("no role has had a task yet");
    else
        out.text(padded("role", 16) + padded("waiting", 9) + padded("running", 9) + padded("later", 9)
                 + padded("dead", 7) + padded("workers", 9) + "oldest");
    for (const std::string& role : *roles) {
        const auto pool = pools.look(role);
        if (!pool)
            return out.fail(pool.error());
        out.text(lineOf(*pool));
        all.push_back(valueOf(*pool));
    }
    if (out.json)
        out.document(Value::map({ { "pools", std::move(all) } }));
    return Done;
}

std::string lineOf(const workers::StoryLine& line)
{
    std::string text = timeText(line.timeMs) + "  " + std::string(nameOf(line.kind));
    if (line.attempt > 0)
        text += " " + std::to_string(line.attempt);
    if (!line.worker.empty())
        text += ", worker " + line.worker;
    if (line.waitMs > 0)
        text += " in " + seconds(static_cast<double>(line.waitMs) / 1000);
    return line.text.empty() ? text : text + ": " + line.text;
}

int showJob(const Arguments& arguments, OpenedPools& opened, const Output& out)
{
    const auto job = opened.pools.job(arguments.role, arguments.job);
    if (!job)
        return out.fail(job.error());
    const auto story = workers::jobStory(opened.redis, { opened.queue.ns, arguments.role }, arguments.job);
    if (!story)
        return out.fail(story.error());
    ValueMap shown;
    for (const auto& [name, value] : *job) {
        // The payload and the result may hold anything that the graph's state holds.
        const bool isLarge = name == "p" || name == "r";
        shown.set(isLarge ? name + "_bytes" : name,
                  isLarge ? Value(static_cast<std::int64_t>(value.size())) : Value(value));
    }
    for (const auto& [name, value] : shown)
        out.text(padded(name.asString(), 10)
                 + (value.isString() ? value.asString() : std::to_string(value.asInt())));
    ValueList lines;
    for (const workers::StoryLine& line : story->lines) {
        out.text(lineOf(line));
        lines.push_back(Value::map({ { "time", timeText(line.timeMs) },
                                     { "event", std::string(nameOf(line.kind)) },
                                     { "worker", line.worker },
                                     { "attempt", line.attempt },
                                     { "wait_ms", line.waitMs },
                                     { "text", line.text } }));
    }
    if (!story->isWhole)
        out.text("what happened before is not in the role's audit any more");
    shown.set("story", std::move(lines));
    shown.set("story_is_whole", story->isWhole);
    if (out.json)
        out.document(Value(shown));
    return Done;
}

int show(const Arguments& arguments, OpenedPools& opened, const Output& out)
{
    if (!arguments.job.empty())
        return showJob(arguments, opened, out);
    const auto pool = opened.pools.look(arguments.role);
    if (!pool)
        return out.fail(pool.error());
    if (out.json)
        out.document(valueOf(*pool));
    printPool(*pool, out);
    return Done;
}

int pause(const Arguments& arguments, workers::Pools& pools, const Output& out)
{
    if (auto done = pools.pause(arguments.role, !arguments.off, poolActor()); !done)
        return out.fail(done.error());
    if (out.json)
        out.document(Value::map({ { "role", arguments.role }, { "paused", !arguments.off } }));
    out.text("role " + arguments.role
             + (arguments.off ? " goes on"
                              : " is paused: tasks under way end, others wait. pool pause --off ends it"));
    return Done;
}

int limit(const Arguments& arguments, OpenedPools& opened, const Output& out)
{
    if (!arguments.limits.rate && !arguments.limits.burst && !arguments.limits.concurrency)
        return out.fail(Usage, "which limit? --rate, --burst or --at-once; 0: none");
    if (auto done = opened.pools.limit(arguments.role, arguments.limits, poolActor()); !done)
        return out.fail(done.error());
    return show(arguments, opened, out);
}

int audit(const Arguments& arguments, workers::Pools& pools, const Output& out)
{
    auto events = pools.audit(arguments.role, arguments.last + 1); // one more tells whether there are more
    if (!events)
        return out.fail(events.error());
    const bool isCut = static_cast<std::int64_t>(events->size()) > arguments.last;
    if (isCut)
        events->resize(static_cast<std::size_t>(arguments.last));
    ValueList all;
    for (const workers::PoolEvent& event : *events) {
        ValueMap row{ { "time", timeText(event.timeMs) }, { "role", event.role } };
        std::string text = timeText(event.timeMs);
        for (const auto& [name, value] : event.fields) {
            row.set(name == "e" ? "event" : name == "j" ? "job" : name == "w" ? "worker" : name, value);
            text += "  " + value;
        }
        all.push_back(Value(std::move(row)));
        out.text(text);
    }
    if (isCut)
        out.text("These are the newest " + std::to_string(arguments.last)
                 + ", and there are more; --last N shows more.");
    if (out.json)
        out.document(Value::map({ { "audit", std::move(all) }, { "more", isCut } }));
    return Done;
}

int acl(const Arguments& arguments, OpenedPools& opened, const Output& out)
{
    std::string password;
    if (arguments.make) {
        std::array<char, 24> chance{};
        fillRandomBytes(chance.data(), chance.size());
        password = toHex({ chance.data(), chance.size() });
    }
    const auto command = opened.pools.acl(arguments.role, password);
    if (!command)
        return out.fail(command.error());
    const std::string user = "sandglass-" + opened.queue.ns + "-" + arguments.role;
    if (out.json)
        out.document(Value::map({ { "user", user },
                                  { "command", *command },
                                  { "password", password.empty() ? Value() : Value(password) } }));
    if (password.empty())
        out.text(*command + "\n\nThis makes a user for the workers of role " + arguments.role
                 + ", who reaches its keys alone. Add >PASSWORD, or let --make do it.");
    else
        out.text("made user " + user + " with password " + password
                 + "\nIts workers are given SANDGLASS_QUEUE=redis://" + user
                 + ":PASSWORD@HOST:PORT/0. Redis forgets users at its end: ACL SAVE keeps them.");
    return Done;
}

using Work = std::function<int(const Arguments&, OpenedPools&, const Output&)>;

Work simple(int (*work)(const Arguments&, workers::Pools&, const Output&))
{
    return [work](const Arguments& arguments, OpenedPools& opened, const Output& out) {
        return work(arguments, opened.pools, out);
    };
}

Verb addPart(const Verb& pool, const char* name, const char* help,
             const std::shared_ptr<Arguments>& arguments, Shell& shell, Work work)
{
    Verb verb = pool.add(name, help);
    if (std::string(name) != "list")
        verb.option("ROLE", arguments->role, "the role").required();
    arguments->queue.add(verb);
    verb.onRun([arguments, &shell, work = std::move(work)] {
        const auto opened = openPools(arguments->queue, arguments->role);
        shell.exit = opened ? work(*arguments, **opened, shell.out) : shell.out.fail(opened.error());
    });
    return verb;
}

void addSteering(const Verb& pool, Shell& shell)
{
    const auto paused = std::make_shared<Arguments>();
    addPart(pool, "pause", "let a role's workers take no more tasks", paused, shell, simple(pause))
        .flag("--off", paused->off, "let them go on");
    const auto limited = std::make_shared<Arguments>();
    Verb limits =
        addPart(pool, "limit", "change a role's rates, also while its workers run", limited, shell, limit);
    limits.option("--rate", limited->limits.rate, "tasks a second; 0: no limit").within(0.0, 1e6);
    limits.option("--burst", limited->limits.burst, "tasks that may start at once after a rest")
        .within(0.0, 1e6);
    limits.option("--at-once", limited->limits.concurrency, "tasks at once, of all workers; 0: no limit");
    const auto user = std::make_shared<Arguments>();
    addPart(pool, "acl", "a user of Redis for a role's workers, who reaches its keys alone", user, shell, acl)
        .flag("--make", user->make, "make the user, with a new password");
}

} // namespace

void addPool(Verb app, Shell& shell)
{
    Verb pool = app.add("pool", "see and steer the pools of workers behind roles");
    pool.needsVerb();
    addPart(pool, "list", "the roles: what waits, runs and is dead, and who works",
            std::make_shared<Arguments>(), shell, simple(list));
    const auto shown = std::make_shared<Arguments>();
    addPart(pool, "show", "one role's pool, or with --job a job's whole story", shown, shell, show)
        .option("--job", shown->job, "the job, as pool dead and pool audit list it");
    addPoolDead(pool, shell);
    addSteering(pool, shell);
    addPoolScale(pool, shell);
    addPoolBridge(pool, shell);
    const auto events = std::make_shared<Arguments>();
    addPart(pool, "audit", "what happened to a role's tasks, newest first", events, shell, simple(audit))
        .option("--last", events->last, "the newest ones (default 50)")
        .within(std::int64_t{ 1 }, std::int64_t{ 1'000'000'000 });
}

} // namespace sg::cli
