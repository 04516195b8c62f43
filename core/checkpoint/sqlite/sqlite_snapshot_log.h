#pragma once

#include "core/checkpoint/snapshot_log.h"
#include "core/checkpoint/sqlite/checkpoint_file.h"

#include <set>
#include <string>
#include <string_view>

namespace sg::checkpoint {

class SqliteSnapshotLog final : public SnapshotLog {
public:
    explicit SqliteSnapshotLog(CheckpointFile& file)
        : m_file(file)
    {
    }

    Result<void> put(const SnapshotRecord& record) override;
    Result<void> bind(const SnapshotBinding& binding) override;
    Result<void> dropPartial(const CheckpointRef& startedFrom) override;
    Result<void> remove(const SnapshotId& id) override;
    Result<std::vector<SnapshotBinding>> bindingsAt(const CheckpointRef& ref, bool partial) override;
    Result<std::optional<SnapshotRecord>> get(const SnapshotId& id) override;
    Result<std::vector<SnapshotBinding>> bindingsOf(const ThreadId& thread) override;
    Result<std::vector<SnapshotRecord>> all() override;
    Result<std::vector<SnapshotId>> unbound() override;
    Result<void> putPiece(const std::string& name, std::string_view bytes) override;
    Result<std::optional<std::string>> piece(const std::string& name) override;
    Result<void> keepPieces(const std::function<bool(const std::string&)>& isUsed) override;

    // Works in the caller's transaction.
    static Result<void> deleteThread(sqlite::Db& db, const ThreadId& thread);

private:
    CheckpointFile& m_file;
};

// Returns the names of the file lists that a stored snapshot uses; the whole database may have many more.
std::set<std::string> piecesIn(std::string_view body);

} // namespace sg::checkpoint
