// The command line shows, writes and gives up the snapshots of sandboxes that checkpoints have.

#include "tests/app/cli/command_line.h"
#include "tests/support/machine.h"
#include "tests/support/test_main.h"

#include <filesystem>
#include <fstream>

using namespace sg;
using test::Answer;
using test::CommandLine;
using test::keysOf;

namespace {

constexpr const char* kSteps = R"({"state": {"n": {"type": "reduce", "reducer": "add"}},
  "nodes": [{"name": "a", "kind": "python", "file": "nodes/step.py"},
            {"name": "b", "kind": "python", "file": "nodes/step.py"}],
  "edges": [["__start__", "a"], ["a", "b"], ["b", "__end__"]])";
constexpr const char* kStep = "def node(state):\n"
                              "    global count, steps\n"
                              "    count = globals().get('count', 0) + 1\n"
                              "    steps = (i for i in range(9))\n"
                              "    open('/session/f%d.txt' % count, 'w').write('x' * count)\n"
                              "    return {'n': 1}\n";

// A thread "t" that has run.
class Stepped {
public:
    explicit Stepped(const std::string& sandbox = {}, const std::vector<std::string>& more = {})
    {
        m_shell.write("nodes/step.py", kStep);
        m_shell.write("steps.graph.json",
                      kSteps + (sandbox.empty() ? "}" : ", \"sandbox\": " + sandbox + "}"));
        std::vector<std::string> words{ "run", ".", "--thread", "t", "--backend", "bubblewrap" };
        words.insert(words.end(), more.begin(), more.end());
        const Answer answer = m_shell.run(words);
        m_why = answer.exit == 0 ? "" : answer.whole();
        const Value history = m_shell.run({ "history", "--thread", "t", "--json" }).json();
        for (const Value& each : history.isList() ? history.asList() : ValueList())
            m_checkpoints.insert(m_checkpoints.begin(), each.stringOr("checkpoint_id", ""));
    }

    [[nodiscard]] const std::string& whyNot() const { return m_why; }
    // After so many nodes; 0: before the first.
    [[nodiscard]] std::string after(std::size_t nodes) const { return m_checkpoints.at(nodes + 1); }
    [[nodiscard]] const CommandLine& shell() const { return m_shell; }
    [[nodiscard]] Answer run(std::vector<std::string> words) const
    {
        words.insert(words.end(), { "--thread", "t" });
        return m_shell.run(std::move(words));
    }

private:
    CommandLine m_shell;
    std::vector<std::string> m_checkpoints;
    std::string m_why;
};

std::string contentOf(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return { std::istreambuf_iterator<char>(in), {} };
}

} // namespace

class TestCliSnapshots : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        SG_NEED("bubblewrap");
        const Stepped probe;
        QCOMPARE(probe.whyNot(), std::string());
    }

    void showsWhatIsKept()
    {
        const Stepped stepped;
        const Value marks = stepped.run({ "snapshots", "list", "--json" }).json();
        std::string kinds;
        for (const Value& mark : marks.asList())
            kinds += mark.stringOr("kind", "?") + " ";
        QCOMPARE(kinds, std::string("fresh stored stored stored "));
        SG_EXIT(stepped.shell().run({ "snapshots", "list", "--thread", "nobody" }), 2);
        const Answer shown = stepped.run({ "snapshots", "show", stepped.after(1), "--json" });
        SG_EXIT(shown, 0);
        QCOMPARE(keysOf(shown.json()["variables"][0]), std::string("name type size preview missing"));
        QCOMPARE(shown.json()["variables"][0]["name"], Value("count"));
        SG_VERIFY_CONTAINS(stepped.run({ "snapshots", "show", stepped.after(1) }).out, "steps  generator");
        SG_VERIFY_CONTAINS(stepped.run({ "snapshots", "show", stepped.after(1) }).out, "not kept: ");
    }

    void tellsWhatDiffers()
    {
        const Stepped stepped;
        const Answer diff = stepped.run({ "snapshots", "diff", stepped.after(1), stepped.after(2) });
        SG_EXIT(diff, 0);
        SG_VERIFY_CONTAINS(diff.out, "~ count  int  28 bytes  1  ->  count  int  28 bytes  2");
        SG_VERIFY_CONTAINS(diff.out, "+ f2.txt  2 bytes");
        SG_VERIFY_CONTAINS(stepped.run({ "diff", stepped.after(1), stepped.after(2) }).out,
                           "sandbox:\n" + diff.out);
    }

    // Each of several sessions, where none is named.
    void tellsWhatDiffersInEachSession()
    {
        const Stepped stepped(R"({"scope": "node"})");
        const Answer diff = stepped.run({ "diff", stepped.after(1), stepped.after(2) });
        SG_EXIT(diff, 0);
        SG_VERIFY_CONTAINS(diff.out, "sandbox of node a:\nthe sandboxes are the same");
        const Answer one =
            stepped.run({ "snapshots", "diff", stepped.after(1), stepped.after(2), "--session", "node a" });
        SG_EXIT(one, 0);
        const Answer unnamed = stepped.run({ "snapshots", "show", stepped.after(2) });
        SG_EXIT(unnamed, 2);
        SG_VERIFY_CONTAINS(unnamed.err, "'node a', 'node b'. Choose one of them with --session");
    }

    void writesFilesIntoANewFolder()
    {
        const Stepped stepped;
        const auto to = stepped.shell().outside() / "back";
        const std::vector<std::string> words{ "snapshots", "restore", stepped.after(2), "--to", to.string() };
        SG_EXIT(stepped.run(words), 0);
        QCOMPARE(contentOf(to / "f1.txt") + contentOf(to / "f2.txt"), std::string("xxx"));
        const Answer again = stepped.run(words);
        SG_EXIT(again, 2);
        SG_VERIFY_CONTAINS(again.err, "is there already");
    }

    // Files that are not there cannot be brought back exactly, and are not told as if they were empty.
    void filesOverTheCapAreSaidToBeMissing()
    {
        const Stepped stepped({}, { "--set", "snapshot_files_mb=0" });
        const Answer shown = stepped.run({ "snapshots", "show", stepped.after(1), "--json" });
        SG_EXIT(shown, 0);
        QCOMPARE(shown.json()["paths"], Value());
        QCOMPARE(shown.json()["note"], Value("files not kept: 1 MB over the cap of 0 MB"));
        const Answer exact = stepped.run({ "replay", ".", "--checkpoint", stepped.after(1), "--backend",
                                           "bubblewrap", "--sandbox", "exact", "--json" });
        SG_EXIT(exact, 4);
        SG_VERIFY_CONTAINS(exact.json()["error"].stringOr("message", ""),
                           "files not kept: 1 MB over the cap");
        const Answer restored = stepped.run({ "replay", ".", "--checkpoint", stepped.after(1), "--backend",
                                              "bubblewrap", "--sandbox", "restore" });
        SG_EXIT(restored, 0);
        SG_VERIFY_CONTAINS(restored.err, "its files were not kept: those that are there now stay");
    }

    // A file of LangGraph's own is only read.
    void collectsNothingInAnotherProgramsDatabase()
    {
        const CommandLine shell;
        ProcessSpec spec; // Python's module is in every Debian
        spec.program = "/usr/bin/python3";
        spec.arguments = {
            "-c",
            "import sqlite3, sys\nc = sqlite3.connect(sys.argv[1])\n"
            "c.execute('CREATE TABLE checkpoints (thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT "
            "NULL DEFAULT \"\", checkpoint_id TEXT NOT NULL, parent_checkpoint_id TEXT, type TEXT, "
            "checkpoint BLOB, metadata BLOB, PRIMARY KEY (thread_id, checkpoint_ns, "
            "checkpoint_id))')\nc.commit()",
            (shell.project() / "theirs.sqlite").string()
        };
        SG_EXIT(CommandLine::execute(spec), 0);
        const std::string before = contentOf(shell.project() / "theirs.sqlite");
        const std::string name = "snapshots/" + std::string(64, 'a'); // of somebody's, beside it
        shell.write(name, "x");
        std::filesystem::last_write_time(shell.project() / name, std::filesystem::file_time_type());
        const Answer collected = shell.run({ "snapshots", "gc", "--db", "theirs.sqlite" });
        SG_EXIT(collected, 0);
        SG_VERIFY_CONTAINS(collected.out, "0 snapshots");
        QCOMPARE(contentOf(shell.project() / "theirs.sqlite"), before);
        QCOMPARE(contentOf(shell.project() / name), std::string("x"));
    }
};

SG_TEST(TestCliSnapshots)
#include "tst_cli_snapshots.moc"
