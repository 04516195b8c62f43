#pragma once

#include "core/sandbox/descriptor_stream.h"
#include "core/sandbox/docker/engine_api.h"

#include <mutex>
#include <string>

namespace sg::sandbox {

// AttachedStream is a container's standard streams over one connection. Output comes in frames [1 stdout | 2
// stderr][0][0][0][u32 length, big-endian][bytes], split and joined at any point; stdin is sent unframed.
// Reading returns stdout; a bounded part of stderr is kept.
class AttachedStream final : public ByteStream {
public:
    explicit AttachedStream(EngineStream stream);

    Result<std::size_t> read(char* buffer, std::size_t size, std::chrono::milliseconds timeout) override;
    Result<void> write(std::string_view bytes) override { return m_raw.write(bytes); }
    void close() override { m_raw.close(); }

    // The kept part of stderr.
    [[nodiscard]] std::string errors();
    // Takes in what has come, and what comes within that time, for callers that do not read the stream.
    void receive(std::chrono::milliseconds patience);

private:
    Result<std::size_t> readFrame(char* buffer, std::size_t size, std::chrono::milliseconds timeout);

    DescriptorStream m_raw;
    // belongs to the reading thread
    std::string m_head; // of the frame, up to 8 bytes
    std::size_t m_left = 0; // of the frame
    bool m_isError = false;
    // guarded by m_mutex
    std::mutex m_mutex;
    std::string m_errors;
};

} // namespace sg::sandbox
