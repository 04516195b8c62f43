// Draws the canvas offscreen in both themes; with SG_PICTURES=folder the pictures are kept to be looked at.

#include "core/graph/graph_file.h"
#include "tests/support/qtest_std.h"
#include "tests/support/window_style.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"
#include "ui/widgets/palette.h"

using namespace sg;
using namespace sg::ui;

namespace {

constexpr const char* kStates = R"({"format":1,"name":"states","state":{"x":{"type":"last_value"}},"nodes":[
{"name":"report","kind":"llm","model":"qwen"},{"name":"visualize","kind":"subgraph"},{"name":"analyze","kind":"python","file":"nodes/analyze.py"},
{"name":"model","kind":"python","file":"m.py"},{"name":"approve","kind":"human"},{"name":"notify","kind":"http","url":"/hooks"},
{"name":"load","kind":"dataset"},{"name":"batch","kind":"agent"},{"name":"idle","kind":"python","file":"nodes/analyze.py"},
{"name":"stale","kind":"python","file":"a.py"},{"name":"publish","kind":"tool"},{"name":"pinned","kind":"dataset"},
{"name":"check","kind":"jq","jq":".x"},{"name":"broken","kind":"jq","jq":".x"},{"name":"a_very_long_node_name_indeed","kind":"python","file":"nodes/some/deep/folder/with/a/long/name.py"}],
"edges":[],"layout":{"report":[0,0],"visualize":[0,72],"analyze":[0,144],"model":[0,216],"approve":[0,288],"notify":[0,360],
"load":[200,0],"batch":[200,72],"idle":[200,144],"stale":[200,216],"publish":[200,288],"pinned":[200,360],"check":[400,0],"broken":[400,72],"a_very_long_node_name_indeed":[400,144]}})";

constexpr const char* kPenguins =
    R"({"format":1,"name":"penguins","state":{"x":{"type":"last_value"}},"nodes":[
{"name":"load","kind":"dataset"},{"name":"analyze","kind":"python","file":"nodes/analyze.py"},{"name":"check","kind":"jq","jq":".quality.score > 0.9"},
{"name":"repair","kind":"llm","model":"qwen3-32b"},{"name":"visualize","kind":"subgraph"},{"name":"model","kind":"python","file":"nodes/model.py"},
{"name":"approve","kind":"human"},{"name":"notify","kind":"http","method":"POST","url":"/hooks/team"},{"name":"report","kind":"llm","model":"qwen3-32b"},{"name":"publish","kind":"tool"}],
"edges":[["load","analyze"],["analyze","check"],["repair","analyze"],["visualize","publish"],[["model","approve","visualize"],"report"],["report","publish"],["publish","__end__"],["__start__","load"]],
"branches":[{"from":"check","jq":".route","targets":{"ok":"visualize","give up":"notify","retry":"repair"}},{"from":"load","jq":".x","targets":{"m":"model","a":"approve"}}]LAYOUT})";

constexpr const char* kMockLayout =
    R"(,"layout":{"load":[104,158],"analyze":[288,158],"check":[472,158],"repair":[384,272],"visualize":[712,44],"model":[712,120],"approve":[712,196],"notify":[712,272],"report":[936,158],"publish":[1120,158]})";

graph::Graph graphOf(QString text, const char* layout = "")
{
    text.replace(QStringLiteral("LAYOUT"), QLatin1String(layout));
    auto file = graph::parseGraph(text.toStdString());
    if (!file)
        qFatal("%s", file.error().message.c_str());
    for (const auto& problem : file->problems)
        qInfo("%s", problem.message.c_str());
    return file->graph;
}

NodeState state(StateKind kind, const char* second = "", const char* note = "")
{
    NodeState result;
    result.kind = kind;
    result.secondLine = QString::fromUtf8(second);
    result.note = QString::fromUtf8(note);
    return result;
}

NodeStates allStates()
{
    NodeStates states;
    states[NodeId("report")] = state(StateKind::Queued);
    states[NodeId("visualize")] = state(StateKind::Running, "Running 1.2 s");
    states[NodeId("analyze")] = state(StateKind::Done, "Done 340 ms", "2nd run");
    states[NodeId("model")] = state(StateKind::Failed, "Failed: OOM");
    states[NodeId("approve")] = state(StateKind::Waiting);
    states[NodeId("notify")] = state(StateKind::Skipped, "Skipped: quality ok");
    states[NodeId("load")] = state(StateKind::Cached, "Reused from step 7");
    states[NodeId("batch")] = state(StateKind::Partial, "Done 3 of 4");
    states[NodeId("stale")] = state(StateKind::Done, "Done 340 ms");
    states[NodeId("stale")].stale = true;
    states[NodeId("publish")] = state(StateKind::Queued);
    states[NodeId("publish")].breakpointBefore = true;
    states[NodeId("publish")].breakpointAfter = true;
    states[NodeId("pinned")] = state(StateKind::Cached, "Pinned");
    states[NodeId("pinned")].pinned = true;
    states[NodeId("check")] = state(StateKind::Done, "Done 0.7 s");
    states[NodeId("broken")].problem = QStringLiteral("jq: syntax error");
    states[NodeId("a_very_long_node_name_indeed")] =
        state(StateKind::Failed, "Failed: KeyError: 'body_mass' in row 12", "3rd run");
    return states;
}

} // namespace

class TestGraphPictures : public QObject {
    Q_OBJECT
private:
    static QString named(const char* what)
    {
        return QStringLiteral("canvas-%1-%2")
            .arg(QLatin1String(what), QLatin1String(QTest::currentDataTag()));
    }

private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void nodeStates_data() { sg::test::themes(); }
    void nodeStates()
    {
        sg::test::useTheme();
        GraphDocument document;
        document.setGraph(graphOf(QLatin1String(kStates)));
        GraphScene scene(document);
        scene.setAnimated(false);
        scene.setNodeStates(allStates());
        scene.setCurrentNode(NodeId("check"));
        GraphView view(scene);
        view.resize(700, 520);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const double zooms[] = { 1, 0.35, 0.3, 0.14, 2 };
        for (const double zoom : zooms) {
            view.setZoom(zoom);
            view.centerOn(scene.contentRect().center());
            const QImage picture =
                sg::test::pictureOf(view, named("states") + QStringLiteral("-%1").arg(zoom * 100));
            QVERIFY(sg::test::colourCount(picture) > 10);
        }
    }

    void penguins_data() { sg::test::themes(); }
    void penguins()
    {
        sg::test::useTheme();
        for (const char* layout : { kMockLayout, "" }) {
            GraphDocument document;
            document.setGraph(graphOf(QLatin1String(kPenguins), layout));
            GraphScene scene(document);
            scene.setAnimated(false);
            GraphView view(scene);
            view.resize(1219, 400);
            view.show();
            QVERIFY(QTest::qWaitForWindowExposed(&view));
            sg::test::pictureOf(view, named(*layout ? "penguins-idle" : "penguins-auto-idle"));
            NodeStates states = allStates();
            states[NodeId("repair")] = state(StateKind::Done, "Done 2.8 s");
            scene.setNodeStates(states);
            scene.setCurrentNode(NodeId("visualize"));
            view.setViewingPast(true);
            EdgeStates edges;
            edges.runShown = true;
            for (const DrawnEdge& edge : document.drawing().edges) {
                const std::string to = document.drawing().nodes[edge.to].id.value;
                edges.taken.push_back(to == "analyze" || to == "check" || to == "visualize" || to == "model"
                                      || to == "approve" || to == "load" || to == "repair");
            }
            edges.arrived = { 0 };
            scene.setEdgeStates(edges);
            const QImage picture = sg::test::pictureOf(view, named(*layout ? "penguins" : "penguins-auto"));
            QVERIFY(sg::test::colourCount(picture) > 20);
        }
    }
};

SG_WINDOW_TEST(TestGraphPictures)
#include "tst_graph_pictures.moc"
