// Two branches of the penguins thread side by side, as figures and as a panel.

#include "core/base/json.h"
#include "tests/support/qtry.h"
#include "tests/support/window_style.h"
#include "tests/ui/timeline/penguin_thread.h"
#include "ui/compare/compare_panel.h"
#include "ui/compare/comparison_tables.h"
#include "ui/compare/flow_view.h"
#include "ui/compare/merged_flow.h"
#include "ui/compare/run_comparison.h"
#include "ui/widgets/segmented_control.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QCompleter>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeView>

#include <cmath>
#include <memory>

using namespace sg;
using namespace sg::ui;

namespace {

QString words(const char* text)
{
    return QString::fromLatin1(text);
}

ComparisonRows rowsOf(const char* a, const char* b)
{
    ComparisonRows rows;
    rows.a = sample::penguins();
    rows.b = sample::penguins();
    rows.checkpointA = words(a);
    rows.checkpointB = words(b);
    rows.valuesA = *parseJson("{\"route\":\"give up\",\"last_error\":\"KeyError\",\"rows\":3}");
    rows.valuesB = *parseJson("{\"route\":\"ok\",\"charts\":[1,2],\"rows\":3}");
    rows.artifactsA = 2;
    rows.artifactsB = 6;
    return rows;
}

QString nodesOf(const RunComparison& comparison)
{
    static const char* const kKinds[] = { "=", "~", "-", "+" };
    QStringList found;
    for (const NodeComparison& node : comparison.nodes)
        found << QLatin1String(kKinds[int(node.kind)]) + node.node
                + QStringLiteral("%1/%2").arg(node.runsA).arg(node.runsB);
    return found.join(QLatin1Char(' '));
}

} // namespace

class TestRunComparison : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void findsWhereTheyPart()
    {
        // Both repair at step 4, so they part in the steps that only one of them has.
        const RunComparison comparison = compareRuns(rowsOf("a5", "c9"));
        QCOMPARE(comparison.shared, 5);
        QCOMPARE(comparison.step.value_or(-9), 5);
        QCOMPARE(comparison.checkpointA, QString());
        QCOMPARE(comparison.checkpointB, words("b6"));
        QCOMPARE(comparison.nodesB, QStringList{ words("analyze") });
        QCOMPARE(
            nodesOf(comparison),
            words(
                "=load1/1 ~analyze1/2 ~check1/2 =repair1/1 +visualize0/1 +model0/1 +approve0/1 +report0/1"));
    }

    // A copy with edits has the parent of what it copies, which is nevertheless common to both branches.
    void aForkPartsBehindWhatItCopies()
    {
        ComparisonRows rows;
        const auto add = [&rows](const char* id, const char* parent, int step, const char* source,
                                 const char* after, const char* next) {
            CheckpointRow row;
            row.id = words(id);
            row.parent = words(parent);
            row.step = step;
            row.source = source;
            row.after = words(after).split(QLatin1Char(' '), Qt::SkipEmptyParts);
            row.next = words(next).split(QLatin1Char(' '), Qt::SkipEmptyParts);
            rows.a.checkpoints.push_back(row);
        };
        add("c0", "", 0, "input", "", "incrementer");
        add("c1", "c0", 1, "loop", "incrementer", "doubler");
        add("c2", "c1", 2, "loop", "doubler", "");
        add("f2", "c0", 2, "fork", "", "doubler");
        add("f3", "f2", 3, "update", "", "doubler");
        add("f4", "f3", 4, "loop", "doubler", "");
        rows.b = rows.a;
        rows.checkpointA = words("c2");
        rows.checkpointB = words("f4");
        const RunComparison comparison = compareRuns(rows);
        QCOMPARE(comparison.shared, 2);
        QCOMPARE(comparison.step.value_or(-9), 2);
        QCOMPARE(comparison.checkpointB, words("f3"));
        QCOMPARE(nodesOf(comparison), words("=incrementer1/1 ~doubler1/1"));
    }

    // A large value is shown from where it differs, and the row says where that is.
    void differencesAreNamedByTheirPlace_data()
    {
        QTest::addColumn<QString>("a");
        QTest::addColumn<QString>("b");
        QTest::addColumn<QString>("told");
        QTest::newRow("whole") << "1"
                               << "2"
                               << "|1|2";
        QTest::newRow("one field") << R"({"x":[1,{"y":5}],"z":2})"
                                   << R"({"x":[1,{"y":6}],"z":2})"
                                   << ".x[1].y|5|6";
        QTest::newRow("two fields") << R"({"x":1,"z":2})"
                                    << R"({"x":2,"z":3})"
                                    << R"(|{"x": 1, "z": 2}|{"x": 2, "z": 3})";
        QTest::newRow("appended") << R"([1,2])"
                                  << R"([1,2,3,4])"
                                  << "[2…]|…|… [3, 4]";
        QTest::newRow("another key") << R"({"x":1})"
                                     << R"({"z":1})"
                                     << R"(|{"x": 1}|{"z": 1})";
        QTest::newRow("emptied") << "[1]"
                                 << "[]"
                                 << "|[1]|[]";
        QTest::newRow("another kind") << "[1]"
                                      << R"({"x":1})"
                                      << R"(|[1]|{"x": 1})";
    }
    void differencesAreNamedByTheirPlace()
    {
        QFETCH(QString, a);
        QFETCH(QString, b);
        ComparisonRows rows = rowsOf("a5", "c9");
        rows.valuesA = *parseJson("{\"v\":" + a.toStdString() + "}");
        rows.valuesB = *parseJson("{\"v\":" + b.toStdString() + "}");
        const ChannelComparison found = compareRuns(rows).channels.at(0);
        QTEST(found.place + QLatin1Char('|') + found.a + QLatin1Char('|') + found.b, "told");
    }

    // However narrow the panel is, what B has is beside what A has.
    void columnBIsNeverCut()
    {
        for (const int width : { 300, 480, 900 }) {
            const std::unique_ptr<QTreeView> table(comparisonTable(words("States"), nullptr));
            table->resize(width, 200);
            fillChannels(*table, compareRuns(rowsOf("a5", "c9")));
            table->show();
            const QHeaderView& head = *table->header();
            const int end = head.sectionViewportPosition(3) + head.sectionSize(3);
            QVERIFY2(end <= table->viewport()->width(), qPrintable(QString::number(end)));
            QVERIFY2(std::abs(head.sectionSize(3) - head.sectionSize(2)) <= 2,
                     qPrintable(QString::number(head.sectionSize(3))));
        }
    }

    // The difference goes below the choices if it does not fit beside them, and no label is under a choice.
    void aNarrowBarHasTwoRows()
    {
        ComparePanel panel;
        panel.resize(660, 300);
        panel.show();
        panel.setComparison(rowsOf("a5", "c9"));
        auto* difference = panel.findChild<QPushButton*>(words("firstDifference"));
        QVERIFY(difference != nullptr);
        QTRY_VERIFY(difference->isVisible());
        const auto boxes = panel.findChildren<QComboBox*>();
        QCOMPARE(boxes.size(), 2);
        const auto place = [&panel](const QWidget* widget) {
            return QRect(widget->mapTo(&panel, QPoint()), widget->size());
        };
        QTRY_VERIFY(place(difference).top() >= place(boxes[0]).bottom());
        QTRY_VERIFY(place(difference).right() < panel.width());
        QVERIFY(place(boxes[1]).left() > place(boxes[0]).right() + 10);
        QVERIFY2(difference->text().startsWith(words("First difference: step 5")),
                 qPrintable(difference->text()));
        panel.resize(1200, 300);
        QTRY_VERIFY(place(difference).top() < place(boxes[0]).bottom());
    }

    // A graph that is wider than the panel opens at what differs.
    void theGraphOpensAtTheDifferences()
    {
        ComparePanel panel;
        panel.resize(420, 260);
        panel.show();
        panel.setComparison(rowsOf("a5", "c9"));
        auto* flow = panel.findChild<FlowView*>();
        auto* mode = panel.findChild<SegmentedControl*>();
        QVERIFY(flow != nullptr && mode != nullptr);
        QTRY_VERIFY(!flow->differences().isEmpty());
        for (QAbstractButton* button : mode->findChildren<QAbstractButton*>())
            if (button->text() == words("Graph"))
                button->click();
        QTRY_VERIFY(flow->isVisible());
        QTRY_VERIFY2(
            flow->visibleRegion().boundingRect().contains(flow->differences().topLeft() + QPoint(4, 4)),
            "the first difference is out of view");
    }

    void comparesFigures()
    {
        const RunComparison comparison = compareRuns(rowsOf("a5", "c9"));
        QCOMPARE(comparison.a.failures, 1);
        QCOMPARE(comparison.b.failures, 0);
        QCOMPARE(comparison.a.tasks, 5);
        QCOMPARE(comparison.b.artifacts, 6);
        QVERIFY(comparison.b.seconds > comparison.a.seconds);
    }

    void mergesBothGraphs()
    {
        const ComparisonRows rows = rowsOf("a5", "c9");
        const MergedFlow flow = mergedFlow(rows, compareRuns(rows));
        static const char* const kKinds[] = { "=", "~", "-", "+" };
        const auto name = [&](int node) { return flow.nodes[static_cast<std::size_t>(node)].compared.node; };
        QStringList edges;
        for (const FlowEdge& edge : flow.edges)
            edges << name(edge.from) + QLatin1String(kKinds[int(edge.kind)]) + name(edge.to);
        QCOMPARE(edges.join(QLatin1Char(' ')),
                 words("analyze=check approve+report check+approve check+model check=repair check+visualize "
                       "load=analyze model+report repair+analyze visualize+report"));
        QStringList places;
        for (const FlowNode& node : flow.nodes)
            places << node.compared.node + QStringLiteral("%1.%2").arg(node.column).arg(node.row);
        QCOMPARE(places.join(QLatin1Char(' ')),
                 words("load0.0 analyze1.0 check2.0 repair3.0 visualize4.0 model4.1 approve4.2 report5.0"));
        QCOMPARE(flow.columns, 6);
        QCOMPARE(flow.rows, 3);
        QVERIFY(mergedFlow({}, {}).nodes.empty());
    }

    void tellsPeakMemory()
    {
        ComparisonRows rows = rowsOf("a5", "c9");
        rows.peakMemoryA = 200e6;
        const RunComparison comparison = compareRuns(rows);
        QCOMPARE(comparison.a.peakMemory, 200e6);
        QVERIFY(std::isnan(comparison.b.peakMemory));
    }

    // A row where a message tells of a model; what has no price is "–" on that side.
    void tellsWhatModelsTook()
    {
        const auto cells = [](const ComparisonRows& rows) {
            const std::unique_ptr<QTreeView> table(comparisonTable(words("Figures"), nullptr));
            fillFigures(*table, compareRuns(rows));
            QStringList found;
            for (int row = 0; row < table->model()->rowCount(); ++row) {
                QStringList line;
                for (int column = 1; column < table->model()->columnCount(); ++column)
                    line << table->model()->index(row, column).data().toString();
                found << line.join(QLatin1Char('|'));
            }
            return found;
        };
        ComparisonRows rows = rowsOf("a5", "c9");
        QVERIFY(cells(rows).filter(words("Cost")).isEmpty());
        rows.currency = words("USD");
        rows.usageA = { {}, 2, 1000, 50, 0.25, 0, 1 };
        rows.usageB = { {}, 3, 900, 80, kUnknown, 3, 1 };
        QCOMPARE(cells(rows).filter(words("Tokens in")),
                 QStringList{ QString::fromUtf8("Tokens in|1000|900|−100") });
        QCOMPARE(cells(rows).filter(words("Cost")), QStringList{ QString::fromUtf8("Cost|USD 0.2500|–|–") });
        rows.usageB = { {}, 3, 900, 80, 0.5, 0, 1 };
        QCOMPARE(cells(rows).filter(words("Cost")),
                 QStringList{ words("Cost|USD 0.2500|USD 0.5000|+USD 0.2500") });
    }

    void whatCannotBeComparedIsTriedAgain()
    {
        ComparePanel panel;
        panel.resize(700, 300);
        panel.show();
        panel.setChoices({ { words("t"), {}, words("t") }, { words("u"), {}, words("u") } });
        panel.choose(0, 1);
        QSignalSpy asked(&panel, &ComparePanel::comparisonRequested);
        panel.setError(words("The database is locked."));
        panel.setError(words("The database is locked."));
        for (QPushButton* button : panel.findChildren<QPushButton*>())
            if (button->isVisible() && button->text() == words("Compare again"))
                button->click();
        QCOMPARE(asked.count(), 1);
    }

    void comparesStates()
    {
        const RunComparison comparison = compareRuns(rowsOf("a5", "c9"));
        QStringList found;
        for (const ChannelComparison& channel : comparison.channels)
            found << channel.channel + QLatin1Char(':') + channel.a + QLatin1Char('|') + channel.b;
        QCOMPARE(found.join(QLatin1Char(' ')),
                 words("route:\"give up\"|\"ok\" last_error:\"KeyError\"| charts:|[1, 2] rows:3|3"));
    }

    // The same nodes that wrote other values are a difference.
    void partsByStates()
    {
        ComparisonRows rows = rowsOf("c9", "c9");
        rows.parting = 3;
        const RunComparison comparison = compareRuns(rows);
        QCOMPARE(comparison.shared, 3);
        QVERIFY(!comparison.checkpointA.isEmpty());
        QCOMPARE(comparison.checkpointA, comparison.checkpointB);
        rows = rowsOf("a5", "c9");
        rows.parting = 100; // behind where their nodes part
        QCOMPARE(compareRuns(rows).step.value_or(-9), 5);
    }

    void theSameIsTheSame()
    {
        const RunComparison comparison = compareRuns(rowsOf("c9", "c9"));
        QVERIFY(!comparison.step);
        QCOMPARE(comparison.shared, 10);
    }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString name = sg::test::useTheme();
        ComparePanel panel;
        panel.resize(1200, 260);
        panel.show();
        const QImage empty = sg::test::pictureOf(panel, words("compare-empty-") + name);
        panel.setChoices({ { words("alice"), words("a5"), words("alice, main") },
                           { words("alice"), words("c9"), words("alice, branch 3") } });
        panel.setComparison(rowsOf("a5", "c9"));
        QTRY_VERIFY(panel.findChild<QTreeView*>()->isVisible());
        QCoreApplication::sendPostedEvents();
        const QImage tables = sg::test::pictureOf(panel, words("compare-") + name);
        QVERIFY(tables != empty);
        panel.findChild<SegmentedControl*>()->segment(1)->toggle(); // as a screen reader does
        QCoreApplication::sendPostedEvents();
        QVERIFY(sg::test::pictureOf(panel, words("compare-graph-") + name) != tables);
    }

    void asksForWhatIsChosen()
    {
        ComparePanel panel;
        panel.show();
        panel.setChoices(
            { { words("alice"), words("a5"), words("main") }, { words("bob"), QString(), words("bob") } });
        QSignalSpy asked(&panel, &ComparePanel::comparisonRequested);
        panel.choose(0, 0); // with itself: nothing to ask
        QCOMPARE(asked.count(), 0);
        panel.choose(0, 1);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.front()[1].value<ComparePanel::Choice>().thread, words("bob"));
        panel.setComparison(rowsOf("a5", "c9"));
        QTRY_VERIFY(panel.findChild<QTreeView*>()->isVisible());
        QSignalSpy chosen(&panel, &ComparePanel::checkpointChosen);
        panel.findChild<QPushButton*>()->click();
        QCOMPARE(chosen.takeFirst(), (QVariantList{ words("alice"), words("b6") }));
        panel.setChoices({ { words("bob"), QString(), words("bob") } });
        QCOMPARE(panel.findChild<QComboBox*>()->currentIndex(), -1); // main is gone
    }

    void findsAnyOfVeryManyByTyping()
    {
        ComparePanel panel;
        panel.show();
        std::vector<ComparePanel::Choice> choices;
        for (int i = 0; i < 5000; ++i)
            choices.push_back(
                { QStringLiteral("t%1").arg(i), QString(), QStringLiteral("thread %1").arg(i) });
        panel.setChoices(choices);
        panel.choose(0, 1);
        QSignalSpy asked(&panel, &ComparePanel::comparisonRequested);
        auto* box = panel.findChildren<QComboBox*>().last();
        box->lineEdit()->selectAll();
        QTest::keyClicks(box->lineEdit(), QStringLiteral("thread 4711"));
        QCOMPARE(box->completer()->completionCount(), 1);
        QTest::keyClick(box->lineEdit(), Qt::Key_Return);
        QTRY_VERIFY(!asked.isEmpty());
        QCOMPARE(asked.back()[1].value<ComparePanel::Choice>().thread, words("t4711"));
        box->lineEdit()->selectAll();
        QTest::keyClicks(box->lineEdit(), QStringLiteral("no such"));
        QTest::keyClick(box->lineEdit(), Qt::Key_Return);
        QCOMPARE(box->currentText(), words("thread 4711"));
    }
};

SG_WINDOW_TEST(TestRunComparison)
#include "tst_run_comparison.moc"
