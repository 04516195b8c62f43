// The key of a task's effect outside stays, so that a service can recognise what was done before.

#include "core/base/json.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/engine/effect_key.h"
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

// The keys that a server was told, one for each request.
class KeyServer {
public:
    std::vector<std::string> keys;
    ScriptedHttpServer server{ [this](const std::string& request) {
        const std::string name = "idempotency-key: ";
        const std::size_t at = request.find(name);
        keys.push_back(at == std::string::npos
                           ? "none"
                           : request.substr(at + name.size(), request.find('\r', at) - at - name.size()));
        return ScriptedHttpServer::response(
            200, R"({"choices":[{"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}]})",
            "Content-Type: application/json\r\n");
    } };

    engine::NodeOutcome run(FakeTaskContext& context, const char* kind, Value settings)
    {
        nodes::NodeWorld world;
        world.jqHelper = std::string(SG_BIN_DIR) + "/sandglass-jq";
        world.mayReach = [](const models::BaseUrl&) -> Result<void> { return {}; };
        auto desk = std::make_shared<models::ModelDesk>();
        desk->client = &m_client;
        desk->budget = std::make_shared<models::ChatBudget>(models::ChatLimits{},
                                                            *models::PriceTable::parse("{}"), m_clock);
        world.models = std::move(desk);
        world.llmDefaults = Value::map({ { "base_url", server.url("/v1") }, { "model", "m" } });
        const auto catalog = nodes::makeNodeCatalog(std::move(world));
        graph::Node node;
        node.name = NodeId("work");
        node.kind = kind;
        node.settings = settings.asMap();
        const auto body = catalog->makeNode(node);
        if (!body)
            return engine::Failure{ "Settings", body.error().message };
        return (*body)->run(context);
    }

    void post(FakeTaskContext& context, const char* method = "POST", ValueMap headers = {})
    {
        static_cast<void>(run(context, "http",
                              Value::map({ { "url", server.url("/orders") },
                                           { "method", method },
                                           { "headers", Value(std::move(headers)) },
                                           { "channel", "answer" } })));
    }

private:
    SystemClock m_clock;
    SystemRandom m_random;
    models::ChatClient m_client{ m_clock, m_random };
};

} // namespace

class TestEffectKeys : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRequestThatIsMadeAgainHasTheSameKey()
    {
        KeyServer told;
        FakeTaskContext first;
        told.post(first);
        FakeTaskContext again; // after a crash: another run
        again.task.run = RunId("another");
        told.post(again);
        FakeTaskContext retry;
        retry.task.attempt = 2;
        told.post(retry);
        FakeTaskContext other;
        other.task.task = TaskId("other");
        told.post(other);
        FakeTaskContext elsewhere;
        elsewhere.task.thread = ThreadId("bob");
        told.post(elsewhere);
        QCOMPARE(told.keys.size(), std::size_t(5));
        QCOMPARE(told.keys[0].size(), std::size_t(64));
        QCOMPARE(told.keys[1], told.keys[0]);
        QCOMPARE(told.keys[2], told.keys[0]);
        QVERIFY(told.keys[3] != told.keys[0]);
        QVERIFY(told.keys[4] != told.keys[0] && told.keys[4] != told.keys[3]);
    }

    void onlyRequestsThatDoMoreWhenTheyAreRepeatedHaveOne()
    {
        KeyServer told;
        FakeTaskContext context;
        for (const char* method : { "GET", "PUT", "DELETE", "PATCH" })
            told.post(context, method);
        QCOMPARE(std::ranges::count(told.keys, std::string("none")), std::ptrdiff_t(3));
        QCOMPARE(told.keys.back().size(), std::size_t(64));
    }

    void theGraphsOwnKeyStays()
    {
        KeyServer told;
        FakeTaskContext context;
        told.post(context, "POST", { { "idempotency-key", "order 7" } });
        QCOMPARE(told.keys, std::vector<std::string>{ "order 7" });
    }

    void aModelIsToldWhichCallItIs()
    {
        KeyServer told;
        const auto ask = [&](const char* run, int attempt, const char* text) {
            const auto message =
                checkpoint::makeMessage({ { "type", "human" }, { "content", text }, { "id", "h1" } });
            FakeTaskContext context(Value::map({ { "messages", Value::list({ *message }) } }));
            context.task.run = RunId(run);
            context.task.attempt = attempt;
            static_cast<void>(told.run(context, "llm", Value(ValueMap())));
        };
        ask("first", 1, "hello");
        ask("second", 1, "hello");
        ask("second", 2, "hello"); // another attempt wants another answer
        ask("second", 1, "good evening");
        QCOMPARE(told.keys.size(), std::size_t(4));
        QCOMPARE(told.keys[0].size(), std::size_t(64));
        QCOMPARE(told.keys[1], told.keys[0]);
        QVERIFY(told.keys[2] != told.keys[0]);
        QVERIFY(told.keys[3] != told.keys[0] && told.keys[3] != told.keys[2]);
    }
};

SG_TEST(TestEffectKeys)
#include "tst_effect_keys.moc"
