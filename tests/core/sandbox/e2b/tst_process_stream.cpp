#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/net/connect_rpc.h"
#include "core/sandbox/e2b/process_stream.h"
#include "tests/core/net/scripted_http_server.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <QTest>

using namespace sg;
using namespace sg::sandbox::e2b;
using namespace std::chrono_literals;
using test::ScriptedHttpServer;

namespace {

std::string frame(const std::string& json)
{
    return net::rpcEnvelope(0, R"({"event":)" + json + "}");
}
std::string out(const std::string& text)
{
    return frame(R"({"data":{"stdout":")" + toBase64(text) + R"("}})");
}
const std::string kStart = frame(R"({"start":{"pid":7}})");
const std::string kEnd = frame(R"({"end":{"exitCode":3,"exited":true,"status":"exit status 3"}})")
    + net::rpcEnvelope(net::kEnvelopeEnd, "{}");

std::string stream(const std::string& frames, bool closes = true)
{
    return "HTTP/1.1 200 X\r\nContent-Type: application/connect+json\r\n"
        + (closes ? "\r\n" + frames + std::string(ScriptedHttpServer::kThenClose)
                  : "Content-Length: 100000000\r\n\r\n" + frames); // more is to come
}

struct World {
    explicit World(std::string theAnswer)
        : answer(std::move(theAnswer))
        , server([this](const std::string& request) {
            const std::lock_guard lock(mutex);
            if (request.starts_with("GET /sandboxes/abc "))
                return ScriptedHttpServer::response(
                    200,
                    toJson(Value::map({ { "sandboxID", "abc" },
                                        { "envdAccessToken", toldToken.empty() ? goodToken : toldToken } })));
            if (request.find("/SendInput") == std::string::npos)
                return answer;
            if (request.find("X-Access-Token: " + goodToken + "\r\n") == std::string::npos)
                return ScriptedHttpServer::response(401, "no");
            const auto body = parseJson(request.substr(request.find("\r\n\r\n") + 4));
            input += std::to_string((*body)["process"].intOr("pid", 0)) + ":"
                + net::fromBase64((*body)["input"].stringOr("stdin", "")) + " ";
            return ScriptedHttpServer::response(200, "{}");
        })
    {
        Connection made;
        made.name = "near";
        made.api = made.sandboxes = server.url("");
        service = std::make_shared<Service>(made, [](const std::string&) { return std::string("key"); });
    }
    Result<std::unique_ptr<ProcessStream>> start()
    {
        return ProcessStream::start(service, { "abc", "token", "", "0.5.7" }, { "/bin/sh", {} });
    }

    std::mutex mutex;
    // Guarded by mutex:
    std::string input;
    std::string goodToken = "token";
    std::string toldToken; // by the control plane; empty: the good one
    const std::string answer;
    ScriptedHttpServer server;
    std::shared_ptr<Service> service;
};

std::string readAll(ProcessStream& from, std::size_t piece)
{
    std::string text;
    std::string buffer(piece, '\0');
    while (true) {
        const auto got = from.read(buffer.data(), buffer.size(), 5s);
        if (!got)
            return text + " " + got.error().message;
        if (*got == 0)
            return text;
        text += buffer.substr(0, *got);
    }
}

} // namespace

class TestProcessStream : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsWhatTheProcessPrints()
    {
        World world(stream(kStart + out("one ") + frame(R"({"keepalive":{}})")
                           + frame(R"({"data":{"stderr":")" + toBase64("last words") + R"("}})") + out("two")
                           + kEnd));
        auto made = world.start();
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        QCOMPARE(readAll(**made, 3), std::string("one two"));
        QVERIFY((*made)->hasEnded() && !(*made)->isCutOff());
        QCOMPARE((*made)->errors(), std::string("last words"));
        QVERIFY(!(*made)->write("x"));
    }

    void sendsInputToTheProcess()
    {
        World world(stream(kStart, false));
        auto made = world.start();
        QVERIFY(made);
        QVERIFY((*made)->write("first"));
        QVERIFY((*made)->write("second"));
        QCOMPARE(world.input, std::string("7:first 7:second "));
    }

    void asksForAnotherTokenWhereItsOwnIsRefused()
    {
        World world(stream(kStart, false));
        auto made = world.start();
        QVERIFY(made);
        {
            const std::lock_guard lock(world.mutex);
            world.goodToken = "another";
        }
        SG_VERIFY_OK((*made)->write("first"));
        QCOMPARE(world.input, std::string("7:first "));
        QCOMPARE((*made)->access().token, std::string("another"));
        {
            const std::lock_guard lock(world.mutex);
            world.goodToken = "a third, which nobody tells";
            world.toldToken = "another";
        }
        QVERIFY(!(*made)->write("second"));
        QCOMPARE(world.input, std::string("7:first "));
    }

    void tellsAStreamThatBrokeOffFromAnEnd()
    {
        World world(stream(kStart + out("half").substr(0, 20)));
        auto made = world.start();
        QVERIFY(made);
        QCOMPARE(readAll(**made, 100), std::string());
        QVERIFY((*made)->isCutOff() && !(*made)->hasEnded());
    }

    void waitsWhileItIsHeld()
    {
        World world(stream(kStart));
        auto made = world.start();
        QVERIFY(made);
        (*made)->hold();
        QVERIFY(test::waitFor([&] { return (*made)->isCutOff(); }));
        char buffer[10];
        const auto got = (*made)->read(buffer, sizeof buffer, 10ms);
        QVERIFY(!got);
        QCOMPARE(static_cast<int>(got.error().code), static_cast<int>(Errc::Timeout));
        QVERIFY(!(*made)->write("x"));
        (*made)->letGo();
        QCOMPARE(*(*made)->read(buffer, sizeof buffer, 10ms), std::size_t{ 0 });
    }

    void doesNotStart_data()
    {
        QTest::addColumn<std::string>("answer");
        QTest::addColumn<int>("code");
        QTest::addColumn<std::string>("says");
        const auto row = [](const char* name, const std::string& answer, Errc code, const char* says) {
            QTest::newRow(name) << answer << static_cast<int>(code) << std::string(says);
        };
        const auto last = [](const char* json) { return stream(net::rpcEnvelope(net::kEnvelopeEnd, json)); };
        row("401", ScriptedHttpServer::response(401, R"({"code": 401, "message": "no token"})"),
            Errc::PermissionDenied, "no token");
        row("502", ScriptedHttpServer::response(502, "<html>gateway</html>"), Errc::Unavailable, "gateway");
        row("an error in the stream", last(R"({"error": {"code": "invalid_argument", "message": "no sh"}})"),
            Errc::Unavailable, "no sh");
        row("not there", last(R"({"error": {"code": "not_found", "message": "no pid"}})"), Errc::NotFound,
            "no pid");
        row("no protocol", stream("<html>"), Errc::Corrupt, "does not keep to its protocol");
        row("nothing", stream(""), Errc::Unavailable, "broke off");
    }
    void doesNotStart()
    {
        QFETCH(const std::string, answer);
        QFETCH(const int, code);
        QFETCH(const std::string, says);
        World world(answer);
        const auto made = world.start();
        QVERIFY(!made);
        SG_VERIFY_CONTAINS(made.error().message, says);
        QCOMPARE(static_cast<int>(made.error().code), code);
    }

    void wakesAReaderWhenItIsClosed()
    {
        World world(stream(kStart, false));
        auto made = world.start();
        QVERIFY(made);
        std::jthread closer([&] { (*made)->close(); });
        char buffer[10];
        QCOMPARE(*(*made)->read(buffer, sizeof buffer, 60s), std::size_t{ 0 });
    }
};

SG_TEST(TestProcessStream)
#include "tst_process_stream.moc"
