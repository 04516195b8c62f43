// The real program runs nodes and questions of every day in both kinds of sandbox.

#include "tests/app/cli/command_line.h"
#include "tests/support/machine.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using test::Answer;
using test::CommandLine;

namespace {

constexpr auto kLong = std::chrono::seconds(180);

Answer with(const CommandLine& shell, const std::string& backend, std::vector<std::string> words)
{
    words.insert(words.end(), { "--backend", backend });
    return shell.run(words, {}, kLong);
}

std::size_t countOf(const std::string& text, const std::string& word)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        ++count;
    return count;
}

} // namespace

class TestCliEveryday : public QObject {
    Q_OBJECT

private:
    static void eachBackend()
    {
        QTest::addColumn<std::string>("backend");
        for (const char* backend : { "bubblewrap", "docker" })
            QTest::newRow(backend) << std::string(backend);
    }

private Q_SLOTS:
    void aLargeStateGoesThroughARunAndAResume_data() { eachBackend(); }
    void aLargeStateGoesThroughARunAndAResume()
    {
        QFETCH(std::string, backend);
        SG_NEED(backend.c_str());
        const CommandLine shell;
        shell.write("g.graph.json",
                    R"({"state": {"blob": {}, "size": {}, "last": {}}, "output": ["size", "last"], "nodes": [
            {"name": "make", "kind": "python", "file": "nodes/make.py"},
            {"name": "pass_on", "kind": "python", "file": "nodes/pass_on.py"},
            {"name": "measure", "kind": "python", "file": "nodes/measure.py"}],
            "edges": [["__start__", "make"], ["make", "pass_on"], ["pass_on", "measure"]],
            "interrupt_before": ["measure"]})");
        shell.write("nodes/make.py", "def node(state):\n    return {'blob': 'x' * 100_000_000}\n");
        shell.write("nodes/pass_on.py", "def node(state):\n    return {'blob': state['blob'] + 'y'}\n");
        shell.write("nodes/measure.py",
                    "def node(state):\n    return {'size': len(state['blob']), 'last': state['blob'][-1]}\n");
        const Answer paused = with(shell, backend, { "run", "g.graph.json", "--thread", "t" });
        QVERIFY2(paused.exit == 5, paused.err.substr(0, 2000).c_str());
        const Answer done = with(shell, backend, { "--json", "resume", "g.graph.json", "--thread", "t" });
        SG_EXIT(done, 0);
        QCOMPARE(done.json()["values"]["size"], Value(100'000'001));
        QCOMPARE(done.json()["values"]["last"], Value("y"));
    }

    void aCellAfterARunFindsItsNames_data() { eachBackend(); }
    void aCellAfterARunFindsItsNames()
    {
        QFETCH(std::string, backend);
        SG_NEED(backend.c_str());
        const CommandLine shell;
        shell.take("python");
        shell.write("nodes/work.py",
                    "def node(state):\n    global kept\n    kept = 41\n"
                    "    open('/session/left.txt', 'w').write('here')\n    return {'value': 1}\n");
        SG_EXIT(with(shell, backend, { "run", "python.graph.json", "--thread", "t" }), 0);
        const Answer cell = with(
            shell, backend,
            { "--json", "session", "exec", "--thread", "t", "kept + 1, open('/session/left.txt').read()" });
        SG_EXIT(cell, 0);
        QCOMPARE(cell.json()["value"], Value("(42, 'here')"));
        SG_VERIFY_CONTAINS(cell.err, "stands at its thread's newest snapshot");
        const Answer another =
            with(shell, backend, { "--json", "session", "exec", "--thread", "u", "'kept' in globals()" });
        SG_EXIT(another, 0);
        QCOMPARE(another.json()["value"], Value("False"));
        QCOMPARE(another.err.find("newest snapshot"), std::string::npos);
    }

    void aMissingModuleIsToldWithWhatToDo_data() { eachBackend(); }
    void aMissingModuleIsToldWithWhatToDo()
    {
        QFETCH(std::string, backend);
        SG_NEED(backend.c_str());
        const CommandLine shell;
        shell.take("python");
        shell.write("nodes/work.py", "import sg_absent\ndef node(state):\n    return {'value': 1}\n");
        const Answer failed = with(shell, backend, { "run", "python.graph.json", "--thread", "t" });
        SG_EXIT(failed, 4);
        for (const char* said :
             { "No module named 'sg_absent'", "\"requirements\"", "Installed: ", "cloudpickle" })
            SG_VERIFY_CONTAINS(failed.err, said);
    }

    void parallelNodesTellOfTheirSessionOnce_data() { eachBackend(); }
    void parallelNodesTellOfTheirSessionOnce()
    {
        QFETCH(std::string, backend);
        SG_NEED(backend.c_str());
        const CommandLine shell;
        shell.write("g.graph.json", R"({"state": {"log": {"type": "reduce", "reducer": "add", "default": []}},
            "nodes": [{"name": "a", "kind": "python", "file": "nodes/n.py"},
                      {"name": "b", "kind": "python", "file": "nodes/n.py"},
                      {"name": "c", "kind": "python", "file": "nodes/n.py"}],
            "edges": [["__start__", "a"], ["__start__", "b"], ["__start__", "c"]]})");
        shell.write("nodes/n.py", "def node(state):\n    return {'log': [1]}\n");
        const Answer done = with(shell, backend, { "run", "g.graph.json", "--thread", "t" });
        SG_EXIT(done, 0);
        QCOMPARE(countOf(done.err, " started: "), std::size_t(1));
    }

    void tasksOfSubgraphsAreFound()
    {
        const CommandLine shell("subgraphs");
        SG_EXIT(shell.run({ "run", "subgraphs.graph.json", "--thread", "t" }), 0);
        const Answer found = shell.run({ "--json", "query", "is:task node:count" });
        SG_EXIT(found, 0);
        const Value document = found.json();
        QCOMPARE(document.intOr("found", 0), 2); // the third keeps no checkpoints
        for (const Value& hit : document["hits"].asList()) {
            QCOMPARE(hit["node"], Value("count"));
            QCOMPARE(hit["status"], Value("done"));
            QVERIFY(!hit.stringOr("checkpoint_ns", "").empty());
            const std::string at = hit.stringOr("checkpoint_id", "");
            SG_EXIT(shell.run({ "state", "--thread", "t", "--checkpoint", at }), 0);
        }
        const Answer told = shell.run({ "query", "is:task node:count" });
        SG_VERIFY_CONTAINS(told.out, "  anew/count  done  ");
        SG_VERIFY_CONTAINS(told.out, "  onward/count  done  ");
        SG_VERIFY_CONTAINS(shell.run({ "query", "is:run" }).out, " supersteps  done  ");
    }

    void validateTellsWhatARunWouldMeet()
    {
        CommandLine shell;
        shell.write("nodes/a.py", "def node(state):\n    return {'value': 1}\n");
        shell.write("g.graph.json", R"({"nodes": [{"name": "a", "kind": "python", "file": "nodes/a.py"}],
            "edges": [["__start__", "a"]], "sandbox": {"secrets": ["api-key", "other"]}})");
        const Answer told = shell.run({ "--json", "validate", "g.graph.json" });
        SG_EXIT(told, 0);
        std::string found;
        const Value document = told.json();
        for (const Value& each : document["problems"].asList())
            found += each.stringOr("severity", "") + " " + each.stringOr("code", "") + " "
                + each.stringOr("pointer", "") + "\n";
        QCOMPARE(found,
                 std::string("warning secret-not-allowed /sandbox/secrets/0\n"
                             "warning secret-not-allowed /sandbox/secrets/1\nhint empty-state /state\n"));
        SG_VERIFY_CONTAINS(told.err, "SANDBOX_SECRETS=api-key in the environment");
        shell.environment.emplace_back("SANDBOX_SECRETS=api-key,other");
        const Answer allowed = shell.run({ "validate", "g.graph.json" });
        SG_EXIT(allowed, 0);
        QCOMPARE(allowed.err.find("secret"), std::string::npos);
    }

    void theRuntimesPackagesAreListed()
    {
        const CommandLine shell;
        const Answer answer = shell.run({ "--json", "image", "packages" });
        SG_EXIT(answer, 0);
        std::string names;
        const Value document = answer.json();
        for (const Value& each : document["packages"].asList()) {
            QCOMPARE(test::keysOf(each), std::string("name version module"));
            names += each.stringOr("name", "") + ":" + each.stringOr("module", "") + " ";
        }
        for (const char* name : { "numpy:numpy ", "pillow:PIL ", "python-dateutil:dateutil ",
                                  "pydantic:pydantic ", "openpyxl:openpyxl ", "tqdm:tqdm " })
            SG_VERIFY_CONTAINS(names, name);
        SG_VERIFY_CONTAINS(shell.run({ "image", "packages" }).out, "pydantic");
    }
};

SG_CORE_TEST(TestCliEveryday)
#include "tst_cli_everyday.moc"
