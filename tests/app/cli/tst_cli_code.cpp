#include "tests/app/cli/command_line.h"
#include "tests/support/machine.h"
#include "tests/support/test_main.h"

using namespace sg;
using test::Answer;
using test::CommandLine;

namespace {

// One node for each function named; a branch and an error handler in a file of their own.
constexpr const char* kGraph = "{\"format\": 1, \"name\": \"g\", \"state\": {\"x\": {}}, \"nodes\": ["
                               "{\"name\": \"a\", \"kind\": \"python\", \"file\": \"nodes/a.py\"},"
                               "{\"name\": \"b\", \"jq\": \"{}\", \"error_handler\": {\"file\": "
                               "\"nodes/b.py\", \"function\": \"mend\"}}],"
                               "\"edges\": [[\"__start__\", \"a\"]],"
                               "\"branches\": [{\"from\": \"a\", \"file\": \"nodes/b.py\", \"function\": "
                               "\"route\", \"targets\": [\"b\"]}]}";
constexpr const char* kFine = "def mend(state): return {}\ndef route(state): return 'b'\n";

} // namespace

// `validate` finds faults of Python code before a run does.
class TestCliCode : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { SG_NEED("bubblewrap"); }

    void namesWhatIsWrong_data()
    {
        QTest::addColumn<std::string>("a");
        QTest::addColumn<std::string>("says"); // empty: nothing
        const auto row = [](const char* name, const std::string& a, const char* says) {
            QTest::newRow(name) << a << std::string(says);
        };
        row("fine", "import no_such_module\ndef node(state): return {}\n", "");
        row("nothing of it runs", "import os\nos._exit(9)\ndef node(state): return {}\n", "");
        row("names from elsewhere", "from somewhere import *\n", "");
        row("a name, not a def", "node = lambda state: {}\n", "");
        row("syntax", "def node(state):\n    return {\n",
            "nodes/a.py:2:12: SyntaxError: '{' was never closed");
        row("indentation", "def node(state):\nreturn 1\n", "nodes/a.py:2:1: IndentationError");
        row("not of a function", "def node(state): return 1\nreturn 2\n",
            "nodes/a.py:2:1: SyntaxError: 'return' outside function: return 2");
        row("no such function", "def nod(state): return 1\n", "nodes/a.py: it defines no function 'node'");
        row("deep", std::string(5000, '(') + std::string(5000, ')'), "nodes/a.py:1");
        row("null byte", std::string("x = 1\0\n", 7), "nodes/a.py: ");
        row("not text", "x = '\xff'\n", "nodes/a.py: it is not UTF-8 text");
    }
    void namesWhatIsWrong()
    {
        QFETCH(std::string, a);
        QFETCH(std::string, says);
        const CommandLine shell;
        shell.write("g.graph.json", kGraph);
        shell.write("nodes/a.py", a);
        shell.write("nodes/b.py", kFine);
        const Answer answer = shell.run({ "--json", "validate", "g.graph.json" });
        SG_EXIT(answer, says.empty() ? 0 : 3);
        const Value problem = answer.json()["problems"][0];
        if (says.empty()) {
            QCOMPARE(problem, Value());
            return;
        }
        SG_VERIFY_CONTAINS(problem.stringOr("message", ""), says);
        QCOMPARE(problem["pointer"], Value("/nodes/0/file"));
        SG_VERIFY_CONTAINS(answer.err, says);
    }

    void namesChannelsThatTheStateLacks_data()
    {
        QTest::addColumn<std::string>("a");
        QTest::addColumn<std::string>("says"); // empty: nothing
        const auto row = [](const char* name, const char* a, const char* says) {
            QTest::newRow(name) << std::string(a) << std::string(says);
        };
        row("known", "def node(state, config):\n    return {'value': state['value']}\n", "");
        row("returned", "def node(state):\n    x = 1\n    return {'value': 1, 'text': x}\n",
            "nodes/a.py:3: it returns 'text', which is no channel of the graph");
        row("read", "def node(state):\n    return {'value': state['rows']}\n",
            "nodes/a.py:2: it reads 'rows' from the state");
        row("asked for", "def node(s, config):\n    return {'value': s.get('rows', 0)}\n", "it reads 'rows'");
        row("returned by a function inside",
            "def node(state):\n    def inner():\n        return {'text': 1}\n    return {'value': inner()}\n",
            "");
        row("of another function",
            "def other(state):\n    return {'text': 1}\ndef node(state):\n    return {}\n", "");
        row("its own key", "def node(state):\n    state['rows'] = 1\n    return {'value': state['rows']}\n",
            "");
        row("another name",
            "def node(state):\n    state = {'rows': 1}\n    return {'value': state['rows']}\n", "");
    }
    void namesChannelsThatTheStateLacks()
    {
        QFETCH(std::string, a);
        QFETCH(std::string, says);
        const CommandLine shell;
        shell.write(
            "g.graph.json",
            R"({"state": {"value": {}}, "nodes": [{"name": "a", "kind": "python", "file": "nodes/a.py"}],
                        "edges": [["__start__", "a"], ["a", "__end__"]]})");
        shell.write("nodes/a.py", a);
        const Answer answer = shell.run({ "--json", "validate", "g.graph.json" });
        SG_EXIT(answer, 0); // a warning: the run goes on
        const Value problem = answer.json()["problems"][0];
        if (says.empty()) {
            QCOMPARE(problem, Value());
            return;
        }
        QCOMPARE(problem["code"], Value("undeclared-channel"));
        QVERIFY(problem.stringOr("pointer", "").starts_with("/state/"));
        SG_VERIFY_CONTAINS(problem.stringOr("message", ""), says);
    }

    void looksAtHandlersAndBranches()
    {
        const CommandLine shell;
        shell.write("g.graph.json", kGraph);
        shell.write("nodes/a.py", "def node(state): return {}\n");
        shell.write("nodes/b.py", "def route(state): return 'b'\n");
        const Answer answer = shell.run({ "validate", "g.graph.json" });
        SG_EXIT(answer, 3);
        SG_VERIFY_CONTAINS(answer.err, "nodes/b.py: it defines no function 'mend'");
    }

    void saysWhereNothingCanCheck()
    {
        CommandLine shell;
        shell.write("g.graph.json", kGraph);
        shell.write("nodes/a.py", "def node(state:\n");
        shell.write("nodes/b.py", kFine);
        shell.replaceEnvironment("PATH", "/nowhere");
        const Answer answer = shell.run({ "validate", "g.graph.json" });
        SG_EXIT(answer, 0);
        SG_VERIFY_CONTAINS(answer.err, "the Python code was not checked");
    }
};

SG_TEST(TestCliCode)
#include "tst_cli_code.moc"
