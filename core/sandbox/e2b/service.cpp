#include "core/sandbox/e2b/service.h"

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/printable.h"
#include "core/base/random_bytes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <thread>

namespace sg::sandbox::e2b {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr auto kControlTime = 15s;
constexpr auto kCreateTime = 60s; // it may wait for a pool to be filled
constexpr auto kMetricsTime = 5s;
constexpr auto kDataTime = 60s;
constexpr auto kConnectTime = 5s;
constexpr int kTries = 3;
constexpr auto kFirstPause = 100ms;
constexpr auto kLongestPause = 5s; // of those that the service asks for
constexpr std::size_t kMostAnswer = 8U << 20;
constexpr int kMostPages = 100;
constexpr std::size_t kShown = 300;

bool isId(std::string_view text)
{
    return !text.empty() && text.size() <= 128 && std::ranges::all_of(text, [](unsigned char each) {
        return each < 128 && (std::isalnum(each) != 0 || each == '-');
    });
}

std::array<int, 3> versionOf(std::string_view text)
{
    std::array<int, 3> found{};
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    for (int& part : found) {
        const auto [next, failed] = std::from_chars(at, end, part);
        if (failed != std::errc() || next == end)
            break;
        at = next + 1;
    }
    return found;
}

Errc errcOf(int status)
{
    switch (status) {
    case 400:
    case 422: return Errc::InvalidArgument;
    case 401: return Errc::PermissionDenied;
    case 403: return Errc::LimitExceeded; // a quota, with both services
    case 404: return Errc::NotFound;
    case 409: return Errc::Conflict;
    case 429: return Errc::LimitExceeded;
    case 501: return Errc::Unsupported;
    case 507: return Errc::NoSpace;
    default: return status >= 500 ? Errc::Unavailable : Errc::Io;
    }
}

Errc errcOf(std::string_view code)
{
    struct Row {
        std::string_view code;
        Errc errc;
    };
    static constexpr std::array kRows{ Row{ "not_found", Errc::NotFound },
                                       Row{ "invalid_argument", Errc::InvalidArgument },
                                       Row{ "unauthenticated", Errc::PermissionDenied },
                                       Row{ "permission_denied", Errc::PermissionDenied },
                                       Row{ "already_exists", Errc::Exists },
                                       Row{ "resource_exhausted", Errc::LimitExceeded },
                                       Row{ "unimplemented", Errc::Unsupported },
                                       Row{ "unavailable", Errc::Unavailable },
                                       Row{ "deadline_exceeded", Errc::Timeout } };
    const auto* const found = std::ranges::find(kRows, code, &Row::code);
    return found == kRows.end() ? Errc::Io : found->errc;
}

// Returns how long to wait before the next try; nullopt: the service does not want one.
std::optional<milliseconds> pauseBefore(int attempt, const Result<net::HttpResponse>& answer)
{
    milliseconds pause = kFirstPause * (1 << attempt);
    if (!answer)
        return answer.error().code == Errc::Unavailable ? std::optional(pause) : std::nullopt;
    const int status = answer->status;
    if ((status != 429 && status != 502 && status != 503 && status != 504)
        || answer->header("should-retry") == "false")
        return std::nullopt;
    int seconds = 0;
    const std::string asked = answer->header("retry-after");
    if (std::from_chars(asked.data(), asked.data() + asked.size(), seconds).ec == std::errc() && seconds > 0)
        pause = std::chrono::seconds(seconds);
    return pause > kLongestPause ? std::nullopt : std::optional(pause);
}

std::string userHeader()
{
    return "Basic " + toBase64("user:");
}

} // namespace

bool Access::isAtLeast(std::string_view wanted) const
{
    return versionOf(version) >= versionOf(wanted);
}

std::string messageIn(const net::HttpResponse& answer)
{
    const auto parsed = parseJson(answer.body);
    std::string text = parsed && parsed->isMap() ? parsed->stringOr("message", "") : std::string();
    if (text.empty())
        text = answer.body;
    text = printableText(text.substr(0, kShown));
    std::ranges::replace(text, '\n', ' ');
    return text.empty() ? "HTTP " + std::to_string(answer.status)
                        : text + " (HTTP " + std::to_string(answer.status) + ')';
}

Service::Service(Connection connection, KeyLookup key)
    : m_connection(std::move(connection))
    , m_key(std::move(key))
{
}

Error Service::failed(const std::string& doing, const net::HttpResponse& answer) const
{
    std::string text = doing + " at " + m_connection.api + ": " + messageIn(answer);
    if (const std::string id = answer.header("x-request-id"); !id.empty())
        text += ", its request " + printableText(id.substr(0, 80));
    if (answer.status == 401)
        text += ". The service does not accept the secret " + m_connection.key
            + "; set it: sandglass secret set " + m_connection.key;
    if (answer.status == 429)
        text += ". Wait a moment, or have fewer sandboxes at once";
    return { errcOf(answer.status), std::move(text) };
}

Result<net::HttpResponse> Service::control(const std::string& method, const std::string& path,
                                           const std::optional<Value>& body, Repeats repeats)
{
    std::string key;
    {
        const std::lock_guard lock(m_mutex);
        key = m_keyText;
    }
    if (key.empty()) {
        auto found = m_key(m_connection.key);
        if (!found)
            return std::move(found.error()).during("the key of connection " + m_connection.name);
        key = *found;
        const std::lock_guard lock(m_mutex);
        m_keyText = key;
    }
    net::HttpRequest request;
    request.method = method;
    request.url = m_connection.api + path;
    request.headers = { { "X-API-KEY", key }, { "User-Agent", "sandglass" } };
    if (body) {
        request.headers.emplace_back("Content-Type", "application/json");
        request.body = toJson(*body);
    }
    if (repeats == Repeats::Create) { // a service that knows it makes no second sandbox
        std::array<char, 16> chance{};
        fillRandomBytes(chance.data(), chance.size());
        request.headers.emplace_back("Idempotency-Key", toHex({ chance.data(), chance.size() }));
    }
    request.authorities = m_connection.authorities;
    request.connectTimeout = kConnectTime;
    request.timeout = repeats == Repeats::Create ? kCreateTime : kControlTime;
    request.bodyLimit = kMostAnswer;
    for (int attempt = 0;; ++attempt) {
        auto answer = m_http.send(request);
        if (answer && answer->status == 401) { // it may have been changed since it was looked up
            const std::lock_guard lock(m_mutex);
            m_keyText.clear();
        }
        const auto pause = repeats == Repeats::Never ? std::nullopt : pauseBefore(attempt, answer);
        if (!pause || attempt + 1 == kTries)
            return answer;
        std::this_thread::sleep_for(*pause);
    }
}

// Newer services have create and connect below /v2, OpenKruise and older ones do not.
Result<net::HttpResponse> Service::controlV2(const std::string& path, const Value& body)
{
    if (m_hasV2 && m_connection.kind == ServiceKind::E2b) {
        auto answer = control("POST", "/v2" + path, body, Repeats::Create);
        const bool isUnknown = answer && (answer->status == 404 || answer->status == 405)
            && messageIn(*answer).find("andbox") == std::string::npos;
        if (!isUnknown)
            return answer;
        m_hasV2 = false;
    }
    return control("POST", path, body, Repeats::Create);
}

Result<Access> Service::accessIn(const Result<net::HttpResponse>& answer, const char* doing) const
{
    if (!answer)
        return Error(answer.error()).during(doing);
    if (answer->status != 200 && answer->status != 201)
        return failed(doing, *answer);
    const auto told = parseJson(answer->body);
    if (!told || !told->isMap() || !isId(told->stringOr("sandboxID", "")))
        return Error{ Errc::Corrupt,
                      std::string(doing) + " at " + m_connection.api
                          + ": the answer is not what E2B's protocol says: "
                          + printableText(answer->body.substr(0, kShown)) };
    Access access{ told->stringOr("sandboxID", ""), told->stringOr("envdAccessToken", ""),
                   told->stringOr("trafficAccessToken", ""), told->stringOr("envdVersion", "") };
    if ((access.token + access.trafficToken).find_first_of("\r\n") != std::string::npos)
        return Error{ Errc::Corrupt, std::string(doing) + ": a token with a line break" };
    return access;
}

Result<Access> Service::create(const Value& metadata, std::chrono::seconds time)
{
    ValueMap body{ { "templateID", m_connection.sandboxTemplate },
                   { "timeout", static_cast<std::int64_t>(time.count()) },
                   { "metadata", metadata },
                   { "allow_internet_access", false },
                   { "secure", true } };
    if (m_connection.kind == ServiceKind::Kruise) { // which otherwise waits without end for its pool
        Value more = metadata;
        more.editMap().set("e2b.agents.kruise.io/claim-timeout-seconds", "45");
        body.set("metadata", std::move(more));
    }
    return accessIn(controlV2("/sandboxes", Value(std::move(body))), "create a sandbox");
}

Result<Access> Service::connect(const std::string& id, std::chrono::seconds time)
{
    return accessIn(controlV2("/sandboxes/" + id + "/connect",
                              Value::map({ { "timeout", static_cast<std::int64_t>(time.count()) } })),
                    "connect to a sandbox");
}

namespace {

Listed listedOf(const Value& told)
{
    Listed made{ told.stringOr("sandboxID", ""), told["metadata"], told.stringOr("state", "") == "paused",
                 told.stringOr("startedAt", ""), told.stringOr("endAt", "") };
    if (made.endsAt.starts_with("0001-")) // OpenKruise's word for never
        made.endsAt.clear();
    return made;
}

} // namespace

Result<Listed> Service::info(const std::string& id)
{
    const auto answer = control("GET", "/sandboxes/" + id, {}, Repeats::Yes);
    if (!answer)
        return answer.error();
    if (answer->status != 200)
        return failed("look at a sandbox", *answer);
    const auto told = parseJson(answer->body);
    if (!told || !told->isMap())
        return Error{ Errc::Corrupt, "look at a sandbox at " + m_connection.api + ": no JSON came" };
    return listedOf(*told);
}

Result<Access> Service::renewed(const Access& access)
{
    Access made = access;
    const auto take = [](const Result<net::HttpResponse>& answer, const char* key, std::string& token) {
        const auto told =
            answer && answer->status / 100 == 2 ? parseJson(answer->body) : Result<Value>(Value());
        const std::string found = told && told->isMap() ? told->stringOr(key, "") : std::string();
        if (!found.empty() && found.find_first_of("\r\n") == std::string::npos)
            token = found;
    };
    const auto info = control("GET", "/sandboxes/" + access.id, {}, Repeats::Yes);
    if (!info)
        return info.error();
    if (info->status != 200)
        return failed("ask for a sandbox's tokens", *info);
    take(info, "envdAccessToken", made.token);
    if (m_connection.kind == ServiceKind::Kruise) {
        const std::string prefix = m_connection.api.ends_with("/kruise/api") ? "" : "/kruise/api";
        take(control("POST", prefix + "/sandboxes/" + access.id + "/traffic-access-token", Value(ValueMap{}),
                     Repeats::Yes),
             "trafficAccessToken", made.trafficToken);
    }
    return made;
}

Result<std::vector<Listed>> Service::list(const std::string& key, const std::string& value)
{
    std::vector<Listed> found;
    std::string next;
    for (int page = 0; page < kMostPages; ++page) {
        // Key and value need no encoding of their own, of which services undo different numbers.
        std::string path =
            "/v2/sandboxes?limit=100&state=running,paused&metadata=" + net::percentEncoded(key + '=' + value);
        if (!next.empty())
            path += "&nextToken=" + net::percentEncoded(next);
        const auto answer = control("GET", path, {}, Repeats::Never);
        if (!answer)
            return answer.error();
        if (answer->status != 200)
            return failed("list the sandboxes", *answer);
        const auto told = parseJson(answer->body);
        if (!told || !told->isList())
            return Error{ Errc::Corrupt, "list the sandboxes at " + m_connection.api + ": no list came" };
        for (const Value& each : told->asList())
            if (Listed one = listedOf(each);
                isId(one.id) && one.metadata.isMap() && one.metadata.stringOr(key, "") == value)
                found.push_back(std::move(one));
        next = answer->header("x-next-token");
        if (next.empty())
            break;
    }
    return found;
}

Result<void> Service::kill(const std::string& id)
{
    const auto answer = control("DELETE", "/sandboxes/" + id, {}, Repeats::Yes);
    if (!answer)
        return answer.error();
    if (answer->status == 404 || answer->status / 100 == 2)
        return {};
    return failed("end a sandbox", *answer);
}

Result<void> Service::setTime(const std::string& id, std::chrono::seconds time)
{
    const auto answer = control("POST", "/sandboxes/" + id + "/timeout",
                                Value::map({ { "timeout", static_cast<std::int64_t>(time.count()) } }),
                                Repeats::Never); // who keeps a lease asks again
    if (!answer)
        return answer.error();
    if (answer->status / 100 == 2)
        return {};
    return failed("ask for more time", *answer);
}

Result<void> Service::pause(const std::string& id)
{
    const auto answer = control("POST", "/sandboxes/" + id + "/pause", Value(ValueMap{}), Repeats::Yes);
    if (!answer)
        return answer.error();
    if (answer->status / 100 == 2)
        return {};
    if (answer->status == 409)
        if (const auto now = info(id); now && now->isPaused)
            return {};
    return failed("pause a sandbox", *answer);
}

Result<std::vector<std::string>> Service::templates()
{
    const auto answer = control("GET", "/templates", {}, Repeats::Never);
    if (!answer)
        return answer.error();
    if (answer->status == 404 || answer->status == 405 || answer->status == 501)
        return Error{ Errc::Unsupported, m_connection.api + " lists no templates" };
    if (answer->status != 200)
        return failed("list the templates", *answer);
    const auto told = parseJson(answer->body);
    if (!told || !told->isList())
        return Error{ Errc::Corrupt, "list the templates at " + m_connection.api + ": no list came" };
    constexpr std::size_t kMost = 500;
    std::vector<std::string> names;
    for (const Value& each : told->asList()) {
        const Value& aliases = each["aliases"];
        std::string name =
            aliases.isList() && !aliases.asList().empty() && aliases.asList().front().isString()
            ? aliases.asList().front().asString()
            : each.stringOr("templateID", "");
        if (!name.empty() && names.size() < kMost)
            names.push_back(printableText(name.substr(0, kShown)));
    }
    return names;
}

Result<std::chrono::microseconds> Service::check()
{
    const auto start = steady_clock::now();
    const auto answer = control("GET", "/v2/sandboxes?limit=1", {}, Repeats::Yes);
    if (!answer)
        return answer.error();
    if (answer->status != 200)
        return failed("list the sandboxes", *answer);
    const auto told = parseJson(answer->body);
    if (!told || !told->isList())
        return Error{ Errc::Corrupt,
                      m_connection.api
                          + " answers, but not as E2B's protocol says: is it the address of "
                            "the control plane?" };
    return std::chrono::duration_cast<std::chrono::microseconds>(steady_clock::now() - start);
}

net::HttpRequest Service::request(const Access& access, std::string method, const std::string& path) const
{
    Place place = placeOf(m_connection, access.id, kEnvdPort);
    net::HttpRequest made;
    made.method = std::move(method);
    made.url = place.url + path;
    made.headers = std::move(place.headers);
    made.headers.emplace_back("User-Agent", "sandglass");
    if (!access.token.empty())
        made.headers.emplace_back("X-Access-Token", access.token);
    if (!access.trafficToken.empty())
        made.headers.emplace_back("E2B-Traffic-Access-Token", access.trafficToken);
    if (!access.isAtLeast("0.4.0")) // which knows no default user
        made.headers.emplace_back("Authorization", userHeader());
    made.authorities = m_connection.authorities;
    made.connectTimeout = kConnectTime;
    made.timeout = kDataTime;
    made.bodyLimit = kMostAnswer;
    return made;
}

Result<Value> Service::call(const Access& access, const std::string& method, const Value& message)
{
    net::HttpRequest asked = request(access, "POST", method);
    asked.headers.emplace_back("Content-Type", "application/json");
    asked.headers.emplace_back("Connect-Protocol-Version", "1");
    asked.body = toJson(message);
    const auto answer = send(asked);
    if (!answer)
        return answer.error();
    auto told = parseJson(answer->body);
    if (answer->status == 200) {
        if (told && told->isMap())
            return told;
        return Error{ Errc::Corrupt, method + ": the answer is no JSON object" };
    }
    const std::string code = told && told->isMap() ? told->stringOr("code", "") : std::string();
    return Error{ code.empty() ? errcOf(answer->status) : errcOf(code), messageIn(*answer) };
}

// It sends the file as multipart/form-data, because daemons of every version take that.
Result<void> Service::upload(const Access& access, const std::string& path, std::string_view content)
{
    std::string target = "/files?path=" + net::percentEncoded(path);
    if (!access.isAtLeast("0.4.0"))
        target += "&username=user";
    net::HttpRequest asked = request(access, "POST", target);
    std::array<char, 12> chance{};
    fillRandomBytes(chance.data(), chance.size());
    const std::string boundary = "sandglass-" + toHex({ chance.data(), chance.size() });
    asked.headers.emplace_back("Content-Type", "multipart/form-data; boundary=" + boundary);
    asked.body.reserve(content.size() + 300);
    asked.body = "--" + boundary
        + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"file\"\r\n"
          "Content-Type: application/octet-stream\r\n\r\n";
    asked.body += content;
    asked.body += "\r\n--" + boundary + "--\r\n";
    const auto answer = send(asked);
    if (!answer)
        return Error(answer.error()).during("send " + path);
    if (answer->status / 100 != 2)
        return Error{ errcOf(answer->status), "send " + path + ": " + messageIn(*answer) };
    return {};
}

Result<Value> Service::metrics(const Access& access)
{
    net::HttpRequest asked = request(access, "GET", "/metrics");
    asked.timeout = kMetricsTime;
    const auto answer = send(asked);
    if (!answer)
        return answer.error();
    auto told = parseJson(answer->body);
    if (answer->status != 200 || !told || !told->isMap())
        return Error{ answer->status == 404 ? Errc::Unsupported : errcOf(answer->status),
                      "the service tells no use of resources: " + messageIn(*answer) };
    return told;
}

} // namespace sg::sandbox::e2b
