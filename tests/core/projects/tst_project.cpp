#include "core/base/file.h"
#include "core/projects/project.h"
#include "core/runs/graph_check.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::projects;
using namespace sg::runs;
namespace fs = std::filesystem;

class TestProject : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Rows: the files of a folder "demo", and which graph it means.
    void choosesAGraph_data()
    {
        QTest::addColumn<std::vector<std::string>>("files");
        QTest::addColumn<std::string>("graph");
        using Files = std::vector<std::string>;
        QTest::newRow("none") << Files{ "notes.json" } << std::string();
        QTest::newRow("one") << Files{ "z.graph.json" } << std::string("z.graph.json");
        QTest::newRow("named like the folder")
            << Files{ "a.graph.json", "demo.graph.json" } << std::string("demo.graph.json");
        QTest::newRow("first by name")
            << Files{ "c.graph.json", "b.graph.json" } << std::string("b.graph.json");
        QTest::newRow("a folder is none") << Files{ "x.graph.json/inner.txt" } << std::string();
    }
    void choosesAGraph()
    {
        QFETCH(std::vector<std::string>, files);
        QFETCH(std::string, graph);
        const test::TempDir folder;
        for (const std::string& file : files)
            folder.write("demo/" + file, "{}");
        auto paths = locateProject(folder / "demo");
        SG_VERIFY_OK(paths);
        QCOMPARE(paths->graph.filename().string(), graph);
        QCOMPARE(paths->data, fs::canonical(folder / "demo") / ".sandglass");
    }

    void aFileNamesItsFolder()
    {
        const test::TempDir folder;
        const fs::path file = folder.write("demo/other.graph.json", "{}");
        folder.write("demo/demo.graph.json", "{}");
        auto byFile = locateProject(file);
        auto byFolder = locateProject(file.parent_path());
        SG_VERIFY_OK(byFile);
        SG_VERIFY_OK(byFolder);
        QCOMPARE(byFile->graph, fs::canonical(file));
        QCOMPARE(byFile->checkpoints, byFolder->checkpoints);
        QCOMPARE(byFile->id, byFolder->id);
        QCOMPARE(byFile->id.size(), std::size_t(8));
        fs::create_symlink(folder / "demo", folder / "link"); // the same project by another way
        QCOMPARE(locateProject(folder / "link")->id, byFolder->id);
    }

    void isFoundFromBelow()
    {
        const test::TempDir folder;
        folder.write("demo/demo.graph.json", "{}");
        folder.write("demo/nodes/deep/a.py", "");
        auto found = findProject(folder / "demo/nodes/deep");
        SG_VERIFY_OK(found);
        QCOMPARE(found->folder, fs::canonical(folder / "demo"));
        fs::create_directories(folder / "bare/.sandglass");
        SG_VERIFY_OK(findProject(folder / "bare"));
        const auto none = findProject("/proc");
        QVERIFY(!none);
        SG_VERIFY_CONTAINS(none.error().message, "--project");
        SG_VERIFY_CONTAINS(locateProject(folder / "nowhere").error().message, "nowhere");
    }

    void databasesAreToldByTheirFirstBytes()
    {
        const test::TempDir dir;
        const auto file = dir.path() / "any name";
        const auto holds = [&](std::string_view bytes) {
            return bool(writeFileAtomically(file, bytes)) && isDatabaseFile(file);
        };
        QVERIFY(holds(std::string_view("SQLite format 3\0 and more", 25)));
        QVERIFY(!holds("SQLite format 3"));
        QVERIFY(!holds("{}"));
        QVERIFY(!holds(""));
        QVERIFY(!isDatabaseFile(dir.path()));
        QVERIFY(!isDatabaseFile(dir.path() / "missing"));
    }

    // Notes on it lie elsewhere: its own folder may be anybody's.
    void aDatabaseIsNoProject()
    {
        const test::TempDir dir;
        const auto made = databaseProject(dir.path() / "theirs.sqlite");
        SG_VERIFY_OK(made);
        QCOMPARE(made->checkpoints, std::filesystem::weakly_canonical(dir.path() / "theirs.sqlite"));
        QVERIFY(made->graph.empty());
        for (const auto& path : { made->data, made->artifacts, made->blobs, made->store, made->sessions })
            QVERIFY(!path.string().starts_with(dir.path().string()));
    }

    void checksTheGraph()
    {
        const test::TempDir folder;
        folder.write("g.graph.json",
                     R"({"state": {"x": {"type": "last_value"}}, )"
                     R"("nodes": [{"name": "a", "kind": "python", "file": "none.py"}], )"
                     R"("edges": [["__start__", "a"], ["a", "__end__"]]})");
        auto paths = locateProject(folder.path());
        SG_VERIFY_OK(paths);
        auto form = checkedGraph(*paths, Check::Form);
        SG_VERIFY_OK(form);
        QVERIFY(!form->hasErrors());
        auto all = checkedGraph(*paths, Check::All);
        SG_VERIFY_OK(all);
        QCOMPARE(all->problems.size(), std::size_t(1));
        QCOMPARE(all->problems[0].pointer, std::string("/nodes/0/file"));
        folder.write("g.graph.json", "[]");
        const auto list = checkedGraph(*paths, Check::Form);
        SG_VERIFY_OK(list);
        QVERIFY(list->hasErrors());
        std::filesystem::remove(paths->graph);
        const auto none = checkedGraph(*paths, Check::Form);
        QVERIFY(!none);
        SG_VERIFY_CONTAINS(none.error().message, "g.graph.json");
    }
};

SG_TEST(TestProject)
#include "tst_project.moc"
