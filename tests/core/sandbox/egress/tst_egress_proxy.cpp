// A session's proxy as code in a sandbox meets it, by the unix socket and by a socket that was handed over.

#include "tests/core/sandbox/egress/egress_world.h"
#include "tests/support/qtest_std.h"
#include "tests/support/qtry.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <QTest>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>

using namespace sg;
using namespace sg::sandbox::egress;
using namespace sg::test::egress;
using namespace std::chrono_literals;

namespace {

EgressHeader header(const std::string& text, const std::string& secret)
{
    auto parsed = parseEgressHeader(text);
    if (!parsed)
        std::abort();
    parsed->find = [secret]() -> Result<std::string> { return secret; };
    return std::move(*parsed);
}

} // namespace

class TestEgressProxy : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void refusesWhatNoRuleNames_data()
    {
        QTest::addColumn<std::string>("request");
        QTest::addColumn<std::string>("status");
        const auto connect = [](const char* host, const char* status = "403") {
            QTest::newRow(host) << "CONNECT " + std::string(host) + " HTTP/1.1\r\nHost: x\r\n\r\n"
                                << std::string(status);
        };
        for (const char* host :
             { "example.com:443", "api.test:80", "api.test.evil.org:443", "evilapi.test:443",
               "169.254.169.254:80", "[::ffff:169.254.169.254]:80", "0x7f.1:443", "2852039166:443",
               "localhost:443", "127.0.0.1:443", "host.docker.internal:2375", "192.168.65.7:2375",
               "api.test:443@evil.org:443", "api.test%2e:443", "api.test", "sandglass-check.invalid:443" })
            connect(host);
        QTest::newRow("origin form") << std::string("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
                                     << std::string("400");
        QTest::newRow("plain, another host")
            << std::string("GET http://example.com/ HTTP/1.1\r\nHost: api.test\r\n\r\n")
            << std::string("403");
        QTest::newRow("plain, user information")
            << std::string("GET http://api.test@example.com/ HTTP/1.1\r\nHost: x\r\n\r\n")
            << std::string("403");
        QTest::newRow("https") << std::string("GET https://api.test/ HTTP/1.1\r\nHost: x\r\n\r\n")
                               << std::string("400");
        QTest::newRow("two framings") << std::string(
            "POST http://api.test/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: "
            "chunked\r\n\r\n") << std::string("400");
        QTest::newRow("no HTTP") << std::string("\x05\x01\x00\r\n\r\n", 7) << std::string("400");
    }
    void refusesWhatNoRuleNames()
    {
        QFETCH(const std::string, request);
        QFETCH(const std::string, status);
        World world({ "api.test" });
        const std::string answer = world.ask(request);
        QVERIFY2(answer.starts_with("HTTP/1.1 " + status + ' '), answer.c_str());
        SG_VERIFY_CONTAINS(answer, "There is no other way");
        QVERIFY(world.last().outcome != EgressDecision::Outcome::Allowed);
    }

    // A rule is not enough: the address must be public, unless this user trusts that very one.
    void privateAddressesNeedTrust()
    {
        test::LocalServer server("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi");
        const std::string place = "127.0.0.1:" + port(server);
        const std::string request = "GET http://" + place
            + "/path?q HTTP/1.1\r\nHost: evil.org\r\nX-Mine: 1\r\n"
              "Proxy-Authorization: secret\r\n\r\n";
        World strict({ place });
        const std::string refused = strict.ask(request);
        QVERIFY2(refused.starts_with("HTTP/1.1 403 "), refused.c_str());
        SG_VERIFY_CONTAINS(refused, "private network");
        QCOMPARE(server.requests(), 0);

        World other({ place }, { "127.0.0.1:1" });
        QVERIFY(other.ask(request).starts_with("HTTP/1.1 403 "));

        World trusting({ place }, { place });
        const std::string answer = trusting.ask(request);
        QVERIFY2(answer.starts_with("HTTP/1.1 200 OK"), answer.c_str());
        QVERIFY(answer.ends_with("hi"));
        SG_VERIFY_CONTAINS(server.last(), "GET /path?q HTTP/1.1\r\nHost: " + place + "\r\n");
        SG_VERIFY_CONTAINS(server.last(), "x-mine: 1");
        QVERIFY(server.last().find("evil.org") == std::string::npos);
        QVERIFY(server.last().find("secret") == std::string::npos);
        const EgressDecision told = trusting.last();
        QCOMPARE(told.outcome, EgressDecision::Outcome::Allowed);
        QCOMPARE(told.place, place);
        QCOMPARE(told.address, std::string("127.0.0.1"));
    }

    // A name that leads to this machine, by whatever resolver.
    void namesThatLeadHereAreRefused()
    {
        World world({ "localhost.localdomain:443", "localhost:443" });
        const std::string answer = world.ask("CONNECT localhost:443 HTTP/1.1\r\nHost: x\r\n\r\n");
        QVERIFY2(answer.starts_with("HTTP/1.1 403 "), answer.c_str());
        SG_VERIFY_CONTAINS(answer, "leads to");
    }

    void aTunnelIsForTheHostItNames_data()
    {
        QTest::addColumn<std::string>("words");
        QTest::addColumn<bool>("passes");
        QTest::newRow("another host") << hello("evil.org") << false;
        QTest::newRow("no TLS") << std::string("GET / HTTP/1.1\r\nHost: x\r\n\r\n") << false;
    }
    void aTunnelIsForTheHostItNames()
    {
        QFETCH(const std::string, words);
        test::LocalServer server("pong");
        const std::string place = "127.0.0.1:" + port(server);
        World world({ place }, { place });
        const Fd socket = world.connect();
        const std::string first =
            World::talk(socket, "CONNECT " + place + " HTTP/1.1\r\nHost: x\r\n\r\n", 39);
        QVERIFY2(first.starts_with("HTTP/1.1 200 "), first.c_str());
        QCOMPARE(World::talk(socket, words), std::string());
        QTRY_COMPARE(world.last().outcome, EgressDecision::Outcome::Denied);
        QVERIFY(server.last().empty());
    }

    void limitsHold()
    {
        test::LocalServer server("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + std::string(200'000, 'x'));
        const std::string place = "127.0.0.1:" + port(server);
        const std::string request = "GET http://" + place + "/ HTTP/1.1\r\nHost: x\r\n\r\n";
        World bytes({ place }, { place }, { 100'000, 4, 600 });
        QVERIFY(bytes.ask(request).size() <= 100'000 + 65536);
        QVERIFY(bytes.ask(request).starts_with("HTTP/1.1 429 "));
        World requests({ place }, { place }, { 1LL << 30, 4, 2 });
        QVERIFY(requests.ask(request).starts_with("HTTP/1.1 200 "));
        QVERIFY(requests.ask(request).starts_with("HTTP/1.1 200 "));
        QVERIFY(requests.ask(request).starts_with("HTTP/1.1 429 "));
        World connections({ place }, { place }, { 1LL << 30, 2, 600 });
        const Fd one = connections.connect();
        const Fd two = connections.connect();
        QTRY_VERIFY(connections.ask(request).starts_with("HTTP/1.1 429 "));
    }

    void headersReachTheirHostAlone()
    {
        test::LocalServer api("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi");
        test::LocalServer other("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi");
        const std::string place = "127.0.0.1:" + port(api);
        const std::string elsewhere = "127.0.0.1:" + port(other);
        World world({ place, elsewhere }, { place, elsewhere }, {},
                    { header("key@http://" + place, "a-planted-secret"),
                      header("id@http://" + place + " X-Account: no. {secret}", "42") });
        const auto request = [](const std::string& host) {
            return "POST http://" + host
                + "/path HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer of-the-code\r\nX-ACCOUNT: mine\r\n"
                  "X-Other: stays\r\nContent-Length: 4\r\n\r\nbody";
        };
        QVERIFY(world.ask(request(place)).ends_with("hi"));
        SG_VERIFY_CONTAINS(api.last(), "authorization: Bearer a-planted-secret\r\n");
        SG_VERIFY_CONTAINS(api.last(), "x-account: no. 42\r\n");
        SG_VERIFY_CONTAINS(api.last(), "x-other: stays\r\n");
        QVERIFY(api.last().find("of-the-code") == std::string::npos);
        QVERIFY(api.last().find("mine") == std::string::npos);
        QCOMPARE(world.last().secrets, (std::vector<std::string>{ "key", "id" }));
        QVERIFY(world.ask(request(elsewhere)).ends_with("hi"));
        SG_VERIFY_CONTAINS(other.last(), "authorization: Bearer of-the-code\r\n");
        QVERIFY(other.last().find("planted") == std::string::npos);
        QVERIFY(world.last().secrets.empty());
        const std::string before = api.last();
        SG_VERIFY_CONTAINS(world.ask("TRACE http://" + place + "/ HTTP/1.1\r\nHost: x\r\n\r\n"), " 405 ");
        QCOMPARE(api.last(), before); // a server would answer with all that it was asked
    }

    void aSecretThatWouldBeMoreThanAHeaderIsNotSent()
    {
        test::LocalServer api("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
        const std::string place = "127.0.0.1:" + port(api);
        World world({ place }, { place }, {}, { header("key@http://" + place, "two\r\nlines: 1") });
        const std::string answer = world.ask("GET http://" + place + "/ HTTP/1.1\r\nHost: x\r\n\r\n");
        QVERIFY2(answer.starts_with("HTTP/1.1 502 "), answer.c_str());
        SG_VERIFY_CONTAINS(answer, "the secret key has characters");
        QVERIFY(answer.find("lines") == std::string::npos);
        QCOMPARE(api.requests(), 0);
    }

    // Plain in the sandbox, TLS from here on: to the host that proves its name, and to no other.
    void headersGoByTls()
    {
        const test::TempDir folder;
        TlsServer server(folder.path());
        QVERIFY(!server.port.empty());
        const std::string place = "127.0.0.1:" + server.port;
        const std::string request =
            "POST http://" + place + "/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nlonger";
        const auto key = [&] { return std::vector{ header("key@" + place, "a-planted-secret") }; };
        World world({ place }, { place }, {}, key(), folder / "authority.pem");
        const std::string answer = world.ask(request);
        QVERIFY2(answer.starts_with("HTTP/1.0 200 "), answer.c_str());
        SG_VERIFY_CONTAINS(answer, "POST /echo Bearer a-planted-secret " + place + " longer");
        QCOMPARE(answer.size() > 3'000'000, true); // what follows is large, and comes whole
        QVERIFY(answer.ends_with("the end"));
        World strict({ place }, { place }, {}, key()); // this machine does not know that authority
        const std::string refused = strict.ask(request);
        QVERIFY2(refused.starts_with("HTTP/1.1 502 "), refused.c_str());
        SG_VERIFY_CONTAINS(refused, "certificate");
        QCOMPARE(strict.last().outcome, EgressDecision::Outcome::Failed);
        World small({ place }, { place }, { 100'000, 4, 600 }, key(), folder / "authority.pem");
        QVERIFY(small.ask(request).size() < 300'000);
    }

    void readsHeadersAsTheyAreWritten_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("read");
        const auto row = [](const char* text, const char* read) {
            QTest::newRow(text) << std::string(text) << std::string(read);
        };
        row("key@api.test", "key api.test:443 tls authorization=Bearer {secret}");
        row("key@https://api.test:8443", "key api.test:8443 tls authorization=Bearer {secret}");
        row("key@http://10.0.0.1:8080", "key 10.0.0.1:8080 plain authorization=Bearer {secret}");
        row("key@api.test X-Api-Key: {secret}", "key api.test:443 tls x-api-key={secret}");
        row("key@api.test  A: b: {secret} c ", "key api.test:443 tls a=b: {secret} c");
        for (const char* wrong :
             { "api.test", "@api.test", "key@", "key@*.api.test", "key@api.test/path", "key@0x7f.1",
               "key@a@b.test", "key@api.test Host: {secret}", "key@api.test Content-Length: {secret}",
               "key@api.test Proxy-Authorization: {secret}", "key@api.test A", "key@api.test A: none",
               "key@api.test A: {secret}{secret}", "key@api.test A B: {secret}",
               "key@api.test A: {secret}\r\nB: c", "key@ftp://api.test" })
            row(wrong, "");
    }
    void readsHeadersAsTheyAreWritten()
    {
        QFETCH(const std::string, text);
        QFETCH(const std::string, read);
        const auto parsed = parseEgressHeader(text);
        QCOMPARE(parsed ? parsed->secret + ' ' + parsed->place.text() + (parsed->tls ? " tls " : " plain ")
                         + parsed->name + '=' + parsed->pattern
                        : std::string(),
                 read);
    }

    void plainRequestsMeanTheHostsOwnPort()
    {
        const auto place = [](const std::string& text) { return *parseHostPort(text, 0); };
        const EgressHeader tls = *parseEgressHeader("key@api.test");
        QVERIFY(tls.isFor(place("api.test:80")));
        QVERIFY(tls.isFor(place("api.test:443")));
        QVERIFY(!tls.isFor(place("api.test:8080")));
        QVERIFY(!tls.isFor(place("www.api.test:443")));
        const EgressHeader plain = *parseEgressHeader("key@http://api.test:8080");
        QVERIFY(plain.isFor(place("api.test:8080")));
        QVERIFY(!plain.isFor(place("api.test:80")));
    }

    // The folder of it that is mounted in a sandbox stays the same, whoever serves it.
    void anotherProxyTakesUpWhatOneLeft()
    {
        const std::string session = World::nextSession();
        const auto policy = [] { return *egressPolicy({ "api.test" }, {}); };
        auto folder = EgressFolder::create(session, true);
        SG_VERIFY_OK(folder);
        auto first = EgressProxy::start(policy(), std::move(*folder));
        SG_VERIFY_OK(first);
        const Fd mounted(::open((*first)->folder().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        const std::string socket = "/proc/self/fd/" + std::to_string(mounted.get()) + '/' + kSocketName;
        QVERIFY(net::connectUnixSocket(socket));
        (*first)->leave();
        first->reset();
        QVERIFY(!net::connectUnixSocket(socket));
        auto again = EgressFolder::adopt(session, true);
        SG_VERIFY_OK(again);
        auto second = EgressProxy::start(policy(), std::move(*again));
        SG_VERIFY_OK(second);
        QVERIFY(net::connectUnixSocket(socket));
        std::vector<EgressDecision> told;
        const auto connected = net::connectUnixSocket(socket);
        SG_VERIFY_OK(connected);
        SG_VERIFY_CONTAINS(World::talk(*connected, "CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n"),
                           "403");
        (*second)->tell([&](const EgressDecision& decision) {
            told.push_back(decision);
            return true;
        });
        QCOMPARE(told.size(), std::size_t{ 1 }); // kept until somebody listens
        second->reset();
        QVERIFY(!EgressFolder::adopt(session, true)); // it ended with its session
    }

    // As a runner does: its own listening socket, by which code in the sandbox then comes.
    void servesASocketThatIsHandedOver()
    {
        World world({ "api.test" });
        const Fd inside(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        QVERIFY(::bind(inside.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
        QVERIFY(::getsockname(inside.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
        QCOMPARE(handOver(world, inside.get()), std::string("n")); // it does not listen yet
        QVERIFY(::listen(inside.get(), 8) == 0);
        QCOMPARE(handOver(world, inside.get()), std::string("k"));
        auto socket = net::connectTcp("127.0.0.1", std::to_string(ntohs(address.sin_port)), 2s);
        SG_VERIFY_OK(socket);
        const std::string answer =
            World::talk(*socket, "CONNECT sandglass-check.invalid:443 HTTP/1.1\r\nHost: x\r\n\r\n");
        QVERIFY2(answer.starts_with("HTTP/1.1 403 "), answer.c_str());
        QCOMPARE(world.last().outcome, EgressDecision::Outcome::Checked);
    }

    void endsWhatIsUnderWay()
    {
        test::LocalServer server({}); // takes a request and never answers
        const std::string place = "127.0.0.1:" + port(server);
        auto world = std::make_unique<World>(std::vector{ place }, std::vector{ place });
        const Fd socket = world->connect();
        QCOMPARE(World::talk(socket, "GET http://" + place + "/ HTTP/1.1\r\nHost: x\r\n\r\n", 0),
                 std::string());
        QTRY_COMPARE(server.requests(), 1);
        const std::filesystem::path folder = world->proxy->folder();
        const auto begin = std::chrono::steady_clock::now();
        world->proxy = nullptr;
        QVERIFY(std::chrono::steady_clock::now() - begin < 60s); // a connection may be idle for 300 s
        QVERIFY(!std::filesystem::exists(folder));
    }
};

SG_TEST(TestEgressProxy)
#include "tst_egress_proxy.moc"
