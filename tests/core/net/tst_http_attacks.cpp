// A stranger is served while others do what they can to keep the server to themselves.

#include "core/net/connect_socket.h"
#include "core/net/http_server.h"
#include "tests/support/qtest_std.h"
#include "tests/support/qtry.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <QScopeGuard>
#include <QTest>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

using namespace sg;
using namespace sg::net;
using namespace std::chrono_literals;

namespace {

constexpr const char* kSmall = "GET /small HTTP/1.1\r\nHost: a\r\n\r\n";
constexpr const char* kLarge = "GET /large HTTP/1.1\r\nHost: a\r\n\r\n";

struct World {
    explicit World(int connections = 8, std::chrono::seconds answerTime = 600s,
                   std::uint64_t slowestBytes = 10'000)
    {
        HttpServerOptions options;
        options.connections = connections;
        options.answerTime = answerTime;
        options.slowestBytes = slowestBytes;
        // Room is made for a stranger; no time that is over makes it, while a stranger is patient.
        options.headTime = options.idleTime = options.stallTime = 600s;
        const auto path = folder.write("large", std::string(50'000'000, 'x'));
        const auto file = std::make_shared<const Fd>(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
        auto started = HttpServer::start(options, [file](const HttpHead& head) {
            if (head.target != "/large")
                return textAnswer(200, "small");
            HttpAnswer answer;
            answer.file = file;
            answer.length = 50'000'000;
            return answer;
        });
        if (!started)
            std::abort();
        server = std::move(*started);
    }
    [[nodiscard]] Fd connect() const
    {
        auto socket = connectTcp("127.0.0.1", std::to_string(server->port()), test::kPatience);
        if (!socket)
            return {};
        const timeval patience{ test::kPatience / 1s, 0 };
        ::setsockopt(socket->get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        return std::move(*socket);
    }
    [[nodiscard]] bool servesAStranger() const
    {
        const Fd socket = connect();
        std::string answer(200, '\0');
        if (::send(socket.get(), kSmall, std::strlen(kSmall), MSG_NOSIGNAL) < 0)
            return false;
        const ssize_t got = ::recv(socket.get(), answer.data(), answer.size(), 0);
        return got > 0 && answer.starts_with("HTTP/1.1 200 OK");
    }
    const test::TempDir folder;
    std::unique_ptr<HttpServer> server;
};

std::string many(const char* request, int count)
{
    std::string text;
    for (int i = 0; i < count; ++i)
        text += request;
    return text;
}

// Sends without end, and reads all answers where that is wanted.
void keepAsking(const Fd& socket, const std::string& requests, const std::atomic<bool>& isOver)
{
    std::string buffer(1U << 20, '\0');
    std::size_t sent = 0;
    while (!isOver) {
        const ssize_t more =
            ::send(socket.get(), requests.data() + sent, requests.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (more > 0)
            sent = (sent + static_cast<std::size_t>(more)) % requests.size();
        if (::recv(socket.get(), buffer.data(), buffer.size(), MSG_DONTWAIT) == 0)
            return;
    }
}

} // namespace

class TestHttpAttacks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // As many clients as the server has threads, each with requests that never end.
    void clientsThatAskWithoutEnd_data()
    {
        QTest::addColumn<std::string>("requests");
        QTest::newRow("for little") << many(kSmall, 1000);
        QTest::newRow("for much") << many(kLarge, 1000);
    }
    void clientsThatAskWithoutEnd()
    {
        QFETCH(const std::string, requests);
        auto world = std::make_unique<World>(64);
        std::atomic<bool> isOver = false;
        std::vector<Fd> sockets;
        for (int i = 0; i < 4; ++i)
            sockets.push_back(world->connect());
        std::vector<std::jthread> clients;
        for (const Fd& socket : sockets)
            clients.emplace_back([&] { keepAsking(socket, requests, isOver); });
        int served = 0;
        for (int i = 0; i < 20; ++i)
            served += world->servesAStranger() ? 1 : 0;
        std::atomic<bool> hasEnded = false;
        std::thread ending([&] {
            world->server = nullptr;
            hasEnded = true;
        });
        const bool ends = test::waitFor([&] { return hasEnded.load(); });
        isOver = true; // or the test would hang, too
        ending.join();
        clients.clear();
        QCOMPARE(served, 20);
        QVERIFY(ends);
    }

    void connectionsThatSayNothing_data()
    {
        QTest::addColumn<std::string>("words");
        QTest::newRow("nothing") << std::string();
        QTest::newRow("half a head") << std::string("GET / HTTP/1.1\r\nHost: a");
        QTest::newRow("one request") << std::string(kSmall);
    }
    void connectionsThatSayNothing()
    {
        QFETCH(const std::string, words);
        World world;
        std::vector<Fd> held;
        for (int i = 0; i < 40; ++i) {
            held.push_back(world.connect());
            (void)::send(held.back().get(), words.data(), words.size(), MSG_NOSIGNAL);
        }
        for (int i = 0; i < 10; ++i)
            QVERIFY(world.servesAStranger());
    }

    // Each takes a little, now and then, of an answer that is large.
    void readersThatHardlyRead()
    {
        World world;
        std::atomic<bool> isOver = false;
        std::vector<Fd> held;
        for (int i = 0; i < 40; ++i) {
            held.push_back(world.connect());
            (void)::send(held.back().get(), kLarge, std::strlen(kLarge), MSG_NOSIGNAL);
        }
        const std::jthread dripping([&] {
            while (!isOver) {
                char byte = 0;
                for (const Fd& socket : held)
                    (void)::recv(socket.get(), &byte, 1, MSG_DONTWAIT);
                std::this_thread::sleep_for(50ms);
            }
        });
        const auto end = qScopeGuard([&] { isOver = true; }); // or a failure would wait for ever
        for (int i = 0; i < 5; ++i)
            QTRY_VERIFY(world.servesAStranger());
    }

    // To take something now and then is not enough: the whole answer has its time.
    void anAnswerHasItsTime()
    {
        const World world(8, 1s, 50'000'000);
        const Fd slow = world.connect();
        QVERIFY(::send(slow.get(), kLarge, std::strlen(kLarge), MSG_NOSIGNAL) > 0);
        std::string buffer(65536, '\0');
        std::size_t received = 0;
        for (ssize_t got = 1; got > 0; std::this_thread::sleep_for(20ms)) {
            got = ::recv(slow.get(), buffer.data(), buffer.size(), 0);
            received += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
        }
        QVERIFY2(received < 50'000'000, std::to_string(received).c_str());
    }
};

SG_TEST(TestHttpAttacks)
#include "tst_http_attacks.moc"
