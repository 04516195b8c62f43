// `sandglass new`: a project that runs at once, and the templates that there are.

#include "tests/app/cli/command_line.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::test;
namespace fs = std::filesystem;

class TestCliNew : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatItMakesRuns_data()
    {
        QTest::addColumn<std::string>("id");
        QTest::addColumn<int>("exit");
        QTest::newRow("approval") << std::string("approval") << 5; // it waits for an answer
        QTest::newRow("fan-out") << std::string("fan-out") << 0;
        QTest::newRow("python") << std::string("python") << 0;
    }
    void whatItMakesRuns()
    {
        QFETCH(std::string, id);
        QFETCH(int, exit);
        const CommandLine shell;
        const Answer made = shell.run({ "new", "deep/mine", "--template", id, "--json" });
        QVERIFY2(made.exit == 0, made.whole().c_str());
        QCOMPARE(made.json()["template"], Value(id));
        QVERIFY2(shell.run({ "validate", "deep/mine" }).exit == 0, made.whole().c_str());
        const Value graph = *parseJson(*readFile(shell.project() / "deep/mine/mine.graph.json"));
        const Answer ran =
            shell.run({ "run", "deep/mine", "--thread", "t", "--input", toJson(graph["input_example"]) });
        QVERIFY2(ran.exit == exit, ran.whole().c_str());
    }

    void anInputThatTheGraphWantsIsAskedFor()
    {
        const CommandLine shell;
        const Answer made = shell.run({ "new", "mine", "--template", "supervisor" });
        QVERIFY2(made.exit == 0, made.whole().c_str());
        const Answer ran = shell.run({ "run", "mine", "--thread", "t" });
        QVERIFY2(ran.exit == 2, ran.whole().c_str());
        const std::string example = R"(--input '{"messages": "How much is 6 times 7?"}')";
        QVERIFY2(made.whole().find(example) != std::string::npos, made.whole().c_str());
        QVERIFY2(ran.whole().find("sandglass run mine --thread=t " + example) != std::string::npos,
                 ran.whole().c_str());
        // An input that was given is the caller's matter, also where it is nothing.
        const Answer given = shell.run({ "run", "mine", "--thread", "t", "--input", "{}" });
        QVERIFY2(given.whole().find("wants an input") == std::string::npos, given.whole().c_str());
    }

    void theEmptyOneIsNamedLikeItsFolder()
    {
        const CommandLine shell;
        const Answer made = shell.run({ "new", "a b" });
        QVERIFY2(made.exit == 0, made.whole().c_str());
        QVERIFY(fs::exists(shell.project() / "a b" / "a b.graph.json"));
        const Answer again = shell.run({ "new", "a b", "--json" });
        QVERIFY2(again.exit != 0, again.whole().c_str());
        QVERIFY(again.whole().find("holds a project already") != std::string::npos);
    }

    void listsTemplates()
    {
        const CommandLine shell;
        const Answer listed = shell.run({ "new", "--list", "--json" });
        QVERIFY2(listed.exit == 0, listed.whole().c_str());
        QCOMPARE(listed.json()[std::size_t(0)]["template"], Value("empty"));
        QVERIFY2(shell.run({ "new" }).exit == 2, "");
        const Answer unknown = shell.run({ "new", "x", "--template", "nothing" });
        QVERIFY2(unknown.exit != 0 && unknown.whole().find("there are: empty") != std::string::npos,
                 unknown.whole().c_str());
        QVERIFY(!fs::exists(shell.project() / "x"));
    }
};

SG_TEST(TestCliNew)
#include "tst_cli_new.moc"
