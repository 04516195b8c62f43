#include "core/base/child_process.h"
#include "core/base/file.h"
#include "core/base/log.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <fcntl.h>
#include <unistd.h>

using sg::LogLevel;

class TestLog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writesWarningsAndErrorsToStderr();
    void goesToAnotherSink();
};

void TestLog::writesWarningsAndErrorsToStderr()
{
    const sg::test::TempDir folder;
    const sg::Fd file(::open((folder / "err").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    QVERIFY(file.isOpen());
    const sg::Fd before(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3));
    ::dup2(file.get(), STDERR_FILENO);
    sg::logMessage(LogLevel::Debug, "quiet");
    sg::logMessage(LogLevel::Info, "quiet");
    sg::logMessage(LogLevel::Warning, "a {} warning with \x1B[31m colour");
    sg::logMessage(LogLevel::Error, "an error");
    ::dup2(before.get(), STDERR_FILENO);
    const auto text = sg::readFile(folder / "err");
    SG_VERIFY_OK(text);
    SG_VERIFY_CONTAINS(*text, "warning: a {} warning with \\x1b[31m colour\n");
    SG_VERIFY_CONTAINS(*text, "error: an error\n");
    QVERIFY(text->find("quiet") == std::string::npos);
    QVERIFY(text->find('\x1B') == std::string::npos);
}

void TestLog::goesToAnotherSink()
{
    std::string seen;
    sg::setLogSink([&](LogLevel level, const std::string& text) {
        seen += (level == LogLevel::Info ? "info " : "other ") + text;
    });
    sg::logMessage(LogLevel::Info, "text");
    sg::setLogSink({});
    QCOMPARE(seen, std::string("info text"));
}

SG_TEST(TestLog)
#include "tst_log.moc"
