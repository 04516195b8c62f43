#include "core/workers/pools.h"

#include "core/workers/queue_scripts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <set>

namespace sg::workers {
namespace {

using Fields = std::map<std::string, std::string>;

Fields fieldsOf(const RedisReply& reply)
{
    Fields fields;
    for (std::size_t i = 0; i + 1 < reply.list.size(); i += 2)
        fields[reply[i].text] = reply[i + 1].text;
    return fields;
}

std::int64_t numberOf(const Fields& fields, const std::string& key)
{
    const auto found = fields.find(key);
    std::int64_t number = 0;
    if (found != fields.end())
        std::from_chars(found->second.data(), found->second.data() + found->second.size(), number);
    return number;
}

double realOf(const Fields& fields, const std::string& key)
{
    const auto found = fields.find(key);
    double number = 0;
    if (found != fields.end())
        std::from_chars(found->second.data(), found->second.data() + found->second.size(), number);
    return number;
}

// "1764327573000-0" is an entry's id: when it was added, and a number.
std::int64_t timeOf(const std::string& entry)
{
    std::int64_t time = 0;
    std::from_chars(entry.data(), entry.data() + entry.size(), time);
    return time;
}

// The lag of the group "w" in what XINFO GROUPS says.
std::optional<std::int64_t> lagOf(const RedisReply& groups)
{
    for (const RedisReply& group : groups.list) {
        const std::vector<RedisReply>& words = group.list;
        const auto lag = std::ranges::find(words, std::string("lag"), &RedisReply::text);
        if (lag != words.end() && lag + 1 != words.end() && (lag + 1)->kind == RedisReply::Kind::Integer)
            return (lag + 1)->integer;
    }
    return std::nullopt;
}

// One entry tells of all jobs that a step handled: of each after what is true of all. The last comes first.
std::vector<PoolEvent> eventsOf(const RedisReply& entry, const std::string& role)
{
    PoolEvent common{ timeOf(entry[0].text), role, {} };
    std::vector<PoolEvent> events;
    for (std::size_t i = 0; i + 1 < entry[1].list.size(); i += 2) {
        const std::string& name = entry[1][i].text;
        if (name == "j")
            events.push_back(common);
        (events.empty() ? common : events.back()).fields.emplace_back(name, entry[1][i + 1].text);
    }
    if (events.empty())
        events.push_back(std::move(common));
    std::ranges::reverse(events);
    return events;
}

std::set<std::string> commandsOfWorkers()
{
    std::set<std::string> commands{ "+xreadgroup", "+hset", "+pexpire", "+sadd", "+del", "+rpush" };
    for (const RedisScript* script : scripts::all())
        for (const std::string& each : scripts::commandsOf(*script)) {
            std::string word = "+" + each;
            std::ranges::transform(word, word.begin(), [](char c) {
                return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
            });
            commands.insert(word == "+xgroup" ? "+xgroup|create" : word);
        }
    return commands;
}

std::string quoted(const std::string& word)
{
    return word.find_first_of(" >&~+@*{}'") == std::string::npos ? word : "'" + word + "'";
}

} // namespace

Result<std::vector<std::string>> Pools::roles()
{
    const std::string key = "sg:{" + m_ns + "}:roles";
    const auto reply = m_redis.call({ "SMEMBERS", key });
    if (!reply)
        return reply.error();
    std::vector<std::string> roles;
    for (const RedisReply& each : reply->list)
        if (isRoleName(each.text))
            roles.push_back(each.text);
    std::ranges::sort(roles);
    return roles;
}

Result<std::vector<WorkerView>> Pools::workers(const std::string& role)
{
    std::vector<WorkerView> found;
    const std::string start = prefix(role) + "wk:";
    // A namespace's braces are no pattern, and a role's name has no letters that are.
    const std::string pattern = start + "*";
    std::string cursor = "0";
    do {
        const auto reply = m_redis.call({ "SCAN", cursor, "MATCH", pattern, "COUNT", "1000" });
        if (!reply)
            return reply.error();
        cursor = (*reply)[0].text;
        for (const RedisReply& key : (*reply)[1].list) {
            const auto fields = m_redis.call({ "HGETALL", key.text });
            if (!fields)
                return fields.error();
            const Fields all = fieldsOf(*fields);
            WorkerView view{ key.text.substr(start.size()),
                             numberOf(all, "busy"),
                             numberOf(all, "slots"),
                             numberOf(all, "done"),
                             {} };
            if (const auto job = all.find("job"); job != all.end())
                view.job = job->second;
            found.push_back(std::move(view));
        }
    } while (cursor != "0");
    std::ranges::sort(found, {}, &WorkerView::name);
    return found;
}

Result<PoolView> Pools::look(const std::string& role)
{
    const std::string p = prefix(role);
    const std::array<std::string, 3> streams{ p + "hi", p + "q", p + "lo" };
    const std::string delayed = p + "z";
    const std::string running = p + "run";
    const std::string dead = p + "dead";
    const std::string control = p + "ctl";
    const std::string counters = p + "stat";
    const auto replies = m_redis.callAll({
        { "XLEN", streams[0] },
        { "XLEN", streams[1] },
        { "XLEN", streams[2] },
        { "ZCARD", delayed },
        { "ZCARD", running },
        { "XLEN", dead },
        { "HGETALL", control },
        { "HGETALL", counters },
        { "XRANGE", streams[0], "-", "+", "COUNT", "1" },
        { "XRANGE", streams[1], "-", "+", "COUNT", "1" },
        { "XRANGE", streams[2], "-", "+", "COUNT", "1" },
        { "XINFO", "GROUPS", streams[1] },
        { "TIME" },
    });
    if (!replies)
        return replies.error();
    const std::vector<RedisReply>& all = *replies;
    PoolView view;
    view.role = role;
    view.delayed = all[3].number();
    view.running = all[4].number();
    std::int64_t inStreams = all[0].number() + all[1].number() + all[2].number();
    view.dead = all[5].number();
    const Fields limits = fieldsOf(all[6]);
    view.isPaused = numberOf(limits, "paused") == 1;
    view.rate = realOf(limits, "rate");
    view.burst = realOf(limits, "burst");
    view.concurrency = numberOf(limits, "conc");
    for (const auto& [name, value] : fieldsOf(all[7]))
        if (name != "turn")
            view.counters[name] = RedisReply{ RedisReply::Kind::Text, 0, value, {} }.number();
    const std::int64_t now = all[12][0].number() * 1000;
    for (std::size_t i = 8; i <= 10; ++i)
        if (!all[i].list.empty())
            view.oldestSeconds =
                std::max(view.oldestSeconds, static_cast<double>(now - timeOf(all[i][0][0].text)) / 1000);
    view.lag = lagOf(all[11]);
    auto living = workers(role);
    if (!living)
        return std::move(living.error());
    view.workers = std::move(*living);
    for (const WorkerView& worker : view.workers) {
        const std::string own = p + "at:" + worker.name;
        const auto waiting = m_redis.call({ "XLEN", own });
        if (!waiting)
            return waiting.error();
        inStreams += waiting->number();
    }
    view.ready = inStreams; // an entry leaves its stream when its job starts
    return view;
}

Result<std::map<std::string, std::string>> Pools::job(const std::string& role, const std::string& job)
{
    const std::string key = prefix(role) + "job:" + job;
    const auto reply = m_redis.call({ "HGETALL", key });
    if (!reply)
        return reply.error();
    if (reply->list.empty())
        return Error{ Errc::NotFound,
                      "role " + role + " has no job " + job
                          + ": it was never added, or ended more than seven days ago" };
    return fieldsOf(*reply);
}

Result<std::vector<PoolEvent>> Pools::audit(const std::string& role, std::int64_t most)
{
    // An answer of the whole audit would hold up the server and its other clients.
    constexpr std::int64_t kPage = 1000;
    const std::string key = prefix(role) + "audit";
    const std::string count = std::to_string(std::min(most, kPage));
    std::vector<PoolEvent> events;
    for (std::string to = "+"; !to.empty() && static_cast<std::int64_t>(events.size()) < most;) {
        const auto reply = m_redis.call({ "XREVRANGE", key, to, "-", "COUNT", count });
        if (!reply)
            return reply.error();
        for (const RedisReply& entry : reply->list)
            std::ranges::move(eventsOf(entry, role), std::back_inserter(events));
        to = reply->list.empty() ? std::string() : "(" + reply->list.back()[0].text;
    }
    if (events.size() > static_cast<std::size_t>(most))
        events.resize(static_cast<std::size_t>(most));
    return events;
}

Result<void> Pools::note(const std::string& role, const std::string& what, const std::string& actor)
{
    const std::string key = prefix(role) + "audit";
    const auto noted = m_redis.call({ "XADD", key, "MAXLEN", "~", "100000", "*", "e", what, "by", actor });
    return noted ? Result<void>() : noted.error();
}

Result<void> Pools::pause(const std::string& role, bool isPaused, const std::string& actor)
{
    const std::string key = prefix(role) + "ctl";
    if (const auto set = m_redis.call({ "HSET", key, "paused", isPaused ? "1" : "0" }); !set)
        return set.error();
    return note(role, isPaused ? "pause" : "go on", actor);
}

Result<void> Pools::limit(const std::string& role, const PoolLimits& limits, const std::string& actor)
{
    const std::string key = prefix(role) + "ctl";
    std::string what = "limit";
    const auto set = [&](const char* field, const std::string& value) -> Result<void> {
        what += std::string(" ") + field + "=" + value;
        const auto done = m_redis.call({ "HSET", key, field, value });
        return done ? Result<void>() : done.error();
    };
    if (limits.rate)
        if (auto done = set("rate", std::to_string(*limits.rate)); !done)
            return done;
    if (limits.burst)
        if (auto done = set("burst", std::to_string(*limits.burst)); !done)
            return done;
    if (limits.concurrency)
        if (auto done = set("conc", std::to_string(*limits.concurrency)); !done)
            return done;
    return note(role, what, actor);
}

Result<std::string> Pools::acl(const std::string& role, const std::string& password)
{
    for (const RedisScript* script : scripts::all())
        if (const auto loaded = m_redis.call({ "SCRIPT", "LOAD", script->text }); !loaded)
            return loaded.error();
    const std::string user = "sandglass-" + m_ns + "-" + role;
    const std::string secret = password.empty() ? std::string() : ">" + password;
    const std::string keys = "~" + prefix(role) + "*";
    Redis::Words words{ "ACL", "SETUSER", user, "reset", "on" };
    if (!secret.empty())
        words.emplace_back(secret);
    words.emplace_back(keys);
    // No EVAL: it runs the scripts that are loaded. They obey its rules, so that it may what they call.
    words.insert(words.end(), { "-@all", "+ping", "+info", "+select", "+evalsha" });
    const std::set<std::string> commands = commandsOfWorkers();
    words.insert(words.end(), commands.begin(), commands.end());
    std::string command;
    for (const std::string_view word : words)
        command += (command.empty() ? "" : " ")
            + (word.starts_with('>') ? std::string(">PASSWORD") : quoted(std::string(word)));
    if (password.empty())
        return command;
    if (const auto made = m_redis.call(words); !made)
        return made.error();
    return command;
}

} // namespace sg::workers
