#include "core/base/file.h"
#include "core/graph/validate.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <filesystem>
#include <sstream>

using namespace sg;
using namespace sg::graph;

namespace {

ValidationHost host()
{
    ValidationHost result;
    result.backends = { "auto", "docker", "bubblewrap" };
    result.checkJq = [](const std::vector<std::string>& programs) {
        std::vector<std::pair<std::size_t, std::string>> problems;
        for (std::size_t i = 0; i < programs.size(); ++i)
            if (programs[i].find("BAD") != std::string::npos)
                problems.emplace_back(i, "syntax error, unexpected BAD (line 1)");
        return problems;
    };
    return result;
}

std::string problemsOf(std::string_view text, const ValidationHost& asked)
{
    auto file = parseGraph(text);
    if (!file)
        return file.error().message;
    std::string result;
    for (const Problem& problem : validate(*file, asked))
        result += std::string(problem.severity == Problem::Severity::Error ? "" : "warning ") + problem.code
            + " " + problem.pointer + ": " + problem.message + "\n";
    return result;
}

struct Case {
    std::string name;
    std::string graph;
    std::string problems;
};

// The format is told in the file's head.
std::vector<Case> casesOf(const std::string& text)
{
    std::vector<Case> cases;
    std::istringstream stream(text);
    std::string* part = nullptr;
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with("=== ")) {
            cases.push_back({ line.substr(4), {}, {} });
            part = &cases.back().graph;
        } else if (line == "---") {
            part = &cases.back().problems;
        } else if (part != nullptr) {
            *part += line + "\n";
        }
    }
    return cases;
}

} // namespace

class TestValidate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesEveryProblem_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("problems"); // what each line must begin with
        auto text = readFile(SG_SOURCE_DIR "/tests/data/graph/problems.txt");
        SG_VERIFY_OK(text);
        for (const Case& one : casesOf(*text))
            QTest::newRow(one.name.c_str())
                << QString::fromStdString(one.graph) << QString::fromStdString(one.problems);
    }
    void namesEveryProblem()
    {
        QFETCH(QString, text);
        QFETCH(QString, problems);
        const QString found = QString::fromStdString(problemsOf(text.toStdString(), host()));
        const QStringList foundLines = found.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        const QStringList wanted = problems.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QVERIFY2(foundLines.size() == wanted.size(), qPrintable(found));
        for (int i = 0; i < wanted.size(); ++i)
            QVERIFY2(foundLines[i].startsWith(wanted[i]),
                     qPrintable(found + QStringLiteral("wanted: ") + wanted[i]));
    }

    void saysWhereEachProblemStands()
    {
        auto file =
            parseGraph("{\n  \"nodes\": [\n    {\"name\": \"a\", \"jq\": \".\"}\n  ],\n  \"edges\": [\n"
                       "    [\"__start__\", \"a\"],\n    [\"a\", \"aa\"]\n  ]\n}");
        SG_VERIFY_OK(file);
        const auto problems = validate(*file, host());
        QCOMPARE(problems.size(), std::size_t{ 1 });
        QCOMPARE(describe(problems[0], "g.graph.json"),
                 std::string(
                     "g.graph.json:7:11: error: edge to unknown node 'aa'; did you mean 'a'? (/edges/1/1)"));
    }

    void pointsIntoTheFileWhereElementsCouldNotBeRead()
    {
        const std::string found = problemsOf(R"({"nodes":[7,{"name":"a","jq":"."},8,{"name":"a","jq":"BAD"}],
            "edges":[3,["__start__","a"],[],["a","zzz"]]})",
                                             host());
        SG_VERIFY_CONTAINS(found, "duplicate-node /nodes/3/name:");
        SG_VERIFY_CONTAINS(found, "bad-jq /nodes/3/jq:");
        SG_VERIFY_CONTAINS(found, "unknown-node /edges/3/1:");
    }

    void checksAGraphWithoutAText()
    {
        GraphFile file;
        file.graph.edges.push_back({ { NodeId(kStart) }, NodeId("gone"), false });
        const auto problems = validate(file, {});
        QCOMPARE(problems.size(), std::size_t{ 1 });
        QCOMPARE(describe(problems[0], "new"),
                 std::string("new: error: edge to unknown node 'gone' (/edges/0/1)"));
    }

    void looksForCodeFiles()
    {
        const test::TempDir outside;
        outside.write("code.py", "");
        const test::TempDir folder;
        folder.write("nodes/load.py", "");
        std::filesystem::create_symlink(outside.path(), folder / "away");
        std::filesystem::create_symlink("load.py", folder / "nodes/same.py");
        ValidationHost asked = host();
        asked.folder = folder.path();
        const auto check = [&](const std::string& file) {
            return problemsOf("{\"state\":{\"v\":{}},\"nodes\":[{\"name\":\"a\",\"file\":\"" + file
                                  + "\"}],\"edges\":[[\"__start__\",\"a\"]]}",
                              asked);
        };
        QCOMPARE(check("nodes/load.py"), std::string());
        SG_VERIFY_CONTAINS(
            problemsOf(R"({"nodes":[{"name":"a","file":"nodes/load.py"}],"edges":[["__start__","a"]]})",
                       asked),
            "empty-state /state: the state has no channels");
        QCOMPARE(check("nodes/same.py"), std::string());
        SG_VERIFY_CONTAINS(check("nodes/laod.py"),
                           "missing-file /nodes/0/file: the code file 'nodes/laod.py' does not exist in");
        SG_VERIFY_CONTAINS(check("nodes"), "missing-file /nodes/0/file: 'nodes' is not a file");
        SG_VERIFY_CONTAINS(check("away/code.py"),
                           "bad-path /nodes/0/file: the code file 'away/code.py' is a link that leads out");
        SG_VERIFY_CONTAINS(check("../code.py"),
                           "bad-path /nodes/0/file: the code file must stand in the graph's folder");
        SG_VERIFY_CONTAINS(check("/etc/passwd"), "bad-path /nodes/0/file:");
    }

    void findsToolsThatTheirFileDoesNotDefine()
    {
        const test::TempDir folder;
        folder.write("nodes/tools.py",
                     "'''def none(): text, not code'''\n"
                     "import os\n"
                     "from langchain_core.tools import (tool,\n    other as lookup)\n"
                     "# def none():\n"
                     "class Box:\n    def none(self):\n        return 1\n\n"
                     "def add(a: int = (\n1), *,\n b=\"\"\"def none():\n\"\"\"):\n"
                     "    none = 3\n    global counter\n    return a\n"
                     "if os:\n    @tool\n    async def later(text):\n"
                     "        return r'\\\\' + f\"{text}\"\n"
                     "subtract, multiply = add, add\n");
        folder.write("nodes/open.py", "from tools import *\n");
        folder.write("nodes/made.py", "globals()['none'] = print\n");
        folder.write("nodes/broken.py", "x = '''\n");
        folder.write("nodes/empty.py", "# nothing yet\n");
        ValidationHost asked = host();
        asked.folder = folder.path();
        const auto check = [&](const std::string& tool) {
            return problemsOf(R"({"state":{"messages":{"type":"reduce","reducer":"add_messages"}},"nodes":[)"
                              R"({"name":"a","kind":"agent","model":"m","base_url":"http://127.0.0.1:1/v1",)"
                              R"("tools":[)"
                                  + tool + R"(]}],"edges":[["__start__","a"]]})",
                              asked);
        };
        for (const char* known : { "add", "Box", "lookup", "later", "multiply", "counter", "tool" })
            QCOMPARE(check("\"nodes/tools.py:" + std::string(known) + "\""), std::string());
        for (const char* file : { "open", "made", "broken" })
            QCOMPARE(check("\"nodes/" + std::string(file) + ".py:none\""), std::string());
        QCOMPARE(check(R"("nodes/tools.py")"), std::string());
        SG_VERIFY_CONTAINS(check(R"("nodes/tools.py:none")"),
                           "unknown-function /nodes/0/tools/0: 'nodes/tools.py' defines no function 'none'");
        SG_VERIFY_CONTAINS(check(R"({"tool": "nodes/tools.py:latr"})"), "; did you mean 'later'?");
        SG_VERIFY_CONTAINS(check(R"("nodes/empty.py")"), "warning no-tool /nodes/0/tools/0:");
        SG_VERIFY_CONTAINS(check(R"("nodes/gone.py:add")"), "missing-file /nodes/0/tools/0:");
    }

    void isQuickOnALargeGraph()
    {
        std::string text = R"({"nodes":[)";
        for (int i = 0; i < 5000; ++i)
            text += (i ? "," : "") + std::string("{\"name\":\"node") + std::to_string(i) + "\",\"jq\":\".\"}";
        text += R"(],"edges":[["__start__","node0"])";
        for (int i = 0; i + 1 < 5000; ++i)
            text += ",[\"node" + std::to_string(i) + "\",\"node" + std::to_string(i + 1) + "\"]";
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(problemsOf(text + "]}", host()), std::string());
        QVERIFY2(timer.elapsed() < 30'000, qPrintable(QString::number(timer.elapsed())));
    }
};

SG_TEST(TestValidate)
#include "tst_validate.moc"
