// llm nodes over real sockets: what is sent, what is written, and what a failure says.

#include "core/base/json.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/models/model_desk.h"
#include "core/nodes/node_catalog.h"
#include "tests/core/net/scripted_http_server.h"
#include "tests/core/nodes/fake_task_context.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using test::FakeTaskContext;
using test::ScriptedHttpServer;

namespace {

std::string answer(const std::string& content, const std::string& rest = {})
{
    return ScriptedHttpServer::response(
        200,
        R"({"choices":[{"message":{"role":"assistant","content":)" + toJson(Value(content)) + rest
            + R"(},"finish_reason":"stop"}],"usage":{"prompt_tokens":20,"completion_tokens":5,"total_tokens":25}})",
        "Content-Type: application/json\r\n");
}

Value bodyOf(const std::string& request)
{
    const auto body = parseJson(request.substr(request.find("\r\n\r\n") + 4));
    return body ? *body : Value();
}

// A server, a catalog that may ask it, and a node of one graph.
struct Asking {
    explicit Asking(ScriptedHttpServer::Answer answers)
        : server([this, answers = std::move(answers)](const std::string& request) {
            requests.push_back(request);
            return answers(request);
        })
    {
    }

    engine::NodeOutcome run(FakeTaskContext& context, const char* settings, const char* ofGraph = "{}",
                            models::ChatLimits limits = {}, const char* prices = "{}")
    {
        auto desk = std::make_shared<models::ModelDesk>();
        desk->client = &client;
        desk->budget =
            std::make_shared<models::ChatBudget>(limits, *models::PriceTable::parse(prices), clock);
        desk->findKey = [this](const std::string& name, const models::BaseUrl& base,
                               const models::KeyUse& use,
                               const std::stop_token&) -> Result<settings::Secret> {
            keysAsked += use.thread.value + "/" + use.node.value + ": " + name + "@" + base.place() + ";";
            if (name == "wrong-key")
                return Error{ Errc::PermissionDenied, "it may not be shown" };
            return settings::Secret(name, "sk-0123456789");
        };
        nodes::NodeWorld world;
        world.jqHelper = std::string(SG_BIN_DIR) + "/sandglass-jq";
        world.models = desk;
        Value defaults = *parseJson(ofGraph);
        if (defaults.find("base_url") == nullptr)
            defaults.editMap().set("base_url", server.url("/v1"));
        if (defaults.find("model") == nullptr)
            defaults.editMap().set("model", "m");
        world.llmDefaults = defaults;
        const auto catalog = nodes::makeNodeCatalog(std::move(world));
        graph::Node node;
        node.name = NodeId("chat");
        node.kind = "llm";
        node.settings = parseJson(settings)->asMap();
        const auto body = catalog->makeNode(node);
        if (!body)
            return engine::Failure{ "Settings", body.error().message };
        return (*body)->run(context);
    }

    SystemClock clock;
    SystemRandom random;
    models::ChatClient client{ clock, random };
    std::vector<std::string> requests;
    std::string keysAsked;
    ScriptedHttpServer server;
};

FakeTaskContext saying(const char* text)
{
    const auto message =
        checkpoint::makeMessage({ { "type", "human" }, { "content", text }, { "id", "h1" } });
    return FakeTaskContext(Value::map({ { "messages", Value::list({ *message }) }, { "topic", "owls" } }));
}

// Messages as their text, everything else as JSON.
std::string told(const engine::NodeOutcome& outcome)
{
    const auto* returned = std::get_if<engine::Returned>(&outcome);
    if (returned == nullptr)
        return test::outcomeText(outcome, [](const Value& value) { return toJson(value); });
    std::string text;
    for (const auto& [key, value] : returned->value.asMap()) {
        const auto message = value.isList() ? checkpoint::asMessage(value[std::size_t{ 0 }]) : std::nullopt;
        text += (text.empty() ? "" : ", ") + key.asString() + ": "
            + (message ? toJson((*message)["content"]) : toJson(value));
    }
    return text;
}

} // namespace

class TestLlmNode : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sendsMessagesAndWritesTheAnswer();
    void takesTheRunsWordBeforeTheNodesBeforeTheGraphs();
    void makesItsPrompt();
    void writesMessagesThatItIsNotShown();
    void streamsWhatComes();
    void readsStructuredAnswers();
    void repairsAStructuredAnswerOnce();
    void showsTheKeyToItsPlaceAlone();
    void keepsTheKeyOutOfWhatItTells();
    void endsWithTheBudget();
    void itsTimeHoldsForAllTries();
    void tellsWhyAnAnswerIsNotWhole_data();
    void tellsWhyAnAnswerIsNotWhole();
    void doesNotRepairAnAnswerThatWasCutOff();
    void goesOnWithAPausedTurn_data();
    void goesOnWithAPausedTurn();
    void endsATurnThatIsPausedForEver();
    void saysWhatWentWrong_data();
    void saysWhatWentWrong();
    void refusesWrongSettings_data();
    void refusesWrongSettings();
};

void TestLlmNode::sendsMessagesAndWritesTheAnswer()
{
    Asking asking([](const std::string&) { return answer("Hello"); });
    FakeTaskContext context = saying("hi");
    const auto outcome =
        asking.run(context, R"({"system": "Be short.", "in_one_piece": true, "channel": "answer"})");
    QCOMPARE(told(outcome), std::string("messages: \"Hello\", answer: \"Hello\""));
    const auto body = parseJson(R"({"model": "m", "stream": false,
        "messages": [{"content": "Be short.", "role": "system"}, {"content": "hi", "role": "user"}]})");
    QCOMPARE(bodyOf(asking.requests.at(0)), *body);
    QVERIFY2(context.events.starts_with("m: 20 + 5 tokens, "), context.events.c_str());
    QCOMPARE(context.out, std::string("Hello\n"));
}

void TestLlmNode::takesTheRunsWordBeforeTheNodesBeforeTheGraphs()
{
    Asking asking([](const std::string&) { return answer("Hello"); });
    FakeTaskContext context = saying("hi");
    context.ofRun.set("llm", *parseJson(R"({"model": "of the run"})"));
    asking.run(context, R"({"model": "of the node", "temperature": 0.5, "in_one_piece": true})",
               R"({"model": "of the graph", "temperature": 1, "max_tokens": 7})");
    const Value body = bodyOf(asking.requests.at(0));
    QCOMPARE(body["model"], Value("of the run"));
    QCOMPARE(body["temperature"], Value(0.5));
    QCOMPARE(body["max_tokens"], Value(7));
}

void TestLlmNode::makesItsPrompt()
{
    constexpr const char* kText =
        R"({"prompt": "\"Tell me of \\(.topic)\"", "channel": "answer", "in_one_piece": true})";
    constexpr const char* kMessages =
        R"({"prompt": "[{role: \"system\", content: \"x\"}, .topic]", "channel": "answer",
        "in_one_piece": true})";
    Asking asking([](const std::string&) { return answer("Hoo"); });
    FakeTaskContext context = saying("hi");
    const std::string text = told(asking.run(context, kText));
    QCOMPARE(text, std::string("messages: \"Hoo\", answer: \"Hoo\""));
    const auto sent = parseJson(R"([{"content": "Tell me of owls", "role": "user"}])");
    QCOMPARE(bodyOf(asking.requests.at(0))["messages"], *sent);
    FakeTaskContext alone(Value::map({ { "topic", "owls" } }));
    const std::string messages = told(asking.run(alone, kMessages));
    QCOMPARE(messages, std::string("answer: \"Hoo\""));
    const auto both =
        parseJson(R"([{"content": "x", "role": "system"}, {"content": "owls", "role": "user"}])");
    QCOMPARE(bodyOf(asking.requests.at(1))["messages"], *both);
}

void TestLlmNode::writesMessagesThatItIsNotShown()
{
    Asking asking([](const std::string&) { return answer("Hoo"); });
    FakeTaskContext context(Value::map({ { "topic", "owls" } }));
    context.unseen = { "messages" };
    QCOMPARE(told(asking.run(context, R"({"prompt": ".topic", "in_one_piece": true})")),
             std::string("messages: \"Hoo\""));
    QCOMPARE(told(asking.run(context, R"({"prompt": ".topic", "messages": null, "in_one_piece": true})")),
             std::string());
}

void TestLlmNode::streamsWhatComes()
{
    const std::string stream =
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hel\"}}]}\n\n"
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"lo\"},\"finish_reason\":\"stop\"}]}\n\n"
        "data: [DONE]\n\n";
    Asking asking([&](const std::string&) {
        return ScriptedHttpServer::response(200, stream, "Content-Type: text/event-stream\r\n");
    });
    FakeTaskContext context = saying("hi");
    context.streams = true;
    QCOMPARE(told(asking.run(context, "{}")), std::string(R"(messages: "Hello")"));
    QCOMPARE(context.out, std::string("Hello\n"));
    std::string chunks;
    for (const Value& each : context.messages) {
        const auto chunk = checkpoint::asMessage(each[std::size_t{ 0 }]);
        QVERIFY(chunk);
        chunks += chunk->stringOr("type", "") + " " + toJson((*chunk)["content"]) + ";";
        QCOMPARE(each[std::size_t{ 1 }]["ls_model_name"], Value("m"));
    }
    const std::string expected = R"(AIMessageChunk "Hel";AIMessageChunk "lo";AIMessageChunk "";)";
    QCOMPARE(chunks, expected);
}

constexpr const char* kPerson = R"({"in_one_piece": true, "channel": "person", "schema": {"type": "object",
    "properties": {"age": {"type": "integer"}}, "required": ["age"], "additionalProperties": false}})";

constexpr const char* kRead = R"(messages: "{\"age\": 36}", person: {"age":36})";

void TestLlmNode::readsStructuredAnswers()
{
    Asking asking([](const std::string&) { return answer(R"({"age": 36})"); });
    FakeTaskContext context = saying("Ada");
    QCOMPARE(told(asking.run(context, kPerson)),
             std::string(R"(messages: "{\"age\": 36}", person: {"age":36})"));
    QCOMPARE(bodyOf(asking.requests.at(0))["response_format"]["json_schema"]["strict"], Value(true));
}

void TestLlmNode::repairsAStructuredAnswerOnce()
{
    std::vector<std::string> answers{ R"({"age": "x"})", R"({"age": 36})" };
    Asking asking([&](const std::string&) {
        return answer(answers.at(std::min<std::size_t>(asking.requests.size() - 1, 1)));
    });
    FakeTaskContext context = saying("Ada");
    QCOMPARE(told(asking.run(context, kPerson)),
             std::string(R"(messages: "{\"age\": 36}", person: {"age":36})"));
    QCOMPARE(asking.requests.size(), std::size_t{ 2 });
    const Value sent = bodyOf(asking.requests.at(1))["messages"];
    QCOMPARE(sent.asList().size(), std::size_t{ 3 });
    SG_VERIFY_CONTAINS(sent[std::size_t{ 2 }].stringOr("content", ""), "/age: \"x\" is no integer");

    answers = { R"({"age": "x"})", "no JSON" };
    asking.requests.clear();
    FakeTaskContext again = saying("Ada");
    const std::string failed = told(asking.run(again, kPerson));
    QVERIFY2(failed.starts_with(
                 "StructuredOutputError: the answer does not match the schema, nor does a second one: "),
             failed.c_str());
    QCOMPARE(asking.requests.size(), std::size_t{ 2 });
}

void TestLlmNode::showsTheKeyToItsPlaceAlone()
{
    Asking asking([](const std::string&) { return answer("Hello"); });
    FakeTaskContext context = saying("hi");
    asking.run(context, R"({"key": "model-key", "in_one_piece": true})");
    QCOMPARE(asking.keysAsked, "alice/analyze: model-key@" + asking.server.url("").substr(7) + ";");
    QVERIFY(asking.requests.at(0).find("authorization: Bearer sk-0123456789\r\n") != std::string::npos);
    FakeTaskContext without = saying("hi");
    asking.run(without, R"({"in_one_piece": true})");
    QVERIFY(asking.requests.at(1).find("authorization") == std::string::npos);
    FakeTaskContext refused = saying("hi");
    const auto outcome = asking.run(refused, R"({"key": "wrong-key"})");
    QCOMPARE(told(outcome), std::string("PermissionError: the key of the model: it may not be shown"));
    QCOMPARE(asking.requests.size(), std::size_t{ 2 });
}

void TestLlmNode::keepsTheKeyOutOfWhatItTells()
{
    Asking asking([](const std::string&) {
        return ScriptedHttpServer::response(401, R"({"error":{"message":"wrong key: sk-0123456789"}})");
    });
    FakeTaskContext context = saying("hi");
    const auto outcome = asking.run(context, R"({"key": "model-key", "in_one_piece": true})");
    const auto* failure = std::get_if<engine::Failure>(&outcome);
    QVERIFY(failure != nullptr);
    QVERIFY2((failure->message + failure->detail + context.events + context.out).find("0123456789")
                 == std::string::npos,
             failure->message.c_str());
    SG_VERIFY_CONTAINS(failure->message, "[secret model-key]");
}

void TestLlmNode::endsWithTheBudget()
{
    Asking asking([](const std::string&) { return answer("no JSON"); });
    FakeTaskContext context = saying("hi");
    models::ChatLimits limits;
    limits.tokens = 10; // of which the first call takes 25
    const std::string failed = told(asking.run(context, kPerson, "{}", limits));
    QVERIFY2(failed.starts_with(
                 "BudgetExceededError: the run's budget for chat models is used up: 25 tokens of 10"),
             failed.c_str());
    QCOMPARE(asking.requests.size(), std::size_t{ 1 });
    FakeTaskContext priced = saying("hi");
    asking.run(priced, R"({"in_one_piece": true})", "{}", {}, R"({"m": {"input": 1000, "output": 2000}})");
    SG_VERIFY_CONTAINS(priced.events, ", $0.030000");
}

void TestLlmNode::itsTimeHoldsForAllTries()
{
    Asking asking([](const std::string&) {
        return ScriptedHttpServer::response(503, "{}", "Content-Type: application/json\r\n");
    });
    FakeTaskContext context = saying("hi");
    const auto begin = std::chrono::steady_clock::now();
    const auto outcome =
        asking.run(context, R"({"timeout_s": 1.5, "max_retries": 10, "in_one_piece": true})");
    const auto* failure = std::get_if<engine::Failure>(&outcome);
    QVERIFY(failure != nullptr);
    QCOMPARE(failure->type, std::string("TimeoutError"));
    SG_VERIFY_CONTAINS(failure->message, "its time is used up");
    SG_VERIFY_CONTAINS(failure->message, "Raise \"timeout_s\" of the node");
    QVERIFY(asking.requests.size() > 1);
    QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
}

// An answer on either wire that ends with that word.
std::string endedBy(const std::string& finish, bool isAnthropic)
{
    const std::string body = isAnthropic
        ? R"({"type":"message","role":"assistant","model":"c","content":[{"type":"text","text":"Hel"}],"stop_reason":")"
            + finish + R"(","usage":{"input_tokens":1,"output_tokens":2}})"
        : R"({"choices":[{"message":{"role":"assistant","content":"Hel"},"finish_reason":")" + finish
            + R"("}]})";
    return ScriptedHttpServer::response(200, body, "Content-Type: application/json\r\n");
}

void TestLlmNode::tellsWhyAnAnswerIsNotWhole_data()
{
    QTest::addColumn<bool>("isAnthropic");
    QTest::addColumn<std::string>("finish");
    QTest::addColumn<std::string>("told");
    const auto row = [](bool isAnthropic, const char* finish, const char* told) {
        QTest::addRow("%s", finish) << isAnthropic << std::string(finish) << std::string(told);
    };
    row(false, "stop", "");
    row(false, "tool_calls", "");
    row(false, "length", "it reached its limit of tokens (\"length\"). Raise \"max_tokens\"");
    row(false, "content_filter", "the server's content filter ended the answer");
    row(false, "abort", "for a reason that is not known here (\"abort\")");
    row(true, "end_turn", "");
    row(true, "stop_sequence", "");
    row(true, "max_tokens", "it reached its limit of tokens (\"max_tokens\"). Raise \"max_tokens\"");
    row(true, "model_context_window_exceeded", "fill the model's whole context");
    row(true, "refusal", "the model refused to go on (\"refusal\")");
}

void TestLlmNode::tellsWhyAnAnswerIsNotWhole()
{
    QFETCH(bool, isAnthropic);
    QFETCH(std::string, finish);
    QFETCH(std::string, told);
    Asking asking([&](const std::string&) { return endedBy(finish, isAnthropic); });
    FakeTaskContext context = saying("hi");
    const auto outcome = asking.run(context,
                                    isAnthropic ? R"({"wire": "anthropic", "in_one_piece": true})"
                                                : R"({"in_one_piece": true})");
    QCOMPARE(::told(outcome), std::string("messages: \"Hel\"")); // LangGraph keeps it, too
    SG_VERIFY_CONTAINS(context.events, told);
    QCOMPARE(context.events.find("ended") != std::string::npos
                 || context.events.find("cut off") != std::string::npos
                 || context.events.find("refused") != std::string::npos,
             !told.empty());
}

void TestLlmNode::doesNotRepairAnAnswerThatWasCutOff()
{
    Asking asking([](const std::string&) { return endedBy("length", false); });
    FakeTaskContext context = saying("Ada");
    const std::string failed = told(asking.run(context, kPerson));
    SG_VERIFY_CONTAINS(failed,
                       "StructuredOutputError: the answer does not match the schema: the answer is cut off");
    QCOMPARE(asking.requests.size(), std::size_t{ 1 });
}

// The two answers of one turn: a search of the server's own that is paused, and its end.
std::string partOfTurn(bool streams, bool isLast)
{
    if (!streams) {
        const std::string body = isLast
            ? R"({"type":"message","model":"c","content":[{"type":"text","text":"Owls."}],"stop_reason":"end_turn",)"
              R"("usage":{"input_tokens":20,"output_tokens":2}})"
            : R"({"type":"message","model":"c","content":[{"type":"text","text":"I search. "},)"
              R"({"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"owls"}}],)"
              R"("stop_reason":"pause_turn","usage":{"input_tokens":10,"output_tokens":5}})";
        return ScriptedHttpServer::response(200, body, "Content-Type: application/json\r\n");
    }
    const auto event = [](const std::string& json) { return "data: " + json + "\n\n"; };
    std::string stream = event(R"({"type":"message_start","message":{"model":"c","usage":{"input_tokens":)"
                               + std::string(isLast ? "20" : "10") + R"(,"output_tokens":1}}})");
    stream += event(R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})");
    stream += event(R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":")"
                    + std::string(isLast ? "Owls." : "I search. ") + "\"}}");
    if (!isLast) {
        stream += event(
            R"({"type":"content_block_start","index":1,"content_block":{"type":"server_tool_use","id":"s1","name":"web_search","input":{}}})");
        stream += event(
            R"({"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"query\":"}})");
        stream += event(
            R"({"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"\"owls\"}"}})");
    }
    stream += event(R"({"type":"message_delta","delta":{"stop_reason":")"
                    + std::string(isLast ? "end_turn" : "pause_turn") + R"("},"usage":{"output_tokens":)"
                    + std::string(isLast ? "2" : "5") + "}}");
    stream += event(R"({"type":"message_stop"})");
    return ScriptedHttpServer::response(200, stream, "Content-Type: text/event-stream\r\n");
}

constexpr const char* kSearches = R"({"wire": "anthropic", "channel": "answer",
    "options": {"tools": [{"type": "web_search_20250305", "name": "web_search"}]})";

void TestLlmNode::goesOnWithAPausedTurn_data()
{
    QTest::addColumn<bool>("streams");
    QTest::newRow("in one piece") << false;
    QTest::newRow("as a stream") << true;
}

void TestLlmNode::goesOnWithAPausedTurn()
{
    QFETCH(bool, streams);
    Asking asking([&](const std::string&) { return partOfTurn(streams, asking.requests.size() > 1); });
    FakeTaskContext context = saying("owls?");
    context.streams = true;
    const auto outcome = asking.run(
        context, (std::string(kSearches) + (streams ? "}" : R"(, "in_one_piece": true})")).c_str());
    const auto* returned = std::get_if<engine::Returned>(&outcome);
    QVERIFY2(returned != nullptr, told(outcome).c_str());
    QCOMPARE(returned->value["answer"], Value("I search. Owls."));
    QCOMPARE(asking.requests.size(), std::size_t{ 2 });

    const Value sent = bodyOf(asking.requests.at(1))["messages"];
    QCOMPARE(sent.asList().size(), std::size_t{ 2 });
    QCOMPARE(sent[std::size_t{ 1 }]["role"], Value("assistant"));
    const auto call =
        parseJson(R"({"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"owls"}})");
    const Value& block = sent[std::size_t{ 1 }]["content"][std::size_t{ 1 }];
    for (const auto& [key, value] : call->asMap())
        QCOMPARE(block[key.asString()], value);
    QCOMPARE(block.asMap().size(), call->asMap().size()); // the server refuses what it does not know

    const auto message = checkpoint::asMessage(returned->value["messages"][std::size_t{ 0 }]);
    QVERIFY(message);
    QCOMPARE((*message)["content"].asList().size(), std::size_t{ 3 });
    QCOMPARE((*message)["response_metadata"]["stop_reason"], Value("end_turn"));
    QCOMPARE((*message)["usage_metadata"]["input_tokens"], Value(30));
    QCOMPARE((*message)["usage_metadata"]["output_tokens"], Value(7));
    for (const Value& each : context.messages) {
        const auto chunk = checkpoint::asMessage(each[std::size_t{ 0 }]);
        QVERIFY(chunk);
        if (streams)
            QCOMPARE((*chunk)["id"], (*message)["id"]);
    }
    if (streams)
        QCOMPARE((*message)["content"][std::size_t{ 2 }]["index"], Value(2));
    SG_VERIFY_CONTAINS(context.events, "the server paused the turn");
}

void TestLlmNode::endsATurnThatIsPausedForEver()
{
    Asking asking([](const std::string&) { return partOfTurn(false, false); });
    FakeTaskContext context = saying("owls?");
    const std::string failed =
        told(asking.run(context, (std::string(kSearches) + R"(, "in_one_piece": true})").c_str()));
    SG_VERIFY_CONTAINS(failed, "PausedTurnError: model \"m\" has paused one turn 20 times");
    QCOMPARE(asking.requests.size(), std::size_t{ 21 });
}

void TestLlmNode::saysWhatWentWrong_data()
{
    QTest::addColumn<std::string>("reply");
    QTest::addColumn<std::string>("failure");
    QTest::addColumn<bool>("isRetryable");
    QTest::newRow("401") << ScriptedHttpServer::response(401, "{}") << std::string("AuthenticationError")
                         << false;
    QTest::newRow("quota") << ScriptedHttpServer::response(429, R"({"error":{"code":"insufficient_quota"}})")
                           << std::string("RateLimitError") << false;
    QTest::newRow("no JSON") << ScriptedHttpServer::response(200, "{", "Content-Type: application/json\r\n")
                             << std::string("APIResponseValidationError") << true;
}

void TestLlmNode::saysWhatWentWrong()
{
    QFETCH(std::string, reply);
    QFETCH(std::string, failure);
    QFETCH(bool, isRetryable);
    Asking asking([&](const std::string&) { return reply; });
    FakeTaskContext context = saying("hi");
    const auto outcome = asking.run(context, "{}");
    const auto* failed = std::get_if<engine::Failure>(&outcome);
    QVERIFY(failed != nullptr);
    QCOMPARE(failed->type, failure);
    QCOMPARE(failed->retryable, isRetryable);
    QVERIFY2(failed->message.starts_with("model \"m\" at 127.0.0.1:"), failed->message.c_str());
}

void TestLlmNode::refusesWrongSettings_data()
{
    QTest::addColumn<QByteArray>("settings");
    QTest::addColumn<std::string>("text");
    QTest::newRow("temperature") << QByteArray(R"({"temperature": 3})")
                                 << std::string("\"temperature\" must be");
    QTest::newRow("wire") << QByteArray(R"({"wire": "gemini"})") << std::string("\"wire\" must be");
    QTest::newRow("address") << QByteArray(R"({"base_url": "file:///etc/passwd"})")
                             << std::string("is no base URL");
    QTest::newRow("model") << QByteArray(R"({"model": ""})") << std::string("it needs \"model\"");
    QTest::newRow("retries") << QByteArray(R"({"max_retries": 11})")
                             << std::string("\"max_retries\" must be");
}

void TestLlmNode::refusesWrongSettings()
{
    QFETCH(QByteArray, settings);
    QFETCH(std::string, text);
    Asking asking([](const std::string&) { return answer("Hello"); });
    FakeTaskContext context = saying("hi");
    SG_VERIFY_CONTAINS(told(asking.run(context, settings.constData())), text);
    QCOMPARE(asking.requests.size(), std::size_t{ 0 });
}

SG_CORE_TEST(TestLlmNode)
#include "tst_llm_node.moc"
