// Fails when a folder includes something that its row below does not allow. The table is the architecture.

#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;

namespace {

using Modules = std::set<std::string, std::less<>>;
using Table = std::map<std::string, Modules, std::less<>>;

const std::string kBase = "core/base";
const std::string kSqlite = "core/sqlite";
const std::string kPostgres = "core/postgres";
const std::string kNet = "core/net";

// Modules that need no project: those that run graphs, and those that graphs run in.
Table lowerCore()
{
    return {
        { "core/base", {} },
        { "core/sqlite", { kBase } },
        { "core/postgres", { kBase } },
        { "core/net", { kBase } },
        { "core/graph", { kBase } },
        { "core/settings", { kBase } },
        { "core/expressions", { kBase } },
        { "core/query", { kBase } },
        { "core/checkpoint", { kBase, kSqlite, kPostgres } },
        { "core/usage", { kBase, "core/checkpoint" } },
        { "core/store", { kBase, kSqlite, kPostgres } },
        { "core/audit", { kBase, kSqlite } },
        { "core/models", { kBase, kNet, "core/settings", "core/usage" } },
        { "core/engine", { kBase, "core/graph", "core/checkpoint", "core/store", "core/expressions" } },
        { "core/sandbox", { kBase, kNet } },
        { "core/sandbox/docker", { kBase, kNet, "core/sandbox" } },
        { "core/sandbox/egress", { kBase, kNet, "core/sandbox" } },
        { "core/sandbox/bubblewrap", { kBase, kNet, "core/sandbox" } },
        { "core/sandbox/e2b", { kBase, kNet, "core/sandbox" } },
        { "core/mcp", { kBase, kNet, "core/settings", "core/sandbox", "core/models" } },
        { "core/artifacts", { kBase, kSqlite, kNet } },
        { "core/artifacts/s3", { kBase, kSqlite, kNet, "core/settings", "core/artifacts" } },
        { "core/sessions",
          { kBase, kSqlite, kNet, "core/settings", "core/sandbox", "core/sandbox/egress", "core/artifacts",
            "core/audit" } },
        { "core/layers", { kBase, "core/sandbox", "core/sandbox/egress", "core/sessions" } },
        { "core/datasets",
          { kBase, kNet, "core/settings", "core/audit", "core/artifacts", "core/sessions" } },
        { "core/exchange", { kBase, "core/graph", "core/checkpoint", "core/artifacts", "core/sessions" } },
        { "core/telemetry", { kBase, kNet, "core/models", "core/engine" } },
        { "core/agents",
          { kBase, "core/settings", "core/graph", "core/checkpoint", "core/engine", "core/models" } },
        { "core/nodes",
          { "core/agents", kBase, kNet, "core/settings", "core/expressions", "core/graph", "core/checkpoint",
            "core/engine", "core/sandbox", "core/artifacts", "core/audit", "core/sessions", "core/datasets",
            "core/models", "core/mcp" } },
    };
}

// Modules that open a project, or work on an open one.
Table upperCore()
{
    return {
        { "core/projects",
          { kBase, kSqlite, kPostgres, "core/graph", "core/store", "core/exchange", "core/sessions" } },
        { "core/config",
          { kBase, "core/settings", "core/graph", "core/audit", "core/artifacts", "core/artifacts/s3",
            "core/sandbox", "core/sandbox/docker", "core/sandbox/bubblewrap", "core/sandbox/e2b",
            "core/sandbox/egress", "core/sessions", "core/layers", "core/datasets", "core/projects",
            "core/models", "core/mcp", "core/telemetry" } },
        { "core/history",
          { kBase, kSqlite, "core/graph", "core/query", "core/checkpoint", "core/usage", "core/engine",
            "core/expressions", "core/projects" } },
        { "core/rewind",
          { kBase, "core/checkpoint", "core/engine", "core/sandbox", "core/artifacts", "core/sessions",
            "core/history" } },
        { "core/runs",
          { kBase, "core/graph", "core/expressions", "core/checkpoint", "core/engine", "core/sandbox",
            "core/sandbox/bubblewrap", "core/models", "core/sessions", "core/projects", "core/config",
            "core/history", "core/rewind" } },
        { "core/workers",
          { kBase, kNet, "core/graph", "core/checkpoint", "core/engine", "core/sandbox", "core/artifacts",
            "core/expressions", "core/sessions", "core/nodes", "core/projects", "core/config" } },
        { "core/upkeep",
          { kBase, kSqlite, "core/graph", "core/checkpoint", "core/exchange", "core/artifacts",
            "core/sessions", "core/projects", "core/history", "core/rewind" } },
        { "core/servers", { kBase, kNet } },
        { "core/servers/artifacts",
          { kBase, kNet, "core/audit", "core/artifacts", "core/projects", "core/config" } },
        { "core/servers/e2b", { kBase, kNet, "core/artifacts", "core/sandbox", "core/sessions" } },
        { "core/servers/mcp",
          { kBase, kNet, "core/graph", "core/checkpoint", "core/engine", "core/mcp", "core/models",
            "core/artifacts", "core/sessions", "core/datasets", "core/nodes", "core/history", "core/runs" } },
        { "core/workbench",
          { kBase, "core/graph", "core/expressions", "core/audit", "core/artifacts", "core/sessions",
            "core/datasets", "core/layers", "core/mcp", "core/models", "core/nodes", "core/projects",
            "core/config", "core/history", "core/rewind", "core/runs", "core/upkeep", "core/telemetry",
            "core/workers" } },
    };
}

// Every module but the panels.
Table modulesWithRows()
{
    Table table = {
        { "ui/jobs", { kBase } },
        { "ui/selection", { kBase, "ui/bridge", "ui/widgets" } },
        { "ui/widgets", { kBase, "ui/jobs" } },
        { "ui/commands", { kBase, "ui/widgets" } },
        { "ui/documents", { kBase, "ui/widgets" } },
        { "ui/macro", { kBase } },
        { "ui/guide", { "ui/widgets" } },
        { "ui/bridge",
          { kBase, "core/graph", "core/checkpoint", "core/engine", "core/sandbox", "core/sessions",
            "core/artifacts", "core/audit", "core/models", "core/usage", "core/projects", "core/history",
            "core/rewind", "core/runs", "core/upkeep", "core/workbench", "core/config", "core/sandbox/e2b",
            "core/workers" } },
        { "app/workbench", { kBase, "core/config", "ui/shell", "ui/widgets" } }, // for theme and style
        { "app/jq_helper", { kBase, "core/expressions" } },
        { "app/cli",
          { kBase,
            "core/graph",
            "core/checkpoint",
            "core/engine",
            "core/artifacts",
            "core/audit",
            "core/sandbox",
            "core/sandbox/e2b",
            "core/mcp",
            "core/sessions",
            "core/layers",
            "core/projects",
            "core/config",
            "core/history",
            "core/rewind",
            "core/runs",
            "core/upkeep",
            "core/servers/artifacts",
            "core/servers/mcp",
            "core/servers/e2b",
            "core/workers",
            "core/workbench" } },
    };
    table.merge(lowerCore());
    table.merge(upperCore());
    table["ui/code"] = { kBase, "core/graph", "ui/bridge", "ui/graph", "ui/widgets" }; // edits what it shows
    table["ui/start"] = { kBase, "core/graph", "ui/bridge", "ui/graph", "ui/widgets" }; // pictures of graphs
    table["ui/shell"] = {}; // see below
    return table;
}

// The folders of the window without a row: a new panel needs none.
Modules panelFolders()
{
    const Table table = modulesWithRows();
    Modules found;
    for (const auto& entry : fs::directory_iterator(fs::path(SG_SOURCE_DIR) / "ui"))
        if (const std::string name = "ui/" + entry.path().filename().string();
            entry.is_directory() && !table.contains(name))
            found.insert(name);
    return found;
}
const Modules kPanels = panelFolders();

Table allowedIncludes()
{
    Table table = modulesWithRows();
    for (const std::string& panel : kPanels)
        table[panel] = { kBase, "ui/bridge", "ui/jobs", "ui/widgets", "ui/selection" };
    table["ui/graph"].insert({ "core/graph", "core/sandbox" }); // for the kinds of nodes and of backends
    table["ui/replay"].insert("core/graph"); // for the side effects of node kinds
    table["ui/search"].insert("core/query"); // to suggest what can be typed next
    Modules everyUi = { kBase, "core/graph", "core/sandbox" };
    for (const auto& [module, allowed] : table)
        if (module.starts_with("ui/"))
            everyUi.insert(module);
    everyUi.erase("ui/shell");
    table["ui/shell"] = everyUi;
    return table;
}

const Table kAllowed = allowedIncludes();

// Rooms are the subfolders of a module, from top to bottom: each includes only those after it. Files of the
// module's own folder ("") hold values that all rooms share; files under `wiring` may include any room.
struct Rooms {
    std::string module;
    std::vector<std::string> order;
    std::set<std::string> wiring; // files that may include any room
};
const std::vector<Rooms> kRooms = {
    { "core/sessions", { "manager", "live", "snapshots", "records", "runner", "" }, {} },
    { "core/engine",
      { "reads", "loop", "tasks", "out", "steps", "state", "compile", "channels", "errors", "" },
      { "core/engine/engine.cpp" } },
    // The view creates the panels that report its changes; the form shows node kinds as the palette does.
    { "ui/graph",
      { "compare", "access", "canvas", "panels", "forms", "scene", "edits", "layout", "" },
      { "ui/graph/canvas/graph_view.cpp" } },
    { "ui/bridge",
      { "pools", "connections", "projects", "upkeep", "search", "chat", "editing", "world", "runs", "history",
        "artifacts", "sessions", "previews", "staging", "open", "live", "log", "rows", "" },
      { "ui/bridge/clients.h" } },
    { "ui/shell",
      { "project", "parts", "", "canvas" },
      { "ui/shell/main_window.h", "ui/shell/main_window.cpp", "ui/shell/window_menus.cpp",
        "ui/shell/subjects.h", "ui/shell/subjects.cpp", "ui/shell/document_table.cpp" } },
};

// The position of the file's room in that order; the end for a file in no room.
std::ptrdiff_t placeIn(const Rooms& rooms, const fs::path& file)
{
    const std::string room = file.parent_path() == rooms.module ? "" : file.parent_path().filename().string();
    return std::ranges::find(rooms.order, room) - rooms.order.begin();
}

// Libraries that take seconds to compile, or belong to one place, may only be included by .cpp files in these
// places.
struct Confined {
    std::string_view header; // or the beginning of its name
    std::vector<std::string> places;
};
const std::vector<Confined> kConfined = {
    { "nlohmann/", { "core/base/json.cpp" } }, { "msgpack", { "core/base/msgpack.cpp" } },
    { "sqlite3", { "core/sqlite/" } },         { "libpq", { "core/postgres/" } },
    { "spdlog/", { "core/base/log.cpp" } },    { "Qsci/", { "ui/code/" } },
    { "boost/asio", { "core/net/" } },         { "boost/beast", { "core/net/" } },
};

struct Include {
    std::string header;
    bool ours = false; // in quotes
};

// The header that an #include line names; empty for any other line.
Include includeOf(std::string_view line)
{
    const auto skipSpaces = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
    for (const std::string_view word : { "#", "include" }) {
        skipSpaces();
        if (!line.starts_with(word))
            return {};
        line.remove_prefix(word.size());
    }
    skipSpaces();
    if (line.empty() || (line.front() != '"' && line.front() != '<'))
        return {};
    const bool ours = line.front() == '"';
    line.remove_prefix(1);
    return { std::string(line.substr(0, line.find(ours ? '"' : '>'))), ours };
}

bool isSource(const fs::path& file)
{
    return file.extension() == ".h" || file.extension() == ".cpp";
}

// The module of a file: the deepest folder above it that has a row; empty where there is none.
std::string moduleOf(const fs::path& file)
{
    for (fs::path folder = file.parent_path(); !folder.empty(); folder = folder.parent_path())
        if (kAllowed.contains(folder.generic_string()))
            return folder.generic_string();
    return {};
}

std::string problemOfOurs(const fs::path& file, const std::string& header)
{
    if (fs::path(header).extension() == ".moc")
        return {};
    const std::string from = moduleOf(file);
    const std::string to = moduleOf(header);
    if (to.empty())
        return "names no module: include from the repository root";
    return from == to || kAllowed.at(from).contains(to) ? "" : from + " may not use " + to;
}

std::string problemOfLibrary(const std::string& file, const std::string& header)
{
    if (file.starts_with("core/") && header.starts_with("Q"))
        return "no Qt in core";
    for (const auto& [start, places] : kConfined) {
        if (!header.starts_with(start))
            continue;
        if (!file.ends_with(".cpp"))
            return "belongs in .cpp files";
        if (std::none_of(places.begin(), places.end(),
                         [&](const auto& place) { return file.starts_with(place); }))
            return "belongs in " + places.front();
    }
    return {};
}

QStringList violationsIn(const fs::path& root, const fs::path& file)
{
    const std::string name = file.lexically_relative(root).generic_string();
    QStringList found;
    std::ifstream in(file);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        const auto [header, ours] = includeOf(line);
        if (header.empty())
            continue;
        const std::string problem = ours ? problemOfOurs(name, header) : problemOfLibrary(name, header);
        if (!problem.empty())
            found << QString::fromStdString(name + ':' + std::to_string(number) + ": " + header + ": "
                                            + problem);
    }
    return found;
}

// Folders under core/ and ui/ are modules; deeper folders are modules if they have a CMakeLists.txt.
QStringList violations(const fs::path& root)
{
    QStringList found;
    for (const std::string_view top : { "core", "ui", "app" }) {
        if (!fs::exists(root / top))
            continue;
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            const fs::path name = entry.path().lexically_relative(root);
            const bool inTable = kAllowed.contains(name.generic_string());
            const bool direct = name.parent_path() == top && top != "app";
            if (entry.is_directory() && !inTable
                && (direct || (top != "app" && fs::exists(entry.path() / "CMakeLists.txt"))))
                found << QString::fromStdString(name.generic_string()
                                                + ": a module that the table does not know");
            if (entry.is_regular_file() && isSource(name) && !moduleOf(name).empty())
                found << violationsIn(root, entry.path());
        }
    }
    found.sort();
    return found;
}

bool reaches(const std::string& from, const std::string& target, Modules& seen)
{
    const auto row = kAllowed.find(from);
    if (row == kAllowed.end())
        return false;
    return std::any_of(row->second.begin(), row->second.end(), [&](const std::string& next) {
        return next == target || (seen.insert(next).second && reaches(next, target, seen));
    });
}

} // namespace

class TestLayering : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void includesFollowTheTable()
    {
        const QStringList found = violations(SG_SOURCE_DIR);
        QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
    }

    void theTableNamesWhatIsThere()
    {
        for (const auto& [module, allowed] : kAllowed)
            QVERIFY2(fs::is_directory(fs::path(SG_SOURCE_DIR) / module), module.c_str());
    }

    void roomsIncludeOneWay()
    {
        for (const Rooms& rooms : kRooms)
            for (const auto& entry :
                 fs::recursive_directory_iterator(fs::path(SG_SOURCE_DIR) / rooms.module)) {
                const fs::path name = entry.path().lexically_relative(SG_SOURCE_DIR);
                if (!entry.is_regular_file() || !isSource(name)
                    || rooms.wiring.contains(name.generic_string()))
                    continue;
                std::ifstream in(entry.path());
                for (std::string line; std::getline(in, line);) {
                    const auto [header, ours] = includeOf(line);
                    if (!ours || !header.starts_with(rooms.module + "/"))
                        continue;
                    const std::ptrdiff_t to = placeIn(rooms, header);
                    QVERIFY2(to < std::ssize(rooms.order), (header + " is in no room").c_str());
                    QVERIFY2(placeIn(rooms, name) <= to,
                             (name.generic_string() + " may not use " + header).c_str());
                }
            }
    }

    // A header with its source counts as one unit. A folder with too many holds several subjects, and is
    // split into rooms.
    void foldersAreNotTooFull()
    {
        const std::set<std::string> lists = {
            "core/base", // values that everything uses
        };
        for (const char* top : { "core", "ui", "app", "tests" }) {
            std::map<std::string, std::set<std::string>> units;
            for (const auto& entry : fs::recursive_directory_iterator(fs::path(SG_SOURCE_DIR) / top))
                if (entry.is_regular_file() && isSource(entry.path()))
                    units[entry.path().lexically_relative(SG_SOURCE_DIR).parent_path().generic_string()]
                        .insert(entry.path().stem().string());
            for (const auto& [folder, names] : units)
                QVERIFY2(names.size() <= 30 || lists.contains(folder),
                         (folder + " holds " + std::to_string(names.size()) + " units").c_str());
        }
    }

    // Clang 14, which fuzzes and lints, cannot parse what makes a std::ranges::subrange or a view with the
    // standard library of GCC 12.
    void clangReadsEverySource()
    {
        static const std::regex unread(
            R"(std::views::\w|\branges::(equal_range|find_end|partition|remove|remove_if|rotate|search|search_n|stable_partition|subrange|unique)\()");
        for (const char* top : { "core", "ui", "app", "tests" })
            for (const auto& entry : fs::recursive_directory_iterator(fs::path(SG_SOURCE_DIR) / top)) {
                if (!entry.is_regular_file() || !isSource(entry.path()))
                    continue;
                std::ifstream in(entry.path());
                for (std::string line; std::getline(in, line);)
                    if (line.find("views::") != std::string::npos
                        || line.find("ranges::") != std::string::npos)
                        QVERIFY2(!std::regex_search(line, unread),
                                 (entry.path().string() + ": " + line).c_str());
            }
    }

    void theTableHasNoCycles()
    {
        for (const auto& [module, allowed] : kAllowed) {
            Modules seen;
            QVERIFY2(!reaches(module, module, seen), module.c_str());
        }
    }

    void panelsNeverIncludeEachOther()
    {
        for (const std::string& panel : kPanels)
            for (const std::string& other : kPanels)
                QVERIFY2(!kAllowed.at(panel).contains(other), (panel + " -> " + other).c_str());
    }

    void findsWhatIsForbidden_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("expected");
        const auto row = [](const char* name, const char* file, const char* line, int expected) {
            QTest::newRow(name) << QString::fromLatin1(file) << QString::fromLatin1(line) << expected;
        };
        row("allowed", "core/engine/a.h", "#include \"core/base/value.h\"", 0);
        row("own module", "core/engine/a.h", "#include \"core/engine/b.h\"", 0);
        row("own subfolder", "core/checkpoint/serde/a.h", "#include \"core/checkpoint/b.h\"", 0);
        row("upwards", "core/engine/a.h", "#include \"core/sessions/b.h\"", 1);
        row("with spaces", "core/engine/a.h", "  #  include   \"core/sessions/b.h\"", 1);
        row("core to ui", "core/workbench/a.cpp", "#include \"ui/bridge/b.h\"", 1);
        row("backend to backend", "core/sandbox/docker/a.cpp", "#include \"core/sandbox/egress/b.h\"", 1);
        row("panel to panel", "ui/timeline/a.cpp", "#include \"ui/state/b.h\"", 1);
        row("panel to core", "ui/timeline/a.cpp", "#include \"core/engine/b.h\"", 1);
        row("relative", "core/engine/a.cpp", "#include \"b.h\"", 1);
        row("moc", "ui/timeline/a.cpp", "#include \"a.moc\"", 0);
        row("Qt in core", "core/engine/a.cpp", "#include <QString>", 1);
        row("Qt in ui", "ui/timeline/a.cpp", "#include <QString>", 0);
        row("heavy in a header", "core/net/a.h", "#include <boost/asio/io_context.hpp>", 1);
        row("heavy in a source", "core/net/a.cpp", "#include <boost/asio/io_context.hpp>", 0);
        row("heavy elsewhere", "core/nodes/a.cpp", "#include <boost/beast/http.hpp>", 1);
        row("nlohmann", "core/graph/a.cpp", "#include <nlohmann/json.hpp>", 1);
        row("unknown module", "core/misc/a.cpp", "", 1);
        row("unknown nested module", "core/sandbox/lxc/CMakeLists.txt", "", 1);
    }
    void findsWhatIsForbidden()
    {
        QFETCH(QString, file);
        QFETCH(QString, line);
        QFETCH(int, expected);
        const sg::test::TempDir root;
        root.write(file.toStdString(), line.toStdString() + "\n");
        const QStringList found = violations(root.path());
        QVERIFY2(found.size() == expected, qPrintable(found.join(QLatin1Char('\n'))));
    }
};

SG_TEST(TestLayering)
#include "tst_layering.moc"
