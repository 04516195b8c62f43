#include "core/net/server_socket.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace sg::net {

class TlsKeys {
public:
    explicit TlsKeys(SSL_CTX* context)
        : m_context(context)
    {
    }
    TlsKeys(const TlsKeys&) = delete;
    TlsKeys& operator=(const TlsKeys&) = delete;
    ~TlsKeys() { SSL_CTX_free(m_context); }
    [[nodiscard]] SSL_CTX* get() const { return m_context; }

private:
    SSL_CTX* const m_context;
};

namespace {

using IoState = ServerSocket::State;

ServerSocket::Step stepOf(ssize_t count, IoState waits)
{
    if (count > 0)
        return { IoState::Done, static_cast<std::size_t>(count) };
    const bool mustWait = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
    return { mustWait ? waits : IoState::Over, 0 };
}

class PlainSocket final : public ServerSocket {
public:
    explicit PlainSocket(int socket)
        : m_socket(socket)
    {
    }
    Step read(char* buffer, std::size_t size) override
    {
        return stepOf(::recv(m_socket, buffer, size, MSG_DONTWAIT), IoState::NeedsRead);
    }
    Step write(std::string_view first, std::string_view second) override
    {
        std::array<iovec, 2> parts{ iovec{ const_cast<char*>(first.data()), first.size() },
                                    iovec{ const_cast<char*>(second.data()), second.size() } };
        msghdr message{};
        message.msg_iov = parts.data();
        message.msg_iovlen = parts.size();
        return stepOf(::sendmsg(m_socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL), IoState::NeedsWrite);
    }
    Step sendFile(int file, std::uint64_t offset, std::size_t size) override
    {
        auto at = static_cast<off_t>(offset);
        return stepOf(::sendfile(m_socket, file, &at, size), IoState::NeedsWrite); // 0: it became shorter
    }
    [[nodiscard]] bool hasMore() const override { return false; }
    void endWriting() override { (void)::shutdown(m_socket, SHUT_WR); }

private:
    const int m_socket;
};

class TlsSocket final : public ServerSocket {
public:
    TlsSocket(int socket, const TlsKeys& keys)
        : m_socket(socket)
        , m_tls(SSL_new(keys.get()))
    {
        if (m_tls == nullptr)
            return;
        SSL_set_fd(m_tls, socket);
        SSL_set_accept_state(m_tls);
    }
    TlsSocket(const TlsSocket&) = delete;
    TlsSocket& operator=(const TlsSocket&) = delete;
    ~TlsSocket() override { SSL_free(m_tls); }
    Step read(char* buffer, std::size_t size) override
    {
        std::size_t count = 0;
        return m_tls == nullptr ? Step{ IoState::Over, 0 }
                                : step([&] { return SSL_read_ex(m_tls, buffer, size, &count); }, count);
    }
    Step write(std::string_view first, std::string_view second) override
    {
        const std::string_view text = first.empty() ? second : first;
        std::size_t count = 0;
        return step([&] { return SSL_write_ex(m_tls, text.data(), text.size(), &count); }, count);
    }
    Step sendFile(int file, std::uint64_t offset, std::size_t size) override
    {
        std::array<char, 16384> piece; // what TLS sends at once
        const ssize_t got =
            ::pread(file, piece.data(), std::min(size, piece.size()), static_cast<off_t>(offset));
        return got <= 0 ? Step{ IoState::Over, 0 }
                        : write({ piece.data(), static_cast<std::size_t>(got) }, {});
    }
    [[nodiscard]] bool hasMore() const override { return m_tls != nullptr && SSL_has_pending(m_tls) == 1; }
    void endWriting() override
    {
        if (m_tls != nullptr && SSL_is_init_finished(m_tls) == 1) {
            ERR_clear_error();
            (void)SSL_shutdown(m_tls);
        }
        (void)::shutdown(m_socket, SHUT_WR);
    }

private:
    template<typename Call>
    Step step(const Call& call, const std::size_t& count)
    {
        ERR_clear_error();
        const int done = call();
        if (done == 1)
            return { IoState::Done, count };
        switch (SSL_get_error(m_tls, done)) {
        case SSL_ERROR_WANT_READ: return { IoState::NeedsRead, 0 };
        case SSL_ERROR_WANT_WRITE: return { IoState::NeedsWrite, 0 };
        default: return { IoState::Over, 0 };
        }
    }

    const int m_socket;
    SSL* const m_tls;
};

} // namespace

Result<std::shared_ptr<const TlsKeys>> loadTlsKeys(const std::filesystem::path& certificate,
                                                   const std::filesystem::path& key)
{
    SSL_CTX* const context = SSL_CTX_new(TLS_server_method());
    if (context == nullptr)
        return Error{ Errc::Unavailable, "TLS cannot be used on this machine" };
    auto keys = std::make_shared<const TlsKeys>(context);
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    if (SSL_CTX_use_certificate_chain_file(context, certificate.c_str()) != 1)
        return Error{ Errc::InvalidArgument,
                      certificate.string() + " is no certificate in PEM form that can be read" };
    if (SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM) != 1)
        return Error{ Errc::InvalidArgument,
                      key.string() + " is no private key in PEM form that belongs to "
                          + certificate.string() };
    return keys;
}

std::unique_ptr<ServerSocket> makeServerSocket(int socket, const TlsKeys* keys)
{
    if (keys == nullptr)
        return std::make_unique<PlainSocket>(socket);
    return std::make_unique<TlsSocket>(socket, *keys);
}

} // namespace sg::net
