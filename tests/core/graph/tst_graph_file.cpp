#include "core/base/child_process.h"
#include "core/base/file.h"
#include "core/graph/graph_file.h"
#include "tests/support/machine.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <sstream>

using namespace sg;
using namespace sg::graph;

namespace {

const char* const kFull = SG_SOURCE_DIR "/tests/data/graph/full.graph.json";

std::vector<std::string> lines(const std::string& text)
{
    std::vector<std::string> result;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        result.push_back(line);
    return result;
}

// "-old\n+new\n" of the lines that stand in one text only, counted with repetition.
std::string changedLines(const std::string& before, const std::string& after)
{
    std::vector<std::string> gone = lines(before);
    std::string added;
    for (const std::string& line : lines(after)) {
        if (const auto same = std::ranges::find(gone, line); same != gone.end())
            gone.erase(same);
        else
            added += "+" + line + "\n";
    }
    std::string text;
    for (const std::string& line : gone)
        text += "-" + line + "\n";
    return text + added;
}

Graph full()
{
    auto file = loadGraph(kFull);
    if (!file)
        qFatal("%s", file.error().message.c_str());
    return file->graph;
}

Node jqNode(const char* name, const char* program)
{
    Node node;
    node.name = NodeId(name);
    node.kind = "jq";
    node.settings.set("jq", program);
    return node;
}

} // namespace

class TestGraphFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsEveryPart()
    {
        auto file = loadGraph(kFull);
        SG_VERIFY_OK(file);
        QVERIFY(file->problems.empty());
        const Graph& graph = file->graph;
        QCOMPARE(graph.name, std::string("full"));
        QCOMPARE(graph.channels.size(), std::size_t{ 11 });
        QVERIFY(graph.findChannel("log")->reducer == Reducer::Append);
        QVERIFY(graph.findChannel("none")->type == ChannelType::Reduce); // said by its reducer alone
        QVERIFY(graph.findChannel("none")->hasDefault && graph.findChannel("none")->defaultValue.isNull());
        QVERIFY(!graph.findChannel("log")->hasDefault);
        QVERIFY(graph.findChannel("nothing") == nullptr);
        QCOMPARE(graph.findChannel("big")->snapshotFrequency, 50);
        const Node& first = *graph.findNode(NodeId("first"));
        QCOMPARE(first.settings.size(), std::size_t{ 2 }); // jq, x-node
        QVERIFY(first.retry.at(0).retryOn == std::vector<std::string>{ "ValueError" });
        QVERIFY(first.cache->ttl == 60.0);
        QVERIFY(first.writes == std::vector<std::string>{ "value" });
        QVERIFY(first.errorHandler.find("jq") != nullptr);
        const Node& second = *graph.findNode(NodeId("second"));
        QCOMPARE(second.kind, std::string("python")); // said by its file
        QVERIFY(second.defer && second.retry.size() == 2 && second.cache && !second.cache->ttl);
        const Node& third = *graph.findNode(NodeId("third"));
        QVERIFY(third.subgraph && third.subgraph->checkpointer == Checkpointer::Own);
        QVERIFY(!graph.edges.at(0).waiting && graph.edges.at(2).waiting && graph.edges.at(3).waiting);
        QCOMPARE(graph.edges.at(2).from.size(), std::size_t{ 2 });
        QCOMPARE(graph.branches.at(0).targets->at(1).first, std::string("stop"));
        QCOMPARE(graph.branches.at(1).targets->at(0).second.value, std::string("third"));
        QVERIFY(graph.interruptAfter == std::vector<std::string>{ "*" });
        QVERIFY(graph.recursionLimit == 50 && graph.cache);
        QVERIFY(graph.sandbox.limits.memoryMb == 2048 && graph.sandbox.limits.cpus == 2.0);
        QVERIFY((graph.layout.at(1).second == Position{ 260.5, -12, true }));
    }

    void savesWhatItRead()
    {
        auto text = readFile(kFull);
        SG_VERIFY_OK(text);
        QCOMPARE(graphText(full()), *text);
    }

    void savesAtomicallyAndReadsItsOwnFile()
    {
        const test::TempDir folder;
        const auto path = folder / "a.graph.json";
        SG_VERIFY_OK(saveGraph(full(), path));
        auto again = loadGraph(path);
        SG_VERIFY_OK(again);
        QVERIFY(again->graph == full());
        auto failed = saveGraph(full(), folder / "no" / "a.graph.json");
        QVERIFY(!failed);
        SG_VERIFY_CONTAINS(failed.error().message, "save graph");
    }

    void keepsTheOrderOfKeysAndPutsPositionsLast()
    {
        auto file = parseGraph(
            R"({"layout":{"a":[1,2]},"zz":1,"nodes":[{"jq":".","zz":2,"name":"a"}],"name":"n","edges":[]})");
        SG_VERIFY_OK(file);
        const std::string text = graphText(file->graph);
        QVERIFY(text.find("\"zz\": 1") < text.find("\"nodes\""));
        QVERIFY(text.find("\"jq\"") < text.find("\"zz\": 2")
                && text.find("\"zz\": 2") < text.find("\"name\": \"a\""));
        QVERIFY(text.find("\"edges\"") < text.find("\"layout\""));
        QCOMPARE(graphText(parseGraph(text)->graph), text);
    }

    void aChangedParameterIsASmallDiff_data()
    {
        QTest::addColumn<int>("change");
        QTest::addColumn<QString>("diff");
        QTest::newRow("program") << 0
                                 << "-      \"jq\": \"{value: (.value + 1)} # a comment\",\n"
                                    "+      \"jq\": \"{value: (.value + 2)}\",\n";
        QTest::newRow("limit") << 1 << "-      \"memory_mb\": 2048,\n+      \"memory_mb\": 512,\n";
        QTest::newRow("position") << 2 << "-    \"first\": [0, 0],\n+    \"first\": [12.5, 40],\n";
        QTest::newRow("new edge") << 3
                                  << "-    [[\"third\"], \"__end__\"]\n+    [[\"third\"], \"__end__\"],\n"
                                     "+    [\"second\", \"third\"]\n";
        QTest::newRow("flag set") << 4 << "+      \"defer\": true,\n";
        QTest::newRow("setting gone") << 5 << "-      \"timeout_s\": 120,\n";
        QTest::newRow("recursion limit gone") << 6 << "-  \"recursion_limit\": 50,\n";
        QTest::newRow("channel")
            << 7
            << "-    \"n\": {\"type\": \"reduce\", \"reducer\": \"add\", \"default\": 0},\n"
               "+    \"n\": {\"type\": \"reduce\", \"reducer\": \"max\", \"default\": 0},\n";
        QTest::newRow("unchanged label")
            << 8
            << "-      \"targets\": {\"go\": \"second\", \"stop\": \"__end__\"},\n"
               "+      \"targets\": {\"go\": \"third\", \"stop\": \"__end__\"},\n";
        QTest::newRow("renamed inside")
            << 9 << "-        \"name\": \"inner\",\n+        \"name\": \"other\",\n";
        QTest::newRow("interrupts")
            << 10 << "-  \"interrupt_after\": \"*\",\n+  \"interrupt_after\": [\"first\"],\n";
        QTest::newRow("note moved")
            << 11
            << "-      {\"text\": \"The rest\", \"at\": [140, -80], \"size\": [480, 160], "
               "\"frame\": true}\n"
               "+      {\"text\": \"The rest\", \"at\": [160, -80], \"size\": [480, 160], "
               "\"frame\": true}\n";
        QTest::newRow("condition") << 12
                                   << "-    \"before\": {\"third\": \".total > 3\"}\n"
                                      "+    \"before\": {\"third\": \".total > 4\"}\n";
    }
    void aChangedParameterIsASmallDiff()
    {
        QFETCH(int, change);
        QFETCH(QString, diff);
        Graph graph = full();
        const std::string before = graphText(graph);
        changeOne(graph, change);
        const std::string after = graphText(graph);
        QCOMPARE(changedLines(before, after), diff.toStdString());
        auto again = parseGraph(after);
        SG_VERIFY_OK(again);
        QVERIFY(again->graph == graph);
        QCOMPARE(graphText(again->graph), after);
    }

    // As `git merge` does it: what two people changed in different parts comes together.
    void disjointEditsMerge()
    {
        test::TempDir folder;
        const Graph base = full();
        Graph mine = base;
        Graph theirs = base;
        mine.nodes[0].settings.set("jq", "{value: 7}");
        mine.layout[0].second = { 40, 40 };
        theirs.branches[0].targets->at(0).second = NodeId("third");
        theirs.notes.erase(theirs.notes.begin());
        folder.write("base", graphText(base));
        folder.write("mine", graphText(mine));
        folder.write("theirs", graphText(theirs));
        SG_NEED("git");
        ProcessSpec git;
        git.program = "git";
        git.arguments = { "merge-file", "-p", "mine", "base", "theirs" };
        git.workingFolder = folder.path().string();
        git.environment = { "PATH=" + std::string(std::getenv("PATH")), "HOME=" + folder.path().string() };
        const auto merged = runProcess(git, {}, std::chrono::seconds(20));
        SG_VERIFY_OK(merged);
        QCOMPARE(merged->exit.code, 0);
        auto read = parseGraph(merged->out);
        SG_VERIFY_OK(read);
        QVERIFY(!read->hasErrors());
        Graph both = mine;
        both.branches = theirs.branches;
        both.notes = theirs.notes;
        QCOMPARE(graphText(read->graph), graphText(both));
    }

    void writesAGraphMadeByHand()
    {
        Graph graph;
        graph.name = "made";
        graph.channels.emplace_back().name = "value";
        graph.channels.emplace_back().name = "log";
        graph.channels.back().type = ChannelType::Reduce;
        graph.nodes.push_back(jqNode("a", "."));
        graph.nodes.back().retry.emplace_back();
        graph.nodes.back().cache.emplace();
        graph.edges.push_back({ { NodeId(kStart) }, NodeId("a"), false });
        graph.branches.push_back({ NodeId("a"), {}, { { { "a", NodeId("a") } } }, {} });
        graph.layout.emplace_back(NodeId("a"), Position{ 1, 2.5 });
        QCOMPARE(graphText(graph), std::string(R"({
  "format": 1,
  "name": "made",
  "state": {
    "value": {"type": "last_value"},
    "log": {"type": "reduce", "reducer": "last"}
  },
  "nodes": [
    {
      "name": "a",
      "kind": "jq",
      "jq": ".",
      "retry": {"max_attempts": 3},
      "cache": {}
    }
  ],
  "edges": [
    ["__start__", "a"]
  ],
  "branches": [
    {
      "from": "a",
      "targets": ["a"]
    }
  ],
  "layout": {
    "a": [1, 2.5]
  }
}
)"));
    }

    void namesWhatIsNotJson_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("error");
        QTest::newRow("empty") << ""
                               << "line 1";
        QTest::newRow("syntax") << "{\n  \"name\" 1\n}"
                                << "line 2, column 10";
        QTest::newRow("twice") << "{\"a\":1,\n\"a\":2}"
                               << "line 2";
        QTest::newRow("list") << "[]"
                              << "a graph file is one JSON object";
        QTest::newRow("cut") << "{\"nodes\": ["
                             << "line 1";
    }
    void namesWhatIsNotJson()
    {
        QFETCH(QString, text);
        QFETCH(QString, error);
        auto file = parseGraph(text.toStdString());
        QVERIFY(!file);
        SG_VERIFY_CONTAINS(file.error().message, error.toStdString());
    }

    void namesTheFileThatCannotBeRead()
    {
        const test::TempDir folder;
        auto missing = loadGraph(folder / "gone.graph.json");
        QVERIFY(!missing);
        SG_VERIFY_CONTAINS(missing.error().message, "gone.graph.json");
        auto broken = loadGraph(folder.write("b.graph.json", "{"));
        QVERIFY(!broken);
        SG_VERIFY_CONTAINS(broken.error().message, "b.graph.json: line 1");
    }

    void describesAProblem()
    {
        const Problem problem{ Problem::Severity::Error,
                               "unknown-node",
                               "edge to unknown node 'doubl'; did you mean 'doubler'?",
                               "/edges/1/1",
                               { 7, 12 } };
        QCOMPARE(describe(problem, "counter.graph.json"),
                 std::string("counter.graph.json:7:12: error: edge to unknown node 'doubl'; did you mean "
                             "'doubler'? (/edges/1/1)"));
        QCOMPARE(describe({ Problem::Severity::Warning, "x", "text", "", {} }, "f"),
                 std::string("f: warning: text"));
        QCOMPARE(describe({ Problem::Severity::Error, "x", "node 'a\x1b[2J\nb'", "", {} }, "f"),
                 std::string("f: error: node 'a\\x1b[2J b'"));
    }

    // Parts that a save would lose are named; those that stay in the file are not.
    void namesWhatASaveWouldLose_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("skipped");
        QTest::newRow("whole") << QByteArray(R"({"nodes":[{"name":"a","jq":"."}]})") << QByteArray();
        QTest::newRow("nodes as an object")
            << QByteArray(R"({"nodes":{"a":{"jq":"."}}})") << QByteArray("/nodes");
        QTest::newRow("edges as a text") << QByteArray(R"({"edges":"a>b"})") << QByteArray("/edges");
        QTest::newRow("state as a list") << QByteArray(R"({"state":["a"]})") << QByteArray("/state");
        QTest::newRow("sandbox as a list") << QByteArray(R"({"sandbox":["a"]})") << QByteArray("/sandbox");
        QTest::newRow("notes as an object")
            << QByteArray(R"({"layout":{"__notes__":{"a":1}}})") << QByteArray("/layout/__notes__");
        QTest::newRow("one note") << QByteArray(R"({"layout":{"__notes__":[7]}})")
                                  << QByteArray("/layout/__notes__/0");
        QTest::newRow("layout as a list") << QByteArray(R"({"layout":[1]})") << QByteArray("/layout");
        QTest::newRow("inside") << QByteArray(R"({"nodes":[{"name":"a","graph":{"nodes":{"b":{}}}}]})")
                                << QByteArray("/nodes/0/graph/nodes");
        QTest::newRow("graph as a text") << QByteArray(R"({"nodes":[{"name":"a","graph":"b"}]})")
                                         << QByteArray(); // written back as it stands
        QByteArray deep = R"({"nodes":[]})";
        for (int i = 0; i < 20; ++i)
            deep = R"({"nodes":[{"name":"a","graph":)" + deep + "}]}";
        QByteArray pointer;
        for (int i = 0; i < 17; ++i)
            pointer += "/nodes/0/graph";
        QTest::newRow("too deep") << deep << pointer;
        QTest::newRow("one place") << QByteArray(R"({"layout":{"a":"here","b":[1,2]}})") << QByteArray();
    }
    void namesWhatASaveWouldLose()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, skipped);
        const auto file = parseGraph(text.toStdString());
        SG_VERIFY_OK(file);
        std::string list;
        for (const std::string& pointer : file->skipped)
            list += pointer;
        QCOMPARE(list, skipped.toStdString());
        QCOMPARE(file->hasErrors(),
                 !skipped.isEmpty() || text.contains("\"here\"") || text.contains("\"b\"}"));
    }

    void aBrokenPlaceCostsNoOther()
    {
        const auto file = parseGraph(R"({"nodes":[{"name":"a","jq":"."}],"layout":{"a":"here","b":[1,2]}})");
        SG_VERIFY_OK(file);
        Graph graph = file->graph;
        QCOMPARE(graph.layout.size(), std::size_t(1));
        graph.layout[0].second = { 3, 4 };
        const std::string text = graphText(graph);
        SG_VERIFY_CONTAINS(text, "[3, 4]");
        SG_VERIFY_CONTAINS(text, "\"here\""); // nobody moved that card
        graph.layout.emplace_back(NodeId("a"), Position{ 5, 6 });
        QVERIFY(graphText(graph).find("here") == std::string::npos);
    }

private:
    static void changeOne(Graph& graph, int change)
    {
        switch (change) {
        case 0: graph.nodes[0].settings.set("jq", "{value: (.value + 2)}"); break;
        case 1: graph.sandbox.limits.memoryMb = 512; break;
        case 2: graph.layout[0].second = { 12.5, 40 }; break;
        case 3: graph.edges.push_back({ { NodeId("second") }, NodeId("third"), false }); break;
        case 4: graph.nodes[0].defer = true; break;
        case 5: graph.nodes[1].settings.erase("timeout_s"); break;
        case 6: graph.recursionLimit.reset(); break;
        case 7: graph.channels[2].reducer = Reducer::Max; break;
        case 8: graph.branches[0].targets->at(0).second = NodeId("third"); break;
        case 11: graph.notes[1].place.x = 160; break;
        case 12: graph.interruptIf.before[0].second = ".total > 4"; break;
        case 9: {
            Graph inner = *graph.nodes[2].subgraph;
            inner.name = "other";
            graph.nodes[2].subgraph = std::make_shared<const Graph>(inner);
            break;
        }
        default: graph.interruptAfter = { "first" };
        }
    }
};

SG_TEST(TestGraphFile)
#include "tst_graph_file.moc"
