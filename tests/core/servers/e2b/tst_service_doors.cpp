// Who gets in, by which way, and what everybody else is told. No sandbox is made.

#include "core/artifacts/artifact_store.h"
#include "core/net/http_client.h"
#include "core/servers/e2b/e2b_service.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;

namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct World {
    explicit World(bool isLikeKruise = false)
    {
        auto opened = artifacts::openArtifactStore(folder / "artifacts.sqlite", folder / "blobs");
        if (!opened)
            std::abort();
        store = std::move(*opened);
        sessions = std::make_unique<sessions::SessionManager>(
            sessions::SessionManager::Backends(), *store, clock, random, sessions::SessionManagerOptions());
        servers::E2bOptions options;
        options.keys = folder / "keys.json";
        options.http.port = 0;
        options.isLikeKruise = isLikeKruise;
        options.hosts = { "sandboxes.test" };
        key = *servers::makeE2bKey(options.keys, "me", { 1, std::chrono::seconds(60) });
        auto started = servers::E2bService::start(
            *sessions, [] { return Result<sessions::SessionSpec>(sessions::SessionSpec()); }, clock, options);
        if (!started)
            std::abort();
        service = std::move(*started);
    }
    net::HttpResponse ask(const std::string& method, const std::string& path, Headers headers,
                          const std::string& body = {})
    {
        net::HttpRequest request;
        request.method = method;
        request.url = "http://127.0.0.1:" + std::to_string(service->port()) + path;
        request.headers = std::move(headers);
        request.body = body;
        auto answer = client.send(request);
        if (!answer)
            return { 0, {}, answer.error().message };
        return std::move(*answer);
    }

    test::TempDir folder;
    SystemClock clock;
    SystemRandom random;
    std::unique_ptr<artifacts::ArtifactStore> store;
    std::unique_ptr<sessions::SessionManager> sessions;
    std::string key;
    std::unique_ptr<servers::E2bService> service;
    net::HttpClient client;
};

} // namespace

class TestServiceDoors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void answers_data()
    {
        QTest::addColumn<std::string>("asked"); // "METHOD PATH"
        QTest::addColumn<Headers>("headers");
        QTest::addColumn<int>("status");
        const auto row = [](const char* name, const char* asked, const Headers& headers, int status) {
            QTest::newRow(name) << std::string(asked) << headers << status;
        };
        const std::pair<std::string, std::string> mine{ "X-API-KEY", "KEY" };
        row("health needs no key", "GET /health", {}, 200);
        row("no key", "GET /v2/sandboxes", {}, 401);
        row("another key", "GET /v2/sandboxes", { { "X-API-KEY", "e2b_1" } }, 401);
        row("a list", "GET /v2/sandboxes", { mine }, 200);
        row("the older list", "GET /sandboxes", { mine }, 200);
        row("the same below OpenKruise's prefix", "GET /kruise/api/v2/sandboxes", { mine }, 200);
        row("a filter that is none", "GET /v2/sandboxes?metadata=%25zz", { mine }, 400);
        row("no sandbox", "GET /sandboxes/abc", { mine }, 404);
        row("an end of none", "DELETE /sandboxes/abc", { mine }, 404);
        row("a way out", "GET /sandboxes/..%2f..%2fkeys", { mine }, 404);
        row("nothing", "GET /teams", { mine }, 404);
        row("no method", "PUT /sandboxes", { mine }, 405);
        row("no backend", "POST /sandboxes", { mine }, 503);
        row("a page of another site", "GET /v2/sandboxes", { mine, { "Origin", "https://evil.test" } }, 403);
        row("this site's own page", "GET /v2/sandboxes", { mine, { "Origin", "http://127.0.0.1" } }, 403);
        row("a name of somebody else's", "GET /v2/sandboxes", { mine, { "Host", "evil.test" } }, 403);
        row("a name that was allowed", "GET /v2/sandboxes", { mine, { "Host", "sandboxes.test" } }, 200);
        // The same for every sandbox that this client does not have, by whichever way.
        row("a sandbox by headers", "POST /process.Process/List", { { "E2b-Sandbox-Id", "abc" } }, 502);
        row("a sandbox by its host", "GET /health", { { "Host", "49983-abc.sandboxes.test" } }, 502);
        row("a sandbox by its path", "GET /kruise/abc/49983/health", {}, 502);
        row("a path with a way out", "GET /kruise/..%2f/49983/health", {}, 502);
        row("a path with no port", "GET /kruise/abc/x/health", {}, 502);
        row("a file with a signature of nobody", "GET /files?path=a&signature=v1_x", {}, 401);
        row("a file of no sandbox", "GET /files?path=a", {}, 502);
    }
    void answers()
    {
        QFETCH(const std::string, asked);
        QFETCH(Headers, headers);
        QFETCH(const int, status);
        World world;
        for (auto& [name, value] : headers)
            if (value == "KEY")
                value = world.key;
        const std::size_t space = asked.find(' ');
        const auto answer = world.ask(asked.substr(0, space), asked.substr(space + 1), headers);
        QVERIFY2(answer.status == status, (std::to_string(answer.status) + ": " + answer.body).c_str());
        if (status >= 400) {
            SG_VERIFY_CONTAINS(answer.body, "\"code\":" + std::to_string(status));
            SG_VERIFY_CONTAINS(answer.body, "\"message\":");
            QVERIFY(answer.body.find(world.key) == std::string::npos);
        }
    }

    void asOpenKruiseItHasNoNewerAddresses()
    {
        World world(true);
        const Headers mine{ { "X-API-KEY", world.key } };
        QCOMPARE(world.ask("POST", "/v2/sandboxes", mine).status, 404);
        QCOMPARE(world.ask("POST", "/v2/sandboxes/abc/connect", mine).status, 404);
        QCOMPARE(world.ask("GET", "/v2/sandboxes", mine).status, 200);
        QCOMPARE(world.ask("POST", "/sandboxes", mine).status, 503);
    }

    void metadataAreTexts_data()
    {
        QTest::addColumn<std::string>("body");
        for (const char* body :
             { R"({"metadata": 7})", R"({"metadata": {"a": 1}})", R"({"envVars": []})", "[]", "{" })
            QTest::newRow(body) << std::string(body);
        QTest::newRow("too long") << "{\"metadata\": {\"a\": \"" + std::string(70'000, 'x') + "\"}}";
    }
    void metadataAreTexts()
    {
        QFETCH(const std::string, body);
        World world;
        QCOMPARE(world.ask("POST", "/sandboxes", { { "X-API-KEY", world.key } }, body).status, 400);
    }
};

SG_TEST(TestServiceDoors)
#include "tst_service_doors.moc"
