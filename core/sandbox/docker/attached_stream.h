#pragma once

#include "core/sandbox/descriptor_stream.h"
#include "core/sandbox/docker/engine_api.h"

#include <mutex>
#include <string>

namespace sg::sandbox {

// The standard streams of a container's first process over one connection. What it writes comes in frames
// [1 stdout | 2 stderr][0][0][0][u32 length, big-endian][bytes], split and joined anyhow; stdin goes as it
// is. Reading gives stdout; stderr is kept, bounded.
class AttachedStream final : public ByteStream {
public:
    explicit AttachedStream(EngineStream stream);

    Result<std::size_t> read(char* buffer, std::size_t size, std::chrono::milliseconds timeout) override;
    Result<void> write(std::string_view bytes) override { return m_raw.write(bytes); }
    void close() override { m_raw.close(); }

    // What came on stderr so far.
    [[nodiscard]] std::string errors();
    // Where nobody reads the stream: takes in what has come and what comes within that time.
    void receive(std::chrono::milliseconds patience);

private:
    Result<std::size_t> readFrame(char* buffer, std::size_t size, std::chrono::milliseconds timeout);

    DescriptorStream m_raw;
    // the reading thread's
    std::string m_head; // of the frame, up to 8 bytes
    std::size_t m_left = 0; // of the frame
    bool m_isError = false;
    // guarded by m_mutex
    std::mutex m_mutex;
    std::string m_errors;
};

} // namespace sg::sandbox
