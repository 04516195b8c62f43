#pragma once

#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "tests/support/temp_dir.h"

#include <filesystem>
#include <memory>
#include <string>

// The databases in tests/data/checkpoint, which LangGraph made.
namespace sg::checkpoint::test {

inline std::filesystem::path fixture(const char* name)
{
    return std::filesystem::path(SG_SOURCE_DIR) / "tests/data/checkpoint" / name;
}

inline std::unique_ptr<CheckpointStore> opened(const std::filesystem::path& path, bool readOnly = true)
{
    SqliteStoreOptions options;
    options.readOnly = readOnly;
    auto store = openSqliteCheckpointStore(path, options);
    return store ? std::move(*store) : nullptr;
}

// A copy that a test may change.
inline std::filesystem::path copied(const sg::test::TempDir& folder, const char* name)
{
    const auto path = folder / name;
    std::filesystem::copy_file(fixture(name), path);
    return path;
}

// The newest of a namespace; an empty one where there is none.
inline CheckpointRecord record(CheckpointStore& store, const char* thread, const char* ns = "")
{
    auto found = store.get(ThreadId(thread), ns, {});
    return found && *found ? **found : CheckpointRecord();
}

} // namespace sg::checkpoint::test
