// Going back to a checkpoint, changing it, and asking why things ran and what changed.

#include "tests/app/cli/command_line.h"
#include "tests/support/test_main.h"

#include <algorithm>

using namespace sg;
using Words = std::vector<std::string>;
using test::Answer;
using test::CommandLine;
using test::keysOf;
using test::shapeOf;

namespace {

const std::string kGraph = "counter.graph.json";

// The counter run once from 1: 1, 2 by the incrementer, 4 by the doubler.
struct Counted {
    CommandLine shell{ "counter" };
    std::vector<std::string> checkpoints; // by step, from -1

    Counted()
    {
        shell.run({ "run", kGraph, "--thread", "a", "--input", "{\"value\": 1}" });
        for (const std::string& id : ids())
            checkpoints.insert(checkpoints.begin(), id);
    }
    [[nodiscard]] std::vector<std::string> ids() const // newest first
    {
        const Value rows = shell.run({ "--json", "history", "--thread", "a" }).json();
        std::vector<std::string> found;
        for (const Value& row : rows.asList())
            found.push_back(row.stringOr("checkpoint_id", ""));
        return found;
    }
    [[nodiscard]] Answer run(Words words) const
    {
        words.insert(words.begin(), "--json");
        words.insert(words.end(), { "--thread", "a" });
        return shell.run(words);
    }
    // The checkpoint of the step that starts at -1, 0, 1, 2.
    [[nodiscard]] const std::string& at(int step) const
    {
        return checkpoints.at(static_cast<std::size_t>(step) + 1);
    }
    [[nodiscard]] Value row(const std::string& id) const
    {
        const Value rows = shell.run({ "--json", "history", "--thread", "a" }).json();
        for (const Value& each : rows.asList())
            if (each["checkpoint_id"] == Value(id))
                return each;
        return {};
    }
};

// "a: channel version seen source writers; …"
std::string told(const Value& superstep)
{
    const auto number = [](const Value& version) {
        if (!version.isString())
            return std::string("none");
        return std::to_string(std::stol(version.asString().substr(0, 32)));
    };
    std::string text;
    for (const Value& task : superstep["tasks"].asList()) {
        text += (text.empty() ? "" : "; ") + task.stringOr("node", "") + ":";
        for (const Value& trigger : task["triggers"].asList()) {
            text += " " + trigger.stringOr("channel", "") + " " + number(trigger["version"]) + " "
                + number(trigger["seen"]) + " " + trigger.stringOr("source", "");
            for (const Value& node : trigger["written_by"].asList())
                text += " " + node.asString();
        }
        text += " " + task.stringOr("outcome", "");
    }
    return text;
}

} // namespace

class TestCliTimeTravel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anUpdateIsACheckpoint()
    {
        const Counted counted;
        const Answer answer =
            counted.run({ "update", kGraph, "--as-node", "incrementer", "--values", "{\"value\": 50}" });
        SG_EXIT(answer, 0);
        const Value made = answer.json();
        QCOMPARE(shapeOf(made),
                 std::string("thread_id:string checkpoint_id:string parent_checkpoint_id:string "
                             "checkpoint_ns:string step:int source:string next:list"));
        QCOMPARE(made["source"], Value("update"));
        QCOMPARE(made["parent_checkpoint_id"], Value(counted.at(2)));
        QCOMPARE(made["step"], Value(3));
        QCOMPARE(made["next"], Value::list({ "doubler" })); // the node's edges are followed
        QCOMPARE(counted.ids().front(), made.stringOr("checkpoint_id", ""));
        const Answer resumed = counted.run({ "resume", kGraph });
        SG_EXIT(resumed, 0);
        QCOMPARE(resumed.json()["values"]["value"], Value(100));
    }

    void withoutANodeTheLastWriterCounts()
    {
        const Counted counted;
        const Answer answer = counted.run({ "update", "--values", "{\"value\": 7}" });
        SG_EXIT(answer, 0);
        QCOMPARE(answer.json()["next"], Value(ValueList()));
        QCOMPARE(counted.run({ "state" }).json()["values"]["value"], Value(7));
    }

    void anUpdateOfThePastIsABranch()
    {
        const Counted counted;
        const Answer answer =
            counted.run({ "update", kGraph, "--checkpoint", counted.at(1), "--values", "{\"value\": 20}" });
        SG_EXIT(answer, 0);
        QCOMPARE(answer.json()["parent_checkpoint_id"], Value(counted.at(1)));
        QCOMPARE(counted.run({ "resume", kGraph }).json()["values"]["value"], Value(40));
        QCOMPARE(counted.run({ "state", "--checkpoint", counted.at(2) }).json()["values"]["value"], Value(4));
    }

    void aForkIsTheCheckpointOnceMore()
    {
        const Counted counted;
        const Answer answer = counted.run({ "fork", kGraph, "--checkpoint", counted.at(1) });
        SG_EXIT(answer, 0);
        const Value made = answer.json();
        QCOMPARE(made["source"], Value("fork"));
        QCOMPARE(made["parent_checkpoint_id"], Value(counted.at(0))); // it stands beside the one it copies
        QCOMPARE(made["next"], Value::list({ "doubler" }));
        QCOMPARE(counted.run({ "state" }).json()["values"]["value"], Value(2));
        QCOMPARE(counted.run({ "resume", kGraph }).json()["values"]["value"], Value(4));
        QCOMPARE(counted.ids().size(), std::size_t(6));
    }

    void aForkWithValuesGoesOnWithThem()
    {
        const Counted counted;
        const Answer answer =
            counted.run({ "fork", kGraph, "--checkpoint", counted.at(1), "--values", "{\"value\": 6}" });
        SG_EXIT(answer, 0);
        QCOMPARE(answer.json()["source"], Value("update"));
        QCOMPARE(answer.json()["next"], Value::list({ "doubler" }));
        QCOMPARE(counted.run({ "resume", kGraph }).json()["values"]["value"], Value(12));
    }

    void replaysFromACheckpoint()
    {
        const Counted counted;
        const Answer answer = counted.run({ "resume", kGraph, "--checkpoint", counted.at(0) });
        SG_EXIT(answer, 0);
        QCOMPARE(answer.json()["values"]["value"], Value(4));
        QCOMPARE(answer.json()["supersteps"], Value(2));
        std::string sources;
        const Value rows = counted.shell.run({ "--json", "history", "--thread", "a" }).json();
        for (const Value& row : rows.asList())
            sources += row.stringOr("source", "") + " ";
        QCOMPARE(sources, std::string("loop loop fork loop loop loop input "));
        QCOMPARE(rows[2]["parent_checkpoint_id"], Value(counted.at(0)));
    }

    void runsFromACheckpointWithANewInput()
    {
        const Counted counted;
        const Answer answer =
            counted.run({ "run", kGraph, "--checkpoint", counted.at(0), "--input", "{\"value\": 10}" });
        SG_EXIT(answer, 0);
        QCOMPARE(answer.json()["values"]["value"], Value(22));
        QCOMPARE(counted.row(counted.ids()[3])["parent_checkpoint_id"], Value(counted.at(0)));
    }

    void aChangeIsToldInWords()
    {
        const Counted counted;
        const Answer answer = counted.shell.run({ "update", kGraph, "--thread", "a", "--as-node",
                                                  "incrementer", "--values", "{\"value\": 1, \"valu\": 2}" });
        SG_EXIT(answer, 0);
        SG_VERIFY_CONTAINS(answer.out, "next doubler");
        SG_VERIFY_CONTAINS(answer.out, "sandglass resume");
        SG_VERIFY_CONTAINS(answer.err, "'valu' is no channel");
    }

    void anUpdateBeginsAThreadWhereItIsSaidSo()
    {
        const CommandLine shell("counter");
        const Words words{ "--json", "update", kGraph, "--thread", "new", "--values", "{\"value\": 3}" };
        const Answer refused = shell.run(words);
        SG_EXIT(refused, 2);
        SG_VERIFY_CONTAINS(refused.err, "--as-node __start__");
        Words begins = words;
        begins.insert(begins.end(), { "--as-node", "__start__" });
        const Answer begun = shell.run(begins);
        SG_EXIT(begun, 0);
        QCOMPARE(begun.json()["next"], Value::list({ "incrementer" }));
        QCOMPARE(begun.json()["parent_checkpoint_id"], Value());
        QCOMPARE(shell.run({ "--json", "resume", kGraph, "--thread", "new" }).json()["values"]["value"],
                 Value(8));
    }

    void explainsEveryTask()
    {
        const CommandLine shell;
        shell.take("branching");
        SG_EXIT(shell.run({ "run", "branching.graph.json", "--thread", "a", "--input", "{\"value\": 0}" }),
                0);
        const Answer answer = shell.run({ "--json", "explain", "--thread", "a" });
        SG_EXIT(answer, 0);
        const Value explained = answer.json();
        QCOMPARE(keysOf(explained[0]), std::string("checkpoint_id step source tasks"));
        QCOMPARE(keysOf(explained[0]["tasks"][0]), std::string("task_id node kind outcome triggers"));
        QCOMPARE(keysOf(explained[0]["tasks"][0]["triggers"][0]),
                 std::string("channel version seen set_at source written_by"));
        QCOMPARE(explained.asList().size(), std::size_t(4));
        QCOMPARE(told(explained[0]), std::string("__start__: __start__ 1 none input done"));
        QCOMPARE(told(explained[1]),
                 std::string("left: branch:to:left 2 none loop __start__ done; "
                             "right: branch:to:right 2 none loop __start__ done"));
        QCOMPARE(told(explained[2]), std::string("join: join:left+right:join 3 none loop left right done"));
        QCOMPARE(
            told(explained[3]),
            std::string("item: __pregel_tasks 4 none loop join done; item: __pregel_tasks 4 none loop join "
                        "done"));
        QCOMPARE(explained[3]["tasks"][0]["kind"], Value("send"));
        QCOMPARE(explained[3]["tasks"][0]["triggers"][0]["set_at"], explained[3]["checkpoint_id"]);

        const Answer words = shell.run({ "explain", "--thread", "a" });
        SG_EXIT(words, 0);
        SG_VERIFY_CONTAINS(words.out,
                           "because the join of left+right before 'join' is at version 3, it had seen none");
        SG_VERIFY_CONTAINS(words.out, "because a Send by join");
    }

    void explainsOneCheckpoint()
    {
        const Counted counted;
        SG_EXIT(counted.run({ "run", kGraph, "--input", "{\"value\": 5}" }), 0);
        const std::string second = counted.ids()[2]; // before the second incrementer
        const Value explained = counted.run({ "explain", "--checkpoint", second }).json();
        QCOMPARE(explained.asList().size(), std::size_t(1));
        QCOMPARE(explained[0]["step"], Value(5));
        SG_VERIFY_CONTAINS(told(explained[0]), "incrementer: branch:to:incrementer 6 2 loop __start__ done");
        const Value head = counted.run({ "explain", "--checkpoint", counted.ids().front() }).json();
        QCOMPARE(head[0]["tasks"], Value(ValueList()));
    }

    void explainsWhatWaits()
    {
        const CommandLine shell;
        shell.take("asking");
        SG_EXIT(shell.run({ "run", "asking.graph.json", "--thread", "a" }), 5);
        const Value explained = shell.run({ "--json", "explain", "--thread", "a" }).json();
        QCOMPARE(explained.asList().back()["tasks"][0]["outcome"], Value("interrupted"));
        const Answer asked = shell.run({ "--json", "resume", "asking.graph.json", "--thread", "a" });
        SG_EXIT(asked, 5);
        QCOMPARE(asked.json()["interrupts"][0]["node"], Value("ask"));
    }

    void diffIsAPatch()
    {
        const Counted counted;
        const Answer answer = counted.run({ "diff", counted.at(0), counted.at(2) });
        SG_EXIT(answer, 0);
        const Value patch = answer.json();
        QCOMPARE(patch.asList().size(), std::size_t(1));
        QCOMPARE(patch[0], Value::map({ { "op", "replace" }, { "path", "/value" }, { "value", 4 } }));
        QCOMPARE(counted.run({ "diff", counted.at(2), counted.at(2) }).json(), Value(ValueList()));
        const Answer words = counted.shell.run({ "diff", counted.at(-1), counted.at(0), "--thread", "a" });
        SG_EXIT(words, 0);
        QCOMPARE(words.out, std::string("+ /value  1\n"));
    }

    void refuses_data()
    {
        QTest::addColumn<Words>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<std::string>("says");
        const auto row = [](const char* name, const Words& arguments, int code, const char* says) {
            QTest::newRow(name) << arguments << code << std::string(says);
        };
        const std::string values = "{\"value\": 1}";
        row("update without values", { "update" }, 2, "--values");
        row("update with a list", { "update", "--values", "[1]" }, 2, "JSON object");
        row("update with no JSON", { "update", "--values", "{" }, 2, "--values is not JSON");
        row("update as no node", { "update", "--values", values, "--as-node", "nobody" }, 2,
            "incrementer, doubler");
        row("update of no checkpoint", { "update", "--values", values, "--checkpoint", "none" }, 2,
            "sandglass history");
        row("fork of no checkpoint", { "fork", "--checkpoint", "none" }, 2, "sandglass history");
        row("explain of no checkpoint", { "explain", "--checkpoint", "none" }, 2, "sandglass history");
        row("diff of no checkpoint", { "diff", "none", "none" }, 2, "sandglass history");
        row("diff of one", { "diff", "none" }, 2, "B");
        row("replay of no checkpoint", { "resume", kGraph, "--checkpoint", "none" }, 2, "sandglass history");
        row("run from no checkpoint", { "run", kGraph, "--checkpoint", "none" }, 2, "sandglass history");
        row("update of a broken graph", { "update", "wrong.graph.json", "--values", values }, 3,
            "/edges/0/1");
    }
    void refuses()
    {
        QFETCH(Words, arguments);
        QFETCH(int, code);
        QFETCH(std::string, says);
        static const Counted counted;
        const std::string wrong =
            "{\"nodes\":[{\"name\":\"a\",\"jq\":\".\"}],\"edges\":[[\"__start__\",\"b\"]]}";
        counted.shell.write("wrong.graph.json", wrong);
        const Answer answer = counted.run(arguments);
        SG_EXIT(answer, code);
        SG_VERIFY_CONTAINS(answer.err, says);
        QCOMPARE(keysOf(answer.json()["error"]), std::string("code message"));
    }

    // Snapshots that belong to no checkpoint go, with the contents that only they needed.
    void snapshotsAreCollected()
    {
        const Counted counted;
        const Words words{ "--json", "snapshots", "gc" };
        const auto none = Value::map({ { "snapshots", 0 }, { "contents", 0 }, { "bytes", 0 } });
        const Answer clean = counted.shell.run(words);
        SG_EXIT(clean, 0);
        QCOMPARE(clean.json(), none);
        const std::string content =
            counted.shell.project() / ".sandglass/snapshots/aa/aa" / std::string(64, 'a');
        ProcessSpec spec; // Python's module is in every Debian
        spec.program = "/usr/bin/python3";
        spec.arguments = {
            "-c",
            "import os, sqlite3, sys\nc = sqlite3.connect(sys.argv[1])\n"
            "c.execute(\"INSERT INTO sandglass_snapshots (snapshot_id, thread_id, body) VALUES "
            "('s', 'a', x'80')\"); c.commit()\n"
            "os.makedirs(os.path.dirname(sys.argv[2])); open(sys.argv[2], 'w').write('12345')\n"
            "os.utime(sys.argv[2], (1e9, 1e9))",
            counted.shell.database().string(), content
        };
        SG_EXIT(CommandLine::execute(spec), 0);
        const Answer collected = counted.shell.run(words);
        SG_EXIT(collected, 0);
        QCOMPARE(collected.json(), Value::map({ { "snapshots", 1 }, { "contents", 1 }, { "bytes", 5 } }));
        QVERIFY(!std::filesystem::exists(content));
        QCOMPARE(counted.shell.run(words).json(), none);
        QCOMPARE(counted.ids(),
                 std::vector<std::string>(counted.checkpoints.rbegin(), counted.checkpoints.rend()));
        // none is made where there is none
        SG_EXIT(counted.shell.run({ "snapshots", "gc", "--db", "none.sqlite" }), 2);
        QVERIFY(!std::filesystem::exists(counted.shell.project() / "none.sqlite"));
    }

    void anAmbiguousUpdateNamesTheNodes()
    {
        const CommandLine shell;
        shell.take("branching");
        SG_EXIT(shell.run({ "run", "branching.graph.json", "--thread", "a", "--recursion-limit", "1" }), 4);
        const Value rows = shell.run({ "--json", "history", "--thread", "a" }).json();
        const Answer answer =
            shell.run({ "update", "branching.graph.json", "--thread", "a", "--values", "{\"value\": 1}" });
        SG_EXIT(answer, 2);
        SG_VERIFY_CONTAINS(answer.err, "--as-node");
        SG_VERIFY_CONTAINS(answer.err, "left, right, join, item");
        QCOMPARE(shell.run({ "--json", "history", "--thread", "a" }).json(), rows); // nothing was stored
    }
};

SG_TEST(TestCliTimeTravel)
#include "tst_cli_time_travel.moc"
