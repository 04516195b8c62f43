// Heads of requests: what is read, and what is refused because two programs could read it differently.

#include "core/net/http_head.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg::net;
using State = HttpHeadResult::State;

class TestHttpHead : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsARequest()
    {
        const std::string text =
            "GET /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nX-Two:  a  b\t\r\nEmpty:\r\n\r\nrest";
        HttpHead head;
        const auto read = parseHttpHead(text, head);
        QCOMPARE(read.state, State::Whole);
        QCOMPARE(read.size, text.size() - 4);
        QCOMPARE(head.method, std::string("GET"));
        QCOMPARE(head.target, std::string("/a?b=c"));
        QCOMPARE(*head.find("x-two"), std::string("a  b"));
        QCOMPARE(*head.find("empty"), std::string());
        QVERIFY(head.find("none") == nullptr);
        QVERIFY(head.keepsAlive());
        for (std::size_t cut = 0; cut < read.size; ++cut)
            QCOMPARE(parseHttpHead(std::string_view(text).substr(0, cut), head).state, State::NeedsMore);
    }

    void tellsWhetherTheConnectionStays_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<bool>("stays");
        const auto row = [](const char* name, const char* text, bool stays) {
            QTest::newRow(name) << std::string(text) << stays;
        };
        row("1.1", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", true);
        row("1.1 close", "GET / HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n", false);
        row("1.1 in a list", "GET / HTTP/1.1\r\nHost: a\r\nConnection: te, close\r\n\r\n", false);
        row("1.0", "GET / HTTP/1.0\r\n\r\n", false);
        row("1.0 kept", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true);
    }
    void tellsWhetherTheConnectionStays()
    {
        QFETCH(const std::string, text);
        QFETCH(const bool, stays);
        HttpHead head;
        QCOMPARE(parseHttpHead(text, head).state, State::Whole);
        QCOMPARE(head.keepsAlive(), stays);
    }

    void refuses_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<int>("status");
        const auto row = [](const char* name, const std::string& text, int status = 400) {
            QTest::newRow(name) << text << status;
        };
        const auto with = [](const std::string& lines) {
            return "GET / HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n";
        };
        row("bare line feeds", "GET / HTTP/1.1\nHost: a\n\n");
        row("one bare line feed", "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n");
        row("a bare carriage return", "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n");
        row("two lengths", with("Content-Length: 1\r\nContent-Length: 2\r\n"));
        row("the same length twice", with("Content-Length: 1\r\nContent-Length: 1\r\n"));
        row("a length beside an encoding", with("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"));
        row("a length that is none", with("Content-Length: -1\r\n"));
        row("a length with a sign", with("Content-Length: +1\r\n"));
        row("a hexadecimal length", with("Content-Length: 0x1\r\n"));
        row("a huge length", with("Content-Length: 99999999999999999999\r\n"));
        row("another encoding", with("Transfer-Encoding: gzip, chunked\r\n"), 501);
        row("an encoding that hides", with("Transfer-Encoding: xchunked\r\n"), 501);
        row("a folded line", with("X: a\r\n b\r\n"));
        row("a space before the colon", with("X : a\r\n"));
        row("no colon", with("X\r\n"));
        row("an empty name", with(": a\r\n"));
        row("a zero byte", with(std::string("X: a\0b\r\n", 8)));
        row("a control character", with("X: a\x01\r\n"));
        row("two hosts", with("Host: b\r\n"));
        row("no host", "GET / HTTP/1.1\r\n\r\n");
        row("no version", "GET /\r\n\r\n");
        row("a new version", "GET / HTTP/2.0\r\n\r\n", 505);
        row("a version that is none", "GET / http/1.1\r\n\r\n");
        row("two spaces", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n");
        row("a tab in the target", "GET /\ta HTTP/1.1\r\nHost: a\r\n\r\n");
        row("no ASCII in the target", "GET /\xC3\xBC HTTP/1.1\r\nHost: a\r\n\r\n");
        row("a method that is none", "G(T / HTTP/1.1\r\nHost: a\r\n\r\n");
        row("nothing", "\r\n\r\n");
        row("a long target", "GET /" + std::string(5000, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n", 414);
        row("a target without an end", "GET /" + std::string(5000, 'a'), 414);
        row("a long head", with("X: " + std::string(20000, 'a') + "\r\n"), 431);
        std::string many;
        for (int i = 0; i < 100; ++i)
            many += "A: b\r\n";
        row("many headers", with(many), 431);
    }
    void refuses()
    {
        QFETCH(const std::string, text);
        QFETCH(const int, status);
        HttpHead head;
        const auto read = parseHttpHead(text, head);
        QCOMPARE(read.state, State::Refused);
        QCOMPARE(read.status, status);
        QVERIFY(*read.why != '\0');
    }
};

SG_TEST(TestHttpHead)
#include "tst_http_head.moc"
