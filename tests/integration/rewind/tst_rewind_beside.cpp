#include "core/artifacts/artifact_store.h"
#include "tests/integration/rewind/rewind_project.h"
#include "tests/support/qtry.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <stop_token>
#include <thread>

using namespace sg;
using namespace sg::test;
using engine::RunInput;
using engine::RunResult;

// Python tasks of one superstep run beside each other in forks of the session's interpreter, and what they
// leave is joined.
class TestRewindBeside final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eightThatWaitTakeTheTimeOfOne();
    void eachHasItsOwnNamesAndFilesAndTheyAreJoined();
    void aPathThatTwoWriteIsAnErrorThatNamesBoth();
    void namesAreKeptWhereTheNodeSaysSo();
    void theSerialWayIsThere();
    void aCrashEndsOneAloneAndAResumeRunsThatOne();
    void theTimeLimitOfOneEndsItAlone();
    void outOfMemoryEndsOneAlone();
    void aReplayIsExact();
    void aQuestionInOneWaitsAndGoesOn_data();
    void aQuestionInOneWaitsAndGoesOn();
    void outputBelongsToItsTask();
    void artifactsBelongToTheirTask();
    void aStopEndsAll();
    void moreThanThePlacesWaitAndTheirTimeDoesNotCount();
    void whatCannotBeForkedRunsAlone();
};

namespace {

Value item(const std::string& code, const std::string& node = "work")
{
    return Value::map({ { "code", code }, { "node", node } });
}

RunInput items(ValueList list, const std::string& after = "None")
{
    return RunInput::input(Value::map({ { "items", Value(std::move(list)) }, { "after", after } }));
}

std::string told(const RunResult& result)
{
    return result.error + listText(result.values["told"]);
}

// The tasks of a run as the events tell of them.
struct Heard {
    explicit Heard(RewindProject& project)
        : subscription(project.workbench->runs().events().subscribe([this](const engine::RunEvent& event) {
            const std::lock_guard lock(mutex);
            if (const auto* started = std::get_if<engine::TaskStarted>(&event.body))
                began = std::min(began,
                                 started->node.value == "start" || started->node.value == "look"
                                     ? began
                                     : std::chrono::steady_clock::now());
            if (const auto* done = std::get_if<engine::TaskFinished>(&event.body);
                done != nullptr && done->node.value != "start" && done->node.value != "look") {
                seconds.push_back(done->seconds);
                ended = std::chrono::steady_clock::now();
            }
            if (const auto* line = std::get_if<engine::LogLine>(&event.body))
                printed[line->task.value] += line->bytes;
        }))
    {
    }
    [[nodiscard]] double wall() const { return std::chrono::duration<double>(ended - began).count(); }

    std::mutex mutex;
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::time_point::max();
    std::chrono::steady_clock::time_point ended;
    std::vector<double> seconds;
    std::map<std::string, std::string> printed; // by task
    Subscription subscription;
};

} // namespace

void TestRewindBeside::eightThatWaitTakeTheTimeOfOne()
{
    SG_PROJECT(project, "beside");
    const ValueList waits(8, item("import time; time.sleep(1); told = 'slept'"));
    double best = 100;
    for (int i = 0; i < 3 && best > 1.3; ++i) {
        const Heard heard(project);
        const RunResult result = project.run(items(waits));
        QCOMPARE(result.error, std::string());
        best = std::min(best, heard.wall());
    }
    QVERIFY2(best <= 1.3, std::to_string(best).c_str());
}

void TestRewindBeside::eachHasItsOwnNamesAndFilesAndTheyAreJoined()
{
    SG_PROJECT(project, "beside");
    ValueList list;
    for (const char* name : { "a", "b", "c" })
        list.push_back(item("import os\nmine = '" + std::string(name)
                            + "'\nbase.append(mine)\nopen('/session/" + name
                            + ".txt', 'w').write(mine)\ntold = [base, sorted(n for n in os.listdir('.') if "
                              "n.endswith('.txt'))]"));
    QCOMPARE(told(project.run(items(list, "base"))),
             std::string(
                 "[[\"base\",\"a\"],[\"a.txt\",\"base.txt\"]]\n[[\"base\",\"b\"],[\"b.txt\",\"base.txt\"]]\n"
                 "[[\"base\",\"c\"],[\"base.txt\",\"c.txt\"]]\nlook base a.txt,b.txt,base.txt,c.txt\n"));
}

void TestRewindBeside::aPathThatTwoWriteIsAnErrorThatNamesBoth()
{
    SG_PROJECT(project, "beside");
    const RunResult failed = project.run(items({ item("open('same.csv', 'w').write('1'); told = 1"),
                                                 item("open('same.csv', 'w').write('2'); told = 2") }));
    QVERIFY(failed.status == RunStatus::Failed);
    QCOMPARE(failed.errorType, std::string("ConflictError"));
    SG_VERIFY_CONTAINS(failed.error, "'same.csv'");
    SG_VERIFY_CONTAINS(failed.error, "node 'work' (task 1)");
    SG_VERIFY_CONTAINS(failed.error, "node 'work' (task 2)");
}

void TestRewindBeside::namesAreKeptWhereTheNodeSaysSo()
{
    SG_PROJECT(project, "beside");
    const RunResult result =
        project.run(items({ item("mine = {'k': 1}; told = 1", "keep"), item("other = [2]; told = 2", "keep"),
                            item("found = 3; told = 3") },
                          "[mine, other]"));
    QCOMPARE(told(result), std::string("1\n2\n3\nlook base,mine,other base.txt\n"));
    QCOMPARE(toJson(result.values["after"]), std::string("[{\"k\":1},[2]]"));
    const RunResult both =
        project.run(items({ item("mine = 1; told = 1", "keep"), item("mine = 2; told = 2", "keep") }));
    QCOMPARE(both.errorType, std::string("ConflictError"));
    SG_VERIFY_CONTAINS(both.error, "'mine'");
    SG_VERIFY_CONTAINS(both.error, "node 'keep' (task 1)");
    SG_VERIFY_CONTAINS(both.error, "node 'keep' (task 2)");
}

void TestRewindBeside::theSerialWayIsThere()
{
    SG_PROJECT(project, "beside");
    const std::string code = "base.append(1); mine = len(base); told = mine";
    // Which of them comes first is left open.
    const RunResult result =
        project.run(items({ item(code, "serial"), item(code, "serial") }, "sorted(base, key=str)"));
    QCOMPARE(result.error, std::string());
    QCOMPARE(toJson(result.values["after"]), std::string("[1,1,\"base\"]"));
    SG_VERIFY_CONTAINS(told(result), "look base,mine base.txt");
}

void TestRewindBeside::aCrashEndsOneAloneAndAResumeRunsThatOne()
{
    SG_PROJECT(project, "beside");
    const RunResult failed = project.run(
        items({ item("open('one.txt', 'w').write('1'); told = 1"),
                item("import os\nif not os.path.exists('/tmp/mended-%s' % os.getuid()):\n    "
                     "open('/tmp/mended-%s' % os.getuid(), 'w'); os.abort()\n"
                     "told = sorted(n for n in os.listdir('.') if n.endswith('.txt'))"),
                item("import time; time.sleep(0.3); open('three.txt', 'w').write('3'); told = base") }));
    QVERIFY(failed.status == RunStatus::Failed);
    SG_VERIFY_CONTAINS(failed.error, "signal 6");
    QVERIFY2(failed.error.find("names are gone") == std::string::npos, failed.error.c_str());
    const RunResult done = project.run(RunInput::goOn());
    // It sees the files as the superstep found them, not those of the tasks that were done before.
    QCOMPARE(told(done),
             std::string("1\n[\"base.txt\"]\n[\"base\"]\nlook base base.txt,one.txt,three.txt\n"));
}

void TestRewindBeside::theTimeLimitOfOneEndsItAlone()
{
    SG_PROJECT(project, "beside");
    const Heard heard(project);
    const RunResult failed = project.run(items({ item("import time; time.sleep(30); told = 0", "short"),
                                                 item("import time; time.sleep(1.5); told = 'fine'") }));
    QCOMPARE(failed.errorType, std::string("TimeoutError"));
    QVERIFY2(heard.wall() < 15, std::to_string(heard.wall()).c_str());
    const auto state = project.workbench->history().checkpoints(ThreadId("t"));
    SG_VERIFY_OK(state);
    QVERIFY2(failed.error.find("names are gone") == std::string::npos, failed.error.c_str());
}

// Where no control group limits its memory, the kernel's way of ending it is shown.
void TestRewindBeside::outOfMemoryEndsOneAlone()
{
    SG_PROJECT(project, "beside");
    const bool isLimited = testBackend() == "docker";
    const std::string fault = isLimited ? "x = []\nwhile True: x.append(bytearray(64 << 20))\n"
                                        : "import os, time; time.sleep(0.5); os.kill(os.getpid(), 9)";
    const RunInput input =
        items({ item(fault), item("import time; time.sleep(2); print('ran on'); told = 'fine'") });
    const RunResult failed = project.run(input);
    QVERIFY2(failed.errorType == "MemoryError" || (!isLimited && failed.errorType == "InterpreterDied"),
             failed.error.c_str());
    SG_VERIFY_CONTAINS(project.takeLog(), "ran on");
    const RunResult again = project.run(RunInput::goOn());
    QCOMPARE(again.errorType, failed.errorType);
    QVERIFY(project.takeLog().find("ran on") == std::string::npos); // it was done
}

void TestRewindBeside::aReplayIsExact()
{
    SG_PROJECT(project, "beside");
    ValueList list;
    for (const char* name : { "a", "b", "c", "d" })
        list.push_back(item("import random\nopen('" + std::string(name)
                            + ".txt', 'w').write('x')\ntold = [random.random(), base]"));
    const RunResult first = project.run(items(list, "__import__('random').random()"));
    QCOMPARE(first.error, std::string());
    const CheckpointId at = project.atStep(1);
    for (int i = 0; i < 3; ++i) {
        const RunResult again = project.run(RunInput::goOn(), at);
        QCOMPARE(toJson(again.values), toJson(first.values));
        SG_VERIFY_CONTAINS(project.takeLog(), "brought back: exact");
    }
    std::vector<std::string> drawn;
    for (std::size_t i = 0; i < 4; ++i)
        drawn.push_back(toJson(first.values["told"][i][0]));
    std::ranges::sort(drawn);
    QVERIFY(std::ranges::adjacent_find(drawn) == drawn.end());
    const RunResult after = project.run(RunInput::goOn(), project.atStep(2)); // the joined session
    QCOMPARE(toJson(after.values), toJson(first.values));
}

void TestRewindBeside::aQuestionInOneWaitsAndGoesOn_data()
{
    QTest::addColumn<bool>("later");
    QTest::newRow("answered at once") << false;
    QTest::newRow("answered days later, by another process") << true;
}

void TestRewindBeside::aQuestionInOneWaitsAndGoesOn()
{
    QFETCH(bool, later);
    SG_PROJECT(project, "beside");
    const RunResult asked = project.run(
        items({ item("open('one.txt', 'w').write('1'); told = 1"),
                item("import os\nfrom langgraph.types import interrupt\nopen('two.txt', 'a').write('2')\n"
                     "told = [interrupt('go on?'), open('two.txt').read(), sorted(n for n in os.listdir('.') "
                     "if n.endswith('.txt')), base]"),
                item("open('three.txt', 'w').write('3'); told = 3") }));
    QVERIFY2(asked.status == RunStatus::Interrupted, asked.error.c_str());
    if (later)
        project.reopen();
    const RunResult answered = project.run(RunInput::resume("yes"));
    QCOMPARE(told(answered),
             std::string("1\n[\"yes\",\"2\",[\"base.txt\",\"two.txt\"],[\"base\"]]\n3\nlook base "
                         "base.txt,one.txt,three.txt,two.txt\n"));
}

void TestRewindBeside::outputBelongsToItsTask()
{
    SG_PROJECT(project, "beside");
    Heard heard(project);
    ValueList list;
    for (const char* name : { "a", "b", "c" })
        list.push_back(item("import time\nfor _ in range(5): print('" + std::string(name)
                            + "', end='', flush=True); time.sleep(0.02)\ntold = 0"));
    QCOMPARE(project.run(items(list)).error, std::string());
    std::vector<std::string> lines;
    for (const auto& [task, text] : heard.printed)
        lines.push_back(text);
    for (const char* name : { "aaaaa", "bbbbb", "ccccc" })
        QVERIFY2(std::ranges::find(lines, name) != lines.end(),
                 listText(Value(ValueList(lines.begin(), lines.end()))).c_str());
}

void TestRewindBeside::artifactsBelongToTheirTask()
{
    SG_PROJECT(project, "beside");
    ValueList list;
    for (const char* name : { "one", "two" })
        list.push_back(
            item("open('/session/artifacts/report.txt', 'w').write('" + std::string(name) + "'); told = 0"));
    QCOMPARE(project.run(items(list)).error, std::string());
    const auto stored = project.workbench->artifacts().list({});
    SG_VERIFY_OK(stored);
    std::set<std::string> tasks;
    for (const artifacts::Artifact& artifact : *stored)
        tasks.insert(artifact.origin.task.value);
    QCOMPARE(stored->size(), std::size_t(2));
    QCOMPARE(tasks.size(), std::size_t(2));
}

void TestRewindBeside::aStopEndsAll()
{
    SG_PROJECT(project, "beside");
    runs::RunRequest request;
    request.thread = ThreadId("t");
    request.input =
        items(ValueList(4, item("print('runs', flush=True); import time; time.sleep(60); told = 0")));
    const auto started = project.workbench->runs().start(request);
    SG_VERIFY_OK(started);
    std::string log;
    QTRY_VERIFY((log += project.takeLog()).find("runs") != std::string::npos);
    const auto begin = std::chrono::steady_clock::now();
    project.workbench->runs().stop(*started);
    const RunResult result = project.workbench->runs().wait(*started);
    QVERIFY(result.status == RunStatus::Stopped);
    QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));
    QCOMPARE(told(project.run(items({ item("told = base") }))),
             std::string("[\"base\"]\nlook base base.txt\n"));
}

void TestRewindBeside::moreThanThePlacesWaitAndTheirTimeDoesNotCount()
{
    SG_PROJECT(project, "beside");
    const Heard heard(project);
    const ValueList waits(20, item("import time; time.sleep(1); told = 0")); // there are 16 places
    QCOMPARE(project.run(items(waits)).error, std::string());
    QVERIFY2(heard.wall() >= 2.0, std::to_string(heard.wall()).c_str());
    QCOMPARE(heard.seconds.size(), std::size_t(20));
    for (const double seconds : heard.seconds)
        QVERIFY2(seconds < 2.0, std::to_string(seconds).c_str());
}

void TestRewindBeside::whatCannotBeForkedRunsAlone()
{
    SG_PROJECT(project, "beside");
    const std::string thread = "import threading, time\nthreading.Thread(target=time.sleep, args=(600,), "
                               "daemon=True).start()\ntold = 0";
    QCOMPARE(project.run(items({ item(thread, "serial") })).error, std::string());
    project.takeLog();
    const RunResult result =
        project.run(items({ item("told = 1"), item("told = 2") }), {}, rewind::SandboxChoice::Keep);
    QCOMPARE(result.error, std::string());
    SG_VERIFY_CONTAINS(project.takeLog(), "it runs alone, not beside others: thread");
}

SG_CORE_TEST(TestRewindBeside)
#include "tst_rewind_beside.moc"
