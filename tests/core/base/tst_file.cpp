#include "core/base/file.h"
#include "tests/support/ordinary_user.h"
#include "tests/support/qtest_std.h"
#include "tests/support/require.h"
#include "tests/support/small_disk.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

namespace fs = std::filesystem;

using sg::Errc;
using sg::readFile;
using sg::writeFileAtomically;
using sg::test::SmallDisk;
using sg::test::TempDir;

namespace {

std::size_t entriesIn(const fs::path& folder)
{
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

mode_t modeOf(const fs::path& path)
{
    struct stat info { };
    ::stat(path.c_str(), &info);
    return info.st_mode & 07777U;
}

} // namespace

class TestFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsWhatWasWritten_data();
    void readsWhatWasWritten();
    void readsFilesThatDoNotKnowTheirSize();
    void refusesToRead_data();
    void refusesToRead();
    void boundsWhatItReads();
    void replacesAndLeavesNothingBehind();
    void keepsModeAndOwner();
    void newFilesFollowTheUmask();
    void savesThroughALink();
    void refusesToWrite_data();
    void refusesToWrite();
    void refusesToReplaceAReadOnlyFile();
    void aFullDiskKeepsTheOldContent();
    void readersNeverSeeHalfAFile();
};

void TestFile::readsWhatWasWritten_data()
{
    QTest::addColumn<std::string>("content");
    QTest::newRow("empty") << std::string();
    QTest::newRow("text") << std::string("line\n");
    QTest::newRow("zeros") << std::string(5, '\0');
    QTest::newRow("large") << std::string(3'000'000, '\xAB');
}

void TestFile::readsWhatWasWritten()
{
    QFETCH(std::string, content);
    const TempDir folder;
    SG_VERIFY_OK(writeFileAtomically(folder / "a file", content));
    const auto back = readFile(folder / "a file");
    SG_VERIFY_OK(back);
    QVERIFY(*back == content);
}

void TestFile::readsFilesThatDoNotKnowTheirSize()
{
    const auto content = readFile("/proc/self/status");
    SG_VERIFY_OK(content);
    SG_VERIFY_CONTAINS(*content, "VmRSS");
}

void TestFile::refusesToRead_data()
{
    QTest::addColumn<std::string>("name");
    QTest::addColumn<int>("code");
    QTest::addColumn<std::string>("why");
    QTest::newRow("missing") << std::string("none") << static_cast<int>(Errc::NotFound)
                             << std::string("No such file");
    QTest::newRow("folder") << std::string("folder") << static_cast<int>(Errc::InvalidArgument)
                            << std::string("folder");
    QTest::newRow("pipe") << std::string("pipe") << static_cast<int>(Errc::InvalidArgument)
                          << std::string("regular");
    QTest::newRow("device") << std::string("zero") << static_cast<int>(Errc::InvalidArgument)
                            << std::string("regular");
    QTest::newRow("loop") << std::string("loop") << static_cast<int>(Errc::InvalidArgument)
                          << std::string("link");
    QTest::newRow("below a file") << std::string("file/x") << static_cast<int>(Errc::NotFound)
                                  << std::string("directory");
}

void TestFile::refusesToRead()
{
    QFETCH(std::string, name);
    QFETCH(int, code);
    QFETCH(std::string, why);
    const TempDir folder;
    fs::create_directory(folder / "folder");
    QCOMPARE(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    fs::create_symlink("/dev/zero", folder / "zero");
    fs::create_symlink("loop", folder / "loop");
    folder.write("file", "x");
    const auto content = readFile(folder / name);
    QVERIFY(!content);
    QCOMPARE(static_cast<int>(content.error().code), code);
    SG_VERIFY_CONTAINS(content.error().message, (folder / name).string());
    SG_VERIFY_CONTAINS(content.error().message, why);
}

void TestFile::boundsWhatItReads()
{
    const TempDir folder;
    const fs::path file = folder.write("file", "12345");
    SG_VERIFY_OK(readFile(file, 5));
    const auto content = readFile(file, 4);
    QVERIFY(!content);
    QCOMPARE(content.error().code, Errc::InvalidArgument);
    QVERIFY(!readFile("/proc/self/status", 10));
}

void TestFile::replacesAndLeavesNothingBehind()
{
    const TempDir folder;
    const fs::path file = folder.write("file", "old");
    SG_VERIFY_OK(writeFileAtomically(file, "new"));
    const auto content = readFile(file);
    SG_VERIFY_OK(content);
    QCOMPARE(*content, std::string("new"));
    QCOMPARE(entriesIn(folder.path()), std::size_t{ 1 });
    const std::string longName(255, 'n');
    SG_VERIFY_OK(writeFileAtomically(folder / longName, "x"));
}

void TestFile::keepsModeAndOwner()
{
    const TempDir folder;
    const fs::path file = folder.write("file", "old");
    QCOMPARE(::chmod(file.c_str(), 0640), 0);
    const bool root = ::geteuid() == 0;
    if (root)
        QCOMPARE(::chown(file.c_str(), 1234, 2345), 0);
    SG_VERIFY_OK(writeFileAtomically(file, "new"));
    QCOMPARE(modeOf(file), mode_t{ 0640 });
    if (root) {
        struct stat info { };
        QCOMPARE(::stat(file.c_str(), &info), 0);
        QCOMPARE(info.st_uid, uid_t{ 1234 });
        QCOMPARE(info.st_gid, gid_t{ 2345 });
    }
}

void TestFile::newFilesFollowTheUmask()
{
    const TempDir folder;
    const mode_t before = ::umask(027);
    const auto done = writeFileAtomically(folder / "file", "x");
    ::umask(before);
    SG_VERIFY_OK(done);
    QCOMPARE(modeOf(folder / "file"), mode_t{ 0640 });
}

void TestFile::savesThroughALink()
{
    const TempDir folder;
    folder.write("real/file", "old");
    fs::create_symlink("real/file", folder / "link");
    SG_VERIFY_OK(writeFileAtomically(folder / "link", "new"));
    QVERIFY(fs::is_symlink(folder / "link"));
    const auto content = readFile(folder / "real/file");
    SG_VERIFY_OK(content);
    QCOMPARE(*content, std::string("new"));
}

void TestFile::refusesToWrite_data()
{
    QTest::addColumn<std::string>("name");
    QTest::addColumn<int>("code");
    QTest::newRow("no such folder") << std::string("none/file") << static_cast<int>(Errc::NotFound);
    QTest::newRow("is a folder") << std::string("folder") << static_cast<int>(Errc::InvalidArgument);
    QTest::newRow("below a file") << std::string("file/x") << static_cast<int>(Errc::NotFound);
}

void TestFile::refusesToWrite()
{
    QFETCH(std::string, name);
    QFETCH(int, code);
    const TempDir folder;
    fs::create_directory(folder / "folder");
    folder.write("file", "x");
    const auto done = writeFileAtomically(folder / name, "new");
    QVERIFY(!done);
    QCOMPARE(static_cast<int>(done.error().code), code);
    SG_VERIFY_CONTAINS(done.error().message, (folder / name).string());
    QCOMPARE(entriesIn(folder.path()), std::size_t{ 2 });
}

void TestFile::refusesToReplaceAReadOnlyFile()
{
    const TempDir folder;
    const fs::path file = folder.write("file", "old");
    QCOMPARE(::chmod(file.c_str(), 0440), 0);
    QCOMPARE(::chmod(folder.path().c_str(), 0777), 0);
    const auto wrong = sg::test::asOrdinaryUser([&]() -> std::string {
        const auto done = writeFileAtomically(file, "new");
        if (done)
            return "it was replaced";
        return done.error().code == Errc::PermissionDenied ? "" : done.error().message;
    });
    QCOMPARE(wrong, std::string());
    QCOMPARE(entriesIn(folder.path()), std::size_t{ 1 });
}

void TestFile::aFullDiskKeepsTheOldContent()
{
    const SmallDisk disk("64k");
    if (!disk.problem().empty())
        SG_SKIP_WITHOUT("small_disk", disk.problem());
    const fs::path file = disk.path() / "run.json";
    SG_VERIFY_OK(writeFileAtomically(file, "old"));
    const auto done = writeFileAtomically(file, std::string(200'000, 'x'));
    QVERIFY(!done);
    QCOMPARE(done.error().code, Errc::NoSpace);
    SG_VERIFY_CONTAINS(done.error().message, file.string());
    SG_VERIFY_CONTAINS(done.error().message, "free some space");
    const auto content = readFile(file);
    SG_VERIFY_OK(content);
    QCOMPARE(*content, std::string("old"));
    QCOMPARE(entriesIn(disk.path()), std::size_t{ 1 });
    QVERIFY(disk.makeReadOnly());
    const auto readOnly = writeFileAtomically(file, "x");
    QVERIFY(!readOnly);
    QCOMPARE(readOnly.error().code, Errc::PermissionDenied);
}

void TestFile::readersNeverSeeHalfAFile()
{
    const TempDir folder;
    const fs::path file = folder.write("file", std::string(100'000, 'a'));
    std::atomic<bool> done{ false };
    std::atomic<int> torn{ 0 };
    std::thread reader([&] {
        while (!done) {
            const auto content = readFile(file);
            if (!content || content->size() != 100'000
                || content->find_first_not_of(content->front()) != std::string::npos)
                ++torn;
        }
    });
    for (int round = 0; round < 50; ++round)
        if (!writeFileAtomically(file, std::string(100'000, static_cast<char>('a' + round % 26))))
            ++torn;
    done = true;
    reader.join();
    QCOMPARE(torn.load(), 0);
}

SG_TEST(TestFile)
#include "tst_file.moc"
