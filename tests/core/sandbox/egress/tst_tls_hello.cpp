// The host that a TLS client names, however its hello is cut into records and pieces.

#include "core/base/file.h"
#include "core/sandbox/egress/tls_hello.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::sandbox::egress;
using State = TlsHello::State;

namespace {

std::string number(std::size_t value, int bytes)
{
    std::string text;
    for (int i = bytes - 1; i >= 0; --i)
        text += static_cast<char>(value >> (8 * i) & 0xFFU);
    return text;
}

std::string record(const std::string& body)
{
    return "\x16\x03\x01" + number(body.size(), 2) + body;
}

std::string serverName(const std::string& host)
{
    const std::string entry = number(0, 1) + number(host.size(), 2) + host;
    return number(0, 2) + number(entry.size() + 2, 2) + number(entry.size(), 2) + entry;
}

std::string message(const std::string& extensions)
{
    const std::string body = number(0x0303, 2) + std::string(32, 'r') + number(0, 1) + number(2, 2)
        + number(0x1301, 2) + number(1, 1) + number(0, 1) + number(extensions.size(), 2) + extensions;
    return number(1, 1) + number(body.size(), 3) + body;
}

} // namespace

class TestTlsHello : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsARealOne()
    {
        const auto bytes = readFile(SG_SOURCE_DIR "/tests/data/egress/client_hello.bin");
        SG_VERIFY_OK(bytes);
        const TlsHello hello = parseTlsHello(*bytes);
        QCOMPARE(hello.state, State::Whole);
        QCOMPARE(hello.name, std::string("api.test"));
        for (std::size_t cut = 0; cut < bytes->size(); ++cut)
            QCOMPARE(parseTlsHello(std::string_view(*bytes).substr(0, cut)).state, State::NeedsMore);
        QCOMPARE(parseTlsHello(*bytes + "more").name, std::string("api.test"));
    }

    void readsOneInManyRecords()
    {
        const std::string whole = message(serverName("Files.Example.ORG"));
        std::string records;
        for (std::size_t at = 0; at < whole.size(); at += 7)
            records += record(whole.substr(at, 7));
        const TlsHello hello = parseTlsHello(records);
        QCOMPARE(hello.state, State::Whole);
        QCOMPARE(hello.name, std::string("files.example.org"));
    }

    void tellsThatThereIsNoName()
    {
        const TlsHello hello = parseTlsHello(record(message(number(23, 2) + number(0, 2))));
        QCOMPARE(hello.state, State::Whole);
        QVERIFY(!hello.hasName);
    }

    // Its greased form, which means nothing, cannot be told apart.
    void tellsThatAnotherHostMayBeHidden()
    {
        const std::string outer = serverName("api.test");
        QVERIFY(!parseTlsHello(record(message(outer))).isEncrypted);
        const TlsHello hello =
            parseTlsHello(record(message(outer + number(0xfe0d, 2) + number(3, 2) + "abc")));
        QCOMPARE(hello.state, State::Whole);
        QCOMPARE(hello.name, std::string("api.test"));
        QVERIFY(hello.isEncrypted);
    }

    void refuses_data()
    {
        QTest::addColumn<std::string>("bytes");
        QTest::newRow("plain text") << std::string("GET / HTTP/1.1\r\n");
        QTest::newRow("one byte of it") << std::string("G");
        QTest::newRow("an alert") << std::string("\x15\x03\x01\x00\x02\x02\x28", 7);
        QTest::newRow("an empty record") << record("");
        QTest::newRow("another message") << record("\x02" + message("").substr(1));
        QTest::newRow("two names") << record(message(serverName("a.org") + serverName("b.org")));
        QTest::newRow("an empty name") << record(message(serverName("")));
        QTest::newRow("cut extensions") << record(message(number(0, 2) + number(50, 2) + "x"));
        QTest::newRow("a huge one") << record("\x01\xff\xff\xff" + std::string(100, 'x'));
        QTest::newRow("SSL 2") << std::string("\x80\x2e\x01\x03\x01\x00", 6);
    }
    void refuses()
    {
        QFETCH(const std::string, bytes);
        QCOMPARE(parseTlsHello(bytes).state, State::Broken);
    }
};

SG_TEST(TestTlsHello)
#include "tst_tls_hello.moc"
