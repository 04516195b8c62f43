#include "core/net/tls_stream.h"

#include "core/net/curl_library.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <ctime>

namespace sg::net {
namespace {

// TLS libraries write with write(), which raises SIGPIPE if the host has gone.
class NoBrokenPipe {
public:
    NoBrokenPipe()
    {
        sigset_t pending{};
        sigemptyset(&m_pipe);
        sigaddset(&m_pipe, SIGPIPE);
        sigpending(&pending);
        m_wasPending = sigismember(&pending, SIGPIPE) == 1;
        pthread_sigmask(SIG_BLOCK, &m_pipe, &m_before);
    }
    NoBrokenPipe(const NoBrokenPipe&) = delete;
    NoBrokenPipe& operator=(const NoBrokenPipe&) = delete;
    ~NoBrokenPipe()
    {
        const timespec now{};
        if (!m_wasPending)
            sigtimedwait(&m_pipe, nullptr, &now);
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }

private:
    sigset_t m_pipe{};
    sigset_t m_before{};
    bool m_wasPending = false;
};

struct Opening {
    Fd socket; // until the library has taken it
    const std::function<bool()>& isStopped;
};

curl_socket_t giveSocket(void* context, curlsocktype, curl_sockaddr*)
{
    return static_cast<Opening*>(context)->socket.take();
}

int isConnected(void*, curl_socket_t, curlsocktype)
{
    return CURL_SOCKOPT_ALREADY_CONNECTED;
}

int isStopped(void* context, curl_off_t, curl_off_t, curl_off_t, curl_off_t)
{
    const auto& asked = static_cast<Opening*>(context)->isStopped;
    return asked && asked() ? 1 : 0;
}

class CurlTls final : public TlsStream {
public:
    explicit CurlTls(const CurlLibrary& library)
        : m_library(library)
        , m_curl(library.easyInit())
    {
    }
    CurlTls(const CurlTls&) = delete;
    CurlTls& operator=(const CurlTls&) = delete;
    ~CurlTls() override
    {
        const NoBrokenPipe quiet; // cleanup sends a closing message
        m_library.easyCleanup(m_curl);
        m_library.slistFreeAll(m_addresses);
    }
    Result<void> greet(Fd socket, const Wish& wish);

    Result<std::optional<std::size_t>> read(char* buffer, std::size_t size) override
    {
        std::size_t got = 0;
        const CURLcode code = m_library.easyRecv(m_curl, buffer, size, &got);
        if (code == CURLE_AGAIN)
            return std::optional<std::size_t>();
        if (code != CURLE_OK)
            return Error{ Errc::Unavailable, m_library.easyStrerror(code) };
        return std::optional(got);
    }
    Result<std::size_t> write(std::string_view bytes) override
    {
        const NoBrokenPipe quiet;
        std::size_t sent = 0;
        const CURLcode code = m_library.easySend(m_curl, bytes.data(), bytes.size(), &sent);
        if (code != CURLE_OK && code != CURLE_AGAIN)
            return Error{ Errc::Unavailable, m_library.easyStrerror(code) };
        return code == CURLE_OK ? sent : 0;
    }
    [[nodiscard]] int socket() const override { return m_socket; }

private:
    void setOptions(const Wish& wish, const std::string& url, Opening& opening);

    const CurlLibrary& m_library;
    CURL* const m_curl;
    curl_slist* m_addresses = nullptr;
    int m_socket = -1; // owned by the library
};

void CurlTls::setOptions(const Wish& wish, const std::string& url, Opening& opening)
{
    const auto set = [this](CURLoption option, auto value) { m_library.easySetopt(m_curl, option, value); };
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_URL, url.c_str());
    set(CURLOPT_PROXY, "");
    set(CURLOPT_CONNECT_ONLY, 1L);
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(wish.time.count()));
    // The name is resolved and the socket connected already; this entry keeps curl from resolving it again.
    if (wish.host.find(':') == std::string::npos)
        m_addresses = m_library.slistAppend(nullptr, (wish.host + ":443:127.0.0.1").c_str());
    set(CURLOPT_RESOLVE, m_addresses);
    set(CURLOPT_OPENSOCKETFUNCTION, giveSocket);
    set(CURLOPT_OPENSOCKETDATA, &opening);
    set(CURLOPT_SOCKOPTFUNCTION, isConnected);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, isStopped);
    set(CURLOPT_XFERINFODATA, &opening);
    if (!wish.authorities.empty()) {
        set(CURLOPT_CAINFO, wish.authorities.c_str());
        set(CURLOPT_CAPATH, static_cast<char*>(nullptr));
    }
    if (!wish.certificate.empty()) {
        set(CURLOPT_SSLCERT, wish.certificate.c_str());
        set(CURLOPT_SSLKEY, wish.key.c_str());
    }
}

Result<void> CurlTls::greet(Fd socket, const Wish& wish)
{
    if (m_curl == nullptr)
        return Error{ Errc::Unavailable, "the HTTP library could not be started" };
    ::fcntl(socket.get(), F_SETFL, ::fcntl(socket.get(), F_GETFL) | O_NONBLOCK);
    Opening opening{ std::move(socket), wish.isStopped };
    char detail[CURL_ERROR_SIZE] = "";
    const bool isAddress6 = wish.host.find(':') != std::string::npos;
    const std::string url = "https://" + (isAddress6 ? '[' + wish.host + ']' : wish.host) + '/';
    setOptions(wish, url, opening);
    m_library.easySetopt(m_curl, CURLOPT_ERRORBUFFER, detail);
    const NoBrokenPipe quiet;
    const CURLcode code = m_library.easyPerform(m_curl);
    m_library.easySetopt(m_curl, CURLOPT_ERRORBUFFER, static_cast<char*>(nullptr));
    m_library.easySetopt(m_curl, CURLOPT_NOPROGRESS, 1L);
    const std::string why = wish.host + ": " + (*detail != 0 ? detail : m_library.easyStrerror(code));
    switch (code) {
    case CURLE_OK: break;
    case CURLE_PEER_FAILED_VERIFICATION: return Error{ Errc::PermissionDenied, why };
    case CURLE_OPERATION_TIMEDOUT: return Error{ Errc::Timeout, why };
    case CURLE_ABORTED_BY_CALLBACK: return Error{ Errc::Cancelled, "the session ends" };
    default: return Error{ Errc::Unavailable, why };
    }
    curl_socket_t active = -1;
    m_library.easyGetinfo(m_curl, CURLINFO_ACTIVESOCKET, &active);
    m_socket = active;
    return m_socket >= 0 ? Result<void>() : Error{ Errc::Unavailable, wish.host + ": the connection broke" };
}

} // namespace

Result<std::unique_ptr<TlsStream>> TlsStream::open(Fd socket, const Wish& wish)
{
    const auto& library = curlLibrary();
    if (!library)
        return library.error();
    auto made = std::make_unique<CurlTls>(*library);
    if (auto greeted = made->greet(std::move(socket), wish); !greeted)
        return std::move(greeted.error());
    return std::unique_ptr<TlsStream>(std::move(made));
}

} // namespace sg::net
