#include "core/net/http_client.h"

#include <curl/curl.h>

#include <algorithm>
#include <cctype>

namespace sg::net {
namespace {

constexpr std::size_t kMaxIdle = 4;
constexpr std::size_t kMaxHeaders = 256;

struct Transfer {
    const HttpRequest& request;
    CURL* handle;
    HttpResponse response;
    bool tooLarge = false;
    bool cancelled = false;
};

std::size_t onHeader(char* data, std::size_t size, std::size_t count, void* context)
{
    auto& transfer = *static_cast<Transfer*>(context);
    const std::string_view line(data, size * count);
    if (line.rfind("HTTP/", 0) == 0)
        transfer.response.headers.clear(); // of an interim answer
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
    if (transfer.request.onBody) {
        long status = 0;
        curl_easy_getinfo(transfer.handle, CURLINFO_RESPONSE_CODE, &status);
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

int onProgress(void* context, curl_off_t, curl_off_t, curl_off_t, curl_off_t)
{
    auto& transfer = *static_cast<Transfer*>(context);
    if (!transfer.request.stop.stop_requested())
        return 0;
    transfer.cancelled = true;
    return 1;
}

struct HeaderList {
    curl_slist* first = nullptr;
    ~HeaderList() { curl_slist_free_all(first); }
    void add(const std::string& line) { first = curl_slist_append(first, line.c_str()); }
};

std::string addressOf(const HttpRequest& request)
{
    return request.unixSocket.empty() ? request.url : request.unixSocket.string();
}

void setOptions(CURL* handle, const HttpRequest& request, const HeaderList& headers, Transfer& transfer)
{
    curl_easy_reset(handle);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_URL, request.url.c_str());
    curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request.method.c_str());
    if (!request.unixSocket.empty()) {
        curl_easy_setopt(handle, CURLOPT_UNIX_SOCKET_PATH, request.unixSocket.c_str());
        curl_easy_setopt(handle, CURLOPT_PROXY, "");
    }
    if (!request.body.empty() || request.method == "POST" || request.method == "PUT") {
        curl_easy_setopt(handle, CURLOPT_POSTFIELDS, request.body.data());
        curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    }
    curl_easy_setopt(handle, CURLOPT_NOBODY, request.method == "HEAD" ? 1L : 0L);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers.first);
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.connectTimeout.count()));
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout.count()));
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, onHeader);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, &transfer);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, onData);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &transfer);
    curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, onProgress);
    curl_easy_setopt(handle, CURLOPT_XFERINFODATA, &transfer);
}

Error transferError(CURLcode code, const Transfer& transfer, const char* detail)
{
    const HttpRequest& request = transfer.request;
    const std::string doing = request.method + ' ' + addressOf(request) + ": ";
    const std::string why = *detail ? detail : curl_easy_strerror(code);
    if (transfer.tooLarge)
        return { Errc::LimitExceeded,
                 doing + "the answer is larger than " + std::to_string(request.bodyLimit) + " bytes" };
    if (transfer.cancelled)
        return { Errc::Cancelled, doing + "cancelled" };
    switch (code) {
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

struct HttpClient::Handle {
    CURL* curl = nullptr;
    Handle()
    {
        static std::once_flag started;
        std::call_once(started, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
        curl = curl_easy_init();
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() { curl_easy_cleanup(curl); }
};

std::string HttpResponse::header(std::string_view name) const
{
    const auto found =
        std::find_if(headers.begin(), headers.end(), [&](const auto& entry) { return entry.first == name; });
    return found == headers.end() ? std::string() : found->second;
}

HttpClient::HttpClient() = default;
HttpClient::~HttpClient() = default;

std::unique_ptr<HttpClient::Handle> HttpClient::take()
{
    {
        const std::lock_guard lock(m_mutex);
        if (!m_idle.empty()) {
            auto handle = std::move(m_idle.back());
            m_idle.pop_back();
            return handle;
        }
    }
    return std::make_unique<Handle>();
}

Result<HttpResponse> HttpClient::send(const HttpRequest& request)
{
    auto handle = take();
    if (!handle->curl)
        return Error{ Errc::Unavailable, "the HTTP library could not be started" };
    HeaderList headers;
    headers.add("Expect:"); // no round trip before a body is sent
    for (const auto& [name, value] : request.headers) {
        if ((name + value).find_first_of("\r\n") != std::string::npos)
            return Error{ Errc::InvalidArgument, "HTTP header " + name + ": a line break in it" };
        headers.add(name + ": " + value);
    }
    Transfer transfer{ request, handle->curl, {}, false, false };
    char detail[CURL_ERROR_SIZE] = "";
    setOptions(handle->curl, request, headers, transfer);
    curl_easy_setopt(handle->curl, CURLOPT_ERRORBUFFER, detail);
    const CURLcode code = curl_easy_perform(handle->curl);
    if (code != CURLE_OK)
        return transferError(code, transfer, detail); // its connection is in an unknown state: not kept
    long status = 0;
    curl_easy_getinfo(handle->curl, CURLINFO_RESPONSE_CODE, &status);
    transfer.response.status = static_cast<int>(status);
    const std::lock_guard lock(m_mutex);
    if (m_idle.size() < kMaxIdle)
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
