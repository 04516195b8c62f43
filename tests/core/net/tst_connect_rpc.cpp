#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/net/connect_rpc.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::net;

namespace {

// "{...} " for each message and "end{...} " for the last, or the error, whatever the cut.
std::string messagesOf(std::string_view stream, std::size_t cut)
{
    RpcReader reader(1000);
    std::string text;
    for (std::size_t at = 0; at < stream.size(); at += cut) {
        reader.add(stream.substr(at, cut));
        while (true) {
            const auto message = reader.next();
            if (!message)
                return text + message.error().message;
            if (!*message)
                break;
            text += ((*message)->isEnd ? "end" : "") + toJson((*message)->value) + " ";
        }
    }
    return text + (reader.isEmpty() ? "" : "and a part");
}

} // namespace

class TestConnectRpc : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsWhatWasWrittenInAnyCut()
    {
        const std::string stream = rpcEnvelope(0, R"({"a":1})") + rpcEnvelope(0, "{}")
            + rpcEnvelope(kEnvelopeEnd, R"({"error":{"code":"x"}})");
        for (std::size_t cut = 1; cut <= stream.size(); ++cut)
            QCOMPARE(messagesOf(stream, cut), std::string(R"({"a":1} {} end{"error":{"code":"x"}} )"));
        QCOMPARE(messagesOf(stream.substr(0, stream.size() - 1), 7), std::string(R"({"a":1} {} and a part)"));
    }

    void refuses_data()
    {
        QTest::addColumn<std::string>("stream");
        QTest::addColumn<std::string>("says");
        QTest::newRow("compressed") << rpcEnvelope(kEnvelopeCompressed, "{}") << std::string("compressed");
        QTest::newRow("too long") << rpcEnvelope(0, std::string(1001, ' ')) << std::string("too long");
        QTest::newRow("a length without end")
            << std::string("\0\xff\xff\xff\xff", 5) << std::string("too long");
        QTest::newRow("no JSON") << rpcEnvelope(0, "{") << std::string("no JSON");
        QTest::newRow("a list") << rpcEnvelope(0, "[]") << std::string("no JSON object");
    }
    void refuses()
    {
        QFETCH(const std::string, stream);
        QFETCH(const std::string, says);
        SG_VERIFY_CONTAINS(messagesOf(stream, 3), says);
    }

    void readsBase64OfEveryLength()
    {
        std::string bytes;
        for (int i = 0; i < 300; ++i) {
            QCOMPARE(fromBase64(toBase64(bytes)), bytes);
            bytes += static_cast<char>(i * 7);
        }
        QCOMPARE(fromBase64("_-8="), fromBase64("/+8="));
        QCOMPARE(fromBase64("not base64!"), std::string());
    }
};

SG_TEST(TestConnectRpc)
#include "tst_connect_rpc.moc"
