// Two versions of a graph are compared part by part.

#include "core/base/file.h"
#include "core/graph/diff.h"
#include "core/graph/graph_file.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;

namespace {

graph::Graph read(const std::string& text)
{
    auto file = graph::parseGraph(text);
    if (!file || file->hasErrors())
        qFatal("not a graph: %s", text.c_str());
    return std::move(file->graph);
}

QString told(const graph::Graph& before, const graph::Graph& after)
{
    QStringList lines;
    for (const graph::Difference& difference : graph::differences(before, after))
        lines << QString::fromStdString(graph::describe(difference));
    return lines.join(QStringLiteral("; "));
}

const std::string kBase =
    "{\"nodes\": [{\"name\": \"a\", \"jq\": \".\"}, {\"name\": \"b\", \"file\": \"b.py\"}],\n"
    " \"edges\": [[\"__start__\", \"a\"], [\"a\", \"b\"], [[\"a\", \"b\"], \"__end__\"]],\n"
    " \"branches\": [{\"from\": \"b\", \"jq\": \".x\", \"targets\": {\"go\": \"a\"}}],\n"
    " \"state\": {\"x\": {}}, \"sandbox\": {\"mode\": \"TMPFS_NONE\"},\n"
    " \"layout\": {\"a\": [0, 0], \"b\": [200, 0], \"__notes__\": [{\"text\": \"Why\", \"at\": [0, 0], "
    "\"size\": [10, 10]}]}}";

} // namespace

class TestDiff : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tellsWhatChanged_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* from, const char* to, const char* expected) {
            QTest::newRow(name) << QString::fromUtf8(from) << QString::fromUtf8(to)
                                << QString::fromUtf8(expected);
        };
        row("nothing", "", "", "");
        row("a program", "\"jq\": \".\"", "\"jq\": \".y\"", "~ node a: jq");
        row("a node", "{\"name\": \"b\", \"file\": \"b.py\"}",
            "{\"name\": \"b\", \"file\": \"b.py\"}, {\"name\": \"c\", \"jq\": \".\"}", "+ node c");
        row("an edge", "[\"a\", \"b\"],", "[\"b\", \"a\"],", "- edge a → b; + edge b → a");
        row("a waiting edge", ", [[\"a\", \"b\"], \"__end__\"]", "", "- edge a + b → End");
        row("a target", "{\"go\": \"a\"}", "{\"go\": \"b\"}", "~ branch of b: targets");
        row("a channel", "\"x\": {}", "\"x\": {}, \"y\": {}", "+ channel y");
        row("a setting of the sandbox", "TMPFS_NONE", "BIND_NONE",
            "~ setting sandbox.mode: TMPFS_NONE → BIND_NONE");
        row("a setting", "\"state\"", "\"recursion_limit\": 7, \"state\"",
            "+ setting recursion_limit: null → 7");
        row("a place", "[200, 0]", "[220, 0]", "~ place of b moved");
        row("a note", "\"Why\"", "\"Because\"", "~ note Because");
        row("a note gone", "{\"text\": \"Why\", \"at\": [0, 0], \"size\": [10, 10]}", "", "- note Why");
    }
    void tellsWhatChanged()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, expected);
        QString changed = QString::fromStdString(kBase);
        if (!from.isEmpty()) {
            QVERIFY(changed.contains(from));
            changed.replace(changed.indexOf(from), from.size(), to);
        }
        QCOMPARE(told(read(kBase), read(changed.toStdString())), expected);
    }

    void looksInsideOfSubgraphs()
    {
        const std::string outer =
            "{\"nodes\": [{\"name\": \"s\", \"graph\": {\"nodes\": [{\"name\": \"i\", \"jq\": \".\"}]}}]}";
        std::string changed = outer;
        changed.replace(changed.find("\".\""), 3, "\".z\"");
        const auto found = graph::differences(read(outer), read(changed));
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(graph::describe(found[0]), std::string("~ node s / i: jq"));
        QCOMPARE(found[0].path, std::vector<NodeId>{ NodeId("s") });
    }

    void whatIsWrittenOnTheCanvasDoesNotCount()
    {
        graph::Graph after = read(kBase);
        after.layout[0].second.x = 40;
        after.notes.clear();
        for (const graph::Difference& difference : graph::differences(read(kBase), after))
            QVERIFY(!difference.countsAtRun());
    }

    void hostileNamesAreMadePrintable()
    {
        graph::Graph before;
        graph::Graph after;
        after.nodes.push_back({});
        after.nodes[0].name = NodeId("a\x1b[31m");
        QCOMPARE(told(before, after), QStringLiteral("+ node a\\x1b[31m"));
    }
};

SG_TEST(TestDiff)
#include "tst_diff.moc"
