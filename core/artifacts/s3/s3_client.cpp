#include "core/artifacts/s3/s3_client.h"

#include "core/artifacts/s3/xml_tree.h"
#include "core/base/hash.h"
#include "core/base/printable.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <ctime>

namespace sg::artifacts::s3 {
namespace {

constexpr std::size_t kMostError = 64U << 10;
constexpr std::size_t kMostList = 4U << 20;
constexpr std::size_t kIdleConnections = 16;
// A service may be silent while it puts many parts together: a minute for a gigabyte was seen.
constexpr Millis kJoinTimeout{ 600'000 };
constexpr int kMostPages = 1'000'000;
constexpr const char* kEmptySha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

std::string encodedPath(std::string_view key)
{
    std::string path;
    while (!key.empty()) {
        const std::size_t end = std::min(key.find('/'), key.size());
        path += '/' + net::percentEncoded(key.substr(0, end));
        key.remove_prefix(std::min(end + 1, key.size()));
    }
    return path;
}

template<typename Number>
std::optional<Number> numberIn(std::string_view text)
{
    Number number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || failed != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

// "Sat, 28 Nov 2026 18:00:00 GMT"
std::optional<std::int64_t> httpTime(const std::string& text)
{
    std::tm parts{};
    const char* const end = ::strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
    if (end == nullptr || *end != '\0')
        return std::nullopt;
    return ::timegm(&parts);
}

// Returns where a list goes on; "" at its end. A list that breaks off is an error, since the rest would count
// as absent.
Result<std::string> nextOf(const XmlElement& page, const char* kind, const char* marker,
                           const std::string& before)
{
    const std::string more = page.textOf("IsTruncated");
    const std::string next = page.textOf(marker);
    if (!page.name.starts_with(kind) || (more != "true" && more != "false"))
        return Error{ Errc::Corrupt, std::string("the service answers with no ") + kind };
    if (more == "true" && (next.empty() || next == before))
        return Error{ Errc::Corrupt,
                      std::string("the service breaks its list off: there is more, and no new ") + marker };
    return more == "true" ? next : std::string();
}

// "bytes 100-199/1000": where the part begins.
std::optional<std::uint64_t> beginOf(const std::string& contentRange)
{
    constexpr std::string_view kBytes = "bytes ";
    if (!contentRange.starts_with(kBytes))
        return std::nullopt;
    const std::string_view rest = std::string_view(contentRange).substr(kBytes.size());
    return numberIn<std::uint64_t>(rest.substr(0, rest.find('-')));
}

} // namespace

using Headers = std::vector<std::pair<std::string, std::string>>;

struct S3Client::Request {
    std::string method;
    std::string key{};
    std::vector<std::pair<std::string, std::string>>
        query{}; // in the order of names, as the signature needs it
    std::vector<std::pair<std::string, std::string>> headers{};
    const std::string* body = nullptr;
    std::string sha256 = kEmptySha256; // of the body
    std::size_t mostAnswer = kMostError;
    const std::stop_token& stop;
    Millis stallTimeout{ 0 }; // 0: as the options say
    [[nodiscard]] std::string what() const { return method + (key.empty() ? "" : ' ' + key); }
};

Result<std::unique_ptr<S3Client>> S3Client::open(BucketAddress address, FindAccess find,
                                                 const S3ClientOptions& options)
{
    auto access = find();
    if (!access)
        return std::move(access.error()).during(address.place());
    S3ClientOptions chosen = options;
    chosen.attempts = access->attempts.value_or(options.attempts);
    return std::unique_ptr<S3Client>(
        new S3Client(std::move(address), std::move(find), std::move(*access), chosen));
}

S3Client::S3Client(BucketAddress address, FindAccess find, AwsAccess access, const S3ClientOptions& options)
    : m_address(std::move(address))
    , m_find(std::move(find))
    , m_options(options)
    , m_http(kIdleConnections)
{
    take(std::move(access));
}

void S3Client::take(AwsAccess access)
{
    const std::size_t host = access.endpoint.find("://") + 3;
    const std::string base = access.pathStyle
        ? access.endpoint + '/' + m_address.bucket
        : access.endpoint.substr(0, host) + m_address.bucket + '.' + access.endpoint.substr(host);
    auto key = std::make_shared<net::AwsKey>();
    key->region = access.region;
    key->service = "s3";
    key->id = access.keyId;
    key->secret = access.secret.reveal();
    key->sessionToken = access.sessionToken ? access.sessionToken->reveal() : std::string();
    const std::lock_guard lock(m_mutex);
    m_base = base;
    m_authorities = std::move(access.authorities);
    m_key = std::move(key);
    m_isRegionChosen = access.isRegionChosen;
}

net::HttpRequest S3Client::made(const Request& request, const std::shared_ptr<const net::AwsKey>& key)
{
    net::HttpRequest made;
    made.method = request.method;
    {
        const std::lock_guard lock(m_mutex);
        made.url = m_base + (request.key.empty() ? "/" : encodedPath(request.key));
        made.authorities = m_authorities;
    }
    char mark = '?';
    for (const auto& [name, value] : request.query) {
        made.url += mark + name + '=' + net::percentEncoded(value);
        mark = '&';
    }
    made.headers = request.headers;
    made.headers.emplace_back("x-amz-content-sha256", request.sha256);
    if (request.body != nullptr) {
        made.headers.emplace_back("content-type", "application/octet-stream");
        made.body = *request.body;
    }
    made.awsKey = key.get();
    made.connectTimeout = m_options.connectTimeout;
    made.stallTimeout = request.stallTimeout.count() > 0 ? request.stallTimeout : m_options.stallTimeout;
    made.timeout = request.body == nullptr ? m_options.answerTimeout : Millis(0);
    made.bodyLimit = request.mostAnswer;
    made.stop = request.stop;
    return made;
}

bool S3Client::learn(const S3Fault& fault)
{
    if (fault.code == "ExpiredToken" || fault.code == "InvalidToken") {
        auto access = m_find();
        if (!access || !access->sessionToken)
            return false;
        {
            const std::lock_guard lock(m_mutex);
            if (access->sessionToken->reveal() == m_key->sessionToken)
                return false;
        }
        take(std::move(*access));
        return true;
    }
    std::string known;
    {
        const std::lock_guard lock(m_mutex);
        if (fault.region.empty() || m_isRegionChosen || m_key->region == fault.region)
            return false;
        known = m_key->region;
    }
    auto access = m_find();
    if (!access)
        return false;
    access->region = fault.region;
    access->isRegionChosen = true; // a service that sends us on and on is not followed
    if (const std::size_t at = access->endpoint.find("//s3." + known + ".amazonaws.com");
        at != std::string::npos)
        access->endpoint.replace(at + 5, known.size(), fault.region);
    take(std::move(*access));
    return true;
}

// Waits longer with each attempt, and by chance, so that many clients do not come back at once.
Result<void> S3Client::wait(int attempt, const S3Fault& fault, const std::stop_token& stop)
{
    Millis longest = m_options.firstPause;
    for (int doubled = 1; doubled < attempt && longest < m_options.longestPause; ++doubled)
        longest *= 2;
    longest = std::min(longest, m_options.longestPause);
    const auto half = static_cast<std::uint64_t>(longest.count() / 2);
    const Millis chosen(static_cast<Millis::rep>(half + m_random.next() % (half + 1)));
    std::mutex mutex;
    std::condition_variable_any woken;
    std::unique_lock lock(mutex);
    woken.wait_for(lock, stop, std::max(chosen, fault.retryAfter), [] { return false; });
    if (stop.stop_requested())
        return Error{ Errc::Cancelled, m_address.place() + ": stopped" };
    return {};
}

Result<net::HttpResponse> S3Client::send(const Request& request, S3Fault* told)
{
    for (int attempt = 1;; ++attempt) {
        std::shared_ptr<const net::AwsKey> key;
        {
            const std::lock_guard lock(m_mutex);
            key = m_key;
        }
        auto answer = m_http.send(made(request, key));
        if (answer)
            if (const auto theirs = httpTime(answer->header("date")))
                m_ahead = *theirs - std::chrono::system_clock::to_time_t(SystemClock().now());
        const auto fault = faultOf(m_address, request.what(), answer);
        if (!fault)
            return answer;
        if (attempt < m_options.attempts && learn(*fault))
            continue;
        if (told != nullptr)
            *told = *fault;
        if (!fault->passes || attempt >= m_options.attempts)
            return fault->error;
        if (auto waited = wait(attempt, *fault, request.stop); !waited)
            return std::move(waited.error());
    }
}

Result<bool> S3Client::put(const std::string& key, const std::string& body, const std::string& sha256,
                           IfThere there, const std::stop_token& stop)
{
    Request request{ .method = "PUT", .key = key, .body = &body, .sha256 = sha256, .stop = stop };
    if (there != IfThere::Replace)
        request.headers.emplace_back("if-none-match", "*");
    S3Fault fault;
    auto answer = send(request, &fault);
    if (answer)
        return true;
    if (there == IfThere::Replace)
        return std::move(answer.error());
    if (answer.error().code == Errc::Conflict)
        return false;
    if (fault.code != "NotImplemented")
        return std::move(answer.error());
    if (there == IfThere::Insist)
        return Error{ Errc::Unsupported, answer.error().message };
    return put(key, body, sha256, IfThere::Replace, stop);
}

Result<void> S3Client::oneGet(const Request& request, std::uint64_t most, std::uint64_t& done,
                              std::string& etag, S3Fault& fault,
                              const std::function<Result<void>(std::string_view)>& sink)
{
    std::shared_ptr<const net::AwsKey> key;
    {
        const std::lock_guard lock(m_mutex);
        key = m_key;
    }
    net::HttpRequest sent = made(request, key);
    sent.timeout = Millis(0);
    std::string failure; // the body of an error
    std::optional<Error> refused; // for good
    std::uint64_t skipped = done; // where the service sends all of it again
    const auto refuse = [&](std::string why) {
        refused = Error{ Errc::Corrupt, m_address.place() + ": " + request.what() + ": " + std::move(why) };
        return false;
    };
    sent.onHead = [&](const net::HttpResponse& head) {
        if (head.status != 200 && head.status != 206)
            return true;
        if (head.status == 206) {
            skipped = 0;
            if (beginOf(head.header("content-range")) != done)
                return refuse("the service answers with another part than was asked for");
        }
        if (!etag.empty() && head.header("etag") != etag)
            return refuse("the object was changed while it was being read");
        etag = head.header("etag");
        const auto length = numberIn<std::uint64_t>(head.header("content-length"));
        if (length && *length > most - std::min(most, done - skipped))
            return refuse("it has " + std::to_string(*length) + " bytes, more than the "
                          + std::to_string(most) + " that are taken");
        return true;
    };
    sent.onBody = [&](int status, std::string_view piece) {
        if (status != 200 && status != 206) {
            failure.append(piece.substr(0, kMostError - std::min(kMostError, failure.size())));
            return failure.size() < kMostError;
        }
        const auto again = static_cast<std::size_t>(std::min<std::uint64_t>(skipped, piece.size()));
        skipped -= again;
        piece.remove_prefix(again);
        if (piece.size() > most - done)
            return refuse("it goes on after the " + std::to_string(most) + " bytes that are taken");
        done += piece.size();
        if (auto taken = sink(piece); !taken) {
            refused = std::move(taken.error());
            return false;
        }
        return true;
    };
    auto answer = m_http.send(sent);
    if (refused)
        return std::move(*refused);
    if (answer)
        answer->body = std::move(failure);
    if (auto found = faultOf(m_address, request.what(), answer)) {
        fault = std::move(*found);
        return fault.error;
    }
    return {};
}

Result<void> S3Client::get(const std::string& key, std::uint64_t most,
                           const std::function<Result<void>(std::string_view)>& sink,
                           const std::stop_token& stop)
{
    std::uint64_t done = 0;
    std::string etag;
    for (int attempt = 1;; ++attempt) {
        Request request{ .method = "GET", .key = key, .stop = stop };
        if (done > 0) {
            request.headers.emplace_back("if-match", etag);
            request.headers.emplace_back("range", "bytes=" + std::to_string(done) + '-');
        }
        const std::uint64_t before = done;
        S3Fault fault;
        auto got = oneGet(request, most, done, etag, fault, sink);
        if (got)
            return got;
        if (done > before)
            attempt = 1; // it gets on, so patience begins anew
        if (done > 0 && fault.code == "InvalidRange") // all of it was there when the connection broke
            return {};
        if (attempt < m_options.attempts && learn(fault))
            continue;
        if (!fault.passes || attempt >= m_options.attempts)
            return got;
        if (auto waited = wait(attempt, fault, stop); !waited)
            return waited;
    }
}

Result<std::string> S3Client::getSmall(const std::string& key, std::size_t most, const std::stop_token& stop)
{
    std::string text;
    const auto got = get(
        key, most,
        [&](std::string_view piece) -> Result<void> {
            text += piece;
            return {};
        },
        stop);
    if (!got)
        return got.error();
    return text;
}

Result<std::optional<std::uint64_t>> S3Client::sizeOf(const std::string& key, const std::stop_token& stop)
{
    const auto answer = send({ .method = "HEAD", .key = key, .stop = stop });
    if (!answer)
        return answer.error().code == Errc::NotFound ? Result<std::optional<std::uint64_t>>(std::nullopt)
                                                     : answer.error();
    const auto size = numberIn<std::uint64_t>(answer->header("content-length"));
    if (!size)
        return Error{ Errc::Corrupt, m_address.place() + ": HEAD " + key + ": the answer has no length" };
    return size;
}

Result<void> S3Client::remove(const std::string& key, const std::stop_token& stop)
{
    auto answer = send({ .method = "DELETE", .key = key, .stop = stop });
    if (!answer && answer.error().code != Errc::NotFound)
        return std::move(answer.error());
    return {};
}

Result<void> S3Client::list(const std::string& prefix, const std::function<Result<void>(S3Object)>& take,
                            const std::stop_token& stop)
{
    std::string token;
    for (int page = 0; page < kMostPages; ++page) {
        Request request{ .method = "GET", .mostAnswer = kMostList, .stop = stop };
        if (!token.empty())
            request.query.emplace_back("continuation-token", token);
        request.query.emplace_back("list-type", "2");
        request.query.emplace_back("prefix", prefix);
        const auto answer = send(request);
        const auto document = answer ? parseXml(answer->body) : Result<XmlElement>(answer.error());
        if (!document)
            return Error(document.error()).during("list " + m_address.place());
        auto next = nextOf(*document, "ListBucketResult", "NextContinuationToken", token);
        if (!next)
            return std::move(next.error()).during("list " + m_address.place());
        for (const XmlElement& each : document->children) {
            if (each.name != "Contents")
                continue;
            const auto size = numberIn<std::uint64_t>(each.textOf("Size"));
            std::string key = each.textOf("Key");
            if (!size || !key.starts_with(prefix))
                return Error{ Errc::Corrupt, "list " + m_address.place() + ": the service answers nonsense" };
            if (auto taken = take({ std::move(key), *size, each.textOf("LastModified") }); !taken)
                return taken;
        }
        if (next->empty())
            return {};
        token = std::move(*next);
    }
    return Error{ Errc::LimitExceeded, "list " + m_address.place() + ": it does not end" };
}

Result<std::string> S3Client::beginUpload(const std::string& key, const std::stop_token& stop)
{
    const std::string none;
    const auto answer =
        send({ .method = "POST", .key = key, .query = { { "uploads", "" } }, .body = &none, .stop = stop });
    const auto document = answer ? parseXml(answer->body) : Result<XmlElement>(answer.error());
    if (!document)
        return Error(document.error()).during("begin an upload");
    std::string id = document->textOf("UploadId");
    if (id.empty() || id.size() > 2048)
        return Error{ Errc::Corrupt, m_address.place() + ": the service gave the upload no id" };
    return id;
}

Result<S3Part> S3Client::putPart(const std::string& key, const std::string& upload, int number,
                                 const std::string& body, const std::string& sha256,
                                 const std::stop_token& stop)
{
    const auto answer = send({ "PUT",
                               key,
                               { { "partNumber", std::to_string(number) }, { "uploadId", upload } },
                               {},
                               &body,
                               sha256,
                               kMostError,
                               stop });
    if (!answer)
        return answer.error();
    S3Part part{ number, body.size(), answer->header("etag") };
    if (part.etag.empty())
        return Error{ Errc::Corrupt,
                      m_address.place() + ": PUT " + key + ": the service gave the part no ETag" };
    return part;
}

Result<std::vector<S3Part>> S3Client::listParts(const std::string& key, const std::string& upload,
                                                const std::stop_token& stop)
{
    std::vector<S3Part> parts;
    std::string marker;
    for (int page = 0; page < kMostPages; ++page) {
        Request request{ .method = "GET", .key = key, .mostAnswer = kMostList, .stop = stop };
        if (!marker.empty())
            request.query.emplace_back("part-number-marker", marker);
        request.query.emplace_back("uploadId", upload);
        const auto answer = send(request);
        const auto document = answer ? parseXml(answer->body) : Result<XmlElement>(answer.error());
        if (!document)
            return document.error();
        auto next = nextOf(*document, "ListParts", "NextPartNumberMarker", marker);
        if (!next)
            return std::move(next.error()).during("list the parts of " + key);
        for (const XmlElement& each : document->children) {
            if (each.name != "Part")
                continue;
            const auto number = numberIn<int>(each.textOf("PartNumber"));
            const auto size = numberIn<std::uint64_t>(each.textOf("Size"));
            if (!number || !size || parts.size() > 10'000)
                return Error{ Errc::Corrupt, m_address.place() + ": the service lists parts that are none" };
            parts.push_back({ *number, *size, each.textOf("ETag") });
        }
        if (next->empty())
            return parts;
        marker = std::move(*next);
    }
    return Error{ Errc::LimitExceeded, m_address.place() + ": the list of parts does not end" };
}

Result<bool> S3Client::completeUpload(const std::string& key, const std::string& upload,
                                      const std::vector<S3Part>& parts, IfThere there,
                                      const std::stop_token& stop)
{
    std::string body = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">";
    for (const S3Part& part : parts)
        body += "<Part><PartNumber>" + std::to_string(part.number) + "</PartNumber><ETag>"
            + xmlEscaped(part.etag) + "</ETag></Part>";
    body += "</CompleteMultipartUpload>";
    const bool isConditional = there != IfThere::Replace;
    S3Fault fault;
    auto answer = send({ "POST",
                         key,
                         { { "uploadId", upload } },
                         isConditional ? Headers{ { "if-none-match", "*" } } : Headers(),
                         &body,
                         sha256Hex(body),
                         kMostError,
                         stop,
                         kJoinTimeout },
                       &fault);
    if (answer)
        return true;
    if (answer.error().code == Errc::Conflict)
        return false;
    if (there == IfThere::Keep && fault.code == "NotImplemented")
        return completeUpload(key, upload, parts, IfThere::Replace, stop);
    return std::move(answer.error());
}

Result<void> S3Client::abortUpload(const std::string& key, const std::string& upload,
                                   const std::stop_token& stop)
{
    auto answer = send({ .method = "DELETE", .key = key, .query = { { "uploadId", upload } }, .stop = stop });
    if (!answer && answer.error().code != Errc::NotFound)
        return std::move(answer.error());
    return {};
}

Result<std::vector<S3Upload>> S3Client::listUploads(const std::string& prefix, const std::stop_token& stop)
{
    std::vector<S3Upload> uploads;
    std::string keyMarker;
    std::string idMarker;
    for (int page = 0; page < kMostPages; ++page) {
        Request request{ .method = "GET", .mostAnswer = kMostList, .stop = stop };
        if (!keyMarker.empty())
            request.query.emplace_back("key-marker", keyMarker);
        request.query.emplace_back("prefix", prefix);
        if (!keyMarker.empty())
            request.query.emplace_back("upload-id-marker", idMarker);
        request.query.emplace_back("uploads", "");
        const auto answer = send(request);
        const auto document = answer ? parseXml(answer->body) : Result<XmlElement>(answer.error());
        if (!document)
            return Error(document.error()).during("list uploads");
        for (const XmlElement& each : document->children)
            if (each.name == "Upload" && each.textOf("Key").starts_with(prefix))
                uploads.push_back({ each.textOf("Key"), each.textOf("UploadId"), each.textOf("Initiated") });
        // A page may end between two uploads to the same key.
        const std::string nextId = document->textOf("NextUploadIdMarker");
        auto next = nextOf(*document, "ListMultipartUploadsResult", "NextKeyMarker",
                           nextId == idMarker ? keyMarker : std::string());
        if (!next)
            return std::move(next.error()).during("list uploads");
        if (next->empty())
            return uploads;
        keyMarker = std::move(*next);
        idMarker = nextId;
    }
    return Error{ Errc::LimitExceeded, m_address.place() + ": the list of uploads does not end" };
}

} // namespace sg::artifacts::s3
