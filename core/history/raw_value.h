#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

namespace sg::history {

// The bytes of a value in a checkpoint database, for values that nobody can or should interpret. Finding them
// skips what comes before; then they are read in pieces, and never decoded.
struct RawValue {
    std::string type; // how they are stored: "pickle", "bytes", "msgpack, ext 5", "msgpack"
    std::string object; // "module.Class" if the bytes name it, else empty
    std::int64_t size = 0;
    std::int64_t row = 0; // the database row that holds them
    std::int64_t begin = 0;
    // These describe the row when it was found, because VACUUM and other programs may replace it.
    ThreadId thread;
    CheckpointId checkpoint;
    std::string rowType;
    std::int64_t rowSize = 0;
};

class RawValues {
public:
    explicit RawValues(std::filesystem::path database);
    ~RawValues();
    RawValues(const RawValues&) = delete;
    RawValues& operator=(const RawValues&) = delete;

    // `pointer` is a JSON pointer into the state as it is shown; one that leads into an object means that
    // object. Empty: the checkpoint's own bytes. NotFound: the value is not stored there separately.
    Result<RawValue> find(const ThreadId& thread, const CheckpointId& checkpoint, const std::string& pointer);
    // Errc::Conflict: the row holds another value now.
    Result<std::string> read(const RawValue& value, std::int64_t offset, std::int64_t count);
    // Writes a file. An existing one stays as it is if this fails or is stopped (Cancelled).
    Result<void> save(const RawValue& value, const std::filesystem::path& file,
                      const std::stop_token& stop = {});

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace sg::history
