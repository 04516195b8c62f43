#include "core/base/msgpack.h"
#include "core/sessions/runner/frame.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

using namespace sg;
using sessions::Frame;
using sessions::FrameReader;

namespace {

std::string framed(const std::string& body)
{
    std::string frame(4, '\0');
    for (unsigned i = 0; i < 4; ++i)
        frame[i] = static_cast<char>(body.size() >> (8U * (3 - i)));
    return frame + body;
}

} // namespace

class TestFrame : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsWhatItEncodes();
    void readsByteByByte();
    void refuses_data();
    void refuses();
    void refusesToEncodeTooMuch();
};

void TestFrame::readsWhatItEncodes()
{
    FrameReader reader;
    for (int i = 1; i <= 3; ++i) {
        const auto frame =
            sessions::encodeFrame({ { "ev", "out" }, { "id", i }, { "data", Bytes{ "\xff" } } });
        SG_VERIFY_OK(frame);
        reader.append(*frame);
    }
    Frame frame;
    for (int i = 1; i <= 3; ++i) {
        const auto whole = reader.next(frame);
        SG_VERIFY_OK(whole);
        QVERIFY(*whole);
        QCOMPARE(frame.event, std::string("out"));
        QCOMPARE(frame.id, std::int64_t(i));
        QCOMPARE(frame.body["data"].asBytes(), std::string("\xff"));
    }
    QVERIFY(!*reader.next(frame));
}

void TestFrame::readsByteByByte()
{
    FrameReader reader;
    const std::string bytes = framed(encodeMsgpack(Value::map({ { "ev", "pong" } })));
    Frame frame;
    for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
        reader.append(bytes.substr(i, 1));
        const auto whole = reader.next(frame);
        SG_VERIFY_OK(whole);
        QVERIFY(!*whole);
    }
    reader.append(bytes.substr(bytes.size() - 1));
    QVERIFY(*reader.next(frame));
    QCOMPARE(frame.event, std::string("pong"));
    QCOMPARE(frame.id, std::int64_t(0));
}

void TestFrame::refuses_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* title, const std::string& bytes) {
        QTest::newRow(title) << QByteArray::fromStdString(bytes);
    };
    row("length of 4 GiB", "\xff\xff\xff\xff");
    row("length just over the limit", std::string("\x04\x00\x00\x01", 4));
    row("empty", framed(""));
    row("no MessagePack", framed("\xc1"));
    row("cut MessagePack", framed("\x81\xa2"));
    row("bytes behind the map", framed(encodeMsgpack(Value::map({ { "ev", "x" } })) + "\xc0"));
    row("a list", framed(encodeMsgpack(Value::list({ "ev", "x" }))));
    row("no event", framed(encodeMsgpack(Value::map({ { "id", 1 } }))));
    row("event that is a number", framed(encodeMsgpack(Value::map({ { "ev", 1 } }))));
    row("event that is bytes", framed(encodeMsgpack(Value::map({ { "ev", Bytes{ "out" } } }))));
    row("id that is text", framed(encodeMsgpack(Value::map({ { "ev", "x" }, { "id", "1" } }))));
    row("negative id", framed(encodeMsgpack(Value::map({ { "ev", "x" }, { "id", -1 } }))));
    row("id beyond 63 bits",
        framed(encodeMsgpack(Value::map({ { "ev", "x" }, { "id", std::size_t(0xffffffffffffffff) } }))));
    row("deep nesting",
        framed("\x81\xa2"
               "ev"
               + std::string(1000, '\x91') + "\xc0"));
    row("a map that claims to be huge", framed("\xdf\xff\xff\xff\xff"));
}

void TestFrame::refuses()
{
    QFETCH(const QByteArray, bytes);
    FrameReader reader;
    reader.append(bytes.toStdString());
    Frame frame;
    const auto whole = reader.next(frame);
    QVERIFY(!whole);
    QCOMPARE(whole.error().code, Errc::Corrupt);
    SG_VERIFY_CONTAINS(whole.error().message, "broke the protocol");
}

void TestFrame::refusesToEncodeTooMuch()
{
    const auto frame =
        sessions::encodeFrame({ { "data", Bytes{ std::string(sessions::kMaxFrameBytes, 'x') } } });
    QVERIFY(!frame);
    QCOMPARE(frame.error().code, Errc::LimitExceeded);
}

SG_TEST(TestFrame)
#include "tst_frame.moc"
