#include "core/base/child_process.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <thread>

using sg::ChildProcess;
using sg::Errc;
using sg::Fd;
using sg::ProcessSpec;
using sg::runProcess;
using sg::test::TempDir;
using namespace std::chrono_literals;

namespace {

ProcessSpec shell(const std::string& script)
{
    ProcessSpec spec;
    spec.program = "/bin/sh";
    spec.arguments = { "-c", script };
    return spec;
}

std::string readAll(const Fd& fd)
{
    std::string text;
    char buffer[4096];
    for (ssize_t got = 0; (got = ::read(fd.get(), buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(got));
    return text;
}

std::pair<Fd, Fd> makePipe()
{
    int ends[2] = { -1, -1 };
    if (::pipe2(ends, O_CLOEXEC) != 0)
        qFatal("pipe2");
    return { Fd(ends[0]), Fd(ends[1]) };
}

} // namespace

class TestChildProcess : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void collectsOutputAndExit_data();
    void collectsOutputAndExit();
    void passesEveryByte();
    void givesExactlyThisEnvironment();
    void givesExactlyTheseDescriptors();
    void placesDescriptorsThatSwapNumbers();
    void resetsSignals();
    void reportsWhatCannotStart_data();
    void reportsWhatCannotStart();
    void reportsAFailedPreparation();
    void runsPreparationInTheChild();
    void waitsWithATimeout();
    void isKilledAndReapedWithItsObject();
    void movesToAnotherObject();
    void survivesAChildThatDoesNotRead();
    void endsWhatWritesTooMuch();
    void endsAtTheDeadline();
    void doesNotWaitForGrandchildren();
    void startsFromManyThreads();
};

void TestChildProcess::collectsOutputAndExit_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<std::string>("out");
    QTest::addColumn<std::string>("err");
    QTest::addColumn<int>("code");
    QTest::addColumn<int>("signal");
    const auto row = [](const char* script, const char* out, const char* err, int code, int signal) {
        QTest::newRow(script) << QString::fromLatin1(script) << std::string(out) << std::string(err) << code
                              << signal;
    };
    row("true", "", "", 0, 0);
    row("echo out; echo err >&2; exit 3", "out\n", "err\n", 3, 0);
    row("kill -TERM $$", "", "", -1, SIGTERM);
    row("cat; pwd", "input/\n", "", 0, 0);
}

void TestChildProcess::collectsOutputAndExit()
{
    QFETCH(QString, script);
    const auto output = runProcess(shell(script.toStdString()), "input", 30s);
    SG_VERIFY_OK(output);
    QTEST(output->out, "out");
    QTEST(output->err, "err");
    QTEST(output->exit.code, "code");
    QTEST(output->exit.signal, "signal");
}

void TestChildProcess::passesEveryByte()
{
    std::string bytes;
    for (int i = 0; i < 1'000'000; ++i)
        bytes += static_cast<char>(i * 7 + i / 256);
    ProcessSpec spec;
    spec.program = "cat";
    const auto output = runProcess(spec, bytes, 30s);
    SG_VERIFY_OK(output);
    QVERIFY(output->out == bytes);
}

void TestChildProcess::givesExactlyThisEnvironment()
{
    ProcessSpec spec;
    spec.program = "env";
    auto output = runProcess(spec, {}, 30s);
    SG_VERIFY_OK(output);
    QCOMPARE(output->out, std::string());
    spec.environment = { "A=1", "B=two words" };
    output = runProcess(spec, {}, 30s);
    SG_VERIFY_OK(output);
    QCOMPARE(output->out, std::string("A=1\nB=two words\n"));
}

void TestChildProcess::givesExactlyTheseDescriptors()
{
    const Fd leaky(::open("/dev/null", O_RDONLY)); // without O_CLOEXEC
    QVERIFY(leaky.isOpen());
    const Fd high(::fcntl(leaky.get(), F_DUPFD, 700));
    QVERIFY(high.isOpen());
    ProcessSpec spec = shell("ls /proc/self/fd | tr '\\n' ' '");
    auto output = runProcess(spec, {}, 30s);
    SG_VERIFY_OK(output);
    const std::string standard = output->out; // ls has one of its own for the folder
    QCOMPARE(standard, std::string("0 1 2 3 "));
    spec.keepDescriptors = { { leaky.get(), 9 } };
    output = runProcess(spec, {}, 30s);
    SG_VERIFY_OK(output);
    QCOMPARE(output->out, std::string("0 1 2 3 9 "));
}

void TestChildProcess::placesDescriptorsThatSwapNumbers()
{
    const TempDir folder;
    const Fd a(::open(folder.write("a", "A").c_str(), O_RDONLY | O_CLOEXEC));
    const Fd b(::open(folder.write("b", "B").c_str(), O_RDONLY | O_CLOEXEC));
    ProcessSpec spec = shell("cat <&" + std::to_string(a.get()) + "; cat <&" + std::to_string(b.get()));
    spec.keepDescriptors = { { a.get(), b.get() }, { b.get(), a.get() } };
    const auto output = runProcess(spec, {}, 30s);
    SG_VERIFY_OK(output);
    QCOMPARE(output->out, std::string("BA"));
}

void TestChildProcess::resetsSignals()
{
    const auto before = std::signal(SIGPIPE, SIG_IGN);
    sigset_t blocked;
    sigset_t mask;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &blocked, &mask);
    const auto ignored = runProcess(shell("kill -PIPE $$; echo alive"), {}, 30s);
    const auto unblocked = runProcess(shell("kill -TERM $$; echo alive"), {}, 30s);
    ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
    std::signal(SIGPIPE, before);
    SG_VERIFY_OK(ignored);
    QCOMPARE(ignored->exit.signal, SIGPIPE);
    SG_VERIFY_OK(unblocked);
    QCOMPARE(unblocked->exit.signal, SIGTERM);
}

void TestChildProcess::reportsWhatCannotStart_data()
{
    QTest::addColumn<std::string>("program");
    QTest::addColumn<std::string>("folder");
    QTest::addColumn<int>("code");
    QTest::addColumn<std::string>("message");
    QTest::newRow("not in PATH") << std::string("no-such-program") << std::string()
                                 << static_cast<int>(Errc::NotFound)
                                 << std::string("no-such-program: No such file or directory");
    QTest::newRow("no such file") << std::string("/no/such") << std::string()
                                  << static_cast<int>(Errc::NotFound)
                                  << std::string("/no/such: No such file or directory");
    QTest::newRow("not executable") << std::string("/etc/passwd") << std::string()
                                    << static_cast<int>(Errc::PermissionDenied)
                                    << std::string("/etc/passwd: Permission denied");
    QTest::newRow("no such folder") << std::string("/bin/sh") << std::string("/no/such")
                                    << static_cast<int>(Errc::NotFound)
                                    << std::string("/bin/sh: enter /no/such: No such file or directory");
}

void TestChildProcess::reportsWhatCannotStart()
{
    QFETCH(std::string, program);
    QFETCH(std::string, folder);
    ProcessSpec spec;
    spec.program = program;
    spec.workingFolder = folder;
    const auto child = ChildProcess::start(spec);
    QVERIFY(!child);
    QTEST(static_cast<int>(child.error().code), "code");
    QTEST(child.error().message, "message");
}

void TestChildProcess::reportsAFailedPreparation()
{
    ProcessSpec spec = shell("true");
    spec.prepare = [] { return EPERM; };
    const auto child = ChildProcess::start(spec);
    QVERIFY(!child);
    QCOMPARE(child.error().message, std::string("/bin/sh: prepare the process: Operation not permitted"));
}

void TestChildProcess::runsPreparationInTheChild()
{
    const TempDir folder;
    ProcessSpec spec = shell("pwd; ulimit -c");
    spec.workingFolder = folder.path();
    spec.prepare = [] { return ::chdir("..") == 0 ? 0 : errno; };
    const auto output = runProcess(spec, {}, 30s);
    SG_VERIFY_OK(output);
    QCOMPARE(output->out.substr(0, output->out.find('\n')), folder.path().parent_path().string());
}

void TestChildProcess::waitsWithATimeout()
{
    ProcessSpec spec;
    spec.program = "cat";
    spec.pipeStdin = true;
    auto child = ChildProcess::start(spec);
    SG_VERIFY_OK(child);
    QVERIFY(child->pid() > 0);
    const auto early = child->wait(10ms);
    QVERIFY(!early);
    QCOMPARE(early.error().code, Errc::Timeout);
    child->stdinPipe().reset();
    const auto exit = child->wait(30s);
    SG_VERIFY_OK(exit);
    QCOMPARE(exit->code, 0);
    child->kill(SIGKILL); // long gone: harmless
    const auto again = child->wait(0ms);
    SG_VERIFY_OK(again);
    QCOMPARE(again->code, 0);
}

void TestChildProcess::isKilledAndReapedWithItsObject()
{
    pid_t pid = -1;
    {
        auto child = ChildProcess::start(shell("exec sleep 1000"));
        SG_VERIFY_OK(child);
        pid = child->pid();
        QCOMPARE(::kill(pid, 0), 0);
    }
    QCOMPARE(::kill(pid, 0), -1);
    QCOMPARE(errno, ESRCH);
}

void TestChildProcess::movesToAnotherObject()
{
    ProcessSpec spec = shell("cat; exit 5");
    spec.pipeStdin = true;
    spec.pipeStdout = true;
    auto child = ChildProcess::start(spec);
    SG_VERIFY_OK(child);
    ChildProcess moved = std::move(*child);
    QCOMPARE(::write(moved.stdinPipe().get(), "x", 1), ssize_t{ 1 });
    moved.stdinPipe().reset();
    QCOMPARE(readAll(moved.stdoutPipe()), std::string("x"));
    const auto exit = moved.wait(30s);
    SG_VERIFY_OK(exit);
    QCOMPARE(exit->code, 5);
}

void TestChildProcess::survivesAChildThatDoesNotRead()
{
    const auto output = runProcess(shell("exec <&-; echo done"), std::string(1'000'000, 'x'), 30s);
    SG_VERIFY_OK(output);
    QCOMPARE(output->out, std::string("done\n"));
}

void TestChildProcess::endsWhatWritesTooMuch()
{
    ProcessSpec spec;
    spec.program = "yes";
    const auto output = runProcess(spec, {}, 30s, 100'000);
    QVERIFY(!output);
    QCOMPARE(output.error().code, Errc::LimitExceeded);
    SG_VERIFY_CONTAINS(output.error().message, "yes: it wrote more than 100000 bytes");
}

void TestChildProcess::endsAtTheDeadline()
{
    const auto output = runProcess(shell("exec sleep 1000"), {}, 50ms);
    QVERIFY(!output);
    QCOMPARE(output.error().code, Errc::Timeout);
    SG_VERIFY_CONTAINS(output.error().message, "after 50 ms");
}

void TestChildProcess::doesNotWaitForGrandchildren()
{
    auto [read, write] = makePipe();
    ProcessSpec spec = shell("(read line <&7) & echo started"); // holds stdout open until `write` is closed
    spec.keepDescriptors = { { read.get(), 7 } };
    const auto output = runProcess(spec, {}, 30s);
    SG_VERIFY_OK(output);
    QCOMPARE(output->out, std::string("started\n"));
}

void TestChildProcess::startsFromManyThreads()
{
    std::atomic<int> good{ 0 };
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&good, t] {
            for (int i = 0; i < 15; ++i) {
                const std::string text = std::to_string(t * 1000 + i);
                const auto output = runProcess(shell("cat"), text, 30s);
                good += output && output->out == text ? 1 : 0;
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    QCOMPARE(good.load(), 60);
}

SG_TEST(TestChildProcess)
#include "tst_child_process.moc"
