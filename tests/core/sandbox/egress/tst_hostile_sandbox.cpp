// Code in a sandbox that attacks its session's proxy: to hang it, to fill the audit, to get more than its
// share.

#include "tests/core/sandbox/egress/egress_world.h"
#include "tests/support/qtest_std.h"
#include "tests/support/qtry.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <QTest>

#include <fcntl.h>
#include <poll.h>
#include <sys/time.h>

#include <numeric>
#include <thread>

using namespace sg;
using namespace sg::sandbox::egress;
using namespace sg::test::egress;
using namespace std::chrono_literals;
using Outcome = EgressDecision::Outcome;

namespace {

constexpr const char* kDenied = "CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n";

bool answers(const World& world)
{
    const Fd socket = world.connect();
    const timeval patience{ 0, 300'000 };
    ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    char byte = 0;
    return ::send(socket.get(), kDenied, std::strlen(kDenied), MSG_NOSIGNAL) > 0
        && ::recv(socket.get(), &byte, 1, 0) == 1;
}

std::int64_t counted(const std::vector<EgressDecision>& told)
{
    return std::accumulate(told.begin(), told.end(), std::int64_t{ 0 },
                           [](std::int64_t sum, const EgressDecision& each) { return sum + each.times; });
}

} // namespace

class TestHostileSandbox : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // It keeps the socket that it handed over, makes it block, accepts from it itself, and listens anew
    // whenever it is shut down.
    void aListenerThatBlocksHoldsUpNoEnd()
    {
        World world({ "api.test" }, {}, { 1LL << 30, 32, 1'000'000 });
        const Inside inside;
        QCOMPARE(handOver(world, inside.listener.get()), std::string("k"));
        std::atomic<bool> isOver = false;
        std::vector<std::jthread> attackers;
        attackers.emplace_back([&] {
            while (!isOver) {
                const int flags = ::fcntl(inside.listener.get(), F_GETFL);
                (void)::fcntl(inside.listener.get(), F_SETFL, flags & ~O_NONBLOCK);
                (void)::listen(inside.listener.get(), 64);
            }
        });
        attackers.emplace_back([&] {
            while (!isOver)
                const Fd taken(::accept4(inside.listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
        });
        const auto end = std::chrono::steady_clock::now() + 3s;
        while (std::chrono::steady_clock::now() < end && answers(world))
            for (int i = 0; i < 20; ++i)
                inside.knock();
        std::atomic<bool> hasEnded = false;
        std::thread ending([&] {
            world.proxy = nullptr;
            hasEnded = true;
        });
        const bool isInTime = test::waitFor([&] { return hasEnded.load(); });
        isOver = true;
        attackers.front().join();
        while (!hasEnded) // or the test would hang, too
            inside.knock();
        ending.join();
        (void)::shutdown(inside.listener.get(), SHUT_RDWR);
        attackers.clear();
        QVERIFY(isInTime);
    }

    void refusalsFillNoLog()
    {
        std::vector<EgressDecision> told;
        {
            World world({ "api.test" });
            for (int i = 0; i < 200; ++i)
                QVERIFY(world.ask(kDenied).starts_with("HTTP/1.1 403 "));
            QTRY_VERIFY(counted(world.told()) == 200); // without another refusal
            for (int i = 0; i < 200; ++i)
                QVERIFY(world.ask("CONNECT x" + std::to_string(i) + ".test:443 HTTP/1.1\r\nHost: x\r\n\r\n")
                            .starts_with("HTTP/1.1 403 "));
            world.proxy = nullptr;
            told = world.told();
        }
        QCOMPARE(counted(told), std::int64_t{ 400 });
        QVERIFY2(told.size() <= 61, std::to_string(told.size()).c_str());
        QCOMPARE(told.back().place, std::string());
    }

    void whatCannotBeRecordedIsNotAllowed()
    {
        test::LocalServer server("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhi");
        const std::string place = "127.0.0.1:" + port(server);
        World world({ place }, { place });
        world.isRecorded = false;
        for (const std::string& request : { "GET http://" + place + "/ HTTP/1.1\r\nHost: x\r\n\r\n",
                                            "CONNECT " + place + " HTTP/1.1\r\nHost: x\r\n\r\n" }) {
            const std::string answer = world.ask(request);
            QVERIFY2(answer.starts_with("HTTP/1.1 503 "), answer.c_str());
            SG_VERIFY_CONTAINS(answer, "audit");
        }
        QVERIFY(server.last().empty());
        world.isRecorded = true;
        QVERIFY(world.ask("GET http://" + place + "/ HTTP/1.1\r\nHost: x\r\n\r\n").ends_with("hi"));
    }

    // Another sandbox of the same session gives it no more bytes.
    void theBudgetIsTheSessions()
    {
        test::LocalServer server("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + std::string(300'000, 'x'));
        const std::string place = "127.0.0.1:" + port(server);
        const std::string request = "GET http://" + place + "/ HTTP/1.1\r\nHost: x\r\n\r\n";
        const EgressLimits limits{ 100'000, 4, 600 };
        const auto budget = std::make_shared<EgressBudget>(limits);
        {
            World first({ place }, { place }, limits, {}, {}, budget);
            QVERIFY(first.ask(request).size() < 300'000);
            QTRY_COMPARE(first.last().outcome, Outcome::Cut);
            const EgressDecision cut = first.last();
            QCOMPARE(cut.place, place);
            QVERIFY(cut.bytesIn <= 100'000);
            QVERIFY(cut.bytesOut >= 0);
            SG_VERIFY_CONTAINS(cut.reason, "all the bytes");
        }
        World second({ place }, { place }, limits, {}, {}, budget);
        QVERIFY(second.ask(request).starts_with("HTTP/1.1 429 "));
    }
};

SG_TEST(TestHostileSandbox)
#include "tst_hostile_sandbox.moc"
