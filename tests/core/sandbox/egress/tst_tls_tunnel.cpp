// A tunnel to a real TLS server: for a client that asks it for the host of the tunnel, and for no other.

#include "core/net/tls_stream.h"
#include "tests/core/sandbox/egress/egress_world.h"
#include "tests/support/qtest_std.h"
#include "tests/support/qtry.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <poll.h>

using namespace sg;
using namespace sg::sandbox::egress;
using namespace sg::test::egress;

namespace {

Fd tunnel(const World& world, const std::string& place)
{
    const Inside inside;
    Fd socket = handOver(world, inside.listener.get()) == "k" ? inside.connect() : Fd();
    const std::string first = World::talk(socket, "CONNECT " + place + " HTTP/1.1\r\nHost: x\r\n\r\n", 39);
    return first.starts_with("HTTP/1.1 200 ") ? std::move(socket) : Fd();
}

std::string ask(net::TlsStream& tls, std::string_view request)
{
    const SteadyTime end = std::chrono::steady_clock::now() + 10s;
    const auto wait = [&](short events) {
        pollfd watched{ tls.socket(), events, 0 };
        return ::poll(&watched, 1, 1000) >= 0 && std::chrono::steady_clock::now() < end;
    };
    while (!request.empty()) {
        const auto sent = tls.write(request);
        if (!sent || (*sent == 0 && !wait(POLLOUT)))
            return {};
        request.remove_prefix(*sent);
    }
    std::string answer;
    std::string buffer(65536, '\0');
    while (true) {
        const auto got = tls.read(buffer.data(), buffer.size());
        if (!got || (!*got && !wait(POLLIN)) || (*got && **got == 0))
            return answer;
        if (*got)
            answer.append(buffer, 0, **got);
    }
}

std::size_t number(const std::string& bytes, std::size_t at, std::size_t size)
{
    std::size_t value = 0;
    for (std::size_t i = at; i < at + size; ++i)
        value = value << 8U | static_cast<std::uint8_t>(bytes[i]);
    return value;
}

// The hello, one record, with an extension more: encrypted_client_hello.
std::string withEncryptedHello(std::string hello)
{
    const std::string extension("\xfe\x0d\x00\x02xx", 6);
    std::size_t at = 9 + 34; // record, message, version and random
    at += 1 + number(hello, at, 1); // session
    at += 2 + number(hello, at, 2); // ciphers
    at += 1 + number(hello, at, 1); // compressions
    const auto grow = [&](std::size_t place, std::size_t size) {
        std::size_t value = number(hello, place, size) + extension.size();
        for (std::size_t i = size; i > 0; --i, value >>= 8U)
            hello[place + i - 1] = static_cast<char>(value & 0xFFU);
    };
    grow(3, 2);
    grow(6, 3);
    grow(at, 2);
    return hello + extension;
}

} // namespace

class TestTlsTunnel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        m_server = std::make_unique<TlsServer>(m_folder.path());
        QVERIFY(!m_server->port.empty());
        m_place = "localhost:" + m_server->port;
        m_trusts = { "127.0.0.1:" + m_server->port, "[::1]:" + m_server->port };
    }

    void theRightNamePasses()
    {
        World world({ m_place }, m_trusts);
        Fd socket = tunnel(world, m_place);
        QVERIFY(socket.isOpen());
        auto tls = net::TlsStream::open(std::move(socket), { "localhost", m_folder / "authority.pem" });
        SG_VERIFY_OK(tls);
        const std::string answer =
            ask(**tls, "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello");
        SG_VERIFY_CONTAINS(answer, "POST /echo None localhost hello");
        QVERIFY(answer.ends_with("the end"));
        QCOMPARE(world.told().size(), std::size_t{ 1 });
        QCOMPARE(world.last().outcome, EgressDecision::Outcome::Allowed);
    }

    // The server would answer this one: it has one certificate for all.
    void anotherNameDoesNot()
    {
        World world({ m_place }, m_trusts);
        const Fd socket = tunnel(world, m_place);
        QVERIFY(socket.isOpen());
        QCOMPARE(World::talk(socket, hello("evil.org"), 1), std::string());
        QTRY_COMPARE(world.last().outcome, EgressDecision::Outcome::Denied);
        SG_VERIFY_CONTAINS(world.last().reason, "another host, evil.org");
    }

    void noNameDoesNot()
    {
        World world({ m_place }, m_trusts);
        Fd socket = tunnel(world, m_place);
        QVERIFY(socket.isOpen());
        const auto tls = net::TlsStream::open(std::move(socket), { "127.0.0.1", m_folder / "authority.pem" });
        QVERIFY(!tls);
        QTRY_COMPARE(world.last().outcome, EgressDecision::Outcome::Denied);
        SG_VERIFY_CONTAINS(world.last().reason, "names no host");
    }

    void aNameThatMayHideAnotherDoesNot()
    {
        World world({ m_place }, m_trusts);
        const Fd socket = tunnel(world, m_place);
        QVERIFY(socket.isOpen());
        QCOMPARE(World::talk(socket, withEncryptedHello(hello("api.test")), 1), std::string());
        QTRY_COMPARE(world.last().outcome, EgressDecision::Outcome::Denied);
        SG_VERIFY_CONTAINS(world.last().reason, "hides the host");
    }

    // By an address, TLS names none.
    void anAddressPassesWithoutAName()
    {
        const std::string place = "127.0.0.1:" + m_server->port;
        World world({ place }, { place });
        Fd socket = tunnel(world, place);
        QVERIFY(socket.isOpen());
        SG_VERIFY_OK(net::TlsStream::open(std::move(socket), { "127.0.0.1", m_folder / "authority.pem" }));
    }

private:
    const test::TempDir m_folder;
    std::unique_ptr<TlsServer> m_server;
    std::string m_place;
    std::vector<std::string> m_trusts;
};

SG_TEST(TestTlsTunnel)
#include "tst_tls_tunnel.moc"
