#include "core/base/redaction.h"
#include "core/sqlite/db.h"
#include "tests/core/sessions/session_fixture.h"
#include "tests/support/qtest_std.h"
#include "tests/support/require.h"
#include "tests/support/small_disk.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <sys/stat.h>

#include <set>

using namespace sg;
using sessions::CellResult;
using sessions::CellStatus;
using test::SessionFixture;

namespace {

constexpr const char* kGoThere = "import os\nos.chdir(os.environ['HOME'] + '/artifacts')\n";

std::string joined(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines)
        text += line + "\n";
    return text;
}

std::string storedPaths(const CellResult& result)
{
    std::string text;
    for (const artifacts::Artifact& artifact : result.artifacts)
        text += artifact.path + " ";
    return text;
}

} // namespace

class TestArtifactIntake : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void storesAndRemoves();
    void keepsFilesOfTheSameNameApart();
    void refusesWhatIsNoFile();
    void leavesWhatIsTooLarge();
    void leavesWhatIsStillWritten();
    void keepsNamesThatCannotBeStored();
    void aFileThatIsLeftAgainIsLostAgain();
    void storesNoNameThatHoldsASecret();
    void takesManyFiles();
    void takesMoreThanOneListTells();
    void leavesOfManyWhatCannotBeStored();
    void storesNoneOfManyWithoutTheDisk();
    void survivesALostFolder();
    void leavesTheFileWhereTheDiskIsFull();
    void takesFilesOfACodeThatFailed();
};

void TestArtifactIntake::storesAndRemoves()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    const std::string big(3 << 18, 'x'); // several chunks? one byte under the cap in one
    CellResult result = f.run(kGoThere
                              + std::string("open('a.csv', 'w').write('a\\n')\nos.mkdir('deep')\n"
                                            "open('deep/empty', 'w')\n"
                                            "open('big.bin', 'wb').write(b'x' * 786432);"));
    QCOMPARE(storedPaths(result), std::string("a.csv big.bin deep/empty "));
    QCOMPARE(joined(result.warnings), std::string());
    QCOMPARE(result.artifacts.at(1).size, std::uint64_t(786432));
    QCOMPARE(*f.artifactStore->read(result.artifacts.at(1), 1 << 20), big);
    QVERIFY(result.artifacts.at(0).origin.session == SessionId("s-test"));
    QVERIFY(!std::filesystem::exists(f.backend.sessionFolder() / "artifacts" / "a.csv"));
    QVERIFY(std::filesystem::exists(f.backend.sessionFolder() / "artifacts" / "deep"));
    QCOMPARE(storedPaths(f.run("1")), std::string());
    result = f.run("open('a.csv', 'w').write('a\\n');"); // again the same: another artifact, the same content
    QCOMPARE(storedPaths(result), std::string("a.csv "));
    QCOMPARE(f.artifactStore->list({})->size(), std::size_t(4));
}

void TestArtifactIntake::keepsFilesOfTheSameNameApart()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    const CellResult result = f.run(kGoThere
                                    + std::string("for name in ('x', 'y'):\n    os.mkdir(name)\n"
                                                  "    open(name + '/same.txt', 'w').write(name)"));
    QCOMPARE(storedPaths(result), std::string("x/same.txt y/same.txt "));
    QCOMPARE(*f.artifactStore->read(result.artifacts.at(1), 10), std::string("y"));
}

void TestArtifactIntake::refusesWhatIsNoFile()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    const auto secret = f.folder.write("secret", "of the host");
    const CellResult result =
        f.run(kGoThere
              + std::string("os.symlink('" + secret.string()
                            + "', 'link')\nos.symlink('/etc', 'folder')\n"
                              "os.mkfifo('pipe')\nopen('one', 'w').write('x')\nos.link('one', 'two')\n"
                              "import socket; s = socket.socket(socket.AF_UNIX); s.bind('socket')\n"
                              "open('good.txt', 'w').write('x');"));
    QCOMPARE(storedPaths(result), std::string("good.txt "));
    const std::string warnings = joined(result.warnings);
    for (const char* text : { "artifacts/link: a link", "artifacts/folder: a link", "artifacts/pipe: a pipe",
                              "artifacts/one: a file with 2 names", "artifacts/two: a file with 2 names",
                              "artifacts/socket: a socket" })
        SG_VERIFY_CONTAINS(warnings, text);
    QVERIFY(std::filesystem::exists(secret)); // neither read nor removed
    QVERIFY(std::filesystem::is_symlink(f.backend.sessionFolder() / "artifacts" / "link"));
    QCOMPARE(joined(f.run("1").warnings), std::string()); // said once
}

void TestArtifactIntake::leavesWhatIsTooLarge()
{
    SessionFixture f; // stores at most 1 MiB
    SG_VERIFY_OK(f.session->start());
    CellResult result =
        f.run(kGoThere + std::string("open('big.bin', 'wb').write(b'x' * (1 << 20) + b'y');"));
    QCOMPARE(storedPaths(result), std::string());
    SG_VERIFY_CONTAINS(joined(result.warnings), "big.bin: store big.bin: larger than the 1048576 bytes");
    QVERIFY(std::filesystem::exists(f.backend.sessionFolder() / "artifacts" / "big.bin"));
    QCOMPARE(joined(f.run("1").warnings), std::string());
    result = f.run("open('big.bin', 'wb').write(b'x' * (1 << 20));");
    QCOMPARE(storedPaths(result), std::string("big.bin "));
}

// A node that failed for it and runs again, with nothing mended, must not be done.
void TestArtifactIntake::aFileThatIsLeftAgainIsLostAgain()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    for (const char* leaves :
         { "open('a\\nb', 'w').write('x');", "open('big', 'wb').write(b'x' * 1048577);",
           "open('one', 'w').write('x'); os.path.exists('two') or os.link('one', 'two'); "
           "open('one', 'w').write('y');" }) {
        QVERIFY2(f.run(kGoThere + std::string(leaves)).lostFile, leaves);
        QVERIFY2(!f.run("1").lostFile, leaves); // another node has nothing to do with it
        const CellResult again = f.run(leaves);
        QVERIFY2(again.lostFile, leaves);
        QVERIFY2(!f.run("1").lostFile, leaves);
    }
}

void TestArtifactIntake::storesNoNameThatHoldsASecret()
{
    keepOut("named", "a-secret-in-a-name");
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    const CellResult result =
        f.run(kGoThere
              + std::string("name = '-'.join(['a', 'secret', 'in', 'a', 'name'])\nos.mkdir('x' + name)\n"
                            "for path in (name, 'plot-' + name.encode().hex(), 'x' + name + '/plain'):\n"
                            "    open(path, 'w').write('x')\nopen('good.txt', 'w').write('x');"));
    QCOMPARE(storedPaths(result), std::string("good.txt "));
    QCOMPARE(joined(result.warnings),
             std::string("artifacts/…: a file whose name holds a secret, not stored; rename it\n"));
    QCOMPARE(joined(f.run("1").warnings), std::string()); // said once
}

void TestArtifactIntake::leavesWhatIsStillWritten()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    // A thread goes on writing after its cell has ended.
    const std::string code =
        "import threading\nstop = threading.Event()\nready = threading.Event()\n"
        "def write():\n    number = 0\n    with open('growing.txt', 'w') as file:\n"
        "        while not stop.is_set():\n"
        "            file.write(''.join('%07d\\n' % n for n in range(number, number + 625)))\n"
        "            number += 625\n"
        "            file.flush()\n            ready.set()\n"
        "thread = threading.Thread(target=write)\nthread.start()\nready.wait();";
    CellResult result = f.run(kGoThere + code);
    for (int i = 0; i < 20 && storedPaths(result).empty() && result.warnings.empty(); ++i)
        result = f.run("1");
    const CellResult last = f.run("stop.set(); thread.join()");
    // Whatever was taken is what the file held at one moment: its beginning, cut where a write had come to.
    const auto listed = f.artifactStore->list({});
    SG_VERIFY_OK(listed);
    for (const artifacts::Artifact& artifact : *listed) {
        const auto content = f.artifactStore->read(artifact, 1 << 20);
        SG_VERIFY_OK(content);
        QCOMPARE(content->size(), artifact.size);
        std::string written;
        for (int number = 0; written.size() < content->size(); ++number) {
            const std::string digits = std::to_string(number);
            written += std::string(7 - digits.size(), '0') + digits + "\n";
        }
        QVERIFY(written.starts_with(*content));
    }
    QCOMPARE(last.status, CellStatus::Ok);
}

void TestArtifactIntake::keepsNamesThatCannotBeStored()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    const CellResult result = f.run(kGoThere
                                    + std::string("open(b'\\xff\\xfe', 'w').write('x')\n"
                                                  "open('\\x1b[31mred', 'w').write('x')\n"
                                                  "open('größe 图.txt', 'w').write('x');"));
    QCOMPARE(storedPaths(result), std::string("größe 图.txt "));
    QCOMPARE(result.warnings.size(), std::size_t(2));
    QVERIFY(joined(result.warnings).find('\x1b') == std::string::npos);
    QVERIFY(std::filesystem::exists(f.backend.sessionFolder() / "artifacts" / "\xff\xfe"));
}

void TestArtifactIntake::takesManyFiles()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    const CellResult result =
        f.run(kGoThere
              + std::string("for i in range(60):\n    os.symlink('x', f'l{i}')\n"
                            "for i in range(40):\n    open(f'{i}', 'w').write(str(i))"));
    QCOMPARE(result.artifacts.size(), std::size_t(40));
    QCOMPARE(result.warnings.size(), std::size_t(51)); // bounded, and the rest counted
    SG_VERIFY_CONTAINS(result.warnings.back(), "10 more files");
}

// More than one page of the runner's list, with large ones and links between them.
void TestArtifactIntake::takesMoreThanOneListTells()
{
    constexpr int kMany = 10'050;
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    const CellResult result =
        f.run(kGoThere
              + std::string("for i in range(" + std::to_string(kMany)
                            + "):\n    if i % 1000 == 0: os.mkdir(f'd{i // 1000}')\n"
                              "    open(f'd{i // 1000}/{i}', 'w').write(str(i))\n"
                              "open('d0/long', 'wb').write(b'x' * 900000)\nos.symlink('x', 'd5/link')"));
    QCOMPARE(result.artifacts.size(), std::size_t(kMany + 1));
    QCOMPARE(joined(result.warnings), std::string("artifacts/d5/link: a link, not stored\n"));
    QCOMPARE(f.artifactStore->list({})->size(), std::size_t(kMany + 1));
    std::set<std::string> paths;
    for (const artifacts::Artifact& artifact : result.artifacts)
        paths.insert(artifact.path);
    QCOMPARE(paths.size(), result.artifacts.size());
    for (std::size_t i = 0; i < result.artifacts.size(); i += 97)
        if (const artifacts::Artifact& artifact = result.artifacts.at(i); artifact.name != "long")
            QCOMPARE(*f.artifactStore->read(artifact, 100), artifact.name);
    QCOMPARE(joined(f.run("print(sum(len(f) for _, _, f in os.walk('.')))").warnings), std::string());
    QCOMPARE(f.out, std::string("1\n")); // the link
}

void TestArtifactIntake::leavesOfManyWhatCannotBeStored()
{
    keepOut("held", "a-secret-in-a-file");
    SessionFixture f; // stores at most 1 MiB
    SG_VERIFY_OK(f.session->start());
    const CellResult result =
        f.run(kGoThere
              + std::string("for i in range(30): open(f'{i:02}', 'w').write(str(i))\n"
                            "open('40', 'wb').write(b'x' * (1 << 20) + b'y')\n"
                            "open('41', 'wb').write('-'.join(['a', 'secret', 'in', 'a', 'file']).encode())\n"
                            "open('42', 'w');"));
    QCOMPARE(result.artifacts.size(), std::size_t(31));
    QVERIFY(!result.storeFailure);
    const std::string warnings = joined(result.warnings);
    SG_VERIFY_CONTAINS(warnings, "artifacts/40: store 40: larger than the 1048576 bytes");
    SG_VERIFY_CONTAINS(warnings, "artifacts/41: store 41: it holds a secret");
    QVERIFY(std::filesystem::exists(f.backend.sessionFolder() / "artifacts" / "40"));
    QVERIFY(std::filesystem::exists(f.backend.sessionFolder() / "artifacts" / "41"));
    QVERIFY(!std::filesystem::exists(f.backend.sessionFolder() / "artifacts" / "42"));
}

// All stay in the session where their rows cannot be written.
void TestArtifactIntake::storesNoneOfManyWithoutTheDisk()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    auto held = sqlite::Db::open(f.folder / "artifacts.sqlite", {});
    SG_VERIFY_OK(held);
    SG_VERIFY_OK(
        held->exec("CREATE TRIGGER full BEFORE INSERT ON artifacts BEGIN SELECT RAISE(ABORT, 'full'); "
                   "END"));
    const CellResult result =
        f.run(kGoThere + std::string("for i in range(30): open(f'{i:02}', 'w').write(str(i))"));
    QCOMPARE(storedPaths(result), std::string());
    QVERIFY(result.storeFailure);
    SG_VERIFY_CONTAINS(joined(result.warnings), "it stays in the session");
    QVERIFY(std::filesystem::exists(f.backend.sessionFolder() / "artifacts" / "29"));
    SG_VERIFY_OK(held->exec("DROP TRIGGER full"));
    QCOMPARE(f.run("1").artifacts.size(), std::size_t(30));
}

void TestArtifactIntake::survivesALostFolder()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    CellResult result = f.run("import os, shutil\nos.chdir(os.environ['HOME'])\nshutil.rmtree('artifacts')");
    QCOMPARE(result.status, CellStatus::Ok);
    QCOMPARE(joined(result.warnings), std::string());
    result = f.run("os.rmdir('artifacts')"); // it was made again
    QCOMPARE(result.status, CellStatus::Ok);
    result =
        f.run("os.rmdir('artifacts'); os.symlink('/etc', 'artifacts')"); // a link in its place leads nowhere
    QCOMPARE(storedPaths(result), std::string());
    result = f.run("os.unlink('artifacts'); os.mkdir('artifacts'); open('artifacts/a', 'w').write('x');");
    QCOMPARE(storedPaths(result), std::string("a "));
}

void TestArtifactIntake::leavesTheFileWhereTheDiskIsFull()
{
    const test::SmallDisk disk("600k");
    if (!disk.problem().empty())
        SG_SKIP_WITHOUT("small_disk", disk.problem());
    SessionFixture f;
    auto store = artifacts::openArtifactStore(disk.path() / "artifacts.sqlite", disk.path() / "blobs");
    SG_VERIFY_OK(store);
    sessions::SessionParts parts;
    parts.id = SessionId("s-full");
    parts.sandboxSpec.runnerFolder = std::string(SG_SOURCE_DIR) + "/resources/sandbox";
    parts.backend = &f.backend;
    parts.artifacts = store->get();
    parts.clock = &f.clock;
    sessions::SandboxSession session(std::move(parts), std::nullopt, [](auto, const auto&, const auto&) {});
    SG_VERIFY_OK(session.start());
    const auto run = [&](const std::string& code) { return session.runCell(code, {}, {}, {}, {}); };
    CellResult result = run(kGoThere + std::string("open('big.bin', 'wb').write(os.urandom(1 << 20));"));
    QCOMPARE(result.status, CellStatus::Ok);
    QCOMPARE(storedPaths(result), std::string());
    SG_VERIFY_CONTAINS(joined(result.warnings), "No space left on device");
    SG_VERIFY_CONTAINS(joined(result.warnings), "it stays in the session");
    QVERIFY(std::filesystem::exists(f.backend.sessionFolder() / "artifacts" / "big.bin"));
    result = run("os.truncate('big.bin', 1000)");
    QCOMPARE(storedPaths(result), std::string("big.bin "));
}

void TestArtifactIntake::takesFilesOfACodeThatFailed()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    const CellResult result = f.run(kGoThere + std::string("open('partial.txt', 'w').write('x')\n1 / 0"));
    QCOMPARE(result.status, CellStatus::Error);
    QCOMPARE(storedPaths(result), std::string("partial.txt "));
}

SG_TEST(TestArtifactIntake)
#include "tst_artifact_intake.moc"
