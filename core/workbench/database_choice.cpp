#include "core/workbench/database_choice.h"

#include "core/history/database.h"

namespace sg::workbench {

Result<void> chooseDatabase(projects::ProjectPaths& project, const std::string& database)
{
    if (database.empty())
        return {};
    if (!history::isSharedAddress(database)) {
        project.checkpoints = std::filesystem::absolute(database);
        return {};
    }
    auto file = history::sharedFile(database);
    if (!file)
        return std::move(file.error());
    project.checkpoints = std::move(*file);
    project.shared = database;
    return {};
}

Result<projects::ProjectPaths> databaseAlone(const std::string& database)
{
    if (!history::isSharedAddress(database))
        return projects::databaseProject(database);
    auto file = history::sharedFile(database);
    if (!file)
        return std::move(file.error());
    auto paths = projects::databaseProject(*file);
    if (paths)
        paths->shared = database;
    return paths;
}

} // namespace sg::workbench
