// `sandglass export` and `sandglass import`: what they write, and what they leave alone.

#include "tests/app/cli/command_line.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <sstream>

using namespace sg;
using namespace sg::test;
namespace fs = std::filesystem;

class TestCliExchange : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void exportsAPythonProject()
    {
        const CommandLine shell("approval");
        const Answer answer = shell.run({ "export", ".", "--python", "-o", "out/new", "--json" });
        QVERIFY2(answer.exit == 0, answer.whole().c_str());
        const Value told = answer.json();
        QCOMPARE(told["package"], Value("approval"));
        for (const Value& file : told["files"].asList())
            QVERIFY2(fs::exists(shell.project() / "out/new" / file.asString()), file.asString().c_str());
        QVERIFY(!answer.json()["notes"].asList().empty());
    }

    void leavesWhatIsThereAlone()
    {
        const CommandLine shell("approval");
        shell.write("out/mine.txt", "mine");
        const Answer answer = shell.run({ "export", ".", "--python", "-o", "out" });
        QVERIFY2(answer.exit == 2, answer.whole().c_str());
        QVERIFY(answer.err.find("not an empty folder") != std::string::npos);
        QCOMPARE(std::distance(fs::directory_iterator(shell.project() / "out"), fs::directory_iterator()), 1);
    }

    void leavesNothingOfARefusal()
    {
        const CommandLine shell;
        shell.write("nodes/a.py", "import sandglass\ndef node(state): pass\n");
        shell.write("g.graph.json",
                    "{\"nodes\": [{\"name\": \"a\", \"file\": \"nodes/a.py\"}], "
                    "\"edges\": [[\"__start__\", \"a\"]]}");
        const Answer answer = shell.run({ "export", "g.graph.json", "--python", "-o", "out" });
        QVERIFY2(answer.exit == 2, answer.whole().c_str());
        QVERIFY2(answer.err.find("imports `sandglass`") != std::string::npos, answer.whole().c_str());
        QVERIFY(!fs::exists(shell.project() / "out"));
    }

    void printsOrWritesPictures()
    {
        const CommandLine shell("counter");
        const Answer printed = shell.run({ "export", ".", "--mermaid" });
        QVERIFY2(printed.exit == 0 && printed.out.starts_with("flowchart LR"), printed.whole().c_str());
        const Answer written = shell.run({ "export", ".", "--svg", "-o", "picture.svg" });
        QVERIFY2(written.exit == 0 && written.out.empty(), written.whole().c_str());
        QVERIFY(readFile(shell.project() / "picture.svg")->starts_with("<svg "));
        const Answer json = shell.run({ "export", ".", "--dot", "--json" });
        QVERIFY2(json.json()["dot"].isString(), json.whole().c_str());
    }

    void refusesWithTheWayOut_data()
    {
        QTest::addColumn<std::string>("arguments"); // parted by spaces
        QTest::addColumn<std::string>("says");
        const auto row = [](const char* arguments, const char* says) {
            QTest::newRow(arguments) << std::string(arguments) << std::string(says);
        };
        row("export . --png", "--svg");
        row("export .", "name a form");
        row("export . --svg --dot", "at most 1");
        row("export . --python", "-o FOLDER");
        row("import x.json -o new.json", "NAME.graph.json");
    }
    void refusesWithTheWayOut()
    {
        QFETCH(std::string, arguments);
        QFETCH(std::string, says);
        const CommandLine shell("counter");
        std::vector<std::string> given;
        std::istringstream words(arguments);
        for (std::string word; words >> word;)
            given.push_back(word);
        const Answer answer = shell.run(given);
        QVERIFY2(answer.exit == 2, answer.whole().c_str());
        QVERIFY2(answer.err.find(says) != std::string::npos, answer.whole().c_str());
    }

    void importsASkeletonAndKeepsFiles()
    {
        const CommandLine shell;
        fs::copy(SG_SOURCE_DIR "/tests/data/exchange/langgraph.json", shell.project() / "g.json");
        const std::string mine = "def node(state):\n    return {}\n";
        shell.write("nodes/work.py", mine);
        const Answer answer = shell.run({ "import", "g.json", "-o", "taken.graph.json", "--json" });
        QVERIFY2(answer.exit == 0, answer.whole().c_str());
        QCOMPARE(answer.json()["kept"], Value::list({ "nodes/work.py" }));
        QCOMPARE(*readFile(shell.project() / "nodes/work.py"), mine);
        const Answer valid = shell.run({ "validate", "taken.graph.json" });
        QVERIFY2(valid.exit == 0, valid.whole().c_str());
        const std::string before = *readFile(shell.project() / "taken.graph.json");
        const Answer again = shell.run({ "import", "g.json", "-o", "taken.graph.json" });
        QVERIFY2(again.exit == 2 && again.err.find("is there already") != std::string::npos,
                 again.whole().c_str());
        QCOMPARE(*readFile(shell.project() / "taken.graph.json"), before);
    }
};

SG_TEST(TestCliExchange)
#include "tst_cli_exchange.moc"
