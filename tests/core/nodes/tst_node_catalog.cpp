#include "core/base/json.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/graph/node_kinds.h"
#include "core/nodes/node_catalog.h"
#include "tests/core/nodes/fake_task_context.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <filesystem>

using namespace sg;
using test::FakeTaskContext;

namespace {

Value parsed(const QByteArray& text)
{
    auto value = parseJson(text.toStdString());
    return value ? std::move(*value) : Value("not JSON: " + value.error().message);
}

std::unique_ptr<engine::NodeCatalog> makeCatalog()
{
    nodes::NodeWorld world;
    world.jqHelper = std::string(SG_BIN_DIR) + "/sandglass-jq";
    return nodes::makeNodeCatalog(std::move(world));
}

graph::Node nodeOf(const QByteArray& kind, const QByteArray& settings)
{
    graph::Node node;
    node.name = NodeId("n");
    node.kind = kind.toStdString();
    node.settings = parsed(settings).asMap();
    return node;
}

std::string json(const Value& value)
{
    return toJson(value);
}

} // namespace

class TestNodeCatalog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void refusesSettings_data();
    void refusesSettings();
    void makesEveryKind();
    void runsJq_data();
    void runsJq();
    void makesLangGraphsObjects();
    void givesJqPlainData();
    void routesByJq();
    void handlesErrorsByJq();
    void asksAPerson();
    void takesAnObjectAsAnswer();
    void mapsASubgraph();
    void callsASubgraphManyTimes();
    void saysThatThereAreNoSessions();
};

void TestNodeCatalog::refusesSettings_data()
{
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<QByteArray>("settings");
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* title, const char* kind, const char* settings, const char* text) {
        QTest::newRow(title) << QByteArray(kind) << QByteArray(settings) << QByteArray(text);
    };
    row("unknown kind", "lmm", "{}", "\"lmm\"");
    row("jq without a program", "jq", "{}", "\"jq\"");
    row("jq that is no text", "jq", R"({"jq": 5})", "must be text");
    row("python without a file", "python", "{}", "\"file\"");
    row("python outside the project", "python", R"({"file": "../x.py"})", "..");
    row("wrong timeout", "python", R"({"file": "x.py", "timeout_s": -1})", "timeout_s");
    row("timeout as text", "python", R"({"file": "x.py", "timeout_s": "5"})", "timeout_s");
    row("a choice of nothing", "human", R"({"form": "choose"})", "\"answers\"");
    row("a form without a schema", "human", R"({"form": "form"})", "\"schema\"");
    row("nothing to edit", "human", R"({"form": "edit"})", "\"edits\"");
    row("an unknown form", "human", R"({"form": "shout"})", "\"form\"");
    row("no address", "http", "{}", "\"url\"");
    row("headers that are no texts", "http", R"({"url": "https://a.test", "headers": {"a": 1}})",
        "\"headers\"");
    row("an answer too large", "http", R"({"url": "https://a.test", "max_kb": 100000})", "\"max_kb\"");
    row("no tool", "tool", R"({"server": "s"})", "\"tool\"");
    row("a map without items", "map", R"({"ends": ["n"]})", "\"items\"");
    row("a map to two nodes", "map", R"({"items": "[]", "ends": ["a", "b"]})", "\"ends\"");
    row("wrong calls", "subgraph", R"({"calls": -1})", "\"calls\"");
}

void TestNodeCatalog::refusesSettings()
{
    QFETCH(const QByteArray, kind);
    QFETCH(const QByteArray, settings);
    QFETCH(const QByteArray, text);
    const auto body = makeCatalog()->makeNode(nodeOf(kind, settings));
    QVERIFY(!body);
    SG_VERIFY_CONTAINS(body.error().message, text.toStdString());
}

// Every kind that a graph may name can run.
void TestNodeCatalog::makesEveryKind()
{
    const auto catalog = makeCatalog();
    std::vector<std::string> known;
    for (const graph::NodeKind& kind : graph::nodeKinds()) {
        graph::Node node = nodeOf(QByteArray::fromStdString(std::string(kind.id)), "{}");
        node.settings = graph::firstSettings(kind, node.name);
        if (node.kind == "dataset")
            node.settings.set("channel", Value("path")); // a new one has none yet
        if (node.kind == "map")
            node.settings.set("ends", Value::list({ "n" })); // the same
        const auto body = catalog->makeNode(node);
        QVERIFY2(body, body ? "" : body.error().message.c_str());
        known.push_back(node.kind);
    }
    std::ranges::sort(known);
    std::string all;
    for (const std::string& kind : known)
        all += (all.empty() ? "there are: " : ", ") + kind;
    const auto refused = catalog->makeNode(nodeOf("lmm", "{}"));
    QVERIFY(!refused);
    SG_VERIFY_CONTAINS(refused.error().message, all);
}

void TestNodeCatalog::runsJq_data()
{
    QTest::addColumn<QByteArray>("program");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* title, const char* program, const char* expected) {
        QTest::newRow(title) << QByteArray(program) << QByteArray(expected);
    };
    row("update", "{value: (.value + 1)}", R"(returned {"value":2})");
    row("nothing", "null", "returned null");
    row("no value", "empty", "ValueError: the jq program gave 0 values");
    row("two values", "1, 2", "ValueError: the jq program gave 2 values");
    row("its own error", "error(\"boom\")", "ValueError: ");
    row("no environment", "$ENV | length", "returned 0");
}

void TestNodeCatalog::runsJq()
{
    QFETCH(const QByteArray, program);
    QFETCH(const QByteArray, expected);
    const auto catalog = makeCatalog();
    graph::Node node = nodeOf("jq", "{}");
    node.settings.set("jq", program.toStdString());
    const auto body = catalog->makeNode(node);
    SG_VERIFY_OK(body);
    FakeTaskContext context(Value::map({ { "value", 1 } }));
    const std::string text = test::outcomeText((*body)->run(context), json);
    QVERIFY2(text.starts_with(expected.toStdString()), text.c_str());
}

void TestNodeCatalog::makesLangGraphsObjects()
{
    const auto catalog = makeCatalog();
    const auto body =
        catalog->makeNode(nodeOf("jq",
                                 R"({"jq": "{__command__: {update: {a: 1}, goto: [\"b\", )"
                                 R"({__send__: {node: \"c\", arg: 2}}], graph: \"parent\"}}"})"));
    SG_VERIFY_OK(body);
    FakeTaskContext context;
    const engine::NodeOutcome outcome = (*body)->run(context);
    const auto* returned = std::get_if<engine::Returned>(&outcome);
    QVERIFY(returned != nullptr);
    const auto command = checkpoint::asCommand(returned->value);
    QVERIFY(command.has_value());
    QCOMPARE(command->update, Value::map({ { "a", 1 } }));
    QCOMPARE(command->graph, Value("__parent__"));
    QCOMPARE(command->goTo.asList().size(), std::size_t(2));
    const auto send = checkpoint::asSend(command->goTo[1]);
    QVERIFY(send.has_value());
    QCOMPARE(send->node, std::string("c"));
    QCOMPARE(send->arg, Value(2));
}

void TestNodeCatalog::givesJqPlainData()
{
    const auto catalog = makeCatalog();
    const auto body = catalog->makeNode(nodeOf("jq", R"({"jq": "{text: .messages[0].content}"})"));
    SG_VERIFY_OK(body);
    const auto message = checkpoint::makeMessage({ { "type", "human" }, { "content", "hello" } });
    QVERIFY(message.has_value());
    FakeTaskContext context(Value::map({ { "messages", Value::list({ *message }) } }));
    QCOMPARE(test::outcomeText((*body)->run(context), json), std::string(R"(returned {"text":"hello"})"));
}

void TestNodeCatalog::routesByJq()
{
    const auto catalog = makeCatalog();
    graph::Branch branch;
    branch.settings = { { "jq",
                          R"(if .n > 1 then "big" else ["small", {__send__: {node: "x", arg: .n}}] end)" } };
    const auto body = catalog->makeBranch(branch);
    SG_VERIFY_OK(body);
    FakeTaskContext big(Value::map({ { "n", 2 } }));
    QCOMPARE(test::outcomeText((*body)->run(big), json), std::string(R"(returned "big")"));
    FakeTaskContext small(Value::map({ { "n", 1 } }));
    const engine::NodeOutcome outcome = (*body)->run(small);
    const auto* returned = std::get_if<engine::Returned>(&outcome);
    QVERIFY(returned != nullptr);
    QCOMPARE(returned->value[0], Value("small"));
    QVERIFY(checkpoint::asSend(returned->value[1]).has_value());
    QVERIFY(!catalog->makeBranch({}));
}

void TestNodeCatalog::handlesErrorsByJq()
{
    const auto catalog = makeCatalog();
    graph::Node node = nodeOf("python", R"({"file": "x.py"})");
    node.errorHandler = Value::map({ { "jq", "{failed: .error.message}" } });
    const auto body = catalog->makeErrorHandler(node);
    SG_VERIFY_OK(body);
    FakeTaskContext context(
        Value::map({ { "state", Value::map() }, { "error", Value::map({ { "message", "boom" } }) } }));
    QCOMPARE(test::outcomeText((*body)->run(context), json), std::string(R"(returned {"failed":"boom"})"));
}

void TestNodeCatalog::asksAPerson()
{
    const auto catalog = makeCatalog();
    const auto body =
        catalog->makeNode(nodeOf("human", R"({"question": {"text": "go on?"}, "channel": "ok"})"));
    SG_VERIFY_OK(body);
    QVERIFY(!(*body)->mayBlock());
    FakeTaskContext context;
    QCOMPARE(test::outcomeText((*body)->run(context), json), std::string("interrupted"));
    QCOMPARE(Value(context.asked), Value::list({ Value::map({ { "text", "go on?" } }) }));
    context.answers = { true };
    QCOMPARE(test::outcomeText((*body)->run(context), json), std::string(R"(returned {"ok":true})"));
}

void TestNodeCatalog::takesAnObjectAsAnswer()
{
    const auto catalog = makeCatalog();
    const auto body = catalog->makeNode(nodeOf("human", R"({"question": "which?"})"));
    SG_VERIFY_OK(body);
    FakeTaskContext context;
    context.answers = { Value::map({ { "a", 1 } }), "text" };
    QCOMPARE(test::outcomeText((*body)->run(context), json), std::string(R"(returned {"a":1})"));
    SG_VERIFY_CONTAINS(test::outcomeText((*body)->run(context), json), "TypeError");
}

void TestNodeCatalog::mapsASubgraph()
{
    const auto catalog = makeCatalog();
    const auto body = catalog->makeNode(
        nodeOf("subgraph", R"({"in": "{n: .value}", "out": "{value: .result.seen.n, was: .state.value}"})"));
    SG_VERIFY_OK(body);
    FakeTaskContext context(Value::map({ { "value", 5 } }));
    QCOMPARE(test::outcomeText((*body)->run(context), json), std::string(R"(returned {"value":5,"was":5})"));
    QCOMPARE(Value(context.subgraphInputs), Value::list({ Value::map({ { "n", 5 } }) }));
}

void TestNodeCatalog::callsASubgraphManyTimes()
{
    const auto catalog = makeCatalog();
    const auto body =
        catalog->makeNode(nodeOf("subgraph", R"({"calls": 2, "out": "{count: (.result | length)}"})"));
    SG_VERIFY_OK(body);
    FakeTaskContext context;
    QCOMPARE(test::outcomeText((*body)->run(context), json), std::string(R"(returned {"count":2})"));
}

void TestNodeCatalog::saysThatThereAreNoSessions()
{
    nodes::NodeWorld world;
    world.projectFolder = std::string(SG_SOURCE_DIR) + "/resources/sandbox";
    const auto catalog = nodes::makeNodeCatalog(std::move(world));
    const auto body = catalog->makeNode(nodeOf("python", R"({"file": "start.py"})"));
    SG_VERIFY_OK(body);
    FakeTaskContext context;
    SG_VERIFY_CONTAINS(test::outcomeText((*body)->run(context), json), "without sandbox sessions");
}

SG_TEST(TestNodeCatalog)
#include "tst_node_catalog.moc"
