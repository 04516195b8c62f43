#include "core/net/http_client.h"

#include "core/net/curl_library.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace sg::net {
namespace {

constexpr std::size_t kMaxHeaders = 256;

struct Transfer {
    const CurlLibrary& curl;
    const HttpRequest& request;
    CURL* handle;
    HttpResponse response;
    bool tooLarge = false;
    bool cancelled = false;
    bool stalled = false;
    bool hasBody = false;
    curl_off_t sent = 0;
    std::chrono::steady_clock::time_point lastByte = std::chrono::steady_clock::now();
};

std::size_t onHeader(char* data, std::size_t size, std::size_t count, void* context)
{
    auto& transfer = *static_cast<Transfer*>(context);
    const std::string_view line(data, size * count);
    transfer.lastByte = std::chrono::steady_clock::now();
    if (line.rfind("HTTP/", 0) == 0)
        transfer.response.headers.clear(); // drops those of an interim answer
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && transfer.response.headers.size() < kMaxHeaders) {
        std::string name(line.substr(0, colon));
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
        std::string_view value = line.substr(colon + 1);
        while (!value.empty() && std::isspace(static_cast<unsigned char>(value.front())))
            value.remove_prefix(1);
        while (!value.empty() && std::isspace(static_cast<unsigned char>(value.back())))
            value.remove_suffix(1);
        transfer.response.headers.emplace_back(std::move(name), std::string(value));
    }
    return size * count;
}

std::size_t onData(char* data, std::size_t size, std::size_t count, void* context)
{
    auto& transfer = *static_cast<Transfer*>(context);
    const std::string_view piece(data, size * count);
    transfer.lastByte = std::chrono::steady_clock::now();
    long status = 0;
    transfer.curl.easyGetinfo(transfer.handle, CURLINFO_RESPONSE_CODE, &status);
    transfer.response.status = static_cast<int>(status);
    if (!std::exchange(transfer.hasBody, true) && transfer.request.onHead
        && !transfer.request.onHead(transfer.response)) {
        transfer.cancelled = true;
        return 0;
    }
    if (transfer.request.onBody) {
        if (transfer.request.onBody(static_cast<int>(status), piece))
            return piece.size();
        transfer.cancelled = true;
        return 0;
    }
    if (piece.size() > transfer.request.bodyLimit - transfer.response.body.size()) {
        transfer.tooLarge = true;
        return 0;
    }
    transfer.response.body.append(piece);
    return piece.size();
}

int onProgress(void* context, curl_off_t, curl_off_t, curl_off_t, curl_off_t sent)
{
    auto& transfer = *static_cast<Transfer*>(context);
    if (std::exchange(transfer.sent, sent) != sent)
        transfer.lastByte = std::chrono::steady_clock::now();
    if (!transfer.request.stop.stop_requested())
        return 0;
    transfer.cancelled = true;
    return 1;
}

struct HeaderList {
    const CurlLibrary& curl;
    curl_slist* first = nullptr;

    explicit HeaderList(const CurlLibrary& library)
        : curl(library)
    {
    }
    HeaderList(const HeaderList&) = delete;
    HeaderList& operator=(const HeaderList&) = delete;
    ~HeaderList() { curl.slistFreeAll(first); }
    void add(const std::string& line) { first = curl.slistAppend(first, line.c_str()); }
};

std::string addressOf(const HttpRequest& request)
{
    return request.unixSocket.empty() ? request.url : request.unixSocket.string();
}

// libcurl sends requests to this machine through the environment's proxy, too, unless no_proxy names it.
bool isToThisMachine(const std::string& url)
{
    const auto scheme = url.find("://");
    const std::string_view host =
        scheme == std::string::npos ? std::string_view(url) : std::string_view(url).substr(scheme + 3);
    return std::ranges::any_of(std::array{ "localhost", "127.", "[::1]" },
                               [host](std::string_view start) { return host.starts_with(start); });
}

void setSignature(const CurlLibrary& curl, CURL* handle, const AwsKey& key)
{
    const std::string scope = "aws:amz:" + key.region + ':' + key.service;
    curl.easySetopt(handle, CURLOPT_AWS_SIGV4, scope.c_str());
    curl.easySetopt(handle, CURLOPT_USERNAME, key.id.c_str());
    curl.easySetopt(handle, CURLOPT_PASSWORD, key.secret.c_str());
    curl.easySetopt(handle, CURLOPT_PATH_AS_IS, 1L); // what is signed is what is sent
}

void setOptions(CURL* handle, const HttpRequest& request, const HeaderList& headers, Transfer& transfer)
{
    transfer.curl.easyReset(handle);
    const auto set = [&transfer, handle](CURLoption option, auto value) {
        transfer.curl.easySetopt(handle, option, value);
    };
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_URL, request.url.c_str());
    set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
    if (!request.unixSocket.empty())
        set(CURLOPT_UNIX_SOCKET_PATH, request.unixSocket.c_str());
    if (!request.unixSocket.empty() || isToThisMachine(request.url))
        set(CURLOPT_PROXY, "");
    if (!request.body.empty() || request.method == "POST" || request.method == "PUT") {
        set(CURLOPT_POSTFIELDS, request.body.data());
        set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    }
    set(CURLOPT_NOBODY, request.method == "HEAD" ? 1L : 0L);
    set(CURLOPT_HTTPHEADER, headers.first);
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.connectTimeout.count()));
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout.count()));
    if (!request.authorities.empty())
        set(CURLOPT_CAINFO, request.authorities.c_str());
    if (request.awsKey != nullptr)
        setSignature(transfer.curl, handle, *request.awsKey);
    set(CURLOPT_HEADERFUNCTION, onHeader);
    set(CURLOPT_HEADERDATA, &transfer);
    set(CURLOPT_WRITEFUNCTION, onData);
    set(CURLOPT_WRITEDATA, &transfer);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, onProgress);
    set(CURLOPT_XFERINFODATA, &transfer);
}

Error transferError(CURLcode code, const Transfer& transfer, const char* detail)
{
    const HttpRequest& request = transfer.request;
    const std::string doing = request.method + ' ' + addressOf(request) + ": ";
    const std::string why = *detail ? detail : transfer.curl.easyStrerror(code);
    if (transfer.tooLarge)
        return { Errc::LimitExceeded,
                 doing + "the answer is larger than " + std::to_string(request.bodyLimit) + " bytes" };
    if (transfer.cancelled)
        return { Errc::Cancelled, doing + "cancelled" };
    if (transfer.stalled)
        return { Errc::Timeout,
                 doing + "nothing came for " + std::to_string(request.stallTimeout.count() / 1000)
                     + " seconds" };
    switch (code) {
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE: return { Errc::PermissionDenied, doing + why };
    case CURLE_OPERATION_TIMEDOUT: return { Errc::Timeout, doing + why };
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL: return { Errc::InvalidArgument, doing + why };
    case CURLE_COULDNT_CONNECT:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY: return { Errc::Unavailable, doing + why };
    default: return { Errc::Io, doing + why };
    }
}

} // namespace

// A transfer of its own, with the connections that it leaves open.
struct HttpClient::Handle {
    const CurlLibrary& library;
    CURL* curl;
    CURLM* multi;

    explicit Handle(const CurlLibrary& loaded)
        : library(loaded)
        , curl(loaded.easyInit())
        , multi(loaded.multiInit())
    {
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle()
    {
        library.easyCleanup(curl);
        library.multiCleanup(multi);
    }
    [[nodiscard]] bool isReady() const { return curl != nullptr && multi != nullptr; }
};

namespace {

// Returns how many milliseconds the client may wait for bytes until something has to be looked at.
int waitOf(const Transfer& transfer)
{
    constexpr int kLongest = 1000;
    if (transfer.request.stallTimeout.count() == 0)
        return kLongest;
    const auto left = transfer.lastByte + transfer.request.stallTimeout - std::chrono::steady_clock::now();
    return static_cast<int>(std::clamp<std::int64_t>(
        std::chrono::duration_cast<std::chrono::milliseconds>(left).count() + 1, 0, kLongest));
}

// Like curl_easy_perform(), which can neither be woken by another thread nor see that nothing comes.
CURLcode perform(const CurlLibrary& curl, CURLM* multi, Transfer& transfer)
{
    const std::stop_callback wake(transfer.request.stop, [&] { curl.multiWakeup(multi); });
    if (curl.multiAddHandle(multi, transfer.handle) != CURLM_OK)
        return CURLE_FAILED_INIT;
    CURLcode code = CURLE_OK;
    for (int running = 1; running > 0;) {
        transfer.cancelled = transfer.cancelled || transfer.request.stop.stop_requested();
        transfer.stalled = transfer.request.stallTimeout.count() > 0
            && std::chrono::steady_clock::now() - transfer.lastByte > transfer.request.stallTimeout;
        if (transfer.request.isEnough
            && std::chrono::steady_clock::now() - transfer.lastByte > std::chrono::seconds(1)
            && transfer.request.isEnough())
            break;
        if (transfer.cancelled || transfer.stalled) {
            code = CURLE_ABORTED_BY_CALLBACK;
            break;
        }
        if (curl.multiPerform(multi, &running) != CURLM_OK) {
            code = CURLE_FAILED_INIT;
            break;
        }
        if (running > 0)
            curl.multiPoll(multi, nullptr, 0, waitOf(transfer), nullptr);
    }
    int left = 0;
    while (const CURLMsg* message = curl.multiInfoRead(multi, &left))
        if (message->msg == CURLMSG_DONE)
            code = message->data.result;
    curl.multiRemoveHandle(multi, transfer.handle);
    return code;
}

} // namespace

std::string HttpResponse::header(std::string_view name) const
{
    const auto found =
        std::find_if(headers.begin(), headers.end(), [&](const auto& entry) { return entry.first == name; });
    return found == headers.end() ? std::string() : found->second;
}

HttpClient::HttpClient(std::size_t idle)
    : m_mostIdle(idle)
{
}

HttpClient::~HttpClient() = default;

Result<std::unique_ptr<HttpClient::Handle>> HttpClient::take()
{
    const auto& library = curlLibrary();
    if (!library)
        return library.error();
    {
        const std::lock_guard lock(m_mutex);
        if (!m_idle.empty()) {
            auto handle = std::move(m_idle.back());
            m_idle.pop_back();
            return handle;
        }
    }
    return std::make_unique<Handle>(*library);
}

Result<HttpResponse> HttpClient::send(const HttpRequest& request)
{
    auto taken = take();
    if (!taken)
        return std::move(taken.error());
    std::unique_ptr<Handle> handle = *std::move(taken);
    const CurlLibrary& library = handle->library;
    if (!handle->isReady())
        return Error{ Errc::Unavailable, "the HTTP library could not be started" };
    HeaderList headers(library);
    // No round trip before a body is sent. Libcurl would sign the header that this line only takes away.
    if (request.awsKey == nullptr)
        headers.add("Expect:");
    else if (!request.awsKey->sessionToken.empty())
        headers.add("x-amz-security-token: " + request.awsKey->sessionToken);
    for (const auto& [name, value] : request.headers) {
        if ((name + value).find_first_of("\r\n") != std::string::npos)
            return Error{ Errc::InvalidArgument, "HTTP header " + name + ": a line break in it" };
        headers.add(name + ": " + value);
    }
    Transfer transfer{ library, request, handle->curl, {} };
    char detail[CURL_ERROR_SIZE] = "";
    setOptions(handle->curl, request, headers, transfer);
    library.easySetopt(handle->curl, CURLOPT_ERRORBUFFER, detail);
    const CURLcode code = perform(library, handle->multi, transfer);
    if (code != CURLE_OK)
        return transferError(code, transfer, detail); // the connection's state is unknown, so it is not kept
    long status = 0;
    library.easyGetinfo(handle->curl, CURLINFO_RESPONSE_CODE, &status);
    transfer.response.status = static_cast<int>(status);
    if (!transfer.hasBody && request.onHead)
        request.onHead(transfer.response);
    const std::lock_guard lock(m_mutex);
    if (m_idle.size() < m_mostIdle)
        m_idle.push_back(std::move(handle));
    return std::move(transfer.response);
}

std::string percentEncoded(std::string_view text)
{
    constexpr std::string_view kPlain = "-._~";
    constexpr const char* kDigits = "0123456789ABCDEF";
    std::string encoded;
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        const bool alphanumeric = byte < 128 && std::isalnum(byte);
        if (alphanumeric || kPlain.find(letter) != std::string_view::npos) {
            encoded += letter;
        } else {
            encoded += '%';
            encoded += kDigits[byte >> 4U];
            encoded += kDigits[byte & 15U];
        }
    }
    return encoded;
}

} // namespace sg::net
