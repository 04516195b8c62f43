// From a graph to places and lines: drawing, layered layout, routes, arrow keys.

#include "core/graph/command_ends.h"
#include "tests/support/qtest_std.h"
#include "tests/support/window_test.h"
#include "tests/ui/graph/graph_texts.h"
#include "ui/graph/canvas/canvas_navigation.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/layout/layer_order.h"
#include "ui/graph/layout/layer_rows.h"
#include "ui/graph/layout/layered_layout.h"

#include <QElapsedTimer>

#include <algorithm>
#include <cmath>
#include <random>

using namespace sg;
using namespace sg::ui;

namespace {

LayoutResult layoutOf(const GraphDrawing& drawing)
{
    std::vector<LayoutNode> nodes;
    for (const DrawnNode& node : drawing.nodes)
        nodes.push_back({ node.width(), node.height() });
    std::vector<LayoutEdge> edges;
    for (const DrawnEdge& edge : drawing.edges)
        edges.push_back({ edge.from, edge.to, 0 });
    return layeredLayout(nodes, edges);
}

// "start 0, a 1, b 2": each node's column.
std::string columnsOf(const std::string& text)
{
    const GraphDrawing drawing = drawingOf(test::graphFromText(text));
    const LayoutResult layout = layoutOf(drawing);
    std::string line;
    for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
        std::string name = drawing.nodes[i].id.value;
        name = name == graph::kStart ? "start" : name == graph::kEnd ? "end" : name;
        line += (i ? ", " : "") + name + " " + std::to_string(layout.columns[i]);
    }
    return line;
}

std::vector<QRectF> cardsOf(const GraphDocument& document)
{
    std::vector<QRectF> cards;
    for (std::size_t i = 0; i < document.centres().size(); ++i)
        cards.push_back(nodeRect(document.drawing().nodes[i], document.centres()[i]));
    return cards;
}

graph::Graph chainOfForks(int rows, int columns)
{
    std::string text = "start>n0_0";
    for (int column = 0; column + 1 < columns; ++column)
        for (int row = 0; row < rows; ++row) {
            const std::string from =
                "n" + std::to_string(column) + "_" + std::to_string(column == 0 ? 0 : row);
            text += ", " + from + ">n" + std::to_string(column + 1) + "_" + std::to_string(row);
            if (row % 2 == 0 && column > 0)
                text +=
                    ", " + from + ">n" + std::to_string(column + 1) + "_" + std::to_string((row + 1) % rows);
        }
    return test::graphFromText(text);
}

} // namespace

class TestGraphLayout : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void columnsFollowTheLongestPath_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("columns");
        const auto row = [](const char* name, const char* text, const char* columns) {
            QTest::newRow(name) << QString::fromLatin1(text) << QString::fromLatin1(columns);
        };
        row("chain", "start>a>b>end", "start 0, a 1, b 2, end 3");
        row("fork and join", "start>a, a>b, a>c, b+c>d>end", "start 0, a 1, b 2, c 2, d 3, end 4");
        row("short cut", "start>a>b>c, a>c", "start 0, a 1, b 2, c 3");
        row("loop", "start>a>b, b?again>a, b?on>c>end", "start 0, a 1, b 2, c 3, end 4");
        row("own loop", "start>a, a?again>a, a?on>end", "start 0, a 1, end 2");
        row("no start", "a>b>a", "a 0, b 1");
        row("two parts", "a>b, c>d", "a 0, b 1, c 0, d 1");
    }
    void columnsFollowTheLongestPath()
    {
        QFETCH(QString, text);
        QFETCH(QString, columns);
        QCOMPARE(QString::fromStdString(columnsOf(text.toStdString())), columns);
    }

    void theSameGraphGivesTheSamePlaces()
    {
        GraphDocument first;
        GraphDocument second;
        first.setGraph(chainOfForks(6, 8));
        second.setGraph(chainOfForks(6, 8));
        QCOMPARE(first.centres(), second.centres());
    }

    void cardsNeverTouch_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("fork") << QStringLiteral("start>a, a>b, a>c, a>d, b+c+d>e>end");
        QTest::newRow("two loops") << QStringLiteral("start>a>b>c, c?r>r1, r1>b, c?s>s1, s1>a, c?ok>end");
        QTest::newRow("own loops") << QStringLiteral("start>a, a?x>a, a?y>b, b?x>b, b?z>end");
        QTest::newRow("crossings") << QStringLiteral("a>f, b>e, c>d, a>d, b>f, c>e, a>e");
        QTest::newRow("island") << QStringLiteral("start>a>end, x>y, z>z");
    }
    void cardsNeverTouch()
    {
        QFETCH(QString, text);
        GraphDocument document;
        document.setGraph(test::graphFromText(text.toStdString()));
        const std::vector<QRectF> cards = cardsOf(document);
        for (std::size_t a = 0; a < cards.size(); ++a)
            for (std::size_t b = a + 1; b < cards.size(); ++b)
                QVERIFY2(!cards[a].adjusted(-6, -6, 6, 6).intersects(cards[b]),
                         qPrintable(QStringLiteral("%1 and %2").arg(a).arg(b)));
        const Routes routes =
            routeEdges({ document.drawing(), document.centres(), document.bends(), labelPillWidth });
        for (std::size_t i = 0; i < routes.edges.size(); ++i) {
            const DrawnEdge& edge = document.drawing().edges[i];
            for (std::size_t card = 0; card < cards.size(); ++card)
                if (card != edge.from && card != edge.to)
                    for (int step = 0; step <= 40; ++step) {
                        const QPointF at = routes.edges[i].path.pointAtPercent(step / 40.0);
                        QVERIFY2(!cards[card].contains(at),
                                 qPrintable(QStringLiteral("edge %1 crosses card %2").arg(i).arg(card)));
                    }
        }
    }

    void aReturnNodeStandsBelow()
    {
        GraphDocument document;
        document.setGraph(test::graphFromText(
            "start>load>analyze>check, check?ok>end, check?retry>repair, repair>analyze"));
        const GraphDrawing& drawing = document.drawing();
        const QPointF repair = document.centres()[drawing.findNode(NodeId("repair"))];
        const QPointF analyze = document.centres()[drawing.findNode(NodeId("analyze"))];
        const QPointF check = document.centres()[drawing.findNode(NodeId("check"))];
        QVERIFY(repair.y() > check.y() + 80);
        QVERIFY(analyze.x() < repair.x() && repair.x() < check.x());
        const Routes routes = routeEdges({ drawing, document.centres(), document.bends(), labelPillWidth });
        QStringList headings;
        for (std::size_t i = 0; i < drawing.edges.size(); ++i)
            if (routes.edges[i].backward)
                headings << QStringLiteral("%1 %2")
                                .arg(QString::fromStdString(drawing.nodes[drawing.edges[i].from].id.value))
                                .arg(int(routes.edges[i].heading));
        QCOMPARE(headings,
                 (QStringList{ QStringLiteral("repair %1").arg(int(Heading::Up)),
                               QStringLiteral("check %1").arg(int(Heading::Left)) }));
    }

    void crossingsAreRemovedWhereTheyCanBe()
    {
        LayerGraph graph;
        graph.layers = { { 0, 1, 2 }, { 3, 4, 5 } };
        graph.space.assign(6, 76);
        graph.neighboursBefore.resize(6);
        graph.neighboursAfter.resize(6);
        for (const auto& [from, to] : { std::pair<std::size_t, std::size_t>(0, 5), { 1, 4 }, { 2, 3 } }) {
            graph.neighboursAfter[from].push_back(to);
            graph.neighboursBefore[to].push_back(from);
        }
        QCOMPARE(countCrossings(graph), std::size_t(3));
        orderLayers(graph);
        QCOMPARE(countCrossings(graph), std::size_t(0));
    }

    void rowsKeepTheirDistance_data()
    {
        QTest::addColumn<QList<double>>("wanted");
        QTest::addColumn<QList<double>>("placed");
        QTest::newRow("free") << QList<double>{ 0, 100, 300 } << QList<double>{ 0, 100, 300 };
        QTest::newRow("same wish") << QList<double>{ 0, 0 } << QList<double>{ -38, 38 };
        QTest::newRow("three") << QList<double>{ 50, 50, 50 } << QList<double>{ -26, 50, 126 };
        QTest::newRow("wrong order") << QList<double>{ 100, 0 } << QList<double>{ 12, 88 };
        QTest::newRow("none") << QList<double>{} << QList<double>{};
    }
    void rowsKeepTheirDistance()
    {
        QFETCH(QList<double>, wanted);
        QFETCH(QList<double>, placed);
        const std::vector<double> result =
            spaced({ wanted.begin(), wanted.end() }, std::vector<double>(std::size_t(wanted.size()), 76));
        QCOMPARE(QList<double>(result.begin(), result.end()), placed);
    }

    void aDrawingKnowsPortsJoinsAndOpenBranches()
    {
        graph::Graph graph = test::graphFromText("start>a, a?yes>b, a?no>c, b+c>d, d>end");
        graph.branches.push_back({ NodeId("d"), {}, std::nullopt, {} });
        graph.edges.push_back({ { NodeId("a") }, NodeId("nobody"), false });
        const GraphDrawing drawing = drawingOf(graph);
        QCOMPARE(drawing.nodes.size(), std::size_t(6));
        QCOMPARE(drawing.joins.size(), std::size_t(1));
        QCOMPARE(drawing.joins[0].edges.size(), std::size_t(2));
        QCOMPARE(drawing.edges.size(), std::size_t(7));
        QVERIFY(drawing.edges.back().open);
        QCOMPARE(drawing.nodes[1].outcomes, (std::vector<std::string>{ "yes", "no" }));
    }

    // As LangGraph draws them; what an edge or a branch leads to is drawn once.
    void aDrawingKnowsWhereCommandsMayGo()
    {
        graph::Graph graph = test::graphFromText("start>a, a?yes>b, c>d");
        graph.nodes[0].settings.set("ends", ValueList{ "b", "c", "nobody", "c", "__end__" });
        const GraphDrawing drawing = drawingOf(graph);
        std::vector<std::string> ways;
        for (const DrawnEdge& edge : drawing.edges)
            if (edge.ofCommand)
                ways.push_back(drawing.nodes[edge.from].id.value + ">" + drawing.nodes[edge.to].id.value + " "
                               + std::to_string(edge.target));
        QCOMPARE(ways, (std::vector<std::string>{ "a>c 1", "a>__end__ 4" }));
        graph::removeCommandEnd(graph.nodes[0], 4);
        graph::removeCommandEnd(graph.nodes[0], 7); // is not there
        QCOMPARE(graph.nodes[0].settings.find("ends")->asList().size(), std::size_t(4));
        while (graph.nodes[0].settings.contains("ends"))
            graph::removeCommandEnd(graph.nodes[0], 0);
        QCOMPARE(drawingOf(graph).edges.size(), std::size_t(3));
    }

    void routesOfWhatStayedAreWhatAllAnewWouldBe()
    {
        GraphDocument document;
        document.setGraph(chainOfForks(6, 12));
        const GraphDrawing& drawing = document.drawing();
        std::vector<QPointF> centres = document.centres();
        Routes known = routeEdges({ drawing, centres, {}, labelPillWidth });
        std::mt19937 random(7);
        for (int i = 0; i < 200; ++i) {
            const std::vector<QPointF> before = centres;
            QPointF& moved = centres[random() % centres.size()];
            moved += QPointF(double(random() % 800) - 400, double(random() % 800) - 400);
            const RouteInput input{ drawing, centres, {}, labelPillWidth };
            const Routes whole = routeEdges(input);
            known = routeEdgesAnew(input, { drawing, before, known });
            QCOMPARE(known.ports, whole.ports);
            for (std::size_t edge = 0; edge < whole.edges.size(); ++edge) {
                QCOMPARE(known.edges[edge].path, whole.edges[edge].path);
                QCOMPARE(known.edges[edge].tip, whole.edges[edge].tip);
                QCOMPARE(known.edges[edge].label, whole.edges[edge].label);
            }
        }
    }

    void routesOfWhatStayedAreRightAfterOtherEdits()
    {
        GraphDocument document;
        document.setEditable(true);
        graph::Graph start = chainOfForks(6, 12);
        for (std::size_t i = 0; i < start.nodes.size(); ++i)
            start.layout.emplace_back(start.nodes[i].name,
                                      graph::Position{ double(i / 6) * 220, double(i % 6) * 110 });
        document.setGraph(start);
        QVERIFY(document.bends().empty());
        std::mt19937 random(11);
        GraphDrawing drawing;
        std::vector<QPointF> centres;
        Routes known;
        const auto node = [&](const graph::Graph& graph) {
            return graph.nodes[random() % graph.nodes.size()].name;
        };
        for (int i = 0; i < 200; ++i) {
            const auto what = random() % 6;
            document.edit(QStringLiteral("Edit"), [&](graph::Graph& graph) {
                if (what == 0 && graph.nodes.size() > 20) {
                    removeNodes(graph, { node(graph) });
                } else if (what == 1 && !graph.edges.empty()) {
                    graph.edges.erase(graph.edges.begin()
                                      + static_cast<std::ptrdiff_t>(random() % graph.edges.size()));
                } else if (what == 2) {
                    graph::Node added = graph.nodes.front();
                    added.name = NodeId("new " + std::to_string(i));
                    graph.layout.emplace_back(added.name, graph::Position{ double(random() % 3000), 100 });
                    graph.nodes.insert(graph.nodes.begin()
                                           + static_cast<std::ptrdiff_t>(random() % graph.nodes.size()),
                                       added);
                } else if (what == 3) {
                    graph.edges.insert(graph.edges.begin()
                                           + static_cast<std::ptrdiff_t>(random() % (graph.edges.size() + 1)),
                                       { { node(graph) }, node(graph), false });
                } else if (what == 4) {
                    graph.branches.push_back({ node(graph), {}, std::nullopt, {} });
                    graph.branches.back().targets.emplace();
                    graph.branches.back().targets->emplace_back("yes", node(graph));
                } else {
                    graph.edges.push_back({ { node(graph), node(graph) }, node(graph), true });
                }
            });
            if (i % 5 == 4)
                document.steps().undo();
            const RouteInput input{ document.drawing(), document.centres(), document.bends(),
                                    labelPillWidth };
            const Routes whole = routeEdges(input);
            known = i == 0 ? whole : routeEdgesAnew(input, { drawing, centres, known });
            drawing = document.drawing();
            centres = document.centres();
            QCOMPARE(known.ports, whole.ports);
            QCOMPARE(known.edges.size(), whole.edges.size());
            for (std::size_t edge = 0; edge < whole.edges.size(); ++edge) {
                QCOMPARE(known.edges[edge].path, whole.edges[edge].path);
                QCOMPARE(known.edges[edge].tip, whole.edges[edge].tip);
                QCOMPARE(known.edges[edge].label, whole.edges[edge].label);
            }
        }
    }

    void hostilePlacesAreLaidOut()
    {
        graph::Graph graph = test::graphFromText("start>a>b>end");
        graph.layout = { { NodeId("a"), { 1e300, 0 } }, { NodeId("b"), { std::nan(""), 0 } } };
        GraphDocument document;
        document.setGraph(graph);
        for (const QPointF& centre : document.centres())
            QVERIFY(std::abs(centre.x()) < 1e6 && std::abs(centre.y()) < 1e6);
    }

    void nodesWithoutAPlaceStandBelowTheOthers()
    {
        graph::Graph graph = test::graphFromText("start>a>b>c>end");
        graph.layout = { { NodeId("a"), { 0, 0 } }, { NodeId("b"), { 260, 40 } } };
        GraphDocument document;
        document.setGraph(graph);
        const GraphDrawing& drawing = document.drawing();
        QCOMPARE(document.centres()[drawing.findNode(NodeId("b"))], QPointF(260, 40));
        QVERIFY(document.centres()[drawing.findNode(NodeId("c"))].y() > 100);
        QVERIFY(document.centres()[0].x() < -100); // the start, left of its target
    }

    void aLargeGraphIsLaidOutInTime()
    {
        GraphDocument document;
        const graph::Graph graph = chainOfForks(20, 100);
        QElapsedTimer timer;
        timer.start();
        document.setGraph(graph);
        const Routes routes =
            routeEdges({ document.drawing(), document.centres(), document.bends(), labelPillWidth });
        qInfo("layout and routes of %zu nodes, %zu edges: %lld ms", document.drawing().nodes.size(),
              document.drawing().edges.size(), timer.elapsed());
        QVERIFY(routes.edges.size() > 2500);
        QVERIFY2(timer.elapsed() < 20000, "far beyond the five seconds aimed for, even on a busy machine");
    }

    void aLongChainDoesNotOverflow()
    {
        std::vector<LayoutNode> nodes(20000, { 160, 56 });
        std::vector<LayoutEdge> edges;
        for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
            edges.push_back({ i, i + 1, 0 });
        QCOMPARE(layeredLayout(nodes, edges).columns.back(), nodes.size() - 1);
    }

    void arrowKeysFindTheNearestNode_data()
    {
        QTest::addColumn<int>("direction");
        QTest::addColumn<int>("expected");
        QTest::newRow("right") << int(Direction::Right) << 1;
        QTest::newRow("left") << int(Direction::Left) << -1;
        QTest::newRow("down") << int(Direction::Down) << 2;
        QTest::newRow("up") << int(Direction::Up) << 3;
    }
    void arrowKeysFindTheNearestNode()
    {
        QFETCH(int, direction);
        QFETCH(int, expected);
        const std::vector<QPointF> centres{ { 0, 0 }, { 200, 20 }, { 10, 76 }, { 400, -30 } };
        const auto found = nodeTowards(centres, 0, Direction(direction));
        QCOMPARE(found ? int(*found) : -1, expected);
    }
};

SG_WINDOW_TEST(TestGraphLayout)
#include "tst_graph_layout.moc"
