#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint_store.h"
#include "core/postgres/connection.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// LangGraph's PostgresSaver divides a checkpoint: its `checkpoint` column is JSON and holds the values that
// JSON keeps as they are; each of the others is a row of checkpoint_blobs, by channel and version, which all
// checkpoints share whose channel has that version.
namespace sg::checkpoint {

struct PgBlob {
    std::string channel;
    std::string version;
    std::string type;
    std::string bytes;
};
struct DividedCheckpoint {
    std::string json;
    std::vector<PgBlob> blobs;
};
// Errc::Unsupported: a channel holds what JSON does not keep and has no version to store it under.
Result<DividedCheckpoint> divideCheckpoint(const std::string& blob);

// One checkpoint as the database holds it.
struct StoredCheckpoint {
    CheckpointRecord record; // its ref, its parent, and a problem if there is one
    std::string json;
    std::string metadata;
    std::vector<PgBlob> blobs;
    std::vector<PendingWrite> sends; // of the parent, for a checkpoint older than version 4
    std::size_t bytes = 0; // that the server sent for it
};
// Errc::Corrupt: it cannot be read.
Result<CheckpointRecord> joinCheckpoint(StoredCheckpoint stored);

// A page of checkpoints to read, newest first.
struct PgPage {
    CheckpointQuery query;
    std::vector<std::string> ids; // these alone, if there are any
    std::optional<CheckpointRef> after; // the last one of the page before
    std::int64_t rows = 1;
};
postgres::Statement pageStatement(const PgPage& page);
// Returns how many checkpoints to ask for next, so that a page holds a few MiB: at most twice as many as the
// last page, and at most `most`.
std::int64_t nextPageSize(const std::vector<StoredCheckpoint>& last, std::int64_t most);
// A row that cannot be read has a problem.
std::vector<StoredCheckpoint> readPage(const postgres::Rows& rows);

} // namespace sg::checkpoint
