// A fix takes its problem away, adds none, and is one step that can be undone.

#include "core/graph/validate.h"
#include "tests/support/window_style.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/quick_fixes.h"

#include <algorithm>

using namespace sg;
using namespace sg::ui;

class TestQuickFixes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }

    void mendsItsProblem_data()
    {
        QTest::addColumn<QString>("state");
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<QString>("rest");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("title");
        const QString state = QStringLiteral("{'x': {'type': 'last_value'}}");
        const QString node = QStringLiteral("{'name': 'a', 'kind': 'jq', 'jq': '{}'}");
        const QString edges = QStringLiteral("'edges': [['__start__', 'a'], ['a', '__end__']]");
        const auto row = [&](const char* name, const QString& first, const QString& second,
                             const QString& third, const char* code, const char* title) {
            QTest::newRow(name) << first << second << third << QString::fromLatin1(code)
                                << QString::fromLatin1(title);
        };
        row("channel", state,
            QStringLiteral("{'name': 'a', 'kind': 'jq', 'jq': '{}', 'reads': ['x', 'y~z']}"), edges,
            "unknown-channel", "Add channel 'y~z'");
        row("misspelt target", state, node,
            QStringLiteral("'edges': [['__start__', 'a'], ['a', '__end__'], ['A', 'a']]"), "unknown-node",
            "Change 'A' to 'a'");
        row("entry", state, node, QStringLiteral("'edges': [['a', '__end__']]"), "missing-entry",
            "Start with 'a'");
        row("unreachable", state, node + QStringLiteral(", {'name': 'b', 'kind': 'jq', 'jq': '{}'}"), edges,
            "unreachable-node", "Start with 'b'");
        row("twice", state, node,
            QStringLiteral("'edges': [['__start__', 'a'], ['a', '__end__'], ['a', '__end__']]"),
            "duplicate-edge", "Remove the second one");
        row("grows", QStringLiteral("{'x': {'type': 'reduce', 'reducer': 'append'}}"), node,
            QStringLiteral("'edges': [['__start__', 'a'], ['a', 'a'], ['a', '__end__']]"), "growing-list",
            "Store what was added");
        row("dead end", state, node, QStringLiteral("'edges': [['__start__', 'a']]"), "dead-end",
            "Connect 'a' to the end");
        row("zero", QStringLiteral("{'x': {'type': 'reduce', 'reducer': 'mul'}}"), node, edges,
            "starts-at-zero", "Start with the first write");
    }
    void mendsItsProblem()
    {
        QFETCH(QString, state);
        QFETCH(QString, nodes);
        QFETCH(QString, rest);
        QFETCH(QString, code);
        QFETCH(QString, title);
        QString text = QStringLiteral("{'state': %1, 'nodes': [%2], %3}").arg(state, nodes, rest);
        text.replace(QLatin1Char('\''), QLatin1Char('"'));
        const auto file = graph::parseGraph(text.toStdString());
        QVERIFY(file);
        GraphDocument document;
        document.setEditable(true);
        document.setGraph(file->graph);
        const std::string before = graph::graphText(document.graph());
        graph::ValidationHost host;
        host.forEditing = code == QLatin1String("dead-end");
        const std::vector<graph::Problem> problems = graph::validate(*file, host);
        const auto found = std::ranges::find(problems, code.toStdString(), &graph::Problem::code);
        QVERIFY(found != problems.end());
        const auto fix = quickFixOf(document.graph(), *found);
        QVERIFY(fix);
        QCOMPARE(fix->title, title);
        QVERIFY(document.edit(fix->title, fix->change));
        const auto mended = graph::parseGraph(graph::graphText(document.graph()));
        QVERIFY(mended);
        const auto left = graph::validate(*mended, host);
        QVERIFY(std::ranges::find(left, code.toStdString(), &graph::Problem::code) == left.end());
        QVERIFY(left.size() < problems.size());
        document.steps().undo();
        QCOMPARE(graph::graphText(document.graph()), before);
    }

    void addsAChannelThatOnlyCodeNames()
    {
        graph::Problem problem;
        problem.code = "undeclared-channel";
        problem.pointer = "/state/a~1b";
        GraphDocument document;
        document.setEditable(true);
        const auto fix = quickFixOf(document.graph(), problem);
        QVERIFY(fix);
        QCOMPARE(fix->title, QStringLiteral("Add channel 'a/b'"));
        QVERIFY(document.edit(fix->title, fix->change));
        QVERIFY(document.graph().findChannel("a/b") != nullptr);
        problem.pointer = "/nodes/0/graph/state/text"; // of a subgraph
        QVERIFY(!quickFixOf(document.graph(), problem));
    }

    void offersNothingWhereNothingIsPlain()
    {
        graph::Problem problem;
        for (const char* code :
             { "unknown-node", "unknown-channel", "missing-entry", "duplicate-edge", "bad-jq" })
            for (const char* pointer : { "", "/edges/9", "/edges/-1", "/nodes/x/~", "nonsense" }) {
                problem.code = code;
                problem.pointer = pointer;
                QVERIFY(!quickFixOf(graph::Graph(), problem));
            }
    }
};

SG_WINDOW_TEST(TestQuickFixes)
#include "tst_quick_fixes.moc"
