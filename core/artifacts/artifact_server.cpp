#include "core/artifacts/artifact_server.h"

#include "core/artifacts/signed_token.h"
#include "core/base/json.h"
#include "core/net/host_check.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>

namespace sg::artifacts {
namespace {

using net::HttpAnswer;
using net::HttpHead;

constexpr std::uint64_t kSmall = 256U << 10; // at most this is kept in memory, verified
constexpr std::uint64_t kMostHeld = 64U << 20;
constexpr std::size_t kMostRecent = 512;
constexpr Millis kLookAgain{ 2000 }; // after this time an artifact is looked up again
constexpr std::string_view kArtifacts = "/artifacts/";

HttpAnswer refusal(int status, const char* why)
{
    return net::textAnswer(status, std::string(why) + "\n");
}

std::string_view tokenOf(std::string_view query)
{
    while (!query.empty()) {
        const std::size_t end = std::min(query.find('&'), query.size());
        if (const std::string_view part = query.substr(0, end); part.starts_with("token="))
            return part.substr(6);
        query.remove_prefix(std::min(end + 1, query.size()));
    }
    return {};
}

} // namespace

ArtifactServer::ArtifactServer(ArtifactStore& store, const Clock& clock, ArtifactServerOptions options)
    : m_store(store)
    , m_clock(clock)
    , m_options(std::move(options))
    , m_port(m_options.port)
{
}

HttpAnswer ArtifactServer::answer(const HttpHead& request)
{
    const std::size_t mark = std::min(request.target.find('?'), request.target.size());
    const std::string_view path = std::string_view(request.target).substr(0, mark);
    const std::string_view query =
        std::string_view(request.target).substr(std::min(mark + 1, request.target.size()));
    HttpAnswer made = [&] {
        switch (net::checkHost(request, m_port, m_options.hosts)) {
        case net::HostVerdict::ForeignHost: return refusal(403, "This server is not known by that name.");
        case net::HostVerdict::ForeignOrigin: return refusal(403, "Pages of other sites get nothing here.");
        case net::HostVerdict::Fine: break;
        }
        if (request.method != "GET" && request.method != "HEAD")
            return net::textAnswer(405, "GET and HEAD are answered here.\n", "Allow: GET, HEAD\r\n");
        if (path == "/healthz")
            return net::textAnswer(200, "ok\n");
        if (path == "/metrics")
            return metrics();
        if (path.starts_with(kArtifacts))
            return artifact(request, path.substr(kArtifacts.size()), query);
        return refusal(404, "There is nothing here.");
    }();
    ++m_answers[static_cast<std::size_t>(std::clamp(made.status / 100, 0, 5))];
    m_bytes += static_cast<std::int64_t>(made.size());
    return made;
}

HttpAnswer ArtifactServer::artifact(const HttpHead& request, std::string_view path, std::string_view query)
{
    constexpr std::string_view kHead = "/head";
    const bool isDescription = path.ends_with(kHead);
    const std::string_view id = isDescription ? path.substr(0, path.size() - kHead.size()) : path;
    if (!isArtifactId(id)) // names with another form are never looked up
        return refusal(404, "There is no such artifact.");
    const std::string_view token = tokenOf(query);
    if (token.empty())
        return refusal(422, "An artifact is asked for with its token.");
    const TokenCheck check = checkToken(m_options.key, token, m_clock.now());
    switch (check.fault) {
    case TokenFault::Format: return refusal(401, "Invalid token format");
    case TokenFault::Signature: return refusal(401, "Invalid token signature");
    case TokenFault::Expired: return refusal(401, "Token expired");
    case TokenFault::None: break;
    }
    if (check.id.value != id)
        return refusal(403, "The token is that of another artifact.");
    const ServedPtr found = served(check.id);
    if (found->failure != 0)
        return refusal(found->failure, found->why.c_str());
    if (!isDescription)
        return content(request, *found);
    HttpAnswer answer = net::textAnswer(200, found->description);
    answer.headers =
        "Content-Type: application/json\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n";
    return answer;
}

HttpAnswer ArtifactServer::content(const HttpHead& request, const Served& served) const
{
    using Kind = net::HttpRange::Kind;
    HttpAnswer answer;
    answer.headers = served.headers;
    if (const std::string* known = request.find("if-none-match"); known != nullptr && *known == served.etag) {
        answer.status = 304;
        return answer;
    }
    const std::string* const same = request.find("if-range");
    // RFC 9110 (14.2) defines ranges for GET alone.
    net::HttpRange range;
    if (request.method == "GET" && (same == nullptr || *same == served.etag))
        range = net::parseRange(request.find("range"), served.size);
    if (range.kind == Kind::Impossible)
        return net::textAnswer(416, "It has no such part.\n", net::contentRange(range, served.size));
    if (range.kind == Kind::Part) {
        answer.status = 206;
        answer.headers += net::contentRange(range, served.size);
    } else {
        range.length = served.size;
    }
    if (served.file) {
        answer.file = served.file;
        answer.offset = range.first;
        answer.length = range.length;
    } else if (range.kind == Kind::Part) {
        answer.body = std::make_shared<const std::string>(served.content->substr(range.first, range.length));
    } else {
        answer.body = served.content;
    }
    return answer;
}

ArtifactServer::ServedPtr ArtifactServer::served(const ArtifactId& id)
{
    const SteadyTime now = m_clock.steady();
    {
        const std::lock_guard lock(m_mutex);
        if (const auto found = m_byId.find(id.value); found != m_byId.end()) {
            m_recent.splice(m_recent.begin(), m_recent, found->second);
            if (now - found->second->second->read < kLookAgain)
                return found->second->second;
        }
    }
    auto made = std::make_shared<const Served>(read(id));
    const std::lock_guard lock(m_mutex);
    const auto weight = [](const ServedPtr& each) { return each->content ? each->content->size() : 0; };
    if (const auto found = m_byId.find(id.value); found != m_byId.end()) {
        m_held -= weight(found->second->second);
        m_recent.erase(found->second);
        m_byId.erase(found);
    }
    if (made->failure != 0) // unknown names are unlimited, so they are not kept
        return made;
    m_recent.emplace_front(id.value, made);
    m_byId[id.value] = m_recent.begin();
    m_held += weight(made);
    while (m_recent.size() > kMostRecent || m_held > kMostHeld) {
        m_held -= weight(m_recent.back().second);
        m_byId.erase(m_recent.back().first);
        m_recent.pop_back();
    }
    return made;
}

ArtifactServer::Served ArtifactServer::read(const ArtifactId& id) const
{
    Served made;
    made.read = m_clock.steady();
    const auto fail = [&](int status, const char* why) {
        made.failure = status;
        made.why = why;
        return made;
    };
    const auto artifact = m_store.find(id);
    if (!artifact)
        return artifact.error().code == Errc::NotFound ? fail(404, "There is no such artifact.")
                                                       : fail(500, "The artifacts cannot be read.");
    made.size = artifact->size;
    made.etag = '"' + artifact->sha256 + '"';
    made.headers = contentHeaders(artifact->mime, artifact->name) + "ETag: " + made.etag + "\r\n";
    made.description = toJson(Value::map({ { "id", artifact->id.value },
                                           { "sha256", artifact->sha256 },
                                           { "mime", artifact->mime },
                                           { "filename", artifact->name },
                                           { "size", static_cast<std::int64_t>(artifact->size) },
                                           { "created_at", artifact->createdAt } }));
    if (artifact->size <= kSmall) {
        auto bytes = m_store.read(*artifact, kSmall);
        if (!bytes)
            return bytes.error().code == Errc::NotFound ? fail(410, "Its content is gone.")
                                                        : fail(500, "Its content is damaged.");
        made.content = std::make_shared<const std::string>(std::move(*bytes));
        return made;
    }
    if (auto fetched = m_store.fetch(*artifact, {}); !fetched)
        return fetched.error().code == Errc::NotFound ? fail(410, "Its content is gone.")
            : fetched.error().code == Errc::Corrupt   ? fail(500, "Its content is damaged.")
                                                      : fail(503, "Its content cannot be fetched now.");
    auto file =
        std::make_shared<Fd>(::open(m_store.blobPath(*artifact).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    struct stat found { };
    if (!file->isOpen() || ::fstat(file->get(), &found) != 0 || !S_ISREG(found.st_mode))
        return fail(410, "Its content is gone.");
    if (static_cast<std::uint64_t>(found.st_size) != artifact->size)
        return fail(500, "Its content is damaged.");
    made.file = std::move(file);
    return made;
}

HttpAnswer ArtifactServer::metrics()
{
    std::string text = "# HELP sandglass_http_answers_total Answers of this server by status.\n"
                       "# TYPE sandglass_http_answers_total counter\n";
    for (std::size_t hundred = 2; hundred < m_answers.size(); ++hundred)
        text += "sandglass_http_answers_total{status=\"" + std::to_string(hundred) + "xx\"} "
            + std::to_string(m_answers[hundred].load()) + '\n';
    text += "# HELP sandglass_http_content_bytes_total Bytes of contents in answers.\n"
            "# TYPE sandglass_http_content_bytes_total counter\nsandglass_http_content_bytes_total "
        + std::to_string(m_bytes.load()) + '\n';
    if (m_options.metrics)
        text += m_options.metrics();
    HttpAnswer answer = net::textAnswer(200, std::move(text));
    answer.headers =
        "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n"
        "Cache-Control: no-store\r\n";
    return answer;
}

} // namespace sg::artifacts
