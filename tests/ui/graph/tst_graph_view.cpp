// The canvas under the hands: keys, pointer, zoom, assistive technology, large graphs.

#include "tests/support/qtest_std.h"
#include "tests/support/qtry.h"
#include "tests/support/require.h"
#include "tests/support/window_style.h"
#include "tests/ui/graph/graph_texts.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/canvas/state_chips.h"
#include "ui/graph/canvas/zoom_control.h"
#include "ui/graph/scene/edge_item.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"

#include <QAccessible>
#include <QElapsedTimer>
#include <QPaintEvent>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>

#include <algorithm>
#include <cmath>

using namespace sg;
using namespace sg::ui;

namespace {

struct Canvas {
    explicit Canvas(const graph::Graph& graph)
        : scene(document)
        , view(scene)
    {
        document.setGraph(graph);
        scene.setAnimated(false);
        view.resize(900, 500);
        view.show();
    }
    [[nodiscard]] bool isShown() { return QTest::qWaitForWindowExposed(&view); }
    void press(Qt::Key key) { QTest::keyClick(&view, key); }
    [[nodiscard]] QString current() const { return QString::fromStdString(scene.currentNode().value); }

    GraphDocument document;
    GraphScene scene;
    GraphView view;
};

QList<QAccessible::Event> seenEvents;
QStringList seenNames;

void recordEvent(QAccessibleEvent* event)
{
    seenEvents << event->type();
    if (QAccessibleInterface* interface = event->accessibleInterface())
        seenNames << interface->text(QAccessible::Name);
}

graph::Graph wide(int rows, int columns)
{
    graph::Graph graph;
    const auto id = [](int row, int column) {
        return NodeId("n" + std::to_string(column) + "_" + std::to_string(row));
    };
    for (int column = 0; column < columns; ++column)
        for (int row = 0; row < rows; ++row) {
            graph::Node node;
            node.name = id(row, column);
            node.kind = row % 2 ? "python" : "llm";
            graph.nodes.push_back(node);
            graph.layout.emplace_back(node.name, graph::Position{ column * 220.0, row * 76.0 });
            if (column > 0) {
                graph.edges.push_back({ { id(row, column - 1) }, id(row, column), false });
                if (row % 2)
                    graph.edges.push_back({ { id(row, column - 1) }, id((row + 1) % rows, column), false });
            }
        }
    return graph;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace

class TestGraphView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { test::failOnQtWarnings(); }

    // Whatever the zoom is: what a run does to nodes is painted.
    void statesArePaintedAtEveryZoom_data()
    {
        QTest::addColumn<double>("zoom");
        for (const double zoom : { 1.0, 0.3, 0.12 })
            QTest::newRow(qPrintable(QString::number(zoom))) << zoom;
    }
    void statesArePaintedAtEveryZoom()
    {
        QFETCH(double, zoom);
        Canvas canvas(wide(6, 10));
        QVERIFY(canvas.isShown());
        // Where all is seen, one that was outside as long as the canvas was large.
        const NodeId id(zoom < 1 ? "n9_5" : "n2_1");
        const auto item = std::ranges::find_if(canvas.scene.nodes(),
                                               [&id](const NodeItem* each) { return each->node().id == id; });
        QVERIFY(item != canvas.scene.nodes().end());
        NodeState done;
        done.kind = StateKind::Done;
        canvas.scene.setNodeStates({ { id, done } });
        QTest::qWait(50);
        canvas.scene.setNodeStates({});
        QTest::qWait(50);
        canvas.view.setZoom(zoom);
        canvas.view.centerOn(canvas.scene.itemsBoundingRect().center());
        if (zoom >= 1)
            canvas.view.centerOn(*item);
        QTest::qWait(50);
        const QPoint at = canvas.view.mapFromScene((*item)->sceneBoundingRect().center());
        QVERIFY(canvas.view.viewport()->rect().contains(at));
        struct Paints : QObject {
            bool eventFilter(QObject*, QEvent* event) override
            {
                if (event->type() == QEvent::Paint)
                    region += static_cast<QPaintEvent*>(event)->region();
                return false;
            }
            QRegion region;
        } paints;
        canvas.view.viewport()->installEventFilter(&paints);
        canvas.scene.setNodeStates({ { id, done } });
        QTRY_VERIFY(paints.region.contains(at));
        QTest::qWait(50);
        paints.region = {};
        canvas.scene.setNodeStates({});
        QTRY_VERIFY(paints.region.contains(at));
    }

    // Docks and layouts change the canvas' size: what stood in its middle stays there.
    void aResizeKeepsTheMiddle()
    {
        Canvas canvas(wide(12, 12));
        QVERIFY(canvas.isShown());
        canvas.view.setZoom(1);
        const QPointF wanted = canvas.scene.findNode(NodeId("n6_6"))->card().center();
        canvas.view.centerOn(wanted);
        const auto away = [&] {
            const QPointF by = canvas.view.visibleRect().center() - wanted;
            return std::hypot(by.x(), by.y());
        };
        QVERIFY(away() < 3);
        canvas.view.resize(500, 220);
        QTRY_VERIFY2(away() < 3, qPrintable(QString::number(away())));
        for (int i = 0; i < 40; ++i) { // a splitter that is dragged
            canvas.view.resize(500 + 7 * i, 220 + 3 * i);
            QTest::qWait(1);
        }
        QTRY_VERIFY2(away() < 3, qPrintable(QString::number(away())));
    }

    void aLargeGraphOpensReadableAtWhatMatters()
    {
        Canvas canvas(wide(12, 12));
        QVERIFY(canvas.isShown());
        QVERIFY2(canvas.view.zoom() >= 0.799, qPrintable(QString::number(canvas.view.zoom())));
        const auto sees = [&canvas](const char* node) {
            return canvas.view.visibleRect().contains(canvas.scene.findNode(NodeId(node))->card());
        };
        QVERIFY(canvas.view.visibleRect().contains(canvas.scene.nodes().front()->card()));
        QVERIFY(!sees("n9_9"));
        NodeState failed;
        failed.kind = StateKind::Failed;
        canvas.scene.setNodeState(NodeId("n9_9"), failed);
        canvas.view.lookAgain(); // a thread's history came
        QVERIFY(sees("n9_9"));
        QVERIFY(canvas.view.zoom() >= 0.799);
        canvas.view.resize(700, 300);
        QTRY_VERIFY(sees("n9_9"));
        canvas.view.fitAll(); // by hand: from now on it is left alone
        canvas.view.lookAgain();
        QVERIFY(canvas.view.visibleRect().contains(canvas.scene.contentRect()));
    }

    void aSmallGraphOpensWhole()
    {
        Canvas canvas(test::graphFromText("start>a>b>end"));
        QVERIFY(canvas.isShown());
        QVERIFY(canvas.view.visibleRect().contains(canvas.scene.contentRect()));
    }

    // A low canvas: the row of the zoom control is left out where a node would be under it.
    void noNodeOfAFittedGraphIsUnderTheZoomControl()
    {
        Canvas canvas(wide(3, 4));
        auto* control = canvas.view.findChild<ZoomControl*>();
        QVERIFY(control != nullptr && canvas.isShown());
        for (const int width : { 420, 520, 620, 735 }) {
            canvas.view.resize(width, 215);
            QTRY_COMPARE(canvas.view.viewport()->width(), width);
            canvas.view.fitAll();
            for (const NodeItem* node : canvas.scene.nodes())
                QVERIFY2(
                    !canvas.view.mapFromScene(node->card()).boundingRect().intersects(control->geometry()),
                    node->node().id.value.c_str());
            QVERIFY(canvas.view.visibleRect().contains(canvas.scene.contentRect()));
        }
    }

    // Where a graph does not fit, the control stands in a corner without a node.
    void theZoomControlGivesWayToNodes()
    {
        graph::Graph stairs;
        for (int step = 0; step < 8; ++step) {
            graph::Node node;
            node.name = NodeId("n" + std::to_string(step));
            node.kind = "python";
            stairs.nodes.push_back(node);
            stairs.layout.emplace_back(node.name, graph::Position{ step * 220.0, step * 110.0 });
        }
        Canvas canvas(stairs);
        auto* control = canvas.view.findChild<ZoomControl*>();
        QVERIFY(control != nullptr && canvas.isShown());
        int moved = 0;
        for (const int covered : { 0, 60 })
            for (int height = 200; height <= 360; height += 10) {
                canvas.view.setCovered(covered);
                canvas.view.resize(620, height + covered);
                QTRY_COMPARE(canvas.view.viewport()->height(), height + covered);
                for (const NodeItem* node : canvas.scene.nodes())
                    QVERIFY2(!canvas.view.mapFromScene(node->card())
                                  .boundingRect()
                                  .intersects(control->geometry()),
                             qPrintable(QStringLiteral("%1, %2 pixels high")
                                            .arg(QString::fromStdString(node->node().id.value))
                                            .arg(height)));
                QVERIFY(control->y() >= covered);
                moved += control->x() < 100 || control->y() < height / 2 ? 1 : 0;
            }
        QVERIFY(moved > 0);
    }

    void theOverviewHasNames()
    {
        Canvas canvas(wide(5, 8));
        QVERIFY(canvas.isShown());
        canvas.view.setZoom(0.3);
        canvas.view.viewport()->grab();
        QVERIFY2(canvas.view.overviewNames().count() == 40,
                 qPrintable(QString::number(canvas.view.overviewNames().count())));
        canvas.view.setZoom(0.12); // blocks alone
        canvas.view.viewport()->grab();
    }

    // The frame's border is the worst state inside; at each zoom it is seen without reading.
    void aFrameShowsTheWorstStateInside_data()
    {
        QTest::addColumn<double>("zoom");
        for (const double zoom : { 0.3, 0.1 })
            QTest::newRow(qPrintable(QString::number(zoom))) << zoom;
    }
    void aFrameShowsTheWorstStateInside()
    {
        QFETCH(double, zoom);
        ui::applyTheme(*qApp, ui::Theme::Light);
        graph::Graph graph = wide(6, 6);
        graph::Note frame;
        frame.text = "Models";
        frame.frame = true;
        frame.place = { -120, -120 };
        frame.size = { 500, 420 };
        graph.notes.push_back(frame);
        Canvas canvas(graph);
        QVERIFY(canvas.isShown());
        canvas.view.setZoom(zoom);
        canvas.view.centerOn(canvas.scene.contentRect().center());
        const QColor wanted = color(&Tokens::failed);
        const auto red = [&canvas, &wanted] {
            const QImage picture = canvas.view.viewport()->grab().toImage();
            int count = 0;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x)
                    count += picture.pixelColor(x, y) == wanted ? 1 : 0;
            return count;
        };
        QCOMPARE(red(), 0);
        NodeState failed;
        failed.kind = StateKind::Failed;
        canvas.scene.setNodeState(NodeId("n1_1"), failed);
        QVERIFY2(red() > 200 * zoom, qPrintable(QString::number(red())));
        const int inside = red();
        canvas.scene.setNodeStates({ { NodeId("n5_5"), failed } }); // outside of it
        QVERIFY(red() < inside);
    }

    void chipsCountStatesAndLeaveOthersFaint()
    {
        Canvas canvas(wide(6, 8));
        StateChips chips(canvas.view);
        QVERIFY(canvas.isShown());
        NodeState done;
        done.kind = StateKind::Done;
        NodeState failed;
        failed.kind = StateKind::Failed;
        NodeStates states;
        for (int i = 0; i < 5; ++i)
            states[NodeId("n0_" + std::to_string(i))] = done;
        states[NodeId("n7_5")] = failed;
        states[NodeId("n3_0")].isUnreached = true;
        states[NodeId("n3_1")].isUnreached = true;
        canvas.scene.setNodeStates(states);
        QTRY_VERIFY(!chips.isHidden());
        auto* unreached = chips.findChild<QToolButton*>(
            QStringLiteral("stateChip%1").arg(static_cast<int>(StateKind::Idle)));
        QVERIFY(unreached != nullptr);
        QCOMPARE(unreached->text(), QStringLiteral("2 not reached"));
        auto* chip = chips.findChild<QToolButton*>(
            QStringLiteral("stateChip%1").arg(static_cast<int>(StateKind::Failed)));
        QVERIFY(chip != nullptr);
        QCOMPARE(chip->text(), QStringLiteral("1 failed"));
        chip->click();
        QCOMPARE(canvas.current(), QStringLiteral("n7_5"));
        QVERIFY(canvas.scene.findNode(NodeId("n0_0"))->opacity() < 0.5);
        QCOMPARE(canvas.scene.findNode(NodeId("n7_5"))->opacity(), 1.0);
        QVERIFY(canvas.view.visibleRect().contains(canvas.scene.findNode(NodeId("n7_5"))->card()));
        chip->click();
        QCOMPARE(canvas.scene.findNode(NodeId("n0_0"))->opacity(), 1.0);
    }

    void anotherThemeRepaintsEveryCard()
    {
        ui::applyTheme(*qApp, ui::Theme::Light);
        Canvas canvas(test::graphFromText("start>a>b>end"));
        QVERIFY(canvas.isShown());
        const auto bright = [&canvas] { // pixels, of those that are seen
            const QImage picture = canvas.view.viewport()->grab().toImage();
            int count = 0;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x)
                    count += qGray(picture.pixel(x, y)) > 200 ? 1 : 0;
            return count;
        };
        QVERIFY(bright() > 100'000);
        ui::applyTheme(*qApp, ui::Theme::Dark);
        QTRY_VERIFY(bright() < 6000); // texts and lines; a card that was forgotten has more
        ui::applyTheme(*qApp, ui::Theme::Light);
    }

    void arrowsMoveTheCurrentNode()
    {
        Canvas canvas(test::graphFromText("start>a>b>end"));
        QVERIFY(canvas.isShown());
        QSignalSpy changes(&canvas.scene, &GraphScene::currentNodeChanged);
        QSignalSpy activations(&canvas.view, &GraphView::nodeActivated);
        canvas.press(Qt::Key_Right);
        QCOMPARE(canvas.current(), QStringLiteral("__start__"));
        canvas.press(Qt::Key_Right);
        canvas.press(Qt::Key_Right);
        QCOMPARE(canvas.current(), QStringLiteral("b"));
        canvas.press(Qt::Key_Left);
        QCOMPARE(canvas.current(), QStringLiteral("a"));
        canvas.press(Qt::Key_Up); // nothing is there
        QCOMPARE(canvas.current(), QStringLiteral("a"));
        canvas.press(Qt::Key_Return);
        QCOMPARE(activations.size(), 1);
        canvas.press(Qt::Key_End);
        QCOMPARE(canvas.current(), QStringLiteral("__end__"));
        canvas.press(Qt::Key_Escape);
        QCOMPARE(canvas.current(), QString());
        QCOMPARE(changes.size(), 6);
    }

    void keysZoom()
    {
        Canvas canvas(test::graphFromText("start>a>b>end"));
        QVERIFY(canvas.isShown());
        canvas.press(Qt::Key_0);
        QCOMPARE(canvas.view.zoom(), 1.0);
        canvas.press(Qt::Key_Plus);
        QVERIFY(canvas.view.zoom() > 1.2);
        canvas.press(Qt::Key_Minus);
        QCOMPARE(canvas.view.zoom(), 1.0);
        canvas.press(Qt::Key_Minus);
        QVERIFY(canvas.view.zoom() < 0.85);
        canvas.press(Qt::Key_1);
        QVERIFY(canvas.view.visibleRect().contains(canvas.scene.contentRect()));
        for (int i = 0; i < 60; ++i)
            canvas.press(Qt::Key_Minus);
        QVERIFY(canvas.view.zoom() >= 0.02);
    }

    void theWheelZoomsAroundThePointer()
    {
        Canvas canvas(wide(10, 10));
        QVERIFY(canvas.isShown());
        canvas.view.setZoom(1);
        const QPointF at(300, 200);
        const QPointF before = canvas.view.mapToScene(at.toPoint());
        QWheelEvent wheel(at, canvas.view.viewport()->mapToGlobal(at), {}, { 0, 120 }, Qt::NoButton,
                          Qt::ControlModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(canvas.view.viewport(), &wheel);
        QCOMPARE(canvas.view.zoom(), 1.25);
        const QPointF after = canvas.view.mapToScene(at.toPoint());
        QVERIFY(std::abs(after.x() - before.x()) < 2 && std::abs(after.y() - before.y()) < 2);
    }

    void aPressSelectsAndTheGroundPans()
    {
        Canvas canvas(test::graphFromText("start>a>b>end"));
        QVERIFY(canvas.isShown());
        const QPoint onA = canvas.view.mapFromScene(canvas.scene.findNode(NodeId("a"))->card().center());
        QTest::mouseClick(canvas.view.viewport(), Qt::LeftButton, {}, onA);
        QCOMPARE(canvas.current(), QStringLiteral("a"));
        const int before = canvas.view.horizontalScrollBar()->value();
        QTest::mousePress(canvas.view.viewport(), Qt::LeftButton, {}, QPoint(20, 20));
        QTest::mouseMove(canvas.view.viewport(), QPoint(60, 20));
        QTest::mouseRelease(canvas.view.viewport(), Qt::LeftButton, {}, QPoint(60, 20));
        QCOMPARE(canvas.current(), QString());
        QCOMPARE(canvas.view.horizontalScrollBar()->value(), before - 40);
    }

    void statesSurviveANewGraph()
    {
        Canvas canvas(test::graphFromText("start>a>b>end"));
        NodeState failed;
        failed.kind = StateKind::Failed;
        canvas.scene.setNodeState(NodeId("b"), failed);
        canvas.scene.setNodeState(NodeId("nobody"), failed);
        canvas.scene.setCurrentNode(NodeId("a"));
        canvas.document.setGraph(test::graphFromText("start>b>c>end"));
        QCOMPARE(canvas.scene.findNode(NodeId("b"))->state().kind, StateKind::Failed);
        QCOMPARE(canvas.current(), QString()); // a is gone
    }

    void namesCannotBeMarkup()
    {
        Canvas canvas(test::graphFromText("start><b>x</b>>end"));
        for (const NodeItem* node : canvas.scene.nodes())
            QVERIFY2(!node->toolTip().contains(QStringLiteral("<b>")), qPrintable(node->toolTip()));
    }

    void runningNodesCountTheirTime()
    {
        Canvas canvas(test::graphFromText("start>a>end"));
        QVERIFY(canvas.isShown());
        NodeState running;
        running.kind = StateKind::Running;
        running.runningSinceMs = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) - 5000;
        canvas.scene.setNodeState(NodeId("a"), running);
        const NodeItem* node = canvas.scene.findNode(NodeId("a"));
        QVERIFY2(node->secondLine().startsWith(QStringLiteral("Running 5")), qPrintable(node->secondLine()));
        const QString first = node->secondLine();
        QTRY_VERIFY(node->secondLine() != first);
    }

    void assistiveTechnologySeesNodesAndEdges()
    {
        Canvas canvas(test::graphFromText("start>load, load?ok>report, load?bad>load, report>end"));
        QVERIFY(canvas.isShown());
        NodeState done;
        done.kind = StateKind::Done;
        done.secondLine = QStringLiteral("Done 340 ms");
        canvas.scene.setNodeState(NodeId("load"), done);
        QAccessibleInterface* root = QAccessible::queryAccessibleInterface(&canvas.view);
        QVERIFY(root);
        QCOMPARE(root->role(), QAccessible::Canvas);
        QCOMPARE(root->text(QAccessible::Name), QStringLiteral("Graph canvas"));
        QVERIFY(root->childCount() >= 4 + 4);
        QAccessibleInterface* load = root->child(1);
        QCOMPARE(load->text(QAccessible::Name), QStringLiteral("load, python node, done, 2 in, 2 out"));
        QCOMPARE(load->text(QAccessible::Description), QStringLiteral("Done 340 ms"));
        QCOMPARE(load->parent(), root);
        QCOMPARE(root->indexOfChild(load), 1);
        QVERIFY(load->state().focusable && load->state().selectable && !load->state().selected);
        QVERIFY(load->rect().width() > 50);
        QCOMPARE(root->childAt(load->rect().center().x(), load->rect().center().y()), load);
        QCOMPARE(root->child(0)->text(QAccessible::Name), QStringLiteral("Start, 0 in, 1 out"));
        QStringList edges;
        for (int i = 4; i < 8; ++i)
            edges << root->child(i)->text(QAccessible::Name);
        QVERIFY2(edges.contains(QStringLiteral("edge from load to report, when ok")),
                 qPrintable(edges.join(QLatin1Char('\n'))));

        QSignalSpy activations(&canvas.view, &GraphView::nodeActivated);
        QAccessibleActionInterface* actions = load->actionInterface();
        QVERIFY(actions && actions->actionNames().contains(QAccessibleActionInterface::pressAction()));
        actions->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(canvas.current(), QStringLiteral("load"));
        QCOMPARE(activations.size(), 1);
        QVERIFY(load->state().selected);
    }

    void changesOfStateAreAnnounced()
    {
        Canvas canvas(test::graphFromText("start>a>end"));
        QVERIFY(canvas.isShown());
        QAccessible::setActive(true);
        if (!QAccessible::isActive())
            SG_SKIP("this platform plugin has no accessibility; the window test asks over AT-SPI");
        QVERIFY(QAccessible::queryAccessibleInterface(&canvas.view));
        seenEvents.clear();
        seenNames.clear();
        const auto before = QAccessible::installUpdateHandler(recordEvent);
        NodeState failed;
        failed.kind = StateKind::Failed;
        canvas.scene.setNodeState(NodeId("a"), failed);
        canvas.scene.setCurrentNode(NodeId("a"));
        QAccessible::installUpdateHandler(before);
        QVERIFY(seenEvents.contains(QAccessible::NameChanged));
        QVERIFY(seenEvents.contains(QAccessible::Selection));
        QVERIFY2(seenNames.contains(QStringLiteral("a, python node, failed, 1 in, 1 out")),
                 qPrintable(seenNames.join(QLatin1Char('\n'))));
        // Parts of a graph that is gone must not be asked for what is no longer there.
        QAccessibleInterface* root = QAccessible::queryAccessibleInterface(&canvas.view);
        QVERIFY(root->child(1)->isValid());
        canvas.document.setGraph({});
        QCOMPARE(canvas.scene.nodes().size(), std::size_t(0));
        QVERIFY(!root->child(0) || root->child(0)->text(QAccessible::Name) != QStringLiteral("a"));
        QAccessible::setActive(false);
    }

    void twoThousandNodesStayQuick()
    {
        QElapsedTimer timer;
        timer.start();
        Canvas canvas(wide(40, 50));
        canvas.view.resize(1600, 900);
        QVERIFY(canvas.isShown());
        qInfo("open: %lld ms for %zu nodes, %zu edges", timer.elapsed(), canvas.scene.nodes().size(),
              canvas.scene.edges().size());
        NodeStates states;
        int i = 0;
        for (const NodeItem* node : canvas.scene.nodes()) {
            NodeState state;
            state.kind = kStateKinds[i++ % 9];
            states[node->node().id] = state;
        }
        canvas.scene.setNodeStates(states);
        canvas.scene.setAnimated(false);
        const auto paintTime = [&](double zoom) {
            canvas.view.setZoom(zoom);
            std::vector<double> times;
            QImage image(canvas.view.viewport()->size(), QImage::Format_ARGB32_Premultiplied);
            for (int round = 0; round < 12; ++round) {
                canvas.view.horizontalScrollBar()->setValue(canvas.view.horizontalScrollBar()->value() + 7);
                QElapsedTimer paint;
                paint.start();
                canvas.view.viewport()->render(&image);
                times.push_back(static_cast<double>(paint.nsecsElapsed()) / 1e6);
            }
            return median(times);
        };
        canvas.view.fitAll();
        const double fit = canvas.view.zoom();
        for (const double zoom : { fit, 0.2, 0.3, 0.5, 1.0 }) {
            const double ms = paintTime(zoom);
            qInfo("zoom %.2f: %.1f ms a frame", zoom, ms);
            QVERIFY2(ms < 1000, "ten times what a busy machine needs");
        }
        test::pictureOf(canvas.view, QStringLiteral("canvas-2000"));
        canvas.view.fitAll();
        test::pictureOf(canvas.view, QStringLiteral("canvas-2000-fit"));
    }
};

SG_WINDOW_TEST(TestGraphView)
#include "tst_graph_view.moc"
