// Pointer and keys on the canvas: every gesture is one step of the document, and the scene follows it.

#include "core/graph/graph_file.h"
#include "tests/support/window_style.h"
#include "tests/ui/graph/graph_texts.h"
#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/forms/branch_form.h"
#include "ui/graph/forms/node_form.h"
#include "ui/graph/panels/inspector.h"
#include "ui/graph/panels/node_palette.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"

#include <QAction>
#include <QClipboard>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>

#include <algorithm>
#include <cmath>
#include <set>

using namespace sg;
using namespace sg::ui;

namespace {

struct Canvas {
    GraphDocument document;
    GraphScene scene{ document };
    GraphView view{ scene };

    explicit Canvas(const graph::Graph& graph)
    {
        document.setEditable(true);
        view.makeEditable(document);
        view.resize(1000, 500);
        document.setGraph(graph);
        view.show();
        view.setZoom(1);
    }
    QPoint at(const char* node, double alongX = 0.5)
    {
        const QRectF card = scene.findNode(NodeId(node))->card();
        return view.mapFromScene(QPointF(card.left() + card.width() * alongX, card.center().y()));
    }
    void drag(const QPoint& from, const QPoint& to)
    {
        QTest::mousePress(view.viewport(), Qt::LeftButton, {}, from);
        QTest::mouseMove(view.viewport(), (from + to) / 2);
        send(QEvent::MouseMove, (from + to) / 2);
        send(QEvent::MouseMove, to);
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, to);
    }
    void send(QEvent::Type type, const QPoint& to)
    {
        QMouseEvent event(type, to, view.viewport()->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(view.viewport(), &event);
    }
    NodePopup* palette() { return view.findChild<NodePopup*>(QStringLiteral("nodePopup")); }
    void choose(const char* words)
    {
        auto* search = palette()->findChild<QLineEdit*>();
        QTest::keyClicks(search, QString::fromLatin1(words));
        QTest::keyClick(search, Qt::Key_Return);
    }
    [[nodiscard]] bool hasEdge(const char* from, const char* to) const
    {
        for (const graph::Edge& edge : document.graph().edges)
            if (edge.from == std::vector<NodeId>{ NodeId(from) } && edge.to == NodeId(to))
                return true;
        return false;
    }
};

} // namespace

class TestCanvasEditor : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void aDraggedNodeStandsOnTheGrid()
    {
        Canvas canvas(test::graphFromText("start>a>b>end"));
        const QPointF before = canvas.scene.findNode(NodeId("b"))->card().center();
        canvas.drag(canvas.at("a"), canvas.at("a") + QPoint(33, 57));
        QCOMPARE(canvas.document.steps().count(), 1);
        const QPointF now = canvas.scene.findNode(NodeId("a"))->card().center();
        QCOMPARE(std::fmod(now.x(), 20), 0.0);
        QCOMPARE(std::fmod(now.y(), 20), 0.0);
        QCOMPARE(canvas.scene.findNode(NodeId("b"))->card().center(), before); // nothing else moves
        canvas.document.steps().undo();
        QVERIFY(canvas.document.graph().layout.empty());
    }

    void anEdgeIsDrawnFromTheRightSide()
    {
        Canvas canvas(test::graphFromText("start>a>end, start>b"));
        canvas.drag(canvas.at("b", 1), canvas.at("a"));
        QVERIFY(canvas.hasEdge("b", "a"));
        canvas.drag(canvas.at("a", 1), canvas.at("__start__")); // refused
        QCOMPARE(canvas.document.steps().count(), 1);
    }

    void anEdgeDroppedOnTheGroundAsksForANode()
    {
        Canvas canvas(test::graphFromText("start>a"));
        canvas.drag(canvas.at("a", 1), canvas.at("a") + QPoint(180, 120));
        QVERIFY(canvas.palette()->isVisible());
        canvas.choose("jq");
        QVERIFY(canvas.hasEdge("a", "transform"));
        QCOMPARE(canvas.scene.currentNode(), NodeId("transform"));
        canvas.document.steps().undo();
        QVERIFY(!canvas.document.graph().findNode(NodeId("transform")));
        QVERIFY(canvas.scene.currentNode().empty());
    }

    void keysAloneBuildAGraph()
    {
        Canvas canvas({});
        canvas.view.setFocus();
        QTest::keyClick(&canvas.view, Qt::Key_Tab);
        QVERIFY(canvas.palette()->isVisible());
        canvas.choose("python");
        QVERIFY(canvas.hasEdge("__start__", "python"));
        QTest::keyClick(&canvas.view, Qt::Key_Tab);
        canvas.choose("human");
        QVERIFY(canvas.hasEdge("python", "ask"));
        canvas.view.editor()->actions().connect->trigger();
        canvas.choose("end");
        QVERIFY(canvas.hasEdge("ask", "__end__"));
        QTest::keyClick(&canvas.view, Qt::Key_Right, Qt::ControlModifier);
        QTest::keyClick(&canvas.view, Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(canvas.document.steps().count(), 4); // the two moves are one
        canvas.view.editor()->actions().duplicate->trigger();
        QVERIFY(canvas.document.graph().findNode(NodeId("ask_2")));
        canvas.view.editor()->actions().remove->trigger();
        QVERIFY(!canvas.document.graph().findNode(NodeId("ask_2")));
        while (canvas.document.steps().canUndo())
            canvas.document.steps().undo();
        QVERIFY(canvas.document.isEmpty());
    }

    void thePaletteBranchesAndJoins()
    {
        Canvas canvas(test::graphFromText("start>a>b, start>c>d"));
        CanvasEditor& editor = *canvas.view.editor();
        QSignalSpy hinted(&editor, &CanvasEditor::hinted);
        canvas.scene.setSelectedNodes({});
        editor.addNodeOfKind(QString::fromLatin1(kBranchEntry)); // nothing is selected: it says what to do
        editor.addNodeOfKind(QString::fromLatin1(kWaitingEntry));
        QCOMPARE(hinted.size(), 2);
        QCOMPARE(canvas.document.steps().count(), 0);
        canvas.scene.setCurrentNode(NodeId("a"));
        editor.addNodeOfKind(QString::fromLatin1(kBranchEntry));
        QCOMPARE(canvas.document.graph().branches.size(), std::size_t(1));
        QCOMPARE(canvas.document.graph().branches.front().from, NodeId("a"));
        canvas.scene.setSelectedNodes({ NodeId("b"), NodeId("c") });
        editor.addNodeOfKind(QString::fromLatin1(kWaitingEntry));
        QVERIFY(canvas.palette()->isVisible()); // asks which node waits
        canvas.choose("d");
        const auto& edges = canvas.document.graph().edges;
        QVERIFY(std::ranges::any_of(edges, [](const graph::Edge& edge) {
            return edge.from == std::vector<NodeId>{ NodeId("b"), NodeId("c") } && edge.to == NodeId("d");
        }));
    }

    void aWaitingEdgeIsDroppedOnTheNodeThatWaits()
    {
        Canvas canvas(test::graphFromText("start>a>b, start>c>d"));
        QMimeData dragged;
        dragged.setData(QString::fromLatin1(kNodeKindMime), kWaitingEntry);
        canvas.scene.setSelectedNodes({ NodeId("a"), NodeId("c") });
        QVERIFY(canvas.view.editor()->dropped(dragged, canvas.at("b")));
        QVERIFY(std::ranges::any_of(canvas.document.graph().edges, [](const graph::Edge& edge) {
            return edge.from.size() == 2 && edge.to == NodeId("b");
        }));
        dragged.setData(QString::fromLatin1(kNodeKindMime), kBranchEntry);
        QVERIFY(canvas.view.editor()->dropped(dragged, canvas.at("c")));
        QCOMPARE(canvas.document.graph().branches.front().from, NodeId("c"));
    }

    void nodesTravelThroughTheClipboard()
    {
        Canvas canvas(test::graphFromText("start>a>b>end"));
        canvas.scene.setSelectedNodes({ NodeId("a"), NodeId("b") });
        canvas.view.editor()->actions().copy->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("\"nodes\"")));
        Canvas other({});
        other.view.editor()->actions().paste->trigger();
        QVERIFY(other.hasEdge("a", "b"));
        QGuiApplication::clipboard()->setText(QStringLiteral("not a graph"));
        other.view.editor()->actions().paste->trigger();
        QCOMPARE(other.document.steps().count(), 1);
    }

    void aSelectedEdgeCanBeDeleted()
    {
        Canvas canvas(test::graphFromText("start>a>b>end"));
        canvas.scene.setCurrentEdge(1);
        canvas.view.editor()->actions().remove->trigger();
        QVERIFY(!canvas.hasEdge("a", "b"));
        QVERIFY(canvas.hasEdge("b", "__end__"));
    }

    void edgesAreWalkedByKey()
    {
        Canvas canvas(test::graphFromText("start>a>b>end, b>a"));
        canvas.scene.setCurrentNode(NodeId("b"));
        std::set<std::size_t> walked;
        for (int i = 0; i < 3; ++i) {
            canvas.view.editor()->actions().nextEdge->trigger();
            walked.insert(canvas.scene.currentEdge());
        }
        QCOMPARE(walked, (std::set<std::size_t>{ 1, 2, 3 }));
        canvas.view.setFocus();
        QTest::keyClick(&canvas.view, Qt::Key_Escape);
        QCOMPARE(canvas.scene.currentEdge(), kNoEdge);
        QCOMPARE(canvas.scene.currentNode(), NodeId("b"));
    }

    void fieldsChangeTheNode()
    {
        graph::Graph graph = test::graphFromText("start>a>b>end");
        graph.nodes[0].kind = "human";
        graph.nodes[0].settings.set("question", Value("Go on?"));
        Canvas canvas(graph);
        Inspector inspector(canvas.document);
        QString renamedTo;
        connect(&inspector, &Inspector::renamed, &inspector, [&](const QString& name) { renamedTo = name; });
        NodeReport report;
        report.node = canvas.document.graph().nodes[0];
        inspector.showNode(report);
        inspector.resize(360, 700);
        inspector.show();
        const auto lines = inspector.findChild<NodeForm*>()->findChildren<QLineEdit*>();
        const auto question =
            std::ranges::find(lines, QStringLiteral("Question"), &QLineEdit::accessibleName);
        QVERIFY(question != lines.end());
        (*question)->selectAll();
        QTest::keyClicks(*question, QStringLiteral("Sure"));
        QCOMPARE(canvas.document.graph().nodes[0].settings.find("question")->asString(), std::string("Sure"));
        canvas.document.steps().undo(); // what was typed in one go
        QCOMPARE((*question)->text(), QStringLiteral("Go on?"));
        auto* name = inspector.findChild<QLineEdit*>(QStringLiteral("nodeName"));
        name->setFocus();
        name->selectAll();
        QTest::keyClicks(name, QStringLiteral("b"));
        QTest::keyClick(name, Qt::Key_Return); // taken already
        QVERIFY(canvas.document.graph().findNode(NodeId("a")));
        name->selectAll();
        QTest::keyClicks(name, QStringLiteral("first"));
        QTest::keyClick(name, Qt::Key_Return);
        QCOMPARE(renamedTo, QStringLiteral("first"));
        QVERIFY(canvas.hasEdge("first", "b"));
    }

    void shiftAndArrowsSelectSeveral()
    {
        graph::Graph graph = test::graphFromText("start>a>b>c>end");
        for (const graph::Node& node : graph.nodes)
            graph.layout.emplace_back(node.name, graph::Position{ 220.0 * double(graph.layout.size()), 0 });
        Canvas canvas(graph);
        canvas.scene.setCurrentNode(NodeId("a"));
        canvas.view.setFocus();
        const auto press = [&](Qt::Key key) { QTest::keyClick(&canvas.view, key, Qt::ShiftModifier); };
        press(Qt::Key_Right);
        press(Qt::Key_Right);
        QCOMPARE(canvas.scene.selectedNodes().size(), std::size_t(3));
        QCOMPARE(canvas.scene.currentNode(), NodeId("c"));
        press(Qt::Key_Left); // back: the last one is given up
        QCOMPARE(canvas.scene.selectedNodes(), (std::vector<NodeId>{ NodeId("a"), NodeId("b") }));
        QTest::keyClick(&canvas.view, Qt::Key_Right);
        QCOMPARE(canvas.scene.selectedNodes(), std::vector<NodeId>{ NodeId("c") });
    }

    void aBranchMayFollowTheStartAndLeadAnywhere()
    {
        Canvas canvas(test::graphFromText("start>a>end, start>b>end"));
        canvas.scene.setCurrentNode(NodeId(graph::kStart));
        QAction* add = canvas.view.editor()->actions().branch;
        QVERIFY(add->isEnabled());
        add->trigger();
        QCOMPARE(canvas.document.graph().branches.size(), std::size_t(1));
        QCOMPARE(canvas.document.graph().branches[0].targets->size(), std::size_t(2));
        BranchForm form(canvas.document, 0);
        form.show();
        auto* any = form.findChild<QPushButton*>(QStringLiteral("anyTarget"));
        any->click();
        QVERIFY(!canvas.document.graph().branches[0].targets);
        QVERIFY(!any->isVisible());
        canvas.document.steps().undo();
        QCOMPARE(canvas.document.graph().branches[0].targets->size(), std::size_t(2));
    }

    // Typing in a graph that was never arranged moves nothing, and lays nothing out.
    void whatIsTypedMovesNothing()
    {
        Canvas canvas(test::graphFromText("start>a>b>end"));
        const std::vector<QPointF> before = canvas.document.centres();
        canvas.document.edit(QStringLiteral("Type"), [](graph::Graph& graph) {
            nodeIn(graph, NodeId("a"))->settings.set("file", Value("nodes/x.py"));
        });
        QCOMPARE(canvas.document.centres(), before);
        canvas.document.edit(QStringLiteral("Connect"), [](graph::Graph& graph) {
            connectNodes(graph, { NodeId(graph::kStart) }, NodeId("b"));
        });
        QCOMPARE(canvas.document.centres().size(), before.size());
        GraphDocument fresh;
        fresh.setEditable(true);
        fresh.setGraph(canvas.document.graph());
        QCOMPARE(canvas.document.centres(), fresh.centres()); // other edges: laid out anew
    }

    void theAimedCardAloneIsOffered()
    {
        Canvas canvas(test::graphFromText("start>a>b>end, start>c"));
        const QPoint from = canvas.at("a", 1);
        QTest::mousePress(canvas.view.viewport(), Qt::LeftButton, {}, from);
        canvas.send(QEvent::MouseMove, canvas.at("c"));
        canvas.send(QEvent::MouseMove, canvas.at("b")); // connected already
        canvas.send(QEvent::MouseMove, canvas.at("c"));
        QTest::mouseRelease(canvas.view.viewport(), Qt::LeftButton, {}, canvas.at("c"));
        QVERIFY(canvas.hasEdge("a", "c"));
        QCOMPARE(canvas.document.steps().count(), 1);
    }

    void aLargeGraphKeepsUpWithTheHand()
    {
        std::string text = "start>n0";
        for (int i = 0; i < 1999; ++i)
            text += ", n" + std::to_string(i) + ">n" + std::to_string(i + 1);
        graph::Graph graph = test::graphFromText(text);
        for (std::size_t i = 0; i < graph.nodes.size(); ++i)
            graph.layout.emplace_back(graph.nodes[i].name,
                                      graph::Position{ double(i % 50) * 220, double(i / 50) * 80 });
        Canvas canvas(graph);
        QElapsedTimer timer;
        timer.start();
        for (int i = 0; i < 50; ++i)
            canvas.scene.showMoved({ 500 }, QPointF(i, i));
        const double drag = double(timer.nsecsElapsed()) / 50e6;
        canvas.document.editPlaced(QStringLiteral("Move"), [](graph::Graph& changed) {
            moveNodes(changed, { { NodeId("n500"), { 7, 7 } } });
        });
        timer.restart();
        for (int i = 0; i < 5; ++i) {
            canvas.document.steps().undo();
            canvas.document.steps().redo();
        }
        qInfo("2,000 nodes: %.1f ms a move of the pointer, %.1f ms an undo with its scene", drag,
              double(timer.nsecsElapsed()) / 10e6);
    }
};

SG_WINDOW_TEST(TestCanvasEditor)
#include "tst_canvas_editor.moc"
