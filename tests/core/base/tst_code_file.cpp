#include "core/base/code_file.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <sys/stat.h>

#include <filesystem>

using namespace sg;

class TestCodeFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsWhatStandsThere();
    void refuses_data();
    void refuses();
};

namespace {

Result<std::string> read(const std::filesystem::path& folder, const std::string& file)
{
    const auto path = RelativePath::parse(file);
    if (!path)
        return path.error();
    return readCodeFile(folder, *path);
}

} // namespace

void TestCodeFile::readsWhatStandsThere()
{
    const test::TempDir dir;
    dir.write("project/nodes/load.py", "one");
    std::filesystem::create_symlink("load.py", dir / "project" / "nodes" / "alias.py");
    QCOMPARE(*read(dir / "project", "nodes/load.py"), std::string("one"));
    QCOMPARE(*read(dir / "project", "nodes/alias.py"), std::string("one")); // stays inside
    dir.write("project/nodes/load.py", "two");
    QCOMPARE(*read(dir / "project", "nodes/load.py"), std::string("two"));
    dir.write("project/nodes/load.py", "\xEF\xBB\xBFthree");
    QCOMPARE(*read(dir / "project", "nodes/load.py"), std::string("three"));
}

void TestCodeFile::refuses_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* file, Errc code, const char* text) {
        QTest::newRow(file) << QByteArray(file) << static_cast<int>(code) << QByteArray(text);
    };
    row("missing.py", Errc::NotFound, "no code file missing.py");
    row("file.py/x.py", Errc::NotFound, "create it or correct");
    row("../secret", Errc::InvalidArgument, "..");
    row("/etc/passwd", Errc::InvalidArgument, "relative");
    row("out.py", Errc::PermissionDenied, "leads out of");
    row("absolute.py", Errc::PermissionDenied, "leads out of");
    row("folder/secret", Errc::PermissionDenied, "leads out of");
    row("pipe", Errc::InvalidArgument, "regular file");
    row("big.py", Errc::LimitExceeded, "larger than");
    row("latin.py", Errc::Unsupported, "latin.py: it is not UTF-8 text; save it as that");
}

void TestCodeFile::refuses()
{
    QFETCH(const QByteArray, file);
    QFETCH(const int, code);
    QFETCH(const QByteArray, text);
    const test::TempDir dir;
    dir.write("secret", "not for anyone");
    dir.write("project/file.py", "x");
    dir.write("project/big.py", "x");
    dir.write("project/latin.py", "# -*- coding: latin-1 -*-\nx = '\xE9'\n");
    std::filesystem::resize_file(dir / "project" / "big.py", 9 << 20);
    std::filesystem::create_symlink("../secret", dir / "project" / "out.py");
    std::filesystem::create_symlink(dir / "secret", dir / "project" / "absolute.py");
    std::filesystem::create_symlink("..", dir / "project" / "folder");
    QCOMPARE(::mkfifo((dir / "project" / "pipe").c_str(), 0600), 0);
    const auto source = read(dir / "project", file.toStdString());
    QVERIFY(!source);
    SG_VERIFY_CONTAINS(source.error().message, text.toStdString());
    QCOMPARE(static_cast<int>(source.error().code), code);
}

SG_TEST(TestCodeFile)
#include "tst_code_file.moc"
