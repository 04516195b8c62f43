#pragma once

#include "core/base/child_process.h"
#include "core/base/clock.h"
#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sg::net {

// A TLS client over a connected socket. The host must prove its name or address by a certificate of an
// authority that this machine trusts. One thread at a time. The library is loaded with the first stream.
class TlsStream {
public:
    struct Wish {
        std::string host; // a name, or an address without brackets
        std::filesystem::path authorities; // a PEM file in place of this machine's, or empty
        std::filesystem::path certificate{}; // our own, PEM, with its key; empty: none
        std::filesystem::path key{};
        std::chrono::milliseconds time{ 15'000 }; // for the handshake
        std::function<bool()> isStopped{}; // asked during the handshake; may be empty
    };
    // Errc::PermissionDenied: the host does not prove its name. Errc::Timeout, Cancelled, Unavailable.
    static Result<std::unique_ptr<TlsStream>> open(Fd socket, const Wish& wish);
    virtual ~TlsStream() = default;

    // Neither waits. read() returns nullopt if there are no bytes yet, and 0 at the end; write() returns how
    // many bytes were taken, which may be none.
    virtual Result<std::optional<std::size_t>> read(char* buffer, std::size_t size) = 0;
    virtual Result<std::size_t> write(std::string_view bytes) = 0;
    [[nodiscard]] virtual int socket() const = 0; // for polling when nothing was read or written
};

} // namespace sg::net
