// Other programs read the output of the command line, so its shapes stay.

#include "tests/app/cli/command_line.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <thread>

using namespace sg;
using test::Answer;
using test::CommandLine;
using test::keysOf;
using test::shapeOf;

namespace {

using Words = std::vector<std::string>;

const std::string kGraph = "counter.graph.json";
const std::string kOne = R"({"value": 1})";

Answer count(const CommandLine& shell, const std::string& thread)
{
    return shell.run({ "--json", "run", kGraph, "--thread", thread, "--input", kOne });
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
                        "values:map interrupts:list artifacts:list requirements:list modules:list error:null "
                        "first_failure:null "
                        "restored:list warnings:list uploads:null"));
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

    // Each verb's document: names and types in their order, of a list those of its first entry.
    void everyVerbPrintsItsDocument_data()
    {
        QTest::addColumn<Words>("words");
        QTest::addColumn<std::string>("shape");
        const auto row = [](const Words& words, const char* shape) {
            QTest::newRow((words.front() + " " + words[words.size() > 1 ? 1 : 0]).c_str())
                << words << std::string(shape);
        };
        row({ "validate", "counter.graph.json" }, "valid:bool problems:list");
        row({ "graph", "counter.graph.json" }, "graph:map");
        row({ "graph", "diff", "counter.graph.json", "counter.graph.json" }, "[]");
        row({ "replay", "counter.graph.json", "--thread", "a", "--checkpoint", "BEFORE" },
            "run_id:string thread_id:string status:string supersteps:int checkpoint_id:string values:map "
            "interrupts:list artifacts:list requirements:list modules:list error:null first_failure:null "
            "restored:list warnings:list uploads:null");
        row({ "resume", "counter.graph.json", "--thread", "a" },
            "run_id:string thread_id:string status:string supersteps:int checkpoint_id:string values:map "
            "interrupts:list artifacts:list requirements:list modules:list error:null first_failure:null "
            "restored:list warnings:list uploads:null");
        row({ "update", "counter.graph.json", "--thread", "a", "--values", R"({"value": 9})" },
            "thread_id:string checkpoint_id:string parent_checkpoint_id:string checkpoint_ns:string step:int "
            "source:string next:list");
        row({ "fork", "counter.graph.json", "--thread", "a", "--checkpoint", "BEFORE" },
            "thread_id:string checkpoint_id:string parent_checkpoint_id:string checkpoint_ns:string step:int "
            "source:string next:list");
        row({ "diff", "--thread", "a", "BEFORE", "HEAD" }, "[op:string path:string value:int]");
        row({ "explain", "--thread", "a" }, "[checkpoint_id:string step:int source:string tasks:list]");
        row({ "history", "--thread", "a", "--runs" },
            "[run_id:string graph:string started_at:string finished_at:string status:string supersteps:int "
            "requirements:list modules:list error:null]");
        row({ "threads" }, "[thread_id:string checkpoints:int updated_at:string status:string]");
        row({ "query", "step:1" }, "found:int hits:list");
        row({ "query", "--sql", "SELECT count(*) AS n FROM checkpoints" },
            "columns:list rows:list more:bool");
        row({ "usage" }, "currency:string threads:list");
        row({ "usage", "price", "a-model", "--input", "1", "--output", "2" },
            "file:string currency:string models:list");
        row({ "export", "counter.graph.json", "--python", "-o", "out" },
            "folder:string package:string files:list notes:list");
        row({ "export", "counter.graph.json", "--svg", "-o", "out.svg" }, "file:string");
        row({ "new", "made" }, "project:string graph:string template:string");
        row({ "new", "--list" }, "[template:string kind:string facts:string description:string]");
        row({ "storage" },
            "database_bytes:int artifact_bytes:int snapshot_bytes:int session_bytes:int threads:list "
            "channels:list artifacts:list artifact_files:list artifact_files_total:int snapshots:list");
        row({ "storage", "prune", "--keep", "2", "--dry-run" },
            "dry_run:bool checkpoints:int nested_checkpoints:int lost_parents:int forks:list "
            "snapshot_contents:int bytes_before:int bytes_after:int skipped:list");
        row({ "storage", "move", "--blobs", "none" },
            "from:string to:string artifacts:int contents:int bytes:int carried:int carried_bytes:int "
            "waiting:int error:null lost:list overruled_by:null");
        row({ "bundle", "export", "--thread", "a", "-o", "a.sgb" },
            "thread_id:string file:string checkpoints:int artifacts:int snapshot_contents:int bytes:int "
            "secrets:list");
        row({ "artifacts", "list" }, "[]");
        row({ "artifacts", "verify" }, "artifacts:int contents:int bytes:int problems:list");
        row({ "artifacts", "gc" }, "dry_run:bool expired:list contents:int bytes:int recent:int bucket:null");
        row({ "snapshots", "list", "--thread", "a" }, "[]");
        row({ "snapshots", "gc" }, "snapshots:int contents:int bytes:int");
        row({ "session", "list" }, "[]");
        row({ "session", "settings" },
            "mode:string backend:map connection:map storage:map datasets:map image:map scope:map "
            "datasets_folder:map "
            "hybrid_folder:map sessions_root:map blobs:map blobs_mb:map bucket:map artifacts_db:map "
            "memory_mb:map tmpfs_mb:map "
            "pids:map cpus:map open_files:map cell_s:map output_mb:map state_mb:map jq_mb:map "
            "idle_timeout_s:map "
            "max_age_s:map artifact_mb:map artifacts_days:map artifacts_mb:map snapshots_live:map "
            "snapshots_memory_mb:map snapshot_files_mb:map snapshots_mb:map pool:map pool_state:map "
            "preload:map offline:map egress:map egress_trusts:map secrets:map secret_headers:map "
            "model_keys:map http_hosts:map otlp_endpoint:map otlp_header:map queue:map "
            "queue_namespace:map runtime:map");
        row({ "session", "gc" }, "[]");
        row({ "layers", "list" }, "[]");
        row({ "layers", "gc" }, "dry_run:bool removed:list bytes:int");
        row({ "store", "put", "a.b", "k", R"({"x": 1})" }, "namespace:list key:string");
        row({ "store", "get", "a.b", "k" },
            "namespace:list key:string value:map created_at:string updated_at:string");
        row({ "store", "list" }, "[]");
        row({ "store", "search", "a" },
            "[namespace:list key:string value:map created_at:string updated_at:string]");
        row({ "store", "delete", "a.b", "k" }, "deleted:bool");
        row({ "dataset", "list" }, "[]");
        row({ "secret", "list" }, "secrets:list");
        row({ "connection", "list" }, "connections:list");
        row({ "help" }, "chapters:list");
        row({ "help", "nodes" }, "name:string title:string text:string");
        row({ "completions", "bash" }, "shell:string script:string");
        row({ "manual", "-o", "man" }, "folder:string pages:int");
    }
    void everyVerbPrintsItsDocument()
    {
        QFETCH(Words, words);
        QFETCH(std::string, shape);
        const CommandLine shell("counter");
        count(shell, "a");
        SG_EXIT(shell.run({ "store", "put", "a.b", "k", R"({"x": 1})" }), 0);
        const Value history = shell.run({ "--json", "history", "--thread", "a" }).json();
        for (std::string& word : words)
            if (word == "HEAD" || word == "BEFORE")
                word = history[word == "HEAD" ? 0 : 1].stringOr("checkpoint_id", "");
        words.insert(words.begin(), "--json");
        const Answer answer = shell.run(words);
        SG_EXIT(answer, 0);
        const Value printed = answer.json();
        QCOMPARE(printed.isList() ? "[" + shapeOf(printed[0]) + "]" : shapeOf(printed), shape);
    }

    // A verb that is new has a row above, or a test that reads its JSON.
    void noVerbIsLeftOut()
    {
        std::vector<std::string> tests;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(SG_SOURCE_DIR "/tests"))
            if (const auto type = entry.path().extension(); type == ".cpp" || type == ".py")
                if (auto text = readFile(entry.path()); text && text->find("--json") != std::string::npos)
                    tests.push_back(std::move(*text));
        const std::string help = CommandLine().run({ "--help" }).out;
        const std::string title = "\nSubcommands:\n";
        std::size_t at = help.find(title);
        QVERIFY(at != std::string::npos);
        int verbs = 0;
        for (at += title.size(); help.compare(at, 2, "  ") == 0; at = help.find('\n', at) + 1, ++verbs) {
            const std::string verb = help.substr(at + 2, help.find(' ', at + 2) - at - 2);
            const std::string quoted = "\"" + verb + "\"";
            QVERIFY2(std::ranges::any_of(
                         tests, [&](const auto& text) { return text.find(quoted) != std::string::npos; }),
                     verb.c_str());
        }
        QVERIFY(verbs > 30);
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

SG_TEST(TestCliContract)
#include "tst_cli_contract.moc"
