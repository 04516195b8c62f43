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

// TLS over a connected socket, as its client. The host must prove that name, or address, by a certificate of
// an authority that this machine trusts. One thread at a time; the library behind it is loaded with the
// first.
class TlsStream {
public:
    struct Wish {
        std::string host; // a name, or an address without brackets
        std::filesystem::path authorities; // a PEM file in place of this machine's; empty: those
        std::filesystem::path certificate{}; // our own, PEM, and its key; empty: none
        std::filesystem::path key{};
        std::chrono::milliseconds time{ 15'000 }; // for the greeting
        std::function<bool()> isStopped{}; // asked now and then meanwhile; may be empty
    };
    // Errc::PermissionDenied: the host is not who it should be. Errc::Timeout, Errc::Cancelled,
    // Errc::Unavailable.
    static Result<std::unique_ptr<TlsStream>> open(Fd socket, const Wish& wish);
    virtual ~TlsStream() = default;

    // Neither waits. Read: nothing where no bytes are there yet, 0 at the end. Write: how many were taken,
    // maybe none.
    virtual Result<std::optional<std::size_t>> read(char* buffer, std::size_t size) = 0;
    virtual Result<std::size_t> write(std::string_view bytes) = 0;
    [[nodiscard]] virtual int socket() const = 0; // to wait on, once read or write gave nothing
};

} // namespace sg::net
