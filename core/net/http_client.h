#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sg::net {

struct HttpResponse;

// A key for AWS's Signature Version 4, which S3 and its relatives ask for. The query of a signed request is
// sorted and encoded by its caller.
struct AwsKey {
    std::string region;
    std::string service; // "s3"
    std::string id;
    std::string secret;
    std::string sessionToken; // of temporary keys; may be empty
};

struct HttpRequest {
    std::string method = "GET";
    std::string url; // http or https; with unixSocket the host is only a name
    std::filesystem::path unixSocket; // connect there instead of by TCP
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
    const AwsKey* awsKey = nullptr; // signs the request with all its headers; outlives send()
    std::chrono::milliseconds connectTimeout{ 5000 };
    std::chrono::milliseconds timeout{ 30000 }; // for all of it; 0: none
    std::chrono::milliseconds stallTimeout{ 0 }; // without a byte in either direction; 0: none
    std::filesystem::path authorities; // of TLS: a PEM file in place of this machine's; empty: those
    std::size_t bodyLimit = 64U << 20; // of the answer: Errc::LimitExceeded beyond it
    // Gets the answer's body piece by piece, as it arrives, in the calling thread; false ends the request
    // (Errc::Cancelled). The response's body is then empty and has no limit.
    std::function<bool(int status, std::string_view piece)> onBody;
    // Gets status and headers before the first piece of a body, in the calling thread; false ends the request
    // as above.
    std::function<bool(const HttpResponse& head)> onHead;
    // Asked where no byte has come for a second: true ends the request as if its answer had ended there.
    std::function<bool()> isEnough;
    std::stop_token stop; // Errc::Cancelled, at once: the connection is closed
};

struct HttpResponse {
    int status = 0; // any; an error status is an answer, too
    std::vector<std::pair<std::string, std::string>> headers; // names in lower case
    std::string body;

    [[nodiscard]] std::string header(std::string_view name) const; // empty if it is absent
};

// Sends HTTP requests, several at once, from any thread. It follows no redirects and keeps connections open.
// The library is loaded with the first request. Errc::Unavailable: nobody answers; Errc::Timeout.
class HttpClient {
public:
    // `idle`: how many connections are kept open.
    explicit HttpClient(std::size_t idle = 4);
    ~HttpClient();
    HttpClient(const HttpClient&) = delete;
    HttpClient& operator=(const HttpClient&) = delete;

    Result<HttpResponse> send(const HttpRequest& request);

private:
    struct Handle;
    Result<std::unique_ptr<Handle>> take();

    const std::size_t m_mostIdle;
    std::mutex m_mutex;
    std::vector<std::unique_ptr<Handle>> m_idle; // guarded by m_mutex
};

// Encodes text for a path or query: everything but letters, digits and "-._~" becomes %XX.
std::string percentEncoded(std::string_view text);

} // namespace sg::net
