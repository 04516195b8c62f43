#include "core/base/file.h"
#include "core/exchange/python_project.h"
#include "core/graph/graph_file.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <map>

using namespace sg;
using namespace sg::exchange;

namespace {

const std::string kFolder = SG_SOURCE_DIR "/tests/data/exchange/";

// Code files of the test's graphs stand side by side.
Result<std::string> code(const RelativePath& file)
{
    return readFile(kFolder + file.name());
}

std::string whole(const PythonProject& project)
{
    std::string text;
    for (const ExportedFile& file : project.files)
        if (!file.path.ends_with("fetch_all.py") && !file.path.ends_with("mend.py"))
            text += "=== " + file.path + "\n" + file.content;
    return text;
}

graph::Graph parsed(const std::string& text)
{
    auto file = graph::parseGraph(text);
    return file ? file->graph : graph::Graph();
}

} // namespace

class TestPythonProject : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The pictures of this test: everything.txt is what a person should like to read.
    void writesEverything()
    {
        const auto file = graph::loadGraph(kFolder + "everything.graph.json");
        SG_VERIFY_OK(file);
        const auto project = pythonProject(file->graph, "unused", code);
        SG_VERIFY_OK(project);
        const auto expected = readFile(kFolder + "everything.txt");
        SG_VERIFY_OK(expected);
        QCOMPARE(whole(*project), *expected);
    }

    void takesCodeFilesUnchanged()
    {
        const auto file = graph::loadGraph(kFolder + "everything.graph.json");
        SG_VERIFY_OK(file);
        const auto project = pythonProject(file->graph, "unused", code);
        SG_VERIFY_OK(project);
        std::map<std::string, std::string> contents;
        for (const ExportedFile& exported : project->files)
            contents.emplace(exported.path, exported.content);
        QCOMPARE(contents["every_thing/nodes/fetch_all.py"], *readFile(kFolder + "fetch-all.py"));
        QCOMPARE(contents["every_thing/nodes/mend.py"], *readFile(kFolder + "mend.py"));
    }

    void requirementsStandInTheProject()
    {
        const std::string hash(64, 'a');
        const auto project = pythonProject(
            parsed(R"({"sandbox":{"requirements":["networkx==3.3 --hash=sha256:)" + hash
                   + R"("]},"nodes":[{"name":"a","graph":{"nodes":[{"name":"b","file":"b.py",)"
                     R"("requirements":["tabulate; python_version < '4'"]}],"edges":[["__start__","b"]]}}],)"
                     R"("edges":[["__start__","a"]]})"),
            "g", [](const RelativePath&) -> Result<std::string> { return std::string("import networkx\n"); });
        SG_VERIFY_OK(project);
        const std::string& toml = project->files.front().content;
        SG_VERIFY_CONTAINS(toml, "    \"networkx==3.3\",\n");
        SG_VERIFY_CONTAINS(toml, "    \"tabulate");
        QVERIFY(toml.find("sha256") == std::string::npos);
        for (const std::string& note : project->notes)
            QVERIFY2(note.find("does not know") == std::string::npos, note.c_str());
    }

    void aRequirementsFileIsRead()
    {
        const auto graph =
            parsed(R"({"sandbox":{"requirements":"needs.txt"},"nodes":[{"name":"a","jq":"."}],)"
                   R"("edges":[["__start__","a"]]})");
        const auto project = pythonProject(graph, "g", [](const RelativePath& file) -> Result<std::string> {
            return std::string(file.text() == "needs.txt" ? "# what it takes\nnetworkx==3.3\n" : "");
        });
        SG_VERIFY_OK(project);
        SG_VERIFY_CONTAINS(project->files.front().content, "\"networkx==3.3\"");
        const auto none = pythonProject(graph, "g", [](const RelativePath&) -> Result<std::string> {
            return Error{ Errc::NotFound, "it is not there" };
        });
        QVERIFY(!none);
        SG_VERIFY_CONTAINS(none.error().message, "needs.txt");
    }

    void refusesByName_data()
    {
        QTest::addColumn<std::string>("row");
        QTest::addColumn<std::string>("source");
        QTest::addColumn<std::string>("named");
        const auto rows = readFile(kFolder + "refusals.txt");
        SG_VERIFY_OK(rows);
        // Lines: what is refused | the graph's nodes and branches | the code of its file
        for (std::size_t at = 0; at < rows->size();) {
            const std::size_t end = rows->find('\n', at);
            const std::string line = rows->substr(at, end - at);
            at = end + 1;
            if (line.starts_with('#') || line.empty())
                continue;
            const std::size_t first = line.find(" | ");
            const std::size_t second = line.find(" | ", first + 3);
            QTest::newRow(line.substr(0, first).c_str()) << line.substr(first + 3, second - first - 3)
                                                         << line.substr(second + 3) << line.substr(0, first);
        }
    }
    void refusesByName()
    {
        QFETCH(std::string, row);
        QFETCH(std::string, source);
        QFETCH(std::string, named);
        const auto project = pythonProject(parsed(row), "g", [&](const RelativePath&) -> Result<std::string> {
            std::string text = source;
            for (std::size_t at = text.find("\\n"); at != std::string::npos; at = text.find("\\n"))
                text.replace(at, 2, "\n");
            return text;
        });
        QVERIFY(!project);
        QCOMPARE(project.error().code, Errc::InvalidArgument);
        QVERIFY2(project.error().message.find(named) != std::string::npos, project.error().message.c_str());
    }

    void takesAlongTheModulesThatItsCodeImports()
    {
        const auto file = graph::loadGraph(kFolder + "everything.graph.json");
        SG_VERIFY_OK(file);
        const auto read = [](const RelativePath&) -> Result<std::string> {
            return std::string("import models\nimport helper\ndef node(state):\n    return {}\n");
        };
        const auto project = pythonProject(
            file->graph, "g", read, { { "nodes/helper.py", "X = 1\n" }, { "lib/models.py", "Y = 1\n" } });
        SG_VERIFY_OK(project);
        const auto content = [&](const std::string& path) {
            const auto found =
                std::ranges::find(project->files, project->package + "/" + path, &ExportedFile::path);
            return found == project->files.end() ? std::string("(none)") : found->content;
        };
        QCOMPARE(content("lib/models.py"), std::string("Y = 1\n"));
        QCOMPARE(content("nodes/helper.py"), std::string("X = 1\n"));
        QCOMPARE(content("lib/__init__.py"), std::string());
        SG_VERIFY_CONTAINS(content("__init__.py"), R"(for folder in ["nodes", "lib"]])");
        // a package of that name is nobody's to install
        for (const ExportedFile& each : project->files)
            if (each.path == "README.md")
                QVERIFY(each.content.find("`models`") == std::string::npos);
        const auto plain = pythonProject(file->graph, "g", read);
        SG_VERIFY_OK(plain);
        QVERIFY(std::ranges::none_of(plain->files, [](const ExportedFile& each) {
            return each.content.find("sys.path") != std::string::npos;
        }));
    }

    void passesOnWhatTheCodeFilesReaderSays()
    {
        const auto file = graph::loadGraph(kFolder + "everything.graph.json");
        SG_VERIFY_OK(file);
        const auto project =
            pythonProject(file->graph, "g", [](const RelativePath& path) -> Result<std::string> {
                return Error{ Errc::NotFound, "no " + path.text() };
            });
        QVERIFY(!project);
        QCOMPARE(project.error(), (Error{ Errc::NotFound, "no nodes/fetch-all.py" }));
    }

    void placesCodeFilesWhereTheyCanBeImported_data()
    {
        QTest::addColumn<std::string>("file");
        QTest::addColumn<std::string>("path");
        const auto row = [](const char* file, const char* path) {
            QTest::newRow(file) << std::string(file) << std::string(path);
        };
        row("nodes/work.py", "nodes/work.py");
        row("work.py", "nodes/work.py");
        row("my code/do-it.py", "my_code/do_it.py");
        row("graph/work.py", "nodes/graph/work.py");
        row("nodes/class.py", "nodes/class_.py");
        row("nodes/__init__.py", "nodes/init.py");
        row("nodes/work.txt", "nodes/work_txt.py");
    }
    void placesCodeFilesWhereTheyCanBeImported()
    {
        QFETCH(std::string, file);
        QFETCH(std::string, path);
        graph::Graph graph;
        graph.nodes.emplace_back();
        graph.nodes[0].name = NodeId("a");
        graph.nodes[0].kind = "python";
        graph.nodes[0].settings.set("file", file);
        const auto project = pythonProject(graph, "g", [](const RelativePath&) -> Result<std::string> {
            return std::string("def node(state): pass");
        });
        SG_VERIFY_OK(project);
        QVERIFY(std::ranges::any_of(project->files, [&path](const ExportedFile& exported) {
            return exported.path == "g/" + path && exported.content == "def node(state): pass";
        }));
    }

    // A package called json would stand in front of Python's.
    void avoidsNamesOfPackages()
    {
        for (const char* name : { "json", "jq", "class", "langgraph" }) {
            const auto project = pythonProject({}, name, code);
            SG_VERIFY_OK(project);
            QCOMPARE(project->package, std::string(name) + "_graph");
        }
    }
};

SG_TEST(TestPythonProject)
#include "tst_python_project.moc"
