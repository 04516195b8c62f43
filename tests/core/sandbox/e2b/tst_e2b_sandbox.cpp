// A sandbox of a service that answers what a test wants: pauses, ends, and what is said of them.

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/net/connect_rpc.h"
#include "core/sandbox/e2b/e2b_sandbox.h"
#include "tests/core/net/scripted_http_server.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <QTest>

using namespace sg;
using namespace sg::sandbox;
using namespace sg::sandbox::e2b;
using namespace std::chrono_literals;
using test::ScriptedHttpServer;

namespace {

const std::string kStarted = net::rpcEnvelope(0, R"({"event": {"start": {"pid": 7}}})");

std::string stream(const std::string& frames, bool goesOn)
{
    return "HTTP/1.1 200 X\r\n"
        + (goesOn ? "Content-Length: 100000000\r\n\r\n" + frames
                  : "\r\n" + frames + std::string(ScriptedHttpServer::kThenClose));
}

struct World {
    World()
        : server(
            [this](const std::string& request) { return answer(request.substr(0, request.find(" HTTP/"))); })
        , shared(std::make_shared<Shared>(folder / "records"))
    {
        Connection made;
        made.name = "near";
        made.api = made.sandboxes = server.url("");
        made.key = "near";
        made.sandboxTemplate = "base";
        service = std::make_shared<Service>(made, [](const std::string&) { return std::string("key"); });
    }
    std::string answer(const std::string& line)
    {
        const std::lock_guard lock(mutex);
        asked += line + "\n";
        if (line.ends_with("/Start"))
            return stream(kStarted, startGoesOn);
        if (line.ends_with("/process.Process/Connect"))
            return stream(followed, true);
        if (line.ends_with("/connect"))
            return ScriptedHttpServer::response(201, R"({"sandboxID": "abc", "envdAccessToken": "new"})");
        if (line.starts_with("GET /sandboxes/"))
            return ScriptedHttpServer::response(infoStatus, info);
        if (line.starts_with("GET /metrics"))
            return ScriptedHttpServer::response(metricsStatus, metrics);
        if (line.ends_with("/SendInput"))
            return ScriptedHttpServer::response(200, "{}");
        if (line.starts_with("DELETE "))
            return ScriptedHttpServer::response(killStatus, "");
        return ScriptedHttpServer::response(204, "");
    }
    std::unique_ptr<E2bSandbox> start()
    {
        RemoteParts parts;
        parts.service = service;
        parts.access = { "abc", "token", "", "0.5.7" };
        parts.session = "s-1";
        parts.lease = std::make_shared<Lease>(service, "abc", 60s);
        auto stream = ProcessStream::start(service, parts.access, { "/bin/sh", {} });
        if (!stream)
            return nullptr;
        parts.stream = std::move(*stream);
        static_cast<void>(shared->records.write({ "near", "s-1", "7e570001", "" }));
        return std::make_unique<E2bSandbox>(shared, std::move(parts));
    }

    std::mutex mutex;
    // Guarded by mutex:
    std::string asked;
    bool startGoesOn = true;
    std::string followed = kStarted;
    int infoStatus = 200;
    std::string info = R"({"sandboxID": "abc", "state": "running"})";
    int metricsStatus = 200;
    std::string metrics = "{}";
    int killStatus = 204;

    test::TempDir folder;
    ScriptedHttpServer server;
    std::shared_ptr<Service> service;
    std::shared_ptr<Shared> shared;
};

} // namespace

class TestE2bSandbox : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pausesAndGoesOnWithOtherTokens()
    {
        World world;
        const auto sandbox = world.start();
        QVERIFY(sandbox);
        QCOMPARE(sandbox->name(), std::string("near/abc"));
        SG_VERIFY_OK(sandbox->pause());
        SG_VERIFY_OK(sandbox->pause());
        QVERIFY(sandbox->isPaused());
        QVERIFY(!sandbox->stream().write("x"));
        QVERIFY(!sandbox->sample());
        SG_VERIFY_OK(sandbox->unpause());
        QVERIFY(!sandbox->isPaused());
        QVERIFY(sandbox->state() == SandboxEnd::Running);
        SG_VERIFY_OK(sandbox->stream().write("x"));
    }

    void saysThatMemoryIsLost()
    {
        World world;
        world.followed =
            net::rpcEnvelope(net::kEnvelopeEnd, R"({"error": {"code": "not_found", "message": "no"}})");
        const auto sandbox = world.start();
        QVERIFY(sandbox);
        SG_VERIFY_OK(sandbox->pause());
        const auto resumed = sandbox->unpause();
        QVERIFY(!resumed);
        SG_VERIFY_CONTAINS(resumed.error().message, "memory lost");
        QVERIFY(sandbox->state() == SandboxEnd::Lost);
        SG_VERIFY_CONTAINS(sandbox->lastWords(), "memory lost");
        char byte = 0;
        const auto read = sandbox->stream().read(&byte, 1, 5s); // nobody waits for it any more
        QVERIFY(read && *read == 0);
    }

    void saysWhyItEnded_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<std::string>("info");
        QTest::addColumn<std::string>("says");
        QTest::newRow("gone") << 404 << std::string("{}") << std::string("the service has ended the sandbox");
        QTest::newRow("paused") << 200 << std::string(R"({"state": "paused"})")
                                << std::string("the service has paused the sandbox");
        QTest::newRow("there") << 200 << std::string(R"({"state": "running"})") << std::string("broke off");
        QTest::newRow("unknown") << 500 << std::string("oops") << std::string("oops");
    }
    void saysWhyItEnded()
    {
        QFETCH(const int, status);
        QFETCH(const std::string, info);
        QFETCH(const std::string, says);
        World world;
        world.startGoesOn = false;
        world.infoStatus = status;
        world.info = info;
        const auto sandbox = world.start();
        QVERIFY(sandbox);
        QVERIFY(test::waitFor([&] { return sandbox->state() == SandboxEnd::Lost; }));
        SG_VERIFY_CONTAINS(sandbox->lastWords(), says);
    }

    void tellsItsUse()
    {
        World world;
        world.metrics =
            R"({"cpu_count": 2, "cpu_used_pct": 12.5, "mem_used": 1000, "mem_total": 2000, "disk_used": 3, "disk_total": 4})";
        const auto sandbox = world.start();
        QVERIFY(sandbox);
        const auto sample = sandbox->sample();
        SG_VERIFY_OK(sample);
        QCOMPARE(sample->cpuPercent, 25.0);
        QCOMPARE(sample->memoryBytes, std::int64_t{ 1000 });
        QCOMPARE(sample->memoryLimit, std::int64_t{ 2000 });
        {
            const std::lock_guard lock(world.mutex);
            world.metricsStatus = 404;
        }
        QCOMPARE(static_cast<int>(sandbox->sample().error().code), static_cast<int>(Errc::Unsupported));
    }

    void forgetsWhatHasEndedAlone()
    {
        World world;
        auto sandbox = world.start();
        QVERIFY(sandbox);
        sandbox->end();
        sandbox->end();
        QVERIFY(sandbox->state() == SandboxEnd::Stopped);
        QVERIFY(world.shared->records.all().empty());
        sandbox.reset();
        {
            const std::lock_guard lock(world.mutex);
            world.killStatus = 500;
        }
        sandbox = world.start();
        QVERIFY(sandbox);
        sandbox.reset();
        QCOMPARE(world.shared->records.all().size(), std::size_t{ 1 }); // it may cost until its time is over
    }

    void asksForTimeWhileItLives()
    {
        World world;
        const auto lease = std::make_shared<Lease>(world.service, "abc", 60s);
        {
            TimeKeeper keeper;
            keeper.add(lease, std::chrono::seconds(0)); // due at once, again and again
            QVERIFY(test::waitFor([&] {
                const std::lock_guard lock(world.mutex);
                return world.asked.find("POST /sandboxes/abc/timeout\nPOST /sandboxes/abc/timeout\n")
                    != std::string::npos;
            }));
            keeper.remove(lease.get());
        }
        QVERIFY(lease->endsAt() > std::chrono::system_clock::now() + 50s);
    }
};

SG_TEST(TestE2bSandbox)
#include "tst_e2b_sandbox.moc"
