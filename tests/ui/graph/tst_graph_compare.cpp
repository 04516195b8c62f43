// Two versions side by side: what differs is marked on both and listed; lines of the file beside it.

#include "tests/support/window_style.h"
#include "tests/ui/graph/graph_texts.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/compare/graph_compare.h"
#include "ui/graph/compare/line_diff.h"
#include "ui/graph/scene/diff_mark.h"

#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>

using namespace sg;
using namespace sg::ui;

namespace {

graph::Graph placed(const std::string& text)
{
    graph::Graph graph = test::graphFromText(text);
    double x = 0;
    for (const graph::Node& node : graph.nodes)
        graph.layout.emplace_back(node.name, graph::Position{ x += 220, 0 });
    return graph;
}

QString marksOf(const GraphView& view)
{
    QString signs;
    for (const QGraphicsItem* item : view.scene()->items(Qt::AscendingOrder))
        if (const auto* mark = dynamic_cast<const DiffMark*>(item))
            signs += diffSign(mark->change());
    return signs;
}

QString joined(const std::vector<DiffLine>& lines)
{
    QStringList words;
    for (const DiffLine& line : lines)
        words << line.sign + line.text;
    return words.join(QLatin1Char('|'));
}

} // namespace

class TestGraphCompare : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void bothSidesShowTheirMarks_data() { sg::test::themes(); }
    void bothSidesShowTheirMarks()
    {
        const QString theme = sg::test::useTheme();
        GraphCompare compare;
        compare.resize(1100, 700);
        compare.show();
        graph::Graph before = placed("start>a>b>c>end");
        graph::Graph after = placed("start>a>c>d>end");
        after.nodes[0].settings.set("file", Value("other.py"));
        compare.compare({ before, QStringLiteral("git HEAD") }, { after, QStringLiteral("now") });
        auto views = compare.findChildren<GraphView*>();
        QCOMPARE(views.size(), 2);
        if (views[0]->accessibleName() != QLatin1String("git HEAD"))
            views.swapItemsAt(0, 1); // a splitter keeps its children in no order
        QCOMPARE(marksOf(*views[0]).count(QStringLiteral("−")), 4); // b; a → b, b → c, c → End
        QCOMPARE(marksOf(*views[0]).count(QLatin1Char('~')), 1); // a
        QCOMPARE(marksOf(*views[1]).count(QLatin1Char('+')), 4); // d; a → c, c → d, d → End
        auto* list = compare.findChild<QTreeWidget*>();
        QCOMPARE(list->topLevelItem(0)->text(1), QStringLiteral("node a: file"));
        QCOMPARE(list->topLevelItem(0)->text(0), QStringLiteral("~"));
        QVERIFY(compare.findChild<QPlainTextEdit*>()->toPlainText().contains(QStringLiteral("+ ")));
        QVERIFY(sg::test::colourCount(sg::test::pictureOf(compare, QStringLiteral("compare-") + theme)) > 10);
    }

    void oneSideFollowsTheOther()
    {
        GraphCompare compare;
        compare.resize(1100, 700);
        compare.show();
        compare.compare({ placed("start>a>b>end"), QStringLiteral("x") },
                        { placed("start>a>b>c>end"), QStringLiteral("y") });
        const auto views = compare.findChildren<GraphView*>();
        views[0]->setZoom(1.5);
        QCOMPARE(views[1]->zoom(), 1.5);
        views[1]->centerOn(400, 40);
        const QPointF away = views[0]->visibleRect().center() - views[1]->visibleRect().center();
        QVERIFY(away.manhattanLength() < 4);
    }

    void theOlderCanBeRestored()
    {
        GraphCompare compare;
        const graph::Graph before = placed("start>a>end");
        compare.compare({ before, {} }, { placed("start>b>end"), {} });
        graph::Graph restored;
        connect(&compare, &GraphCompare::restoreRequested, this,
                [&](const graph::Graph& graph) { restored = graph; });
        compare.findChild<QPushButton*>()->click();
        QCOMPARE(graph::graphText(restored), graph::graphText(before));
    }

    void linesOfATextThatDiffer_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::addColumn<QString>("expected");
        QTest::newRow("same") << "a\nb"
                              << "a\nb"
                              << "";
        QTest::newRow("one changed") << "a\nb\nc"
                                     << "a\nx\nc"
                                     << " a|-b|+x| c";
        QTest::newRow("added at the end") << "a\nb"
                                          << "a\nb\nc"
                                          << " b|+c";
        QTest::newRow("far apart") << "a\n1\n2\n3\nb"
                                   << "x\n1\n2\n3\ny"
                                   << "-a|+x| 1|@| 3|-b|+y";
        QTest::newRow("moved") << "a\nb\nc"
                               << "b\nc\na"
                               << "-a| b| c|+a";
    }
    void linesOfATextThatDiffer()
    {
        QFETCH(QString, before);
        QFETCH(QString, after);
        QFETCH(QString, expected);
        QCOMPARE(joined(lineDiff(before, after, 1)), expected);
    }
};

SG_WINDOW_TEST(TestGraphCompare)
#include "tst_graph_compare.moc"
