// A copy takes with it what lies between, and comes to stand where nothing stands.

#include "core/graph/graph_file.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"
#include "tests/ui/graph/graph_texts.h"
#include "ui/graph/edits/graph_clipboard.h"
#include "ui/graph/edits/graph_edits.h"

#include <set>

using namespace sg;
using namespace sg::ui;

namespace {

const graph::Position kStep{ 40, 80 };

graph::Graph placed(const char* text)
{
    graph::Graph graph = test::graphFromText(text);
    double x = 0;
    for (const graph::Node& node : graph.nodes)
        graph.layout.emplace_back(node.name, graph::Position{ x += 200, 0 });
    return graph;
}

bool hasEdge(const graph::Graph& graph, const char* from, const char* to)
{
    const graph::Edge wanted{ { NodeId(from) }, NodeId(to), false };
    return std::ranges::find(graph.edges, wanted) != graph.edges.end();
}

bool isStacked(const graph::Graph& graph)
{
    std::set<std::pair<double, double>> places;
    for (const auto& [id, place] : graph.layout)
        if (!places.emplace(place.x, place.y).second)
            return true;
    return false;
}

} // namespace

class TestGraphClipboard : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void duplicatesAreConnectedAsTheirOriginals()
    {
        graph::Graph graph = placed("start>a>b>c>end, b?again>a, b?out>c");
        const auto copies = duplicateNodes(graph, { NodeId("a"), NodeId("b") }, kStep);
        QCOMPARE(copies, (std::vector<NodeId>{ NodeId("a_2"), NodeId("b_2") }));
        QVERIFY(hasEdge(graph, "a_2", "b_2"));
        QVERIFY(!hasEdge(graph, "b_2", "c")); // that one was not copied
        QCOMPARE(graph.branches.size(), std::size_t(2));
        QCOMPARE(graph.branches[1].from, NodeId("b_2"));
        QCOMPARE(graph.branches[1].targets->size(), std::size_t(1));
        QCOMPARE(graph.branches[1].targets->front().second, NodeId("a_2"));
    }

    void aBranchWithoutItsTargetsIsNotCopied()
    {
        graph::Graph graph = placed("start>a, a?yes>b, a?no>c");
        duplicateNodes(graph, { NodeId("a") }, kStep);
        QCOMPARE(graph.branches.size(), std::size_t(1));
    }

    void aCopyHasASessionOfItsOwnToo()
    {
        graph::Graph graph = placed("start>a>end");
        graph.sandbox.ownSessions = { "a" };
        duplicateNodes(graph, { NodeId("a") }, kStep);
        QCOMPARE(graph.sandbox.ownSessions, (std::vector<std::string>{ "a", "a_2" }));
    }

    void noTwoCopiesStandOnOneSpot()
    {
        graph::Graph graph = placed("start>a>b>end");
        const std::string text = textOfNodes(graph, { NodeId("a"), NodeId("b") });
        for (int i = 0; i < 3; ++i)
            QCOMPARE(pasteNodes(graph, text, kStep).size(), std::size_t(2));
        duplicateNodes(graph, { NodeId("a") }, kStep);
        QCOMPARE(graph.layout.size(), std::size_t(9));
        QVERIFY(!isStacked(graph));
    }

    void channelsOfQuestionsAndDataSetsGoAlong()
    {
        graph::Graph graph = placed("start>a>b>end");
        for (const char* name : { "answer", "path", "wanted", "other" }) {
            graph.channels.emplace_back();
            graph.channels.back().name = name;
        }
        graph.nodes[0].kind = "human";
        graph.nodes[0].settings.set("channel", Value("answer"));
        graph.nodes[1].kind = "dataset";
        graph.nodes[1].settings.set("channel", Value("path"));
        graph.nodes[1].settings.set("from", Value("wanted"));
        graph::Graph other;
        pasteNodes(other, textOfNodes(graph, { NodeId("a"), NodeId("b") }), kStep);
        QCOMPARE(other.channels.size(), std::size_t(3));
        QVERIFY(other.findChannel("answer") && other.findChannel("path") && other.findChannel("wanted"));
    }
};

SG_TEST(TestGraphClipboard)
#include "tst_graph_clipboard.moc"
