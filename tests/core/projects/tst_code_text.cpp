// Code files as they are edited: read, and written without overwriting others' work.

#include "core/projects/project_text.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <fstream>

using namespace sg;
using namespace sg::projects;

namespace {

struct Folder {
    test::TempDir dir;
    ProjectPaths paths;
    Folder()
    {
        paths.folder = dir.path() / "project";
        paths.data = paths.folder / ".sandglass";
        std::filesystem::create_directories(paths.folder / "nodes");
    }
    void put(const std::string& name, const std::string& text) const
    {
        std::ofstream(paths.folder / name, std::ios::binary) << text;
    }
};

} // namespace

class TestCodeText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsWrittenIsRead()
    {
        const Folder folder;
        auto code = readCode(folder.paths, "nodes/deep/a.py");
        QVERIFY(code && !code->exists);
        QVERIFY(saveCode(folder.paths, "nodes/deep/a.py", "x = 'é'\n", std::nullopt));
        code = readCode(folder.paths, "nodes/deep/a.py");
        QVERIFY(code && code->exists);
        QCOMPARE(code->text, std::string("x = 'é'\n"));
    }

    void anotherProgramsWorkStays_data()
    {
        QTest::addColumn<bool>("known");
        QTest::newRow("changed") << true;
        QTest::newRow("made meanwhile") << false;
    }
    void anotherProgramsWorkStays()
    {
        QFETCH(bool, known);
        const Folder folder;
        folder.put("nodes/a.py", "theirs\n");
        const auto saved = saveCode(folder.paths, "nodes/a.py", "mine\n",
                                    known ? std::optional<std::string>("before\n") : std::nullopt);
        QVERIFY(!saved);
        QCOMPARE(saved.error().code, Errc::Conflict);
        QCOMPARE(readCode(folder.paths, "nodes/a.py")->text, std::string("theirs\n"));
        QVERIFY(saveCode(folder.paths, "nodes/a.py", "mine\n", "theirs\n"));
        QVERIFY(saveCode(folder.paths, "nodes/a.py", "mine\n", "before\n")); // it says that already
    }

    void namesLeadNowhereElse_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("above") << QStringLiteral("../a.py");
        QTest::newRow("absolute") << QStringLiteral("/etc/passwd");
        QTest::newRow("by a link") << QStringLiteral("out/a.py");
        QTest::newRow("empty") << QString();
    }
    void namesLeadNowhereElse()
    {
        QFETCH(QString, name);
        const Folder folder;
        std::filesystem::create_directories(folder.dir.path() / "elsewhere");
        std::filesystem::create_directory_symlink(folder.dir.path() / "elsewhere",
                                                  folder.paths.folder / "out");
        QVERIFY(!readCode(folder.paths, name.toStdString()));
        QVERIFY(!saveCode(folder.paths, name.toStdString(), "x", std::nullopt));
        QVERIFY(std::filesystem::is_empty(folder.dir.path() / "elsewhere"));
    }

    void whatIsNoTextIsRefused_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("no UTF-8") << QByteArray("\xff\xfe");
        QTest::newRow("a zero") << QByteArray("a\0b", 3);
    }
    void whatIsNoTextIsRefused()
    {
        QFETCH(QByteArray, bytes);
        const Folder folder;
        folder.put("nodes/a.py", bytes.toStdString());
        const auto code = readCode(folder.paths, "nodes/a.py");
        QVERIFY(!code);
        QCOMPARE(code.error().code, Errc::InvalidArgument);
    }
};

SG_CORE_TEST(TestCodeText)
#include "tst_code_text.moc"
