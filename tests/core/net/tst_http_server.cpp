// The server with hostile and with many clients.

#include "core/net/connect_socket.h"
#include "core/net/http_client.h"
#include "core/net/http_server.h"
#include "tests/support/qtest_std.h"
#include "tests/support/qtry.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <cerrno>
#include <latch>
#include <thread>
#include <vector>

using namespace sg;
using namespace sg::net;
using namespace std::chrono_literals;

namespace {

std::unique_ptr<HttpServer> serving(HttpServer::Handler handler, HttpServerOptions options = {})
{
    auto started = HttpServer::start(options, std::move(handler));
    return started ? std::move(*started) : nullptr;
}

Fd connectTo(const HttpServer& server)
{
    auto socket = connectTcp("127.0.0.1", std::to_string(server.port()), 2s);
    if (!socket)
        return {};
    const timeval patience{ 10, 0 };
    ::setsockopt(socket->get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return std::move(*socket);
}

// Returns the bytes that come back until the connection ends.
std::string talk(const HttpServer& server, const std::string& request, bool endsIt = true)
{
    const Fd socket = connectTo(server);
    (void)::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL);
    if (endsIt)
        ::shutdown(socket.get(), SHUT_WR);
    std::string answer;
    char buffer[65536];
    for (ssize_t got = 0; (got = ::recv(socket.get(), buffer, sizeof buffer, 0)) > 0;)
        answer.append(buffer, static_cast<std::size_t>(got));
    return answer;
}

int count(const std::string& text, const std::string& part)
{
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
        ++found;
    return found;
}

} // namespace

class TestHttpServer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void answersKeptAndPipelinedRequests()
    {
        const auto server =
            serving([](const HttpHead& head) { return textAnswer(200, head.method + head.target); });
        QVERIFY(server);
        const std::string one = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n";
        const std::string answer = talk(*server, one + "HEAD /2 HTTP/1.1\r\nHost: a\r\n\r\n" + one);
        QCOMPARE(count(answer, "HTTP/1.1 200 OK\r\n"), 3);
        QCOMPARE(count(answer, "GET/1"), 2);
        QCOMPARE(count(answer, "HEAD/2"), 0);
        QCOMPARE(count(answer, "Content-Length: 6\r\n"), 1);
        const std::string closed =
            talk(*server, "GET /1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" + one, false);
        QCOMPARE(count(closed, "HTTP/1.1 200 OK\r\n"), 1);
        SG_VERIFY_CONTAINS(closed, "Connection: close\r\n");
    }

    void refusesBodiesAndNonsense_data()
    {
        QTest::addColumn<std::string>("request");
        const auto row = [](const char* name, const std::string& request) { QTest::newRow(name) << request; };
        row("a body", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello");
        row("chunks", "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
        row("two framings",
            "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nhello");
        row("no HTTP", "hello\r\n\r\n");
        row("a smuggled request",
            "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 44\r\n\r\n"
            "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    void refusesBodiesAndNonsense()
    {
        QFETCH(const std::string, request);
        const auto server = serving([](const HttpHead& head) { return textAnswer(200, head.target); });
        const std::string answer = talk(*server, request, false);
        QVERIFY2(answer.starts_with("HTTP/1.1 400 "), answer.c_str());
        QCOMPARE(count(answer, "HTTP/1.1 "), 1);
        QVERIFY(answer.find("smuggled") == std::string::npos);
    }

    void sendsFilesAndPartsOfThem()
    {
        const test::TempDir folder;
        const std::string content = [] {
            std::string text(5'000'000, ' ');
            for (std::size_t i = 0; i < text.size(); ++i)
                text[i] = static_cast<char>('a' + i % 23);
            return text;
        }();
        const auto path = folder.write("file", content);
        const auto file = std::make_shared<const Fd>(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
        const auto server = serving([&](const HttpHead& head) {
            HttpAnswer answer;
            answer.file = file;
            answer.offset = head.target == "/part" ? 1'000'000 : 0;
            answer.length = head.target == "/part" ? 2'000'000 : content.size();
            return answer;
        });
        HttpClient client;
        HttpRequest request;
        request.url = "http://127.0.0.1:" + std::to_string(server->port()) + "/whole";
        auto whole = client.send(request);
        SG_VERIFY_OK(whole);
        QVERIFY(whole->body == content);
        request.url = "http://127.0.0.1:" + std::to_string(server->port()) + "/part";
        auto part = client.send(request);
        SG_VERIFY_OK(part);
        QVERIFY(part->body == content.substr(1'000'000, 2'000'000));
    }

    // A client that drips, one that says nothing, one that takes nothing: each loses its connection in time.
    void endsConnectionsThatDoNotGoOn()
    {
        HttpServerOptions options;
        options.headTime = 1s;
        options.idleTime = 1s;
        options.stallTime = 3s; // a reader that goes on may have to wait for a processor
        const auto content = std::make_shared<const std::string>(50'000'000, 'x');
        const auto server = serving(
            [&](const HttpHead&) {
                HttpAnswer answer;
                answer.body = content;
                return answer;
            },
            options);
        const Fd silent = connectTo(*server);
        const Fd dripping = connectTo(*server);
        const Fd greedy = connectTo(*server);
        const std::string request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
        QVERIFY(::send(greedy.get(), request.data(), request.size(), MSG_NOSIGNAL) > 0);
        const auto isOver = [](const Fd& socket) {
            char byte = 0;
            return ::send(socket.get(), "G", 1, MSG_NOSIGNAL) < 0
                || ::recv(socket.get(), &byte, 1, MSG_DONTWAIT | MSG_PEEK) == 0;
        };
        QTRY_VERIFY(isOver(dripping)); // a byte each time
        char byte = 0;
        QCOMPARE(::recv(silent.get(), &byte, 1, 0), ssize_t{ 0 });
        QTRY_VERIFY(::send(greedy.get(), "x", 1, MSG_NOSIGNAL) < 0);
        QVERIFY(talk(*server, request).size() > content->size()); // others are served
    }

    void manyConnectionsAreLimited()
    {
        HttpServerOptions options;
        options.connections = 20;
        const auto server = serving([](const HttpHead&) { return textAnswer(200, "ok"); }, options);
        std::vector<Fd> held;
        for (int i = 0; i < 60; ++i)
            held.push_back(connectTo(*server));
        held.clear();
        QTRY_VERIFY(talk(*server, "GET / HTTP/1.1\r\nHost: a\r\n\r\n").starts_with("HTTP/1.1 200 OK"));
    }

    // Connections that wait for a thread that is busy are counted, too.
    void thoseThatABusyThreadIsGivenAreLimited()
    {
        constexpr int kAsked = 40;
        HttpServerOptions options;
        options.connections = 10;
        std::latch isBusy(1);
        std::latch mayGoOn(1);
        const auto server = serving(
            [&](const HttpHead&) {
                isBusy.count_down();
                mayGoOn.wait();
                return textAnswer(200, "ok");
            },
            options);
        const Fd first = connectTo(*server);
        const std::string request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
        QCOMPARE(::send(first.get(), request.data(), request.size(), MSG_NOSIGNAL), ssize_t(request.size()));
        QTRY_VERIFY(isBusy.try_wait());
        std::vector<Fd> others;
        for (int i = 0; i < kAsked; ++i)
            others.push_back(connectTo(*server));
        const auto open = [&] {
            return std::ranges::count_if(others, [](const Fd& each) {
                char none = 0;
                return ::recv(each.get(), &none, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
            });
        };
        const bool isLimited =
            QTest::qWaitFor([&] { return open() <= options.connections; }, sg::test::kPatienceMs);
        mayGoOn.count_down();
        QVERIFY2(isLimited, std::to_string(open()).c_str());
    }

    void manyClientsAtOnce()
    {
        const auto server = serving([](const HttpHead& head) { return textAnswer(200, head.target); });
        std::atomic<int> good = 0;
        {
            std::vector<std::jthread> clients;
            for (int i = 0; i < 8; ++i)
                clients.emplace_back([&, i] {
                    HttpClient client;
                    for (int k = 0; k < 100; ++k) {
                        HttpRequest request;
                        const std::string path = "/" + std::to_string(i) + "-" + std::to_string(k);
                        request.url = "http://127.0.0.1:" + std::to_string(server->port()) + path;
                        const auto answer = client.send(request);
                        good += answer && answer->body == path ? 1 : 0;
                    }
                });
        }
        QCOMPARE(good.load(), 800);
    }

    void aPortIsTakenOnce()
    {
        const auto server = serving([](const HttpHead&) { return textAnswer(200, ""); });
        HttpServerOptions options;
        options.port = server->port();
        const auto second = HttpServer::start(options, [](const HttpHead&) { return HttpAnswer(); });
        QVERIFY(!second);
        QCOMPARE(second.error().code, Errc::Exists);
    }
};

SG_TEST(TestHttpServer)
#include "tst_http_server.moc"
