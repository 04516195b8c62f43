// The program tells what is wrong when the machine, the disk or another program is against it.

#include "core/base/file.h"
#include "tests/app/cli/command_line.h"
#include "tests/support/machine.h"
#include "tests/support/small_disk.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <optional>

using namespace sg;
using Words = std::vector<std::string>;
using test::Answer;
using test::CommandLine;

namespace {

constexpr const char* kCounter = "counter.graph.json";
constexpr const char* kSlow = "slow.graph.json";
constexpr const char* kCrash = "crash.graph.json";

std::vector<std::string> counting(const std::string& thread)
{
    return { "--json", "run", kCounter, "--thread", thread, "--input", R"({"value": 1})" };
}

// sqlite3's own shell is not needed: Python's module is in every Debian.
Answer sqlite(const CommandLine& shell, const std::string& script)
{
    ProcessSpec spec;
    spec.program = "/usr/bin/python3";
    spec.arguments = { "-c",
                       "import sqlite3, sys\nc = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
                           + script,
                       shell.database().string() };
    return CommandLine::execute(spec);
}

// Processes whose command line or environment names `text`.
std::string allOf(const Fd& pipe)
{
    std::string text(4096, '\0');
    std::size_t size = 0;
    for (ssize_t got = 1; got > 0 && size < text.size();
         size += static_cast<std::size_t>(std::max<ssize_t>(got, 0)))
        got = ::read(pipe.get(), text.data() + size, text.size() - size);
    text.resize(size);
    return text;
}

int processesOf(const std::string& text)
{
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const std::string name = entry.path().filename().string();
        if (!std::all_of(name.begin(), name.end(), [](unsigned char c) { return c >= '0' && c <= '9'; }))
            continue;
        std::ifstream file(entry.path() / "cmdline", std::ios::binary);
        const std::string line((std::istreambuf_iterator<char>(file)), {});
        if (std::stoi(name) != ::getpid() && line.find(text) != std::string::npos)
            ++count;
    }
    return count;
}

} // namespace

class TestCliFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aKilledRunGoesOn()
    {
        const CommandLine shell;
        shell.take("slow");
        auto spec = shell.spec({ "run", kSlow, "--thread", "t", "--input", R"({"value": 1})" });
        auto child = ChildProcess::start(spec);
        SG_VERIFY_OK(child);
        // `first` is done, `second` works for a long time
        QVERIFY(test::waitFor([&] {
            const Value state = shell.run({ "state", "--thread", "t" }).json();
            return state["next"] == Value::list({ "second" });
        }));
        QCOMPARE(shell.run({ "--json", "threads" }).json()[0]["status"], Value("running"));
        child->kill(SIGKILL);
        SG_VERIFY_OK(child->wait(std::chrono::seconds(10)));
        QVERIFY(test::waitFor([&] { return processesOf(shell.project().string()) == 0; }));
        QCOMPARE(shell.run({ "--json", "history", "--thread", "t" }).json()[0]["next"],
                 shell.run({ "state", "--thread", "t" }).json()["next"]);
        const Value before = shell.run({ "--json", "history", "--thread", "t" }).json();
        QCOMPARE(before.asList().size(), std::size_t(3));
        QCOMPARE(shell.run({ "--json", "threads" }).json()[0]["status"], Value("unfinished"));

        std::string quick = *readFile(shell.project() / kSlow);
        quick.replace(quick.find("1e15"), 4, "3");
        shell.write(kSlow, quick);
        const Answer resumed = shell.run({ "--json", "resume", kSlow, "--thread", "t" });
        SG_EXIT(resumed, 0);
        QCOMPARE(resumed.json()["values"]["log"], Value::list({ "first", "second" })); // `first` once
        const Value after = shell.run({ "--json", "history", "--thread", "t" }).json();
        QCOMPARE(after.asList().size(), std::size_t(4));
        for (std::size_t i = 0; i < 3; ++i)
            QCOMPARE(after[i + 1], before[i]);
    }

    // A crafted file may name a checkpoint as its own ancestor; no look at it may go round for ever.
    void parentsInACircleEndEveryLook()
    {
        const CommandLine shell("conversation");
        SG_EXIT(
            shell.run({ "run", ".", "--thread", "t", "--input", R"({"wanted": 2, "messages": "hello"})" }),
            0);
        SG_EXIT(sqlite(shell,
                       "c.execute('UPDATE checkpoints SET parent_checkpoint_id = "
                       "(SELECT max(checkpoint_id) FROM checkpoints)')"),
                0);
        const Answer explained = shell.run({ "--json", "explain", "--thread", "t" });
        SG_EXIT(explained, 1);
        SG_VERIFY_CONTAINS(explained.json()["error"].stringOr("message", ""), "each other's parents");
        SG_EXIT(shell.run({ "--json", "state", "--thread", "t" }), 1); // its messages are stored as changes
        SG_EXIT(shell.run({ "--json", "resume", ".", "--thread", "t" }), 1);
        for (const char* verb : { "history", "usage" }) {
            const Answer looked = shell.run({ "--json", verb, "--thread", "t" });
            QVERIFY2(looked.exit == 0 || looked.exit == 1, looked.whole().c_str());
        }
    }

    // Two tasks of one superstep: one is done when the program is killed, the other is not.
    void finishedTasksAreNotRunAgain()
    {
        SG_NEED("bubblewrap");
        const CommandLine shell;
        shell.take("crash");
        shell.write("nodes/quick.py",
                    "def node(state, config):\n    open('/session/artifacts/quick.txt', 'w').write('x')\n"
                    "    return {'log': ['quick']}\n");
        auto child =
            ChildProcess::start(shell.spec({ "run", kCrash, "--thread", "t", "--backend", "bubblewrap" }));
        SG_VERIFY_OK(child);
        const auto artifacts = [&] { return shell.run({ "--json", "artifacts", "list" }).json(); };
        const auto finished = [&] {
            const Value state = shell.run({ "state", "--thread", "t" }).json();
            const Value& first = state["tasks"][0];
            return first["name"] == Value("quick") && !first["result"].isNull();
        };
        QVERIFY(test::waitFor(finished, std::chrono::seconds(40)));
        child->kill(SIGKILL);
        SG_VERIFY_OK(child->wait(std::chrono::seconds(10)));
        QVERIFY2(test::waitFor([&] { return processesOf(shell.project().string()) == 0; }),
                 "processes left behind");
        QCOMPARE(artifacts().asList().size(), std::size_t(1));
        // what is done is not next, wherever it is asked
        QCOMPARE(shell.run({ "state", "--thread", "t" }).json()["next"], Value::list({ "slow" }));
        QCOMPARE(shell.run({ "--json", "history", "--thread", "t" }).json()[0]["next"],
                 Value::list({ "slow" }));
        std::string quick = *readFile(shell.project() / kCrash);
        quick.replace(quick.find("1e15"), 4, "3");
        shell.write(kCrash, quick);
        const Answer resumed =
            shell.run({ "--json", "resume", kCrash, "--thread", "t", "--backend", "bubblewrap" });
        SG_EXIT(resumed, 0);
        QCOMPARE(resumed.json()["values"]["log"], Value::list({ "quick", "slow" }));
        QCOMPARE(artifacts().asList().size(),
                 std::size_t(1)); // a second execution would have left a second one
        std::string left;
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(shell.project() / ".sandglass"))
            if (entry.path().string().find("/blobs/tmp/") != std::string::npos
                || entry.path().string().find("/sessions/") != std::string::npos)
                left += entry.path().string() + " ";
        QCOMPARE(left, std::string());
    }

    void aThreadRunsOnce()
    {
        const CommandLine shell;
        shell.take("slow");
        auto child =
            ChildProcess::start(shell.spec({ "run", kSlow, "--thread", "t", "--input", R"({"value": 1})" }));
        SG_VERIFY_OK(child);
        QVERIFY(test::waitFor([&] {
            return shell.run({ "--json", "threads" }).json()[0]["status"] == Value("running");
        }));
        CommandLine elsewhere; // another login: nothing of the environment is the same
        auto spec = elsewhere.spec({ "--json", "run", (shell.project() / kSlow).string(), "--thread", "t" });
        spec.workingFolder = "/";
        const Answer second = CommandLine::execute(spec);
        SG_EXIT(second, 7);
        QCOMPARE(second.json()["error"]["code"], Value("database_busy"));
        SG_VERIFY_CONTAINS(second.err, "'t' has a run under way");
        QVERIFY2(second.err.find("begins anew") == std::string::npos, second.err.c_str());
        // Ctrl+C ends it in order
        child->kill(SIGINT);
        const auto end = child->wait(std::chrono::seconds(20));
        SG_VERIFY_OK(end);
        QCOMPARE(end->code, 130);
        QVERIFY(shell.run({ "--json", "threads" }).json()[0]["status"] != Value("running"));
    }

    void aClosedTerminalStopsARunInOrder_data()
    {
        QTest::addColumn<bool>("isIgnored");
        QTest::newRow("closed") << false;
        QTest::newRow("under nohup") << true;
    }
    // The kernel and the shell each tell of it.
    void aClosedTerminalStopsARunInOrder()
    {
        QFETCH(const bool, isIgnored);
        const CommandLine shell;
        shell.take("slow");
        ProcessSpec spec =
            shell.spec({ "--json", "run", kSlow, "--thread", "t", "--input", R"({"value": 1})" });
        if (isIgnored) {
            spec.arguments.insert(spec.arguments.begin(),
                                  { "-c", "trap '' HUP; exec \"$0\" \"$@\"", spec.program });
            spec.program = "/bin/sh";
        }
        spec.pipeStdout = true;
        auto child = ChildProcess::start(spec);
        SG_VERIFY_OK(child);
        QVERIFY(test::waitFor([&] {
            return shell.run({ "--json", "threads" }).json()[0]["status"] == Value("running");
        }));
        child->kill(SIGHUP);
        child->kill(SIGHUP);
        if (isIgnored) {
            QVERIFY(!child->wait(std::chrono::milliseconds(500)));
            child->kill(SIGTERM);
        }
        const auto end = child->wait(std::chrono::seconds(20));
        SG_VERIFY_OK(end);
        QCOMPARE(end->signal, 0);
        QCOMPARE(end->code, 130);
        const auto told = parseJson(allOf(child->stdoutPipe()));
        SG_VERIFY_OK(told);
        QCOMPARE((*told)["status"], Value("stopped"));
    }

    // At any moment from its start on: while it reads its arguments, opens the project, starts the run.
    void ctrlCInTheFirstMomentsEndsItInOrder()
    {
        const CommandLine shell;
        shell.take("slow");
        int told = 0;
        for (int ms = 1; ms <= 120; ms += ms < 40 ? 3 : 20) {
            ProcessSpec spec = shell.spec({ "run", kSlow, "--thread", "t", "--input", R"({"value": 1})" });
            spec.pipeStderr = true;
            auto child = ChildProcess::start(spec);
            SG_VERIFY_OK(child);
            QVERIFY(!child->wait(std::chrono::milliseconds(ms))); // it would run for ever
            child->kill(SIGINT);
            const auto end = child->wait(std::chrono::seconds(20));
            SG_VERIFY_OK(end);
            if (end->signal != SIGINT) // as the loader still looks for its libraries
                QCOMPARE(end->code, 130);
            const std::string text = allOf(child->stderrPipe());
            QVERIFY2(end->signal == SIGINT || text.find("stop") != std::string::npos, text.c_str());
            told += end->signal != SIGINT ? 1 : 0;
            QVERIFY2(test::waitFor([&] { return processesOf(shell.project().string()) == 0; }),
                     "processes left behind");
        }
        QVERIFY2(told > 5, "it was never there when the signal came");
        QVERIFY(shell.run({ "--json", "threads" }).exit == 0);
        shell.write("slow.graph.json",
                    R"({"format": 1, "name": "slow", "state": {"value": {"type": "last_value"}},)"
                    R"( "nodes": [{"name": "n", "kind": "jq", "jq": "{value: 2}"}],)"
                    R"( "edges": [["__start__", "n"], ["n", "__end__"]]})");
        SG_EXIT(shell.run({ "run", kSlow, "--thread", "t" }), 0); // the thread is free
    }

    void aLockedDatabaseIsNamed()
    {
        const CommandLine shell("counter");
        SG_EXIT(shell.run(counting("a")), 0);
        ProcessSpec spec;
        spec.program = "/usr/bin/python3";
        spec.arguments = { "-c",
                           "import sqlite3, sys\nc = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
                           "c.execute('BEGIN EXCLUSIVE'); print('locked', flush=True); sys.stdin.read()",
                           shell.database().string() };
        spec.pipeStdin = true;
        spec.pipeStdout = true;
        auto holder = ChildProcess::start(spec);
        SG_VERIFY_OK(holder);
        char byte = 0;
        QCOMPARE(::read(holder->stdoutPipe().get(), &byte, 1), ssize_t(1));
        const Answer answer = shell.run(counting("b"));
        SG_EXIT(answer, 7);
        SG_VERIFY_CONTAINS(answer.err, "checkpoints.sqlite");
        SG_VERIFY_CONTAINS(answer.err, "another");
        holder->stdinPipe().reset();
        SG_VERIFY_OK(holder->wait(std::chrono::seconds(10)));
        SG_EXIT(shell.run(counting("b")), 0);
        QCOMPARE(shell.run({ "state", "--thread", "a" }).json()["values"]["value"], Value(4));
    }

    void aDamagedDatabaseIsNamed_data()
    {
        QTest::addColumn<std::string>("damage");
        QTest::addColumn<std::string>("says");
        for (const auto& [damage, says] : std::vector<std::pair<std::string, std::string>>{
                 { "text", "not a" }, { "truncated", "damaged" }, { "newer", "newer" } })
            QTest::newRow(damage.c_str()) << damage << says;
    }
    void aDamagedDatabaseIsNamed()
    {
        QFETCH(std::string, damage);
        QFETCH(std::string, says);
        const CommandLine shell("counter");
        SG_EXIT(shell.run(counting("a")), 0);
        if (damage == "text")
            shell.write(".sandglass/checkpoints.sqlite", std::string(5000, 'x'));
        else if (damage == "truncated")
            std::filesystem::resize_file(shell.database(), std::filesystem::file_size(shell.database()) / 2);
        else
            SG_EXIT(
                sqlite(shell, "c.execute(\"UPDATE sandglass_meta SET value = 999 WHERE key = 'version'\")"),
                0);
        const auto content = *readFile(shell.database());
        std::vector<std::vector<std::string>> refused{ counting("b") };
        if (damage == "newer") { // can be read, not written
            SG_EXIT(shell.run({ "--json", "history", "--thread", "a" }), 0);
        } else {
            refused.push_back({ "--json", "threads" });
            refused.push_back({ "--json", "history", "--thread", "a" });
        }
        for (const auto& words : refused) {
            const Answer answer = shell.run(words);
            SG_EXIT(answer, 1);
            SG_VERIFY_CONTAINS(answer.err, "checkpoints.sqlite");
            SG_VERIFY_CONTAINS(answer.err, says);
            QCOMPARE(answer.json()["error"]["code"], Value("failed"));
        }
        QVERIFY(*readFile(shell.database()) == content); // nothing was "repaired"
    }

    void aFullDiskLosesNothingStored()
    {
        const test::SmallDisk disk("1m");
        if (!disk.problem().empty())
            SG_SKIP_WITHOUT("small_disk", disk.problem());
        const CommandLine shell("counter");
        const std::string file = (disk.path() / "c.sqlite").string();
        auto words = counting("a");
        words.insert(words.end(), { "--db", file });
        SG_EXIT(shell.run(words), 0);
        const Value before = shell.run({ "--json", "history", "--thread", "a", "--db", file }).json();
        QCOMPARE(before.asList().size(), std::size_t(4));
        { // no room is left
            const int filler = ::open((disk.path() / "filler").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
            const std::string block(512, 'f');
            while (::write(filler, block.data(), block.size()) > 0) { }
            ::close(filler);
        }
        shell.write("big.json", R"({"value": ")" + std::string(200'000, 'v') + R"("})");
        const Answer full =
            shell.run({ "--json", "run", kCounter, "--thread", "a", "--input", "@big.json", "--db", file });
        QVERIFY2(full.exit == 1, full.whole().c_str());
        SG_VERIFY_CONTAINS(full.err, "disk");
        const Value told = full.json(); // a run that could not even begin tells of its error alone
        QVERIFY2(told["error"].isMap(), full.whole().c_str());
        QVERIFY(told.find("checkpoint_id") == nullptr || told["checkpoint_id"] == before[0]["checkpoint_id"]);
        const Answer person =
            shell.run({ "run", kCounter, "--thread", "a", "--input", "@big.json", "--db", file });
        QVERIFY2(person.err.find("What was done so far is stored") == std::string::npos,
                 person.whole().c_str());
        QCOMPARE(shell.run({ "--json", "history", "--thread", "a", "--db", file }).json(), before);
        std::filesystem::remove(disk.path() / "filler");
        SG_EXIT(shell.run(words), 0);
    }

    void aProjectThatCannotBeWrittenSaysSo()
    {
        const test::SmallDisk disk("1m");
        if (!disk.problem().empty())
            SG_SKIP_WITHOUT("small_disk", disk.problem());
        const CommandLine shell("counter");
        std::filesystem::copy(shell.project() / kCounter, disk.path() / kCounter);
        QVERIFY(disk.makeReadOnly());
        auto spec = shell.spec(counting("a"));
        spec.workingFolder = disk.path().string();
        const Answer answer = CommandLine::execute(spec);
        SG_EXIT(answer, 1);
        SG_VERIFY_CONTAINS(answer.err, disk.path().string());
        SG_VERIFY_CONTAINS(answer.err, "writable");
        auto valid = shell.spec({ "validate", (disk.path() / kCounter).string() });
        SG_EXIT(CommandLine::execute(valid), 0);
    }

    void aProjectThatCannotBeWrittenIsRead_data()
    {
        QTest::addColumn<Words>("words");
        for (const Words& words : { Words{ "state", "--thread", "a" }, Words{ "artifacts", "list" },
                                    Words{ "artifacts", "verify" }, Words{ "session", "list" },
                                    Words{ "session", "settings" }, Words{ "threads" } })
            QTest::newRow((words[0] + words.back()).c_str()) << words;
    }
    void aProjectThatCannotBeWrittenIsRead()
    {
        QFETCH(Words, words);
        const test::SmallDisk disk("4m");
        if (!disk.problem().empty())
            SG_SKIP_WITHOUT("small_disk", disk.problem());
        const CommandLine shell("counter");
        std::filesystem::copy(shell.project() / kCounter, disk.path() / kCounter);
        auto spec = shell.spec(counting("a"));
        spec.workingFolder = disk.path().string();
        SG_EXIT(CommandLine::execute(spec), 0);
        QVERIFY(disk.makeReadOnly());
        spec.arguments = words;
        spec.arguments.insert(spec.arguments.begin(), "--json");
        const Answer answer = CommandLine::execute(spec);
        SG_EXIT(answer, 0);
        QVERIFY2(!answer.json().isNull(), answer.whole().c_str());
    }

    void noSandboxSaysWhatToInstall_data()
    {
        QTest::addColumn<std::string>("backend");
        QTest::newRow("bubblewrap") << std::string("bubblewrap");
        QTest::newRow("docker") << std::string("docker");
        QTest::newRow("auto") << std::string("auto");
    }
    void noSandboxSaysWhatToInstall()
    {
        QFETCH(std::string, backend);
        CommandLine shell("retry");
        shell.replaceEnvironment("PATH", (shell.outside() / "nowhere").string());
        shell.replaceEnvironment("DOCKER_HOST", "unix:///nonexistent/docker.sock");
        const Answer answer = shell.run({ "--json", "run", ".", "--thread", "r", "--backend", backend });
        SG_EXIT(answer, 6);
        const std::string message = answer.json()["error"].stringOr("message", "");
        if (backend != "docker")
            SG_VERIFY_CONTAINS(message, "apt install bubblewrap");
        if (backend != "bubblewrap")
            SG_VERIFY_CONTAINS(message, "/nonexistent/docker.sock");
        // the thread goes on once it is there
        QCOMPARE(shell.run({ "--json", "threads" }).json()[0]["status"], Value("failed"));
    }

    void noEngineIsOneError_data()
    {
        QTest::addColumn<std::string>("verb");
        QTest::newRow("check") << std::string("check");
        QTest::newRow("build") << std::string("build");
    }
    void noEngineIsOneError()
    {
        QFETCH(std::string, verb);
        CommandLine shell;
        shell.replaceEnvironment("DOCKER_HOST", "unix:///nonexistent/docker.sock");
        const Answer answer = shell.run({ "--json", "image", verb, "--backend", "docker" });
        SG_EXIT(answer, 6);
        const std::string message = answer.json()["error"].stringOr("message", "");
        QVERIFY2(message.starts_with("no Docker Engine") || message.starts_with("the docker command"),
                 message.c_str());
        QVERIFY2(message.find('\n') == std::string::npos, message.c_str());
        QVERIFY2(answer.err.find("error: error:") == std::string::npos, answer.err.c_str());
    }

    void noDisplayIsNoCrash_data()
    {
        QTest::addColumn<std::string>("display");
        QTest::newRow("none") << std::string();
        QTest::newRow("one that does not answer") << std::string(":4711");
    }
    void noDisplayIsNoCrash()
    {
        if (!std::filesystem::exists(SG_BIN_DIR "/sandglass-workbench"))
            SG_SKIP("this build has no window (SG_BUILD_UI=OFF)");
        QFETCH(std::string, display);
        CommandLine shell("counter");
        if (!display.empty())
            shell.environment.push_back("DISPLAY=" + display);
        const Answer answer = shell.run({ "--json", "open" });
        SG_EXIT(answer, 1);
        SG_VERIFY_CONTAINS(answer.err, "display");
        SG_VERIFY_CONTAINS(answer.err, "DISPLAY");
        if (display.empty())
            QCOMPARE(answer.json()["error"]["code"], Value("failed"));
        ProcessSpec help = shell.spec({ "--help" });
        help.program = SG_BIN_DIR "/sandglass-workbench";
        const Answer told = CommandLine::execute(help);
        SG_EXIT(told, 0);
        SG_VERIFY_CONTAINS(told.out, "--theme");
    }

    void outputThatCannotBeWrittenIsAFailure_data()
    {
        QTest::addColumn<std::string>("words");
        for (const char* words : { "--json history --thread a", "state --thread a", "--help", "threads" })
            QTest::newRow(words) << std::string(words);
    }
    void outputThatCannotBeWrittenIsAFailure()
    {
        QFETCH(std::string, words);
        const CommandLine shell("counter");
        SG_EXIT(shell.run(counting("a")), 0);
        const auto to = [&](const std::string& redirection) {
            auto spec = shell.spec({ "-c", "'" SG_BIN_DIR "/sandglass' " + words + redirection });
            spec.program = "/bin/sh";
            return CommandLine::execute(spec);
        };
        const Answer full = to(" > /dev/full");
        SG_EXIT(full, 1);
        SG_VERIFY_CONTAINS(full.err, "the output could not be written: No space left on device");
        const Answer closed = to(" >&-");
        SG_EXIT(closed, 1);
        const Answer gone = to(" | true; echo end"); // nobody reads it: no failure, and no words
        QCOMPARE(gone.err, std::string());
        SG_EXIT(to(" > /dev/null"), 0);
    }

    void aReaderThatGoesAwayIsNoCrash()
    {
        const CommandLine shell("counter");
        auto spec = shell.spec(counting("a"));
        spec.pipeStdout = true;
        auto child = ChildProcess::start(spec);
        SG_VERIFY_OK(child);
        child->stdoutPipe().reset();
        const auto end = child->wait(std::chrono::seconds(20));
        SG_VERIFY_OK(end);
        QCOMPARE(end->signal, 0);
        QCOMPARE(end->code, 0);
        QCOMPARE(shell.run({ "state", "--thread", "a" }).json()["values"]["value"], Value(4));
    }
};

SG_TEST(TestCliFaults)
#include "tst_cli_faults.moc"
