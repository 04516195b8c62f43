#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/value.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

namespace sg::checkpoint {

class CheckpointFile;

// Reads the states of a thread's own graph and nothing else of its checkpoints: for questions about very many
// of them. One thread at a time.
class StateValues {
public:
    static Result<StateValues> open(const std::filesystem::path& database);
    StateValues(StateValues&&) noexcept;
    StateValues& operator=(StateValues&&) noexcept;
    ~StateValues();

    // Channels by name, as they were stored; null: the row alone does not tell them (another form, damaged,
    // or a channel of which only changes are stored). Newest first, from `newest` on back, at most `limit`;
    // the visitor returns false to stop.
    Result<void> read(const ThreadId& thread, const CheckpointId& newest, std::int64_t limit,
                      const std::function<bool(const CheckpointId&, const Value* channels)>& visit);

private:
    explicit StateValues(std::unique_ptr<CheckpointFile> file);
    std::unique_ptr<CheckpointFile> m_file;
};

} // namespace sg::checkpoint
