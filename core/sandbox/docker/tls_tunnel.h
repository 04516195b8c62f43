#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"
#include "core/net/tls_stream.h"

#include <atomic>
#include <filesystem>
#include <list>
#include <memory>
#include <string>
#include <thread>

namespace sg::sandbox {

// The address of an engine that is reached by TLS, with the certificates of DOCKER_CERT_PATH.
struct TlsPlace {
    std::string host; // empty: none
    std::string port;
    std::filesystem::path certificates; // ca.pem; cert.pem and key.pem where the engine wants them

    [[nodiscard]] std::string text() const { return "tcp://" + host + ':' + port; }
};

// A socket of this machine that leads to such an engine, while this object lives; only this user can connect.
class TlsTunnel {
public:
    // Connects once to check. Errc::Unavailable, Errc::PermissionDenied: which certificate is refused, and by
    // which side.
    static Result<std::shared_ptr<TlsTunnel>> open(const TlsPlace& place);
    TlsTunnel(TlsPlace place, std::filesystem::path folder, Fd listener, Fd stop);
    ~TlsTunnel();
    TlsTunnel(const TlsTunnel&) = delete;
    TlsTunnel& operator=(const TlsTunnel&) = delete;

    [[nodiscard]] std::filesystem::path socket() const;

private:
    struct Line {
        std::thread thread;
        std::atomic<bool> isOver = false;
    };
    void acceptAll();
    void addLine(Fd local);
    void serve(Fd local) const;

    // constant after construction
    const TlsPlace m_place;
    const std::filesystem::path m_folder;
    const Fd m_listener;
    const Fd m_stop; // readable once the tunnel ends
    // belongs to the acceptor
    std::list<Line> m_lines;
    std::thread m_acceptor;
};

} // namespace sg::sandbox
