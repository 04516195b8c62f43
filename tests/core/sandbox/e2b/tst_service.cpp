#include "core/base/json.h"
#include "core/sandbox/e2b/service.h"
#include "tests/core/net/scripted_http_server.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::sandbox::e2b;
using test::ScriptedHttpServer;

namespace {

constexpr const char* kSandbox =
    R"({"sandboxID": "abc", "templateID": "base", "clientID": "", "envdVersion": "0.5.7",
                                     "envdAccessToken": "token"})";

// A service whose answers a test gives, and what it was asked.
struct World {
    using Answers = std::function<std::string(const std::string& line, int number)>;

    explicit World(Answers answers, ServiceKind kind = ServiceKind::E2b)
        : server([this, answers](const std::string& request) {
            const std::lock_guard lock(mutex);
            requests.push_back(request);
            return answers(request.substr(0, request.find(" HTTP/")), static_cast<int>(requests.size()));
        })
        , service(connection(kind), [](const std::string& name) -> Result<std::string> {
            if (name == "there")
                return std::string("the-key");
            return Error{ Errc::NotFound, "there is no secret " + name };
        })
    {
    }
    Connection connection(ServiceKind kind) const
    {
        Connection made;
        made.name = "near";
        made.kind = kind;
        made.api = made.sandboxes = server.url("");
        made.key = "there";
        made.sandboxTemplate = "base";
        return made;
    }
    std::string asked() // the first lines
    {
        const std::lock_guard lock(mutex);
        std::string text;
        for (const std::string& each : requests)
            text += each.substr(0, each.find(" HTTP/")) + "\n";
        return text;
    }
    static std::string header(const std::string& request, const std::string& name)
    {
        const std::size_t at = request.find("\r\n" + name + ": ");
        const std::size_t start = at + name.size() + 4;
        return at == std::string::npos ? "" : request.substr(start, request.find("\r\n", start) - start);
    }

    std::mutex mutex;
    std::vector<std::string> requests; // guarded by mutex
    ScriptedHttpServer server;
    Service service;
};

std::string error(int status, const std::string& message, const std::string& headers = {})
{
    return ScriptedHttpServer::response(
        status, toJson(Value::map({ { "code", status }, { "message", message } })), headers);
}

} // namespace

class TestService : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void createsByTheNewerAddress()
    {
        World world([](const auto&, int) { return ScriptedHttpServer::response(201, kSandbox); });
        const auto made =
            world.service.create(Value::map({ { "sandglass", "1" } }), std::chrono::seconds(60));
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        QCOMPARE(made->id, std::string("abc"));
        QCOMPARE(made->token, std::string("token"));
        QVERIFY(made->isAtLeast("0.4.0") && made->isAtLeast("0.5.7") && !made->isAtLeast("0.5.10"));
        QCOMPARE(world.asked(), std::string("POST /v2/sandboxes\n"));
        QCOMPARE(World::header(world.requests[0], "X-API-KEY"), std::string("the-key"));
        const auto body = parseJson(world.requests[0].substr(world.requests[0].find("\r\n\r\n") + 4));
        QCOMPARE(body->intOr("timeout", 0), std::int64_t{ 60 });
        QCOMPARE((*body)["metadata"].stringOr("sandglass", ""), std::string("1"));
        QCOMPARE(body->boolOr("allow_internet_access", true), false);
    }

    void fallsBackToTheOlderAddressAndRemembersIt()
    {
        World world([](const std::string& line, int) {
            return line.find("/v2/") == std::string::npos ? ScriptedHttpServer::response(201, kSandbox)
                                                          : error(404, "404 page not found");
        });
        QVERIFY(world.service.create(Value(ValueMap{}), std::chrono::seconds(60)));
        QVERIFY(world.service.create(Value(ValueMap{}), std::chrono::seconds(60)));
        QCOMPARE(world.asked(), std::string("POST /v2/sandboxes\nPOST /sandboxes\nPOST /sandboxes\n"));
    }

    void asksOpenKruiseAsItWants()
    {
        World world([](const auto&, int) { return ScriptedHttpServer::response(201, kSandbox); },
                    ServiceKind::Kruise);
        QVERIFY(world.service.create(Value(ValueMap{}), std::chrono::seconds(60)));
        QCOMPARE(world.asked(), std::string("POST /sandboxes\n"));
        SG_VERIFY_CONTAINS(world.requests[0], "e2b.agents.kruise.io/claim-timeout-seconds");
    }

    void triesAgainWhatPasses()
    {
        World world([](const auto&, int number) {
            return number < 3 ? error(number == 1 ? 429 : 503, "wait")
                              : ScriptedHttpServer::response(201, kSandbox);
        });
        QVERIFY(world.service.create(Value(ValueMap{}), std::chrono::seconds(60)));
        QCOMPARE(world.requests.size(), std::size_t{ 3 });
        const std::string mark = World::header(world.requests[0], "Idempotency-Key");
        QVERIFY(!mark.empty());
        QCOMPARE(World::header(world.requests[2], "Idempotency-Key"), mark);
    }

    void triesNotAgain_data()
    {
        QTest::addColumn<std::string>("answer");
        QTest::addColumn<int>("code");
        QTest::addColumn<std::string>("says");
        const auto row = [](const char* name, const std::string& answer, Errc code, const char* says) {
            QTest::newRow(name) << answer << static_cast<int>(code) << std::string(says);
        };
        row("401", error(401, "Invalid API Key"), Errc::PermissionDenied, "does not accept the secret there");
        row("403", error(403, "quota"), Errc::LimitExceeded, "quota");
        row("a retry that is not wanted", error(429, "enough", "Should-Retry: false\r\n"),
            Errc::LimitExceeded, "enough");
        row("a retry in an hour", error(429, "enough", "Retry-After: 3600\r\n"), Errc::LimitExceeded,
            "enough");
        row("500", ScriptedHttpServer::response(500, "<html>\x1b[31m", "X-Request-ID: r7\r\n"),
            Errc::Unavailable, "its request r7");
        row("no JSON", ScriptedHttpServer::response(201, "{"), Errc::Corrupt, "not what E2B's protocol says");
        row("no id", ScriptedHttpServer::response(201, "{}"), Errc::Corrupt, "not what E2B's protocol says");
        row("an id with a way out", ScriptedHttpServer::response(201, R"({"sandboxID": "../x"})"),
            Errc::Corrupt, "not what E2B's protocol says");
        row("a token with a line break",
            ScriptedHttpServer::response(201, R"({"sandboxID": "a", "envdAccessToken": "a\r\nb: c"})"),
            Errc::Corrupt, "line break");
    }
    void triesNotAgain()
    {
        QFETCH(const std::string, answer);
        QFETCH(const int, code);
        QFETCH(const std::string, says);
        World world([&](const auto&, int) { return answer; });
        const auto made = world.service.create(Value(ValueMap{}), std::chrono::seconds(60));
        QVERIFY(!made);
        QCOMPARE(static_cast<int>(made.error().code), code);
        SG_VERIFY_CONTAINS(made.error().message, says);
        QVERIFY(made.error().message.find("the-key") == std::string::npos);
        QVERIFY(made.error().message.find('\x1b') == std::string::npos);
        QCOMPARE(world.requests.size(), std::size_t{ 1 });
    }

    void listsPageByPageAndBelievesNoStranger()
    {
        World world([](const std::string& line, int) {
            return line.find("nextToken=p2") == std::string::npos
                ? ScriptedHttpServer::response(200, R"([
                    {"sandboxID": "a", "state": "running", "metadata": {"sandglass": "1"}, "endAt": "2026-01-01T00:00:00Z"},
                    {"sandboxID": "b", "state": "running", "metadata": {"sandglass": "2"}},
                    {"sandboxID": "../c", "state": "running", "metadata": {"sandglass": "1"}}, 7])",
                                               "X-Next-Token: p2\r\n")
                : ScriptedHttpServer::response(
                    200, R"([{"sandboxID": "d", "state": "paused", "metadata": {"sandglass": "1"},
                              "endAt": "0001-01-01T00:00:00Z"}])");
        });
        const auto listed = world.service.list("sandglass", "1");
        QVERIFY2(listed, listed ? "" : listed.error().message.c_str());
        QCOMPARE(listed->size(), std::size_t{ 2 });
        QCOMPARE(listed->at(0).id + (listed->at(0).isPaused ? " paused " : " ") + listed->at(0).endsAt,
                 std::string("a 2026-01-01T00:00:00Z"));
        QCOMPARE(listed->at(1).id + (listed->at(1).isPaused ? " paused " : " ") + listed->at(1).endsAt,
                 std::string("d paused "));
    }

    void endsWhatHasEnded()
    {
        World world([](const auto&, int) { return error(404, "Sandbox abc not found"); });
        QVERIFY(world.service.kill("abc"));
        QCOMPARE(static_cast<int>(world.service.setTime("abc", std::chrono::seconds(60)).error().code),
                 static_cast<int>(Errc::NotFound));
        QCOMPARE(static_cast<int>(world.service.connect("abc", std::chrono::seconds(60)).error().code),
                 static_cast<int>(Errc::NotFound));
    }

    void looksTheKeyUpAgainWhereItIsRefused()
    {
        int lookups = 0;
        ScriptedHttpServer server([&](const std::string& request) {
            return request.find("key-2") == std::string::npos ? error(401, "no")
                                                              : ScriptedHttpServer::response(200, "[]");
        });
        Connection made;
        made.name = "near";
        made.api = made.sandboxes = server.url("");
        made.key = "there";
        made.sandboxTemplate = "base";
        Service service(made, [&](const std::string&) -> Result<std::string> {
            return "key-" + std::to_string(++lookups);
        });
        QVERIFY(!service.check());
        QVERIFY(service.check()); // it was changed meanwhile
        QVERIFY(service.check());
        QCOMPARE(lookups, 2);
    }

    void showsADaemonNoKey()
    {
        World world([](const auto&, int) { return ScriptedHttpServer::response(200, "[]"); });
        QVERIFY(world.service.upload({ "abc", "token", "traffic", "0.2.10" }, "/tmp/a b", "content"));
        const std::string& request = world.requests[0];
        QVERIFY(request.find("the-key") == std::string::npos);
        SG_VERIFY_CONTAINS(request, "POST /files?path=%2Ftmp%2Fa%20b&username=user");
        QCOMPARE(World::header(request, "X-Access-Token"), std::string("token"));
        QCOMPARE(World::header(request, "E2b-Sandbox-Id"), std::string("abc"));
        QCOMPARE(World::header(request, "Authorization"), std::string("Basic dXNlcjo="));
        SG_VERIFY_CONTAINS(request, "name=\"file\"");
        SG_VERIFY_CONTAINS(request, "\r\n\r\ncontent\r\n--");
    }

    void namesWhatSandboxesCanBeMadeOf()
    {
        World lists([](const std::string&, int) {
            return ScriptedHttpServer::response(
                200,
                R"([{"templateID": "t1", "aliases": ["base"]}, {"templateID": "t2", "aliases": []}, {}])");
        });
        QCOMPARE(*lists.service.templates(), (std::vector<std::string>{ "base", "t2" }));
        World none([](const std::string&, int) { return error(404, "no such address"); });
        QVERIFY(none.service.templates().error().code == Errc::Unsupported);
    }
};

SG_TEST(TestService)
#include "tst_service.moc"
