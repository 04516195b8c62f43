// An installation reaches the index that was named for it, and nothing of this machine or its cloud that a
// page of that index links or redirects to.

#include "tests/integration/sessions/layer_world.h"
#include "tests/support/local_server.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <unistd.h>

using namespace sg;
using namespace sg::test;

namespace {

constexpr const char* kWheel = "demo_a-1.0-py3-none-any.whl";

struct Index {
    Index(const LayerWorld& world, const std::string& link, const std::string& location)
    {
        ProcessSpec serve;
        serve.program = "/usr/bin/python3";
        serve.arguments = { "-u", std::string(SG_SOURCE_DIR) + "/tests/data/layers/index_server.py",
                            world.links().string(), link, location };
        serve.pipeStdout = true;
        auto started = ChildProcess::start(serve);
        if (!started)
            return;
        server.emplace(std::move(*started));
        for (char each = 0; ::read(server->stdoutPipe().get(), &each, 1) == 1 && each != '\n';)
            port += each;
    }
    std::optional<ChildProcess> server;
    std::string port; // empty: it did not start
};

std::string replaced(std::string text, const std::string& what, const std::string& with)
{
    if (const std::size_t at = text.find(what); at != std::string::npos)
        text.replace(at, what.size(), with);
    return text;
}

} // namespace

class TestLayerNetwork : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void followsItsIndex_data() { backends(); }
    void followsItsIndex()
    {
        SG_USE_BACKEND();
        LayerWorld with(world);
        with.wheel("demo_a", "1.0");
        const Index index(with, std::string("/moved/") + kWheel, std::string("OWN/files/") + kWheel);
        QVERIFY(!index.port.empty());
        with.environment = { { "PIP_CONFIG_FILE", "/dev/null" },
                             { "PIP_INDEX_URL", "http://127.0.0.1:" + index.port + "/simple" },
                             { "HTTPS_PROXY", "" } };
        const auto session = world.session("with an index");
        QVERIFY2(session, (world.problem + with.heard()).c_str());
        const CellResult result = run(*session, "import demo_a\ndemo_a.twice(21)");
        QVERIFY2(result.status == CellStatus::Ok, summary(result).c_str());
        QCOMPARE(result.value["text/plain"], Value("42"));
        using Outcome = sandbox::egress::EgressDecision::Outcome;
        const std::lock_guard lock(with.mutex);
        const auto allowed =
            std::ranges::count(with.asked, Outcome::Allowed, &sandbox::egress::EgressDecision::outcome);
        QVERIFY2(allowed >= 2, std::to_string(allowed).c_str());
    }

    void reachesNothingOfThisMachine_data()
    {
        QTest::addColumn<QByteArray>("backend");
        QTest::addColumn<std::string>("link");
        QTest::addColumn<std::string>("location");
        QTest::addColumn<std::string>("why");
        const auto row = [](const char* backend, const char* name, const char* link, const char* location,
                            const char* why) {
            QTest::addRow("%s, %s", backend, name)
                << QByteArray(backend) << std::string(link) << std::string(location) << std::string(why);
        };
        for (const char* backend : { "bubblewrap", "docker" }) {
            row(backend, "redirected to another port", "/moved/", "http://127.0.0.1:PRIVATE/",
                "127.0.0.1:PRIVATE is not among the hosts");
            row(backend, "redirected to the cloud's own", "/moved/", "https://169.254.169.254/",
                "leads to 169.254.169.254, which is this machine or a private network");
        }
        row("bubblewrap", "linked to another port", "http://127.0.0.1:PRIVATE/", "",
            "127.0.0.1:PRIVATE is not among the hosts");
        row("bubblewrap", "redirected plainly to the cloud's own", "/moved/", "http://169.254.169.254/",
            "169.254.169.254:80 is not among the hosts");
        row("bubblewrap", "linked to Azure's", "https://168.63.129.16/", "", "leads to 168.63.129.16");
        row("bubblewrap", "a name that leads here", "https://localhost/", "", "localhost leads to ");
        row("bubblewrap", "redirected to such a name", "/moved/", "https://localhost/",
            "localhost leads to ");
        row("bubblewrap", "IPv6", "https://[fd00:ec2::254]/", "", "leads to fd00:ec2::254");
    }
    void reachesNothingOfThisMachine()
    {
        SG_USE_BACKEND();
        QFETCH(std::string, link);
        QFETCH(std::string, location);
        QFETCH(const std::string, why);
        const LocalServer privateService("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret");
        const std::string port = std::to_string(privateService.port());
        LayerWorld with(world);
        with.wheel("demo_a", "1.0");
        const Index index(with, replaced(link, "PRIVATE", port) + kWheel,
                          replaced(location, "PRIVATE", port) + kWheel);
        QVERIFY(!index.port.empty());
        with.environment = { { "PIP_CONFIG_FILE", "/dev/null" },
                             { "PIP_INDEX_URL", "http://127.0.0.1:" + index.port + "/simple" },
                             { "PIP_RETRIES", "0" } };
        const auto session = world.session("led astray");
        QVERIFY(!session);
        QVERIFY2(has(world.problem, replaced(why, "PRIVATE", port)), world.problem.c_str());
        QCOMPARE(privateService.requests(), 0);
        using Outcome = sandbox::egress::EgressDecision::Outcome;
        const std::lock_guard lock(with.mutex);
        QVERIFY(std::ranges::any_of(with.asked, [&](const sandbox::egress::EgressDecision& each) {
            return each.outcome == Outcome::Denied && has(each.reason, replaced(why, "PRIVATE", port));
        }));
    }

    // A package that cannot be recorded is not fetched.
    void nothingIsFetchedUnrecorded()
    {
        SG_NEED("bubblewrap");
        World world("bubblewrap");
        LayerWorld with(world);
        with.isRecorded = false;
        const LocalServer index("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n");
        with.environment = { { "PIP_CONFIG_FILE", "/dev/null" },
                             { "PIP_INDEX_URL",
                               "http://127.0.0.1:" + std::to_string(index.port()) + "/simple" },
                             { "PIP_RETRIES", "0" } };
        QVERIFY(!world.session("unrecorded"));
        QVERIFY2(has(world.problem, "audit log cannot be written"), world.problem.c_str());
        QCOMPARE(index.requests(), 0);
        using Outcome = sandbox::egress::EgressDecision::Outcome;
        const std::lock_guard lock(with.mutex);
        QVERIFY(std::ranges::any_of(with.asked, [&](const sandbox::egress::EgressDecision& each) {
            return each.outcome == Outcome::Allowed // it runs, and would have been asked
                && each.place == "127.0.0.1:" + std::to_string(index.port());
        }));
    }
};

SG_CORE_TEST(TestLayerNetwork)
#include "tst_layer_network.moc"
