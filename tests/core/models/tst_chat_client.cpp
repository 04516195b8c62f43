// Calls over real sockets: what is tried again, what is sent where, and how a call ends.

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/redaction.h"
#include "core/models/chat_client.h"
#include "tests/core/net/scripted_http_server.h"
#include "tests/support/qtest_std.h"
#include "tests/support/qtry.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"
#include "tests/support/tls_server.h"

#include <QTest>

#include <atomic>
#include <semaphore>
#include <thread>

using namespace sg;
using namespace sg::models;
using namespace std::chrono_literals;
using test::ScriptedHttpServer;

namespace {

constexpr std::string_view kClose = ScriptedHttpServer::kThenClose;
constexpr const char* kHello =
    R"({"id":"1","model":"m","choices":[{"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop"}]})";

// Backoff is not waited for.
class QuickClock final : public Clock {
public:
    [[nodiscard]] WallTime now() const override { return std::chrono::system_clock::now(); }
    [[nodiscard]] SteadyTime steady() const override
    {
        return std::chrono::steady_clock::now() + m_slept.load();
    }
    void sleep(Millis duration) const override { m_slept = m_slept.load() + duration; }
    [[nodiscard]] Millis slept() const { return m_slept; }

private:
    mutable std::atomic<Millis> m_slept{ Millis(0) };
};

std::string json(const std::string& body, int status = 200, const std::string& headers = {})
{
    return ScriptedHttpServer::response(status, body, "Content-Type: application/json\r\n" + headers);
}

// A stream without a length: it ends with its connection.
std::string stream(const std::string& body)
{
    return "HTTP/1.1 200 X\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: "
           "chunked\r\n\r\n"
        + body;
}

std::string chunk(const std::string& data)
{
    char size[16];
    std::snprintf(size, sizeof size, "%zx\r\n", data.size());
    return size + data + "\r\n";
}

std::string tokens(const std::string& text, const char* finish = nullptr)
{
    return chunk(R"(data: {"choices":[{"index":0,"delta":{"content":")" + text + "\"}"
                 + (finish != nullptr ? std::string(",\"finish_reason\":\"") + finish + "\"" : std::string())
                 + "}]}\n\n");
}

struct Caller {
    QuickClock clock;
    SystemRandom random;
    ChatClient client{ clock, random };
    Endpoint endpoint;
    ChatRequest request;
    std::string key = "secret-key";
    std::stop_source stop;
    std::string sent; // pieces, with "|" between them
    std::vector<std::string> notes;
    std::string arguments; // of calls, in pieces
    std::optional<CallDeadline> deadline;

    explicit Caller(const std::string& url, bool streams = false)
    {
        endpoint.base = *parseBaseUrl(url);
        request.model = "m";
        request.streams = streams;
        request.messages.push_back(Value::map({ { "type", "human" }, { "content", "hi" } }));
    }
    ChatOutcome ask()
    {
        return client.ask({ endpoint, request, key,
                            [this](const ValueMap& piece) {
                                sent += textOfPiece(piece) + "|";
                                for (const Value& call : piece.find("tool_call_chunks")->asList())
                                    arguments += call.stringOr("args", "");
                            },
                            [this](const std::string& line) { notes.push_back(line); }, stop.get_token(),
                            nullptr, deadline });
    }
    static std::string textOfPiece(const ValueMap& piece)
    {
        const Value& content = *piece.find("content");
        return content.isString() ? content.asString() : toJson(content);
    }
    // "Hello", or "APIConnectionError: …".
    std::string text()
    {
        const ChatOutcome outcome = ask();
        if (const auto* fault = std::get_if<ChatFault>(&outcome))
            return fault->type;
        return std::get<ChatReply>(outcome).text;
    }
};

} // namespace

class TestChatClient : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void asksAndAnswers();
    void sendsTheKeyAsTheWireWants();
    void triesAgain_data();
    void triesAgain();
    void triesNotForEver();
    void waitsAsLongAsTheServerAsks();
    void asksWithoutUsageWhereItIsRefused();
    void keepsNoMessageOfAStreamThatIsCut();
    void takesJsonWhereAStreamWasAsked();
    void refusesOtherKindsOfAnswers_data();
    void refusesOtherKindsOfAnswers();
    void followsARedirectOnItsHostAlone();
    void leavesSecretsOutOfAnswers();
    void leavesSecretsOutOfTokens_data();
    void leavesSecretsOutOfTokens();
    void givesEachCallAnIdOfItsOwn();
    void triesNoLongerThanTheDeadline();
    void recordsWhatCanBeReplayed();
    void closesTheConnectionAtOnce();
    void endsWhereNothingComes();
    void endsAfterTheAnswerThoughTheServerHangs();
    void breaksOffAnAnswerWithoutEnd_data();
    void breaksOffAnAnswerWithoutEnd();
    void saysThatNobodyAnswers();
    void trustsNoUnknownCertificate();
    void givesIdsAndEstimates();
};

void TestChatClient::asksAndAnswers()
{
    std::string request;
    ScriptedHttpServer server([&](const std::string& received) {
        request = received;
        return json(kHello);
    });
    Caller caller(server.url("/v1"));
    QCOMPARE(caller.text(), std::string("Hello"));
    QVERIFY2(request.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"), request.c_str());
    QVERIFY(request.find("\r\nauthorization: Bearer secret-key\r\n") != std::string::npos);
    QVERIFY(request.find(R"("messages":[{"content":"hi","role":"user"}])") != std::string::npos);
}

void TestChatClient::sendsTheKeyAsTheWireWants()
{
    std::string request;
    ScriptedHttpServer server([&](const std::string& received) {
        request = received;
        return json(
            R"({"type":"message","content":[{"type":"text","text":"Hello"}],"stop_reason":"end_turn"})");
    });
    Caller caller(server.url("/v1"));
    caller.endpoint.wire = Wire::Anthropic;
    caller.endpoint.auth = Endpoint::Auth::ApiKey;
    QCOMPARE(caller.text(), std::string("Hello"));
    QVERIFY2(request.starts_with("POST /v1/messages HTTP/1.1\r\n"), request.c_str());
    QVERIFY(request.find("\r\nx-api-key: secret-key\r\n") != std::string::npos);
    QVERIFY(request.find("\r\nanthropic-version: 2023-06-01\r\n") != std::string::npos);
    caller.endpoint.auth = Endpoint::Auth::None;
    QCOMPARE(caller.text(), std::string("Hello"));
    QVERIFY(request.find("secret-key") == std::string::npos);
}

void TestChatClient::triesAgain_data()
{
    QTest::addColumn<std::string>("first"); // answer
    QTest::addColumn<bool>("streams");
    QTest::addColumn<int>("asked");
    QTest::addColumn<std::string>("end");
    const auto row = [](const char* name, std::string first, bool streams, int asked, const char* end) {
        QTest::newRow(name) << std::move(first) << streams << asked << std::string(end);
    };
    for (const int status : { 408, 409, 429, 500, 502, 503, 529 })
        row(std::to_string(status).c_str(), json("{}", status), false, 2, "Hello");
    row("400", json("{}", 400), false, 1, "BadRequestError");
    row("401", json("{}", 401), false, 1, "AuthenticationError");
    row("404", json("{}", 404), false, 1, "NotFoundError");
    row("413", json("{}", 413), false, 1, "RequestTooLargeError");
    row("quota", json(R"({"error":{"code":"insufficient_quota"}})", 429), false, 1, "RateLimitError");
    row("no, says the server", json("{}", 503, "x-should-retry: false\r\n"), false, 1, "InternalServerError");
    row("closed without a word", "", false, 2, "Hello");
    row("closed in the middle of the body",
        "HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"id\""
            + std::string(kClose),
        false, 2, "Hello");
    row("half a document", json(R"({"choices":[)"), false, 1, "APIResponseValidationError");
    row("closed before the first token", stream("") + std::string(kClose), true, 2, "Hello");
    row("closed after the first token", stream(tokens("Hel")) + std::string(kClose), true, 1,
        "APIConnectionError");
    row("an error in the stream",
        stream(chunk("data: {\"error\":{\"message\":\"x\",\"type\":\"server_error\"}}\n\n") + "0\r\n\r\n"),
        true, 1, "APIError");
}

void TestChatClient::triesAgain()
{
    QFETCH(std::string, first);
    QFETCH(bool, streams);
    QFETCH(int, asked);
    QFETCH(std::string, end);
    std::atomic<int> requests = 0;
    ScriptedHttpServer server([&](const std::string&) { return requests++ == 0 ? first : json(kHello); });
    Caller caller(server.url("/v1"), streams);
    QCOMPARE(caller.text(), end);
    QCOMPARE(requests.load(), asked);
    QCOMPARE(caller.notes.size(), std::size_t(asked - 1));
}

void TestChatClient::triesNotForEver()
{
    std::atomic<int> requests = 0;
    ScriptedHttpServer server([&](const std::string&) {
        ++requests;
        return json(R"({"error":{"message":"busy"}})", 503);
    });
    Caller caller(server.url("/v1"));
    const ChatOutcome outcome = caller.ask();
    QCOMPARE(requests.load(), 3);
    const std::string message = std::get<ChatFault>(outcome).message;
    QVERIFY2(message.starts_with("model \"m\" at 127.0.0.1:")
                 && message.ends_with(": status 503: busy (tried 3 times)"),
             message.c_str());
    QVERIFY(caller.clock.slept() >= 1125ms && caller.clock.slept() <= 1600ms);
}

void TestChatClient::waitsAsLongAsTheServerAsks()
{
    std::atomic<int> requests = 0;
    ScriptedHttpServer server([&](const std::string&) {
        return requests++ == 0 ? json("{}", 429, "Retry-After: 7\r\n") : json(kHello);
    });
    Caller caller(server.url("/v1"));
    QCOMPARE(caller.text(), std::string("Hello"));
    QVERIFY(caller.clock.slept() >= 6900ms && caller.clock.slept() <= 7100ms);
}

void TestChatClient::asksWithoutUsageWhereItIsRefused()
{
    std::vector<std::string> requests;
    ScriptedHttpServer server([&](const std::string& request) {
        requests.push_back(request);
        return request.find("stream_options") != std::string::npos
            ? json(R"({"error":{"message":"Unrecognized request argument: stream_options"}})", 400)
            : stream(tokens("Hello", "stop") + "0\r\n\r\n");
    });
    Caller caller(server.url("/v1"), true);
    caller.endpoint.retries = 0;
    QCOMPARE(caller.text(), std::string("Hello"));
    QCOMPARE(requests.size(), std::size_t{ 2 });
}

void TestChatClient::keepsNoMessageOfAStreamThatIsCut()
{
    ScriptedHttpServer server(
        [&](const std::string&) { return stream(tokens("Hel") + tokens("lo")) + std::string(kClose); });
    Caller caller(server.url("/v1"), true);
    const ChatOutcome outcome = caller.ask();
    const auto* fault = std::get_if<ChatFault>(&outcome);
    QVERIFY(fault != nullptr);
    QCOMPARE(fault->partial, std::string("Hello"));
    QVERIFY(fault->isRetryable); // by the node
    QCOMPARE(caller.sent, std::string("Hel|lo|"));
}

void TestChatClient::takesJsonWhereAStreamWasAsked()
{
    ScriptedHttpServer server([&](const std::string&) { return json(kHello); });
    Caller caller(server.url("/v1"), true);
    QCOMPARE(caller.text(), std::string("Hello"));
    QCOMPARE(caller.sent, std::string());
}

void TestChatClient::refusesOtherKindsOfAnswers_data()
{
    QTest::addColumn<std::string>("answer");
    QTest::addColumn<bool>("streams");
    QTest::newRow("HTML") << ScriptedHttpServer::response(200, "<html>Sign in", "Content-Type: text/html\r\n")
                          << false;
    QTest::newRow("HTML for a stream")
        << ScriptedHttpServer::response(200, "<html>Sign in", "Content-Type: text/html\r\n") << true;
    QTest::newRow("nothing") << ScriptedHttpServer::response(200, "") << false;
    QTest::newRow("nothing for a stream") << stream("0\r\n\r\n") << true;
}

void TestChatClient::refusesOtherKindsOfAnswers()
{
    QFETCH(std::string, answer);
    QFETCH(bool, streams);
    ScriptedHttpServer server([&](const std::string&) { return answer; });
    Caller caller(server.url("/v1"), streams);
    const ChatOutcome outcome = caller.ask();
    QVERIFY(std::holds_alternative<ChatFault>(outcome));
    QVERIFY(std::get<ChatFault>(outcome).isRetryable);
}

void TestChatClient::followsARedirectOnItsHostAlone()
{
    ScriptedHttpServer other([](const std::string&) { return json(kHello); });
    ScriptedHttpServer server([&](const std::string& request) -> std::string {
        if (request.starts_with("POST /v1/"))
            return json("", 307, "Location: /v2/chat/completions\r\n");
        if (request.starts_with("POST /v2/"))
            return json(kHello);
        return json("", 307, "Location: " + other.url("/v1/chat/completions") + "\r\n");
    });
    Caller here(server.url("/v1"));
    QCOMPARE(here.text(), std::string("Hello"));
    Caller away(server.url("/away"));
    QCOMPARE(away.text(), std::string("APIStatusError"));
    QCOMPARE(other.connections(), 0);
}

void TestChatClient::leavesSecretsOutOfAnswers()
{
    keepOut("KEY", "key-that-is-secret");
    ScriptedHttpServer server([&](const std::string&) {
        return json("{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"key-that-is-secret\","
                    "\"tool_calls\":[{\"id\":\"1\",\"function\":{\"name\":\"tell\",\"arguments\":"
                    "\"{\\\"key\\\":\\\"key-that-is-secret\\\"}\"}}]},\"finish_reason\":\"stop\"}]}");
    });
    Caller caller(server.url("/v1"));
    const ChatOutcome outcome = caller.ask();
    QVERIFY(std::holds_alternative<ChatReply>(outcome));
    const auto& reply = std::get<ChatReply>(outcome);
    QCOMPARE(reply.text, std::string("[secret KEY]"));
    QVERIFY(!holdsSecret(toJson(Value(reply.message))));
}

void TestChatClient::leavesSecretsOutOfTokens_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("sent");
    QTest::addColumn<QString>("arguments");
    const auto call = [](const std::string& text) {
        return chunk(R"(data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":")"
                     + text + "\"}}]}}]}\n\n");
    };
    const auto row = [](const char* name, const std::string& body, const char* sent, const char* arguments) {
        QTest::newRow(name) << QString::fromStdString(body) << QString::fromUtf8(sent)
                            << QString::fromUtf8(arguments);
    };
    const std::string end = chunk("data: [DONE]\n\n") + "0\r\n\r\n";
    row("in one token", tokens("it is token-of-secrets.") + tokens("", "stop") + end,
        "it is [secret TOKENS].|||", "");
    row("in two", tokens("it is token-of-") + tokens("secrets, is it?") + tokens("", "stop") + end,
        "it is |[secret TOKENS], is it?|||", "");
    row("a letter each",
        tokens("t") + tokens("oken-") + tokens("of-") + tokens("s") + tokens("ecret") + tokens("s")
            + tokens("", "stop") + end,
        "|||||[secret TOKENS]|||", "");
    row("begins like one at the end", tokens("a token-of") + tokens("", "stop") + end, "a ||token-of|", "");
    row("in a call", call("{\\\"x\\\":\\\"token-of") + call("-secrets\\\"}") + tokens("", "tool_calls") + end,
        "||||", "{\"x\":\"[secret TOKENS]\"}");
    row("broken off", tokens("a token-of-secrets and token-"), "a [secret TOKENS] and |token-|", "");
}

void TestChatClient::leavesSecretsOutOfTokens()
{
    QFETCH(QString, body);
    QFETCH(QString, sent);
    QFETCH(QString, arguments);
    keepOut("TOKENS", "token-of-secrets");
    ScriptedHttpServer server(
        [&](const std::string&) { return stream(body.toStdString()) + std::string(kClose); });
    Caller caller(server.url("/v1"), true);
    (void)caller.ask();
    QCOMPARE(QString::fromStdString(caller.sent), sent);
    QCOMPARE(QString::fromStdString(caller.arguments), arguments);
}

void TestChatClient::givesEachCallAnIdOfItsOwn()
{
    ScriptedHttpServer server([&](const std::string&) {
        return json(
            R"({"choices":[{"message":{"content":"","tool_calls":[)"
            R"({"id":"c","function":{"name":"a","arguments":"{}"}},)"
            R"({"id":"c","function":{"name":"b","arguments":"{}"}},)"
            R"({"id":"c","function":{"name":"c","arguments":"{"}}]},"finish_reason":"tool_calls"}]})");
    });
    Caller caller(server.url("/v1"));
    const ChatOutcome outcome = caller.ask();
    const auto& reply = std::get<ChatReply>(outcome);
    const Value& calls = *reply.message.find("tool_calls");
    const Value& invalid = *reply.message.find("invalid_tool_calls");
    QCOMPARE(calls[std::size_t{ 0 }].stringOr("id", ""), std::string("c"));
    const std::string second = calls[std::size_t{ 1 }].stringOr("id", "");
    QVERIFY2(second.starts_with("call_"), second.c_str());
    QVERIFY(invalid[std::size_t{ 0 }].stringOr("id", "").starts_with("call_"));
    QVERIFY(invalid[std::size_t{ 0 }].stringOr("id", "") != second);
}

// Tries and the pauses between them share the time that a run has left.
void TestChatClient::triesNoLongerThanTheDeadline()
{
    std::atomic<int> asked = 0;
    ScriptedHttpServer server([&](const std::string&) {
        ++asked;
        return json(R"({"error":{"message":"busy"}})", 503, "Retry-After: 3\r\n");
    });
    Caller caller(server.url("/v1"));
    caller.endpoint.retries = 50;
    caller.deadline = { caller.clock.steady() + 10s, "the run's" };
    const ChatOutcome outcome = caller.ask();
    const auto& fault = std::get<ChatFault>(outcome);
    QCOMPARE(fault.type, std::string("BudgetExceededError"));
    QVERIFY2(fault.message.starts_with("the run's time is used up; at last: "), fault.message.c_str());
    QVERIFY2(asked > 1 && asked < 6, std::to_string(asked).c_str());
    QVERIFY(caller.clock.slept() < 10s);
}

// A recording is replayed without the server: what was sent elsewhere, or needed a second try, answers alike.
void TestChatClient::recordsWhatCanBeReplayed()
{
    const test::TempDir folder;
    const auto file = folder / "recording.json";
    const std::string thought = std::string(900'000, 'x'); // as little text a chunk as servers send
    ScriptedHttpServer server([&](const std::string& request) -> std::string {
        if (request.starts_with("POST /v1/"))
            return json("", 307, "Location: /v2/chat/completions\r\n");
        std::string body;
        for (int i = 0; i < 12; ++i)
            body += chunk("data: {\"padding\":\"" + thought
                          + "\",\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n");
        return stream(
            body
            + chunk("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
            + "0\r\n\r\n");
    });
    Caller caller(server.url("/v1"), true);
    const auto ask = [&](Recording& recording) {
        return caller.client.ask(
            { caller.endpoint, caller.request, {}, {}, {}, caller.stop.get_token(), &recording });
    };
    const auto recording = Recording::begin(file);
    QVERIFY(recording);
    const ChatOutcome said = ask(**recording);
    QVERIFY(std::holds_alternative<ChatReply>(said));
    const auto replay = Recording::parse(*readFile(file));
    QVERIFY(replay);
    const ChatOutcome again = ask(**replay);
    QVERIFY2(std::holds_alternative<ChatReply>(again),
             std::get_if<ChatFault>(&again) != nullptr ? std::get<ChatFault>(again).message.c_str() : "");
    QCOMPARE(std::get<ChatReply>(again).text, std::get<ChatReply>(said).text);
}

void TestChatClient::closesTheConnectionAtOnce()
{
    ScriptedHttpServer server([&](const std::string&) { return stream(tokens("Hel")); }); // and nothing more
    auto quickest = 60s + 0ms;
    int asked = 0;
    for (; asked < 5 && quickest >= 500ms; ++asked) { // other tests may hold the processor up
        Caller caller(server.url("/v1"), true);
        std::binary_semaphore hasToken{ 0 };
        ChatOutcome outcome;
        std::thread asking([&] {
            outcome = caller.client.ask({ caller.endpoint,
                                          caller.request,
                                          {},
                                          [&](const ValueMap&) { hasToken.release(); },
                                          {},
                                          caller.stop.get_token() });
        });
        QVERIFY(hasToken.try_acquire_for(60s));
        const auto begin = std::chrono::steady_clock::now();
        caller.stop.request_stop();
        asking.join();
        quickest = std::min(
            quickest,
            std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin));
        QCOMPARE(std::get<ChatFault>(outcome).type, std::string("CancelledError"));
        QTRY_COMPARE(server.left(), asked + 1);
    }
    QVERIFY2(quickest < 500ms, "a stop waits");
}

void TestChatClient::endsWhereNothingComes()
{
    ScriptedHttpServer server([&](const std::string&) { return stream(tokens("Hel")); });
    Caller caller(server.url("/v1"), true);
    caller.endpoint.idle = 200ms;
    const ChatOutcome outcome = caller.ask();
    QCOMPARE(std::get<ChatFault>(outcome).type, std::string("APITimeoutError"));
    QCOMPARE(std::get<ChatFault>(outcome).partial, std::string("Hel"));
}

void TestChatClient::endsAfterTheAnswerThoughTheServerHangs()
{
    ScriptedHttpServer server([&](const std::string&) { return stream(tokens("Hello", "stop")); });
    Caller caller(server.url("/v1"), true);
    caller.endpoint.idle = 60s;
    QCOMPARE(caller.text(), std::string("Hello"));
}

void TestChatClient::breaksOffAnAnswerWithoutEnd_data()
{
    QTest::addColumn<std::string>("answer");
    QTest::addColumn<bool>("streams");
    const std::string much(11U << 20U, 'x');
    QTest::newRow("a line without end") << stream(chunk("data: " + much)) << true;
    QTest::newRow("a text without end")
        << stream(tokens(much.substr(0, 6U << 20U)) + tokens(much.substr(0, 6U << 20U))) << true;
    QTest::newRow("a body without end") << json(much) << false;
}

void TestChatClient::breaksOffAnAnswerWithoutEnd()
{
    QFETCH(std::string, answer);
    QFETCH(bool, streams);
    std::atomic<int> requests = 0;
    ScriptedHttpServer server([&](const std::string&) {
        ++requests;
        return answer;
    });
    Caller caller(server.url("/v1"), streams);
    QCOMPARE(caller.text(), std::string("LimitError"));
    QCOMPARE(requests.load(), 1);
}

void TestChatClient::saysThatNobodyAnswers()
{
    std::string url;
    {
        ScriptedHttpServer server([](const std::string&) { return std::string(); });
        url = server.url("/v1");
    }
    Caller caller(url);
    QCOMPARE(caller.text(), std::string("APIConnectionError"));
    QCOMPARE(caller.notes.size(), std::size_t{ 2 });
}

void TestChatClient::trustsNoUnknownCertificate()
{
    const test::TempDir folder;
    const test::TlsServer server(folder.path());
    QVERIFY(!server.port.empty());
    Caller caller("https://localhost:" + server.port + "/v1");
    const ChatOutcome outcome = caller.ask();
    QCOMPARE(std::get<ChatFault>(outcome).type, std::string("APIConnectionError"));
    QVERIFY(!std::get<ChatFault>(outcome).isRetryable);
    QVERIFY2(std::get<ChatFault>(outcome).message.find("certificate") != std::string::npos,
             std::get<ChatFault>(outcome).message.c_str());
}

void TestChatClient::givesIdsAndEstimates()
{
    ScriptedHttpServer server([&](const std::string&) {
        return json(
            R"({"choices":[{"message":{"content":"12345678","tool_calls":[{"function":{"name":"add","arguments":"{}"}}]},)"
            R"("finish_reason":"stop"}]})");
    });
    Caller caller(server.url("/v1"));
    const ChatOutcome outcome = caller.ask();
    const auto& reply = std::get<ChatReply>(outcome);
    QVERIFY(reply.use && reply.use->isEstimated);
    QCOMPARE(reply.use->output, std::int64_t{ 3 }); // the call counts, too
    const std::string id = (*reply.message.find("tool_calls"))[std::size_t{ 0 }].stringOr("id", "");
    QVERIFY2(id.starts_with("call_") && id.size() == 29, id.c_str());
    const std::string message = reply.message.find("id")->asString();
    QVERIFY2(message.starts_with("lc_run--") && message.ends_with("-0") && message.size() == 46
                 && message[22] == '7',
             message.c_str());
}

SG_CORE_TEST(TestChatClient)
#include "tst_chat_client.moc"
