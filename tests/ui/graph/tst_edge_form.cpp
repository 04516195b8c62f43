// The fields of edges and of branches, and the edge that they are about.

#include "tests/ui/graph/form_fields.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/forms/edge_form.h"
#include "ui/graph/forms/node_form.h"
#include "ui/graph/scene/graph_scene.h"

#include <algorithm>

using namespace sg;
using namespace sg::ui;
using namespace sg::test;

class TestEdgeForm : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void anEdgeLeadsElsewhere()
    {
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(test::graphFromText("start>a>b>end, a+b>c>end"));
        GraphScene scene(document);
        EdgeForm form(document);
        form.show();
        form.setEdge(document.drawing().edges[1]); // a → b
        auto* target = qobject_cast<QComboBox*>(fieldOf(form, QStringLiteral("Leads to")));
        QVERIFY(target);
        QCOMPARE(target->currentText(), QStringLiteral("b"));
        target->showPopup();
        target->setCurrentIndex(target->findText(QStringLiteral("c")));
        Q_EMIT target->activated(target->currentIndex());
        target->hidePopup();
        QCOMPARE(document.graph().edges[1].to, NodeId("c"));
        QVERIFY(!fieldOf(form, QStringLiteral("Waits for")));
    }

    void aWaitingEdgeKnowsWhatItWaitsFor()
    {
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(test::graphFromText("start>a, start>b, start>d, a+b>c>end"));
        EdgeForm form(document);
        form.show();
        const auto& edges = document.drawing().edges;
        const auto waiting =
            std::ranges::find_if(edges, [](const DrawnEdge& edge) { return edge.join != kNoJoin; });
        QVERIFY(waiting != edges.end());
        form.setEdge(*waiting);
        QVERIFY(set(form, QStringLiteral("Waits for"), QStringLiteral("a, b, d")));
        const std::size_t part = waiting->part;
        QCOMPARE(document.graph().edges[part].from.size(), std::size_t(3));
        QVERIFY(set(form, QStringLiteral("Waits for"), QStringLiteral("a, nobody")));
        QVERIFY(fieldOf(form, QStringLiteral("Waits for"))
                    ->accessibleDescription()
                    .contains(QStringLiteral("nobody")));
    }

    void aBranchIsWrittenInItsFields()
    {
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(test::graphFromText("start>a, a?yes>b, a?no>end, b>end"));
        NodeForm form(document);
        form.setNode(NodeId("a"));
        form.show();
        QVERIFY(set(form, QStringLiteral("Outcome (jq)"), QStringLiteral(".go")));
        QVERIFY(saved(document).contains(QStringLiteral(R"("jq":".go")")));
        auto* label = qobject_cast<QLineEdit*>(fieldOf(form, QStringLiteral("Outcome that leads to b")));
        QVERIFY(label);
        label->setFocus();
        label->selectAll();
        QTest::keyClicks(label, QStringLiteral("sure"));
        QTest::keyClick(label, Qt::Key_Return);
        QCOMPARE(document.graph().branches[0].targets->front().first, std::string("sure"));
        label->selectAll();
        QTest::keyClicks(label, QStringLiteral("no")); // taken already
        QTest::keyClick(label, Qt::Key_Return);
        QCOMPARE(label->text(), QStringLiteral("sure"));
        QVERIFY(set(form, QStringLiteral("Decided by"), QStringLiteral("a Python")));
        QVERIFY(saved(document).contains(QStringLiteral(R"("function":"route")")));
        QVERIFY(!saved(document).contains(QStringLiteral(R"("jq":".go")")));
    }

    void theCurrentEdgeOutlivesARename()
    {
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(test::graphFromText("start>a, a?yes>b, a?no>end, b>end"));
        GraphScene scene(document);
        const auto& edges = document.drawing().edges;
        const auto yes = std::ranges::find(edges, std::string("yes"), &DrawnEdge::label);
        scene.setCurrentEdge(static_cast<std::size_t>(yes - edges.begin()));
        document.edit(QStringLiteral("Outcome"),
                      [](graph::Graph& graph) { setTargetLabel(graph, 0, 0, "sure"); });
        QVERIFY(scene.currentEdge() != kNoEdge);
        QCOMPARE(edges[scene.currentEdge()].label, std::string("sure"));
        document.edit(QStringLiteral("Remove"), [](graph::Graph& graph) { removeTarget(graph, 0, 0); });
        QCOMPARE(scene.currentEdge(), kNoEdge);
    }
};

SG_WINDOW_TEST(TestEdgeForm)
#include "tst_edge_form.moc"
