#include "core/base/clock.h"
#include "core/mcp/stdio_wire.h"
#include "core/mcp/tool_servers.h"
#include "tests/core/mcp/scripted_process.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <semaphore>
#include <thread>

using namespace sg;
using namespace sg::mcp;
using namespace std::chrono_literals;
using test::ScriptedProcess;
using Script = ScriptedProcess::Script;

namespace {

Value textResult(const char* text)
{
    return Value::map(
        { { "content", Value::list({ Value::map({ { "type", "text" }, { "text", text } }) }) } });
}

// A server of the handshake era with the tool "work"; calls wait where `holds` is set.
void serve(Script& script, const RpcMessage& message, bool holds)
{
    if (message.method == "initialize")
        script.say(rpcAnswer(message.id,
                             Value::map({ { "protocolVersion", "2025-11-25" },
                                          { "capabilities", Value::map({ { "tools", Value(ValueMap()) } }) },
                                          { "serverInfo", Value(ValueMap()) } })));
    else if (message.method == "tools/list")
        script.say(rpcAnswer(
            message.id,
            Value::map({ { "tools",
                           Value::list({ Value::map(
                               { { "name", "work" },
                                 { "inputSchema", Value::map({ { "type", "object" } }) } }) }) } })));
    else if (message.method == "tools/call" && !holds)
        script.say(rpcAnswer(message.id, textResult("done")));
    else if (message.kind == RpcMessage::Kind::Request && message.method != "tools/call")
        script.say(rpcFailure(message.id, rpc_code::kNoMethod, message.method));
}

const Tool kWork{ "work", {}, {}, Value::map({ { "type", "object" } }) };

} // namespace

class TestToolServers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tellsAServerWhichCallItIs()
    {
        Script script;
        script.answer = [](Script& its, const RpcMessage& message) { serve(its, message, false); };
        int starts = 0;
        const auto servers = made(script, starts, ToolServers::kIdle);
        CallOptions options;
        options.effect = "the same when it is made again";
        QCOMPARE(servers->call("one", kWork, Value(ValueMap()), options)->text(), std::string("done"));
        const std::lock_guard lock(script.mutex);
        const auto call = std::ranges::find(script.heard, std::string("tools/call"), &RpcMessage::method);
        QVERIFY(call != script.heard.end());
        QCOMPARE(call->content["_meta"].stringOr("sandglass/idempotencyKey", ""), options.effect);
    }

    void startsAServerOnceForAllCalls()
    {
        Script script;
        script.answer = [](Script& its, const RpcMessage& message) { serve(its, message, false); };
        int starts = 0;
        auto servers = made(script, starts, ToolServers::kIdle);
        for (int call = 0; call < 3; ++call)
            QCOMPARE(servers->call("one", kWork, Value(ValueMap()), {})->text(), std::string("done"));
        QVERIFY(static_cast<bool>(servers->list("one", {})));
        QCOMPARE(starts, 1);
        servers.reset();
        QCOMPARE(script.living.load(), 0);
    }

    void endsOneThatNobodyCallsAndStartsItAgain()
    {
        Script script;
        script.answer = [](Script& its, const RpcMessage& message) { serve(its, message, false); };
        int starts = 0;
        const auto servers = made(script, starts, 50ms);
        QVERIFY(static_cast<bool>(servers->call("one", kWork, Value(ValueMap()), {})));
        QVERIFY(test::waitFor([&] { return script.living == 0; }));
        QCOMPARE(servers->call("one", kWork, Value(ValueMap()), {})->text(), std::string("done"));
        QCOMPARE(starts, 2);
    }

    void waitsForAModernServerThatIsSlowToStart()
    {
        Script script;
        int asked = 0;
        script.answer = [&asked](Script& its, const RpcMessage& message) {
            if (message.method == "initialize")
                its.say(rpcFailure(message.id, rpc_code::kVersion, "no handshake is accepted"));
            else if (message.method == "server/discover" && ++asked > 1)
                its.say(rpcAnswer(message.id,
                                  Value::map({ { "supportedVersions", Value::list({ kModernVersion }) },
                                               { "capabilities", Value(ValueMap()) } })));
        };
        ClientOptions options;
        options.probe = 20ms;
        const auto client =
            Client::open(makeStdioWire(std::make_unique<ScriptedProcess>(script)), options, {});
        QVERIFY(static_cast<bool>(client));
        QVERIFY((*client)->info().isModern);
    }

    void anErrorBehindManyNoticesArrives()
    {
        Script script;
        script.answer = [](Script& its, const RpcMessage& message) {
            serve(its, message, true);
            if (message.method != "tools/call")
                return;
            const Value told = Value::map(
                { { "progressToken", message.content["_meta"]["progressToken"] }, { "progress", 1 } });
            for (int notice = 0; notice < 10'100; ++notice) // more than are kept for a request
                its.say(rpcNotice("notifications/progress", told));
            its.say(rpcFailure(message.id, -32000, "disk full on the server"));
            its.say(rpcNotice("notifications/message", Value(ValueMap())));
        };
        std::atomic<bool> isRead = false;
        auto wire = makeStdioWire(std::make_unique<ScriptedProcess>(script), {},
                                  [&isRead](const RpcMessage&) { isRead = true; });
        const auto client = Client::open(std::move(wire), {}, {});
        QVERIFY(static_cast<bool>(client));
        CallOptions options;
        options.timeout = 20'000ms;
        bool wasFull = false;
        options.onProgress = [&](const Progress&) { wasFull = test::waitFor([&] { return isRead.load(); }); };
        const auto result = (*client)->callTool(kWork, Value(ValueMap()), options);
        QVERIFY(wasFull);
        QVERIFY(static_cast<bool>(result));
        QCOMPARE(result->text(), std::string("disk full on the server"));
    }

    void endsNoneDuringACall()
    {
        Script script;
        script.answer = [](Script& its, const RpcMessage& message) { serve(its, message, true); };
        int starts = 0;
        const auto servers = made(script, starts, 20ms);
        CallOptions options;
        options.timeout = 500ms; // many times as long as it is kept without a call
        const auto result = servers->call("one", kWork, Value(ValueMap()), options);
        QVERIFY(result->text().find("has not answered") != std::string::npos);
        QCOMPARE(starts, 1);
    }

    // Such a server does not say which call its question is about.
    void givesAQuestionToTheOnlyCallThatIsLeft()
    {
        Script script;
        script.answer = [](Script& its, const RpcMessage& message) { serve(its, message, true); };
        int starts = 0;
        const auto servers = made(script, starts, ToolServers::kIdle);
        QVERIFY(static_cast<bool>(servers->list("one", {})));
        std::atomic<int> asked{ 0 };
        const auto call = [&](bool mayAsk) {
            CallOptions options;
            options.askPerson = [&asked, mayAsk](const ToolQuestion&) -> ToolAnswer {
                asked += mayAsk ? 1 : 100;
                return { ToolAnswer::Action::Decline, {} };
            };
            return servers->call("one", kWork, Value(ValueMap()), options)->text();
        };
        std::string first;
        std::string second;
        std::jthread one([&] { first = call(false); });
        QVERIFY(test::waitFor([&] { return script.hasHeard("tools/call", 1); }));
        std::jthread two([&] { second = call(true); });
        QVERIFY(test::waitFor([&] { return script.hasHeard("tools/call", 2); }));
        const auto ids = callIds(script);
        say(script, rpcRequest(7, "elicitation/create", Value::map({ { "message", "Well?" } })));
        QTest::qWait(50);
        QCOMPARE(asked.load(), 0); // either could have asked
        say(script, rpcAnswer(ids[0], textResult("first")));
        one.join();
        QVERIFY(test::waitFor([&] { return asked == 1; }));
        say(script, rpcAnswer(ids[1], textResult("second")));
        two.join();
        QCOMPARE(first + " " + second, std::string("first second"));
    }

    // A person can be asked only so much, and what waits for an answer takes memory.
    void refusesQuestionsWithoutEnd()
    {
        Script script;
        script.answer = [](Script& its, const RpcMessage& message) { serve(its, message, true); };
        int starts = 0;
        const auto servers = made(script, starts, ToolServers::kIdle);
        QVERIFY(static_cast<bool>(servers->list("one", {})));
        std::counting_semaphore<> goOn(0);
        std::atomic<int> asked{ 0 };
        std::string text;
        std::jthread one([&] {
            CallOptions options;
            options.askPerson = [&](const ToolQuestion&) -> ToolAnswer {
                if (++asked == 1)
                    goOn.acquire();
                return { ToolAnswer::Action::Decline, {} };
            };
            text = servers->call("one", kWork, Value(ValueMap()), options)->text();
        });
        QVERIFY(test::waitFor([&] { return script.hasHeard("tools/call", 1); }));
        for (int each = 0; each < 1000; ++each)
            say(script,
                rpcRequest(7000 + each, "elicitation/create", Value::map({ { "message", "Well?" } })));
        QVERIFY(
            test::waitFor([&] { return failures(script) >= 800; })); // while the first is not answered yet
        goOn.release();
        say(script, rpcAnswer(callIds(script)[0], textResult("done")));
        one.join();
        QCOMPARE(text, std::string("done"));
        QVERIFY(asked >= 1 && asked <= 110);
    }

    void callsWhileToolsAreListed()
    {
        Script script;
        std::atomic<bool> isHeld{ false };
        script.answer = [&isHeld](Script& its, const RpcMessage& message) {
            if (message.method != "tools/list" || !isHeld)
                serve(its, message, false);
        };
        int starts = 0;
        const auto servers = made(script, starts, ToolServers::kIdle);
        QCOMPARE(servers->call("one", kWork, Value(ValueMap()), {})->text(), std::string("done"));
        isHeld = true;
        std::stop_source stop;
        std::jthread lister([&] { (void)servers->list("one", stop.get_token()); });
        QVERIFY(test::waitFor([&] { return script.hasHeard("tools/list", 1); }));
        QCOMPARE(servers->call("one", kWork, Value(ValueMap()), {})->text(), std::string("done"));
        stop.request_stop();
    }

    void makesOneCallAtATimeOnceAllHaveAsked()
    {
        Script script;
        script.answer = [](Script& its, const RpcMessage& message) { serve(its, message, true); };
        int starts = 0;
        const auto servers = made(script, starts, ToolServers::kIdle);
        QVERIFY(static_cast<bool>(servers->list("one", {})));
        const auto call = [&](std::string& text) {
            CallOptions options;
            options.askPerson = [](const ToolQuestion&) -> ToolAnswer { std::abort(); };
            text = servers->call("one", kWork, Value(ValueMap()), options)->text();
        };
        std::array<std::string, 4> texts;
        std::jthread one([&] { call(texts[0]); });
        std::jthread two([&] { call(texts[1]); });
        QVERIFY(test::waitFor([&] { return script.hasHeard("tools/call", 2); }));
        say(script, rpcRequest(7, "elicitation/create", Value::map({ { "message", "Well?" } })));
        say(script, rpcRequest(8, "elicitation/create", Value::map({ { "message", "Well?" } })));
        QVERIFY(test::waitFor([&] { return failures(script) == 2; }));
        for (const Value& id : callIds(script))
            say(script, rpcAnswer(id, textResult("refused")));
        one.join();
        two.join();
        std::jthread three([&] { call(texts[2]); });
        QVERIFY(test::waitFor([&] { return script.hasHeard("tools/call", 3); }));
        std::jthread four([&] { call(texts[3]); });
        QTest::qWait(50);
        QVERIFY(!script.hasHeard("tools/call", 4));
        say(script, rpcAnswer(callIds(script)[2], textResult("three")));
        QVERIFY(test::waitFor([&] { return script.hasHeard("tools/call", 4); }));
        say(script, rpcAnswer(callIds(script)[3], textResult("four")));
        three.join();
        four.join();
        QCOMPARE(texts[2] + " " + texts[3], std::string("three four"));
    }

private:
    std::unique_ptr<ToolServers> made(Script& script, int& starts, std::chrono::milliseconds idle)
    {
        ServerSettings settings;
        settings.name = "one";
        settings.command = { "one" };
        return std::make_unique<ToolServers>(
            std::vector{ settings },
            [&script, &starts](const ServerSettings&, bool, const std::stop_token& stop) {
                ++starts;
                return Client::open(makeStdioWire(std::make_unique<ScriptedProcess>(script)), {}, stop);
            },
            m_clock, idle);
    }

    static void say(Script& script, const RpcMessage& message)
    {
        const std::lock_guard lock(script.mutex);
        script.say(message);
    }

    static std::vector<Value> callIds(Script& script)
    {
        const std::lock_guard lock(script.mutex);
        std::vector<Value> ids;
        for (const RpcMessage& message : script.heard)
            if (message.method == "tools/call")
                ids.push_back(message.id);
        return ids;
    }

    static int failures(Script& script)
    {
        const std::lock_guard lock(script.mutex);
        int found = 0;
        for (const RpcMessage& message : script.heard)
            found += message.kind == RpcMessage::Kind::Failure ? 1 : 0;
        return found;
    }

    SystemClock m_clock;
};

SG_TEST(TestToolServers)
#include "tst_tool_servers.moc"
