// The long-term store: from the command line, from nodes in real sandboxes, and with LangGraph's own
// SqliteStore.

#include "tests/app/cli/command_line.h"
#include "tests/support/machine.h"
#include "tests/support/qtry.h"
#include "tests/support/test_main.h"

#include <cstdlib>

using namespace sg;
using Words = std::vector<std::string>;
using test::Answer;
using test::CommandLine;
using test::keysOf;

namespace {

const std::string kTea = "{\"text\": \"likes tea\", \"weight\": 2}";

std::string valueOf(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

// LangGraph's store on the same file, by steps as JSON; prints JSON.
constexpr const char* kLangGraph = SG_SOURCE_DIR "/tests/data/app/langgraph/long_term_store.py";

} // namespace

class TestCliStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itemsByCommandLine()
    {
        const CommandLine shell("counter");
        const auto store = [&](Words words) {
            words.insert(words.begin(), { "--json", "store" });
            return shell.run(words);
        };
        const Answer nothing = store({ "get", "memories", "a" });
        SG_EXIT(nothing, 2);
        SG_VERIFY_CONTAINS(nothing.err, "sandglass store put");
        const Answer put = store({ "put", "memories.alice", "tea", kTea });
        SG_EXIT(put, 0);
        QCOMPARE(put.json(),
                 Value::map({ { "namespace", Value::list({ "memories", "alice" }) }, { "key", "tea" } }));
        SG_EXIT(store({ "put", "memories.bob", "cake", "{\"text\": \"likes cake\", \"weight\": 1}" }), 0);
        const Answer got = store({ "get", "memories.alice", "tea" });
        SG_EXIT(got, 0);
        QCOMPARE(keysOf(got.json()), std::string("namespace key value created_at updated_at"));
        QCOMPARE(got.json()["value"]["text"], Value("likes tea"));
        QCOMPARE(store({ "search", "memories" }).json().asList().size(), std::size_t(2));
        const Answer heavy = store({ "search", "memories", "--filter", "{\"weight\": {\"$gt\": 1}}" });
        QCOMPARE(heavy.json().asList().size(), std::size_t(1));
        QCOMPARE(heavy.json()[0]["key"], Value("tea"));
        QCOMPARE(store({ "search", "--limit", "1", "--offset", "1" }).json()[0]["key"], Value("tea"));
        const Answer first = store({ "search", "--limit", "1" });
        QCOMPARE(first.json().asList().size(), std::size_t(1));
        SG_VERIFY_CONTAINS(first.err, "more than these 1: --limit N prints more of them, --offset 1 goes on");
        const Answer all =
            store({ "search", "--limit", std::to_string(store({ "search" }).json().asList().size()) });
        QCOMPARE(all.err, std::string());
        QCOMPARE(toJson(store({ "list" }).json()),
                 std::string("[[\"memories\",\"alice\"],[\"memories\",\"bob\"]]"));
        QCOMPARE(toJson(store({ "list", "--depth", "1" }).json()), std::string("[[\"memories\"]]"));
        QCOMPARE(toJson(store({ "list", "*.bob" }).json()), std::string("[[\"memories\",\"bob\"]]"));
        SG_VERIFY_CONTAINS(shell.run({ "store", "search" }).out, "memories.bob  cake");
        QCOMPARE(store({ "delete", "memories.bob", "cake" }).json(), Value::map({ { "deleted", true } }));
        QCOMPARE(store({ "delete", "memories.bob", "cake" }).json(), Value::map({ { "deleted", false } }));
    }

    void tenantsAreApart()
    {
        CommandLine shell("counter");
        SG_EXIT(shell.run({ "store", "put", "notes", "a", kTea, "--tenant", "acme" }), 0);
        shell.environment.emplace_back("SANDGLASS_TENANT=other");
        SG_EXIT(shell.run({ "store", "put", "notes", "b", kTea }), 0);
        QCOMPARE(shell.run({ "--json", "store", "search" }).json()[0]["key"], Value("b"));
        QCOMPARE(shell.run({ "--json", "store", "search", "--tenant", "acme" }).json()[0]["key"], Value("a"));
        shell.replaceEnvironment("SANDGLASS_TENANT", "");
        QCOMPARE(toJson(shell.run({ "--json", "store", "list" }).json()),
                 std::string("[[\"acme\",\"notes\"],[\"other\",\"notes\"]]"));
    }

    void refuses_data()
    {
        QTest::addColumn<Words>("words");
        QTest::addColumn<std::string>("says");
        const auto row = [](const char* name, const Words& words, const char* says) {
            QTest::newRow(name) << words << std::string(says);
        };
        row("no verb", {}, "name a verb: ");
        row("no JSON", { "put", "a", "k", "{" }, "JSON");
        row("no object", { "put", "a", "k", "[1]" }, "JSON object");
        row("empty label", { "put", "a..b", "k", "{}" }, "cannot be empty");
        row("reserved", { "put", "langgraph", "k", "{}" }, "langgraph");
        row("tenant", { "put", "a", "k", "{}", "--tenant", "x.y" }, "tenant");
        row("no such item", { "get", "a", "none" }, "sandglass store search");
        row("bad filter", { "search", "a", "--filter", "{\"x\": {\"$like\": 1}}" }, "$like");
        row("no such file", { "search", "--db", "none.sqlite" }, "none.sqlite");
        row("no store in it", { "search", "--db", "counter.graph.json" }, "not a SQLite database");
    }
    void refuses()
    {
        QFETCH(Words, words);
        QFETCH(std::string, says);
        static const CommandLine shell("counter");
        SG_EXIT(shell.run({ "store", "put", "a", "k", "{}" }), 0);
        words.insert(words.begin(), "store");
        const Answer answer = shell.run(words);
        QVERIFY2(answer.exit == 2 || answer.exit == 1, answer.whole().c_str());
        SG_VERIFY_CONTAINS(answer.err, says);
    }

    void threadsShareWhatTheyKnow()
    {
        SG_NEED("bubblewrap");
        const CommandLine shell("memory");
        const auto tell = [&](const std::string& thread, const std::string& input, const Words& more = {}) {
            Words words{ "--json",  "run", "memory.graph.json", "--thread",  thread,
                         "--input", input, "--backend",         "bubblewrap" };
            words.insert(words.end(), more.begin(), more.end());
            return shell.run(words, {}, std::chrono::seconds(180));
        };
        const Answer monday = tell("monday", "{\"person\": \"alice\", \"fact\": \"likes tea\"}");
        SG_EXIT(monday, 0);
        const Answer friday = tell("friday", "{\"person\": \"alice\"}");
        SG_EXIT(friday, 0);
        QCOMPARE(toJson(friday.json()["values"]["known"]), std::string("[\"likes tea\"]"));
        QCOMPARE(shell.run({ "--json", "store", "search", "memories.alice" }).json()[0]["key"],
                 Value("likes tea"));
        const Answer elsewhere = tell("elsewhere", "{\"person\": \"alice\"}", { "--tenant", "acme" });
        SG_EXIT(elsewhere, 0);
        QCOMPARE(toJson(elsewhere.json()["values"]["known"]), std::string("[]"));
        // Turned off, nothing of it can be reached.
        std::string text = *readFile(shell.project() / "memory.graph.json");
        text.replace(text.find("{\"ttl\": 43200}"), 14, "false");
        shell.write("memory.graph.json", text);
        const Answer off = tell("off", "{\"person\": \"alice\"}");
        SG_EXIT(off, 4);
        SG_VERIFY_CONTAINS(off.json()["error"].stringOr("message", ""), "'NoneType' object has no attribute");
    }

    void langGraphReadsItAndWritesIt()
    {
        SG_NEED("langgraph");
        const std::string python = valueOf("SG_LANGGRAPH_PYTHON");
        const CommandLine shell("counter");
        const std::string file = (shell.project() / ".sandglass/store.sqlite").string();
        const auto langGraph = [&](const std::string& steps) {
            ProcessSpec spec;
            spec.program = python;
            spec.arguments = { kLangGraph, file, steps };
            spec.environment = shell.environment;
            const Answer answer = CommandLine::execute(spec);
            if (answer.exit != 0)
                qWarning("%s", answer.err.c_str());
            return answer.json();
        };
        SG_EXIT(shell.run({ "store", "put", "acme.triage", "ours", kTea }), 0);
        SG_EXIT(shell.run({ "store", "put", "acme.triage.bot", "brief", "{\"n\": 1.5}", "--ttl", "60" }), 0);
        const Value read = langGraph("[[\"get\", [\"acme\", \"triage\"], \"ours\"], [\"search\", [\"acme\"], "
                                     "{\"weight\": {\"$gte\": 2}}], [\"list\", 2]]");
        QCOMPARE(toJson(read["get"][2]), std::string("{\"text\":\"likes tea\",\"weight\":2}"));
        QCOMPARE(toJson(read["search"]), std::string("[\"ours\"]"));
        QCOMPARE(toJson(read["list"]), std::string("[[\"acme\",\"triage\"]]"));
        langGraph(
            "[[\"put\", [\"acme\", \"triage\"], \"theirs\", {\"text\": \"na\\u00efve\", \"list\": [1, "
            "null]}], "
            "[\"put\", [\"acme\"], \"later\", {\"n\": 1}, 5], [\"put\", [\"acme\"], \"gone\", {}, 0.0001], "
            "[\"delete\", [\"acme\", \"triage\"], \"ours\"]]");
        const Value theirs = shell.run({ "--json", "store", "get", "acme.triage", "theirs" }).json();
        QCOMPARE(toJson(theirs["value"]), std::string("{\"text\":\"naïve\",\"list\":[1,null]}"));
        SG_EXIT(shell.run({ "store", "get", "acme.triage", "ours" }), 2);
        SG_EXIT(shell.run({ "store", "get", "acme", "later" }), 0);
        QTRY_COMPARE(shell.run({ "store", "get", "acme", "gone" }).exit, 2);
        SG_EXIT(shell.run({ "store", "put", "acme.triage", "theirs", kTea }), 0);
        QCOMPARE(toJson(langGraph("[[\"get\", [\"acme\", \"triage\"], \"theirs\"]]")["get"][2]["weight"]),
                 std::string("2"));
    }

    void aFileThatLangGraphMadeIsTakenAsItIs()
    {
        SG_NEED("langgraph");
        const std::string python = valueOf("SG_LANGGRAPH_PYTHON");
        const CommandLine shell("counter");
        const std::string file = (shell.project() / "their.db").string();
        ProcessSpec spec;
        spec.program = python;
        spec.arguments = { kLangGraph, file, "[[\"put\", [\"a\"], \"k\", {\"n\": 1}]]" };
        spec.environment = shell.environment;
        SG_EXIT(CommandLine::execute(spec), 0);
        QCOMPARE(shell.run({ "--json", "store", "get", "a", "k", "--db", file }).json()["value"]["n"],
                 Value(1));
        SG_EXIT(shell.run({ "store", "put", "a", "k", "{\"n\": 2}", "--db", file }), 0);
        spec.arguments.back() = "[[\"get\", [\"a\"], \"k\"]]";
        QCOMPARE(CommandLine::execute(spec).json()["get"][2]["n"], Value(2));
    }
};

SG_TEST(TestCliStore)
#include "tst_cli_store.moc"
