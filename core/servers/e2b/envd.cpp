#include "core/servers/e2b/envd.h"

#include "core/base/hash.h"
#include "core/base/hmac.h"
#include "core/base/json.h"
#include "core/servers/e2b/file_transfer.h"
#include "core/servers/e2b/wire.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <utility>

namespace sg::servers::e2b {
namespace {

using net::HttpExchange;
using std::chrono::steady_clock;

constexpr std::chrono::seconds kSilence{ 90 };
constexpr std::int64_t kGraceMs =
    200; // for the client to learn that the time is over before the command ends
constexpr std::size_t kMostWatchers = 500;
constexpr std::string_view kProcess = "/process.Process/";
constexpr std::string_view kFiles = "/filesystem.Filesystem/";

std::int64_t numberIn(const net::HttpHead& head, std::string_view name, std::int64_t fallback)
{
    const std::string text = headerOf(head, name);
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failed == std::errc() && number > 0 ? number : fallback;
}

// Adds which process a request means.
ValueMap about(const char* op, const Value& asked)
{
    ValueMap made{ { "op", op } };
    for (const char* key : { "pid", "tag" })
        if (const Value* found = asked["process"].find(key))
            made.set(key, *found);
    return made;
}

Value event(const char* kind, Value content)
{
    return Value::map({ { "event", Value::map({ { kind, std::move(content) } }) } });
}

Value eventOf(const Value& said)
{
    const std::string ev = said.stringOr("ev", "");
    if (ev == "start")
        return event("start", Value::map({ { "pid", said["pid"] } }));
    if (ev == "data")
        return event("data",
                     Value::map({ { said.stringOr("stream", "stdout"),
                                    said["data"].isBytes() ? toBase64(said["data"].asBytes()) : "" } }));
    ValueMap end{ { "exitCode", said["code"] },
                  { "exited", said.boolOr("exited", false) },
                  { "status", said.stringOr("status", "") } };
    if (!said.boolOr("exited", false))
        end.set("error", said.stringOr("status", ""));
    return event("end", Value(std::move(end)));
}

ValueMap startOf(const Value& asked)
{
    const Value& process = asked["process"];
    ValueMap made{ { "op", "start" },
                   { "cmd", process["cmd"] },
                   { "args", process["args"].isList() ? process["args"] : Value(ValueList{}) },
                   { "envs", process["envs"].isMap() ? process["envs"] : Value(ValueMap{}) },
                   { "cwd", process.stringOr("cwd", "") },
                   { "stdin", asked.boolOr("stdin", true) } };
    if (asked["pty"].isMap())
        made.set("pty", asked["pty"]["size"].isMap() ? asked["pty"]["size"] : Value(ValueMap{}));
    if (asked["tag"].isString())
        made.set("tag", asked["tag"]);
    return made;
}

// Passes a process's events on until it ends. The client may go away: the process goes on.
void follow(HttpExchange& exchange, RpcStream& stream, AgentLink& agent, ValueMap request, bool isOwn)
{
    const std::int64_t time = numberIn(exchange.head(), "connect-timeout-ms", 0);
    if (isOwn && time > 0) // its time counts when nobody listens any more, too
        request.set("time_ms", time + kGraceMs);
    auto call = agent.begin(std::move(request));
    if (!call)
        return stream.end(&call.error());
    const auto silence =
        std::chrono::seconds(numberIn(exchange.head(), "keepalive-ping-interval", kSilence.count()));
    const SteadyTime end = time > 0 ? steady_clock::now() + Millis(time) : SteadyTime::max();
    bool isFirst = true; // clients want it before anything else
    while (true) {
        auto said = std::exchange(isFirst, false)
            ? call->nextSoon(exchange.gone())
            : call->next(exchange.gone(), std::min(end, steady_clock::now() + silence));
        if (!said && said.error().code == Errc::Timeout) {
            if (steady_clock::now() < end) {
                if (!stream.send(event("keepalive", Value(ValueMap{}))))
                    return;
                continue;
            }
            const Error late{ Errc::Timeout, "the command has not ended in its time" };
            return stream.end(&late);
        }
        if (!said)
            return stream.end(&said.error());
        const std::string ev = said->stringOr("ev", "");
        if (!stream.send(eventOf(*said)))
            return;
        if (ev == "end")
            return stream.end();
    }
}

void takeInput(HttpExchange& exchange, RpcStream& stream, AgentLink& agent)
{
    Value process;
    while (true) {
        auto message = stream.read();
        if (!message)
            return stream.end(&message.error());
        if (message->isNull())
            break;
        if (const Value* start = message->find("start"))
            process = *start;
        const Value& input = (*message)["data"]["input"];
        if (!input.isMap())
            continue;
        ValueMap request = about("input", process);
        request.set("data", Bytes{ net::fromBase64(input.stringOr("stdin", input.stringOr("pty", ""))) });
        if (auto done = agent.ask(std::move(request), exchange.gone()); !done)
            return stream.end(&done.error());
    }
    if (stream.send(Value(ValueMap{})))
        stream.end();
}

void watchFolder(HttpExchange& exchange, RpcStream& stream, AgentLink& agent, const Value& asked)
{
    auto call = agent.begin({ { "op", "watch" },
                              { "path", asked.stringOr("path", "") },
                              { "recursive", asked.boolOr("recursive", false) } });
    while (call) {
        auto said = call->next(exchange.gone(), steady_clock::now() + kSilence);
        if (!said && said.error().code == Errc::Timeout) {
            if (!stream.send(Value::map({ { "keepalive", Value(ValueMap{}) } })))
                return;
            continue;
        }
        if (!said)
            return stream.end(&said.error());
        if (said->stringOr("ev", "") == "done")
            return stream.end();
        const bool isStart = said->stringOr("ev", "") == "watching";
        if (!stream.send(isStart ? Value::map({ { "start", Value(ValueMap{}) } })
                                 : Value::map({ { "filesystem", changeOf(*said) } })))
            return;
    }
    stream.end(&call.error());
}

} // namespace

std::string Envd::signature(const net::HttpHead& head, const std::string& token)
{
    std::string text = net::queryField(head.target, "path").value_or("") + ":"
        + (head.method == "GET" ? "read" : "write") + ":"
        + net::queryField(head.target, "username").value_or("") + ":" + token;
    if (const auto until = net::queryField(head.target, "signature_expiration"))
        text += ":" + *until;
    std::string digest;
    const std::string hex = sha256Hex(text);
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        digest += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    std::string made = toBase64(digest);
    while (made.ends_with('='))
        made.pop_back();
    return "v1_" + made;
}

void Envd::answer(HttpExchange& exchange, const std::string& path, Sandbox& sandbox)
{
    if (path == "/health")
        return exchange.answer(net::textAnswer(204, {}));
    if (path == "/metrics")
        return metrics(exchange, sandbox);
    if (path == "/envs")
        return exchange.answer(net::jsonAnswer(200, sandbox.environment));
    auto agent = sandbox.reach();
    if (path == "/files") {
        if (!agent)
            return exchange.answer(failure(statusOf(agent.error().code), agent.error().message));
        return exchange.head().method == "GET" ? sendFile(exchange, **agent) : takeFiles(exchange, **agent);
    }
    if (!path.starts_with(kProcess) && !path.starts_with(kFiles))
        return exchange.answer(failure(404, "There is nothing here."));
    const std::string method = path.substr(path.rfind('/') + 1);
    if (headerOf(exchange.head(), "content-type").starts_with("application/connect+json")) {
        RpcStream stream(exchange);
        if (!agent)
            return stream.end(&agent.error());
        if (method == "StreamInput")
            return takeInput(exchange, stream, **agent);
        auto asked = stream.read();
        if (!asked || asked->isNull()) {
            const Error none{ Errc::InvalidArgument, "a stream begins with a message" };
            return stream.end(asked ? &none : &asked.error());
        }
        if (method == "Start")
            return follow(exchange, stream, **agent, startOf(*asked), true);
        if (method == "Connect")
            return follow(exchange, stream, **agent, about("connect", *asked), false);
        if (method == "WatchDir")
            return watchFolder(exchange, stream, **agent, *asked);
        const Error none{ Errc::Unsupported, method + " is no stream of this server" };
        return stream.end(&none);
    }
    const auto asked = readObject(exchange);
    if (!asked)
        return;
    if (!agent)
        return rpcFailure(exchange, agent.error());
    const Reply reply = method.find("Watcher") != std::string::npos
        ? watcher(method, *asked, sandbox, **agent, exchange.gone())
        : unary(method, *asked, sandbox, **agent, exchange.gone());
    if (reply)
        rpcAnswer(exchange, *reply);
    else
        rpcFailure(exchange, reply.error());
}

Envd::Reply Envd::unary(const std::string& method, const Value& asked, Sandbox& /*sandbox*/, AgentLink& agent,
                        const std::stop_token& stop)
{
    const auto done = [&](ValueMap request) -> Reply {
        auto said = agent.ask(std::move(request), stop);
        return said ? Reply(Value(ValueMap{})) : std::move(said);
    };
    const auto entry = [&](ValueMap request) -> Reply {
        auto said = agent.ask(std::move(request), stop);
        return said ? Reply(Value::map({ { "entry", (*said)["entry"] } })) : std::move(said);
    };
    const std::string path = asked.stringOr("path", "");
    if (method == "Stat")
        return entry({ { "op", "stat" }, { "path", path } });
    if (method == "MakeDir")
        return entry({ { "op", "make_dir" }, { "path", path } });
    if (method == "Move")
        return entry({ { "op", "move" },
                       { "source", asked.stringOr("source", "") },
                       { "destination", asked.stringOr("destination", "") } });
    if (method == "Remove")
        return done({ { "op", "remove" }, { "path", path } });
    if (method == "ListDir") {
        auto said =
            agent.ask({ { "op", "list_dir" }, { "path", path }, { "depth", asked.intOr("depth", 1) } }, stop);
        return said ? Reply(Value::map({ { "entries", (*said)["entries"] } })) : std::move(said);
    }
    if (method == "List") {
        auto said = agent.ask({ { "op", "list" } }, stop);
        return said ? Reply(Value::map({ { "processes", (*said)["processes"] } })) : std::move(said);
    }
    if (method == "SendInput") {
        ValueMap request = about("input", asked);
        const Value& input = asked["input"];
        request.set("data", Bytes{ net::fromBase64(input.stringOr("stdin", input.stringOr("pty", ""))) });
        return done(std::move(request));
    }
    if (method == "CloseStdin")
        return done(about("close_input", asked));
    if (method == "SendSignal") {
        ValueMap request = about("signal", asked);
        request.set("signal", asked.stringOr("signal", "") == "SIGNAL_SIGTERM" ? SIGTERM : SIGKILL);
        return done(std::move(request));
    }
    if (method == "Update") {
        ValueMap request = about("resize", asked);
        request.set("size", asked["pty"]["size"].isMap() ? asked["pty"]["size"] : Value(ValueMap{}));
        return done(std::move(request));
    }
    return Error{ Errc::Unsupported, method + " is not offered by this server" };
}

Envd::Reply Envd::watcher(const std::string& method, const Value& asked, Sandbox& sandbox, AgentLink& agent,
                          const std::stop_token& stop)
{
    const std::string id = asked.stringOr("watcherId", "");
    if (method == "CreateWatcher") {
        auto call = agent.begin({ { "op", "watch" },
                                  { "path", asked.stringOr("path", "") },
                                  { "recursive", asked.boolOr("recursive", false) } });
        if (!call)
            return std::move(call.error());
        if (auto started = call->nextSoon(stop); !started)
            return started;
        auto link = sandbox.reach();
        if (!link)
            return std::move(link.error());
        const std::string made = randomHex(8);
        auto watcher = std::make_shared<Watcher>(Watcher{ sandbox.id, std::move(*link), std::move(*call) });
        const std::lock_guard lock(m_mutex);
        std::erase_if(m_watchers, [](const auto& each) { return each.second->agent->isOver(); });
        if (m_watchers.size() >= kMostWatchers)
            return Error{ Errc::LimitExceeded, "there are too many watchers on this server" };
        m_watchers.emplace(made, std::move(watcher));
        return Value::map({ { "watcherId", made } });
    }
    std::shared_ptr<Watcher> watcher;
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_watchers.find(id);
        if (found == m_watchers.end() || found->second->sandbox != sandbox.id)
            return Error{ Errc::NotFound, "there is no such watcher" };
        watcher = found->second;
        if (method == "RemoveWatcher")
            m_watchers.erase(found);
    }
    if (method == "RemoveWatcher")
        return Value(ValueMap{});
    ValueList events;
    while (true) {
        auto said = watcher->call.next(stop, steady_clock::now());
        if (!said && said.error().code == Errc::Timeout)
            break;
        if (!said)
            return said;
        if (said->stringOr("ev", "") == "change")
            events.push_back(changeOf(*said));
        else
            break;
    }
    return Value::map({ { "events", std::move(events) } });
}

Value metricsOf(Sandbox& sandbox, WallTime now)
{
    const auto sample = sandbox.session->sample();
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
    const auto cpus = std::max<std::int64_t>(1, static_cast<std::int64_t>(sandbox.limits.cpus));
    return Value::map(
        { { "timestamp", isoTime(now) },
          { "timestampUnix", static_cast<std::int64_t>(seconds) },
          { "cpuCount", cpus },
          { "cpuUsedPct", sample ? sample->cpuPercent / static_cast<double>(cpus) : 0.0 }, // of all
          { "memUsed", sample ? sample->memoryBytes : std::int64_t{ 0 } },
          { "memTotal", sandbox.limits.memoryBytes },
          { "memCache", 0 },
          { "diskUsed", sample ? sample->diskBytes : std::int64_t{ 0 } },
          { "diskTotal", sandbox.diskBytes() } });
}

void Envd::metrics(HttpExchange& exchange, Sandbox& sandbox)
{
    const Value all = metricsOf(sandbox, std::chrono::system_clock::now());
    exchange.answer(net::jsonAnswer(200,
                                    Value::map({ { "ts", all["timestampUnix"] },
                                                 { "cpu_count", all["cpuCount"] },
                                                 { "cpu_used_pct", all["cpuUsedPct"] },
                                                 { "mem_total", all["memTotal"] },
                                                 { "mem_used", all["memUsed"] },
                                                 { "mem_cache", all["memCache"] },
                                                 { "disk_used", all["diskUsed"] },
                                                 { "disk_total", all["diskTotal"] } })));
}

} // namespace sg::servers::e2b
