#include "app/cli/project_option.h"

#include "app/cli/json_numbers.h"
#include "app/cli/shell_word.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/checkpoint/postgres_checkpoint_store.h"
#include "core/history/database.h"

#include <charconv>
#include <cstdint>
#include <iostream>
#include <iterator>

namespace fs = std::filesystem;

namespace sg::cli {

void addProject(Verb verb, std::string& project)
{
    verb.option("--project", project, "project folder or graph file (default: the current one or above it)");
}

void PlaceOption::add(Verb verb)
{
    verb.option("--db", database,
                "checkpoint database: a file, or postgresql://HOST/DATABASE (default: the project's)");
    verb.option("--project", project, "project folder (default: the current one or above it)");
}

std::string PlaceOption::words() const
{
    return (database.empty() ? "" : " --db " + shellWord(checkpoint::shownAddress(database)))
        + (project.empty() ? "" : " --project " + shellWord(project));
}

Result<projects::ProjectPaths> PlaceOption::locate() const
{
    if (!graph.empty())
        return projects::locateProject(graph);
    if (!project.empty())
        return projects::locateProject(project);
    return projects::findProject(".");
}

Result<std::unique_ptr<history::Database>> PlaceOption::openDatabase() const
{
    if (checkpoint::isPostgresAddress(database))
        return history::Database::openShared(database, history::Database::Access::ReadOnly);
    fs::path file = database;
    if (file.empty()) {
        auto paths = locate();
        if (!paths)
            return std::move(paths.error());
        file = paths->checkpoints;
        if (std::error_code failed; !fs::exists(file, failed))
            return Error{ Errc::NotFound,
                          "nothing has run in " + paths->folder.string()
                              + " yet. Start with: sandglass run GRAPH --thread NAME" };
    }
    return history::Database::open(file, history::Database::Access::ReadOnly);
}

Result<std::unique_ptr<workbench::Workbench>> PlaceOption::openWorkbenchOf(const ThreadId& thread) const
{
    auto paths = locate();
    if (!paths)
        return std::move(paths.error());
    if (auto chosen = history::chooseDatabase(*paths, database); !chosen)
        return std::move(chosen.error());
    if (graph.empty())
        if (auto stored = openDatabase())
            if (const auto runs = (*stored)->log().runs(thread); runs && !runs->empty())
                if (auto known = projects::graphOfRun(*paths, runs->front().graph); !known.empty())
                    paths->graph = std::move(known);
    if (paths->graph.empty())
        return Error{ Errc::NotFound,
                      paths->folder.string()
                          + ": no *.graph.json in this folder. Name one with --graph FILE" };
    workbench::WorkbenchOptions options;
    options.project = std::move(*paths);
    blobs.apply(options.settings);
    return workbench::Workbench::open(std::move(options));
}

void RunOption::add(Verb verb)
{
    verb.option("GRAPH", graph, "graph file, or a project folder").required();
    verb.option("--thread", thread, "thread to run on").required();
    verb.option("--db", database,
                "checkpoint database: a file, or postgresql://HOST/DATABASE in which LangGraph's "
                "PostgresSaver and other machines have threads, too (default: the project's "
                ".sandglass/checkpoints.sqlite)");
    verb.option("--tenant", tenant,
                "first label of all namespaces of the long-term store (default: SANDGLASS_TENANT, else as "
                "the graph says)");
    session.add(verb);
    queue.add(verb);
    blobs.add(verb);
}

Result<std::unique_ptr<workbench::Workbench>> RunOption::openWorkbench() const
{
    auto paths = projects::locateGraph(graph);
    if (!paths)
        return std::move(paths.error());
    if (auto chosen = history::chooseDatabase(*paths, database); !chosen)
        return std::move(chosen.error());
    workbench::WorkbenchOptions options;
    options.project = std::move(*paths);
    options.tenant = tenant;
    if (auto applied = session.apply(options); !applied)
        return std::move(applied.error());
    queue.apply(options.settings);
    blobs.apply(options.settings);
    return workbench::Workbench::open(std::move(options));
}

Result<void> RunOption::checkDatabase() const
{
    std::error_code failed;
    if (database.empty() || checkpoint::isPostgresAddress(database) || fs::exists(database, failed) || failed)
        return {};
    return Error{ Errc::NotFound,
                  "there is no database " + database
                      + ", so there is nothing to go on with. Begin with: sandglass run" };
}

Check atLeastOne()
{
    return { [](const std::string& word) {
                std::int64_t number = 0;
                const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), number);
                const bool isWhole = failed == std::errc() && end == word.data() + word.size();
                return isWhole && number >= 1 ? std::string()
                                              : "it takes a whole number from 1 on, not " + word;
            },
             "COUNT" };
}

Result<Value> jsonArgument(const std::string& text, const std::string& option)
{
    std::string content = text;
    if (text == "@-") {
        content.assign(std::istreambuf_iterator<char>(std::cin), {});
    } else if (text.starts_with('@')) {
        auto file = readFile(text.substr(1));
        if (!file)
            return std::move(file.error()).during(option);
        content = std::move(*file);
    }
    auto value = parseJson(content);
    if (!value)
        return std::move(value.error()).during(option + " is not JSON");
    if (const auto number = tooLongInteger(content))
        return Error{ Errc::InvalidArgument,
                      option + ": the integer " + number->substr(0, 80)
                          + " has more than 64 bits; give it as text, in quotes" };
    return value;
}

Result<ThreadId> threadArgument(const std::string& text)
{
    const bool hasControl =
        std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
    if (text.empty() || text.size() > 256 || hasControl || !isValidUtf8(text))
        return Error{ Errc::InvalidArgument,
                      "--thread takes 1 to 256 bytes of UTF-8 text without control characters" };
    return ThreadId(text);
}

} // namespace sg::cli
