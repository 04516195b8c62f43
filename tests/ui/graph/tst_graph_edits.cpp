// The document is the only thing that changes: every edit is a step, and steps back and forth lead to the
// same file byte for byte. SANDGLASS_EDIT_COUNT=10000 for the long run,
// SANDGLASS_EDIT_SEED for another one.

#include "core/graph/graph_file.h"
#include "tests/support/window_style.h"
#include "tests/ui/graph/graph_texts.h"
#include "ui/graph/edits/graph_clipboard.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/edits/note_edits.h"
#include "ui/graph/edits/subgraph_edits.h"
#include "ui/graph/scene/edge_item.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"
#include "ui/graph/scene/note_item.h"

#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>

#include <random>

using namespace sg;
using namespace sg::ui;

namespace {

constexpr int kExamples = 5;
constexpr int kSeeds = 3; // of each example

std::string textOf(const GraphDocument& document)
{
    return graph::graphText(document.whole());
}

graph::Graph exampleGraph(const QString& name)
{
    QFile file(QStringLiteral(SG_SOURCE_DIR "/resources/examples/%1/%1.graph.json").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    auto parsed = graph::parseGraph(file.readAll().toStdString());
    return parsed ? parsed->graph : graph::Graph();
}

// One random thing that a person could do.
class Hand {
public:
    Hand(GraphDocument& document, unsigned seed)
        : m_document(document)
        , m_random(seed)
    {
    }
    void act()
    {
        switch (pick(25)) {
        case 0:
        case 1:
        case 2: addOne(); break;
        case 3: placed([this](graph::Graph& graph) { removeNodes(graph, { m_a }); }); break;
        case 4:
            plain([this](graph::Graph& graph) { renameNode(graph, m_a, freeNodeName(graph, m_word)); });
            break;
        case 5:
        case 6:
            placed([this](graph::Graph& graph) { moveNodes(graph, { { m_a, { m_x, -m_x / 2 } } }); });
            break;
        case 7:
        case 8: placed([this](graph::Graph& graph) { connectNodes(graph, { m_a }, m_b); }); break;
        case 9: placed([this](graph::Graph& graph) { connectNodes(graph, { m_a, m_b }, m_c); }); break;
        case 10: placed([this](graph::Graph& graph) { removeEdge(graph, m_index, m_a); }); break;
        case 11: placed([this](graph::Graph& graph) { addBranch(graph, m_a); }); break;
        case 12: placed([this](graph::Graph& graph) { removeTarget(graph, m_index % 3, 0); }); break;
        case 13: typeWord(); break;
        case 14: changeChannels(); break;
        case 15:
            plain([this](graph::Graph& graph) { toggleBreakpoint(graph, m_a, Breakpoint::After); });
            break;
        case 16:
            placed([this](graph::Graph& graph) { duplicateNodes(graph, { m_a, m_b }, { 40, 80 }); });
            break;
        case 17:
        case 18: changeNotes(); break;
        case 19:
            plain([this](graph::Graph& graph) {
                setBreakCondition(graph, m_a, m_index % 2 == 0 ? Breakpoint::Before : Breakpoint::After,
                                  m_index % 3 == 0 ? "" : "." + m_word);
            });
            break;
        case 20: groupOrDissolve(); break;
        case 21: goElsewhere(); break;
        case 22:
            placed([this](graph::Graph& graph) {
                pinNodes(graph, { { m_a, { m_x, m_x, m_index % 2 == 0 } } });
            });
            break;
        case 23: changeWays(); break;
        default: changeSettings(); break;
        }
    }

private:
    unsigned pick(unsigned count) { return std::uniform_int_distribution<unsigned>(0, count - 1)(m_random); }
    NodeId node()
    {
        const auto& nodes = m_document.graph().nodes;
        const unsigned which = pick(static_cast<unsigned>(nodes.size()) + 2);
        if (which < nodes.size())
            return nodes[which].name;
        return NodeId(which == nodes.size() ? graph::kStart : graph::kEnd);
    }
    void choose()
    {
        m_a = node();
        m_b = node();
        m_c = node();
        m_word = "n" + std::to_string(pick(1000));
        m_x = static_cast<double>(pick(60)) * 20;
        const auto edges = m_document.graph().edges.size();
        m_index = edges == 0 ? 0 : pick(static_cast<unsigned>(edges));
    }
    void plain(const GraphDocument::Change& change)
    {
        choose();
        m_document.edit(QStringLiteral("step"), change);
    }
    void placed(const GraphDocument::Change& change)
    {
        choose();
        m_document.editPlaced(QStringLiteral("step"), change);
    }
    void addOne()
    {
        static const char* const kKinds[] = { "python", "jq", "human", "subgraph" };
        if (m_document.graph().nodes.size() > 30)
            return placed([this](graph::Graph& graph) { removeNodes(graph, { m_a, m_b, m_c }); });
        placed([this](graph::Graph& graph) { addNode(graph, kKinds[m_index % 4], { m_x, m_x }); });
    }
    void typeWord()
    {
        choose();
        const QString key = QStringLiteral("type/") + QString::fromStdString(m_a.value);
        for (std::size_t length = 1; length <= m_word.size(); ++length)
            m_document.edit(
                QStringLiteral("typing"),
                [&](graph::Graph& graph) {
                    if (graph::Node* changed = nodeIn(graph, m_a))
                        changed->settings.set("jq", Value(m_word.substr(0, length)));
                },
                key);
    }
    void changeChannels()
    {
        plain([this](graph::Graph& graph) {
            const std::string name =
                graph.channels.empty() ? std::string() : graph.channels[m_index % graph.channels.size()].name;
            if (m_index % 3 == 0)
                addChannel(graph, m_word);
            else if (m_index % 3 == 1)
                removeChannel(graph, name);
            else
                renameChannel(graph, name, freeChannelName(graph, m_word));
        });
    }
    void changeNotes()
    {
        placed([this](graph::Graph& graph) {
            const std::size_t note = graph.notes.empty() ? 0 : m_index % graph.notes.size();
            switch (m_index % 5) {
            case 0: removeNote(graph, note); break;
            case 1: setNoteText(graph, note, m_word + "\n\"two\""); break;
            case 2: moveNotes(graph, { { note, { m_x, -m_x } } }); break;
            case 3: resizeNote(graph, note, { m_x, m_x / 3 }); break;
            default: addNote(graph, { m_word, { m_x, m_x }, { 120, 60 }, m_index % 2 == 0, {} }); break;
            }
        });
    }
    void groupOrDissolve()
    {
        placed([this](graph::Graph& graph) {
            if (inliningFault(graph, m_a).empty())
                inlineSubgraph(graph, m_a);
            else
                extractNodes(graph, { m_a, m_b });
        });
    }
    // Into a subgraph, or back out: no step, but steps that follow are of another graph.
    void goElsewhere()
    {
        std::vector<NodeId> path = m_document.path();
        for (const graph::Node& node : m_document.graph().nodes)
            if (node.subgraph && path.size() < 3) {
                path.push_back(node.name);
                return m_document.goTo(path);
            }
        m_document.goTo({});
    }
    void changeWays()
    {
        placed([this](graph::Graph& graph) {
            switch (m_index % 4) {
            case 0: setTarget(graph, 0, m_index % 3, m_b); break;
            case 1: addTarget(graph, m_index % 2); break;
            case 2: setEdgeTarget(graph, m_index, m_c); break;
            default: setStarts(graph, m_index, { m_a.value, m_b.value }); break;
            }
        });
    }
    void changeSettings()
    {
        plain([this](graph::Graph& graph) {
            graph.description = m_word;
            graph.sandbox.storage = m_index % 2 == 0 ? "BIND" : "";
            for (Value* settings : { &graph.inputExample, &graph.llm, &graph.mcp })
                if (settings->isMap() && m_index % 2 == 0)
                    settings->editMap().set(m_word, Value(m_word));
            if (graph::Node* changed = nodeIn(graph, m_a)) {
                changed->retry.assign(1, graph::RetryPolicy{});
                changed->reads = std::vector<std::string>{ m_word };
            }
        });
    }

    GraphDocument& m_document;
    std::mt19937 m_random;
    NodeId m_a, m_b, m_c;
    std::string m_word;
    double m_x = 0;
    unsigned m_index = 0;
};

} // namespace

class TestGraphEdits : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }

    void undoAllAndRedoAllGiveTheSameBytes_data()
    {
        QTest::addColumn<QString>("example");
        QTest::addColumn<int>("seed");
        const int first = qEnvironmentVariableIntValue("SANDGLASS_EDIT_SEED");
        for (const char* name : { "penguins", "approval", "fan-out", "subgraphs", "analyst" })
            for (int seed = first; seed < first + kSeeds; ++seed)
                QTest::addRow("%s %d", name, seed) << QString::fromLatin1(name) << seed;
    }
    void undoAllAndRedoAllGiveTheSameBytes()
    {
        QFETCH(QString, example);
        QFETCH(int, seed);
        bool given = false;
        const int wanted = qEnvironmentVariableIntValue("SANDGLASS_EDIT_COUNT", &given);
        const int count = (given ? wanted : 600) / (kExamples * kSeeds);
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(exampleGraph(example));
        QVERIFY(!document.isEmpty());
        const std::string first = textOf(document);
        Hand hand(document, static_cast<unsigned>(seed));
        std::vector<std::string> texts{ first };
        for (int i = 0; i < count; ++i) {
            hand.act();
            const auto index = static_cast<std::size_t>(document.steps().index());
            texts.resize(index); // typing merges: its last text counts
            texts.push_back(textOf(document));
            QCOMPARE(document.isModified(), index != 0);
        }
        const std::string last = textOf(document);
        QVERIFY(last != first);
        while (document.steps().canUndo()) {
            document.steps().undo();
            QCOMPARE(textOf(document), texts[static_cast<std::size_t>(document.steps().index())]);
        }
        QCOMPARE(textOf(document), first);
        QVERIFY(!document.isModified());
        while (document.steps().canRedo())
            document.steps().redo();
        QCOMPARE(textOf(document), last);
        // The file that was made can be read again as it is.
        auto read = graph::parseGraph(last);
        QVERIFY(read);
        QCOMPARE(graph::graphText(read->graph), last);
    }

    // Items that stay through a step must end as new ones would begin.
    void theSceneShowsWhatAFreshOneWould()
    {
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(exampleGraph(QStringLiteral("approval")));
        GraphScene scene(document);
        Hand hand(document, 11);
        for (int i = 0; i < 120; ++i) {
            if (i % 5 == 4)
                document.steps().undo();
            else
                hand.act();
            const GraphScene fresh(document);
            QCOMPARE(scene.nodes().size(), fresh.nodes().size());
            QCOMPARE(scene.edges().size(), fresh.edges().size());
            QCOMPARE(scene.items().size(), fresh.items().size()); // labels and joins too
            QCOMPARE(scene.contentRect(), fresh.contentRect());
            for (std::size_t n = 0; n < scene.nodes().size(); ++n) {
                QVERIFY(scene.nodes()[n]->node() == fresh.nodes()[n]->node());
                QCOMPARE(scene.nodes()[n]->card(), fresh.nodes()[n]->card());
                QCOMPARE(scene.findNode(scene.nodes()[n]->node().id), scene.nodes()[n]);
            }
            for (std::size_t e = 0; e < scene.edges().size(); ++e) {
                QVERIFY(scene.edges()[e]->drawn() == fresh.edges()[e]->drawn());
                QCOMPARE(scene.edges()[e]->route().path, fresh.edges()[e]->route().path);
                QCOMPARE(scene.edges()[e]->toolTip(), fresh.edges()[e]->toolTip());
            }
            for (std::size_t j = 0; j < scene.joins().size(); ++j)
                QCOMPARE(scene.joins()[j]->boundingRect(), fresh.joins()[j]->boundingRect());
        }
    }

    void movingANodeChangesOnlyTheLayout()
    {
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(exampleGraph(QStringLiteral("penguins")));
        const std::string before = textOf(document);
        document.editPlaced(QStringLiteral("Move"), [](graph::Graph& graph) {
            moveNodes(graph, { { NodeId("load"), { 100, 200 } } });
        });
        const std::string after = textOf(document);
        const auto beforeLayout = [](const std::string& text) {
            return text.substr(0, text.find("\"layout\""));
        };
        QVERIFY(after.find("[100, 200]") != std::string::npos);
        std::string head = beforeLayout(before);
        head.resize(std::min(head.size(), beforeLayout(after).size())
                    - 8); // a comma comes before a first layout
        QCOMPARE(beforeLayout(after).substr(0, head.size()), head);
    }

    void typingIsOneStepAndItsReturnNone()
    {
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(test::graphFromText("start>a>b>end"));
        for (const char* text : { "x", "xy", "xyz" })
            document.edit(
                QStringLiteral("Name"), [&](graph::Graph& graph) { graph.description = text; },
                QStringLiteral("description"));
        QCOMPARE(document.steps().count(), 1);
        document.edit(
            QStringLiteral("Name"), [&](graph::Graph& graph) { graph.description.clear(); },
            QStringLiteral("description"));
        QCOMPARE(document.steps().count(), 0);
        QVERIFY(!document.isModified());
        QVERIFY(!document.edit(QStringLiteral("Nothing"), [](graph::Graph&) {}));
    }

    void aRenamedNodeIsFollowedEverywhere()
    {
        graph::Graph graph = test::graphFromText("start>a>b, a?yes>c, a?b>b, b+c>d, d>end");
        graph.interruptBefore = { "b" };
        graph.layout = { { NodeId("b"), { 1, 2 } } };
        renameNode(graph, NodeId("b"), NodeId("beta"));
        const std::string text = graph::graphText(graph);
        QVERIFY2(text.find("[\"a\", \"beta\"]") != std::string::npos, text.c_str());
        QVERIFY2(text.find("\"b\": \"beta\"") != std::string::npos, text.c_str()); // the label stays
        QVERIFY2(text.find("\"interrupt_before\": [\"beta\"]") != std::string::npos, text.c_str());
        QVERIFY2(text.find("\"beta\": [1, 2]") != std::string::npos, text.c_str());
        removeNodes(graph, { NodeId("beta"), NodeId(graph::kStart) });
        const std::string rest = graph::graphText(graph);
        QVERIFY2(rest.find("beta") == std::string::npos, rest.c_str());
        QVERIFY2(rest.find("[\"__start__\", \"a\"]") != std::string::npos, rest.c_str());
    }

    void aBranchTakesTheEdgesOfItsNode()
    {
        graph::Graph graph = test::graphFromText("start>a>b>end");
        addBranch(graph, NodeId("a"));
        QCOMPARE(graph.branches.size(), std::size_t(1));
        QCOMPARE(graph.branches[0].targets->front().first, std::string("b"));
        connectNodes(graph, { NodeId("a") }, NodeId(graph::kEnd)); // one more outcome
        QCOMPARE(graph.branches[0].targets->size(), std::size_t(2));
        QCOMPARE(graph.edges.size(), std::size_t(2));
        removeTarget(graph, 0, 0);
        removeTarget(graph, 0, 0);
        QVERIFY(graph.branches.empty());
        QVERIFY(!connectionFault(graph, { NodeId(graph::kEnd) }, NodeId("a")).empty());
        QVERIFY(!connectionFault(graph, { NodeId("a") }, NodeId(graph::kStart)).empty());
    }

    void copiesArePastedUnderFreeNames()
    {
        graph::Graph graph = test::graphFromText("start>a>b>end, a?yes>b");
        const std::string text = textOfNodes(graph, { NodeId("a"), NodeId("b") });
        const auto pasted = pasteNodes(graph, text, { 40, 80 });
        QCOMPARE(pasted, (std::vector<NodeId>{ NodeId("a_2"), NodeId("b_2") }));
        QCOMPARE(graph.branches.back().targets->front().second, NodeId("b_2"));
        const std::size_t nodes = graph.nodes.size();
        for (const char* hostile :
             { "", "{", "[]", "{\"nodes\": 3}", "\x00\xff", "{\"nodes\": [{\"name\": {}}]}" })
            QVERIFY(pasteNodes(graph, hostile, {}).empty());
        QCOMPARE(graph.nodes.size(), nodes);
    }

    void stepsOfALargeGraphAreQuick()
    {
        std::string text = "start>n0";
        for (int i = 0; i < 1999; ++i)
            text += ", n" + std::to_string(i) + ">n" + std::to_string(i + 1);
        GraphDocument document;
        document.setEditable(true);
        graph::Graph graph = test::graphFromText(text);
        for (std::size_t i = 0; i < graph.nodes.size(); ++i)
            graph.layout.emplace_back(graph.nodes[i].name,
                                      graph::Position{ double(i % 50) * 220, double(i / 50) * 80 });
        document.setGraph(graph);
        QElapsedTimer timer;
        timer.start();
        for (int i = 0; i < 20; ++i)
            document.editPlaced(QStringLiteral("Move"), [&](graph::Graph& changed) {
                moveNodes(changed, { { NodeId("n500"), { double(i), double(i) } } });
            });
        const double edit = double(timer.nsecsElapsed()) / 20e6;
        timer.restart();
        while (document.steps().canUndo())
            document.steps().undo();
        qInfo("2,000 nodes: %.1f ms an edit, %.1f ms an undo of the document", edit,
              double(timer.nsecsElapsed()) / 20e6);
    }
};

SG_WINDOW_TEST(TestGraphEdits)
#include "tst_graph_edits.moc"
