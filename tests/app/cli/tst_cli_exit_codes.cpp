// Every exit code that the guide names, with what --json says beside it.

#include "core/base/child_process.h"
#include "tests/app/cli/command_line.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <QTest>

#include <csignal>
#include <map>
#include <set>

using namespace sg;
using Words = std::vector<std::string>;
using test::Answer;
using test::CommandLine;

namespace {

const std::string kOne = R"({"value": 1})";

Words withJson(Words words)
{
    words.insert(words.begin(), "--json");
    return words;
}

// "| 1 | `failed` | disk, … |" → 1: "failed"; of the guide.
std::map<int, std::string> documentedCodes()
{
    std::map<int, std::string> codes;
    const std::string text = *readFile(SG_SOURCE_DIR "/resources/guide/command-line.md", 1U << 20U);
    for (std::size_t at = text.find("| exit code |"); at != std::string::npos;) {
        at = text.find('\n', at) + 1;
        if (text[at] != '|')
            break;
        const std::size_t name = text.find('`', at);
        const std::size_t end = text.find('\n', at);
        if (name < end)
            codes[std::stoi(text.substr(at + 2))] =
                text.substr(name + 1, text.find('`', name + 1) - name - 1);
    }
    return codes;
}

} // namespace

class TestCliExitCodes : public QObject {
    Q_OBJECT

private:
    // Plain and with --json: the same code, which the document names where it is an error of the command.
    void ends(const CommandLine& shell, const Words& words, int code)
    {
        const Answer plain = shell.run(words, {}, std::chrono::seconds(120));
        QVERIFY2(plain.exit == code, plain.whole().c_str());
        QVERIFY2(code == 0 || code == 5 || !plain.err.empty(), plain.whole().c_str());
        const Answer json = shell.run(withJson(words), {}, std::chrono::seconds(120));
        QVERIFY2(json.exit == code, json.whole().c_str());
        const Value document = json.json();
        QVERIFY2(document.isMap() || document.isList(), json.whole().c_str());
        const Value error = document["error"];
        if (!document["run_id"].isNull() || !document["session_id"].isNull())
            QCOMPARE(error.isNull(), code == 0 || code == 5); // what the node or cell said
        else if (code != 0 && document["problems"].isNull()) {
            QCOMPARE(test::keysOf(error), std::string("code message"));
            QCOMPARE(error.stringOr("code", ""), documentedCodes()[code]);
        }
        m_seen.insert(code);
    }

    std::set<int> m_seen;

private Q_SLOTS:
    void initTestCase() { QCOMPARE(documentedCodes().size(), std::size_t(9)); }

    void doneFailedAndWrongUse()
    {
        const CommandLine shell("counter");
        const std::string graph = "counter.graph.json";
        ends(shell, { "run", graph, "--thread", "a", "--input", kOne }, 0);
        ends(shell, { "threads" }, 0);
        shell.write("damaged.sqlite", "SQLite format 3" + std::string(1, '\0') + std::string(4096, 'x'));
        ends(shell, { "threads", "--db", "damaged.sqlite" }, 1);
        ends(shell, { "threads", "--bogus" }, 2);
        ends(shell, { "run", graph, "--thread", "a", "--input", "{" }, 2);
        ends(shell, { "state", "--thread", "nobody" }, 2);
        ends(shell, { "export", graph, "--python" }, 2);
        ends(shell, { "resume", graph, "--thread", "a", "--answer", "1" }, 2);
    }

    // It runs here and nowhere else: nothing is broken, it is asked of the wrong graph.
    void anExportThatCannotBeIsWrongUse()
    {
        const CommandLine shell;
        shell.take("python");
        shell.write("nodes/work.py",
                    "from sandglass import select_dataset\ndef node(state):\n    return {'value': 1}\n");
        ends(shell, { "export", "python.graph.json", "--python", "-o", "out" }, 2);
    }

    void graphsAndNodes()
    {
        const CommandLine shell;
        for (const char* name : { "bad", "failing", "endless", "asking" })
            shell.take(name);
        ends(shell, { "run", "bad.graph.json", "--thread", "b" }, 3);
        ends(shell, { "validate", "bad.graph.json" }, 3);
        ends(shell, { "run", "failing.graph.json", "--thread", "f", "--input", kOne }, 4);
        ends(shell, { "run", "endless.graph.json", "--thread", "e", "--recursion-limit", "3" }, 4);
        ends(shell, { "run", "asking.graph.json", "--thread", "w", "--input", kOne }, 5);
    }

    void noSandbox()
    {
        CommandLine shell;
        shell.take("python");
        shell.write("nodes/work.py", "def node(state):\n    return {'value': 1}\n");
        shell.replaceEnvironment("DOCKER_HOST", "unix:///none/docker.sock");
        ends(shell, { "run", "python.graph.json", "--thread", "a", "--backend", "docker" }, 6);
        ends(shell, { "session", "exec", "--thread", "a", "--backend", "docker", "1" }, 6);
    }

    void busyAndStopped()
    {
        const CommandLine shell;
        shell.take("slow");
        for (const bool isJson : { false, true }) {
            const std::string thread = isJson ? "j" : "t";
            const Words words{ "run", "slow.graph.json", "--thread", thread, "--input", kOne };
            ProcessSpec spec = shell.spec(isJson ? withJson(words) : words);
            spec.pipeStdout = true;
            auto child = ChildProcess::start(spec);
            SG_VERIFY_OK(child);
            QVERIFY(test::waitFor([&] { // the first node is done, the second takes long
                return shell.run({ "state", "--thread", thread }).json()["next"] == Value::list({ "second" });
            }));
            if (!isJson)
                ends(shell, words, 7);
            child->kill(SIGINT);
            const auto end = child->wait(std::chrono::seconds(20));
            SG_VERIFY_OK(end);
            QCOMPARE(end->code, 130);
            m_seen.insert(130);
        }
    }

    void cleanupTestCase()
    {
        for (const auto& [code, name] : documentedCodes())
            QVERIFY2(m_seen.contains(code), ("no test ends with " + std::to_string(code)).c_str());
    }
};

SG_CORE_TEST(TestCliExitCodes)
#include "tst_cli_exit_codes.moc"
