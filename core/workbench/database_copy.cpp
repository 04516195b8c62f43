#include "core/workbench/database_copy.h"

#include "core/base/json.h"
#include "core/sqlite/db.h"

#include <fstream>
#include <system_error>

namespace sg::workbench {
namespace {

namespace fs = std::filesystem;

Result<void> writeEmptyGraph(const fs::path& file, const std::string& name)
{
    ValueMap graph{ { "format", 1 }, { "name", name } };
    graph.set("nodes", Value(ValueList()));
    graph.set("edges", Value(ValueList()));
    std::ofstream out(file);
    out << toJson(Value(std::move(graph)), JsonStyle::Indented) << '\n';
    out.close();
    if (out.fail())
        return Error{ Errc::Io, "write " + file.string() + ": free some space or choose another folder" };
    return {};
}

} // namespace

Result<void> copyToProject(const fs::path& database, const fs::path& folder)
{
    const fs::path target = folder / ".sandglass" / "checkpoints.sqlite";
    const std::string name = folder.filename().string();
    const fs::path graph = folder / (name + ".graph.json");
    std::error_code failed;
    for (const fs::path& taken : { target, graph })
        if (fs::exists(taken, failed))
            return Error{ Errc::Exists, taken.string() + " is there already: choose another folder" };
    fs::create_directories(target.parent_path(), failed);
    if (failed)
        return Error{ Errc::Io, "create " + target.parent_path().string() + ": " + failed.message() };
    sqlite::DbOptions options;
    options.mode = sqlite::OpenMode::ReadOnly;
    auto source = sqlite::Db::open(database, options);
    if (!source)
        return std::move(source.error());
    {
        auto copy = source->prepare("VACUUM INTO ?1"); // also while another program writes
        if (!copy)
            return std::move(copy.error());
        copy->bind(1, target.string());
        if (auto done = copy->run(); !done) {
            fs::remove(target, failed);
            return std::move(done.error()).during("copy " + database.string());
        }
    }
    return writeEmptyGraph(graph, name);
}

} // namespace sg::workbench
