#include "core/sandbox/docker/attached_stream.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <sys/socket.h>
#include <unistd.h>

#include <memory>

using namespace sg;
using namespace sg::sandbox;
using namespace std::chrono_literals;

namespace {

std::string frame(char kind, const std::string& bytes)
{
    std::string head{ kind, 0, 0, 0 };
    for (int shift = 24; shift >= 0; shift -= 8)
        head += static_cast<char>(bytes.size() >> static_cast<unsigned>(shift));
    return head + bytes;
}

} // namespace

class TestAttachedStream : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void joinsFrames_data();
    void joinsFrames();
    void boundsWhatItKeepsOfErrors();
    void receivesErrorsWhereNobodyReads();
    void tellsTimeout();
};

void TestAttachedStream::joinsFrames_data()
{
    QTest::addColumn<QByteArray>("sent");
    QTest::addColumn<int>("early"); // bytes that came with the answer's head
    QTest::addColumn<int>("piece"); // sent at once
    const std::string all =
        frame(1, "abc") + frame(2, "oh") + frame(1, "") + frame(1, std::string("d\0e", 3)) + frame(2, " no");
    const QByteArray sent(all.data(), static_cast<qsizetype>(all.size()));
    for (const int piece : { 1, 2, 7, 9, 1000 })
        QTest::addRow("%d bytes at once", piece) << sent << 0 << piece;
    QTest::newRow("half a head early") << sent << 5 << 1000;
    QTest::newRow("all early") << sent << static_cast<int>(sent.size()) << 1000;
}

void TestAttachedStream::joinsFrames()
{
    QFETCH(QByteArray, sent);
    QFETCH(int, early);
    QFETCH(int, piece);
    int ends[2];
    QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    AttachedStream stream({ Fd(ends[0]), sent.left(early).toStdString() });
    Fd engine(ends[1]);
    std::string received;
    char buffer[64];
    for (qsizetype at = early; at < sent.size(); at += piece) {
        const QByteArray part = sent.mid(at, piece);
        QCOMPARE(::write(engine.get(), part.data(), static_cast<std::size_t>(part.size())),
                 ssize_t(part.size()));
        if (const auto got = stream.read(buffer, sizeof buffer, 0ms))
            received.append(buffer, *got);
    }
    engine.reset();
    while (true) {
        const auto got = stream.read(buffer, sizeof buffer, 1s);
        QVERIFY(got);
        if (*got == 0)
            break;
        received.append(buffer, *got);
    }
    QCOMPARE(received, std::string("abcd\0e", 6));
    QCOMPARE(stream.errors(), std::string("oh no"));
}

void TestAttachedStream::boundsWhatItKeepsOfErrors()
{
    int ends[2];
    QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    AttachedStream stream(
        { Fd(ends[0]), frame(2, std::string(100000, 'x')) + frame(2, std::string(100000, 'y')) });
    Fd engine(ends[1]);
    engine.reset();
    stream.receive(1s);
    QCOMPARE(stream.errors(), std::string(16384, 'x'));
}

void TestAttachedStream::receivesErrorsWhereNobodyReads()
{
    int ends[2];
    QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    AttachedStream stream({ Fd(ends[0]), {} });
    const Fd engine(ends[1]);
    const std::string text = frame(1, "ignored") + frame(2, "kept");
    QCOMPARE(::write(engine.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
    stream.receive(0ms);
    QCOMPARE(stream.errors(), std::string("kept"));
}

void TestAttachedStream::tellsTimeout()
{
    int ends[2];
    QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    AttachedStream stream({ Fd(ends[0]), frame(2, "only errors") });
    const Fd engine(ends[1]);
    char buffer[64];
    const auto got = stream.read(buffer, sizeof buffer, 20ms);
    QVERIFY(!got);
    QVERIFY(got.error().code == Errc::Timeout);
}

SG_CORE_TEST(TestAttachedStream)
#include "tst_attached_stream.moc"
