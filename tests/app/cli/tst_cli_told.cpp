#include "tests/app/cli/command_line.h"
#include "tests/support/machine.h"
#include "tests/support/test_main.h"

using namespace sg;
using test::Answer;
using test::CommandLine;

namespace {

constexpr const char* kGraph = "{\"format\": 1, \"name\": \"g\", \"state\": {\"seen\": {}}, \"nodes\": ["
                               "{\"name\": \"a\", \"kind\": \"python\", \"file\": \"nodes/a.py\"}],"
                               "\"edges\": [[\"__start__\", \"a\"]]}";
constexpr const char* kCode = R"(from dataclasses import dataclass
from langgraph.runtime import Runtime

@dataclass
class Context:
    user: str
    level: int = 1

def node(state, config, runtime: Runtime[Context]):
    told = {k: v for k, v in config["configurable"].items() if k in ("user", "flags")}
    given = runtime.context
    return {"seen": [told, given and [type(given).__name__, given.user, given.level]]}
)";

} // namespace

// The caller of a run tells its nodes by config["configurable"] and Runtime.context.
class TestCliTold : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reachesPythonNodes()
    {
        SG_NEED("bubblewrap");
        const CommandLine shell;
        shell.write("g.graph.json", kGraph);
        shell.write("nodes/a.py", kCode);
        const Answer told = shell.run({ "--json", "run", "g.graph.json", "--thread", "t", "--backend",
                                        "bubblewrap", "--config", R"({"user": "ada", "flags": ["x"]})",
                                        "--context", R"({"user": "bob", "level": 3})" });
        SG_EXIT(told, 0);
        QCOMPARE(toJson(told.json()["values"]["seen"]),
                 std::string(R"([{"user":"ada","flags":["x"]},["Context","bob",3]])"));
        // as LangGraph: scalars of the config stand in the checkpoints' metadata, the context nowhere
        const Answer state = shell.run({ "--json", "state", "--thread", "t" });
        QCOMPARE(state.json()["metadata"].stringOr("user", {}), std::string("ada"));
        QVERIFY(toJson(state.json()["metadata"]).find("bob") == std::string::npos);

        const Answer untold =
            shell.run({ "--json", "run", "g.graph.json", "--thread", "u", "--backend", "bubblewrap" });
        SG_EXIT(untold, 0);
        QCOMPARE(toJson(untold.json()["values"]["seen"]), std::string("[{},null]"));
    }

    void whatCannotBeToldIsRefused_data()
    {
        QTest::addColumn<QByteArray>("option");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("not JSON") << QByteArray("--config") << QByteArray("{")
                                  << QByteArray("--config is not JSON");
        QTest::newRow("no object") << QByteArray("--config") << QByteArray("[1]")
                                   << QByteArray("must be a JSON object");
        QTest::newRow("thread") << QByteArray("--config") << QByteArray("{\"thread_id\": \"x\"}")
                                << QByteArray("Use --thread");
        QTest::newRow("hidden") << QByteArray("--config") << QByteArray("{\"__pregel_x\": 1}")
                                << QByteArray("cannot set '__pregel_x'");
        QTest::newRow("context") << QByteArray("--context") << QByteArray("nope")
                                 << QByteArray("--context is not JSON");
    }
    void whatCannotBeToldIsRefused()
    {
        QFETCH(QByteArray, option);
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        const CommandLine shell;
        shell.write("g.graph.json", kGraph);
        shell.write("nodes/a.py", kCode);
        const Answer answer =
            shell.run({ "run", "g.graph.json", "--thread", "t", option.toStdString(), text.toStdString() });
        SG_EXIT(answer, 2);
        SG_VERIFY_CONTAINS(answer.err, says.toStdString());
    }
};

SG_TEST(TestCliTold)
#include "tst_cli_told.moc"
