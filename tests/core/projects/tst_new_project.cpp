// New projects: where they would stand, what they begin with, and that nothing is written over or left
// behind.

#include "core/base/file.h"
#include "core/graph/graph_file.h"
#include "core/projects/new_project.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace sg;
namespace fs = std::filesystem;

namespace {

projects::TemplateFolders shipped()
{
    const fs::path resources = fs::path(SG_SOURCE_DIR) / "resources";
    return { resources / "templates", resources / "examples" };
}

projects::Template named(const char* id)
{
    auto found = projects::findTemplate(shipped(), id);
    if (!found)
        qFatal("%s", found.error().message.c_str());
    return *std::move(found);
}

} // namespace

class TestNewProject : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void listsPlainTemplatesBeforeExamples()
    {
        const auto all = projects::projectTemplates(shipped());
        std::vector<std::string> plain;
        std::size_t examples = 0;
        for (const projects::Template& each : all) {
            if (each.kind == projects::Template::Kind::Plain) {
                QCOMPARE(examples, std::size_t(0));
                plain.push_back(each.id);
            } else {
                ++examples;
                QVERIFY(std::ranges::find(plain, each.id) == plain.end());
                QVERIFY2(!each.graph.nodes.empty(), each.id.c_str());
            }
            QVERIFY2(!each.facts.empty(), each.id.c_str());
        }
        QCOMPARE(plain, (std::vector<std::string>{ "empty", "approval", "fan-out", "python" }));
        QVERIFY(examples >= 5);
        QCOMPARE(named("empty").facts, std::string("Start and end, nothing between"));
        QCOMPARE(named("python").facts, std::string("3 Python nodes"));
        QCOMPARE(named("approval").facts, std::string("3 nodes, branches, asks a person"));
        QCOMPARE(named("fan-out").facts, std::string("3 jq transform nodes, a task per item"));
        QCOMPARE(projects::findTemplate(shipped(), "pengiuns").error().code, Errc::NotFound);
    }

    // The first run of a new project asks for what the graph declares: it has something to offer.
    void whatTheFirstRunAsksForHasAnExample()
    {
        for (const projects::Template& each : projects::projectTemplates(shipped()))
            for (const std::string& channel : each.graph.input.value_or(std::vector<std::string>())) {
                const Value& example = each.graph.inputExample;
                QVERIFY2(example.isMap() && example.find(channel) != nullptr,
                         (each.id + ": " + channel).c_str());
            }
    }

    void makesFoldersThatAreNotThere()
    {
        const test::TempDir folder;
        const projects::NewProject wanted{ "krill", folder / "2026" / "krill" };
        const auto place = projects::placeOf(wanted);
        QVERIFY2(place, place ? "" : place.error().message.c_str());
        QCOMPARE(place->made, (std::vector<std::string>{ "2026", "krill" }));
        QVERIFY(!fs::exists(folder / "2026"));
        const auto made = projects::createProject(wanted, named("penguins"));
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        QCOMPARE(made->graph, place->graph);
        const auto graph = graph::loadGraph(made->graph);
        QVERIFY(graph);
        QCOMPARE(graph->graph.name, std::string("krill"));
        QCOMPARE(graph->graph.nodes.size(), std::size_t(3));
        QVERIFY(fs::exists(made->folder / "nodes" / "load.py"));
        QVERIFY(fs::exists(made->folder / "datasets" / "penguins.csv"));
        QVERIFY(!fs::exists(made->folder / "README.md")); // it is about the example
        QVERIFY(!fs::exists(made->folder / "penguins.graph.json"));
    }

    void takesAFolderThatIsThere()
    {
        const test::TempDir folder;
        fs::create_directories(folder / "mine");
        QVERIFY(writeFileAtomically(folder / "mine" / "notes.txt", "hello"));
        const auto made = projects::createProject({ "other name", folder / "mine" }, named("empty"));
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        QCOMPARE(made->graph.filename().string(), std::string("other name.graph.json"));
        QCOMPARE(*readFile(folder / "mine" / "notes.txt"), std::string("hello"));
    }

    void writesNothingOver()
    {
        const test::TempDir folder;
        fs::create_directories(folder / "p" / "nodes");
        QVERIFY(writeFileAtomically(folder / "p" / "nodes" / "load.py", "mine"));
        const auto made = projects::createProject({ "p", folder / "p" }, named("penguins"));
        QVERIFY(!made);
        QCOMPARE(made.error().code, Errc::Exists);
        QVERIFY(made.error().message.find("load.py") != std::string::npos);
        QCOMPARE(*readFile(folder / "p" / "nodes" / "load.py"), std::string("mine"));
        // Files that were copied before that one are gone again.
        QVERIFY(!fs::exists(folder / "p" / "datasets"));
        QVERIFY(!fs::exists(folder / "p" / "nodes" / "analyze.py"));
        QVERIFY(!fs::exists(folder / "p" / "p.graph.json"));
        QVERIFY(writeFileAtomically(folder / "p" / "there.graph.json", "{}"));
        const auto place = projects::placeOf({ "p", folder / "p" });
        QVERIFY(!place);
        QCOMPARE(place.error().code, Errc::Exists);
        QVERIFY(place.error().message.find("there.graph.json") != std::string::npos);
    }

    void refusesNames_data()
    {
        QTest::addColumn<std::string>("name");
        QTest::newRow("none") << std::string();
        QTest::newRow("two folders") << std::string("a/b");
        QTest::newRow("above") << std::string("..");
        QTest::newRow("hidden") << std::string(".git");
        QTest::newRow("line break") << std::string("a\nb");
        QTest::newRow("no UTF-8") << std::string("a\xff");
        QTest::newRow("too long") << std::string(81, 'a');
    }
    void refusesNames()
    {
        QFETCH(std::string, name);
        const test::TempDir folder;
        const auto place = projects::placeOf({ name, folder / "p" });
        QVERIFY(!place);
        QCOMPARE(place.error().code, Errc::InvalidArgument);
    }

    void saysWhyAPlaceCannotBeUsed()
    {
        const test::TempDir folder;
        QVERIFY(writeFileAtomically(folder / "file", "x"));
        const auto inFile = projects::placeOf({ "p", folder / "file" / "p" });
        QVERIFY(!inFile);
        QVERIFY(inFile.error().message.find("is a file") != std::string::npos);
        QVERIFY(!projects::placeOf({ "p", {} }));
        const auto denied = projects::placeOf({ "p", "/proc/p" }); // nobody makes folders there
        QVERIFY(!denied || !projects::createProject({ "p", "/proc/p" }, named("empty")));
    }

    void theTildeIsTheUsersHome()
    {
        const test::TempDir home;
        qputenv("HOME", home.path().string().c_str());
        const auto place = projects::placeOf({ "p", "~/work/p" });
        QVERIFY(place);
        QCOMPARE(place->folder, fs::canonical(home.path()) / "work" / "p");
    }

    void findsWhatAFolderHasToBeOpened()
    {
        const test::TempDir folder;
        folder.write("program/langgraph.json", "{}");
        const auto none = projects::openableIn(folder / "program");
        QVERIFY(!none);
        QVERIFY(none.error().message.find("get_graph().to_json()") != std::string::npos);
        folder.write("program/data/notes.db", "no database");
        const auto database =
            folder.write("program/data/checkpoints.db", std::string("SQLite format 3\0", 16));
        const auto found = projects::openableIn(folder / "program");
        QVERIFY2(found, found ? "" : found.error().message.c_str());
        QCOMPARE(*found, database);
        folder.write("program/own.graph.json", "{}");
        QCOMPARE(*projects::openableIn(folder / "program"), folder / "program");
        QCOMPARE(projects::openableIn(folder / "gone").error().code, Errc::NotFound);
    }

    void copiesAProjectWithoutItsRuns()
    {
        const test::TempDir folder;
        QVERIFY(projects::createProject({ "krill", folder / "krill" }, named("python")));
        folder.write("krill/.sandglass/checkpoints.sqlite", "runs");
        const auto copied = projects::copyProject(folder / "krill", folder / "copies");
        QVERIFY2(copied, copied ? "" : copied.error().message.c_str());
        QVERIFY(fs::exists(folder / "copies" / "krill" / "nodes" / "read.py"));
        QVERIFY(!fs::exists(folder / "copies" / "krill" / ".sandglass"));
        const auto again = projects::copyProject(folder / "krill", folder / "copies");
        QVERIFY(again);
        QCOMPARE(again->folder.filename().string(), std::string("krill-2"));
        QVERIFY(projects::whyReadOnly(*again).empty());
    }

    void findsANameThatIsFree()
    {
        const test::TempDir folder;
        QCOMPARE(projects::freeName(folder.path(), "new"), std::string("new"));
        fs::create_directories(folder / "new");
        fs::create_directories(folder / "new-2");
        QCOMPARE(projects::freeName(folder.path(), "new"), std::string("new-3"));
    }
};

SG_TEST(TestNewProject)
#include "tst_new_project.moc"
