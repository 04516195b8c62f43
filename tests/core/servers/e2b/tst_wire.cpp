#include "core/base/json.h"
#include "core/servers/e2b/wire.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::servers::e2b;

class TestWire : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyErrorHasACodeOfItsProtocol_data()
    {
        QTest::addColumn<int>("code");
        QTest::addColumn<int>("status");
        QTest::addColumn<std::string>("rpc");
        const auto row = [](const char* rpc, Errc code, int status) {
            QTest::addRow("%s %d", rpc, status) << static_cast<int>(code) << status << std::string(rpc);
        };
        row("invalid_argument", Errc::InvalidArgument, 400);
        row("not_found", Errc::NotFound, 404);
        row("already_exists", Errc::Exists, 409);
        row("failed_precondition", Errc::Conflict, 409);
        row("permission_denied", Errc::PermissionDenied, 403);
        row("resource_exhausted", Errc::LimitExceeded, 429);
        row("resource_exhausted", Errc::NoSpace, 507);
        row("unimplemented", Errc::Unsupported, 501);
        row("unavailable", Errc::Unavailable, 503);
        row("unavailable", Errc::Busy, 503);
        row("deadline_exceeded", Errc::Timeout, 500);
        row("internal", Errc::Io, 500);
    }
    void everyErrorHasACodeOfItsProtocol()
    {
        QFETCH(const int, code);
        QFETCH(const int, status);
        QFETCH(const std::string, rpc);
        QCOMPARE(statusOf(static_cast<Errc>(code)), status);
        net::HttpExchange exchange({}, [] {});
        rpcFailure(exchange, { static_cast<Errc>(code), "why" });
        const auto told = parseJson(*exchange.takeNext().whole->body);
        QCOMPARE(toJson(*told), R"({"code":")" + rpc + R"(","message":"why"})");
    }

    // The SDK's generated parser needs both keys.
    void aFailureHasCodeAndMessage()
    {
        const net::HttpAnswer answer = failure(429, "enough");
        QCOMPARE(*answer.body, std::string(R"({"code":429,"message":"enough"})"));
        SG_VERIFY_CONTAINS(answer.headers, "Should-Retry: false");
        QVERIFY(failure(404, "x").headers.find("Should-Retry") == std::string::npos);
    }

    void aBodyIsAnObjectOrNothing_data()
    {
        QTest::addColumn<std::string>("body");
        QTest::addColumn<int>("status"); // 0: it is taken
        QTest::newRow("nothing") << std::string() << 0;
        QTest::newRow("an object") << std::string(R"({"a": 1})") << 0;
        QTest::newRow("a list") << std::string("[]") << 400;
        QTest::newRow("half") << std::string("{") << 400;
        QTest::newRow("too deep") << std::string(1000, '[') << 400;
    }
    void aBodyIsAnObjectOrNothing()
    {
        QFETCH(const std::string, body);
        QFETCH(const int, status);
        net::HttpExchange exchange({}, [] {});
        exchange.gotBody(body);
        exchange.endBody();
        const auto read = readObject(exchange);
        QCOMPARE(static_cast<bool>(read), status == 0);
        if (status != 0)
            QCOMPARE(exchange.takeNext().whole->status, status);
    }

    void aStreamTellsItsErrorInItsLastMessage()
    {
        net::HttpExchange exchange({}, [] {});
        exchange.gotBody(net::rpcEnvelope(0, R"({"path": "a"})"));
        exchange.endBody();
        RpcStream stream(exchange);
        QCOMPARE(stream.read()->stringOr("path", ""), std::string("a"));
        QVERIFY(stream.read()->isNull());
        QVERIFY(stream.send(Value::map({ { "event", 1 } })));
        const Error why{ Errc::NotFound, "gone" };
        stream.end(&why);
        const auto next = exchange.takeNext();
        QCOMPARE(next.status, 200);
        SG_VERIFY_CONTAINS(next.headers, "Content-Type: application/connect+json\r\n");
        QCOMPARE(next.bytes,
                 net::rpcEnvelope(0, R"({"event":1})")
                     + net::rpcEnvelope(2, R"({"error":{"code":"not_found","message":"gone"}})"));
    }

    void aStreamThatStopsInAMessageIsAnError()
    {
        net::HttpExchange exchange({}, [] {});
        exchange.gotBody(net::rpcEnvelope(0, "{}").substr(0, 4));
        exchange.endBody();
        RpcStream stream(exchange);
        const auto read = stream.read();
        QVERIFY(!read);
        SG_VERIFY_CONTAINS(read.error().message, "not whole");
    }
};

SG_TEST(TestWire)
#include "tst_wire.moc"
