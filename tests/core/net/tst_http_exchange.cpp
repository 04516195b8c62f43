// Requests that a handler answers on a thread of its own: streams both ways, in bounded memory, with clients
// that are slow, wrong, or go away.

#include "core/base/child_process.h"
#include "core/net/connect_socket.h"
#include "core/net/http_client.h"
#include "core/net/http_server.h"
#include "tests/support/qtest_std.h"
#include "tests/support/qtry.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

using namespace sg;
using namespace sg::net;
using namespace std::chrono_literals;

namespace {

using Exchange = std::function<void(HttpExchange&)>;

std::unique_ptr<HttpServer> serving(Exchange exchange, HttpServerOptions options = {})
{
    HttpServer::Service service;
    service.exchange = std::move(exchange);
    auto started = HttpServer::start(options, std::move(service));
    return started ? std::move(*started) : nullptr;
}

Fd connectTo(const HttpServer& server)
{
    auto socket = connectTcp("127.0.0.1", std::to_string(server.port()), 2s);
    if (!socket)
        return {};
    const timeval patience{ 20, 0 };
    ::setsockopt(socket->get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return std::move(*socket);
}

void say(const Fd& socket, const std::string& text)
{
    (void)::send(socket.get(), text.data(), text.size(), MSG_NOSIGNAL);
}

// Returns the bytes that come until `end` is in them, or the connection ends.
std::string hear(const Fd& socket, const std::string& end = "no such text")
{
    std::string answer;
    char buffer[65536];
    while (answer.find(end) == std::string::npos) {
        const ssize_t got = ::recv(socket.get(), buffer, sizeof buffer, 0);
        if (got <= 0)
            break;
        answer.append(buffer, static_cast<std::size_t>(got));
    }
    return answer;
}

void echo(HttpExchange& exchange)
{
    const auto body = exchange.readAll(1U << 20);
    if (body)
        exchange.answer(textAnswer(200, exchange.head().target + ":" + *body));
    else
        exchange.answer(
            textAnswer(body.error().code == Errc::LimitExceeded ? 413 : 400, body.error().message));
}

// The macro asks for a text more than once.
bool hears(const Fd& socket, const std::string& text)
{
    return hear(socket, text).find(text) != std::string::npos;
}

// Counts what it reads, without keeping it.
void count(HttpExchange& exchange)
{
    std::size_t all = 0;
    while (true) {
        const auto more = exchange.read();
        if (!more || more->empty())
            return exchange.answer(textAnswer(more ? 200 : 400, std::to_string(all)));
        all += more->size();
    }
}

std::string url(const HttpServer& server, const char* path = "/")
{
    return "http://127.0.0.1:" + std::to_string(server.port()) + path;
}

} // namespace

class TestHttpExchange : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsBodies_data()
    {
        QTest::addColumn<std::string>("request");
        QTest::addColumn<std::string>("heard");
        const auto row = [](const char* name, const std::string& rest, const std::string& heard) {
            QTest::newRow(name) << "POST /a HTTP/1.1\r\nHost: a\r\n" + rest << heard;
        };
        row("none", "\r\n", "/a:");
        row("with a length", "Content-Length: 5\r\n\r\nhello", "/a:hello");
        row("in chunks", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n7;x=y\r\n, world\r\n0\r\n\r\n",
            "/a:hello, world");
        row("with trailers", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: y\r\n\r\n", "/a:hello");
        row("too long", "Content-Length: 2000000\r\n\r\n" + std::string(2'000'000, 'x'), "413 ");
        row("a chunk without a size", "Transfer-Encoding: chunked\r\n\r\nxx\r\nhello\r\n", "400 ");
        row("a chunk of endless size", "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nhello\r\n",
            "400 ");
        row("a chunk that goes on", "Transfer-Encoding: chunked\r\n\r\n5\r\nhelloworld\r\n0\r\n\r\n", "400 ");
        row("two framings", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400 ");
    }
    void readsBodies()
    {
        QFETCH(const std::string, request);
        QFETCH(const std::string, heard);
        const auto server = serving(echo);
        // However it is cut.
        for (const std::size_t cut : { std::size_t{ 0 }, request.size() / 2, request.size() - 1 }) {
            const Fd socket = connectTo(*server);
            say(socket, request.substr(0, cut));
            if (cut > 0)
                std::this_thread::sleep_for(20ms);
            say(socket, request.substr(cut));
            QVERIFY(hears(socket, heard));
        }
    }

    void keepsTheConnectionAfterABody()
    {
        const auto server = serving(echo);
        const Fd socket = connectTo(*server);
        const std::string one = "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc";
        const std::string two =
            "POST /2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\ndef\r\n0\r\n\r\n";
        say(socket, one + two + one);
        const std::string last = "GET /3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        say(socket, last);
        const std::string heard = hear(socket);
        for (const char* each : { "/1:abc", "/2:def", "/3:" })
            SG_VERIFY_CONTAINS(heard, each);
        QVERIFY(heard.find("/1:abc") < heard.find("/2:def") && heard.find("/2:def") < heard.rfind("/1:abc"));
    }

    void answersWhoeverAsksFirst()
    {
        const auto server = serving(echo);
        const Fd socket = connectTo(*server);
        say(socket, "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
        QVERIFY(hears(socket, "HTTP/1.1 100 Continue\r\n\r\n"));
        say(socket, "hello");
        QVERIFY(hears(socket, "/a:hello"));
        // One that refuses does not ask for the body.
        const auto refusing = serving([](HttpExchange& exchange) { exchange.answer(textAnswer(403, "no")); });
        const Fd other = connectTo(*refusing);
        say(other, "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
        const std::string refused = hear(other);
        QVERIFY2(refused.starts_with("HTTP/1.1 403 "), refused.c_str());
        SG_VERIFY_CONTAINS(refused, "Connection: close\r\n");
    }

    void streamsAnswers()
    {
        const auto server = serving([](HttpExchange& exchange) {
            exchange.begin(200, "Content-Type: text/event-stream\r\n");
            for (int i = 0; i < 3; ++i)
                (void)exchange.write("data: " + std::to_string(i) + "\n\n");
        });
        HttpClient client;
        HttpRequest request;
        request.url = url(*server);
        const auto answer = client.send(request);
        SG_VERIFY_OK(answer);
        QCOMPARE(answer->body, std::string("data: 0\n\ndata: 1\n\ndata: 2\n\n"));
        QCOMPARE(answer->header("transfer-encoding"), std::string("chunked"));
        const Fd head = connectTo(*server);
        say(head, "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        const std::string heard = hear(head);
        QVERIFY2(heard.ends_with("\r\n\r\n") && heard.find("data") == std::string::npos, heard.c_str());
        const Fd old = connectTo(*server);
        say(old, "GET / HTTP/1.0\r\n\r\n");
        const std::string plain = hear(old);
        QVERIFY2(plain.ends_with("\r\n\r\ndata: 0\n\ndata: 1\n\ndata: 2\n\n"), plain.c_str());
    }

    void anAnswerThatIsShorterThanItSaidEndsTheConnection()
    {
        const auto server = serving([](HttpExchange& exchange) {
            exchange.begin(200, {}, 10);
            (void)exchange.write("short");
        });
        const Fd socket = connectTo(*server);
        say(socket, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        const std::string heard = hear(socket);
        QVERIFY2(heard.ends_with("\r\n\r\nshort"), heard.c_str());
    }

    void anExchangeWithoutAnAnswerGetsOne()
    {
        const auto server = serving([](HttpExchange&) {});
        const Fd socket = connectTo(*server);
        say(socket, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        QVERIFY(hear(socket).starts_with("HTTP/1.1 500 "));
    }

    // A handler that writes without end stops at a client that does not read, and at one that is gone.
    void aQuickHandlerWaitsForItsClient()
    {
        std::atomic<std::size_t> written = 0;
        std::atomic<bool> hasEnded = false;
        const auto server = serving([&](HttpExchange& exchange) {
            exchange.begin(200, {});
            const std::string piece(65536, 'x');
            while (exchange.write(piece))
                written += piece.size();
            hasEnded = exchange.gone().stop_requested();
        });
        Fd socket = connectTo(*server);
        say(socket, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        QTRY_VERIFY(written > 0);
        std::size_t before = 0;
        QTRY_VERIFY([&] {
            QTest::qWait(200);
            return std::exchange(before, written.load()) == written.load();
        }());
        QVERIFY2(written < 16U << 20, std::to_string(written).c_str()); // the kernel's buffers, and ours
        socket.reset();
        QTRY_VERIFY(hasEnded);
    }

    // The error and its reason come from another thread than the handler's, which may run between the two.
    void aFailedWriteMeansThatTheClientIsGone()
    {
        std::atomic<int> ended = 0;
        std::atomic<int> gone = 0;
        const auto server = serving([&](HttpExchange& exchange) {
            exchange.begin(200, {});
            const std::string piece(65536, 'x');
            while (exchange.write(piece)) { }
            gone += exchange.gone().stop_requested() ? 1 : 0;
            ++ended;
        });
        const int rounds = 300;
        for (int i = 0; i < rounds; ++i) {
            const Fd socket = connectTo(*server);
            say(socket, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            QVERIFY(hears(socket, "200 OK"));
        }
        QTRY_COMPARE(ended, rounds);
        QCOMPARE(gone, rounds);
    }

    // A client that sends without end is read no faster than the handler takes.
    void aQuickClientWaitsForTheHandler()
    {
        std::atomic<bool> mayRead = false;
        const auto server = serving([&](HttpExchange& exchange) {
            while (!mayRead)
                std::this_thread::sleep_for(5ms);
            count(exchange);
        });
        const Fd socket = connectTo(*server);
        const std::size_t all = 64U << 20;
        say(socket, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(all) + "\r\n\r\n");
        const std::string piece(1U << 16, 'x');
        std::size_t sent = 0;
        for (int idle = 0; idle < 20;) {
            const ssize_t more = ::send(socket.get(), piece.data(), std::min(piece.size(), all - sent),
                                        MSG_NOSIGNAL | MSG_DONTWAIT);
            if (more > 0) {
                sent += static_cast<std::size_t>(more);
                idle = 0;
                continue;
            }
            ++idle;
            std::this_thread::sleep_for(20ms);
        }
        QVERIFY2(sent < 16U << 20, std::to_string(sent).c_str());
        mayRead = true;
        while (sent < all) {
            const ssize_t more =
                ::send(socket.get(), piece.data(), std::min(piece.size(), all - sent), MSG_NOSIGNAL);
            QVERIFY(more > 0);
            sent += static_cast<std::size_t>(more);
        }
        QVERIFY(hears(socket, std::to_string(all)));
    }

    void aHandlerLearnsThatItsClientIsGone()
    {
        std::atomic<bool> isRunning = false;
        std::atomic<bool> hasEnded = false;
        const auto server = serving([&](HttpExchange& exchange) {
            isRunning = true;
            while (!exchange.gone().stop_requested())
                std::this_thread::sleep_for(5ms);
            hasEnded = true;
        });
        Fd socket = connectTo(*server);
        say(socket, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab");
        QTRY_VERIFY(isRunning);
        socket.reset();
        QTRY_VERIFY(hasEnded);
    }

    void aBodyThatStopsEndsTheExchange()
    {
        HttpServerOptions options;
        options.stallTime = 1s;
        std::string told;
        std::atomic<bool> hasEnded = false;
        const auto server = serving(
            [&](HttpExchange& exchange) {
                const auto body = exchange.readAll(100);
                told = body ? "whole" : body.error().message;
                hasEnded = true;
            },
            options);
        const Fd socket = connectTo(*server);
        say(socket, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\nab");
        QTRY_VERIFY(hasEnded);
        QCOMPARE(told, std::string("the client has not gone on in time"));
        QCOMPARE(hear(socket), std::string());
    }

    void moreStreamsThanMayBeAreRefused()
    {
        HttpServerOptions options;
        options.streams = 4;
        std::atomic<int> running = 0;
        const auto server = serving(
            [&](HttpExchange& exchange) {
                ++running;
                exchange.begin(200, {});
                while (!exchange.gone().stop_requested())
                    std::this_thread::sleep_for(5ms);
            },
            options);
        const std::string request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
        std::vector<Fd> held;
        for (int i = 0; i < 4; ++i) {
            held.push_back(connectTo(*server));
            say(held.back(), request);
        }
        QTRY_COMPARE(running.load(), 4);
        const Fd fifth = connectTo(*server);
        say(fifth, request);
        QVERIFY(hear(fifth).starts_with("HTTP/1.1 503 "));
        held.clear();
        // The macro asks once more where it has succeeded, when the last stream may not have ended yet.
        bool isServed = false;
        QTRY_VERIFY([&] {
            const Fd next = connectTo(*server);
            say(next, request);
            return isServed = isServed || hear(next, "\r\n\r\n").starts_with("HTTP/1.1 200 ");
        }());
    }

    // 500 streams that are open at once, with little memory each, and an end that waits for none of them.
    void manyStreamsAtOnce()
    {
        HttpServerOptions options;
        options.streams = 500;
        options.connections = 600;
        std::atomic<int> running = 0;
        auto server = serving(
            [&](HttpExchange& exchange) {
                exchange.begin(200, {});
                (void)exchange.write("hello");
                ++running;
                while (!exchange.gone().stop_requested())
                    std::this_thread::sleep_for(20ms);
                --running;
            },
            options);
        std::vector<Fd> held;
        for (int i = 0; i < 500; ++i) {
            held.push_back(connectTo(*server));
            QVERIFY(held.back().isOpen());
            say(held.back(), "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        }
        QTRY_COMPARE(running.load(), 500);
        for (const Fd& each : held)
            QVERIFY(hears(each, "hello"));
        server = nullptr; // or it would wait for ever
        QCOMPARE(running.load(), 0);
    }

    void carriesOtherProtocols()
    {
        const auto server = serving([](HttpExchange& exchange) {
            exchange.takeOver();
            (void)exchange.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\n"
                                 "Connection: Upgrade\r\n\r\n");
            while (true) {
                const auto bytes = exchange.read();
                if (!bytes || bytes->empty() || *bytes == "bye" || !exchange.write(*bytes))
                    return;
            }
        });
        const Fd socket = connectTo(*server);
        say(socket, "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n");
        QVERIFY(hears(socket, "Connection: Upgrade\r\n\r\n"));
        say(socket, "GET / HTTP/1.1\r\n\r\n"); // is no request now
        QCOMPARE(hear(socket, "\r\n\r\n"), std::string("GET / HTTP/1.1\r\n\r\n"));
        say(socket, "bye");
        QCOMPARE(hear(socket), std::string());
    }

    void speaksTls()
    {
        const test::TempDir folder;
        ProcessSpec make;
        make.program = "openssl";
        make.environment = { "PATH=/usr/bin:/bin" };
        make.arguments = { "req",
                           "-x509",
                           "-newkey",
                           "ec",
                           "-pkeyopt",
                           "ec_paramgen_curve:prime256v1",
                           "-nodes",
                           "-days",
                           "2",
                           "-subj",
                           "/CN=test",
                           "-addext",
                           "subjectAltName=IP:127.0.0.1",
                           "-keyout",
                           (folder / "key.pem").string(),
                           "-out",
                           (folder / "cert.pem").string() };
        SG_VERIFY_OK(runProcess(make, {}, 20s));
        HttpServerOptions options;
        options.certificate = folder / "cert.pem";
        options.key = folder / "key.pem";
        const std::string large(5'000'000, 'x');
        const auto server = serving(
            [&](HttpExchange& exchange) {
                if (exchange.head().target != "/large")
                    return count(exchange);
                exchange.begin(200, {});
                (void)exchange.write(large);
            },
            options);
        QVERIFY(server);
        HttpClient client;
        HttpRequest request;
        request.url = "https://127.0.0.1:" + std::to_string(server->port()) + "/large";
        request.authorities = folder / "cert.pem";
        const auto answer = client.send(request);
        SG_VERIFY_OK(answer);
        QVERIFY(answer->body == large);
        request.url = "https://127.0.0.1:" + std::to_string(server->port()) + "/count";
        request.method = "POST";
        request.body = large;
        const auto counted = client.send(request);
        SG_VERIFY_OK(counted);
        QCOMPARE(counted->body, std::string("5000000"));
        // One that does not speak TLS is not answered, and keeps nobody from being answered.
        const Fd plain = connectTo(*server);
        say(plain, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        QVERIFY(hear(plain).find("HTTP/1.1 200") == std::string::npos);
        options.key = folder / "cert.pem";
        const auto wrong = HttpServer::start(options, HttpServer::Service{});
        QVERIFY(!wrong);
        SG_VERIFY_CONTAINS(wrong.error().message, "cert.pem is no private key");
    }
};

SG_TEST(TestHttpExchange)
#include "tst_http_exchange.moc"
