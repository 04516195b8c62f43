#include "core/history/database.h"

#include "core/checkpoint/sqlite_checkpoint_store.h"

#include <system_error>

namespace sg::history {

Database::Database(std::filesystem::path file, std::unique_ptr<checkpoint::CheckpointStore> store)
    : m_file(std::move(file))
    , m_store(std::move(store))
    , m_history(*m_store, m_store->runLog(), m_file)
{
}

Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path& file, Access access)
{
    checkpoint::SqliteStoreOptions options;
    options.readOnly = access == Access::ReadOnly;
    if (!options.readOnly && file.has_parent_path()) {
        std::error_code failed;
        std::filesystem::create_directories(file.parent_path(), failed);
        if (failed)
            return Error{ Errc::Io, "create " + file.parent_path().string() + ": " + failed.message() };
    }
    auto store = checkpoint::openSqliteCheckpointStore(file, options);
    if (!store)
        return std::move(store.error());
    return std::unique_ptr<Database>(new Database(file, std::move(*store)));
}

} // namespace sg::history
