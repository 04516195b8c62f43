#include "core/net/sse_parser.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::net;

namespace {

// "name:data|" for each event, whatever the cut.
std::string eventsOf(std::string_view stream, std::size_t cut)
{
    SseParser parser;
    std::string text;
    for (std::size_t at = 0; at < stream.size(); at += cut) {
        const auto pushed = parser.push(stream.substr(at, cut), [&](const SseEvent& event) {
            text += std::string(event.name) + ":" + std::string(event.data) + "|";
            return true;
        });
        if (!pushed)
            return pushed.error().message;
    }
    return text;
}

} // namespace

class TestSseParser : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsWhatTheStandardReads_data();
    void readsWhatTheStandardReads();
    void keepsWhereAStreamWasLeft();
    void stopsAtALineWithoutEnd();
    void stopsAtAnEventWithoutEnd();
    void stopsWhenTheSinkHasEnough();
};

void TestSseParser::readsWhatTheStandardReads_data()
{
    QTest::addColumn<std::string>("stream");
    QTest::addColumn<std::string>("events");
    const auto row = [](const char* name, std::string stream, std::string events) {
        QTest::newRow(name) << stream << events;
    };
    row("lf", "data: a\n\ndata: b\n\n", ":a|:b|");
    row("crlf", "data: a\r\n\r\ndata: b\r\n\r\n", ":a|:b|");
    row("cr", "data: a\r\rdata: b\r\r", ":a|:b|");
    row("mixed", "data: a\r\n\ndata: b\r\r\n", ":a|:b|");
    row("byte order mark",
        "\xEF\xBB\xBF"
        "data: a\n\n",
        ":a|");
    row("no blank after the colon", "data:{}\n\ndata:  x\n\n", ":{}|: x|");
    row("several lines", "data: a\ndata: b\ndata\n\n", ":a\nb\n|");
    row("name", "event: ping\ndata: {}\n\ndata: x\n\n", "ping:{}|:x|");
    row("comment", ": OPENROUTER PROCESSING\n\ndata: a\n\n: bye\n\n", ":a|");
    row("no data, no event", "id: 5\nretry: 10\n\nevent: x\n\ndata: a\n\n", ":a|");
    row("unknown fields", "foo: bar\ndata: a\n\n", ":a|");
    row("cut off at the end", "data: a\n\ndata: b", ":a|");
    row("cut off without a blank line", "data: a\n\ndata: b\n", ":a|");
    row("characters across a cut", "data: gr\xC3\xBC\xC3\x9F \xF0\x9F\x8C\x8D\n\n",
        ":gr\xC3\xBC\xC3\x9F \xF0\x9F\x8C\x8D|");
    row("nothing", "", "");
    row("empty data", "data:\n\n", ":|");
}

void TestSseParser::readsWhatTheStandardReads()
{
    QFETCH(std::string, stream);
    QFETCH(std::string, events);
    for (std::size_t cut = 1; cut <= stream.size() + 1; ++cut)
        QCOMPARE(eventsOf(stream, cut), events);
}

void TestSseParser::keepsWhereAStreamWasLeft()
{
    SseParser parser;
    std::string data;
    const auto take = [&](std::string_view bytes) {
        return parser.push(bytes, [&](const SseEvent& event) {
            data += std::string(event.data) + "|";
            return true;
        });
    };
    QVERIFY(take("data: a\n\n"));
    QCOMPARE(parser.lastId(), std::string());
    QVERIFY(!parser.retry());
    QVERIFY(take("id: 7\ndata:\nretry: 250\n\nretry: soon\n\n"));
    QCOMPARE(parser.lastId(), std::string("7")); // an event without an id leaves it
    QCOMPARE(*parser.retry(), std::chrono::milliseconds(250));
    QVERIFY(take("id: 8\ndata: cut"));
    QCOMPARE(parser.lastId(), std::string("7")); // that event has not come whole
    parser.begin("7");
    QVERIFY(take("id: 8\ndata: b\n\n"));
    QCOMPARE(parser.lastId(), std::string("8"));
    QCOMPARE(*parser.retry(), std::chrono::milliseconds(250));
    QCOMPARE(data, std::string("a||b|"));
}

void TestSseParser::stopsAtALineWithoutEnd()
{
    SseParser parser({ 1000, 1000 });
    const auto sink = [](const SseEvent&) { return true; };
    QVERIFY(parser.push(std::string(1000, 'x'), sink));
    const auto pushed = parser.push("x", sink);
    QVERIFY(!pushed);
    QVERIFY(pushed.error().code == Errc::LimitExceeded);
}

void TestSseParser::stopsAtAnEventWithoutEnd()
{
    SseParser parser({ 1000, 1000 });
    const auto sink = [](const SseEvent&) { return true; };
    Result<void> pushed;
    int lines = 0;
    for (; pushed && lines < 1000; ++lines)
        pushed = parser.push("data: 12345678\n", sink);
    QVERIFY(!pushed);
    QVERIFY(pushed.error().code == Errc::LimitExceeded);
    QCOMPARE(lines, 112); // 9 bytes each, with what stands between them
}

void TestSseParser::stopsWhenTheSinkHasEnough()
{
    SseParser parser;
    int seen = 0;
    const auto pushed = parser.push("data: a\n\ndata: b\n\n", [&](const SseEvent&) {
        ++seen;
        return false;
    });
    QVERIFY(!pushed);
    QVERIFY(pushed.error().code == Errc::Cancelled);
    QCOMPARE(seen, 1);
}

SG_TEST(TestSseParser)
#include "tst_sse_parser.moc"
