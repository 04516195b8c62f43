// A run ends with one of a few outcomes, keeps its steps, and goes on from them.

#include "tests/app/cli/command_line.h"
#include "tests/support/test_main.h"

using namespace sg;
using Words = std::vector<std::string>;
using test::Answer;
using test::CommandLine;
using test::keysOf;
using test::shapeOf;

namespace {

const std::string kOne = R"({"value": 1})";

} // namespace

class TestCliResume : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anAnswerGoesOn()
    {
        const CommandLine shell;
        shell.take("asking");
        const Answer asked = shell.run({ "--json", "run", "asking.graph.json", "--thread", "a" });
        SG_EXIT(asked, 5);
        QCOMPARE(asked.json()["status"], Value("interrupted"));
        QCOMPARE(shapeOf(asked.json()["interrupts"][0]).substr(0, 22), std::string("id:string node:string "));
        QCOMPARE(shell.run({ "--json", "threads" }).json()[0]["status"], Value("interrupted"));
        const Answer none =
            shell.run({ "--json", "resume", "asking.graph.json", "--thread", "a", "--answer", "null" });
        SG_EXIT(none, 2);
        SG_VERIFY_CONTAINS(none.err, "null stands for no answer");
        QCOMPARE(shell.run({ "--json", "threads" }).json()[0]["status"], Value("interrupted"));
        const Answer answered = shell.run(
            { "--json", "resume", "asking.graph.json", "--thread", "a", "--answer", R"({"answer": "yes"})" });
        SG_EXIT(answered, 0);
        QCOMPARE(answered.json()["values"]["answer"], Value("yes"));
    }

    // A run ends with the word that threads says later; the text names the next step.
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
        row("endless", 4, "recursion_limit",
            "reached its recursion limit, 5. Allow more with --recursion-limit");
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

    void anAnswerMayBeAWord_data()
    {
        QTest::addColumn<std::string>("answer");
        QTest::addColumn<int>("code");
        QTest::newRow("word") << std::string("yes") << 0;
        QTest::newRow("sentence") << std::string("2 of them, please") << 0;
        QTest::newRow("dash") << std::string("-- no") << 0;
        QTest::newRow("broken map") << std::string("{\"a\": ") << 2;
        QTest::newRow("broken list") << std::string(" [1") << 2;
        QTest::newRow("broken text") << std::string("\"yes") << 2;
        QTest::newRow("nothing") << std::string() << 2;
        QTest::newRow("no file") << std::string("@nowhere.json") << 2;
    }
    void anAnswerMayBeAWord()
    {
        QFETCH(std::string, answer);
        QFETCH(int, code);
        const CommandLine shell;
        shell.take("two_questions");
        const std::string graph = "two_questions.graph.json";
        const Value asked = shell.run({ "--json", "run", graph, "--thread", "a" }).json();
        // one is left
        SG_EXIT(shell.run({ "resume", graph, "--thread", "a", "--answer",
                            "{\"" + asked["interrupts"][0].stringOr("id", "") + "\": 1}" }),
                5);
        const Answer told = shell.run({ "--json", "resume", graph, "--thread", "a", "--answer=" + answer });
        SG_EXIT(told, code);
        if (code != 0)
            return;
        const Value values = told.json()["values"];
        QVERIFY2(values["age"] == Value(answer) || values["name"] == Value(answer), told.out.c_str());
    }

    void noAnswerWhereNothingWasAsked()
    {
        const CommandLine shell;
        for (const std::string kind : { "paused", "branching" }) {
            shell.take(kind);
            const std::string graph = kind + ".graph.json";
            shell.run({ "run", graph, "--thread", kind });
            const std::string before = shell.run({ "--json", "history", "--thread", kind }).out;
            const Answer refused =
                shell.run({ "--json", "resume", graph, "--thread", kind, "--answer", "true" });
            SG_EXIT(refused, 2);
            SG_VERIFY_CONTAINS(refused.json()["error"].stringOr("message", ""), "asks nothing");
            SG_VERIFY_CONTAINS(refused.err, graph + " --thread=" + kind);
            QCOMPARE(shell.run({ "--json", "history", "--thread", kind }).out, before);
        }
    }

    // The node has written when the branch behind it fails: going on would follow no branch.
    void aFailedBranchRunsAgain_data()
    {
        QTest::addColumn<std::string>("graph");
        QTest::newRow("at the top") << std::string("failed_branch.graph.json");
        QTest::newRow("nested") << std::string("nested_failed_branch.graph.json");
    }
    void aFailedBranchRunsAgain()
    {
        QFETCH(std::string, graph);
        const CommandLine shell;
        shell.take(graph.substr(0, graph.find('.')));
        for (const char* thread : { "again", "on" }) {
            const Answer failed = shell.run({ "run", graph, "--thread", thread });
            SG_EXIT(failed, 4);
            SG_VERIFY_CONTAINS(failed.err, "the branch behind");
            SG_VERIFY_CONTAINS(failed.err, "sandglass resume " + graph + " --thread=" + thread + " --rerun");
            QVERIFY2(failed.err.find("When the cause is repaired") == std::string::npos, failed.err.c_str());
        }
        const Answer still = shell.run({ "resume", graph, "--thread", "again", "--rerun" });
        SG_EXIT(still, 4);
        std::string repaired = *readFile(shell.project() / graph);
        repaired.replace(repaired.find("nope"), 4, "yes");
        shell.write(graph, repaired);
        const Answer again = shell.run({ "--json", "resume", graph, "--thread", "again", "--rerun" });
        SG_EXIT(again, 0);
        QCOMPARE(again.json()["values"]["log"],
                 Value::list({ "beside", "draft", "publish" })); // each of them once
        // Without --rerun it is said before, and done as LangGraph does it.
        const Answer on = shell.run({ "--json", "resume", graph, "--thread", "on" });
        SG_EXIT(on, 0);
        SG_VERIFY_CONTAINS(on.err, "follows no branch");
        QCOMPARE(on.json()["values"]["log"], Value::list({ "beside", "draft" }));
        const Answer nothing = shell.run({ "resume", graph, "--thread", "again", "--rerun" });
        SG_EXIT(nothing, 2);
        SG_VERIFY_CONTAINS(nothing.err, "nothing failed");
        SG_VERIFY_CONTAINS(nothing.err, "sandglass fork");
    }

    void anAnsweredQuestionWaitsNoLonger()
    {
        const CommandLine shell;
        shell.take("two_questions");
        const std::string graph = "two_questions.graph.json";
        const Answer asked = shell.run({ "--json", "run", graph, "--thread", "a" });
        SG_EXIT(asked, 5);
        const std::string answered = asked.json()["interrupts"][0].stringOr("id", "");
        const std::string open = asked.json()["interrupts"][1].stringOr("id", "");
        const Words answer{ "inbox", "answer", "a", "--id", answered, "--answer", "7" };
        SG_EXIT(shell.run(answer), 5);
        const Value left = shell.run({ "--json", "inbox", "list" }).json();
        const std::string project = shell.project().string();
        const Answer shown = shell.run({ "inbox", "show", "a", "--project", project });
        SG_VERIFY_CONTAINS(shown.out, "sandglass inbox answer a --answer ANSWER --project " + project);
        QCOMPARE(left.asList().size(), std::size_t(1));
        QCOMPARE(left[0]["id"], Value(open));
        const Answer again = shell.run(answer);
        SG_EXIT(again, 2);
        SG_VERIFY_CONTAINS(again.err, "asks nothing by the id " + answered);
        SG_EXIT(shell.run({ "inbox", "answer", "a", "--answer", "Bo" }), 0);
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
        SG_EXIT(unclear, 2);
        SG_VERIFY_CONTAINS(unclear.json()["error"].stringOr("message", ""), "by id");
        const auto before = shell.run({ "--json", "history", "--thread", "a" });
        for (const char* answer : { "\"x\"", "null", "{}", R"({"no id": 1})" }) {
            const Answer bad = shell.run({ "resume", graph, "--thread", "a", "--answer", answer });
            SG_EXIT(bad, 2);
            SG_VERIFY_CONTAINS(bad.err, "--answer");
        }
        const std::string noId(interrupts[0].stringOr("id", "").size(), 'f');
        const Answer strange =
            shell.run({ "resume", graph, "--thread", "a", "--answer", "{\"" + noId + "\": 1}" });
        SG_EXIT(strange, 2);
        SG_VERIFY_CONTAINS(strange.err, "none of them has the id " + noId);
        QCOMPARE(shell.run({ "--json", "history", "--thread", "a" }).out, before.out);
        QCOMPARE(shell.run({ "--json", "threads" }).json()[1]["status"], Value("interrupted"));
        ValueMap answers;
        for (const Value& interrupt : interrupts.asList())
            answers.set(interrupt.stringOr("id", ""),
                        interrupt["value"] == Value("how old?") ? Value(7) : Value("Bo"));
        const Answer answered = shell.run(
            { "--json", "resume", graph, "--thread", "a", "--answer", toJson(Value(std::move(answers))) });
        SG_EXIT(answered, 0);
        QCOMPARE(answered.json()["values"], Value::map({ { "age", 7 }, { "name", "Bo" } }));
    }

    // A command that is printed can be given as it is: where a question's answers are known it holds one.
    void theHintHoldsAKnownAnswer_data()
    {
        QTest::addColumn<std::string>("asks"); // the jq program of the question
        QTest::addColumn<std::string>("hint");
        QTest::addColumn<std::string>("answer"); // as stored
        const auto row = [](const char* name, const char* asks, const char* hint, const char* answer) {
            QTest::newRow(name) << std::string(asks) << std::string(hint) << std::string(answer);
        };
        row("words", R"({question: "Well?", answers: ["yes", "no"]})", "--answer yes\n", R"("yes")");
        row("numbers", R"({question: "How many?", options: [3, 4]})", "--answer 3\n", "3");
        row("text that reads as JSON", R"({choices: ["7", "8"]})", "--answer '\"7\"'\n", R"("7")");
        row("words with blanks", R"({choices: ["not now"]})", "--answer 'not now'\n", R"("not now")");
        row("calls", R"({action_requests: [{name: "mail", args: {}}]})",
            "--answer '{\"decisions\":[{\"type\":\"approve\"}]}'\n", R"({"decisions":[{"type":"approve"}]})");
        row("anything", R"({question: "Why?"})", "--answer JSON\n", "");
    }
    void theHintHoldsAKnownAnswer()
    {
        QFETCH(std::string, asks);
        QFETCH(std::string, hint);
        QFETCH(std::string, answer);
        const CommandLine shell;
        shell.write("g.graph.json",
                    toJson(Value::map({ { "format", 1 },
                                        { "name", "g" },
                                        { "state", Value::map({ { "answer", Value::map({}) } }) },
                                        { "nodes",
                                          Value::list({ Value::map({ { "name", "ask" },
                                                                     { "kind", "human" },
                                                                     { "jq", asks },
                                                                     { "channel", "answer" } }) }) },
                                        { "edges",
                                          Value::list({ Value::list({ "__start__", "ask" }),
                                                        Value::list({ "ask", "__end__" }) }) } })));
        const Answer asked = shell.run({ "run", "g.graph.json", "--thread", "a" });
        SG_EXIT(asked, 5);
        SG_VERIFY_CONTAINS(asked.out, hint);
        if (answer.empty())
            return;
        const std::size_t begin = asked.out.find("sandglass resume");
        std::string command = asked.out.substr(begin, asked.out.find('\n', begin) - begin);
        command.replace(0, std::string("sandglass").size(), SG_BIN_DIR "/sandglass --json");
        ProcessSpec spec = shell.spec({ "-c", command });
        spec.program = "/bin/sh";
        const Answer done = CommandLine::execute(std::move(spec));
        SG_EXIT(done, 0);
        QCOMPARE(toJson(done.json()["values"]["answer"]), answer);
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

    void goesOnAfterAFailure()
    {
        const CommandLine shell;
        shell.take("failing");
        const Answer failed =
            shell.run({ "--json", "run", "failing.graph.json", "--thread", "a", "--input", kOne });
        SG_EXIT(failed, 4);
        QCOMPARE(keysOf(failed.json()["error"]), std::string("node type message traceback"));
        QCOMPARE(failed.json()["error"]["node"], Value("second"));
        const Value stored = shell.run({ "--json", "state", "--thread", "a" }).json();
        QCOMPARE(failed.json()["values"],
                 Value::map({ { "value", 1 }, { "done", Value::list({ "first" }) } }));
        QCOMPARE(failed.json()["values"], stored["values"]);
        QCOMPARE(failed.json()["checkpoint_id"], stored["config"]["configurable"]["checkpoint_id"]);
        QCOMPARE(shell.run({ "--json", "threads" }).json()[0]["status"], Value("failed"));
        const Answer told = shell.run({ "run", "failing.graph.json", "--thread", "told", "--input", kOne });
        SG_VERIFY_CONTAINS(told.err, "sandglass resume"); // the next step
        const Answer given = shell.run({ "run", "failing.graph.json", "--thread", "given", "--input", kOne,
                                         "--scope", "run", "--set", "idle_timeout_s=60", "--tenant", "acme",
                                         "--queue", "redis://me:ge:heim@127.0.0.1:1/0" });
        SG_VERIFY_CONTAINS(given.err,
                           "sandglass resume failing.graph.json --thread=given --scope run --set "
                           "idle_timeout_s=60 --queue 'redis://me:PASSWORD@127.0.0.1:1/0' --tenant acme");
        std::string repaired = *readFile(shell.project() / "failing.graph.json");
        repaired.replace(repaired.find("< 10"), 4, "< 1");
        shell.write("failing.graph.json", repaired);
        const Answer resumed = shell.run({ "--json", "resume", "failing.graph.json", "--thread", "a" });
        SG_EXIT(resumed, 0);
        SG_EXIT(shell.run({ "resume", "failing.graph.json", "--thread", "told", "--rerun" }), 0);
        QCOMPARE(resumed.json()["values"]["done"], Value::list({ "first", "second" }));
    }
};

SG_TEST(TestCliResume)
#include "tst_cli_resume.moc"
