// A graph stays one that can run where nodes are taken out of it, and names are those that the engine takes.

#include "core/graph/graph_file.h"
#include "core/graph/validate.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"
#include "tests/ui/graph/graph_texts.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/edits/subgraph_edits.h"

using namespace sg;
using namespace sg::ui;

namespace {

Value listOf(std::initializer_list<const char*> names)
{
    ValueList list;
    for (const char* name : names)
        list.emplace_back(name);
    return Value(std::move(list));
}

std::string errorsOf(const graph::Graph& graph)
{
    graph::GraphFile file;
    file.graph = graph;
    std::string errors;
    for (const graph::Problem& problem : graph::validate(file, {}))
        if (problem.severity == graph::Problem::Severity::Error && problem.code != "missing-setting")
            errors += problem.code + " " + problem.pointer + "\n";
    return errors;
}

graph::Graph wired()
{
    graph::Graph graph = test::graphFromText("start>a>b, b?yes>c, b?no>d, c>end, d>end");
    graph.sandbox.ownSessions = { "c", "a" };
    nodeIn(graph, NodeId("a"))->settings.set("ends", listOf({ "c", "b" }));
    nodeIn(graph, NodeId("d"))->settings.set("ends", listOf({ "c" }));
    return graph;
}

} // namespace

class TestRemovedNodes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingNamesThem()
    {
        graph::Graph graph = wired();
        removeNodes(graph, { NodeId("c") });
        QCOMPARE(errorsOf(graph), std::string());
        QCOMPARE(graph.sandbox.ownSessions, std::vector<std::string>{ "a" });
        QVERIFY(*graph.findNode(NodeId("a"))->settings.find("ends") == listOf({ "b" }));
        QVERIFY(!graph.findNode(NodeId("d"))->settings.contains("ends")); // its edges lead it on
        QCOMPARE(graph.branches.front().targets->size(), std::size_t(1));
        removeNodes(graph, { NodeId("d") });
        QVERIFY(graph.branches.empty()); // it led nowhere else
        QCOMPARE(errorsOf(graph), std::string());
    }

    void aBranchThatMayLeadAnywhereStays()
    {
        graph::Graph graph = wired();
        graph.branches.front().targets.reset();
        removeNodes(graph, { NodeId("c"), NodeId("d") });
        QCOMPARE(graph.branches.size(), std::size_t(1));
    }

    void groupingRefusesWhatASubgraphCannotHold()
    {
        graph::Graph graph = test::graphFromText("start>a>b>end");
        graph.sandbox.ownSessions = { "b" };
        QVERIFY(!extractionFault(graph, { NodeId("b") }).empty());
        QVERIFY(extractionFault(graph, { NodeId("a") }).empty());
        graph.sandbox.ownSessions.clear();
        nodeIn(graph, NodeId("a"))->settings.set("ends", listOf({ "b" }));
        QVERIFY(!extractionFault(graph, { NodeId("b") }).empty()); // a would look for it in vain
    }

    void namesAreThoseThatTheEngineTakes_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isGood");
        QTest::newRow("a word") << QStringLiteral("plan") << true;
        QTest::newRow("spaces") << QStringLiteral("plan a trip") << true;
        QTest::newRow("empty") << QString() << false;
        QTest::newRow("colon") << QStringLiteral("a:b") << false;
        QTest::newRow("bar") << QStringLiteral("a|b") << false;
        QTest::newRow("tab") << QStringLiteral("a\tb") << false;
        QTest::newRow("long") << QString(300, QLatin1Char('x')) << false;
        QTest::newRow("reserved") << QStringLiteral("__start__") << false;
    }
    void namesAreThoseThatTheEngineTakes()
    {
        QFETCH(QString, name);
        QFETCH(bool, isGood);
        const std::string word = name.toStdString();
        QCOMPARE(nodeNameFault({}, word, "old").empty(), isGood);
        QCOMPARE(channelNameFault({}, word, "old").empty(), isGood);
        QCOMPARE(graph::nameFault(word).empty(), isGood);
    }
};

SG_TEST(TestRemovedNodes)
#include "tst_removed_nodes.moc"
