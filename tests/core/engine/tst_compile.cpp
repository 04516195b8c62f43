#include "core/engine/compile/compiled_graph.h"
#include "core/engine/errors/python_text.h"
#include "core/engine/program.h"
#include "tests/core/engine/engine_thread.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::engine;
using test::graphFromText;

class TestCompile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void refuses_data();
    void refuses();
    void passesOnWhatTheCatalogSays();
    void resolvesNames();
    void printsLikePython_data();
    void printsLikePython();
};

void TestCompile::refuses_data()
{
    QTest::addColumn<QString>("graph");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* graph, const char* message) {
        QTest::newRow(message) << QString::fromUtf8(graph) << QString::fromUtf8(message);
    };
    row("a -> b", "Graph must have an entrypoint: add at least one edge from START to another node");
    row("start -> a; end -> a", "END cannot be a start node");
    row("start -> a -> start", "START cannot be an end node");
    row("start -> a|b", "'|' is a reserved character and is not allowed in the node names.");
    row("start -> a; [start, a] -> b", "Need to add_node `__start__` first");
}

void TestCompile::refuses()
{
    QFETCH(QString, graph);
    QFETCH(QString, message);
    test::FunctionNodes nodes;
    const auto program = compile(graphFromText(graph.toStdString()), nodes);
    QVERIFY(!program);
    QCOMPARE(program.error().message, message.toStdString());
}

void TestCompile::passesOnWhatTheCatalogSays()
{
    class NoNodes final : public NodeCatalog {
    public:
        Result<std::unique_ptr<NodeBody>> makeNode(const graph::Node&) override
        {
            return Error{ Errc::NotFound, "nodes/a.py is missing" };
        }
        Result<std::unique_ptr<NodeBody>> makeBranch(const graph::Branch&) override
        {
            return Error{ Errc::NotFound, "no branch" };
        }
        Result<std::unique_ptr<NodeBody>> makeErrorHandler(const graph::Node&) override
        {
            return Error{ Errc::NotFound, "no handler" };
        }
    } nodes;
    const auto program = compile(graphFromText("start -> a"), nodes);
    QVERIFY(!program);
    QCOMPARE(program.error().message, std::string("node 'a': nodes/a.py is missing"));
}

void TestCompile::resolvesNames()
{
    test::FunctionNodes nodes;
    const auto program = compile(graphFromText("start -> a; start -> b; [a, b] -> c"), nodes);
    QVERIFY(bool(program));
    const CompiledGraph& graph = program->graph();
    std::string names;
    for (const CompiledChannel& channel : graph.channels)
        names += channel.name() + " ";
    QCOMPARE(names,
             std::string("log n x __start__ __pregel_tasks branch:to:a branch:to:b branch:to:c join:a+b:c "));
    QCOMPARE(toJson(sortedTriggers(graph, graph.node(*graph.findNode("c")))),
             std::string(R"(["branch:to:c","join:a+b:c"])"));
}

void TestCompile::printsLikePython_data()
{
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* value, const char* expected) {
        QTest::newRow(value) << QString::fromUtf8(value) << QString::fromUtf8(expected);
    };
    row("null", "None");
    row("[true,false]", "[True, False]");
    row("1.0", "1.0");
    row("1e16", "1e+16");
    row("1e-5", "1e-05");
    row("123456789012345.5", "123456789012345.5");
    row(R"("it's")", R"("it's")");
    row(R"("say \"it's\"")", R"('say "it\'s"')");
    row(R"("a\n\u0001\\")", R"('a\n\x01\\')");
    row(R"({"a":{"b":[]}})", "{'a': {'b': []}}");
}

void TestCompile::printsLikePython()
{
    QFETCH(QString, value);
    QFETCH(QString, expected);
    QCOMPARE(pythonRepr(test::json(value.toStdString())), expected.toStdString());
}

SG_TEST(TestCompile)
#include "tst_compile.moc"
