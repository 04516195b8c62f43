// bench-canvas measures the canvas with thousands of nodes, offscreen and without a GPU; a frame is what its
// gesture changes and the drawing after it.

#include "core/graph/graph_file.h"
#include "tests/bench/figure_lines.h"
#include "tests/support/window_style.h"
#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"

#include <QAction>
#include <QMouseEvent>
#include <QScrollBar>

#include <functional>
#include <utility>

namespace sg {
namespace {

using bench::millisecondsSince;
using bench::printFigure;
using bench::steady_clock;
using namespace ui;

constexpr int kFrames = 240;
constexpr int kColumns = 50;

// Rows of fifty nodes in a chain from Start to End, half as many edges again from row to row, and one in
// twenty back within its row, as loops go.
graph::Graph workflow(int nodes, bool placed)
{
    graph::Graph graph;
    const auto name = [](int i) { return NodeId("node " + std::to_string(i)); };
    const auto edge = [&](NodeId from, NodeId to) {
        graph::Edge added;
        added.from = { std::move(from) };
        added.to = std::move(to);
        graph.edges.push_back(std::move(added));
    };
    for (int i = 0; i < nodes; ++i) {
        graph::Node node;
        node.name = name(i);
        node.kind = "jq";
        node.settings.set("jq", Value("{}"));
        graph.nodes.push_back(std::move(node));
        const int column = i % kColumns;
        if (placed)
            graph.layout.emplace_back(name(i),
                                      graph::Position{ double(column) * 220, double(i / kColumns) * 110 });
        edge(column == 0 ? NodeId(graph::kStart) : name(i - 1), name(i));
        if (column + 1 == kColumns || i + 1 == nodes)
            edge(name(i), NodeId(graph::kEnd));
        const int other = i + (i % 3 - 1) * kColumns + 1 + i % 2; // up to two columns on, a row away
        if (i % 20 == 7 && column > 3)
            edge(name(i), name(i - 3));
        else if (i % 2 == 0 && other > 0 && other < nodes && column + 2 < kColumns)
            edge(name(i), name(other));
    }
    return graph;
}

struct Canvas {
    GraphDocument document;
    GraphScene scene{ document };
    GraphView view{ scene };

    explicit Canvas(const graph::Graph& graph)
    {
        document.setEditable(true);
        view.makeEditable(document);
        view.resize(1200, 700);
        document.setGraph(graph);
        view.show();
        draw();
    }
    void draw()
    {
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
    }
    double frame(const std::function<void()>& gesture)
    {
        const auto begin = steady_clock::now();
        gesture();
        draw();
        return millisecondsSince(begin);
    }
    // p95 of many frames
    double frames(const std::function<void(int)>& gesture)
    {
        std::vector<double> times;
        for (int i = 0; i < kFrames; ++i)
            times.push_back(frame([&] { gesture(i); }));
        return bench::quantile(times, 0.95);
    }
    void send(QEvent::Type type, const QPoint& at)
    {
        QMouseEvent event(type, at, view.viewport()->mapToGlobal(at),
                          type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton,
                          type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, {});
        QCoreApplication::sendEvent(view.viewport(), &event);
    }
};

void openLarge(const std::string& ids, int nodes)
{
    const std::string text = graph::graphText(workflow(nodes, true));
    const auto begin = steady_clock::now();
    const auto file = graph::parseGraph(text);
    const Canvas canvas(file->graph);
    printFigure(ids + ".open", millisecondsSince(begin));
}

void gestures(const std::string& ids, int nodes)
{
    Canvas canvas(workflow(nodes, true));
    canvas.view.setZoom(1);
    canvas.draw();
    printFigure(ids + ".pan", canvas.frames([&](int i) {
        auto* bar = canvas.view.horizontalScrollBar();
        bar->setValue(bar->value() + (i % 80 < 40 ? 37 : -37));
    }));
    printFigure(ids + ".zoom", canvas.frames([&](int i) { canvas.view.setZoom(i % 2 == 0 ? 1.1 : 1.0); }));
    printFigure(ids + ".fit", canvas.frames([&](int i) {
        if (i % 2 == 0)
            canvas.view.fitAll();
        else
            canvas.view.setZoom(1);
    }));
    canvas.view.setZoom(1);
    canvas.view.reveal(NodeId("node 1020"));
    canvas.draw();
    const auto* item = canvas.scene.findNode(NodeId("node 1020"));
    const QPoint at = canvas.view.mapFromScene(item->card().center());
    canvas.send(QEvent::MouseButtonPress, at);
    printFigure(ids + ".drag",
                canvas.frames([&](int i) { canvas.send(QEvent::MouseMove, at + QPoint(i % 90, i % 50)); }));
    canvas.send(QEvent::MouseButtonRelease, at + QPoint(30, 30));
    canvas.draw();
    const auto undoOrRedo = [&](int i) {
        if (i % 2 == 0)
            canvas.document.steps().undo();
        else
            canvas.document.steps().redo();
    };
    printFigure(ids + ".undo_move", canvas.frames(undoOrRedo));
    canvas.document.edit(QStringLiteral("Remove"),
                         [](graph::Graph& graph) { removeNodes(graph, { NodeId("node 1500") }); });
    printFigure(ids + ".undo_remove", canvas.frames(undoOrRedo));
}

void fitVeryLarge()
{
    Canvas canvas(workflow(5000, true));
    printFigure("window.canvas.5000.fit", canvas.frames([&](int i) {
        if (i % 2 == 0)
            canvas.view.fitAll();
        else
            canvas.view.setZoom(0.2);
    }));
}

void layOut()
{
    GraphDocument document;
    const auto begin = steady_clock::now();
    document.setGraph(workflow(500, false));
    printFigure("window.canvas.500.layout", millisecondsSince(begin));
}

} // namespace
} // namespace sg

int main(int argc, char** argv)
{
    const sg::test::WindowEnvironment environment;
    QApplication application(argc, argv);
    sg::test::useStyle();
    sg::ui::applyTheme(application, sg::ui::Theme::Light);
    sg::openLarge("window.canvas.2000", 2000);
    sg::gestures("window.canvas.2000", 2000);
    sg::fitVeryLarge();
    sg::layOut();
    return 0;
}
