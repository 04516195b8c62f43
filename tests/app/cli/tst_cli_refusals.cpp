// Wrong words and graphs are refused before anything runs, and right ones are not.

#include "tests/app/cli/command_line.h"
#include "tests/support/machine.h"
#include "tests/support/test_main.h"

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

void row(const char* name, const Words& arguments, int code, const char* says)
{
    QTest::newRow(name) << arguments << code << std::string(says);
}

// Options and arguments that nobody can mean.
void rowsOfWords()
{
    const std::string graph = kGraph;
    row("no verb", {}, 2, "sandglass --help");
    row("mistyped option", { "run", "counter.graph.json", "--thred", "a" }, 2,
        "there is no option '--thred' of sandglass run; did you mean '--thread'? See: sandglass run --help");
    row("mistyped option of a verb beneath", { "artifacts", "export", "--ouput=x" }, 2,
        "there is no option '--ouput' of sandglass artifacts export; did you mean '--output'?");
    row("mistyped option of a group", { "export", "x.graph.json", "--pyton" }, 2, "did you mean '--python'?");
    row("project without its option", { "history", ".", "--thread", "a" }, 2,
        "sandglass history finds the project by --project=.");
    row("mistyped verb beneath", { "session", "lst" }, 2,
        "there is no verb 'lst' of sandglass session; did you mean 'list'? See: sandglass session --help");
    row("missing option", { "state" }, 2, "See: sandglass state --help");
    row("unknown option alone", { "--bogus" }, 2, "there is no option '--bogus'");
    row("unknown option with a value", { "--bogus=1" }, 2, "there is no option '--bogus'");
    for (const char* minutes : { "-1", "0", "inf", "nan", "1e999", "x" })
        row((std::string("minutes ") + minutes).c_str(),
            { "store", "put", "n", "k", "{}", std::string("--ttl=") + minutes }, 2,
            "it takes a number above 0, not ");
    row("unknown verb", { "jump" }, 2, "jump");
    row("unknown option", { "threads", "--bogus" }, 2, "--bogus");
    row("no thread", { "run", graph }, 2, "--thread");
    row("empty thread", { "run", graph, "--thread", "" }, 2, "--thread");
    row("control character", { "run", graph, "--thread", "a\nb" }, 2, "control characters");
    row("escape", { "run", graph, "--thread", "a\x1b[2J" }, 2, "control characters");
    row("long thread", { "run", graph, "--thread", std::string(257, 'x') }, 2, "256 bytes");
    row("setting without a value", { "run", graph, "--thread", "a", "--set", "memory_mb" }, 2,
        "--set takes KEY=VALUE: \"memory_mb\" has no \"=VALUE\"");
    row("mistyped setting", { "run", graph, "--thread", "a", "--set", "memory_m=1" }, 2,
        "there is no \"memory_m\"; did you mean 'memory_mb'? See: sandglass session settings");
    row("artifacts of an unknown thread", { "artifacts", "list", "--thread", "nobody" }, 2,
        "thread 'nobody' has no artifacts");
    row("export of an unknown thread", { "artifacts", "export", "--thread", "nobody", "--to", "out" }, 2,
        "thread 'nobody' has no artifacts");
    row("deletion of an unknown thread", { "artifacts", "delete", "--thread", "nobody" }, 2,
        "thread 'nobody' has no artifacts");
    row("unknown backend", { "run", graph, "--thread", "a", "--backend", "wasm" }, 2, "bubblewrap");
    row("unknown stream", { "run", graph, "--thread", "a", "--stream", "all" }, 2, "updates");
    row("thread not UTF-8", { "run", graph, "--thread", "a\xff" }, 2, "UTF-8");
    row("limit 0", { "history", "--thread", "a", "--limit", "0" }, 2, "not in range 1");
    row("recursion limit 0", { "run", graph, "--thread", "a", "--recursion-limit", "0" }, 2,
        "a whole number from 1 on");
}

// These things are asked for and are not there, or are not what they are taken for.
void rowsOfAbsentThings()
{
    const std::string graph = kGraph;
    row("state of an unknown namespace", { "state", "--thread", "a", "--ns", "nosuch" }, 2,
        "thread 'a' has no checkpoints in namespace 'nosuch'");
    row("history of an unknown namespace", { "history", "--thread", "a", "--ns", "nosuch" }, 2,
        "thread 'a' has no checkpoints in namespace 'nosuch'");
    row("update of an unknown namespace",
        { "update", "--thread", "a", "--ns", "nosuch", "--values", R"({"value": 1})", "--graph", graph }, 2,
        "thread 'a' has no checkpoints in namespace 'nosuch'");
    row("no such graph", { "run", "none.graph.json", "--thread", "a" }, 2, "none.graph.json");
    row("folder without graph", { "run", "empty", "--thread", "a" }, 2, "*.graph.json");
    row("input file missing", { "run", graph, "--thread", "a", "--input", "@none.json" }, 2, "none.json");
    row("state of unknown thread", { "state", "--thread", "nobody" }, 2, "nobody");
    row("history of unknown thread", { "history", "--thread", "nobody" }, 2, "sandglass threads");
    row("resume of unknown thread", { "resume", graph, "--thread", "nobody" }, 2, "nobody");
    row("unknown checkpoint", { "state", "--thread", "a", "--checkpoint", "nope" }, 2, "nope");
    row("no such database", { "threads", "--db", "none.sqlite" }, 2, "none.sqlite");
    row("database is a folder", { "threads", "--db", "." }, 2, "folder");
    row("no project", { "threads", "--project", "/" }, 2, "/");
    row("unknown artifact", { "artifacts", "export", "art_0" }, 2, "art_0");
    row("unknown session", { "session", "stop", "s-0" }, 2, "s-0");
    row("resume without a database", { "resume", graph, "--thread", "a", "--db", "none.sqlite" }, 2,
        "there is no database none.sqlite");
    row("foreign database", { "threads", "--db", "foreign.sqlite" }, 2, "another program's");
    row("run on a foreign database", { "run", graph, "--thread", "a", "--db", "foreign.sqlite" }, 2,
        "another program's");
}

// Graphs that are wrong or end badly, and inputs.
void rowsOfGraphsAndInputs()
{
    const std::string graph = kGraph;
    row("input not JSON", { "run", graph, "--thread", "a", "--input", "{\"value\": }" }, 2, "column 11");
    row("input no object", { "run", graph, "--thread", "a", "--input", "5" }, 2, "--input");
    row("not JSON graph", { "validate", "broken.graph.json" }, 3, "broken.graph.json:1:1");
    row("run of no JSON", { "run", "broken.graph.json", "--thread", "a" }, 3, "broken.graph.json:1:1");
    row("empty input", { "run", graph, "--thread", "a", "--input", "" }, 2, "--input is not JSON");
    row("unknown channel", { "run", graph, "--thread", "a", "--input", R"({"valu": 1})" }, 2,
        "did you mean 'value'?");
    row("long integer", { "run", graph, "--thread", "a", "--input", R"({"value": 18446744073709551616})" }, 2,
        "more than 64 bits");
    row("broken graph", { "run", "wrong.graph.json", "--thread", "a" }, 3, "/edges/0/1");
    row("resume of a broken graph", { "resume", "wrong.graph.json", "--thread", "a" }, 3, "/edges/0/1");
    row("dot of a broken graph", { "graph", "--dot", "wrong.graph.json" }, 3, "wrong.graph.json");
    row("failing node", { "run", "failing.graph.json", "--thread", "f", "--input", "{\"value\": 1}" }, 4,
        "too small");
    row("recursion limit", { "run", "endless.graph.json", "--thread", "e", "--recursion-limit", "7" }, 4,
        "7");
}

} // namespace

class TestCliRefusals : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Every refusal: the code, what the message names, and the same as JSON.
    void refuses_data()
    {
        QTest::addColumn<Words>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<std::string>("says");
        rowsOfWords();
        rowsOfAbsentThings();
        rowsOfGraphsAndInputs();
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
        QVERIFY2(plain.err.size() < 700, plain.err.c_str());
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
        shell.take("no_datasets");
        const Value document = shell.run({ "--json", "validate", "no_datasets.graph.json" }).json();
        QCOMPARE(document["problems"][0].stringOr("code", ""), std::string("not-offered"));
        QCOMPARE(document["problems"][0].intOr("line", 0), std::int64_t(4));
        SG_EXIT(shell.run({ "run", "no_datasets.graph.json", "--thread", "a" }), 3);
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
        SG_NEED("dot");
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

    void resumeMakesNoDatabase()
    {
        const CommandLine shell("counter");
        SG_EXIT(shell.run({ "resume", kGraph, "--thread", "a", "--db", "none.sqlite" }), 2);
        QVERIFY(!std::filesystem::exists(shell.project() / "none.sqlite"));
    }
};

SG_TEST(TestCliRefusals)
#include "tst_cli_refusals.moc"
