// Where we differ from LangChain knowingly, and what servers say that no recording of LangChain holds.

#include "tests/core/models/recorded_scenario.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::models;
using test::RecordedScenario;

namespace {

RecordedScenario asked(Wire wire, bool streams)
{
    RecordedScenario scenario;
    scenario.wire = wire;
    scenario.request.streams = streams;
    scenario.request.tools.push_back({ "add", "", {} });
    return scenario;
}

std::string openAiStream(std::initializer_list<const char*> deltas, const char* finish = "stop")
{
    std::string text;
    for (const char* delta : deltas)
        text += std::string(R"(data: {"choices":[{"index":0,"delta":)") + delta + "}]}\n\n";
    if (finish != nullptr)
        text += std::string(R"(data: {"choices":[{"index":0,"delta":{},"finish_reason":")") + finish
            + "\"}]}\n\n";
    return text;
}

// "text | name(args)#id … | !name(raw) …", or the fault's type.
std::string told(const ChatOutcome& outcome)
{
    if (const auto* fault = std::get_if<ChatFault>(&outcome))
        return fault->type + (fault->isRetryable ? "?" : "!");
    const auto& reply = std::get<ChatReply>(outcome);
    std::string text = reply.text + " |";
    for (const Value& call : reply.message.find("tool_calls")->asList())
        text += " " + call.stringOr("name", "") + "(" + toJson(call["args"]) + ")#" + call.stringOr("id", "");
    text += " |";
    for (const Value& call : reply.message.find("invalid_tool_calls")->asList())
        text += " !" + call.stringOr("name", "") + "(" + call.stringOr("args", "") + ")";
    return text;
}

} // namespace

class TestReplies : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void putsStreamsTogether_data();
    void putsStreamsTogether();
    void readsWholeAnswers_data();
    void readsWholeAnswers();
    void keepsReasoningOutOfTheContent();
    void joinsHalvesOfACharacter();
    void sendsACharacterWithItsSecondHalf();
    void takesTheGreaterCountOfAnthropicsStream();
    void breaksOffAnAnswerWithoutEnd();
    void becomesReplacementsOfInvalidBytes();
};

void TestReplies::putsStreamsTogether_data()
{
    QTest::addColumn<std::string>("stream");
    QTest::addColumn<std::string>("reply");
    const auto row = [](const char* name, std::string stream, std::string reply) {
        QTest::newRow(name) << std::move(stream) << std::move(reply);
    };
    row("arguments that are cut off are never repaired",
        openAiStream(
            { R"({"tool_calls":[{"index":0,"id":"c1","function":{"name":"add","arguments":"{\"a\": 1,"}}]})" },
            "length"),
        R"( | | !add({"a": 1,))");
    row("arguments that are a list",
        openAiStream(
            { R"({"tool_calls":[{"index":0,"id":"c1","function":{"name":"add","arguments":"[1]"}}]})" }),
        " | | !add([1])");
    row("a new id at an index that is taken",
        openAiStream(
            { R"({"tool_calls":[{"index":0,"id":"c1","function":{"name":"add","arguments":"{\"a\":1}"}}]})",
              R"({"tool_calls":[{"index":0,"id":"c2","function":{"name":"add","arguments":"{\"a\":2}"}}]})" }),
        R"( | add({"a":1})#c1 add({"a":2})#c2 |)");
    row("ids without index",
        openAiStream({ R"({"tool_calls":[{"id":"c1","function":{"name":"add","arguments":"{\"a\":"}}]})",
                       R"({"tool_calls":[{"id":"c2","function":{"name":"add","arguments":"{}"}}]})",
                       R"({"tool_calls":[{"id":"c1","function":{"arguments":"1}"}}]})" }),
        R"( | add({"a":1})#c1 add({})#c2 |)");
    row("neither index nor id",
        openAiStream({ R"({"tool_calls":[{"function":{"name":"add","arguments":"{\"a\":"}}]})",
                       R"({"tool_calls":[{"function":{"arguments":"1}"}}]})" }),
        R"( | add({"a":1})# |)");
    row("a name that every piece repeats",
        openAiStream(
            { R"({"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"add","arguments":"{\"a\""}}]})",
              R"({"tool_calls":[{"index":0,"type":"function","function":{"name":"add","arguments":":1}"}}]})" }),
        R"( | add({"a":1})#c1 |)");
    row("null arguments",
        openAiStream(
            { R"({"tool_calls":[{"index":0,"id":"c1","function":{"name":"now","arguments":"null"}}]})" }),
        " | now({})#c1 |");
    row("a usage chunk with a choice",
        openAiStream({ R"({"content":"a"})" })
            + "data: {\"choices\":[{\"index\":0,\"delta\":{}}],\"usage\":{\"prompt_tokens\":1}}\n\ndata: "
              "[DONE]\n\n",
        "a | |");
    row("no [DONE] after the end", openAiStream({ R"({"content":"a"})" }), "a | |");
    row("[DONE] alone ends an answer", openAiStream({ R"({"content":"a"})" }, nullptr) + "data: [DONE]\n\n",
        "a | |");
    row("neither of both", openAiStream({ R"({"content":"a"})" }, nullptr), "APIConnectionError?");
    row("nothing but [DONE]", "data: [DONE]\n\n", "APIResponseValidationError?");
    row("an error in the stream",
        openAiStream({ R"({"content":"a"})" }, nullptr)
            + "data: "
              "{\"error\":{\"message\":\"litellm.RateLimitError\",\"type\":\"throttling_error\",\"code\":"
              "\"429\"}}\n\n",
        "RateLimitError?");
    row("an error that no trying mends",
        "data: {\"error\":{\"message\":\"no\",\"type\":\"invalid_request_error\",\"code\":null}}\n\n",
        "BadRequestError!");
    row("an error as text", "data: {\"error\":\"model crashed\"}\n\n", "APIError?");
    row("half a document", "data: {\"choices\":[{\n\n", "APIResponseValidationError?");
    row("no object", "data: [1]\n\n", "APIResponseValidationError?");
}

void TestReplies::putsStreamsTogether()
{
    QFETCH(std::string, stream);
    QFETCH(std::string, reply);
    QCOMPARE(told(test::folded(asked(Wire::OpenAi, true), stream, 5)), reply);
}

void TestReplies::readsWholeAnswers_data()
{
    QTest::addColumn<bool>("isOpenAi");
    QTest::addColumn<std::string>("body");
    QTest::addColumn<std::string>("reply");
    const auto row = [](const char* name, bool isOpenAi, const char* body, const char* reply) {
        QTest::newRow(name) << isOpenAi << std::string(body) << std::string(reply);
    };
    row("content as blocks", true, R"({"choices":[{"message":{"content":[{"type":"text","text":"a"}]}}]})",
        "a | |");
    row("arguments that are a list", true,
        R"({"choices":[{"message":{"content":null,"tool_calls":[{"id":"c","function":{"name":"add","arguments":"[1]"}}]}}]})",
        " | | !add([1])");
    row("no choices", true, R"({"object":"list"})", "APIResponseValidationError?");
    row("null choices", true, R"({"choices":null})", "APIResponseValidationError?");
    row("an error with status 200", true, R"({"error":{"message":"x","type":"server_error"}})", "APIError?");
    row("no JSON", true, "<html>", "APIResponseValidationError?");
    row("nothing", true, "", "APIResponseValidationError?");
    row("Anthropic: no content", false, R"({"type":"message"})", "APIResponseValidationError?");
    row("Anthropic: an error", false,
        R"({"type":"error","error":{"type":"overloaded_error","message":"busy"}})", "InternalServerError?");
    row("Anthropic: input that is no object", false,
        R"({"type":"message","content":[{"type":"tool_use","id":"t","name":"add","input":[1]}],"stop_reason":"tool_use"})",
        " | | !add([1])");
}

void TestReplies::readsWholeAnswers()
{
    QFETCH(bool, isOpenAi);
    QFETCH(std::string, body);
    QFETCH(std::string, reply);
    QCOMPARE(told(test::folded(asked(isOpenAi ? Wire::OpenAi : Wire::Anthropic, false), body, 1)), reply);
}

void TestReplies::keepsReasoningOutOfTheContent()
{
    const auto outcome = test::folded(
        asked(Wire::OpenAi, true),
        openAiStream({ R"({"reasoning_content":"h"})", R"({"reasoning":"m"})", R"({"content":"Hello"})" }),
        3);
    const auto& reply = std::get<ChatReply>(outcome);
    QCOMPARE(reply.reasoning, std::string("hm"));
    QCOMPARE(*reply.message.find("content"), Value("Hello"));
}

void TestReplies::joinsHalvesOfACharacter()
{
    const auto text = [](std::initializer_list<const char*> deltas) {
        return std::get<ChatReply>(test::folded(asked(Wire::OpenAi, true), openAiStream(deltas), 4)).text;
    };
    QCOMPARE(text({ R"({"content":"a\ud83c"})", R"({"content":"\udf0db"})" }),
             std::string("a\xF0\x9F\x8C\x8D"
                         "b"));
    QCOMPARE(text({ R"({"content":"a\ud83c\udf0d"})" }), std::string("a\xF0\x9F\x8C\x8D"));
    QCOMPARE(text({ R"({"content":"a\ud83c"})", R"({"content":"b"})" }),
             std::string("a\xEF\xBF\xBD"
                         "b"));
    QCOMPARE(text({ R"({"content":"\udf0d"})" }), std::string("\xEF\xBF\xBD"));
    QCOMPARE(text({ R"({"content":"\\ud83c"})" }), std::string("\\ud83c"));
}

void TestReplies::sendsACharacterWithItsSecondHalf()
{
    std::string sent;
    static_cast<void>(test::folded(
        asked(Wire::OpenAi, true), openAiStream({ R"({"content":"a\ud83c"})", R"({"content":"\udf0db"})" }),
        4, [&](ValueMap chunk) { sent += chunk.find("content")->asString() + "|"; }));
    QCOMPARE(sent,
             std::string("a|\xF0\x9F\x8C\x8D"
                         "b|||"));
}

void TestReplies::takesTheGreaterCountOfAnthropicsStream()
{
    const auto outcome = test::folded(asked(Wire::Anthropic, true),
                                      "data: "
                                      "{\"type\":\"message_start\",\"message\":{\"model\":\"c\",\"usage\":{"
                                      "\"input_tokens\":25,\"output_tokens\":1}}}\n\n"
                                      "data: "
                                      "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},"
                                      "\"usage\":{\"output_tokens\":9}}\n\n",
                                      6);
    const auto& reply = std::get<ChatReply>(outcome);
    QVERIFY(reply.use);
    QCOMPARE(reply.use->input, std::int64_t{ 25 });
    QCOMPARE(reply.use->output, std::int64_t{ 9 });
    QCOMPARE((*reply.message.find("usage_metadata"))["total_tokens"], Value(34));
}

void TestReplies::breaksOffAnAnswerWithoutEnd()
{
    const auto fold = wireFormat(Wire::OpenAi).fold({}, {});
    const std::string event =
        R"({"choices":[{"index":0,"delta":{"content":")" + std::string(100'000, 'x') + "\"}}]}";
    std::optional<ChatFault> fault;
    int events = 0;
    for (; !fault && events < 1000; ++events)
        fault = fold->take({ {}, event });
    QVERIFY(fault);
    QCOMPARE(fault->type, std::string("LimitError"));
    QVERIFY(!fault->isRetryable);
    QCOMPARE(events, 105); // 10 MiB
}

void TestReplies::becomesReplacementsOfInvalidBytes()
{
    const auto outcome = test::folded(asked(Wire::OpenAi, true),
                                      openAiStream({ "{\"content\":\"a\xFF"
                                                     "b\"}" }),
                                      4);
    const auto& reply = std::get<ChatReply>(outcome);
    QCOMPARE(reply.text,
             std::string("a\xEF\xBF\xBD"
                         "b"));
    QCOMPARE(reply.warnings.size(), std::size_t{ 1 });
}

SG_TEST(TestReplies)
#include "tst_replies.moc"
