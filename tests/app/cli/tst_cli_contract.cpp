// What the command line prints and ends with: other programs read it.

#include "tests/app/cli/command_line.h"

#include <algorithm>
#include <set>
#include <thread>

using namespace sg;
using Words = std::vector<std::string>;
using test::Answer;
using test::CommandLine;
using test::keysOf;
using test::shapeOf;

namespace {

const std::string kGraph = "counter.graph.json";
const std::string kOne = R"({"value": 1})";

Answer count(const CommandLine& shell, const std::string& thread)
{
    return shell.run({ "--json", "run", kGraph, "--thread", thread, "--input", kOne });
}

// Another program's, with a table that is called like LangGraph's.
void makeForeignDatabase(const std::filesystem::path& file)
{
    ProcessSpec spec;
    spec.program = "/usr/bin/python3";
    spec.arguments = { "-c",
                       "import sqlite3, sys\nc = sqlite3.connect(sys.argv[1])\n"
                       "c.execute('CREATE TABLE checkpoints (id INTEGER, score REAL)')\nc.commit()",
                       file.string() };
    QCOMPARE(CommandLine::execute(spec).exit, 0);
}

} // namespace

class TestCliContract : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void threadsDoNotSeeEachOther()
    {
        const CommandLine shell("counter");
        for (const std::string thread : { "alice", "bob" }) {
            const Answer answer = count(shell, thread);
            SG_EXIT(answer, 0);
            QCOMPARE(answer.json()["values"], Value::map({ { "value", 4 } }));
            QCOMPARE(answer.json()["supersteps"], Value(2)); // that of the input is none
        }
        const Answer more =
            shell.run({ "--json", "run", kGraph, "--thread", "alice", "--input", R"({"value": 10})" });
        QCOMPARE(more.json()["values"]["value"], Value(22));
        QCOMPARE(shell.run({ "state", "--thread", "bob" }).json()["values"]["value"], Value(4));
        QCOMPARE(shell.run({ "--json", "history", "--thread", "bob" }).json().asList().size(),
                 std::size_t(4));
        QCOMPARE(shell.run({ "--json", "history", "--thread", "alice" }).json().asList().size(),
                 std::size_t(8));
    }

    void threadsRunAtTheSameTime()
    {
        const CommandLine shell("counter");
        std::vector<Answer> answers(6);
        std::vector<std::jthread> runs;
        for (std::size_t i = 0; i < answers.size(); ++i)
            runs.emplace_back([&, i] { answers[i] = count(shell, "t" + std::to_string(i)); });
        runs.clear();
        for (const Answer& answer : answers) {
            SG_EXIT(answer, 0);
            QCOMPARE(answer.json()["values"]["value"], Value(4));
        }
        QCOMPARE(shell.run({ "--json", "threads" }).json().asList().size(), answers.size());
    }

    void runPrintsItsEnd()
    {
        const CommandLine shell("counter");
        const Answer answer = count(shell, "a");
        SG_EXIT(answer, 0);
        QCOMPARE(
            shapeOf(answer.json()),
            std::string("run_id:string thread_id:string status:string supersteps:int checkpoint_id:string "
                        "values:map interrupts:list artifacts:list error:null"));
        QCOMPARE(answer.json()["status"], Value("done"));
        QCOMPARE(answer.err, std::string());
    }

    void statePrintsLangGraphsSnapshot()
    {
        const CommandLine shell("counter");
        const std::string head = count(shell, "a").json().stringOr("checkpoint_id", "");
        const Answer answer = shell.run({ "state", "--thread", "a" });
        SG_EXIT(answer, 0);
        const Value state = answer.json();
        QCOMPARE(shapeOf(state),
                 std::string("values:map next:list config:map metadata:map tasks:list interrupts:list"));
        const Value address{ ValueMap{
            { "thread_id", "a" }, { "checkpoint_ns", "" }, { "checkpoint_id", head } } };
        QCOMPARE(state["config"], Value::map({ { "configurable", address } }));
        QCOMPARE(state["metadata"]["source"], Value("loop"));
        QCOMPARE(state["metadata"]["step"], Value(2));
        QCOMPARE(shell.run({ "--json", "state", "--thread", "a" }).out, answer.out);
    }

    void historyIsNewestFirstAndLinked()
    {
        const CommandLine shell("counter");
        count(shell, "a");
        const Answer answer = shell.run({ "--json", "history", "--thread", "a" });
        SG_EXIT(answer, 0);
        const Value history = answer.json();
        QCOMPARE(history.asList().size(), std::size_t(4));
        const std::array<const char*, 4> next{ "[]", R"(["doubler"])", R"(["incrementer"])",
                                               R"(["__start__"])" };
        for (std::size_t i = 0; i < 4; ++i) {
            const Value& row = history[i];
            QCOMPARE(
                keysOf(row),
                std::string("checkpoint_id parent_checkpoint_id checkpoint_ns step source next created_at"));
            QCOMPARE(row["step"], Value(2 - static_cast<int>(i)));
            QCOMPARE(row["source"], Value(i == 3 ? "input" : "loop"));
            QCOMPARE(row["checkpoint_ns"], Value(""));
            QCOMPARE(toJson(row["next"]), std::string(next.at(i)));
            QCOMPARE(row["parent_checkpoint_id"], i == 3 ? Value() : history[i + 1]["checkpoint_id"]);
        }
        QCOMPARE(shell.run({ "--json", "history", "--thread", "a", "--limit", "2" }).json().asList().size(),
                 std::size_t(2));
    }

    void threadsAreListedNewestFirst()
    {
        const CommandLine shell("counter");
        count(shell, "old");
        count(shell, "new");
        const Answer answer = shell.run({ "--json", "threads" });
        SG_EXIT(answer, 0);
        QCOMPARE(shapeOf(answer.json()[0]),
                 std::string("thread_id:string checkpoints:int updated_at:string status:string"));
        QCOMPARE(answer.json()[0]["thread_id"], Value("new"));
        QCOMPARE(answer.json()[1]["thread_id"], Value("old"));
        QCOMPARE(answer.json()[1]["checkpoints"], Value(4));
        QCOMPARE(answer.json()[1]["status"], Value("done"));
    }

    void streams_data()
    {
        QTest::addColumn<std::string>("mode");
        QTest::addColumn<std::string>("chunks");
        QTest::newRow("updates") << std::string("updates")
                                 << std::string(R"({"incrementer":{"value":2}} {"doubler":{"value":4}})");
        QTest::newRow("values") << std::string("values")
                                << std::string(R"({"value":1} {"value":2} {"value":4})");
    }
    void streams()
    {
        QFETCH(std::string, mode);
        QFETCH(std::string, chunks);
        const CommandLine shell("counter");
        const Answer answer =
            shell.run({ "--json", "run", kGraph, "--thread", "a", "--input", kOne, "--stream", mode });
        SG_EXIT(answer, 0);
        std::string got;
        const ValueList lines = answer.jsonLines();
        for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
            QCOMPARE(shapeOf(lines[i]), std::string("type:string ns:string data:map"));
            QCOMPARE(lines[i]["type"], Value(mode));
            got += (got.empty() ? "" : " ") + toJson(lines[i]["data"]);
        }
        QCOMPARE(got, chunks);
        QCOMPARE(keysOf(lines.back()), std::string("type data"));
        QCOMPARE(lines.back()["type"], Value("result"));
        QCOMPARE(lines.back()["data"]["values"]["value"], Value(4));
    }

    void inputIsReadFrom_data()
    {
        QTest::addColumn<std::string>("input");
        QTest::newRow("file") << std::string("@input.json");
        QTest::newRow("stdin") << std::string("@-");
        QTest::newRow("argument") << kOne;
    }
    void inputIsReadFrom()
    {
        QFETCH(std::string, input);
        const CommandLine shell("counter");
        shell.write("input.json", kOne);
        const Answer answer = shell.run({ "--json", "run", kGraph, "--thread", "a", "--input", input }, kOne);
        SG_EXIT(answer, 0);
        QCOMPARE(answer.json()["values"]["value"], Value(4));
    }

    // Every refusal: the code, what the message names, and the same as JSON.
    void refuses_data()
    {
        QTest::addColumn<Words>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<std::string>("says");
        const std::string graph = kGraph;
        const auto row = [](const char* name, const Words& arguments, int code, const char* says) {
            QTest::newRow(name) << arguments << code << std::string(says);
        };
        row("no verb", {}, 2, "sandglass --help");
        row("unknown verb", { "jump" }, 2, "jump");
        row("unknown option", { "threads", "--bogus" }, 2, "--bogus");
        row("no thread", { "run", graph }, 2, "--thread");
        row("empty thread", { "run", graph, "--thread", "" }, 2, "--thread");
        row("control character", { "run", graph, "--thread", "a\nb" }, 2, "control characters");
        row("escape", { "run", graph, "--thread", "a\x1b[2J" }, 2, "control characters");
        row("long thread", { "run", graph, "--thread", std::string(257, 'x') }, 2, "256 bytes");
        row("no such graph", { "run", "none.graph.json", "--thread", "a" }, 2, "none.graph.json");
        row("folder without graph", { "run", "empty", "--thread", "a" }, 2, "*.graph.json");
        row("input not JSON", { "run", graph, "--thread", "a", "--input", "{\"value\": }" }, 2, "column 11");
        row("input no object", { "run", graph, "--thread", "a", "--input", "5" }, 2, "--input");
        row("input file missing", { "run", graph, "--thread", "a", "--input", "@none.json" }, 2, "none.json");
        row("unknown backend", { "run", graph, "--thread", "a", "--backend", "wasm" }, 2, "bubblewrap");
        row("unknown stream", { "run", graph, "--thread", "a", "--stream", "all" }, 2, "updates");
        row("state of unknown thread", { "state", "--thread", "nobody" }, 2, "nobody");
        row("history of unknown thread", { "history", "--thread", "nobody" }, 2, "sandglass threads");
        row("resume of unknown thread", { "resume", graph, "--thread", "nobody" }, 2, "nobody");
        row("unknown checkpoint", { "state", "--thread", "a", "--checkpoint", "nope" }, 2, "nope");
        row("no such database", { "threads", "--db", "none.sqlite" }, 2, "none.sqlite");
        row("database is a folder", { "threads", "--db", "." }, 2, "folder");
        row("no project", { "threads", "--project", "/" }, 2, "/");
        row("unknown artifact", { "artifacts", "export", "art_0" }, 2, "art_0");
        row("unknown session", { "session", "stop", "s-0" }, 2, "s-0");
        row("not JSON graph", { "validate", "broken.graph.json" }, 3, "broken.graph.json:1:1");
        row("run of no JSON", { "run", "broken.graph.json", "--thread", "a" }, 3, "broken.graph.json:1:1");
        row("empty input", { "run", graph, "--thread", "a", "--input", "" }, 2, "--input is not JSON");
        row("unknown channel", { "run", graph, "--thread", "a", "--input", R"({"valu": 1})" }, 2,
            "did you mean 'value'?");
        row("long integer",
            { "run", graph, "--thread", "a", "--input", R"({"value": 18446744073709551616})" }, 2,
            "more than 64 bits");
        row("thread not UTF-8", { "run", graph, "--thread", "a\xff" }, 2, "UTF-8");
        row("limit 0", { "history", "--thread", "a", "--limit", "0" }, 2, "a whole number from 1 on");
        row("recursion limit 0", { "run", graph, "--thread", "a", "--recursion-limit", "0" }, 2,
            "a whole number from 1 on");
        row("resume without a database", { "resume", graph, "--thread", "a", "--db", "none.sqlite" }, 2,
            "there is no database none.sqlite");
        row("foreign database", { "threads", "--db", "foreign.sqlite" }, 2, "another program's");
        row("run on a foreign database", { "run", graph, "--thread", "a", "--db", "foreign.sqlite" }, 2,
            "another program's");
        row("broken graph", { "run", "wrong.graph.json", "--thread", "a" }, 3, "/edges/0/1");
        row("resume of a broken graph", { "resume", "wrong.graph.json", "--thread", "a" }, 3, "/edges/0/1");
        row("dot of a broken graph", { "graph", "--dot", "wrong.graph.json" }, 3, "wrong.graph.json");
        row("failing node", { "run", "failing.graph.json", "--thread", "f", "--input", "{\"value\": 1}" }, 4,
            "too small");
        row("recursion limit", { "run", "endless.graph.json", "--thread", "e", "--recursion-limit", "7" }, 4,
            "7");
    }
    void refuses()
    {
        QFETCH(Words, arguments);
        QFETCH(int, code);
        QFETCH(std::string, says);
        static const CommandLine shell("counter");
        static const int prepared = [] {
            shell.take("failing");
            shell.take("endless");
            shell.write("broken.graph.json", "{\"nodes\": [");
            shell.write(
                "wrong.graph.json",
                R"({"nodes":[{"name":"a","kind":"jq","jq":"."}],"edges":[["__start__","b"],["a","__end__"]]})");
            std::filesystem::create_directories(shell.project() / "empty");
            makeForeignDatabase(shell.project() / "foreign.sqlite");
            return count(shell, "a").exit;
        }();
        QCOMPARE(prepared, 0);
        const Answer plain = shell.run(arguments);
        SG_EXIT(plain, code);
        SG_VERIFY_CONTAINS(plain.err, says);
        QVERIFY2(plain.err.find('\x1b') == std::string::npos, "raw escape on the terminal");
        Words words = arguments;
        words.insert(words.begin(), "--json");
        const Answer json = shell.run(words);
        SG_EXIT(json, code);
        QVERIFY2(json.json().isMap(), json.whole().c_str());
        if (json.json()["error"].isMap() && keysOf(json.json()).find("run_id") == std::string::npos)
            QCOMPARE(keysOf(json.json()["error"]), std::string("code message"));
    }

    void everyProblemOfAGraphIsNamed()
    {
        const CommandLine shell;
        shell.take("bad");
        const Answer answer = shell.run({ "--json", "validate", "bad.graph.json" });
        SG_EXIT(answer, 3);
        QCOMPARE(answer.json()["valid"], Value(false));
        std::string found;
        const Value document = answer.json();
        for (const Value& problem : document["problems"].asList()) {
            QCOMPARE(
                shapeOf(problem),
                std::string("severity:string code:string message:string pointer:string line:int column:int"));
            found += std::to_string(problem.intOr("line", 0)) + " " + problem.stringOr("pointer", "") + "\n";
            SG_VERIFY_CONTAINS(answer.err,
                               "bad.graph.json:" + std::to_string(problem.intOr("line", 0)) + ":");
        }
        for (const char* place :
             { "2 /state/x/reducer", "4 /nodes/0/jq", "5 /nodes/1/file", "6 /nodes/2/kind", "8 /edges/1/1" })
            SG_VERIFY_CONTAINS(found, place);
        SG_EXIT(shell.run({ "validate", "bad.graph.json" }), 3);
    }

    void aGraphThatCannotRunWholeDoesNotBegin()
    {
        const CommandLine shell;
        shell.take("late"); // its second node does not compile
        const Answer answer =
            shell.run({ "--json", "run", "late.graph.json", "--thread", "a", "--input", kOne });
        SG_EXIT(answer, 3);
        QCOMPARE(answer.json()["problems"][0].stringOr("pointer", ""), std::string("/nodes/1/jq"));
        QCOMPARE(shell.run({ "--json", "threads" }).json(), Value(ValueList()));
    }

    void whatRunRefusesIsNotValid()
    {
        const CommandLine shell;
        shell.take("network");
        const Value document = shell.run({ "--json", "validate", "network.graph.json" }).json();
        QCOMPARE(document["problems"][0].stringOr("code", ""), std::string("not-offered"));
        QCOMPARE(document["problems"][0].intOr("line", 0), std::int64_t(4));
        SG_EXIT(shell.run({ "run", "network.graph.json", "--thread", "a" }), 3);
    }

    void oneOfSeveralGraphsMustBeNamed()
    {
        const CommandLine shell;
        shell.take("asking");
        shell.take("failing");
        for (const char* verb : { "validate", "run" }) {
            std::vector<std::string> words{ "--json", verb, "." };
            if (words[1] == "run")
                words.insert(words.end(), { "--thread", "a" });
            const Answer answer = shell.run(words);
            SG_EXIT(answer, 2);
            SG_VERIFY_CONTAINS(answer.err, "asking.graph.json, failing.graph.json");
        }
    }

    void aRightGraphIsValid_data()
    {
        QTest::addColumn<std::string>("example");
        for (const char* name : { "approval", "conversation", "counter", "fan-out", "penguins", "recovery",
                                  "retry", "subgraphs" })
            QTest::newRow(name) << std::string(name);
    }
    void aRightGraphIsValid()
    {
        QFETCH(std::string, example);
        const CommandLine shell(example);
        const Answer answer = shell.run({ "--json", "validate", "." });
        SG_EXIT(answer, 0);
        QCOMPARE(answer.json(), Value::map({ { "valid", true }, { "problems", ValueList() } }));
        const Answer dot = shell.run({ "graph", ".", "--dot" });
        SG_EXIT(dot, 0);
        if (!std::filesystem::exists("/usr/bin/dot"))
            QSKIP("dot (graphviz) is not installed");
        ProcessSpec drawing;
        drawing.program = "/usr/bin/dot";
        drawing.arguments = { "-Tplain" };
        const Answer drawn = CommandLine::execute(drawing, dot.out);
        SG_EXIT(drawn, 0);
        SG_VERIFY_CONTAINS(drawn.out, "graph ");
        SG_VERIFY_CONTAINS(drawn.out, "edge ");
    }

    void theFormSandglassWritesIsTheExamplesOwn()
    {
        const CommandLine shell("counter");
        const Answer text = shell.run({ "graph", kGraph });
        SG_EXIT(text, 0);
        QVERIFY(parseJson(text.out));
        shell.write("again.graph.json", text.out);
        QCOMPARE(shell.run({ "graph", "again.graph.json" }).out, text.out);
    }

    void stateIsTheSameWithAndWithoutTheGraph_data()
    {
        QTest::addColumn<std::string>("kind");
        for (const char* kind : { "counter", "failing", "asking", "endless" })
            QTest::newRow(kind) << std::string(kind);
    }
    void stateIsTheSameWithAndWithoutTheGraph()
    {
        QFETCH(std::string, kind);
        const CommandLine shell("counter");
        const std::string graph = kind + ".graph.json";
        if (kind != "counter")
            shell.take(kind);
        shell.run({ "run", graph, "--thread", "a", "--input", kind == "endless" ? "{}" : kOne,
                    "--recursion-limit", "4" });
        const std::string file = shell.database().string();
        const Answer bare = shell.run({ "state", "--thread", "a", "--db", file });
        const Answer exact = shell.run({ "state", "--thread", "a", "--graph", graph });
        // The folder holds counter.graph.json too: the thread's own graph is taken.
        QCOMPARE(shell.run({ "state", "--thread", "a" }).json(), exact.json());
        SG_EXIT(bare, 0);
        SG_EXIT(exact, 0);
        if (kind == "endless") // the next task has not begun: its id needs the graph
            QCOMPARE(bare.json()["next"], exact.json()["next"]);
        else
            QCOMPARE(bare.json(), exact.json());
        QCOMPARE(exact.json()["next"].asList().empty(), kind == "counter");
    }

    void anAnswerGoesOn()
    {
        const CommandLine shell;
        shell.take("asking");
        const Answer asked = shell.run({ "--json", "run", "asking.graph.json", "--thread", "a" });
        SG_EXIT(asked, 5);
        QCOMPARE(asked.json()["status"], Value("interrupted"));
        QCOMPARE(shapeOf(asked.json()["interrupts"][0]).substr(0, 22), std::string("id:string node:string "));
        QCOMPARE(shell.run({ "--json", "threads" }).json()[0]["status"], Value("interrupted"));
        const Answer answered = shell.run(
            { "--json", "resume", "asking.graph.json", "--thread", "a", "--answer", R"({"answer": "yes"})" });
        SG_EXIT(answered, 0);
        QCOMPARE(answered.json()["values"]["answer"], Value("yes"));
    }

    // What run ends with and what threads says later are one word; the text names the next step.
    void theEndIsKept_data()
    {
        QTest::addColumn<std::string>("kind");
        QTest::addColumn<int>("code");
        QTest::addColumn<std::string>("status");
        QTest::addColumn<std::string>("says");
        const auto row = [](const char* kind, int code, const char* status, const char* says) {
            QTest::newRow(kind) << std::string(kind) << code << std::string(status) << std::string(says);
        };
        row("paused", 5, "interrupted", "sandglass resume paused.graph.json");
        row("endless", 4, "recursion_limit", "--recursion-limit");
        row("clash", 4, "failed", "Give it a \"reducer\"");
        row("astray", 4, "failed", "the branch from '__start__' went to 'nope'");
        row("two_questions", 5, "interrupted", "answer one or all by id");
    }
    void theEndIsKept()
    {
        QFETCH(std::string, kind);
        QFETCH(int, code);
        QFETCH(std::string, status);
        QFETCH(std::string, says);
        const CommandLine shell;
        shell.take(kind);
        const std::string graph = kind + ".graph.json";
        Words words{ "run", graph, "--thread", "a" };
        if (kind == "endless")
            words.insert(words.end(), { "--recursion-limit", "5" });
        const Answer told = shell.run(words);
        SG_EXIT(told, code);
        SG_VERIFY_CONTAINS(told.out + told.err, says);
        QVERIFY2((told.out + told.err).find("docs.langchain") == std::string::npos, told.whole().c_str());
        QVERIFY2((told.out + told.err).find("config key") == std::string::npos, told.whole().c_str());
        QCOMPARE(shell.run({ "--json", "threads" }).json()[0]["status"], Value(status));
        words.insert(words.begin(), "--json");
        words.back() = words.back() == "a" ? "b" : words.back();
        const Answer json = shell.run(words);
        QCOMPARE(json.json()["status"], Value(status));
        QVERIFY(json.json()["values"].isMap()); // also where nothing was stored yet
        if (kind == "clash") // what the fold had begun is not stored
            QVERIFY(json.json()["values"]["log"] == Value()
                    || json.json()["values"]["log"] == Value(ValueList()));
    }

    void manyQuestionsAreAnsweredById()
    {
        const CommandLine shell;
        shell.take("two_questions");
        const std::string graph = "two_questions.graph.json";
        const Answer asked = shell.run({ "--json", "run", graph, "--thread", "a" });
        SG_EXIT(asked, 5);
        const Value interrupts = asked.json()["interrupts"];
        QCOMPARE(interrupts.asList().size(), std::size_t(2));
        const Answer told = shell.run({ "run", graph, "--thread", "told" });
        SG_VERIFY_CONTAINS(told.out, interrupts[0]["value"].asString());
        const Answer unclear = shell.run({ "--json", "resume", graph, "--thread", "a", "--answer", "5" });
        SG_EXIT(unclear, 4);
        SG_VERIFY_CONTAINS(unclear.json()["error"].stringOr("message", ""), "by id");
        ValueMap answers;
        for (const Value& interrupt : interrupts.asList())
            answers.set(interrupt.stringOr("id", ""),
                        interrupt["value"] == Value("how old?") ? Value(7) : Value("Bo"));
        const Answer answered = shell.run(
            { "--json", "resume", graph, "--thread", "a", "--answer", toJson(Value(std::move(answers))) });
        SG_EXIT(answered, 0);
        QCOMPARE(answered.json()["values"], Value::map({ { "age", 7 }, { "name", "Bo" } }));
    }

    void aNewInputSaysWhatItDrops()
    {
        const CommandLine shell;
        shell.take("paused");
        SG_EXIT(shell.run({ "run", "paused.graph.json", "--thread", "a" }), 5);
        const Answer again = shell.run({ "--json", "run", "paused.graph.json", "--thread", "a" });
        SG_VERIFY_CONTAINS(again.err, "next: second");
        SG_VERIFY_CONTAINS(again.err, "sandglass resume paused.graph.json --thread=a");
        SG_EXIT(shell.run({ "resume", "paused.graph.json", "--thread", "a" }), 0);
        const Answer after = shell.run({ "--json", "run", "paused.graph.json", "--thread", "a" });
        QCOMPARE(after.err, std::string());
    }

    void resumeMakesNoDatabase()
    {
        const CommandLine shell("counter");
        SG_EXIT(shell.run({ "resume", kGraph, "--thread", "a", "--db", "none.sqlite" }), 2);
        QVERIFY(!std::filesystem::exists(shell.project() / "none.sqlite"));
    }

    void goesOnAfterAFailure()
    {
        const CommandLine shell;
        shell.take("failing");
        const Answer failed =
            shell.run({ "--json", "run", "failing.graph.json", "--thread", "a", "--input", kOne });
        SG_EXIT(failed, 4);
        QCOMPARE(keysOf(failed.json()["error"]), std::string("node type message traceback"));
        QCOMPARE(failed.json()["error"]["node"], Value("second"));
        QCOMPARE(shell.run({ "--json", "threads" }).json()[0]["status"], Value("failed"));
        const Answer told = shell.run({ "run", "failing.graph.json", "--thread", "told", "--input", kOne });
        SG_VERIFY_CONTAINS(told.err, "sandglass resume"); // the next step
        std::string repaired = *readFile(shell.project() / "failing.graph.json");
        repaired.replace(repaired.find("< 10"), 4, "< 1");
        shell.write("failing.graph.json", repaired);
        const Answer resumed = shell.run({ "--json", "resume", "failing.graph.json", "--thread", "a" });
        SG_EXIT(resumed, 0);
        QCOMPARE(resumed.json()["values"]["done"], Value::list({ "first", "second" }));
    }

    void oddNamesAreKept_data()
    {
        QTest::addColumn<std::string>("thread");
        for (const char* name : { "a b", "../../etc", "日本 ünï", "\"quoted\"",
                                  "'; DROP TABLE checkpoints; --", "%s%n", "-", "a/b" })
            QTest::newRow(name) << std::string(name);
    }
    void oddNamesAreKept()
    {
        QFETCH(std::string, thread);
        const CommandLine shell("counter");
        const std::string name = thread;
        SG_EXIT(shell.run({ "--json", "run", kGraph, "--thread=" + name, "--input", R"({"value": "π"})" }),
                4);
        SG_EXIT(shell.run({ "--json", "run", kGraph, "--thread=" + name, "--input", kOne }), 0);
        QCOMPARE(shell.run({ "--json", "threads" }).json()[0]["thread_id"], Value(name));
        QCOMPARE(shell.run({ "state", "--thread=" + name }).json()["values"]["value"], Value(4));
    }

    void helpNamesEveryVerbAndExitCode()
    {
        const CommandLine shell;
        const Answer help = shell.run({ "--help" });
        SG_EXIT(help, 0);
        for (const char* word :
             { "run", "resume", "state", "history", "update", "fork", "explain", "diff", "threads",
               "validate", "graph", "session", "artifacts", "image", "open", "Exit codes", "--json" })
            SG_VERIFY_CONTAINS(help.out, word);
        SG_EXIT(shell.run({ "--version" }), 0);
    }
};

QTEST_APPLESS_MAIN(TestCliContract)
#include "tst_cli_contract.moc"
