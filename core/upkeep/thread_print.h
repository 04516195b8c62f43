#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/checkpoint/checkpoint_store.h"

#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace sg::upkeep {

// The hashes of all that a thread's checkpoints and writes hold, by which copies in two databases are
// compared. They are the same however a database keeps it: PostgreSQL keeps neither the order of keys in
// metadata and versions nor how a number there was written.
struct ThreadPrint {
    struct Row {
        std::string checkpoint; // with its metadata
        std::vector<std::string> writes; // sorted
        friend bool operator==(const Row&, const Row&) = default;
    };
    std::map<std::pair<std::string, std::string>, Row> rows; // by namespace and checkpoint

    [[nodiscard]] std::int64_t writes() const;
    // Tells whether the other has each of these checkpoints, with at least these writes.
    [[nodiscard]] bool isPartOf(const ThreadPrint& other) const;
    friend bool operator==(const ThreadPrint&, const ThreadPrint&) = default;
};

// Reads the whole thread. `also` gets each of its records, newest first. Errc::Corrupt: one of them cannot be
// read; Cancelled: `stop` was requested.
using TakeRecord = std::function<Result<void>(const checkpoint::CheckpointRecord&)>;
Result<ThreadPrint> printOf(checkpoint::CheckpointStore& store, const ThreadId& thread,
                            const std::stop_token& stop, const TakeRecord& also = {});

} // namespace sg::upkeep
