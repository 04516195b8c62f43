#include "core/base/json.h"
#include "core/expressions/jq_in_process.h"
#include "tests/support/qtest_std.h"
#include "tests/support/require.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

using namespace sg;
using namespace sg::expressions;
using namespace std::chrono_literals;

namespace {

const std::string kHelper = SG_BIN_DIR "/sandglass-jq";

std::string resultText(Result<ValueList> results)
{
    return results ? toJson(Value(std::move(*results))) : results.error().message;
}

// The processes that this one has started.
std::vector<int> childProcesses()
{
    std::vector<int> pids;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream list(task.path() / "children");
        for (int pid = 0; list >> pid;)
            pids.push_back(pid);
    }
    return pids;
}

struct Row {
    const char* program;
    const char* input;
    const char* results; // or the error
};
const std::vector<Row> kRows{
    { "{value: (.value + 1)}", R"({"value":1})", R"([{"value":2}])" },
    { "if .ok then \"go\" else \"stop\" end", R"({"ok":false})", R"(["stop"])" },
    { ".[]", "[1,2.5,\"a\",null,true]", "[1,2.5,\"a\",null,true]" },
    { "{z:1,a:2,m:3}", "null", R"([{"z":1,"a":2,"m":3}])" },
    { "9007199254740992, -9007199254740992", "null", "[9007199254740992,-9007199254740992]" },
    { "1/3, 6/3, 1e17", "null", "[0.3333333333333333,2,1e+17]" },
    { "nan, -0", "null", "[null,0]" },
    { "\"\\u0000\\u00e9\" | ., length", "null", "[\"\\u0000é\",2]" },
    { "empty", "1", "[]" },
    { "", "1", "[1]" },
    { "# nothing", "1", "[1]" },
    { ".a # end", R"({"a":1})", "[1]" },
    { "def f: def g: 3; g; f", "null", "[3]" },
    { "def f: 1;", "5", "[5]" },
    { ". as {value: $v} ?// $v | $v", "7", "[7]" },
    { "1); def map(f): 5; def q: (2", "null",
      "jq: syntax error, unexpected character, expecting the end of the program (line 1)" },
    { "map(. + 1)", "[1,2]", "[[2,3]]" },
    { ".value.a", R"({"value":1})", "jq: error: Cannot index number with string \"a\"" },
    { "error({a:1})", "null", "jq: error (not a string): {\"a\":1}" },
    { "\"x\" | halt_error", "null", "jq: error: x" },
    { "halt", "null", "[]" },
    { "1 | | 2", "null", "jq: syntax error, unexpected '|' (line 1)" },
    { "nope(1)", "null", "jq: nope/1 is not defined (line 1)" },
    { "{a:1}}", "null", "jq: syntax error, unexpected character, expecting the end of the program (line 1)" },
    { "__sandglass_0", "null", "jq: __sandglass_0/0 is not defined (line 1)" },
    { "input", "null", "jq: error: break" },
    { "[inputs]", "null", "[[]]" },
    { "input_filename", "null", "[null]" },
    { "debug, stderr", "1", "[1,1]" },
    { "import \"a\" as a; 1", "null", "jq: module not found: a" },
    { "include \"a\"; 1", "null", "jq: module not found: a" },
    { "\"/etc/passwd\" | modulemeta", "null", "jq: error: module not found: /etc/passwd" },
    { "repeat(1)", "null", "jq: error: more than 100 results" },
    { "reduce range(1000) as $i (0; [.])", "null", "jq: error: the result is nested deeper than 256 levels" },
    { ".", "[9007199254740993]",
      "jq input: /0 is 9007199254740993: jq rounds integers beyond 2^53; pass it as a string, or use a "
      "Python node" },
};

std::vector<std::string> allPrograms()
{
    std::vector<std::string> programs;
    for (const Row& row : kRows)
        programs.emplace_back(row.program);
    return programs;
}

JqLimits shortLimits()
{
    JqLimits limits;
    limits.deadline = 300ms;
    limits.memoryBytes = 256U << 20;
    limits.outputs = 100;
    return limits;
}

} // namespace

class TestJqEvaluator : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY2(std::filesystem::exists(kHelper), kHelper.c_str()); }

    void evaluates_data()
    {
        QTest::addColumn<std::size_t>("index");
        for (std::size_t i = 0; i < kRows.size(); ++i)
            QTest::newRow(kRows[i].program) << i;
    }
    // Every row of the table stands in one list of programs, so that each is also a neighbour of all the
    // others.
    void evaluates()
    {
        static const auto inHelper = makeJqProcess(allPrograms(), kHelper, shortLimits());
        static const auto inProcess = makeJqInProcess(allPrograms(), shortLimits());
        QFETCH(std::size_t, index);
        const Row& row = kRows[index];
        auto value = parseJson(row.input);
        SG_VERIFY_OK(value);
        QCOMPARE(resultText(inHelper->evaluate(index, *value)), std::string(row.results));
        QCOMPARE(resultText(inProcess->evaluate(index, *value)), std::string(row.results));
    }

    void hidesTheEnvironmentAndFiles()
    {
        ::setenv("SANDGLASS_TEST_SECRET", "s3cret", 1);
        const test::TempDir folder;
        folder.write("a.json", "[1]");
        const std::string import = "import \"" + (folder / "a").string() + "\" as $a; $a";
        const auto jq = makeJqProcess({ "$ENV", "env", import, "now | localtime | mktime | type" }, kHelper);
        QCOMPARE(resultText(jq->evaluate(0, 1)), std::string("[{}]"));
        QCOMPARE(resultText(jq->evaluate(1, 1)), std::string("[{}]"));
        QVERIFY(!jq->evaluate(2, 1));
        QCOMPARE(resultText(jq->evaluate(3, 1)), std::string("[\"number\"]"));
    }

    void confinesTheHelper()
    {
        const auto before = childProcesses();
        const auto jq = makeJqProcess({ "." }, kHelper);
        SG_VERIFY_OK(jq->evaluate(0, 1));
        const auto pids = childProcesses();
        QCOMPARE(pids.size(), before.size() + 1);
        const std::string proc = "/proc/" + std::to_string(pids.back());
        std::ifstream status(proc + "/status");
        const std::string text((std::istreambuf_iterator<char>(status)), {});
        SG_VERIFY_CONTAINS(text, "NoNewPrivs:\t1");
        SG_VERIFY_CONTAINS(text, "Seccomp:\t2");
        std::ifstream limits(proc + "/limits");
        const std::string limitText((std::istreambuf_iterator<char>(limits)), {});
        SG_VERIFY_CONTAINS(limitText, "Max open files            4 ");
    }

    void stopsAProgramAtItsDeadlineAndGoesOn()
    {
        const auto jq = makeJqProcess({ "def f: f; f", ". + 1" }, kHelper, shortLimits());
        auto looped = jq->evaluate(0, 1);
        QVERIFY(!looped);
        QVERIFY(looped.error().code == Errc::Timeout);
        QCOMPARE(looped.error().message,
                 std::string("the jq program was not done after 300 ms and was stopped"));
        QCOMPARE(resultText(jq->evaluate(1, 1)), std::string("[2]"));
    }

    void survivesAProgramThatEatsMemory()
    {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        SG_SKIP("a sanitizer's shadow memory does not fit into the helper's limit, so there is none");
#endif
        JqLimits limits = shortLimits();
        limits.deadline = 30s;
        const auto jq =
            makeJqProcess({ "reduce range(40) as $i (\"eat\"; . + .)", ". + 1" }, kHelper, limits);
        auto eaten = jq->evaluate(0, 1);
        QVERIFY(!eaten);
        QVERIFY(eaten.error().code == Errc::Unavailable);
        SG_VERIFY_CONTAINS(eaten.error().message, "more than its 256 MB");
        SG_VERIFY_CONTAINS(eaten.error().message, "JQ_MEMORY_MB");
        QCOMPARE(resultText(jq->evaluate(1, 1)), std::string("[2]"));
    }

    void givesALargeInputTheMemoryThatItIsAllowed()
    {
        JqLimits limits;
        limits.memoryBytes = 64U << 20;
        const Value text(std::string(33U << 20, 'a'));
        const auto refused = makeJqProcess({ "length" }, kHelper, limits)->evaluate(0, text);
        QVERIFY(!refused);
        QVERIFY(refused.error().code == Errc::InvalidArgument);
        SG_VERIFY_CONTAINS(refused.error().message, "larger than 32 MB");
        SG_VERIFY_CONTAINS(refused.error().message, "JQ_MEMORY_MB");
        limits.memoryBytes = 1024U << 20;
        QCOMPARE(resultText(makeJqProcess({ "length" }, kHelper, limits)->evaluate(0, text)),
                 std::string("[34603008]"));
    }

    void startsAnewAfterTheHelperWasKilled()
    {
        const auto jq = makeJqProcess({ ". + 1" }, kHelper);
        QCOMPARE(resultText(jq->evaluate(0, 1)), std::string("[2]"));
        const int pid = childProcesses().back();
        ::kill(pid, SIGKILL);
        QVERIFY(test::waitFor([&] {
            std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
            const std::string text((std::istreambuf_iterator<char>(stat)), {});
            return text.find(") Z ") != std::string::npos;
        }));
        QCOMPARE(resultText(jq->evaluate(0, 2)), std::string("[3]"));
    }

    void leavesNoProcessBehind()
    {
        const auto before = childProcesses();
        {
            const auto jq = makeJqProcess({ "def f: f; f", "." }, kHelper, shortLimits());
            SG_VERIFY_OK(jq->evaluate(1, 1));
            QVERIFY(!jq->evaluate(0, 1));
            SG_VERIFY_OK(jq->evaluate(1, 1));
        }
        QCOMPARE(childProcesses(), before);
    }

    void carriesLargeValues()
    {
        const auto jq = makeJqProcess({ "." }, kHelper);
        const Value large = std::string(5U << 20, 'x');
        auto results = jq->evaluate(0, Value::list({ large, large }));
        SG_VERIFY_OK(results);
        QCOMPARE((*results).at(0), Value::list({ large, large }));
    }

    void servesSeveralThreads()
    {
        const auto jq = makeJqProcess({ ". + 1", ". * 2" }, kHelper);
        std::atomic<int> wrong = 0;
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&, t] {
                for (int i = 0; i < 50; ++i)
                    if (resultText(jq->evaluate(t % 2, i))
                        != "[" + std::to_string(t % 2 == 0 ? i + 1 : i * 2) + "]")
                        ++wrong;
            });
        for (auto& thread : threads)
            thread.join();
        QCOMPARE(wrong.load(), 0);
    }

    void findsEveryProgramThatDoesNotCompile()
    {
        std::vector<std::string> programs;
        for (int i = 0; i < 150; ++i)
            programs.push_back(". + " + std::to_string(i));
        programs[3] = ".a |";
        programs[77] = "nope";
        programs[149] = std::string("1\0002", 3);
        auto problems = checkJqPrograms(programs, kHelper);
        SG_VERIFY_OK(problems);
        std::string text;
        for (const JqProblem& problem : *problems)
            text += std::to_string(problem.program) + " " + problem.message + "\n";
        QCOMPARE(text,
                 std::string("3 syntax error, unexpected the end of the program (line 1)\n"
                             "77 nope/0 is not defined (line 1)\n"
                             "149 the program holds a NUL character\n"));
        const auto jq = makeJqProcess(programs, kHelper);
        QCOMPARE(resultText(jq->evaluate(148, 1)), std::string("[149]"));
        QCOMPARE(resultText(jq->evaluate(2, 1)), std::string("[3]"));
    }

    void saysWhatIsMissing()
    {
        const auto jq = makeJqProcess({ "." }, "/nowhere/sandglass-jq");
        SG_VERIFY_CONTAINS(resultText(jq->evaluate(0, 1)), "start the jq helper /nowhere/sandglass-jq");
        SG_VERIFY_CONTAINS(resultText(jq->evaluate(1, 1)), "there is no jq program 1");
        QVERIFY(checkJqPrograms({}, "/nowhere/sandglass-jq"));
    }
};

SG_TEST(TestJqEvaluator)
#include "tst_jq_evaluator.moc"
