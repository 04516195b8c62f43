// Secrets from the command line: stored where only their user can read them, told of and never shown.

#include "tests/app/cli/command_line.h"
#include "tests/support/qtry.h"
#include "tests/support/test_main.h"

#include <fstream>
#include <iterator>

using namespace sg;
using test::Answer;
using test::CommandLine;
namespace fs = std::filesystem;

namespace {

// Without a session bus: no keyring of this machine's is ever asked.
struct Shell : CommandLine {
    Shell() { environment.push_back("XDG_CONFIG_HOME=" + (outside() / "config").string()); }
    [[nodiscard]] fs::path file(const std::string& name) const
    {
        return outside() / "config/sandglass/secrets" / name;
    }
    [[nodiscard]] Answer say(const std::vector<std::string>& arguments, const std::string& input) const
    {
        ProcessSpec asked = spec(arguments);
        asked.pipeStdin = true;
        return execute(asked, input);
    }
};

} // namespace

class TestCliSecret : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsOneInAFile()
    {
        const Shell shell;
        const Answer kept =
            shell.say({ "--json", "secret", "set", "api-key", "--file" }, "a-planted-secret\n");
        QVERIFY2(kept.exit == 0, kept.whole().c_str());
        QCOMPARE(kept.json().stringOr("found_in", ""), std::string("file"));
        QCOMPARE(fs::status(shell.file("api-key")).permissions(), fs::perms(0600));
        QCOMPARE(*readFile(shell.file("api-key")), std::string("a-planted-secret"));
        const Answer listed = shell.run({ "secret", "list" });
        SG_VERIFY_CONTAINS(listed.out, "api-key");
        SG_VERIFY_CONTAINS(listed.out, "file");
        QVERIFY((kept.out + kept.err + listed.out + listed.err).find("planted") == std::string::npos);
        QCOMPARE(shell.run({ "secret", "list", "api-key", "another" }).exit, 1);
        QCOMPARE(shell.run({ "secret", "remove", "api-key" }).exit, 0);
        QVERIFY(!fs::exists(shell.file("api-key")));
        QCOMPARE(shell.run({ "secret", "remove", "api-key" }).exit, 1);
    }

    void tellsWhatComesFirst()
    {
        Shell shell;
        shell.environment.push_back("SANDGLASS_SECRET_API_KEY=another-one");
        const Answer kept = shell.say({ "secret", "set", "api-key", "--file" }, "a-planted-secret");
        QCOMPARE(kept.exit, 0);
        SG_VERIFY_CONTAINS(kept.err, "environment");
        const Answer brief = shell.say({ "secret", "set", "pin", "--file" }, "1234");
        SG_VERIFY_CONTAINS(brief.err, "fewer than 8 characters");
    }

    void refuses_data()
    {
        QTest::addColumn<std::vector<std::string>>("arguments");
        QTest::addColumn<std::string>("input");
        QTest::addColumn<std::string>("says");
        using Words = std::vector<std::string>;
        QTest::newRow("no keyring") << Words{ "secret", "set", "key" } << std::string("x")
                                    << std::string("--file");
        QTest::newRow("a way out") << Words{ "secret", "set", "../key", "--file" } << std::string("x")
                                   << std::string("is no name for a secret");
        QTest::newRow("to remove") << Words{ "secret", "remove", "a/b" } << std::string()
                                   << std::string("is no name for a secret");
        QTest::newRow("to look for") << Words{ "secret", "list", "a b" } << std::string()
                                     << std::string("is no name for a secret");
        QTest::newRow("nothing") << Words{ "secret", "set", "key", "--file" } << std::string("\n")
                                 << std::string("nothing came");
        QTest::newRow("too much") << Words{ "secret", "set", "key", "--file" } << std::string(20'000, 'x')
                                  << std::string("16 KiB");
        QTest::newRow("no verb") << Words{ "secret" } << std::string() << std::string("--help");
    }
    void refuses()
    {
        QFETCH(std::vector<std::string>, arguments);
        QFETCH(std::string, input);
        QFETCH(std::string, says);
        const Shell shell;
        const Answer refused = shell.say(arguments, input);
        QVERIFY2(refused.exit == 1 || refused.exit == 2, refused.whole().c_str());
        SG_VERIFY_CONTAINS(refused.err, says.c_str());
        QVERIFY(!fs::exists(shell.file("key")));
    }

    // While it waits for what it is to store.
    void keepsItsEnvironmentAndMemoryToItself()
    {
        Shell shell;
        shell.environment.push_back("SANDGLASS_SECRET_API_KEY=a-planted-secret-of-the-environment");
        shell.environment.push_back("ARTIFACTS_SECRET=a-planted-key-of-addresses");
        ProcessSpec asked = shell.spec({ "secret", "set", "another", "--file" });
        asked.pipeStdin = true;
        auto child = ChildProcess::start(asked);
        SG_VERIFY_OK(child);
        const fs::path own = fs::path("/proc") / std::to_string(child->pid());
        const auto shows = [&](const char* file, const char* what) {
            std::ifstream in(own / file, std::ios::binary);
            return std::string(std::istreambuf_iterator<char>(in), {}).find(what) != std::string::npos;
        };
        QTRY_VERIFY(shows("environ", "SANDGLASS_SECRET_API_KEY") && !shows("environ", "planted"));
        QVERIFY(shows("limits", "Max core file size        0                    0"));
        child->kill(9);
    }

    void refusesServersThatNobodyCanMean_data()
    {
        QTest::addColumn<std::vector<std::string>>("arguments");
        QTest::addColumn<std::string>("says");
        using Words = std::vector<std::string>;
        QTest::newRow("port") << Words{ "serve", "--port", "99999" }
                              << std::string("not in range 0 to 65535");
        QTest::newRow("no port") << Words{ "serve", "--port", "abc" } << std::string("--port");
        QTest::newRow("host") << Words{ "serve", "--host", "a\r\nb" }
                              << std::string("no name that a Host header");
    }
    void refusesServersThatNobodyCanMean()
    {
        QFETCH(std::vector<std::string>, arguments);
        QFETCH(std::string, says);
        const CommandLine shell("counter");
        const Answer refused = shell.run(arguments);
        QCOMPARE(refused.exit, 2);
        SG_VERIFY_CONTAINS(refused.err, says.c_str());
    }
};

SG_TEST(TestCliSecret)
#include "tst_cli_secret.moc"
