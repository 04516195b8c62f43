#include "core/upkeep/project_threads.h"

#include "core/history/database.h"
#include "core/rewind/snapshot_use.h"

#include <memory>
#include <system_error>

namespace sg::upkeep {

using history::Database;

Result<ProjectThreads> moveProjectThreads(const projects::ProjectPaths& project, const std::string& address,
                                          ThreadsWay way, const ThreadChoice& choice,
                                          const TellThread& progress, const std::stop_token& stop)
{
    if (!history::isSharedAddress(address))
        return Error{ Errc::InvalidArgument,
                      "threads are carried to or from a PostgreSQL database, "
                      "postgresql://HOST/DATABASE, and '"
                          + address + "' is none" };
    std::error_code failed;
    if (way == ThreadsWay::ToServer && !std::filesystem::exists(project.checkpoints, failed))
        return Error{ Errc::NotFound,
                      "nothing has run in " + project.folder.string()
                          + " yet, so it has no threads to carry" };
    const auto shared = Database::openShared(address, Database::Access::ReadWrite);
    if (!shared)
        return shared.error();
    const auto own = Database::open(project.checkpoints, Database::Access::ReadWrite);
    if (!own)
        return own.error();
    // Contents of snapshots stay in the project: they are needed from the other database, too.
    if (auto noted = rewind::noteDatabase(project.data, (*shared)->file()); !noted)
        return std::move(noted.error());
    const auto placeOf = [](Database& database) {
        return ThreadPlace{ database.store(), database.file(), database.name() };
    };
    const bool leaves = way == ThreadsWay::ToServer;
    const ThreadPlace from = placeOf(leaves ? **own : **shared);
    const ThreadPlace to = placeOf(leaves ? **shared : **own);
    auto move = moveThreads(from, to, choice, progress, stop);
    if (!move)
        return std::move(move.error());
    return ProjectThreads{ from.name, to.name, std::move(*move) };
}

} // namespace sg::upkeep
