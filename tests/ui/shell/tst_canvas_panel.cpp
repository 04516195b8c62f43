// The canvas with what a thread did: where there is no graph, and inside of a subgraph.

#include "tests/support/window_style.h"
#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/shell/canvas_panel.h"

#include <QAction>
#include <QSignalSpy>

#include <memory>

using namespace sg;
using namespace sg::ui;

namespace {

const QString kThread = QStringLiteral("main");

HistoryRows history(int checkpoints)
{
    HistoryRows rows;
    rows.thread = kThread;
    for (int step = 0; step < checkpoints; ++step) {
        CheckpointRow row;
        row.id = QStringLiteral("c%1").arg(step);
        row.step = step;
        rows.checkpoints.push_back(row);
    }
    rows.total = checkpoints;
    return rows;
}

graph::Graph graphOf(std::initializer_list<const char*> nodes)
{
    graph::Graph graph;
    for (const char* name : nodes) {
        graph::Node node;
        node.name = NodeId(name);
        node.kind = "python";
        graph.nodes.push_back(node);
    }
    return graph;
}

} // namespace

class TestCanvasPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void whatCheckpointsTellIsAskedForOnceAndLeftInPlace()
    {
        Selection selection;
        ShownHistory shown(selection);
        CanvasPanel panel(selection, shown);
        panel.resize(700, 500);
        panel.show();
        selection.setThread(kThread);
        QSignalSpy wanted(&panel, &CanvasPanel::skeletonWanted);
        shown.take(history(3));
        QCOMPARE(wanted.count(), 1);
        panel.setSkeleton(kThread, graphOf({ "a", "b" }));
        shown.take(history(3));
        QCOMPARE(wanted.count(), 1);
        shown.take(history(4)); // more may be told
        QCOMPARE(wanted.count(), 2);
        auto* view = panel.findChild<GraphView*>(QStringLiteral("canvasThen"));
        QVERIFY(view->isVisible());
        view->setZoom(0.5);
        panel.setSkeleton(kThread, graphOf({ "a", "b" }));
        QCOMPARE(view->zoom(), 0.5);
    }

    void aPreviewIsOfTheWholeGraph()
    {
        ProjectInfo info;
        info.graph = graphOf({ "a", "b" });
        info.graph.nodes[0].kind = "subgraph";
        info.graph.nodes[0].subgraph = std::make_shared<const graph::Graph>(graphOf({ "b" }));
        Selection selection;
        ShownHistory shown(selection);
        CanvasPanel panel(selection, shown);
        panel.resize(700, 500);
        panel.show();
        panel.setGraph(info);
        const auto stateOfB = [&panel] {
            for (const QGraphicsItem* item : panel.view().items())
                if (const auto* node = qgraphicsitem_cast<const NodeItem*>(item);
                    node != nullptr && node->node().id == NodeId("b"))
                    return node->state().kind;
            return StateKind::Failed;
        };
        panel.setPreview({ { QStringLiteral("b") }, {}, {} });
        QCOMPARE(stateOfB(), StateKind::Queued);
        panel.document().goTo({ NodeId("a") });
        QCOMPARE(stateOfB(), StateKind::Idle); // another node of that name
    }

    // The panel tells the window of the current node alone; the canvas keeps what else is selected.
    void severalNodesStaySelected()
    {
        ProjectInfo info;
        info.graph = graphOf({ "a", "b", "c" });
        Selection selection;
        ShownHistory shown(selection);
        CanvasPanel panel(selection, shown);
        panel.resize(900, 500);
        panel.show();
        panel.setGraph(info);
        GraphScene& scene = panel.view().graphScene();
        const CanvasActions& actions = panel.view().editor()->actions();
        const auto pointOf = [&](const char* node) {
            return panel.view().mapFromScene(scene.findNode(NodeId(node))->card().center());
        };
        panel.view().fitAll();
        QTest::mouseClick(panel.view().viewport(), Qt::LeftButton, {}, pointOf("a"));
        QTest::mouseClick(panel.view().viewport(), Qt::LeftButton, Qt::ShiftModifier, pointOf("b"));
        QCOMPARE(scene.selectedNodes().size(), std::size_t(2));
        QCOMPARE(selection.node(), QStringLiteral("b"));
        QVERIFY(actions.align[0]->isEnabled());
        actions.duplicate->trigger();
        QCOMPARE(scene.selectedNodes().size(), std::size_t(2));
        actions.copy->trigger();
        actions.paste->trigger();
        QCOMPARE(scene.selectedNodes().size(), std::size_t(2));
        actions.selectAll->trigger();
        QVERIFY(scene.selectedNodes().size() >= 7);
        QVERIFY(actions.remove->isEnabled()); // although the end is the last of them
        selection.setNode(QStringLiteral("a")); // by another panel
        QCOMPARE(scene.selectedNodes(), std::vector<NodeId>{ NodeId("a") });
    }

    void aProblemSelectsWhereItStands()
    {
        ProjectInfo info;
        info.graph = graphOf({ "a", "b" });
        info.graph.edges.push_back({ { NodeId("a") }, NodeId("b"), false });
        info.graph.edges.push_back({ { NodeId("gone") }, NodeId("b"), false });
        info.graph.channels.emplace_back();
        info.graph.channels.back().name = "x/y";
        Selection selection;
        ShownHistory shown(selection);
        CanvasPanel panel(selection, shown);
        panel.resize(900, 500);
        panel.show();
        panel.setGraph(info);
        const GraphScene& scene = panel.view().graphScene();
        const auto select = [&](const char* pointer) {
            graph::Problem problem;
            problem.pointer = pointer;
            panel.select(problem);
        };
        select("/nodes/0/jq");
        QCOMPARE(selection.node(), QStringLiteral("a"));
        select("/edges/0");
        QVERIFY(scene.currentEdge() != kNoEdge);
        QCOMPARE(selection.node(), QString());
        select("/edges/1/0"); // it is not drawn
        QCOMPARE(selection.node(), QStringLiteral("b"));
        QCOMPARE(scene.currentEdge(), kNoEdge);
        select("/state/x~1y/default");
        QCOMPARE(selection.node(), QString());
        QVERIFY(scene.selectedNodes().empty());
        select("/sandbox/limits/pids");
        QCOMPARE(selection.node(), QString());
    }

    void viewingThePastLeavesTheGraphInItsPlace()
    {
        ProjectInfo info;
        info.graph = graphOf({ "a", "b" });
        Selection selection;
        ShownHistory shown(selection);
        CanvasPanel panel(selection, shown);
        panel.resize(900, 500);
        panel.show();
        panel.setGraph(info);
        selection.setThread(kThread);
        shown.take(history(3));
        const auto placeOf = [&panel](const char* node) {
            const GraphView& view = panel.view();
            const QRectF card = view.graphScene().findNode(NodeId(node))->card();
            return view.viewport()->mapTo(&panel, view.mapFromScene(card.center()));
        };
        const QPoint before = placeOf("a");
        selection.setCheckpoint(QStringLiteral("c1"));
        QTRY_VERIFY(panel.strip()->isVisible());
        QTRY_COMPARE(panel.strip()->geometry().topLeft(), panel.view().geometry().topLeft());
        QCOMPARE(panel.strip()->width(), panel.view().width());
        QVERIFY(panel.strip()->height() < 60);
        QCOMPARE(placeOf("a"), before);
        selection.returnToHead();
        QTRY_VERIFY(!panel.strip()->isVisible());
        QCOMPARE(placeOf("a"), before);
    }

    // Where a message would hide a node, the graph gives way, until the view was moved by hand.
    void whatAMessageCoversIsNotUsed()
    {
        ProjectInfo info;
        info.graph = graphOf({ "a", "b", "c", "d" });
        for (std::size_t at = 0; at < info.graph.nodes.size(); ++at)
            info.graph.layout.emplace_back(info.graph.nodes[at].name,
                                           graph::Position{ 0, 110.0 * static_cast<double>(at) });
        Selection selection;
        ShownHistory shown(selection);
        CanvasPanel panel(selection, shown);
        panel.resize(900, 560);
        panel.show();
        panel.setGraph(info);
        GraphView& view = panel.view();
        const auto top = [&view] {
            const QRectF card = view.graphScene().findNode(NodeId("a"))->card();
            return view.mapFromScene(card).boundingRect().top();
        };
        QTRY_VERIFY(top() > 0 && top() < 100);
        panel.setCovered(100);
        QVERIFY(top() >= 100);
        panel.setCovered(0);
        view.fitAll();
        QVERIFY(top() < 100);
        panel.setCovered(100);
        QVERIFY(top() >= 100);
        view.setZoom(1);
        const int moved = top();
        panel.setCovered(0);
        panel.setCovered(100);
        QCOMPARE(top(), moved);
        selection.setNode(QStringLiteral("a")); // it is shown where nothing lies over it
        QVERIFY(top() >= 100);
        panel.resize(900, 360); // and stays in sight
        QTRY_VERIFY(view.viewport()->height() < 400);
        QVERIFY2(top() >= 100, qPrintable(QString::number(top())));
    }
};

SG_WINDOW_TEST(TestCanvasPanel)
#include "tst_canvas_panel.moc"
