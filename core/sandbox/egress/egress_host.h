#pragma once

#include "core/base/child_process.h"
#include "core/net/tls_stream.h"
#include "core/sandbox/egress/byte_relay.h"

#include <memory>
#include <string_view>

namespace sg::sandbox::egress {

// The connection to a plain request's host: a socket, or TLS over it. One thread.
class EgressHost {
public:
    explicit EgressHost(Fd socket)
        : m_socket(std::move(socket))
    {
    }
    explicit EgressHost(std::unique_ptr<net::TlsStream> tls)
        : m_tls(std::move(tls))
    {
    }
    [[nodiscard]] bool send(std::string_view bytes, int stop, SteadyTime deadline);
    // Passes the host's whole answer on; see relayBytes().
    void relayAnswer(int inside, int stop, Millis idle, const RelayCount& count);

private:
    Fd m_socket;
    std::unique_ptr<net::TlsStream> m_tls; // instead of the socket
};

} // namespace sg::sandbox::egress
