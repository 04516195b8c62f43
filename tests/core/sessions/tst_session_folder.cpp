#include "core/base/json.h"
#include "core/base/redaction.h"
#include "core/sessions/records/session_folder.h"
#include "core/sessions/records/session_journal.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace sg;
using sessions::SessionFolder;

namespace fs = std::filesystem;

namespace {

std::string fileText(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return { std::istreambuf_iterator<char>(file), {} };
}

} // namespace

class TestSessionFolder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void writesJsonLines();
    void isNotLedAstray_data();
    void isNotLedAstray();
    void replacesMetadataWhole();
    void refusesALinkAsFolder();
    void goesOnAfterAKill();
    void holdsNoSecret();
    void asksForVariablesUntilItIsTold();
};

void TestSessionFolder::writesJsonLines()
{
    const test::TempDir dir;
    auto folder = SessionFolder::open(dir / "sessions" / "s-1");
    SG_VERIFY_OK(folder);
    SG_VERIFY_OK(
        folder->log("2026-11-21T08:00:00+00:00", "code_execution", { { "code", "print('\n\xff')" } }));
    SG_VERIFY_OK(folder->log("2026-11-21T08:00:01+00:00", "session_stopped", {}));
    const std::string expected =
        "{\"timestamp\":\"2026-11-21T08:00:00+00:00\",\"event\":\"code_execution\","
        "\"code\":\"print('\\n\xEF\xBF\xBD')\"}\n"
        "{\"timestamp\":\"2026-11-21T08:00:01+00:00\",\"event\":\"session_stopped\"}\n";
    QCOMPARE(fileText(dir / "sessions" / "s-1" / "session.log"), expected);
    QVERIFY(fs::is_directory(dir / "sessions" / "s-1" / "artifacts"));
    SG_VERIFY_OK(SessionFolder::open(dir / "sessions" / "s-1")); // what is there stays
    QVERIFY(fs::exists(dir / "sessions" / "s-1" / "session.log"));
}

void TestSessionFolder::asksForVariablesUntilItIsTold()
{
    const test::TempDir dir;
    auto folder = SessionFolder::open(dir / "s-1");
    SG_VERIFY_OK(folder);
    const SystemClock clock;
    sessions::SessionJournal journal(std::move(*folder), clock);
    QVERIFY(!journal.wantsVariables());
    journal.executed("x = 1", "", {});
    QVERIFY(journal.wantsVariables());
    QVERIFY(journal.wantsVariables()); // it was not answered
    journal.saveVariables(Value::map({ { "variables", ValueList() } }));
    QVERIFY(!journal.wantsVariables());
    QVERIFY(fs::exists(dir / "s-1" / "python_state.json"));
    journal.executed("x = 1", "", {});
    int tries = 0;
    while (tries < 100 && journal.wantsVariables())
        ++tries;
    QVERIFY(tries > 1 && tries < 10); // it never is
}

void TestSessionFolder::holdsNoSecret()
{
    const std::string secret = "a-secret-of-the-folder";
    keepOut("mine", secret);
    const test::TempDir dir;
    auto folder = SessionFolder::open(dir / "s-1");
    SG_VERIFY_OK(folder);
    SG_VERIFY_OK(folder->log("now", "code_execution", { { "code", "key = '" + secret + "'" } }));
    SG_VERIFY_OK(folder->saveMetadata({ { secret, 1 } }));
    SG_VERIFY_OK(folder->saveState({ { "variables", Value::map({ { "key", "'" + secret + "'" } }) } }));
    for (const char* name : { "session.log", "session_metadata.json", "python_state.json" }) {
        const std::string text = fileText(dir / "s-1" / name);
        SG_VERIFY_CONTAINS(text, "[secret mine]");
        QVERIFY2(text.find(secret) == std::string::npos, text.c_str());
    }
}

void TestSessionFolder::isNotLedAstray_data()
{
    QTest::addColumn<QByteArray>("trap");
    for (const char* trap : { "link", "dangling", "pipe", "folder", "second name" })
        QTest::newRow(trap) << QByteArray(trap);
}

void TestSessionFolder::isNotLedAstray()
{
    QFETCH(const QByteArray, trap);
    const test::TempDir dir;
    const auto victim = dir.write("victim", "the host's");
    auto folder = SessionFolder::open(dir / "s-1");
    SG_VERIFY_OK(folder);
    for (const char* name : { "session.log", "session_metadata.json" }) {
        const fs::path target = dir / "s-1" / name;
        if (trap == "link")
            fs::create_symlink(victim, target);
        else if (trap == "dangling")
            fs::create_symlink(dir / "new", target);
        else if (trap == "pipe")
            QCOMPARE(::mkfifo(target.c_str(), 0600), 0);
        else if (trap == "second name")
            fs::create_hard_link(victim, target);
        else if (std::string_view(name) == "session.log")
            fs::create_directory(target);
    }
    SG_VERIFY_OK(folder->log("now", "event", {}));
    SG_VERIFY_OK(folder->saveMetadata({ { "a", 1 } }));
    QCOMPARE(fileText(victim), std::string("the host's"));
    QVERIFY(!fs::exists(dir / "new"));
    SG_VERIFY_CONTAINS(fileText(dir / "s-1" / "session.log"), "\"event\":\"event\"");
    QVERIFY(fs::is_regular_file(fs::symlink_status(dir / "s-1" / "session_metadata.json")));
}

void TestSessionFolder::replacesMetadataWhole()
{
    const test::TempDir dir;
    auto folder = SessionFolder::open(dir / "s-1");
    SG_VERIFY_OK(folder);
    SG_VERIFY_OK(folder->saveMetadata({ { "execution_count", 1 }, { "long", std::string(1000, 'x') } }));
    SG_VERIFY_OK(folder->saveMetadata({ { "execution_count", 2 } }));
    const auto metadata = parseJson(fileText(dir / "s-1" / "session_metadata.json"));
    SG_VERIFY_OK(metadata);
    QCOMPARE(*metadata, Value::map({ { "execution_count", 2 } }));
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(dir / "s-1"))
        ++files;
    QCOMPARE(files, std::size_t(2)); // metadata and artifacts: no temporary file
}

void TestSessionFolder::refusesALinkAsFolder()
{
    const test::TempDir dir;
    fs::create_directory(dir / "elsewhere");
    fs::create_directory_symlink(dir / "elsewhere", dir / "s-1");
    const auto folder = SessionFolder::open(dir / "s-1");
    QVERIFY(!folder);
    SG_VERIFY_CONTAINS(folder.error().message, "s-1");
}

// A program that was killed left half a line of the log, and a file that it was saving.
void TestSessionFolder::goesOnAfterAKill()
{
    const test::TempDir dir;
    const std::string half = "{\"timestamp\":\"t\",\"event\":\"code_exec";
    dir.write("s-1/session.log", "{\"event\":\"session_started\"}\n" + half);
    dir.write("s-1/session_metadata.json", "{\"execution_count\": 7}\n");
    dir.write("s-1/.sandglass-0123456789abcdef.tmp", "{\"execution_co");
    dir.write("s-1/.sandglass-notes.tmp", "the user's");
    auto folder = SessionFolder::open(dir / "s-1");
    SG_VERIFY_OK(folder);
    SG_VERIFY_OK(folder->log("now", "one", {}));
    SG_VERIFY_OK(folder->log("now", "two", {}));
    QCOMPARE(
        fileText(dir / "s-1/session.log"),
        "{\"event\":\"session_started\"}\n" + half
            + "\n{\"timestamp\":\"now\",\"event\":\"one\"}\n{\"timestamp\":\"now\",\"event\":\"two\"}\n");
    QCOMPARE(fileText(dir / "s-1/session_metadata.json"), std::string("{\"execution_count\": 7}\n"));
    QVERIFY(!fs::exists(dir / "s-1/.sandglass-0123456789abcdef.tmp"));
    QVERIFY(fs::exists(dir / "s-1/.sandglass-notes.tmp"));
}

SG_TEST(TestSessionFolder)
#include "tst_session_folder.moc"
