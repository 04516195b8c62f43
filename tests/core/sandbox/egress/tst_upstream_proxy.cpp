// A user's own proxy: how it is named, what goes through it, and what is refused all the same.

#include "tests/core/sandbox/egress/egress_world.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <thread>

using namespace sg;
using namespace sg::test::egress;
using test::LocalServer;

namespace {

EgressPolicy throughProxy(const std::string& proxy, const std::string& without = {})
{
    EgressPolicy policy;
    policy.openPort = 443;
    if (auto upstream = parseUpstreamProxy(proxy, without))
        policy.upstream = std::move(*upstream);
    return policy;
}

// A proxy with a host behind it, for one connection that it opens; what does not begin as `taken` it refuses.
class Behind {
public:
    explicit Behind(std::string taken = "CONNECT ")
        : m_taken(std::move(taken))
        , m_serving([this] { serve(); })
    {
    }
    ~Behind() { join(); }
    Behind(const Behind&) = delete;
    Behind& operator=(const Behind&) = delete;
    [[nodiscard]] std::string port() const { return std::to_string(ntohs(m_inside.address.sin_port)); }
    const std::vector<std::string>& heads() { return join().m_heads; } // once it was asked
    const std::string& hello() { return join().m_hello; }

private:
    Behind& join()
    {
        ::shutdown(m_inside.listener.get(), SHUT_RDWR); // nobody comes any more
        if (m_serving.joinable())
            m_serving.join();
        return *this;
    }
    void serve()
    {
        while (true) {
            const Fd socket(::accept(m_inside.listener.get(), nullptr, nullptr));
            if (!socket.isOpen())
                return;
            std::string head;
            for (char each = 0; !head.ends_with("\r\n\r\n") && ::recv(socket.get(), &each, 1, 0) == 1;)
                head += each;
            m_heads.push_back(head);
            const bool isTaken = head.starts_with(m_taken);
            const std::string answer =
                isTaken ? "HTTP/1.1 200 Connection established\r\n\r\n" : "HTTP/1.1 403 Forbidden\r\n\r\n";
            (void)::send(socket.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
            if (!isTaken)
                continue;
            m_hello.resize(test::egress::hello("api.test").size()); // as long as each
            m_hello.resize(static_cast<std::size_t>(
                std::max<ssize_t>(0, ::recv(socket.get(), m_hello.data(), m_hello.size(), MSG_WAITALL))));
            (void)::send(socket.get(), "behind it", 9, MSG_NOSIGNAL);
            return;
        }
    }

    const Inside m_inside;
    const std::string m_taken;
    std::vector<std::string> m_heads;
    std::string m_hello;
    std::thread m_serving; // last: uses all of the above
};

} // namespace

class TestUpstreamProxy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAddresses_data()
    {
        QTest::addColumn<std::string>("place");
        QTest::addColumn<std::string>("authorization");
        const auto row = [](const char* url, const char* place, const char* authorization) {
            QTest::newRow(url) << std::string(place) << std::string(authorization);
        };
        row("http://proxy.test:3128", "proxy.test:3128", "");
        row("proxy.test:3128", "proxy.test:3128", "");
        row("http://proxy.test/", "proxy.test:80", "");
        row("http://[::1]:8080/", "[::1]:8080", "");
        row("http://ada:love@10.0.0.1:3128", "10.0.0.1:3128", "Basic YWRhOmxvdmU=");
        row("http://a:p%40ss@proxy.test:1", "proxy.test:1", "Basic YTpwQHNz");
        row("http://ab:c@proxy.test:1", "proxy.test:1", "Basic YWI6Yw==");
    }
    void readsAddresses()
    {
        QFETCH(const std::string, place);
        QFETCH(const std::string, authorization);
        const auto proxy = parseUpstreamProxy(QTest::currentDataTag(), "");
        SG_VERIFY_OK(proxy);
        QCOMPARE(proxy->place.text(), place);
        QCOMPARE(proxy->authorization, authorization);
    }

    void refusesOthers()
    {
        for (const char* text :
             { "https://proxy.test:443", "socks5://proxy.test:1080", "http://", "pro xy:1" })
            QVERIFY2(!parseUpstreamProxy(text, ""), text);
    }

    void knowsWhatIsReachedWithoutIt()
    {
        const auto proxy = parseUpstreamProxy("proxy.test:1", "localhost, .Corp.test,10.0.0.7");
        SG_VERIFY_OK(proxy);
        const auto isFor = [&](const char* host) { return proxy->isFor(*parseHostPort(host, 443)); };
        QVERIFY(!isFor("localhost") && !isFor("corp.test") && !isFor("index.corp.test")
                && !isFor("10.0.0.7"));
        QVERIFY(isFor("notcorp.test") && isFor("api.test") && isFor("10.0.0.70"));
        QVERIFY(!parseUpstreamProxy("proxy.test:1", "*")->isFor(*parseHostPort("api.test", 443)));
    }

    void knowsPortsAndNetworksOfThose_data()
    {
        QTest::addColumn<std::string>("host");
        QTest::addColumn<bool>("isFor");
        const auto row = [](const char* without, const char* host, bool isFor) {
            QTest::addRow("%s, %s", without, host) << std::string(host) << isFor;
        };
        row("10.0.0.0/8", "10.200.3.4:443", false);
        row("10.0.0.0/8", "11.0.0.1:443", true);
        row("10.0.0.0/8", "ten.test:443", true);
        row("192.168.4.0/22", "192.168.7.255:80", false);
        row("192.168.4.0/22", "192.168.8.0:80", true);
        row("10.0.0.0/33", "10.0.0.0:80", true);
        row("10.0.0.0/x", "10.0.0.0:80", true);
        row("0.0.0.0/0", "[fd00::1]:80", true);
        row("fd00::/8", "[fd12::7]:443", false);
        row("fd00::/8", "[2001:db8::7]:443", true);
        row("index.test:8080", "index.test:8080", false);
        row("index.test:8080", "a.index.test:8080", false);
        row("index.test:8080", "index.test:443", true);
        row("index.test:x", "index.test:443", true);
        row("10.0.0.7:8080", "10.0.0.7:8080", false);
        row("10.0.0.7:8080", "10.0.0.7:80", true);
        row("[FD00::7]:8080", "[fd00::7]:8080", false);
        row("[fd00::7]:8080", "[fd00::7]:80", true);
        row("[fd00:0::7]", "[fd00::7]:80", false);
        row("fd00:0::7", "[fd00::7]:80", false);
        row("[", "index.test:80", true);
        row(":80", "index.test:80", true);
    }
    void knowsPortsAndNetworksOfThose()
    {
        QFETCH(const std::string, host);
        QFETCH(const bool, isFor);
        const std::string row = QTest::currentDataTag();
        const auto proxy = parseUpstreamProxy("proxy.test:1", row.substr(0, row.find(", ")));
        SG_VERIFY_OK(proxy);
        QCOMPARE(proxy->isFor(*parseHostPort(host, 0)), isFor);
    }

    // A name that only the proxy knows.
    void goesThroughIt()
    {
        Behind behind;
        EgressPolicy policy = throughProxy("http://u:w@127.0.0.1:" + behind.port());
        policy.chosen = { *parseHostPort("no.inval", 443) };
        World world(policy);
        const std::string answer =
            world.ask("CONNECT no.inval:443 HTTP/1.1\r\nHost: x\r\n\r\n" + hello("no.inval"));
        SG_VERIFY_CONTAINS(answer, "200 Connection established");
        SG_VERIFY_CONTAINS(answer, "behind it");
        QCOMPARE(behind.hello(), hello("no.inval"));
        SG_VERIFY_CONTAINS(behind.heads().front(), "CONNECT no.inval:443 HTTP/1.1\r\n");
        SG_VERIFY_CONTAINS(behind.heads().front(), "Proxy-Authorization: Basic dTp3\r\n");
        QCOMPARE(world.last().address, "127.0.0.1:" + behind.port());
    }

    // It would resolve a name again, and perhaps otherwise.
    void isAskedForTheCheckedAddress()
    {
        Behind behind;
        EgressPolicy policy = throughProxy("127.0.0.1:" + behind.port());
        policy.chosen = { *parseHostPort("localhost", 443) };
        World world(policy);
        (void)world.ask("CONNECT localhost:443 HTTP/1.1\r\nHost: x\r\n\r\nno TLS");
        const std::string head = behind.heads().front();
        QVERIFY2(head.starts_with("CONNECT 127.0.0.1:443 ") || head.starts_with("CONNECT [::1]:443 "),
                 head.c_str());
    }

    void isAskedByNameForAChosenPlaceWhereItTakesNoAddresses()
    {
        Behind behind("CONNECT localhost:443 ");
        EgressPolicy policy = throughProxy("127.0.0.1:" + behind.port());
        policy.chosen = { *parseHostPort("localhost", 443) };
        World world(policy);
        const std::string answer = world.ask("CONNECT localhost:443 HTTP/1.1\r\nHost: x\r\n\r\nno TLS");
        SG_VERIFY_CONTAINS(answer, "200 Connection established");
        QVERIFY(behind.heads().size() >= 2);
        SG_VERIFY_CONTAINS(behind.heads().back(), "CONNECT localhost:443 ");
    }

    void isAskedForNoNameThatItAloneKnows()
    {
        const LocalServer proxy("HTTP/1.1 200 Connection established\r\n\r\n");
        EgressPolicy policy = throughProxy("127.0.0.1:" + port(proxy));
        policy.rules = { *parseEgressRule("rule.invalid:8443") }; // a graph's
        World world(policy);
        for (const std::string place : { "no-such.invalid:443", "rule.invalid:8443" }) {
            const std::string answer = world.ask("CONNECT " + place + " HTTP/1.1\r\nHost: x\r\n\r\n");
            QVERIFY2(answer.starts_with("HTTP/1.1 403 "), answer.c_str());
            SG_VERIFY_CONTAINS(answer, "this machine cannot look up " + place.substr(0, place.find(':')));
            QCOMPARE(world.last().outcome, EgressDecision::Outcome::Denied);
        }
        QCOMPARE(proxy.requests(), 0);
    }

    void tellsWhatItAnswers()
    {
        const LocalServer proxy("HTTP/1.1 407 \x1b[31mProxy\nAuthentication Required\r\n\r\n");
        World world(throughProxy("127.0.0.1:" + port(proxy)));
        const std::string answer = world.ask("CONNECT 93.184.216.34:443 HTTP/1.1\r\nHost: x\r\n\r\n");
        SG_VERIFY_CONTAINS(answer, "502 Bad Gateway");
        SG_VERIFY_CONTAINS(answer, "407 \\x1b[31mProxy Authentication Required");
        QCOMPARE(world.last().outcome, EgressDecision::Outcome::Failed);
    }

    void isAskedForNothingPrivate()
    {
        const LocalServer proxy("HTTP/1.1 200 Connection established\r\n\r\n");
        World world(throughProxy("127.0.0.1:" + port(proxy)));
        for (const std::string place : { "127.0.0.1:443", "169.254.169.254:443", "localhost:443",
                                         "10.0.0.1:443", "168.63.129.16:443", "no-such.invalid:80" }) {
            const std::string answer = world.ask("CONNECT " + place + " HTTP/1.1\r\nHost: x\r\n\r\n");
            QVERIFY2(answer.starts_with("HTTP/1.1 403 "), (place + ": " + answer).c_str());
        }
        QCOMPARE(proxy.requests(), 0);
    }

    void aChosenPlaceMayBePrivate()
    {
        const LocalServer index("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nindex");
        const LocalServer other("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother");
        EgressPolicy policy;
        policy.openPort = 443;
        policy.chosen = { *parseHostPort("localhost:" + port(index), 0),
                          *parseHostPort("169.254.169.254:80", 0), *parseHostPort("168.63.129.16:80", 0),
                          *parseHostPort("100.100.100.200:80", 0) };
        World world(policy);
        const auto get = [&](const std::string& place) {
            return world.ask("GET http://" + place + "/ HTTP/1.1\r\nHost: x\r\n\r\n");
        };
        SG_VERIFY_CONTAINS(get("localhost:" + port(index)), "index");
        const std::string refused = get("localhost:" + port(other));
        SG_VERIFY_CONTAINS(refused, "403 Forbidden");
        SG_VERIFY_CONTAINS(refused, "every public host at port 443");
        QCOMPARE(other.requests(), 0);
        // Addresses where a cloud tells a machine of itself are nobody's index.
        for (const char* place : { "169.254.169.254:80", "168.63.129.16:80", "100.100.100.200:80" })
            SG_VERIFY_CONTAINS(get(place), "403 Forbidden");
        // The check of a session's way out asks for a name that nobody has.
        SG_VERIFY_CONTAINS(world.ask("CONNECT sandglass-check.invalid:443 HTTP/1.1\r\nHost: x\r\n\r\n"),
                           "403 Forbidden");
    }
};

SG_TEST(TestUpstreamProxy)
#include "tst_upstream_proxy.moc"
