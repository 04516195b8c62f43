#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace sg::net {

// A server's end of a connection, with or without TLS. Nothing waits: what cannot be done now says what to
// wait for. One thread.
class ServerSocket {
public:
    enum class State { Done, NeedsRead, NeedsWrite, Over };
    struct Step {
        State state = State::Done;
        std::size_t bytes = 0;
    };
    virtual ~ServerSocket() = default;
    virtual Step read(char* buffer, std::size_t size) = 0;
    // Writes both texts, one after the other. After NeedsWrite the same bytes come again.
    virtual Step write(std::string_view first, std::string_view second) = 0;
    virtual Step sendFile(int file, std::uint64_t offset, std::size_t size) = 0;
    [[nodiscard]] virtual bool hasMore() const = 0; // bytes that poll() does not know of
    virtual void endWriting() = 0;
};

class TlsKeys;
// Reads PEM files. Errc::InvalidArgument: they are none, or do not belong together.
Result<std::shared_ptr<const TlsKeys>> loadTlsKeys(const std::filesystem::path& certificate,
                                                   const std::filesystem::path& key);
// `keys` may be null: no TLS. The descriptor stays its owner's.
std::unique_ptr<ServerSocket> makeServerSocket(int socket, const TlsKeys* keys);

} // namespace sg::net
