#include "tests/core/sessions/session_fixture.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <sys/resource.h>

#include <thread>

using namespace sg;
using sessions::CellResult;
using sessions::CellStatus;
using test::SessionFixture;

namespace {

std::string summary(const CellResult& result)
{
    static constexpr std::array kNames{ "ok", "error", "interrupt", "timed out", "stopped", "died" };
    std::string text = kNames.at(static_cast<std::size_t>(result.status));
    if (result.error)
        text += " " + result.error->type + ": " + result.error->message;
    if (result.restarted)
        text += " (restarted)";
    return text;
}

std::string joined(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines)
        text += line + "\n";
    return text;
}

long peakMemoryKiB()
{
    struct rusage usage { };
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

} // namespace

class TestSession : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsNamesBetweenCells();
    void givesTheLastExpression();
    void reportsWhatTheCodeRaised();
    void callsANodeFunction();
    void asksAPersonAndGoesOn();
    void sendsCustomData();
    void stopsAtTheDeadlineAndGoesOn();
    void replacesAnInterpreterThatIgnoresTheDeadline();
    void stopsWhenAsked();
    void stopsAWaitingCell();
    void runsOneCellAtATime();
    void boundsWhatIsPrinted();
    void passesAnyBytes();
    void survivesTheDeathOfTheInterpreter();
    void startsAnewAfterTheDeathOfTheSandbox();
    void saysThatMemoryRanOut();
    void noticesDeathBetweenCells();
    void handsOverWhatWasPrintedBetweenCells();
    void refusesAFrameThatIsTooLarge();
    void endsForGood();
    void failsToStartWithAReason();
    void leavesNoProcess();
};

void TestSession::keepsNamesBetweenCells()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    QCOMPARE(f.session->info().state.text(), std::string("idle"));
    QCOMPARE(summary(f.run("x = 20")), std::string("ok"));
    QCOMPARE(summary(f.run("print(x + 1)")), std::string("ok"));
    QCOMPARE(f.out, std::string("21\n"));
}

void TestSession::givesTheLastExpression()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    QCOMPARE(f.run("[1, 2] * 2").value, Value::map({ { "text/plain", "[1, 2, 1, 2]" } }));
    QCOMPARE(f.run("x = 1").value, Value());
}

void TestSession::reportsWhatTheCodeRaised()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    const CellResult result = f.run("def divide(n):\n    return 1 / n\n\ndivide(0)");
    QCOMPARE(summary(result), std::string("error ZeroDivisionError: division by zero"));
    SG_VERIFY_CONTAINS(result.error->traceback, "in divide");
    SG_VERIFY_CONTAINS(result.error->traceback, "ZeroDivisionError: division by zero");
    QVERIFY(result.error->traceback.find("sandglass_runner") == std::string::npos);
}

void TestSession::callsANodeFunction()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    sessions::FunctionCall call;
    call.file = "nodes/double.py";
    call.source = "def node(state, config):\n    return {'value': state['value'] * 2, 'who': "
                  "config['configurable']['thread_id']}\n";
    call.state = Value::map({ { "value", 21 }, { "other", Ext{ 42, "opaque" } } });
    call.config = Value::map({ { "configurable", Value::map({ { "thread_id", "alice" } }) } });
    CellResult result = f.session->call(call, {}, {}, f.handlers(), {});
    QCOMPARE(summary(result), std::string("ok"));
    QCOMPARE(result.value, Value::map({ { "value", 42 }, { "who", "alice" } }));

    call.source = "def node(state):\n    return {'other': state['other']}\n";
    result = f.session->call(call, {}, {}, f.handlers(), {});
    QCOMPARE(summary(result), std::string("ok"));
    QCOMPARE(result.value, Value::map({ { "other", Ext{ 42, "opaque" } } })); // untouched

    call.function = "missing";
    result = f.session->call(call, {}, {}, f.handlers(), {});
    QCOMPARE(result.status, CellStatus::Error);
    SG_VERIFY_CONTAINS(result.error->message, "missing");
}

void TestSession::asksAPersonAndGoesOn()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    sessions::FunctionCall call;
    call.file = "nodes/ask.py";
    call.source = "from langgraph.types import interrupt\n"
                  "def node(state):\n    first = interrupt('name?')\n    second = interrupt({'age': first})\n"
                  "    return {'a': first, 'b': second}\n";
    call.state = Value::map();
    CellResult result = f.session->call(call, {}, {}, f.handlers(), {});
    QCOMPARE(summary(result), std::string("interrupt"));
    QCOMPARE(result.interruptValue, Value("name?"));
    QCOMPARE(result.answersUsed, 0);
    call.answers = { "Ann" };
    result = f.session->call(call, {}, {}, f.handlers(), {});
    QCOMPARE(summary(result), std::string("interrupt"));
    QCOMPARE(result.interruptValue, Value::map({ { "age", "Ann" } }));
    QCOMPARE(result.answersUsed, 1);
    call.answers = { "Ann", 7 };
    result = f.session->call(call, {}, {}, f.handlers(), {});
    QCOMPARE(summary(result), std::string("ok"));
    QCOMPARE(result.answersUsed, 2);
    QCOMPARE(result.value, Value::map({ { "a", "Ann" }, { "b", 7 } }));
}

void TestSession::sendsCustomData()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    sessions::FunctionCall call;
    call.file = "nodes/tell.py";
    call.source = "from langgraph.config import get_stream_writer\n"
                  "def node(state):\n    get_stream_writer()({'progress': 1})\n";
    call.state = Value::map();
    QCOMPARE(summary(f.session->call(call, {}, {}, f.handlers(), {})), std::string("ok"));
    QCOMPARE(Value(f.custom), Value::list({ Value::map({ { "progress", 1 } }) }));
}

void TestSession::stopsAtTheDeadlineAndGoesOn()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    f.run("kept = 7");
    const CellResult result = f.run("while True: pass", { Millis(300) });
    QCOMPARE(summary(result),
             std::string("timed out TimeoutError: the code was stopped after 0.3 s, its limit"));
    QVERIFY(result.seconds < 30);
    QCOMPARE(summary(f.run("print(kept)")), std::string("ok"));
    QCOMPARE(f.out, std::string("7\n"));
}

void TestSession::replacesAnInterpreterThatIgnoresTheDeadline()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    f.run("kept = 7");
    const CellResult result = f.run("import signal\n"
                                    "signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass",
                                    { Millis(200) });
    QCOMPARE(result.status, CellStatus::TimedOut);
    QVERIFY(result.restarted);
    SG_VERIFY_CONTAINS(result.error->message, "its names are gone");
    QVERIFY(result.seconds < 30);
    QCOMPARE(summary(f.run("print('kept' in globals())")), std::string("ok"));
    QCOMPARE(f.out, std::string("False\n"));
    QCOMPARE(f.backend.starts.load(), 1); // the same sandbox
}

void TestSession::stopsWhenAsked()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    std::stop_source stop;
    std::atomic<bool> isRunning = false;
    std::thread stopper([&] {
        static_cast<void>(test::waitFor([&] { return isRunning.load(); }));
        stop.request_stop();
    });
    const CellResult result =
        f.session->runCell("import time\nprint('on')\ntime.sleep(60)", {}, {},
                           { [&](const sessions::CellOutput&) { isRunning = true; }, {} }, stop.get_token());
    stopper.join();
    QCOMPARE(summary(result), std::string("stopped Stopped: the code was stopped"));
    QVERIFY(result.seconds < 30);
    QCOMPARE(summary(f.run("1")), std::string("ok"));
}

void TestSession::stopsAWaitingCell()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    std::stop_source first;
    std::stop_source second;
    std::thread busy(
        [&] { f.session->runCell("import time; time.sleep(60)", {}, {}, {}, first.get_token()); });
    QVERIFY(test::waitFor([&] { return f.session->info().state.is(sessions::SessionState::Kind::Busy); }));
    CellResult result;
    std::thread waiting([&] { result = f.session->runCell("1", {}, {}, {}, second.get_token()); });
    second.request_stop();
    waiting.join();
    first.request_stop();
    busy.join();
    QCOMPARE(summary(result), std::string("stopped Stopped: the code was stopped before it began"));
}

void TestSession::runsOneCellAtATime()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    QCOMPARE(
        summary(f.run(
            "n = 0\ndef step():\n    global n\n    m = n\n    for i in range(2000): pass\n    n = m + 1")),
        std::string("ok"));
    std::vector<std::thread> threads;
    std::atomic<int> fine = 0;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 25; ++i)
                fine += f.session->runCell("step()", {}, {}, {}, {}).status == CellStatus::Ok ? 1 : 0;
        });
    for (auto& thread : threads)
        thread.join();
    QCOMPARE(fine.load(), 100);
    f.run("print(n)");
    QCOMPARE(f.out, std::string("100\n"));
}

void TestSession::boundsWhatIsPrinted()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    const long before = peakMemoryKiB();
    const CellResult result =
        f.run("import os\nblock = b'x' * (1 << 20)\nfor i in range(1024): os.write(1, block)",
              { Millis(60'000), 100'000 });
    QCOMPARE(summary(result), std::string("ok"));
    QCOMPARE(f.out.size(), std::size_t(100'000));
    QCOMPARE(result.droppedBytes, (1LL << 30) - 100'000);
    QCOMPARE(f.notes.size(), std::size_t(1));
    SG_VERIFY_CONTAINS(f.notes.front(), "output limit");
    QVERIFY2(peakMemoryKiB() - before < 64L * 1024, std::to_string(peakMemoryKiB() - before).c_str());
    QCOMPARE(summary(f.run("print('on')")), std::string("ok"));
}

void TestSession::passesAnyBytes()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    const std::string bytes("\xff\xfe\0\x1b]52;c;AAAA\x07\x1b[2J\xe2\x80\xae\xed\xa0\x80", 25);
    const CellResult result =
        f.run("import os\n"
              "os.write(1, b'\\xff\\xfe\\0\\x1b]52;c;AAAA\\x07\\x1b[2J\\xe2\\x80\\xae\\xed\\xa0\\x80')\n"
              "os.write(2, b'\\xc3\\x28');");
    QCOMPARE(summary(result), std::string("ok"));
    QCOMPARE(f.out, bytes);
    QCOMPARE(f.err, std::string("\xc3\x28"));
}

void TestSession::survivesTheDeathOfTheInterpreter()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    const CellResult exited = f.run("import os; os._exit(3)");
    QCOMPARE(exited.status, CellStatus::Died);
    SG_VERIFY_CONTAINS(exited.error->message, "exit code 3");
    QVERIFY(exited.restarted);
    QCOMPARE(summary(f.run("1 + 1")), std::string("ok"));
    const CellResult killed = f.run("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)");
    QCOMPARE(killed.status, CellStatus::Died);
    SG_VERIFY_CONTAINS(killed.error->message, "signal 11");
    QCOMPARE(f.backend.starts.load(), 1);
}

void TestSession::startsAnewAfterTheDeathOfTheSandbox()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    f.run("x = 1");
    const CellResult result =
        f.run("import os, signal; os.kill(os.getppid(), signal.SIGKILL); import time; time.sleep(9)");
    QCOMPARE(result.status, CellStatus::Died);
    SG_VERIFY_CONTAINS(result.error->message, "ended by itself");
    SG_VERIFY_CONTAINS(f.session->info().state.text(), "ended: ");
    const CellResult next = f.run("print('x' in globals())");
    QCOMPARE(summary(next), std::string("ok (restarted)"));
    QCOMPARE(f.out, std::string("False\n"));
    SG_VERIFY_CONTAINS(joined(f.notes), "started anew");
    QCOMPARE(summary(f.run("1")), std::string("ok"));
    QCOMPARE(f.backend.starts.load(), 2);
    QCOMPARE(f.backend.alive.load(), 1);
}

void TestSession::saysThatMemoryRanOut()
{
    SessionFixture f;
    f.backend.diesOfMemory = true;
    SG_VERIFY_OK(f.session->start());
    const CellResult result =
        f.run("import os, signal; os.kill(os.getppid(), signal.SIGKILL); import time; time.sleep(9)");
    QCOMPARE(summary(result), std::string("died MemoryError: the session used 2.0 GiB, its memory limit"));
}

void TestSession::noticesDeathBetweenCells()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    ::kill(f.backend.lastPid, SIGKILL);
    QVERIFY(test::waitFor([&] {
        f.session->tick();
        return f.session->info().state.hasEnded();
    }));
    {
        const std::lock_guard lock(f.mutex);
        QCOMPARE(f.events.size(), std::size_t(1));
    }
    QCOMPARE(summary(f.run("1")), std::string("ok (restarted)"));
}

void TestSession::handsOverWhatWasPrintedBetweenCells()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    f.run("import threading, time\n"
          "done = threading.Event()\n"
          "def later():\n    done.wait()\n    print('from behind', flush=True)\n"
          "thread = threading.Thread(target=later); thread.start()");
    f.run("threading.Timer(0.2, done.set).start()");
    f.out.clear();
    QVERIFY(test::waitFor([&] {
        f.session->tick();
        return f.run("thread.is_alive()").value["text/plain"] == Value("False");
    }));
    f.session->tick();
    f.run("1");
    SG_VERIFY_CONTAINS(f.out, "from behind");
}

void TestSession::refusesAFrameThatIsTooLarge()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    sessions::CellLimits limits;
    limits.stateBytes = 64 << 20;
    const std::string code = "x = '" + std::string(66U << 20, 'x') + "'";
    const CellResult result = f.run(code, limits);
    QCOMPARE(result.status, CellStatus::Error);
    QCOMPARE(result.error->type, std::string("StateTooLarge"));
    SG_VERIFY_CONTAINS(result.error->message, "raise \"state_mb\"");
    QCOMPARE(summary(f.run("1", limits)), std::string("ok"));
    limits.stateBytes = 80 << 20;
    QCOMPARE(summary(f.run(code, limits)), std::string("ok"));
}

void TestSession::endsForGood()
{
    SessionFixture f;
    SG_VERIFY_OK(f.session->start());
    std::thread ender([&] {
        static_cast<void>(
            test::waitFor([&] { return f.session->info().state.is(sessions::SessionState::Kind::Busy); }));
        f.session->end();
    });
    const CellResult result = f.run("import time; time.sleep(60)");
    ender.join();
    QCOMPARE(summary(result), std::string("died SessionEnded: the session was ended"));
    const CellResult next = f.run("1");
    QCOMPARE(next.status, CellStatus::Died);
    QCOMPARE(f.backend.alive.load(), 0);
}

void TestSession::failsToStartWithAReason()
{
    SessionFixture f;
    f.backend.startError = "the engine is not running";
    const auto started = f.session->start();
    QVERIFY(!started);
    SG_VERIFY_CONTAINS(started.error().message, "the engine is not running");
    const CellResult result = f.run("1");
    QCOMPARE(result.status, CellStatus::Died);
    SG_VERIFY_CONTAINS(result.error->message, "the engine is not running");
}

void TestSession::leavesNoProcess()
{
    int pid = 0;
    {
        SessionFixture f;
        SG_VERIFY_OK(f.session->start());
        f.run("import subprocess; p = subprocess.Popen(['sleep', '600'], start_new_session=True); "
              "print(p.pid)");
        pid = std::stoi(f.out);
        QCOMPARE(::kill(pid, 0), 0);
    }
    QVERIFY(test::waitFor([&] { return ::kill(pid, 0) != 0; }));
}

SG_TEST(TestSession)
#include "tst_session.moc"
