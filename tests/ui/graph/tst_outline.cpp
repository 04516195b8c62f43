// The graph as a list: it follows the document, and what is done in it is a step of the document.

#include "tests/support/window_style.h"
#include "tests/ui/graph/graph_texts.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/subgraph_edits.h"
#include "ui/graph/panels/outline.h"

#include <QSignalSpy>
#include <QTreeWidget>

using namespace sg;
using namespace sg::ui;

namespace {

struct Desk {
    GraphDocument document;
    Outline outline{ document };
    QTreeWidget* tree = outline.findChild<QTreeWidget*>();

    Desk()
    {
        document.setEditable(true);
        graph::Graph graph = test::graphFromText("start>a>b>c>end");
        extractNodes(graph, { NodeId("b"), NodeId("c") });
        document.setGraph(graph);
        outline.resize(240, 300);
        outline.show();
    }
    [[nodiscard]] QString shape() const
    {
        QStringList rows;
        for (int i = 0; i < tree->topLevelItemCount(); ++i) {
            QString row = tree->topLevelItem(i)->text(0);
            for (int child = 0; child < tree->topLevelItem(i)->childCount(); ++child)
                row += QLatin1Char('/') + tree->topLevelItem(i)->child(child)->text(0);
            rows << row;
        }
        return rows.join(QLatin1Char(' '));
    }
};

} // namespace

class TestOutline : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString name = sg::test::useTheme();
        Desk desk;
        graph::Problem problem;
        problem.pointer = "/nodes/1/graph/nodes/0/file";
        problem.code = "missing-file";
        desk.outline.setProblems({ problem });
        QTRY_VERIFY(!desk.tree->topLevelItem(1)->icon(1).isNull());
        QVERIFY(!desk.tree->topLevelItem(1)->child(0)->icon(1).isNull());
        QVERIFY(desk.tree->topLevelItem(0)->icon(1).isNull());
        QVERIFY(sg::test::colourCount(sg::test::pictureOf(desk.outline, QStringLiteral("outline-") + name))
                > 10);
    }

    void itFollowsTheDocument()
    {
        Desk desk;
        QTRY_COMPARE(desk.shape(), QStringLiteral("a subgraph/b/c"));
        desk.document.goTo({ NodeId("subgraph") });
        desk.document.edit(QStringLiteral("x"), [](graph::Graph& graph) { graph.nodes.pop_back(); });
        QTRY_COMPARE(desk.shape(), QStringLiteral("a subgraph/b"));
        desk.document.steps().undo();
        QTRY_COMPARE(desk.shape(), QStringLiteral("a subgraph/b/c"));
    }

    void aRowLeadsToItsNode()
    {
        Desk desk;
        QTRY_COMPARE(desk.shape(), QStringLiteral("a subgraph/b/c"));
        QSignalSpy chosen(&desk.outline, &Outline::chosen);
        desk.tree->setCurrentItem(desk.tree->topLevelItem(1)->child(1));
        QCOMPARE(desk.document.path(), std::vector<NodeId>{ NodeId("subgraph") });
        QCOMPARE(chosen.at(0).at(0).toString(), QStringLiteral("c"));
        desk.outline.setCurrent(QStringLiteral("b"));
        QTRY_COMPARE(desk.tree->currentItem()->text(0), QStringLiteral("b"));
    }

    void renamingAndDeletingAreSteps()
    {
        Desk desk;
        QTRY_COMPARE(desk.shape(), QStringLiteral("a subgraph/b/c"));
        desk.tree->topLevelItem(0)->setText(0, QStringLiteral("first"));
        QTRY_COMPARE(desk.shape(), QStringLiteral("first subgraph/b/c"));
        QSignalSpy hinted(&desk.outline, &Outline::hinted);
        desk.tree->topLevelItem(0)->setText(0, QStringLiteral("subgraph")); // is taken
        QTRY_COMPARE(desk.shape(), QStringLiteral("first subgraph/b/c"));
        QCOMPARE(hinted.count(), 1);
        desk.tree->setCurrentItem(desk.tree->topLevelItem(0));
        desk.tree->setFocus();
        QTest::keyClick(desk.tree, Qt::Key_Delete);
        QTRY_COMPARE(desk.shape(), QStringLiteral("subgraph/b/c"));
        QCOMPARE(desk.document.steps().count(), 2);
    }
};

SG_WINDOW_TEST(TestOutline)
#include "tst_outline.moc"
