// The real program on a real terminal device does with a session as a person tells it to.

#include "core/sqlite/db.h"
#include "tests/app/cli/command_line.h"
#include "tests/support/machine.h"
#include "tests/support/terminal_program.h"
#include "tests/support/test_main.h"

using namespace sg;
using test::Answer;
using test::CommandLine;
using test::TerminalProgram;

namespace {

constexpr auto kSoon = std::chrono::seconds(15);
const std::string kCtrlC = "\x03";
const std::string kCtrlD = "\x04";

std::vector<std::string> attach(std::vector<std::string> more = {})
{
    std::vector<std::string> words{ "session", "attach", "--thread", "a", "--backend", "bubblewrap" };
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

// Returns all that the console of a thread has printed.
std::string loggedBytes(const std::filesystem::path& database, const std::string& thread)
{
    auto db = sqlite::Db::open(database, { .mode = sqlite::OpenMode::ReadOnly });
    if (!db)
        return db.error().message;
    auto rows = db->prepare("SELECT CAST(bytes AS TEXT) FROM sandglass_log WHERE run_id = ? ORDER BY seq");
    if (!rows)
        return rows.error().message;
    rows->bind(1, "console:" + thread);
    std::string bytes;
    for (auto row = rows->step(); row && *row; row = rows->step())
        bytes += rows->text(0);
    return bytes;
}

} // namespace

#define WRITES(program, text)                                                                                \
    QVERIFY2((program).writes(text), ("no \"" + std::string(text) + "\" in: " + (program).unseen()).c_str())

// Ctrl+D before the prompt is there would be the terminal's own.
#define LEAVES(program)                                                                                      \
    WRITES(program, ">>> ");                                                                                 \
    (program).type(kCtrlD);                                                                                  \
    QCOMPARE((program).ends(), 0)

class TestCliAttach : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { SG_NEED("bubblewrap"); }

    void completesAndDescribes()
    {
        const CommandLine shell("counter");
        TerminalProgram program(shell.spec(attach()));
        QVERIFY(program.isStarted());
        WRITES(program, ">>> ");
        program.type("quantity_of_apples = 41\r");
        WRITES(program, "\n");
        WRITES(program, ">>> ");
        program.type("quantity_of\t + 1\r");
        WRITES(program, "\n42\r\n");
        program.type("quantity_of_pears = 1\r");
        WRITES(program, ">>> ");
        // Two fit: what they share is typed, then both are shown.
        program.type("quan\t");
        WRITES(program, "quantity_of_");
        program.type("\t");
        WRITES(program, "quantity_of_apples  quantity_of_pears");
        program.type("\x15%who\r"); // Ctrl+U: the line is emptied
        WRITES(program, "quantity_of_apples  int");
        program.type("def half(number):\r    'The half of it.'\r    return number / 2\r\rhalf?\r");
        WRITES(program, "half(number)");
        WRITES(program, "The half of it.");
        program.type("nothing_of_that_name?\r");
        WRITES(program, "there is no name 'nothing_of_that_name' here");
        LEAVES(program);
    }

    // An empty line in a paste ends no block.
    void takesAPasteWhole()
    {
        const CommandLine shell("counter");
        TerminalProgram program(shell.spec(attach()));
        WRITES(program, ">>> ");
        program.type("\x1b[200~def f():\r\ta = 20\r\r\treturn a + 2\r\x1b[201~\r");
        WRITES(program, ">>> ");
        program.type("f()\r");
        WRITES(program, "\n22\r\n");
        program.type("exit\r");
        QCOMPARE(program.ends(), 0);
    }

    void remembersLines()
    {
        const CommandLine shell("counter");
        for (const std::string keys : { "6 * 7\r", "\x1b[A\r" }) { // the second time: the arrow up
            TerminalProgram program(shell.spec(attach()));
            WRITES(program, ">>> ");
            program.type(keys);
            WRITES(program, "\n42\r\n");
            LEAVES(program);
        }
        const auto file = shell.project() / ".sandglass/attach_history";
        QCOMPARE(*readFile(file), std::string("6 * 7\n"));
        QVERIFY((std::filesystem::status(file).permissions() & std::filesystem::perms(0077))
                == std::filesystem::perms::none);
    }

    // Longer than the terminal is wide: the cursor stays on the text.
    void editsALongLine()
    {
        const CommandLine shell("counter");
        TerminalProgram program(shell.spec(attach()));
        WRITES(program, ">>> ");
        program.type("len('" + std::string(100, 'x') + "')\x01" + "1 + \r"); // Ctrl+A: to its start
        WRITES(program, "\n101\r\n");
        LEAVES(program);
    }

    // The terminal sends the signal to all that belong to it: not to the sandbox.
    void ctrlCStopsACellAndKeepsItsNames()
    {
        const CommandLine shell("counter");
        TerminalProgram program(shell.spec(attach()));
        WRITES(program, ">>> ");
        program.type("kept = 5\r");
        WRITES(program, "\n");
        program.type("if 1:\r    print('runs', flush=True)\r    while True: pass\r\r");
        WRITES(program, "\nruns\r\n");
        program.type(kCtrlC);
        QVERIFY2(program.writes("KeyboardInterrupt", kSoon), program.unseen().c_str());
        WRITES(program, ">>> ");
        program.type("kept + 1\r");
        WRITES(program, "\n6\r\n");
        program.type("half a li" + kCtrlC + "kept + 2\r"); // given up, and what follows is a line of its own
        WRITES(program, "\n7\r\n");
        LEAVES(program);
    }

    void savesWhatIsNoText()
    {
        const CommandLine shell("counter");
        const Answer plain =
            shell.run(attach(), "class A:\n    def _repr_html_(self): return '<b>x</b>'\n\nA()\n");
        SG_EXIT(plain, 0);
        SG_VERIFY_CONTAINS(plain.err, std::string("also as text/html; --save FOLDER writes them there"));
        const Answer saved =
            shell.run(attach({ "--save", "out" }),
                      "class A:\n    def _repr_html_(self): return '<b>x</b>'\n\nA()\nA()\n");
        SG_EXIT(saved, 0);
        QCOMPARE(*readFile(shell.project() / "out/result-1.html"), std::string("<b>x</b>"));
        QCOMPARE(*readFile(shell.project() / "out/result-2.html"), std::string("<b>x</b>"));
    }

    void aShellInTheSession()
    {
        const CommandLine shell("counter");
        const std::vector<std::string> words{
            "session", "shell", "--thread", "a", "--backend", "bubblewrap"
        };
        const Answer piped = shell.run(words, "echo fr''om the shell > made; cat made; pwd; exit 5\n");
        SG_EXIT(piped, 5);
        SG_VERIFY_CONTAINS(piped.out, std::string("from the shell\r\n/session\r\n"));
        SG_VERIFY_CONTAINS(piped.err, std::string("done to the live session"));
        TerminalProgram program(shell.spec(words));
        QVERIFY(program.isStarted());
        WRITES(program, "leaves");
        program.type("sh -c 'echo sle''eping; exec sleep 100'\r");
        WRITES(program, "sleeping");
        program.type(kCtrlC); // is the sandbox's, not this program's
        program.type("echo sti''ll\r");
        WRITES(program, "still");
        program.type("\x1d");
        QCOMPARE(program.ends(kSoon), 0);
    }

    void ctrlCStopsASingleCell()
    {
        const CommandLine shell("counter");
        TerminalProgram program(shell.spec({ "session", "exec", "--thread", "a", "--backend", "bubblewrap",
                                             "import time\nprint('runs', flush=True)\ntime.sleep(100)" }));
        WRITES(program, "runs");
        program.type(kCtrlC);
        QCOMPARE(program.ends(kSoon), 130);
        SG_VERIFY_CONTAINS(program.unseen(), std::string("KeyboardInterrupt"));
        QVERIFY(shell.run({ "--json", "session", "list" }).json() == Value(ValueList()));
    }

    // For whoever looks at the thread in another program.
    void whatCellsPrintIsInTheThreadsLog()
    {
        const CommandLine shell("counter");
        QCOMPARE(
            shell.run({ "session", "exec", "--thread", "a", "--backend", "bubblewrap", "print('by exec')" })
                .exit,
            0);
        QCOMPARE(shell.run(attach(), "print('by attach', end='')\n").exit, 0);
        const auto printed = loggedBytes(shell.project() / ".sandglass/checkpoints.sqlite", "a");
        QCOMPARE(printed, std::string("by exec\nby attach\n"));
    }

    // Whose index never answers.
    void ctrlCStopsAnInstallation()
    {
        CommandLine shell;
        shell.take("requirements");
        shell.write("ask.py", "def node(state):\n    return {}\n");
        shell.replaceEnvironment("XDG_DATA_HOME", (shell.outside() / "data").string());
        shell.replaceEnvironment("PIP_CONFIG_FILE", "/dev/null");
        const test::SilentServer server;
        shell.replaceEnvironment("PIP_INDEX_URL", "http://127.0.0.1:" + std::to_string(server.port()) + "/");
        TerminalProgram program(shell.spec({ "layers", "install", "--backend", "bubblewrap" }));
        WRITES(program, "installing demo-a==1.0");
        QVERIFY(server.isAsked());
        program.type(kCtrlC);
        QCOMPARE(program.ends(kSoon), 130);
        SG_VERIFY_CONTAINS(program.unseen(), std::string("was stopped"));
        std::string left;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(shell.outside() / "data"))
            if (entry.path().filename().string().starts_with(".new-"))
                left += entry.path().string() + " ";
        QCOMPARE(left, std::string());
        // An installation that was stopped can be had later.
        QVERIFY(shell.run({ "--json", "layers", "list" }).json() == Value(ValueList()));
    }
};

SG_CORE_TEST(TestCliAttach)
#include "tst_cli_attach.moc"
