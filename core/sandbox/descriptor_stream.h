#pragma once

#include "core/base/child_process.h"
#include "core/sandbox/descriptor_carrier.h"
#include "core/sandbox/sandbox.h"

#include <atomic>

namespace sg::sandbox {

// A ByteStream over a connected stream socket, which it owns.
class DescriptorStream final : public ByteStream, public DescriptorCarrier {
public:
    // `early`: bytes that were already read from the socket.
    explicit DescriptorStream(Fd socket, std::string early = {});

    Result<std::size_t> read(char* buffer, std::size_t size, std::chrono::milliseconds timeout) override;
    Result<void> write(std::string_view bytes) override;
    Result<void> writeWith(std::string_view bytes, int descriptor) override;
    void close() override;

private:
    [[nodiscard]] Error writeError(int number) const;

    const Fd m_socket; // open for as long as this object lives: close() only shuts it down
    std::atomic<bool> m_closed = false;
    std::string m_early; // belongs to the reading thread
};

} // namespace sg::sandbox
