#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

namespace sg::history {

// A value's bytes as they stand in a checkpoint database, for values that nobody can or should interpret.
// They are found once by skipping over what stands before them, and then read piece by piece; nothing is made
// of them.
struct RawValue {
    std::string type; // how they are stored: "pickle", "bytes", "msgpack, ext 5", "msgpack"
    std::string object; // "module.Class" as the bytes name it; empty: they do not
    std::int64_t size = 0;
    std::int64_t row = 0; // where they stand
    std::int64_t begin = 0;
    // What the row was when they were found: VACUUM and others may have made another of it.
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

    // `pointer`: JSON pointer into the state as it is shown; what leads into an object ends at that object.
    // Empty: the checkpoint's own bytes. NotFound: it is not stored there by itself.
    Result<RawValue> find(const ThreadId& thread, const CheckpointId& checkpoint, const std::string& pointer);
    // Conflict: another value stands there now.
    Result<std::string> read(const RawValue& value, std::int64_t offset, std::int64_t count);
    // A new file, or over an old one, which stays as it is where this fails or is stopped (Cancelled).
    Result<void> save(const RawValue& value, const std::filesystem::path& file,
                      const std::stop_token& stop = {});

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace sg::history
