// Requirements from the graph file to the record of a run, by the real program; nothing is fetched.

#include "tests/app/cli/command_line.h"
#include "tests/support/machine.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using test::Answer;
using test::CommandLine;
namespace fs = std::filesystem;

namespace {

// A project whose graph requires a package, and a user with one wheel of it.
struct Project : CommandLine {
    Project()
    {
        take("requirements");
        write("ask.py", "import demo_a\n\n\ndef node(state):\n    return {'version': demo_a.VERSION}\n");
        fs::create_directories(links());
        replaceEnvironment("XDG_DATA_HOME", (outside() / "data").string());
        replaceEnvironment("PIP_CONFIG_FILE", "/dev/null");
        replaceEnvironment("PIP_NO_INDEX", "1");
        replaceEnvironment("PIP_FIND_LINKS", links().string());
    }
    [[nodiscard]] fs::path links() const { return outside() / "links"; }
    void wheel() const
    {
        ProcessSpec make;
        make.program = "/usr/bin/python3";
        make.arguments = { SG_SOURCE_DIR "/tests/data/layers/make_wheel.py", links().string(), "demo_a",
                           "1.0" };
        QCOMPARE(execute(make).exit, 0);
    }
    Answer start(std::vector<std::string> more = {}) const
    {
        std::vector<std::string> words{ "--json",  "run", "requirements.graph.json", "--thread", "t",
                                        "--input", "{}" };
        words.insert(words.end(), more.begin(), more.end());
        return run(words, {}, std::chrono::seconds(120));
    }
};

} // namespace

class TestCliLayers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { SG_NEED("bubblewrap"); }

    void recordsWhatARunHad()
    {
        const Project shell;
        shell.wheel();
        const Answer answer = shell.start({ "--offline" });
        QVERIFY2(answer.exit == 0, answer.whole().c_str());
        const Value document = answer.json();
        QCOMPARE(document["values"]["version"], Value("1.0"));
        const Value requirements = document["requirements"];
        QCOMPARE(requirements[0]["packages"][0], Value("demo_a==1.0"));
        QVERIFY2(answer.err.find("installing demo-a==1.0") != std::string::npos, answer.whole().c_str());

        const Value runs = shell.run({ "--json", "history", "--thread", "t", "--runs" }).json();
        QCOMPARE(runs[0]["requirements"], requirements);
        const Value layers = shell.run({ "--json", "layers", "list" }).json();
        QCOMPARE(layers[0]["layer"], requirements[0]["layer"]);
        QCOMPARE(layers[0]["installed"], Value(true));
        QCOMPARE(layers[0]["in_use"], Value(false));
        QCOMPARE(layers[0]["packages"][0]["sha256"].asString().size(), std::size_t{ 64 });

        // A second run finds it; gc spares what was used, and says what it would do.
        const Answer again = shell.start();
        QVERIFY2(again.exit == 0 && again.err.find("installing") == std::string::npos, again.whole().c_str());
        QCOMPARE(shell.run({ "--json", "layers", "gc" }).json()["removed"], Value(ValueList()));
        QCOMPARE(shell.run({ "--json", "layers", "remove", requirements[0]["layer"].asString() }).exit, 0);
        QCOMPARE(shell.run({ "--json", "layers", "list" }).json()[0]["installed"], Value(false));
        QCOMPARE(shell.run({ "layers", "remove", "nothing" }).exit, 2);
    }

    void failsWithTheReasonWhereNothingCanBeHad()
    {
        const Project shell;
        const Answer answer = shell.start({ "--offline" });
        QCOMPARE(answer.exit, 4);
        const std::string message = answer.json()["error"].stringOr("message", "");
        QVERIFY2(message.find("install demo-a==1.0") != std::string::npos, message.c_str());
        QVERIFY2(message.find("run once without --offline") != std::string::npos, message.c_str());
    }

    void pointsAtWhatIsNoRequirement()
    {
        const Project shell;
        shell.write("requirements.graph.json",
                    "{ \"nodes\": [{ \"name\": \"ask\", \"file\": \"ask.py\" }],\n"
                    "  \"edges\": [[\"__start__\", \"ask\"]], \"sandbox\": { \"requirements\": [\"a\", \"-e "
                    ".\"] } }");
        const Answer answer = shell.run({ "--json", "validate", "requirements.graph.json" });
        QCOMPARE(answer.exit, 3);
        QVERIFY2(answer.out.find("/sandbox/requirements/1") != std::string::npos, answer.whole().c_str());
    }
};

SG_CORE_TEST(TestCliLayers)
#include "tst_cli_layers.moc"
