// Graphs with python nodes, run by the real program in real bubblewrap sandboxes.

#include "core/base/file.h"
#include "core/base/hash.h"
#include "tests/app/cli/command_line.h"
#include "tests/support/machine.h"
#include "tests/support/small_disk.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>

using namespace sg;
using test::Answer;
using test::CommandLine;

namespace {

constexpr const char* kPython = "python.graph.json";

Answer runPython(const CommandLine& shell, const std::string& code, const std::string& thread = "t")
{
    shell.write("nodes/work.py", code);
    return shell.run({ "--json", "run", kPython, "--thread", thread, "--backend", "bubblewrap" });
}

} // namespace

class TestCliSandbox : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { SG_NEED("bubblewrap"); }

    void doctorSaysHowToMendWhatIsWeak()
    {
        const CommandLine shell("counter");
        const Answer answer = shell.run({ "--json", "doctor", "--quick" });
        std::string names;
        const Value document = answer.json();
        for (const Value& check : document["checks"].asList()) {
            names += check.stringOr("name", "?") + '|';
            const std::string state = check.stringOr("state", "");
            if (state == "weak" || state == "broken")
                QVERIFY2(!check.stringOr("mend", "").empty(), check.stringOr("text", "?").c_str());
        }
        SG_VERIFY_CONTAINS(names, "control groups|");
        SG_VERIFY_CONTAINS(names, "bubblewrap|");
        if (names.find("docker|docker|") != std::string::npos
            && answer.out.find(", runc,") != std::string::npos)
            SG_VERIFY_CONTAINS(names, "runc of docker|"); // the engine's, which need not be this machine's
    }

    void analysesPenguins()
    {
        SG_NEED("runtime");
        const CommandLine shell("penguins");
        SG_EXIT(shell.run({ "image", "check", "--backend", "bubblewrap" }), 0);
        const Answer answer = shell.run({ "--json", "run", ".", "--thread", "p", "--backend", "bubblewrap" },
                                        {}, std::chrono::seconds(240));
        SG_EXIT(answer, 0);
        const Value end = answer.json();
        QCOMPARE(end["values"]["rows"], Value(344));
        const Value& gentoo = end["values"]["statistics"]["Gentoo"];
        QCOMPARE(gentoo["count"], Value(124));
        QVERIFY(std::abs(gentoo["body_mass_g"].asDouble() - 5076.02) < 0.01);
        QVERIFY(std::abs(gentoo["flipper_length_mm"].asDouble() - 217.19) < 0.01);
        QCOMPARE(end["values"]["messages"].asList().size(), std::size_t(3));
        // names persisted between nodes, or the table would have been read again
        QVERIFY2(answer.err.find("reading the table again") == std::string::npos, answer.err.c_str());

        QCOMPARE(end["artifacts"].asList().size(), std::size_t(2));
        const auto exported = shell.outside() / "out";
        SG_EXIT(shell.run({ "artifacts", "export", "--to", exported.string() }), 0);
        const std::vector<std::pair<std::string, std::string>> magics{
            { "penguins.png", "\x89PNG\r\n\x1a\n" }, { "penguins.parquet", "PAR1" }
        };
        for (const auto& magicOf : magics) {
            const std::string& name = magicOf.first; // clang 14 captures no structured binding
            const auto content = readFile(exported / name);
            SG_VERIFY_OK(content);
            QVERIFY2(content->starts_with(magicOf.second), name.c_str());
            const ValueList& all = end["artifacts"].asList();
            const auto artifact =
                std::ranges::find_if(all, [&](const Value& one) { return one["name"] == Value(name); });
            QVERIFY(artifact != all.end());
            QCOMPARE((*artifact)["sha256"], Value(sha256Hex(*content)));
            QCOMPARE(artifact->intOr("size", 0), static_cast<std::int64_t>(content->size()));
            QCOMPARE(*readFile(artifact->stringOr("blob", "")), *content);
        }
        QCOMPARE(shell.run({ "--json", "artifacts", "list", "--thread", "p" }).json().asList().size(),
                 std::size_t(2));
        SG_EXIT(shell.run({ "--json", "artifacts", "list", "--thread", "q" }), 2); // there is none
    }

    void packagesThatAreNotBuiltAreNamed()
    {
        CommandLine shell("penguins");
        shell.removeEnvironment("SANDGLASS_PYTHON");
        shell.replaceEnvironment("XDG_DATA_HOME", (shell.outside() / "empty").string());
        const Answer answer = shell.run({ "--json", "run", ".", "--thread", "p", "--backend", "bubblewrap" });
        SG_EXIT(answer, 6);
        SG_VERIFY_CONTAINS(answer.json()["error"].stringOr("message", ""), "sandglass image build");
        SG_VERIFY_CONTAINS(answer.err, "on the system's Python alone");
        const Answer cell =
            shell.run({ "session", "exec", "--thread", "p", "--backend", "bubblewrap", "import pandas" });
        SG_EXIT(cell, 4);
        SG_VERIFY_CONTAINS(cell.err, "sandglass image build");
        // what needs no packages runs on the bare Python
        SG_EXIT(shell.run({ "session", "exec", "--thread", "p", "--backend", "bubblewrap", "1" }), 0);
    }

    // An agent's code meets the same sandbox; its model is not told to work around it.
    void packagesThatAreNotBuiltEndAnAgent()
    {
        CommandLine shell("analyst");
        shell.removeEnvironment("SANDGLASS_PYTHON");
        shell.replaceEnvironment("XDG_DATA_HOME", (shell.outside() / "empty").string());
        const Answer answer =
            shell.run({ "--json", "run", ".", "--thread", "p", "--backend", "bubblewrap", "--input",
                        R"({"messages": "On which island are the heaviest penguins, and where is it?"})" });
        SG_EXIT(answer, 6);
        SG_VERIFY_CONTAINS(answer.json()["error"].stringOr("message", ""), "sandglass image build");
    }

    void retriesUntilItWorks_data()
    {
        QTest::addColumn<std::string>("input");
        QTest::addColumn<std::string>("status");
        QTest::addColumn<int>("failures");
        QTest::newRow("fails twice") << std::string("{}") << std::string("done") << 2;
        QTest::newRow("works at once") << std::string(R"({"failures": 0})") << std::string("done") << 0;
        QTest::newRow("gives up") << std::string(R"({"failures": 5})") << std::string("failed") << 3;
    }
    void retriesUntilItWorks()
    {
        QFETCH(std::string, input);
        QFETCH(std::string, status);
        QFETCH(int, failures);
        const CommandLine shell("retry");
        const Answer answer =
            shell.run({ "--json", "run", ".", "--thread", "r", "--input", input, "--backend", "bubblewrap" });
        SG_EXIT(answer, 0);
        QCOMPARE(answer.json()["values"]["status"], Value(status));
        QCOMPARE(answer.json()["values"]["retry_count"], Value(failures));
        const std::string file = shell.database().string();
        Value bare = shell.run({ "state", "--thread", "r", "--db", file }).json();
        QVERIFY(bare.isMap());
        if (failures == 0) // never written: its default stands in the graph alone
            bare.editMap().at("values").editMap().set("retry_count", 0);
        QCOMPARE(shell.run({ "state", "--thread", "r", "--graph", "." }).json(), bare);
    }

    // The node must not count as done: its artifact would be gone with the session.
    void anArtifactThatCannotBeStoredFailsItsNode()
    {
        const test::SmallDisk disk("3m");
        if (!disk.problem().empty())
            SG_SKIP_WITHOUT("small_disk", disk.problem());
        std::filesystem::permissions(disk.path(), std::filesystem::perms(0755));
        const CommandLine shell;
        shell.take("python");
        shell.write("nodes/work.py",
                    "def node(state, config):\n"
                    "    size = 6000000 if state.get('value') == 1 else 6000\n"
                    "    open('/session/artifacts/big.bin', 'wb').write(b'x' * size)\n"
                    "    return {'value': 2}\n");
        std::filesystem::copy(shell.project(), disk.path(), std::filesystem::copy_options::recursive);
        const auto in = [&](std::vector<std::string> words) {
            auto spec = shell.spec(std::move(words));
            spec.workingFolder = disk.path().string();
            return CommandLine::execute(spec);
        };
        const Answer full = in({ "--json", "run", kPython, "--thread", "t", "--backend", "bubblewrap",
                                 "--input", "{\"value\": 1}" });
        SG_EXIT(full, 1);
        QCOMPARE(full.json()["error"]["type"], Value("ArtifactError"));
        SG_VERIFY_CONTAINS(full.json()["error"].stringOr("message", ""), "No space left on device");
        QCOMPARE(in({ "--json", "state", "--thread", "t" }).json()["next"][0], Value("work"));
        const Answer cell = in({ "--json", "session", "exec", "--thread", "c", "--backend", "bubblewrap",
                                 "open('/session/artifacts/big.bin', 'wb').write(b'x' * 6000000)" });
        SG_EXIT(cell, 1);
        QCOMPARE(cell.json()["ok"], Value(false));
        QCOMPARE(cell.json()["error"]["type"], Value("ArtifactError"));
        SG_VERIFY_CONTAINS(cell.err, "was not stored");
        auto talk = shell.spec({ "session", "attach", "--thread", "c", "--backend", "bubblewrap" });
        talk.workingFolder = disk.path().string();
        const Answer attached = CommandLine::execute(
            talk, "_ = open('/session/artifacts/big.bin', 'wb').write(b'x' * 6000000)\n");
        SG_EXIT(attached, 1);
        SG_VERIFY_CONTAINS(attached.err, "was not stored");
        // Smaller now: the node runs again, and nothing is lost.
        std::filesystem::remove(disk.path() / "nodes/work.py");
        std::filesystem::copy(shell.write("nodes/small.py",
                                          "def node(state, config):\n"
                                          "    open('/session/artifacts/big.bin', 'wb')"
                                          ".write(b'x' * 6000)\n    return {'value': 2}\n"),
                              disk.path() / "nodes/work.py");
        const Answer done = in({ "--json", "resume", kPython, "--thread", "t", "--backend", "bubblewrap" });
        SG_EXIT(done, 0);
        QCOMPARE(done.json()["artifacts"].asList().size(), std::size_t(1));
    }

    // A file that its name, size or place keeps from being stored must not end as "done" either.
    void aFileThatCannotBeStoredAsItIsFailsItsNode_data()
    {
        QTest::addColumn<std::string>("left");
        QTest::addColumn<std::string>("said");
        QTest::newRow("name") << std::string("open('a\\nb', 'w').write('x')")
                              << std::string("a name that cannot be kept");
        QTest::newRow("no text") << std::string("open(b'a\\xff', 'w').write('x')")
                                 << std::string("a name that cannot be kept");
        QTest::newRow("in many folders")
            << std::string("os.makedirs('/'.join('d' * 40)); open('/'.join('d' * 40) + '/a', 'w').write('x')")
            << std::string("a name that cannot be kept (it has more than 32 parts");
        QTest::newRow("hard link") << std::string("open('a', 'w').write('x'); os.link('a', 'b')")
                                   << std::string("a file with 2 names");
        QTest::newRow("deep") << std::string("os.makedirs('/'.join('d' * 70))")
                              << std::string("deeper than 64 folders");
        QTest::newRow("folder") << std::string(
            "os.rmdir(os.getcwd()); os.symlink('/tmp', '/session/artifacts'); open('/tmp/a', 'w').write('x')")
                                << std::string("a link or no folder");
    }
    void aFileThatCannotBeStoredAsItIsFailsItsNode()
    {
        QFETCH(std::string, left);
        QFETCH(std::string, said);
        const CommandLine shell;
        shell.take("python");
        const Answer answer = runPython(shell,
                                        "import os\ndef node(state, config):\n"
                                        "    os.chdir('/session/artifacts')\n    "
                                            + left + "\n    os.chdir('/session')\n    return {'value': 2}\n");
        SG_EXIT(answer, 4);
        QCOMPARE(answer.json()["error"]["type"], Value("ArtifactRefused"));
        SG_VERIFY_CONTAINS(answer.json()["error"].stringOr("message", ""), said);
        SG_VERIFY_CONTAINS(answer.json()["warnings"][0].stringOr("text", ""), said);
        const Answer cell = shell.run({ "--json", "session", "exec", "--thread", "c", "--backend",
                                        "bubblewrap", "import os; os.chdir('/session/artifacts'); " + left });
        SG_EXIT(cell, 1);
        QCOMPARE(cell.json()["error"]["type"], Value("ArtifactRefused"));
    }

    void aFileThatTheCodeShutIsStored_data()
    {
        QTest::addColumn<std::string>("shut");
        QTest::newRow("file") << std::string("os.chmod('/session/artifacts/d/a', 0)");
        QTest::newRow("folder") << std::string("os.chmod('/session/artifacts/d', 0)");
        QTest::newRow("artifacts") << std::string("os.chmod('/session/artifacts', 0)");
        QTest::newRow("session") << std::string("os.chmod('/session', 0)");
        QTest::newRow("umask") << std::string(
            "os.umask(0o777); open('/session/artifacts/b', 'w').write('x')");
    }
    void aFileThatTheCodeShutIsStored()
    {
        QFETCH(std::string, shut);
        const CommandLine shell;
        shell.take("python");
        const Answer answer = runPython(shell,
                                        "import os\ndef node(state, config):\n"
                                        "    os.mkdir('/session/artifacts/d')\n"
                                        "    open('/session/artifacts/d/a', 'w').write('x')\n    "
                                            + shut + "\n    return {'value': 2}\n");
        SG_EXIT(answer, 0);
        QCOMPARE(answer.json()["artifacts"].asList().size(),
                 std::size_t(shut.starts_with("os.umask") ? 2 : 1));
    }

    // Its bytes would arrive as U+FFFD, and the node would go on with other texts.
    void codeThatIsNoTextDoesNotRun()
    {
        const CommandLine shell;
        shell.take("python");
        const Answer latin = runPython(
            shell, "# -*- coding: latin-1 -*-\ndef node(state, config): return {'value': '\xE9'}\n");
        SG_EXIT(latin, 4);
        SG_VERIFY_CONTAINS(latin.json()["error"].stringOr("message", ""),
                           "nodes/work.py: it is not UTF-8 text");
        const Answer marked = runPython(shell,
                                        "\xEF\xBB\xBF"
                                        "def node(state, config): return {'value': 3}\n");
        SG_EXIT(marked, 0);
        QCOMPARE(marked.json()["values"]["value"], Value(3));
    }

    void whatIsDroppedIsPartOfTheDocument()
    {
        const CommandLine shell;
        shell.take("python");
        const Answer answer = runPython(shell,
                                        "import os\ndef node(state, config):\n"
                                        "    os.symlink('/session/x', '/session/artifacts/l')\n"
                                        "    return {'value': 2, 'valeu': 3}\n");
        SG_EXIT(answer, 0);
        const Value document = answer.json();
        const ValueList& warnings = document["warnings"].asList();
        QCOMPARE(warnings.size(), std::size_t(2));
        QCOMPARE(warnings[0]["node"], Value("work"));
        SG_VERIFY_CONTAINS(warnings[0].stringOr("text", ""), "a link, not stored");
        SG_VERIFY_CONTAINS(warnings[1].stringOr("text", ""), "'valeu'");
    }

    void aNodeThatRaisesShowsItsOwnFrames()
    {
        const CommandLine shell;
        shell.take("python");
        const Answer answer = runPython(
            shell, "def deeper(x):\n    return 1 / x\n\ndef node(state, config):\n    return deeper(0)\n");
        SG_EXIT(answer, 4);
        const Value end = answer.json();
        QCOMPARE(end["status"], Value("failed"));
        const Value& error = end["error"];
        QCOMPARE(error["node"], Value("work"));
        QCOMPARE(error["type"], Value("ZeroDivisionError"));
        const std::string traceback = error.stringOr("traceback", "");
        SG_VERIFY_CONTAINS(traceback, "work.py\", line 2, in deeper");
        SG_VERIFY_CONTAINS(traceback, "return 1 / x");
        QVERIFY2(traceback.find("interpreter") == std::string::npos
                     && traceback.find("/run/sandglass") == std::string::npos
                     && traceback.find("resources/sandbox") == std::string::npos,
                 traceback.c_str());
        QCOMPARE(shell.run({ "--json", "threads" }).json()[0]["status"], Value("failed"));
        // the repaired file goes on from there
        shell.write("nodes/work.py", "def node(state, config):\n    return {'value': 5}\n");
        const Answer resumed =
            shell.run({ "--json", "resume", kPython, "--thread", "t", "--backend", "bubblewrap" });
        SG_EXIT(resumed, 0);
        QCOMPARE(resumed.json()["values"]["value"], Value(5));
    }

    void numbersThatJsonHasNotAreText()
    {
        const CommandLine shell;
        shell.take("python");
        const Answer answer = runPython(
            shell,
            "def node(state, config):\n    return {'value': [float('inf'), -float('inf'), float('nan')]}\n");
        SG_EXIT(answer, 0);
        const Value odd = Value::list({ "Infinity", "-Infinity", "NaN" });
        QCOMPARE(answer.json()["values"]["value"], odd);
        QCOMPARE(shell.run({ "state", "--thread", "t" }).json()["values"]["value"], odd);
    }

    // The interpreter is killed, but not for its memory.
    void aSuicideIsNoMemoryError()
    {
        SG_NEED("cgroup"); // without one nobody knows why a process was killed
        const CommandLine shell;
        shell.take("python");
        const Answer answer = runPython(
            shell, "import os, signal\ndef node(state, config):\n    os.kill(os.getpid(), signal.SIGKILL)\n");
        SG_EXIT(answer, 4);
        QCOMPARE(answer.json()["error"]["type"], Value("InterpreterDied"));
        SG_VERIFY_CONTAINS(answer.json()["error"].stringOr("message", ""), "not for its memory");
    }

    void anErrorIsToldOnce_data()
    {
        QTest::addColumn<std::string>("code");
        QTest::addColumn<std::string>("told");
        QTest::newRow("killed by itself")
            << std::string("import os; os.kill(os.getpid(), 9)") << std::string("InterpreterDied: ");
        QTest::newRow("no Python") << std::string("x = ") << std::string("SyntaxError: ");
        QTest::newRow("raised") << std::string("1 / 0") << std::string("ZeroDivisionError: ");
    }
    void anErrorIsToldOnce()
    {
        QFETCH(const std::string, code);
        QFETCH(const std::string, told);
        const CommandLine shell;
        shell.take("python");
        const Answer answer = shell.run({ "session", "exec", "--thread", "k", code });
        SG_EXIT(answer, 4);
        const std::string all = answer.out + answer.err;
        const std::size_t first = all.find(told);
        QVERIFY2(first != std::string::npos && all.find(told, first + 1) == std::string::npos, all.c_str());
    }

    // A damaged artifact does not keep the others back.
    void exportsWhatIsWhole()
    {
        const CommandLine shell;
        shell.take("python");
        const Answer answer =
            runPython(shell,
                      "def node(state, config):\n    for name in 'abc':\n"
                      "        open('/session/artifacts/' + name + '.txt', 'w').write(name)\n");
        SG_EXIT(answer, 0);
        const Value artifacts = answer.json()["artifacts"];
        QCOMPARE(artifacts.asList().size(), std::size_t(3));
        const std::filesystem::path damaged = artifacts[0].stringOr("blob", "");
        std::filesystem::remove(damaged);
        std::ofstream(damaged) << "another content";
        std::filesystem::remove(artifacts[1].stringOr("blob", ""));
        const auto target = shell.outside() / "out";
        const Answer exported = shell.run({ "--json", "artifacts", "export", "--to", target.string() });
        SG_EXIT(exported, 1);
        std::string shapes;
        const Value document = exported.json();
        for (const Value& entry : document.asList())
            shapes += test::keysOf(entry) + "; ";
        QCOMPARE(shapes, std::string("id file; id error; id error; ")); // newest first
        SG_VERIFY_CONTAINS(exported.err, "2 artifacts of 3 could not be exported");
        QCOMPARE(std::distance(std::filesystem::directory_iterator(target), {}), std::ptrdiff_t(1));
    }

    void aLoopWithoutEndIsStopped()
    {
        const CommandLine shell;
        shell.take("python");
        const auto start = std::chrono::steady_clock::now();
        const Answer answer = runPython(shell, "def node(state, config):\n    while True: pass\n");
        SG_EXIT(answer, 4);
        QVERIFY(std::chrono::steady_clock::now() - start < std::chrono::seconds(30));
        QCOMPARE(answer.json()["error"]["type"], Value("TimeoutError"));
        SG_VERIFY_CONTAINS(answer.json()["error"].stringOr("message", ""), "2"); // timeout_s of the graph
        SG_EXIT(runPython(shell, "def node(state, config):\n    return {'value': 1}\n"), 0);
    }

    void aMissingCodeFileIsNamed()
    {
        const CommandLine shell;
        shell.take("python");
        const Answer checked = shell.run({ "validate", kPython });
        SG_EXIT(checked, 3);
        SG_VERIFY_CONTAINS(checked.err, "nodes/work.py");
        const Answer answer =
            shell.run({ "--json", "run", kPython, "--thread", "t", "--backend", "bubblewrap" });
        SG_EXIT(answer, 3); // before any node
        SG_VERIFY_CONTAINS(answer.json()["problems"][0].stringOr("message", ""), "nodes/work.py");
    }

    void muchOutputIsBounded()
    {
        const CommandLine shell;
        shell.take("python");
        std::string patient = *readFile(shell.project() / kPython);
        patient.replace(patient.find("_s\": 2"), 6, "_s\": 60");
        shell.write(kPython, patient);
        const int mb = qEnvironmentVariableIntValue("SG_FULL") > 0 ? 1024 : 64;
        const auto start = std::chrono::steady_clock::now();
        const Answer answer =
            runPython(shell,
                      "def node(state, config):\n    for _ in range(" + std::to_string(mb)
                          + "):\n        print('x' * (1 << 20))\n    return {'value': 1}\n");
        SG_EXIT(answer, 0);
        QVERIFY(std::chrono::steady_clock::now() - start < std::chrono::seconds(50));
        QVERIFY2(answer.err.size() < (12U << 20), std::to_string(answer.err.size()).c_str()); // 8 MiB a cell
        QVERIFY2(
            answer.err.find("the output limit of 8 MiB a cell is reached") != std::string::npos,
            answer.err.substr(answer.err.size() - std::min<std::size_t>(answer.err.size(), 500)).c_str());
        QVERIFY(std::filesystem::file_size(shell.database()) < (12U << 20));
    }

    void odiousOutputIsHarmless()
    {
        const CommandLine shell;
        shell.take("python");
        const std::string print = "import sys; sys.stdout.buffer.write(b'\\x1b[2J\\x1b]0;title\\x07 "
                                  "\\xff\\xfe \\r\\x00end'); sys.stdout.flush()";
        const Answer run =
            runPython(shell, print + "\ndef node(state, config):\n    return {'value': '\\x1b[31mred'}\n");
        SG_EXIT(run, 0);
        QCOMPARE(run.json()["values"]["value"], Value("\x1b[31mred"));
        const Answer plain = shell.run({ "run", kPython, "--thread", "p", "--backend", "bubblewrap" });
        const Answer exec =
            shell.run({ "session", "exec", "--thread", "p", "--backend", "bubblewrap", print });
        for (const Answer* answer : { &run, &plain, &exec }) {
            SG_EXIT(*answer, 0);
            for (const std::string* text : { &answer->out, &answer->err })
                for (const char bad : { '\x1b', '\x07', '\xff', '\r', '\0' })
                    QVERIFY2(text->find(bad) == std::string::npos, answer->whole().c_str());
        }
        SG_VERIFY_CONTAINS(run.err, "end");
        SG_VERIFY_CONTAINS(exec.out, "end");
    }

    void cellsAnswer()
    {
        const CommandLine shell("retry");
        const std::vector<std::string> exec{ "--json", "session",   "exec",      "--thread",
                                             "e",      "--backend", "bubblewrap" };
        const auto cell = [&](const std::string& code) {
            auto words = exec;
            words.push_back(code);
            return shell.run(words);
        };
        const Answer good = cell("print('hi'); 6 * 7");
        SG_EXIT(good, 0);
        QCOMPARE(test::keysOf(good.json()),
                 std::string("session_id ok value result displays saved stdout stderr error restarted "
                             "seconds artifacts warnings"));
        QCOMPARE(good.json()["value"], Value("42"));
        QCOMPARE(good.json()["stdout"], Value("hi\n"));
        const Answer bad = cell("1/0");
        SG_EXIT(bad, 4);
        QCOMPARE(bad.json()["error"]["type"], Value("ZeroDivisionError"));
        const Answer late = shell.run({ "session", "exec", "--thread", "e", "--backend", "bubblewrap",
                                        "--timeout", "0.5", "while True: pass" });
        SG_EXIT(late, 4);
        SG_VERIFY_CONTAINS(late.err, "KeyboardInterrupt\nTimeoutError: the code was stopped after");
        const Answer file = cell("open('/session/artifacts/a.txt', 'w').write('kept')");
        SG_EXIT(file, 0);
        QCOMPARE(file.json()["artifacts"][0]["path"], Value("a.txt"));
        QCOMPARE(shell.run({ "--json", "session", "list" }).json(),
                 Value(ValueList())); // none outlives its program
    }

    void sandboxesHaveNoNetworkAndNoEnvironment()
    {
        CommandLine shell("retry");
        shell.environment.emplace_back("SECRET_TOKEN=do-not-leak");
        const Answer answer =
            shell.run({ "--json", "session", "exec", "--thread", "e", "--backend", "bubblewrap",
                        "import os\n"
                        "s='do-not-leak' in str(dict(os.environ))\n"
                        "e=open('/proc/1/environ').read() if os.access('/proc/1/environ', os.R_OK) else ''\n"
                        "n=[l.split(':')[0].strip() for l in open('/proc/net/dev').readlines()[2:]]\n"
                        "(s, 'do-not-leak' in e, n)" });
        SG_EXIT(answer, 0);
        QCOMPARE(answer.json()["value"], Value("(False, False, ['lo'])"));
    }

    void nothingIsLeftBehind()
    {
        const CommandLine shell("retry");
        SG_EXIT(shell.run({ "run", ".", "--thread", "r", "--backend", "bubblewrap" }), 0);
        std::string left;
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(shell.project() / ".sandglass"))
            if (entry.is_regular_file() || entry.is_socket())
                left += entry.path().filename().string() + " ";
        for (const std::string name : { "artifacts.sqlite ", "audit.sqlite ", "checkpoints.sqlite ",
                                        "checkpoints.sqlite-runs ", "sessions.sqlite " })
            if (const auto place = left.find(name); place != std::string::npos)
                left.erase(place, name.size());
        QCOMPARE(left, std::string());
    }
};

SG_TEST(TestCliSandbox)
#include "tst_cli_sandbox.moc"
