#include "core/history/database.h"

#include "core/base/user_folders.h"
#include "core/checkpoint/memory_checkpoint_store.h"
#include "core/checkpoint/postgres_checkpoint_store.h"
#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "core/projects/project.h"

#include <system_error>

namespace sg::history {

namespace {

// Another program of this machine holds the file while PostgreSQL answers it: that may take one statement's
// time and a reconnection's.
constexpr int kSharedBusyMs = 100'000;

// They tell what code printed: only this user may read them.
Result<void> makePrivateFolder(const std::filesystem::path& folder)
{
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (!failed)
        std::filesystem::permissions(folder, std::filesystem::perms::owner_all, failed);
    if (failed)
        return Error{ Errc::Io, "create " + folder.string() + ": " + failed.message() };
    return {};
}

// A reader leaves no file where there is none yet.
Result<std::unique_ptr<checkpoint::CheckpointStore>> openOwn(const std::filesystem::path& file, bool readOnly)
{
    std::error_code failed;
    if (readOnly && !std::filesystem::exists(file, failed))
        return checkpoint::makeMemoryCheckpointStore();
    if (!readOnly)
        if (auto made = makePrivateFolder(file.parent_path()); !made)
            return std::move(made.error());
    checkpoint::SqliteStoreOptions options;
    options.readOnly = readOnly;
    options.checkpointsAreElsewhere = true;
    options.busyTimeoutMs = kSharedBusyMs;
    return checkpoint::openSqliteCheckpointStore(file, options);
}

} // namespace

Database::Database(std::filesystem::path file, std::string name,
                   std::unique_ptr<checkpoint::CheckpointStore> store)
    : m_file(std::move(file))
    , m_name(std::move(name))
    , m_store(std::move(store))
    , m_history(*m_store, m_store->runLog(), m_file, m_name)
{
}

bool isSharedAddress(std::string_view database)
{
    return checkpoint::isPostgresAddress(database);
}

Result<std::filesystem::path> sharedFile(const std::string& address)
{
    auto id = checkpoint::postgresDatabaseId(address);
    if (!id)
        return std::move(id.error());
    const std::filesystem::path data = userDataFolder();
    if (data.empty())
        return Error{ Errc::NotFound,
                      "there is no folder for what this machine keeps about "
                          + checkpoint::shownAddress(address) + ": set HOME or XDG_DATA_HOME" };
    return data / "sandglass" / "shared" / *id / "checkpoints.sqlite";
}

Result<void> chooseDatabase(projects::ProjectPaths& project, const std::string& database)
{
    if (database.empty())
        return {};
    if (!isSharedAddress(database)) {
        project.checkpoints = std::filesystem::absolute(database);
        return {};
    }
    auto file = sharedFile(database);
    if (!file)
        return std::move(file.error());
    project.checkpoints = std::move(*file);
    project.shared = database;
    return {};
}

Result<projects::ProjectPaths> databaseAlone(const std::string& database)
{
    if (!isSharedAddress(database))
        return projects::databaseProject(database);
    auto file = sharedFile(database);
    if (!file)
        return std::move(file.error());
    auto paths = projects::databaseProject(*file);
    if (paths)
        paths->shared = database;
    return paths;
}

Result<std::unique_ptr<Database>> Database::openShared(const std::string& address, Access access)
{
    auto file = sharedFile(address);
    if (!file)
        return std::move(file.error());
    checkpoint::PostgresStoreOptions options;
    options.readOnly = access == Access::ReadOnly;
    options.copies = *file;
    auto own = openOwn(*file, options.readOnly);
    if (!own)
        return std::move(own.error());
    auto store = checkpoint::openPostgresCheckpointStore(address, std::move(*own), options);
    if (!store)
        return std::move(store.error());
    return std::unique_ptr<Database>(
        new Database(std::move(*file), checkpoint::shownAddress(address), std::move(*store)));
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
    return std::unique_ptr<Database>(new Database(file, file.string(), std::move(*store)));
}

} // namespace sg::history
