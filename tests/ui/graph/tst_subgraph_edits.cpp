// Nodes become a subgraph and come out of it again; steps inside of one are undone where they happened.

#include "core/graph/graph_file.h"
#include "tests/support/qtest_std.h"
#include "tests/support/window_style.h"
#include "tests/ui/graph/graph_texts.h"
#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/edits/subgraph_edits.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/inner_graph.h"
#include "ui/graph/scene/node_item.h"

#include <QAction>

#include <set>

using namespace sg;
using namespace sg::ui;

namespace {

std::vector<NodeId> nodesOf(const QString& names)
{
    std::vector<NodeId> nodes;
    for (const QString& name : names.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        nodes.emplace_back(name.toStdString());
    return nodes;
}

// "a>b, b>end": sorted, one line, with "start" and "end".
QString edgesOf(const graph::Graph& graph)
{
    std::set<QString> edges;
    const auto word = [](const NodeId& id) {
        return id.value == graph::kStart ? QStringLiteral("start")
            : id.value == graph::kEnd    ? QStringLiteral("end")
                                         : QString::fromStdString(id.value);
    };
    for (const graph::Edge& edge : graph.edges)
        edges.insert(word(edge.from.front()) + QLatin1Char('>') + word(edge.to));
    return QStringList(edges.begin(), edges.end()).join(QStringLiteral(", "));
}

} // namespace

class TestSubgraphEdits : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }

    void nodesBecomeASubgraphAndComeOutAgain_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<QString>("outer");
        QTest::addColumn<QString>("inner");
        QTest::newRow("middle of a chain") << QStringLiteral("start>a>b>c>d>end") << QStringLiteral("b c")
                                           << QStringLiteral("a>subgraph, start>a, subgraph>d, d>end")
                                           << QStringLiteral("start>b, b>c, c>end");
        QTest::newRow("all") << QStringLiteral("start>a>b>end") << QStringLiteral("a b")
                             << QStringLiteral("start>subgraph, subgraph>end")
                             << QStringLiteral("start>a, a>b, b>end");
        QTest::newRow("side by side")
            << QStringLiteral("start>a, a>b, a>c, b>d, c>d, d>end") << QStringLiteral("b c")
            << QStringLiteral("start>a, a>subgraph, subgraph>d, d>end")
            << QStringLiteral("start>b, start>c, b>end, c>end");
        QTest::newRow("one") << QStringLiteral("start>a>b>end") << QStringLiteral("b")
                             << QStringLiteral("start>a, a>subgraph, subgraph>end")
                             << QStringLiteral("start>b, b>end");
    }
    void nodesBecomeASubgraphAndComeOutAgain()
    {
        QFETCH(QString, text);
        QFETCH(QString, nodes);
        QFETCH(QString, outer);
        QFETCH(QString, inner);
        graph::Graph graph = test::graphFromText(text.toStdString());
        const QString before = edgesOf(graph);
        QCOMPARE(extractionFault(graph, nodesOf(nodes)), std::string());
        const NodeId made = extractNodes(graph, nodesOf(nodes));
        const auto sorted = [](const QString& edges) {
            QStringList list = edges.split(QStringLiteral(", "));
            list.sort();
            return list.join(QStringLiteral(", "));
        };
        QCOMPARE(edgesOf(graph), sorted(outer));
        QCOMPARE(edgesOf(*graph.findNode(made)->subgraph), sorted(inner));
        QCOMPARE(inliningFault(graph, made), std::string());
        QCOMPARE(inlineSubgraph(graph, made), nodesOf(nodes));
        QCOMPARE(edgesOf(graph), before);
    }

    void whatWouldMeanSomethingElseIsRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<QString>("fault");
        QTest::newRow("two ways in") << QStringLiteral("start>a, start>x, a>b, x>c, b>d, c>d, d>end")
                                     << QStringLiteral("b c") << QStringLiteral("enter them at several");
        QTest::newRow("two ways out") << QStringLiteral("start>a, a>b, a>c, b>d, c>e, d>end, e>end")
                                      << QStringLiteral("b c") << QStringLiteral("leave them to several");
        QTest::newRow("branch out") << QStringLiteral("start>a>b, b?yes>c, b?no>a, c>end")
                                    << QStringLiteral("b") << QStringLiteral("leads in or out");
        QTest::newRow("waiting edge") << QStringLiteral("start>a, start>b, a+b>c, c>end")
                                      << QStringLiteral("c") << QStringLiteral("waits for several");
        QTest::newRow("nothing leads there") << QStringLiteral("start>a, b>end, a>end") << QStringLiteral("b")
                                             << QStringLiteral("No edge leads");
        QTest::newRow("nothing") << QStringLiteral("start>a>end") << QString() << QStringLiteral("No node");
    }
    void whatWouldMeanSomethingElseIsRefused()
    {
        QFETCH(QString, text);
        QFETCH(QString, nodes);
        QFETCH(QString, fault);
        graph::Graph graph = test::graphFromText(text.toStdString());
        const std::string before = graph::graphText(graph);
        const QString found = QString::fromStdString(extractionFault(graph, nodesOf(nodes)));
        QVERIFY2(found.contains(fault), qPrintable(found));
        QCOMPARE(extractNodes(graph, nodesOf(nodes)), NodeId());
        QCOMPARE(graph::graphText(graph), before);
    }

    void whatAddsUpIsGivenOnce()
    {
        graph::Graph graph = test::graphFromText("start>a>b>end");
        graph::Channel total;
        total.name = "total";
        total.type = graph::ChannelType::Reduce;
        total.reducer = graph::Reducer::Add;
        graph.channels.push_back(total);
        const NodeId made = extractNodes(graph, nodesOf(QStringLiteral("b")));
        const Value* out = graph.findNode(made)->settings.find("out");
        QVERIFY(out && out->asString().find("total") != std::string::npos);
        QCOMPARE(inliningFault(graph, made), std::string());
        graph.nodes.back().settings.set("out", Value(".result"));
        QVERIFY(!inliningFault(graph, graph.nodes.back().name).empty());
    }

    void aNameThatIsTakenOutsideIsAnotherOne()
    {
        graph::Graph graph = test::graphFromText("start>a>b>end");
        const NodeId made = extractNodes(graph, nodesOf(QStringLiteral("b")));
        renameNode(graph, NodeId("a"), NodeId("b"));
        QCOMPARE(inlineSubgraph(graph, made), nodesOf(QStringLiteral("b_2")));
        QCOMPARE(edgesOf(graph), QStringLiteral("b>b_2, b_2>end, start>b"));
    }

    void stepsInsideAreUndoneWhereTheyHappened()
    {
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(test::graphFromText("start>a>b>c>end"));
        const std::string first = graph::graphText(document.whole());
        document.edit(QStringLiteral("x"),
                      [](graph::Graph& graph) { extractNodes(graph, nodesOf(QStringLiteral("b c"))); });
        const std::string second = graph::graphText(document.whole());
        document.goTo(nodesOf(QStringLiteral("subgraph")));
        QCOMPARE(edgesOf(document.graph()), QStringLiteral("b>c, c>end, start>b"));
        QCOMPARE(graph::graphText(document.whole()), second);
        document.edit(QStringLiteral("y"),
                      [](graph::Graph& graph) { removeNodes(graph, nodesOf(QStringLiteral("c"))); });
        const std::string third = graph::graphText(document.whole());
        QVERIFY(third != second);
        document.goTo({});
        QCOMPARE(graph::graphText(document.graph()), third);
        QVERIFY(!document.graph().findNode(NodeId("subgraph"))->subgraph->findNode(NodeId("c")));
        document.steps().undo(); // shows where
        QCOMPARE(document.path(), nodesOf(QStringLiteral("subgraph")));
        QCOMPARE(graph::graphText(document.whole()), second);
        document.steps().undo();
        QVERIFY(document.path().empty());
        QCOMPARE(graph::graphText(document.whole()), first);
        document.steps().redo();
        document.steps().redo();
        QCOMPARE(graph::graphText(document.whole()), third);
        QCOMPARE(document.path(), nodesOf(QStringLiteral("subgraph")));
    }

    void aFileThatIsReadAgainStaysOpenInside()
    {
        GraphDocument document;
        document.setEditable(true);
        graph::Graph graph = test::graphFromText("start>a>b>end");
        const NodeId made = extractNodes(graph, nodesOf(QStringLiteral("b")));
        document.setGraph(graph);
        document.goTo({ made });
        document.setGraph(graph);
        QCOMPARE(document.path(), std::vector<NodeId>{ made });
        document.setGraph(test::graphFromText("start>a>end"));
        QVERIFY(document.path().empty());
        document.goTo(nodesOf(QStringLiteral("nowhere")));
        QVERIFY(document.path().empty());
    }

    void theCanvasEntersGroupsAndDissolves()
    {
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(test::graphFromText("start>a>b>c>end"));
        GraphScene scene(document);
        GraphView view(scene);
        CanvasEditor& editor = view.makeEditable(document);
        const auto& actions = editor.actions();
        scene.setSelectedNodes(nodesOf(QStringLiteral("b c")));
        QVERIFY(actions.extract->isEnabled());
        QVERIFY(!actions.inside->isEnabled());
        actions.extract->trigger();
        QCOMPARE(scene.currentNode(), NodeId("subgraph"));
        QCOMPARE(document.steps().count(), 1);
        actions.inside->trigger();
        QCOMPARE(document.path(), nodesOf(QStringLiteral("subgraph")));
        QVERIFY(scene.findNode(NodeId("b")));
        QVERIFY(actions.outside->isEnabled());
        actions.outside->trigger();
        QVERIFY(document.path().empty());
        QCOMPARE(scene.currentNode(), NodeId("subgraph"));
        actions.dissolve->trigger();
        QCOMPARE(edgesOf(document.graph()), QStringLiteral("a>b, b>c, c>end, start>a"));
        document.steps().undo();
        document.steps().undo();
        QCOMPARE(edgesOf(document.graph()), QStringLiteral("a>b, b>c, c>end, start>a"));
        QVERIFY(!document.isModified());
    }

    // Cards beside it make room, and the file keeps what is written in it.
    void aSubgraphIsDrawnOpenInItsPlace()
    {
        graph::Graph graph = test::graphFromText("start>a>sub>b>end, a>below>b");
        graph::Node& sub = *std::ranges::find(graph.nodes, NodeId("sub"), &graph::Node::name);
        sub.kind = "subgraph";
        sub.subgraph = std::make_shared<const graph::Graph>(test::graphFromText("start>x>y>z>end"));
        graph.layout = { { NodeId("a"), { 0, 0 } },
                         { NodeId("sub"), { 240, 0 } },
                         { NodeId("below"), { 240, 80 } },
                         { NodeId("b"), { 480, 0 } } };
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(graph);
        GraphScene scene(document);
        const auto card = [&scene](const char* node) { return scene.findNode(NodeId(node))->card(); };
        const QRectF before = card("sub");
        document.setOpen(NodeId("sub"), true);
        QVERIFY(document.isOpen(NodeId("sub")));
        QVERIFY(!document.isModified());
        QVERIFY(card("sub").width() > 3 * before.width());
        QVERIFY(scene.findNode(NodeId("sub"))->inside() != nullptr);
        QCOMPARE(scene.findNode(NodeId("sub"))->inside()->spoken(),
                 (QStringList{ QStringLiteral("x"), QStringLiteral("y"), QStringLiteral("z") }));
        for (const NodeItem* one : scene.nodes())
            for (const NodeItem* other : scene.nodes())
                QVERIFY2(one == other || !one->card().intersects(other->card()),
                         qPrintable(one->title() + QStringLiteral(" lies over ") + other->title()));
        QVERIFY(card("sub").left() >= card("a").right());
        QVERIFY(card("b").left() >= card("sub").right());
        QVERIFY(card("below").top() >= card("sub").bottom());
        // A node that is moved is written where it stands without the room.
        const std::size_t b = document.drawing().findNode(NodeId("b"));
        QCOMPARE(document.places()[b], QPointF(480, 0));
        QCOMPARE(document.placeAt(document.centres()[b]), QPointF(480, 0));
        document.setOpen(NodeId("sub"), false);
        QCOMPARE(card("sub"), before);
        QCOMPARE(document.centres()[b], QPointF(480, 0));
        QVERIFY(scene.findNode(NodeId("sub"))->inside() == nullptr);
    }

    void theVerbOpensAndClosesIt()
    {
        GraphDocument document;
        document.setEditable(true);
        GraphScene scene(document);
        GraphView view(scene);
        view.makeEditable(document);
        graph::Graph graph = test::graphFromText("start>a>sub>end");
        graph::Node& sub = *std::ranges::find(graph.nodes, NodeId("sub"), &graph::Node::name);
        sub.kind = "subgraph";
        sub.subgraph = std::make_shared<const graph::Graph>(test::graphFromText("start>x>end"));
        document.setGraph(graph);
        QAction* verb = view.editor()->actions().showInside;
        scene.setCurrentNode(NodeId("a"));
        QVERIFY(!verb->isEnabled());
        scene.setCurrentNode(NodeId("sub"));
        QVERIFY(verb->isEnabled());
        QCOMPARE(verb->text(), QStringLiteral("Sho&w inside"));
        verb->trigger();
        QVERIFY(document.isOpen(NodeId("sub")));
        QCOMPARE(verb->text(), QStringLiteral("Hi&de inside"));
        verb->trigger();
        QVERIFY(!document.isOpen(NodeId("sub")));
    }
};

SG_WINDOW_TEST(TestSubgraphEdits)
#include "tst_subgraph_edits.moc"
