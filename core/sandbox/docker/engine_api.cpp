#include "core/sandbox/docker/engine_api.h"

#include "core/base/errno_error.h"
#include "core/base/json.h"
#include "core/base/printable.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>

namespace sg::sandbox {
namespace {

using namespace std::chrono_literals;

constexpr int kNewestMinor = 44; // of API 1.x, the newest that was tested
constexpr auto kHeadTimeout = 10s;
constexpr std::size_t kMaxHead = 65536;
constexpr std::size_t kMaxMessage = 2048;

int minorOf(const std::string& version)
{
    int minor = 0;
    const std::size_t dot = version.find('.');
    if (dot != std::string::npos)
        std::from_chars(version.data() + dot + 1, version.data() + version.size(), minor);
    return minor;
}

Error statusError(int status, const std::string& doing, const std::string& text)
{
    const auto body = parseJson(text);
    std::string message = body ? body->stringOr("message", "") : text;
    if (message.empty())
        message = "status " + std::to_string(status);
    message = printableText(message.substr(0, kMaxMessage));
    const bool taken =
        status == 409 || message.find("already in use") != std::string::npos; // Podman answers 500
    switch (status) {
    case 400: return { Errc::InvalidArgument, doing + ": " + message };
    case 401:
    case 403: return { Errc::PermissionDenied, doing + ": " + message };
    case 404: return { Errc::NotFound, doing + ": " + message };
    default: return { taken ? Errc::Conflict : Errc::Io, doing + ": " + message };
    }
}

// Reads to the end of the answer's head; bytes after it belong to the stream.
Result<EngineStream> readHead(Fd socket, std::string& head)
{
    const auto deadline = std::chrono::steady_clock::now() + kHeadTimeout;
    std::size_t end = std::string::npos;
    while ((end = head.find("\r\n\r\n")) == std::string::npos) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
        pollfd watched{ socket.get(), POLLIN, 0 };
        if (left <= 0 || head.size() > kMaxHead || ::poll(&watched, 1, static_cast<int>(left)) == 0)
            return Error{ Errc::Timeout, "the engine did not answer" };
        char buffer[4096];
        const ssize_t got = ::recv(socket.get(), buffer, sizeof buffer, 0);
        if (got == 0 || (got < 0 && errno != EINTR))
            return Error{ Errc::Unavailable, "the engine closed the connection" };
        if (got > 0)
            head.append(buffer, static_cast<std::size_t>(got));
    }
    EngineStream stream{ std::move(socket), head.substr(end + 4) };
    head.resize(end);
    return stream;
}

} // namespace

Result<std::unique_ptr<EngineApi>> EngineApi::connect(const EngineEndpoint& wanted)
{
    EngineEndpoint endpoint = wanted;
    if (endpoint.needsTunnel())
        if (auto opened = endpoint.openTunnel(); !opened)
            return std::move(opened.error());
    if (!endpoint.socket.empty()) { // gives a clearer error than the HTTP library
        auto socket = endpoint.connect();
        if (!socket)
            return std::move(socket.error());
    }
    net::HttpClient http;
    net::HttpRequest request;
    request.url = "http://" + endpoint.urlHost() + "/version";
    request.unixSocket = endpoint.socket;
    request.connectTimeout = 2s;
    request.timeout = 10s;
    request.bodyLimit = 1U << 20;
    auto response = http.send(request);
    if (!response)
        return std::move(response.error());
    const auto body = parseJson(response->body);
    if (response->status != 200 || !body || body->stringOr("ApiVersion", "").empty())
        return Error{ Errc::Unavailable, endpoint.text() + ": what answers there is no Docker Engine" };
    const int newest = minorOf(body->stringOr("ApiVersion", "1.0"));
    const int oldest = minorOf(body->stringOr("MinAPIVersion", "1.0"));
    const Value& components = (*body)["Components"];
    const std::string component = components[std::size_t{ 0 }].stringOr("Name", "");
    EngineVersion version;
    version.podman = component.find("Podman") != std::string::npos;
    version.name = (version.podman ? "Podman " : "Docker ")
        + printableText(body->stringOr("Version", "?").substr(0, 64));
    if (components.isList())
        for (const Value& each : components.asList())
            if (const std::string name = each.stringOr("Name", ""); name == "runc" || name == "crun")
                version.runtime = name + ' ' + printableText(each.stringOr("Version", "?").substr(0, 64));
    version.api = "1." + std::to_string(std::max(std::min(newest, kNewestMinor), oldest));
    return std::make_unique<EngineApi>(endpoint, std::move(version));
}

Result<EngineApi::Answer> EngineApi::call(const std::string& method, const std::string& path,
                                          const Value& body, std::chrono::milliseconds timeout)
{
    net::HttpRequest request;
    request.method = method;
    request.url = "http://" + m_endpoint.urlHost() + "/v" + m_version.api + path;
    request.unixSocket = m_endpoint.socket;
    request.connectTimeout = 2s;
    request.timeout = timeout;
    if (!body.isNull()) {
        request.headers.emplace_back("Content-Type", "application/json");
        request.body = toJson(body);
    }
    auto response = m_http.send(request);
    const std::string doing = "Docker Engine, " + method + ' ' + path.substr(0, path.find('?'));
    if (!response)
        return std::move(response.error()).during(doing);
    if (response->status >= 400)
        return statusError(response->status, doing, response->body);
    Answer answer{ response->status, {} };
    if (auto parsed = parseJson(response->body))
        answer.body = std::move(*parsed);
    return answer;
}

Result<EngineStream> EngineApi::open(const std::string& head, int expected) const
{
    auto socket = m_endpoint.connect();
    if (!socket)
        return std::move(socket.error());
    if (::send(socket->get(), head.data(), head.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(head.size()))
        return errnoError(errno, "write to " + m_endpoint.text());
    std::string answer;
    auto stream = readHead(std::move(*socket), answer);
    if (!stream)
        return std::move(stream.error()).during(m_endpoint.text());
    int status = 0; // "HTTP/1.1 101 UPGRADED"
    const std::size_t space = answer.find(' ');
    if (space != std::string::npos)
        std::from_chars(answer.data() + space + 1, answer.data() + answer.size(), status);
    if (status != expected && status != 200)
        return statusError(status, m_endpoint.text(), stream->early);
    return stream;
}

Result<EngineStream> EngineApi::upgrade(const std::string& path) const
{
    return open("POST /v" + m_version.api + path + " HTTP/1.1\r\nHost: " + m_endpoint.urlHost()
                    + "\r\nConnection: Upgrade\r\nUpgrade: tcp\r\nContent-Length: 0\r\n\r\n",
                101);
}

Result<EngineStream> EngineApi::follow(const std::string& path) const
{
    // HTTP 1.0 makes the engine send the body without chunks, up to the end of the connection.
    return open("GET /v" + m_version.api + path + " HTTP/1.0\r\nHost: " + m_endpoint.urlHost() + "\r\n\r\n",
                200);
}

std::string engineFilters(std::initializer_list<std::pair<std::string, std::string>> filters)
{
    ValueMap map;
    for (const auto& [key, value] : filters) {
        Value& list = map.at(Value(key));
        if (list.isNull())
            list = Value::list();
        list.editList().emplace_back(value);
    }
    return "filters=" + net::percentEncoded(toJson(Value(std::move(map))));
}

} // namespace sg::sandbox
