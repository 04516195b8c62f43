#include "core/sandbox/descriptor_stream.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <thread>

using namespace sg;
using namespace sg::sandbox;
using namespace std::chrono_literals;

class TestDescriptorStream : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void readsWhatIsThere();
    void givesWhatCameEarlyFirst();
    void tellsTimeoutFromEnd();
    void writesAllOfALargeText();
    void closeWakesAReader();
    void closeWakesAWriter();
    void writingToAnEndedProcessIsAnError();
    void theFirstByteBringsADescriptorWithIt();

private:
    Fd m_ours;
    Fd m_theirs;
};

void TestDescriptorStream::init()
{
    int ends[2];
    QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    m_ours = Fd(ends[0]);
    m_theirs = Fd(ends[1]);
}

void TestDescriptorStream::readsWhatIsThere()
{
    DescriptorStream stream(std::move(m_ours));
    QCOMPARE(::write(m_theirs.get(), "abc", 3), ssize_t(3));
    char buffer[16];
    const auto got = stream.read(buffer, sizeof buffer, 1s);
    QVERIFY(got);
    QCOMPARE(std::string(buffer, *got), std::string("abc"));
}

void TestDescriptorStream::givesWhatCameEarlyFirst()
{
    DescriptorStream stream(std::move(m_ours), "12345");
    QCOMPARE(::write(m_theirs.get(), "abc", 3), ssize_t(3));
    std::string all;
    while (all.size() < 8) {
        char buffer[3];
        const auto got = stream.read(buffer, sizeof buffer, 1s);
        QVERIFY(got);
        all.append(buffer, *got);
    }
    QCOMPARE(all, std::string("12345abc"));
}

void TestDescriptorStream::tellsTimeoutFromEnd()
{
    DescriptorStream stream(std::move(m_ours));
    char buffer[16];
    auto got = stream.read(buffer, sizeof buffer, 10ms);
    QVERIFY(!got);
    QVERIFY(got.error().code == Errc::Timeout);
    m_theirs.reset();
    got = stream.read(buffer, sizeof buffer, 1s);
    QVERIFY(got);
    QCOMPARE(*got, std::size_t(0));
}

void TestDescriptorStream::writesAllOfALargeText()
{
    DescriptorStream stream(std::move(m_ours));
    const std::string text(10 << 20, 'x');
    std::size_t received = 0;
    std::thread reader([&] {
        std::string buffer(65536, '\0');
        while (received < text.size())
            received += static_cast<std::size_t>(::read(m_theirs.get(), buffer.data(), buffer.size()));
    });
    const auto written = stream.write(text);
    reader.join();
    QVERIFY(written);
    QCOMPARE(received, text.size());
}

void TestDescriptorStream::closeWakesAReader()
{
    DescriptorStream stream(std::move(m_ours));
    std::size_t got = 1;
    std::thread reader([&] {
        char buffer[16];
        const auto result = stream.read(buffer, sizeof buffer, 30s);
        got = result ? *result : 99;
    });
    stream.close();
    reader.join();
    QCOMPARE(got, std::size_t(0));
}

void TestDescriptorStream::closeWakesAWriter()
{
    DescriptorStream stream(std::move(m_ours));
    bool failed = false;
    std::thread writer([&] { failed = !stream.write(std::string(10 << 20, 'x')); });
    char byte = 0;
    QCOMPARE(::read(m_theirs.get(), &byte, 1), ssize_t(1)); // it is at it
    stream.close();
    writer.join();
    QVERIFY(failed);
}

void TestDescriptorStream::writingToAnEndedProcessIsAnError()
{
    DescriptorStream stream(std::move(m_ours));
    m_theirs.reset();
    const auto written = stream.write("x"); // and no SIGPIPE
    QVERIFY(!written);
    QVERIFY(written.error().code == Errc::Unavailable);
}

void TestDescriptorStream::theFirstByteBringsADescriptorWithIt()
{
    DescriptorStream stream(std::move(m_ours));
    std::array<int, 2> pipe{};
    QCOMPARE(::pipe2(pipe.data(), O_CLOEXEC), 0);
    const Fd readEnd(pipe[0]);
    const Fd writeEnd(pipe[1]);
    const std::string text(3 << 20, 'x'); // more than the socket holds
    std::string received(1, '\0');
    Fd brought;
    std::thread reader([&] {
        alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
        iovec data{ received.data(), 1 };
        msghdr message{};
        message.msg_iov = &data;
        message.msg_iovlen = 1;
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        if (::recvmsg(m_theirs.get(), &message, MSG_CMSG_CLOEXEC) == 1
            && CMSG_FIRSTHDR(&message) != nullptr) {
            int number = -1;
            std::memcpy(&number, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof number);
            brought = Fd(number);
        }
        std::string buffer(65536, '\0');
        while (received.size() < text.size()) {
            const ssize_t got = ::read(m_theirs.get(), buffer.data(), buffer.size());
            if (got <= 0)
                break;
            received.append(buffer, 0, static_cast<std::size_t>(got));
        }
    });
    const auto written = stream.writeWith(text, writeEnd.get());
    reader.join();
    QVERIFY(written);
    QVERIFY(received == text);
    QVERIFY(brought.isOpen());
    QCOMPARE(::write(brought.get(), "abc", 3), ssize_t(3));
    char buffer[3];
    QCOMPARE(::read(readEnd.get(), buffer, 3), ssize_t(3));

    m_theirs.reset();
    QVERIFY(stream.writeWith("x", writeEnd.get()).error().code == Errc::Unavailable);
}

SG_CORE_TEST(TestDescriptorStream)
#include "tst_descriptor_stream.moc"
