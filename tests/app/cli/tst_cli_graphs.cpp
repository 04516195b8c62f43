// The real program runs all that a graph file can say: the examples, and cases that they do not show.

#include "core/base/child_process.h"
#include "core/base/file.h"
#include "tests/app/cli/command_line.h"
#include "tests/support/machine.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

using namespace sg;
using Words = std::vector<std::string>;
using test::Answer;
using test::CommandLine;

namespace {

class Example {
public:
    explicit Example(const std::string& name)
        : m_shell(name)
        , m_graph(name + ".graph.json")
    {
    }

    Answer run(const std::string& input = "{}", const std::string& thread = "a") const
    {
        return m_shell.run({ "--json", "run", m_graph, "--thread", thread, "--input", input });
    }
    Answer resume(const std::string& answer = {}, const std::string& thread = "a") const
    {
        Words words{ "--json", "resume", m_graph, "--thread", thread };
        if (!answer.empty())
            words.insert(words.end(), { "--answer", answer });
        return m_shell.run(words);
    }
    Value state(const std::string& thread = "a") const
    {
        return m_shell.run({ "state", "--thread", thread, "--graph", m_graph }).json();
    }
    // Nodes of each superstep, oldest first: "left right|join".
    std::string trace(const std::string& thread = "a") const
    {
        const Value steps = m_shell.run({ "--json", "explain", "--thread", thread }).json();
        std::string text;
        for (std::size_t i = 0; i < steps.asList().size(); ++i) {
            text += i > 0 ? "|" : "";
            const ValueList& tasks = steps[i]["tasks"].asList();
            for (std::size_t k = 0; k < tasks.size(); ++k)
                text += (k > 0 ? " " : "") + tasks[k].stringOr("node", "");
        }
        return text;
    }
    const CommandLine& shell() const { return m_shell; }
    const std::string& graph() const { return m_graph; }

private:
    CommandLine m_shell;
    std::string m_graph;
};

std::string contents(const Value& messages)
{
    std::string text;
    for (const Value& message : messages.asList())
        text += message.stringOr("type", "") + ":" + message.stringOr("content", "") + " ";
    return text;
}

} // namespace

class TestCliGraphs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPersonAnswersAndTheRunStopsOnceMore()
    {
        const Example example("approval");
        const Answer asked = example.run("{\"draft\": \"cats\"}");
        SG_EXIT(asked, 5);
        const Value question = asked.json()["interrupts"][0];
        QCOMPARE(question["node"], Value("ask"));
        QCOMPARE(question["value"]["draft"], Value("About cats"));
        const Answer answered = example.resume("\"yes\"");
        SG_EXIT(answered, 5);
        QCOMPARE(answered.json()["interrupts"], Value(ValueList())); // a stop, not a question
        QCOMPARE(example.state()["next"], Value::list({ "publish" }));
        const Answer done = example.resume();
        SG_EXIT(done, 0);
        QCOMPARE(done.json()["values"]["published"], Value("About cats"));
    }

    void sendsRunAtOnceAndADeferredNodeWaits()
    {
        const Example example("fan-out");
        const Answer answer = example.run("{\"words\": [\"one\", \"three\", \"four\"]}");
        SG_EXIT(answer, 0);
        QCOMPARE(answer.json()["values"]["total"], Value(12));
        QCOMPARE(example.trace(), std::string("__start__|split|count count count check|audit|sum"));
    }

    void failuresAreHandledAndResultsKept()
    {
        const Example example("recovery");
        QCOMPARE(example.run("{\"number\": 9}").json()["values"]["note"], Value("the root is 3"));
        const Answer bad = example.run("{\"number\": -9}", "bad");
        SG_EXIT(bad, 0);
        SG_VERIFY_CONTAINS(bad.json()["values"].stringOr("note", ""), "root failed: ");
        SG_VERIFY_CONTAINS(bad.err, "no root of -9; attempt 2");
    }

    void subgraphsKeepWhatTheySay()
    {
        const Example example("subgraphs");
        const Value first = example.run().json()["values"];
        QCOMPARE(first, Value::map({ { "fresh", 2 }, { "own", 2 }, { "none", 2 } }));
        const Value second = example.run().json()["values"];
        QCOMPARE(second, Value::map({ { "fresh", 2 }, { "own", 4 }, { "none", 2 } }));
        const Answer own = example.shell().run({ "--json", "history", "--thread", "a", "--ns", "onward" });
        SG_EXIT(own, 0);
        QCOMPARE(own.json().asList().size(), std::size_t(6));
        SG_EXIT(example.shell().run({ "history", "--thread", "a", "--ns", "unkept" }), 2);
    }

    void messagesAreStoredAsChanges()
    {
        const Example example("conversation");
        const Answer answer = example.run("{\"wanted\": 3, \"messages\": \"hello\"}");
        SG_EXIT(answer, 0);
        const std::string said = "human:hello ai:turn 1 ai:turn 2 ai:turn 3 ";
        QCOMPARE(contents(answer.json()["values"]["messages"]), said);
        const Value messages = example.state()["values"]["messages"];
        QCOMPARE(contents(messages), said);
        QCOMPARE(messages, answer.json()["values"]["messages"]); // also their ids, on every read
        QCOMPARE(example.state()["values"]["messages"], messages);
        const Answer bare =
            example.shell().run({ "state", "--thread", "a", "--db", example.shell().database().string() });
        QCOMPARE(bare.json()["values"]["messages"], messages); // also without the graph
        // A second run goes on with them, and a fork of the past holds what was there then.
        const Answer more = example.run("{\"wanted\": 4, \"messages\": \"more\"}");
        QCOMPARE(contents(more.json()["values"]["messages"]), said + "human:more ai:turn 4 ");
        const Value rows = example.shell().run({ "--json", "history", "--thread", "a" }).json();
        const std::string second = rows.asList().at(rows.asList().size() - 3).stringOr("checkpoint_id", "");
        const Answer fork =
            example.shell().run({ "--json", "fork", "--thread", "a", "--checkpoint", second });
        SG_EXIT(fork, 0);
        QCOMPARE(contents(example.state()["values"]["messages"]), std::string("human:hello ai:turn 1 "));
    }

    void langGraphGoesOnWithMessagesStoredAsChanges()
    {
        SG_NEED("langgraph");
        const char* python = std::getenv("SG_LANGGRAPH_PYTHON");
        const Example example("conversation");
        const Answer answer = example.run("{\"wanted\": 3, \"messages\": \"hello\"}");
        SG_EXIT(answer, 0);
        ProcessSpec spec;
        spec.program = python;
        spec.arguments = { SG_SOURCE_DIR "/tests/data/app/langgraph/conversation.py",
                           example.shell().database().string() };
        spec.environment = example.shell().environment;
        const Answer theirs = CommandLine::execute(spec);
        SG_EXIT(theirs, 0);
        const auto told = [](const Value& messages) {
            ValueList list;
            for (const Value& message : messages.asList())
                list.push_back(Value::list({ message["type"], message["content"], message["id"] }));
            return Value(std::move(list));
        };
        QCOMPARE(theirs.json()["before"], told(answer.json()["values"]["messages"]));
        QCOMPARE(theirs.json()["after"].asList().size(), std::size_t(6));
        QCOMPARE(told(example.state()["values"]["messages"]), theirs.json()["after"]);
        const Answer more = example.run("{\"wanted\": 1, \"messages\": \"again\"}");
        SG_EXIT(more, 0);
        SG_VERIFY_CONTAINS(contents(more.json()["values"]["messages"]),
                           "human:from LangGraph ai:turn 4 human:again ai:turn 5 ");
    }

    void aGrowingListGetsAHint()
    {
        const CommandLine shell;
        const std::string graph = "{\"state\": {\"log\": {\"reducer\": \"append\"}}, \"nodes\": [{\"name\": "
                                  "\"a\", \"jq\": \"{}\"}], "
                                  "\"edges\": [[\"__start__\", \"a\"], [\"a\", \"a\"]]}";
        shell.write("g.graph.json", graph);
        const Answer answer = shell.run({ "--json", "validate", "g.graph.json" });
        SG_EXIT(answer, 0);
        QCOMPARE(answer.json()["valid"], Value(true));
        QCOMPARE(answer.json()["problems"][0]["severity"], Value("hint"));
        QCOMPARE(answer.json()["problems"][0]["pointer"], Value("/state/log"));
        SG_VERIFY_CONTAINS(answer.err, "hint: node 'a' stands in a loop");
    }

    void theGraphsDurabilityCountsWhereTheRunChoosesNone()
    {
        const CommandLine shell("counter");
        std::string text = *readFile(shell.project() / "counter.graph.json");
        text.insert(text.find('{') + 1, "\"durability\": \"exit\",");
        shell.write("counter.graph.json", text);
        const auto checkpoints = [&](const std::string& thread) {
            return shell.run({ "--json", "history", "--thread", thread }).json().asList().size();
        };
        const Words words{ "run", "counter.graph.json", "--input", "{\"value\": 1}", "--thread" };
        Words plain = words;
        plain.emplace_back("a");
        SG_EXIT(shell.run(plain), 0);
        QCOMPARE(checkpoints("a"), std::size_t(1));
        Words chosen = words;
        chosen.insert(chosen.end(), { "b", "--durability", "sync" });
        SG_EXIT(shell.run(chosen), 0);
        QCOMPARE(checkpoints("b"), std::size_t(4));
    }

    // Each node sees and writes what it declares; `says` is part of the failure, "" where there is none.
    void slices_data()
    {
        QTest::addColumn<std::string>("node");
        QTest::addColumn<std::string>("says");
        const auto row = [](const char* name, const char* node, const char* says) {
            QTest::newRow(name) << std::string(node) << std::string(says);
        };
        row("no slices", "'jq': '{seen: (keys | join(\",\"))}'", "a,b,seen");
        row("reads one", "'jq': '{seen: (keys | join(\",\"))}', 'reads': ['b']", "b");
        row("reads nothing", "'jq': '{seen: (keys | join(\",\"))}', 'reads': []", "");
        row("writes what it declares", "'jq': '{seen: \"x\"}', 'writes': ['seen']", "x");
        row("writes another", "'jq': '{a: 2, seen: \"x\"}', 'writes': ['seen']",
            "!node 'n' may not write 'a': the channel is not in the node's \"writes\"");
        row("writes by a command", "'jq': '{__command__: {update: {b: 2}}}', 'writes': ['seen']",
            "!node 'n' may not write 'b'");
        row("writes nothing", "'jq': '{seen: \"x\"}', 'writes': []", "!node 'n' may not write 'seen'");
        row("writes no channel", "'jq': '{sen: \"x\"}', 'writes': ['seen']",
            "!node 'n' may not write 'sen': the state has no such channel");
        row("a handler has its node's slices",
            "'jq': 'error(\"x\")', 'writes': ['seen'], 'error_handler': {'jq': '{a: 2}'}",
            "!may not write 'a'");
        row("a subgraph too",
            "'graph': {'state': {'a': {}}, 'nodes': [{'name': 'i', 'jq': '{a: 3}'}], "
            "'edges': [['__start__', 'i']]}, 'writes': ['seen']",
            "!node 'n' may not write 'a'");
    }
    void slices()
    {
        QFETCH(std::string, node);
        QFETCH(std::string, says);
        const CommandLine shell;
        std::string graph =
            "{'state': {'a': {}, 'b': {}, 'seen': {'default': null}}, 'nodes': [{'name': 'n', " + node
            + "}], 'edges': [['__start__', 'n']]}";
        std::string quoted;
        bool inJq = false; // the programs' own double quotes are escaped
        for (const char c : graph) {
            inJq = c == '\'' ? !inJq : inJq;
            quoted += c == '\''    ? std::string("\"")
                : c == '"' && inJq ? std::string("\\\"")
                                   : std::string(1, c);
        }
        shell.write("g.graph.json", quoted);
        const Answer answer = shell.run({ "--json", "run", "g.graph.json", "--thread", "t", "--input",
                                          "{\"a\": 1, \"b\": 1, \"seen\": \"\"}" });
        if (says.starts_with('!')) {
            SG_EXIT(answer, 4);
            SG_VERIFY_CONTAINS(answer.json()["error"].stringOr("message", ""), says.substr(1));
        } else {
            SG_EXIT(answer, 0);
            QCOMPARE(answer.json()["values"]["seen"], Value(says));
        }
    }

    void aBranchSeesMoreThanItsNode()
    {
        const CommandLine shell;
        shell.write(
            "g.graph.json",
            "{\"state\": {\"a\": {}, \"b\": {}}, \"nodes\": [{\"name\": \"n\", \"jq\": \"{a: 2}\", "
            "\"reads\": "
            "[\"a\"]}, {\"name\": \"m\", \"jq\": \"{b: \\\"routed\\\"}\"}], \"edges\": [[\"__start__\", "
            "\"n\"]], \"branches\": [{\"from\": \"n\", \"jq\": \"if .b == 1 then \\\"m\\\" else "
            "\\\"__end__\\\" end\"}]}");
        const Answer answer = shell.run(
            { "--json", "run", "g.graph.json", "--thread", "t", "--input", "{\"a\": 1, \"b\": 1}" });
        SG_EXIT(answer, 0);
        QCOMPARE(answer.json()["values"]["b"], Value("routed"));
    }

    void validateFindsWrongSettings_data()
    {
        QTest::addColumn<std::string>("part");
        QTest::addColumn<std::string>("pointer");
        const auto row = [](const char* name, const char* part, const char* pointer) {
            QTest::newRow(name) << std::string(part) << std::string(pointer);
        };
        const char* state = "'state': {'x': {}, 'l': {'reducer': 'add', 'storage': 'delta'}}";
        row("storage of a sum", state, "/state/l/storage");
        row("unknown storage", "'state': {'l': {'reducer': 'append', 'storage': 'big'}}", "/state/l/storage");
        row("durability", "'durability': 'never'", "/durability");
        row("ttl", "'store': {'ttl': 0}", "/store/ttl");
        row("tenant", "'store': {'tenant': 'a.b'}", "/store/tenant");
        row("reads", "'nodes': [{'name': 'n', 'jq': '.', 'reads': ['y']}]", "/nodes/0/reads/0");
        row("writes", "'nodes': [{'name': 'n', 'jq': '.', 'writes': ['y']}]", "/nodes/0/writes/0");
        row("channel of a person", "'nodes': [{'name': 'n', 'kind': 'human', 'channel': 'y'}]",
            "/nodes/0/channel");
    }
    void validateFindsWrongSettings()
    {
        QFETCH(std::string, part);
        QFETCH(std::string, pointer);
        const CommandLine shell;
        std::string graph = "{" + part;
        if (part.find("'nodes'") == std::string::npos)
            graph += ", 'nodes': [{'name': 'n', 'jq': '.'}]";
        graph += ", 'edges': [['__start__', 'n']]}";
        std::replace(graph.begin(), graph.end(), '\'', '"');
        shell.write("g.graph.json", graph);
        const Answer answer = shell.run({ "--json", "validate", "g.graph.json" });
        SG_EXIT(answer, 3);
        QCOMPARE(answer.json()["problems"][0]["pointer"], Value(pointer));
        SG_EXIT(shell.run({ "run", "g.graph.json", "--thread", "a" }), 3);
    }

    // Against another file, against git, and against what an old run was started on.
    void versionsOfAGraphAreCompared()
    {
        const Example example("counter");
        SG_EXIT(example.run("{\"value\": 1}"), 0);
        const auto path = example.shell().project() / example.graph();
        const auto before = readFile(path);
        QVERIFY(before);
        const auto git = [&](const std::vector<std::string>& words) {
            ProcessSpec spec;
            spec.program = "git";
            spec.arguments = { "-C", example.shell().project().string(),
                               "-c", "user.name=a",
                               "-c", "user.email=a@b" };
            spec.arguments.insert(spec.arguments.end(), words.begin(), words.end());
            spec.environment = { "PATH=" + std::string(std::getenv("PATH")),
                                 "HOME=" + example.shell().project().string() };
            const auto done = runProcess(spec, {}, std::chrono::seconds(20));
            return done && done->exit.code == 0;
        };
        const bool hasCommit = git({ "init", "-q" }) && git({ "add", example.graph() })
            && git({ "commit", "-q", "-m", "first" });
        std::string changed = *before;
        const std::size_t at = changed.find("\"nodes\": [");
        QVERIFY(at != std::string::npos);
        changed.insert(at + 10, "\n    { \"name\": \"more\", \"jq\": \".\" },");
        example.shell().write(example.graph(), changed);
        example.shell().write("old.graph.json", *before);

        const Answer files = example.shell().run({ "graph", "diff", "old.graph.json", example.graph() });
        SG_EXIT(files, 0);
        QCOMPARE(files.out, std::string("+ node more\n"));
        const Answer back =
            example.shell().run({ "--json", "graph", "diff", example.graph(), "old.graph.json" });
        SG_EXIT(back, 0);
        QCOMPARE(back.json()[0]["change"], Value("removed"));
        QCOMPARE(back.json()[0]["name"], Value("more"));

        const Value runs = example.shell().run({ "--json", "history", "--runs", "--thread", "a" }).json();
        const Answer run = example.shell().run(
            { "graph", "diff", example.graph(), "--run", runs[0].stringOr("run_id", "") });
        SG_EXIT(run, 0);
        QCOMPARE(run.out, std::string("+ node more\n"));
        SG_EXIT(example.shell().run({ "graph", "diff", example.graph(), "--run", "none" }), 2);
        SG_EXIT(example.shell().run({ "graph", "diff", example.graph(), "--rev", "--help" }), 2);
        SG_NEED("git");
        QVERIFY(hasCommit);
        const Answer head = example.shell().run({ "graph", "diff", example.graph() });
        SG_EXIT(head, 0);
        QCOMPARE(head.out, std::string("+ node more\n"));
        SG_EXIT(example.shell().run({ "graph", "diff", example.graph(), "--rev", "nowhere" }), 2);
    }

    void aBreakpointHoldsWhereItsConditionSays()
    {
        const CommandLine shell;
        shell.write(
            "c.graph.json",
            "{\"state\": {\"n\": {\"type\": \"reduce\", \"reducer\": \"add\"}},\n"
            " \"nodes\": [{\"name\": \"up\", \"jq\": \"{n: 1}\"}], \"edges\": [[\"__start__\", \"up\"]],\n"
            " \"branches\": [{\"from\": \"up\", \"jq\": \"if .n < 5 then \\\"up\\\" else \\\"__end__\\\" "
            "end\"}],\n"
            " \"interrupt_before\": [\"up\"], \"interrupt_if\": {\"before\": {\"up\": \".n == 3\"}}}");
        const Answer paused = shell.run({ "--json", "run", "c.graph.json", "--thread", "a" });
        SG_EXIT(paused, 5);
        QCOMPARE(paused.json()["values"]["n"], Value(3));
        const Answer done = shell.run({ "--json", "resume", "c.graph.json", "--thread", "a" });
        SG_EXIT(done, 0);
        QCOMPARE(done.json()["values"]["n"], Value(5));
        shell.write("bad.graph.json",
                    "{\"nodes\": [{\"name\": \"up\", \"jq\": \".\"}], \"edges\": [[\"__start__\", \"up\"]],\n"
                    " \"interrupt_before\": [\"up\"], \"interrupt_if\": {\"before\": {\"up\": \".n ==\"}}}");
        const Answer bad = shell.run({ "validate", "bad.graph.json" });
        SG_EXIT(bad, 3);
        QVERIFY2(bad.whole().find("/interrupt_if/before/up") != std::string::npos, bad.whole().c_str());
    }
};

SG_TEST(TestCliGraphs)
#include "tst_cli_graphs.moc"
