#include "core/servers/e2b/control_plane.h"

#include "core/servers/e2b/envd.h"
#include "core/servers/e2b/wire.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace sg::servers::e2b {
namespace {

using net::HttpExchange;

constexpr const char* kEnvdVersion = "0.5.7"; // what this server's files and commands can do
constexpr const char* kKruiseEnvdVersion = "0.2.10"; // which OpenKruise tells of every sandbox
constexpr std::int64_t kUsualRefresh = 60;
constexpr std::size_t kMostListed = 100;

Value sandboxValue(const Sandbox& sandbox, const std::string& domain, bool isLikeKruise)
{
    return Value::map({ { "templateID", sandbox.templateId },
                        { "sandboxID", sandbox.id },
                        { "clientID", isLikeKruise ? "" : "sandglass" },
                        { "envdVersion", isLikeKruise ? kKruiseEnvdVersion : kEnvdVersion },
                        { "envdAccessToken", sandbox.token },
                        { "trafficAccessToken", sandbox.trafficToken },
                        { "domain", domain } });
}

Value detailOf(Sandbox& sandbox, bool hasToken, bool isLikeKruise)
{
    WallTime end;
    bool isPaused = false;
    {
        const std::lock_guard lock(sandbox.mutex);
        end = sandbox.endAt;
        isPaused = sandbox.isPaused;
    }
    ValueMap made{
        { "templateID", sandbox.templateId },
        { "alias", sandbox.templateId },
        { "sandboxID", sandbox.id },
        { "clientID", "sandglass" },
        { "startedAt", isoTime(sandbox.startedAt) },
        { "endAt", isoTime(end) },
        { "cpuCount", std::max<std::int64_t>(1, static_cast<std::int64_t>(sandbox.limits.cpus)) },
        { "memoryMB", sandbox.limits.memoryBytes >> 20 },
        { "diskSizeMB", sandbox.diskBytes() >> 20 },
        { "state", isPaused ? "paused" : "running" },
        { "envdVersion", isLikeKruise ? kKruiseEnvdVersion : kEnvdVersion },
        { "metadata", sandbox.metadata },
        { "lifecycle",
          Value::map({ { "onTimeout", sandbox.pausesAtEnd ? "pause" : "kill" }, { "autoResume", false } }) }
    };
    if (hasToken)
        made.set("envdAccessToken", sandbox.token);
    return Value(std::move(made));
}

// The SDK encodes the filter three times: the query's value is a form whose keys and values are encoded
// again.
Result<ValueMap> filterOf(std::string_view target)
{
    ValueMap wanted;
    const auto form = net::queryField(target, "metadata");
    for (std::string_view rest = form ? std::string_view(*form) : std::string_view(); !rest.empty();) {
        const std::size_t end = std::min(rest.find('&'), rest.size());
        const std::string_view part = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const std::size_t equal = std::min(part.find('='), part.size());
        std::string key;
        std::string value;
        std::string once;
        if (!net::percentDecoded(part.substr(0, equal), once, true) || !net::percentDecoded(once, key)
            || !net::percentDecoded(part.substr(std::min(equal + 1, part.size())), once, true)
            || !net::percentDecoded(once, value))
            return Error{ Errc::InvalidArgument, "metadata is not encoded as it should be" };
        wanted.set(key, value);
    }
    return wanted;
}

bool matches(const Sandbox& sandbox, const ValueMap& wanted)
{
    return std::ranges::all_of(wanted, [&](const auto& each) {
        const Value* const has = sandbox.metadata.find(each.first.asString());
        return has != nullptr && *has == each.second;
    });
}

// Returns the mark of a page's end. It stays valid after that sandbox has ended.
std::string markOf(const Sandbox& sandbox)
{
    return std::to_string(sandbox.startedAt.time_since_epoch().count()) + '-' + sandbox.id;
}

bool isAfter(const Sandbox& sandbox, std::string_view mark, bool isAscending)
{
    const std::size_t dash = std::min(mark.find('-'), mark.size());
    WallTime::rep time = 0;
    if (std::from_chars(mark.data(), mark.data() + dash, time).ec != std::errc())
        return true;
    const WallTime::rep its = sandbox.startedAt.time_since_epoch().count();
    const std::string_view id = mark.substr(std::min(dash + 1, mark.size()));
    if (its == time)
        return isAscending ? sandbox.id < id : sandbox.id > id;
    return isAscending ? its > time : its < time;
}

std::int64_t numberOf(const std::optional<std::string>& text, std::int64_t fallback)
{
    std::int64_t number = 0;
    if (!text || std::from_chars(text->data(), text->data() + text->size(), number).ec != std::errc())
        return fallback;
    return number;
}

class Control {
public:
    Control(HttpExchange& exchange, const Client& client, Sandboxes& sandboxes, const ControlWorld& world)
        : m_exchange(exchange)
        , m_client(client)
        , m_sandboxes(sandboxes)
        , m_clock(world.clock)
        , m_domain(world.domain)
        , m_isLikeKruise(world.isLikeKruise)
    {
        std::string_view path = net::pathOf(exchange.head().target);
        for (const std::string_view prefix : { "/kruise/api", "/v2" })
            if (path.starts_with(prefix) && path.substr(prefix.size()).starts_with("/")) {
                path.remove_prefix(prefix.size());
                m_isV2 = prefix == "/v2";
            }
        while (!path.empty()) {
            path.remove_prefix(1);
            const std::size_t end = std::min(path.find('/'), path.size());
            m_parts.emplace_back(path.substr(0, end));
            path.remove_prefix(end);
        }
    }
    void run()
    {
        const std::string& method = m_exchange.head().method;
        if (m_parts.empty() || m_parts[0] != "sandboxes" || m_parts.size() > 3)
            return fail(404, "There is nothing here.");
        if (m_isLikeKruise && m_isV2 && method == "POST")
            return fail(404, "404 page not found");
        if (m_parts.size() == 1)
            return method == "POST" ? create()
                : method == "GET"   ? list()
                                    : fail(405, "GET and POST are answered here");
        const SandboxPtr sandbox = m_sandboxes.find(m_client.name, m_parts[1]);
        if (!sandbox) {
            const std::string why = m_sandboxes.whyGone(m_client.name, m_parts[1]);
            return fail(
                404, "Sandbox " + m_parts[1].substr(0, 100) + " not found" + (why.empty() ? "" : ": " + why));
        }
        if (m_parts.size() == 3)
            return act(sandbox, m_parts[2]);
        if (method == "GET")
            return m_exchange.answer(net::jsonAnswer(200, detailOf(*sandbox, true, m_isLikeKruise)));
        if (method == "DELETE") {
            if (auto killed = m_sandboxes.kill(sandbox); !killed)
                return fail(statusOf(killed.error().code), killed.error().message);
            return m_exchange.answer(net::textAnswer(204, {}));
        }
        fail(405, "GET and DELETE are answered here");
    }

private:
    void fail(int status, const std::string& why) { m_exchange.answer(failure(status, why)); }

    void create()
    {
        const auto wish = readObject(m_exchange);
        if (!wish)
            return;
        auto made = m_sandboxes.create(m_client.name, m_client.quota, *wish, m_exchange.gone());
        if (!made)
            return fail(made.error().code == Errc::LimitExceeded && m_isLikeKruise
                            ? 403
                            : statusOf(made.error().code),
                        made.error().message);
        m_exchange.answer(net::jsonAnswer(201, sandboxValue(**made, m_domain, m_isLikeKruise)));
    }

    void list()
    {
        const std::string_view target = m_exchange.head().target;
        const auto wanted = filterOf(target);
        if (!wanted)
            return fail(400, wanted.error().message);
        const std::string states = net::queryField(target, "state").value_or("running,paused");
        const auto limit = static_cast<std::size_t>(std::clamp<std::int64_t>(
            numberOf(net::queryField(target, "limit"), kMostListed), 1, kMostListed));
        const std::string after = net::queryField(target, "nextToken").value_or("");
        std::vector<SandboxPtr> all = m_sandboxes.ofClient(m_client.name);
        const bool isAscending = net::queryField(target, "order").value_or("desc") == "asc";
        if (isAscending)
            std::ranges::reverse(all);
        ValueList listed;
        std::string last;
        std::string next;
        for (const SandboxPtr& each : all) {
            if (!after.empty() && !isAfter(*each, after, isAscending))
                continue;
            const Value detail = detailOf(*each, false, m_isLikeKruise);
            if (!matches(*each, *wanted) || states.find(detail.stringOr("state", "")) == std::string::npos)
                continue;
            if (listed.size() == limit) {
                next = last;
                break;
            }
            listed.push_back(detail);
            last = markOf(*each);
        }
        m_exchange.answer(net::jsonAnswer(200, Value(std::move(listed)),
                                          next.empty() ? "" : "X-Next-Token: " + next + "\r\n"));
    }

    void act(const SandboxPtr& sandbox, const std::string& verb)
    {
        if (m_isLikeKruise && (verb == "metrics" || verb == "refreshes"))
            return fail(404, "404 page not found");
        if (verb == "metrics" && m_exchange.head().method == "GET")
            return m_exchange.answer(
                net::jsonAnswer(200, Value::list({ metricsOf(*sandbox, m_clock.now()) })));
        if (m_exchange.head().method != "POST")
            return fail(405, "POST is answered here");
        const auto asked = readObject(m_exchange);
        if (!asked)
            return;
        const bool isMore = verb == "refreshes";
        const Value given = (*asked)[isMore ? "duration" : "timeout"];
        const auto time =
            checkedTime(isMore && given.isNull() ? Value(kUsualRefresh) : given, m_client.quota.longest);
        if (!time)
            return fail(m_isLikeKruise && verb == "timeout" ? 500 : 400, time.error().message);
        if (verb == "timeout" || isMore) {
            m_sandboxes.setEnd(sandbox, *time, isMore);
            return m_exchange.answer(net::textAnswer(204, {}));
        }
        if (verb == "pause") {
            auto paused = m_sandboxes.pause(sandbox);
            return paused ? m_exchange.answer(net::textAnswer(204, {}))
                          : fail(statusOf(paused.error().code), paused.error().message);
        }
        if (verb == "connect" || verb == "resume") {
            auto resumed = m_sandboxes.resume(sandbox, *time);
            if (!resumed)
                return fail(statusOf(resumed.error().code), resumed.error().message);
            return m_exchange.answer(
                net::jsonAnswer(*resumed ? 201 : 200, sandboxValue(*sandbox, m_domain, m_isLikeKruise)));
        }
        fail(501, "This server does not know " + verb.substr(0, 40));
    }

    HttpExchange& m_exchange;
    const Client& m_client;
    Sandboxes& m_sandboxes;
    const Clock& m_clock;
    const std::string& m_domain;
    const bool m_isLikeKruise;
    bool m_isV2 = false;
    std::vector<std::string> m_parts;
};

} // namespace

void answerControl(HttpExchange& exchange, const Client& client, Sandboxes& sandboxes,
                   const ControlWorld& world)
{
    Control(exchange, client, sandboxes, world).run();
}

} // namespace sg::servers::e2b
