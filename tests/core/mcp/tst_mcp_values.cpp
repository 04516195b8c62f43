#include "core/base/json.h"
#include "core/mcp/http_wire.h"
#include "core/mcp/json_rpc.h"
#include "core/mcp/server_settings.h"
#include "core/mcp/tools.h"
#include "core/servers/mcp/graph_tool.h"
#include "core/servers/mcp/sealed_state.h"
#include "tests/core/net/scripted_http_server.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

using namespace sg;
using namespace sg::mcp;

namespace {

// Slashes are escaped in these texts: two of them begin a comment for the generator of meta-objects, in raw
// strings too.
Value parsed(const char* text)
{
    auto value = parseJson(text);
    return value ? std::move(*value) : Value("not JSON: " + value.error().message);
}

} // namespace

class TestMcpValues : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsMessages_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("kind"); // -1: none
        const auto row = [](const char* name, const char* text, int kind) {
            QTest::newRow(name) << QByteArray(text) << kind;
        };
        row("request", R"({"jsonrpc":"2.0","id":1,"method":"a"})", 0);
        row("request by text", R"({"jsonrpc":"2.0","id":"x","method":"a","params":{}})", 0);
        row("notice", R"({"jsonrpc":"2.0","method":"a"})", 1);
        row("answer", R"({"jsonrpc":"2.0","id":1,"result":{}})", 2);
        row("failure", R"({"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"m"}})", 3);
        row("failure of nothing", R"({"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"m"}})", 3);
        row("no version", R"({"id":1,"method":"a"})", -1);
        row("null id", R"({"jsonrpc":"2.0","id":null,"method":"a"})", -1);
        row("broken id", R"({"jsonrpc":"2.0","id":1.5,"method":"a"})", -1);
        row("a batch", R"([{"jsonrpc":"2.0","id":1,"method":"a"}])", -1);
        row("parameters in a list", R"({"jsonrpc":"2.0","id":1,"method":"a","params":[1]})", -1);
        row("no JSON", "{not json", -1);
    }
    void readsMessages()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const int, kind);
        const auto message = parseMessage(text.toStdString());
        QCOMPARE(message ? static_cast<int>(message->kind) : -1, kind);
        if (message && message->kind != RpcMessage::Kind::Failure) {
            const auto again = parseMessage(messageText(*message)); // a request's id keeps its type
            QVERIFY(again && again->id == message->id && again->method == message->method);
        }
    }

    // A failure's text goes into messages, logs and checkpoints.
    void aFailureSaysSoMuch()
    {
        const auto message =
            parseMessage("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-1,\"message\":\""
                         + std::string(1U << 20, 'x') + "\"}}");
        QVERIFY(message);
        QVERIFY(message->message.size() < 20'000);
        QVERIFY(message->message.ends_with("…"));
    }

    // A person chooses among texts; "1" and "true" are some of them.
    void anAnswerIsOneOfTheOptions_data()
    {
        QTest::addColumn<QByteArray>("question");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QByteArray>("answer");
        const auto row = [](const char* name, const char* question, const char* content, const char* answer) {
            QTest::newRow(name) << QByteArray(question) << QByteArray(content) << QByteArray(answer);
        };
        row("a text", R"({"answers":["1","2"]})", R"({"answer":"1"})", R"("1")");
        row("a number", R"({"answers":[1,2]})", R"({"answer":"1"})", "1");
        row("free", R"({"question":"?"})", R"({"answer":"true"})", "true");
        row("a form", R"({"schema":{"type":"object"}})", R"({"a":"1"})", R"({"a":"1"})");
    }
    void anAnswerIsOneOfTheOptions()
    {
        QFETCH(const QByteArray, question);
        QFETCH(const QByteArray, content);
        QFETCH(const QByteArray, answer);
        QCOMPARE(toJson(servers::formAnswer(parsed(question), parsed(content))), answer.toStdString());
    }

    void namesHideNothing()
    {
        std::set<std::string> taken;
        const auto offered = [&taken](const char* tool) {
            std::string name = offeredName("files", tool, taken);
            taken.insert(name);
            return name;
        };
        QCOMPARE(offered("read"), std::string("files_read"));
        QCOMPARE(offered("read"), std::string("files_read_2"));
        QCOMPARE(offered("a/b c\n"), std::string("files_a_b_c_"));
        const std::string one = offered(std::string(200, 'x').c_str());
        const std::string other = offered((std::string(200, 'x') + "y").c_str());
        QVERIFY(one.size() <= kLongestName && other.size() <= kLongestName && one != other);
    }

    void aToolIsMeasured()
    {
        const auto plain = parseTool(parsed(R"({"name": "a", "inputSchema": {"type": "object"}})"));
        QVERIFY(plain);
        for (const char* wrong : { R"({"inputSchema": {}})", R"({"name": "", "inputSchema": {}})",
                                   R"({"name": "a"})", R"({"name": "a", "inputSchema": {"type": "array"}})",
                                   R"({"name": "a", "inputSchema": {}, "outputSchema": 1})", "1" })
            QVERIFY2(!parseTool(parsed(wrong)), wrong);
        const auto before = parseTool(parsed(R"({"name": "a", "inputSchema": {}, "description": "x"})"));
        const auto after = parseTool(parsed(R"({"name": "a", "inputSchema": {}, "description": "y"})"));
        QVERIFY(before->fingerprint() != after->fingerprint());
        QVERIFY(before->destructive && before->openWorld && !before->readOnly); // what nobody said
    }

    void aResultBecomesText()
    {
        const auto result = parseToolResult(parsed(
            R"({"content": [{"type": "text", "text": "a"}, {"type": "image", "mimeType": "image/png", "data": "AAAA"},
                {"type": "resource_link", "uri": "u:\/\/x", "name": "n"}]})"));
        QVERIFY(result);
        QCOMPARE(result->text(), std::string("a\n[image, image/png, 3 bytes]\n[n: u://x]"));
        QVERIFY(!parseToolResult(parsed("1")));
        QVERIFY(!parseToolResult(parsed("{}")));
        const auto unasked = parseToolResult(parsed(R"({"resultType": "input_required"})"));
        QVERIFY(!unasked);
        const auto sampling = parseToolResult(parsed(
            R"({"resultType": "input_required", "inputRequests": {"k": {"method": "sampling/createMessage"}}})"));
        QVERIFY(!sampling);
    }

    void settingsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("entry");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* entry, const char* says) {
            QTest::newRow(entry) << QByteArray(entry) << QByteArray(says);
        };
        row(R"({"s": {}})", "either");
        row(R"({"s": {"command": "a", "url": "http:\/\/b"}})", "either");
        row(R"({"s": {"url": "ftp:\/\/b"}})", "http");
        row(R"({"s": {"url": "https:\/\/me:word@b"}})", "password");
        row(R"({"s": {"args": ["a"], "url": "http:\/\/b"}})", "args");
        row(R"({"s": {"command": "a", "files": "../b"}})", "files");
        row(R"({"s": {"url": "http:\/\/b", "headers": {"A": "b\r\nC: d"}}})", "header");
        row(R"({"s": {"url": "http:\/\/b", "headers": {"A": "{secret}"}}})", "secret");
        row(R"({"s": {"command": "a", "timeout_s": 0}})", "timeout_s");
        row(R"({"s": {"command": "a", "outside": "yes"}})", "outside");
        row(R"({"a b": {"command": "a"}})", "name");
        row(R"([1])", "object");
    }
    void settingsAreRefused()
    {
        QFETCH(const QByteArray, entry);
        QFETCH(const QByteArray, says);
        const auto servers = readServers(parsed(entry.constData()));
        QVERIFY(!servers);
        SG_VERIFY_CONTAINS(servers.error().message, says.toStdString());
    }

    void onlyASandboxWithoutASecretNeedsNoPermission()
    {
        const auto risk = [](const char* entry) { return (*readServers(parsed(entry))).front().risk(); };
        const std::string inside = risk(R"({"s": {"command": "a"}})");
        const std::string outside = risk(R"({"s": {"command": "a", "outside": true}})");
        const std::string secret = risk(R"({"s": {"command": "a", "secret": "key"}})");
        const std::string remote = risk(R"({"s": {"url": "https:\/\/a"}})");
        QCOMPARE(inside, std::string());
        QVERIFY(!outside.empty());
        QVERIFY(!secret.empty());
        QVERIFY(!remote.empty());
    }

    void aStateCannotBeForged()
    {
        using namespace std::chrono_literals;
        const WallTime now{ 1000s };
        const Value value = Value::map({ { "thread", "t" } });
        const std::string text = servers::sealed("key", "tool", value, now + 60s);
        QVERIFY(servers::unsealed("key", "tool", text, now) == value);
        QVERIFY(!servers::unsealed("key", "tool", text, now + 61s));
        QVERIFY(!servers::unsealed("other", "tool", text, now));
        QVERIFY(!servers::unsealed("key", "other tool", text, now));
        for (std::size_t at = 0; at < text.size(); ++at) {
            std::string changed = text;
            changed[at] = changed[at] == 'A' ? 'B' : 'A';
            QVERIFY(!servers::unsealed("key", "tool", changed, now));
            QVERIFY(!servers::unsealed("key", "tool", text.substr(0, at), now));
        }
    }

    void aDroppedStreamGoesOnWhereItWasLeft_data()
    {
        QTest::addColumn<bool>("isNumbered");
        QTest::addColumn<QByteArray>("version");
        QTest::addColumn<QByteArray>("rest"); // HTTP status of the rest
        QTest::addColumn<QByteArray>("told");
        QTest::addColumn<int>("requests");
        QTest::newRow("the server keeps it")
            << true << QByteArray("2025-11-25") << QByteArray("200") << QByteArray("step 1;step 2;done") << 3;
        QTest::newRow("the server has forgotten it")
            << true << QByteArray("2025-11-25") << QByteArray("405")
            << QByteArray("it does not give the rest (HTTP 405); tools/call may have had its effect") << 2;
        QTest::newRow("no event has a number")
            << false << QByteArray("2025-11-25") << QByteArray("200")
            << QByteArray("ended without an answer; tools/call may have had its effect") << 1;
        QTest::newRow("the modern era has no such thing")
            << true << QByteArray("2026-07-28") << QByteArray("200")
            << QByteArray("ended without an answer; tools/call may have had its effect") << 1;
    }
    void aDroppedStreamGoesOnWhereItWasLeft()
    {
        QFETCH(const bool, isNumbered);
        QFETCH(const QByteArray, version);
        QFETCH(const QByteArray, rest);
        QFETCH(const QByteArray, told);
        QFETCH(const int, requests);
        const auto stream = [](const std::string& events) {
            return test::ScriptedHttpServer::response(200, events, "Content-Type: text/event-stream\r\n");
        };
        const auto notice = [](int step) {
            return "data: "
                + messageText(rpcNotice("notifications/progress",
                                        Value::map({ { "message", "step " + std::to_string(step) } })))
                + "\n\n";
        };
        std::vector<std::string> asked;
        test::ScriptedHttpServer server([&](const std::string& request) {
            asked.push_back(request);
            const std::string one = isNumbered ? "id: one\nretry: 1\n" : "";
            if (asked.size() == 1) // an event to begin with, a notice, and half of another
                return stream(one + "data:\n\n" + notice(1) + "id: lost\ndata: {");
            if (rest != "200")
                return test::ScriptedHttpServer::response(rest.toInt(), "no");
            if (asked.size() == 2)
                return stream("id: two\n" + notice(2));
            return stream("data: " + messageText(rpcAnswer(Value(1), Value("done"))) + "\n\n");
        });
        const auto wire = makeHttpWire({ server.url("/mcp"), {} });
        wire->settle(version.toStdString());
        std::string text;
        Ask ask{ .method = "tools/call" };
        ask.onNotice = [&](const RpcMessage& said) { text += said.content.stringOr("message", "") + ";"; };
        const auto answer = wire->ask(ask);
        text = answer ? text + toJson(answer->content) : answer.error().message;
        text.erase(std::remove(text.begin(), text.end(), '"'), text.end());
        SG_VERIFY_CONTAINS(text, told.toStdString());
        QCOMPARE(int(asked.size()), requests);
        if (asked.size() > 1) {
            QVERIFY2(asked[1].starts_with("GET "), asked[1].c_str());
            SG_VERIFY_CONTAINS(asked[1], "Last-Event-ID: one\r\n");
        }
        if (asked.size() > 2)
            SG_VERIFY_CONTAINS(asked[2], "Last-Event-ID: two\r\n");
    }

    void headersHoldWhatTheyCan()
    {
        QCOMPARE(headerText("add"), std::string("add"));
        QCOMPARE(headerText("zäh"), std::string("=?base64?esOkaA==?="));
        QCOMPARE(headerText("a\r\nb"), std::string("=?base64?YQ0KYg==?="));
        QVERIFY(headerText("=?base64?YQ==?=") != "=?base64?YQ==?=");
    }
};

SG_TEST(TestMcpValues)
#include "tst_mcp_values.moc"
