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

// Reads the states of a thread's root graph and nothing else of its checkpoints, for questions about very
// many of them. One thread may use it at a time.
class StateValues {
public:
    static Result<StateValues> open(const std::filesystem::path& database);
    StateValues(StateValues&&) noexcept;
    StateValues& operator=(StateValues&&) noexcept;
    ~StateValues();

    // Visits states from `newest` on back, at most `limit`, until the visitor returns false. Channels are
    // given by name, as they were stored. They are null if the row alone does not hold them (another form,
    // damaged, or a channel of which only changes are stored).
    Result<void> read(const ThreadId& thread, const CheckpointId& newest, std::int64_t limit,
                      const std::function<bool(const CheckpointId&, const Value* channels)>& visit);

private:
    explicit StateValues(std::unique_ptr<CheckpointFile> file);
    std::unique_ptr<CheckpointFile> m_file;
};

} // namespace sg::checkpoint
