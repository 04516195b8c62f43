// The same graphs in containers, where a Docker Engine answers; sessions that outlive the program.

#include "tests/app/cli/command_line.h"
#include "tests/support/machine.h"
#include "tests/support/test_main.h"

#include <optional>

using namespace sg;
using test::Answer;
using test::CommandLine;

class TestCliDocker : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { SG_NEED("docker"); }

    void retriesUntilItWorks()
    {
        const CommandLine shell("retry");
        const Answer answer = shell.run({ "--json", "run", ".", "--thread", "r", "--backend", "docker" });
        SG_EXIT(answer, 0);
        QCOMPARE(answer.json()["values"]["status"], Value("done"));
        QCOMPARE(answer.json()["values"]["retry_count"], Value(2));
        QCOMPARE(shell.run({ "--json", "session", "list" }).json(), Value(ValueList()));
    }

    void leavesArtifacts()
    {
        const CommandLine shell("retry");
        const Answer answer =
            shell.run({ "--json", "session", "exec", "--thread", "a", "--backend", "docker",
                        "open('/session/artifacts/a.txt', 'w').write('kept'); print('x')" });
        SG_EXIT(answer, 0);
        QCOMPARE(answer.json()["artifacts"][0]["path"], Value("a.txt"));
        QCOMPARE(answer.json()["stdout"], Value("x\n"));
    }

    void cleanup()
    {
        if (!m_kept)
            return; // a test that failed must not leave its container
        const Value left = m_kept->run({ "--json", "session", "list" }).json();
        for (const Value& session : left.asList())
            m_kept->run({ "session", "stop", session.stringOr("session_id", "") });
        m_kept.reset();
    }

    // A kept session is found again by the next program, with its names, until it is stopped.
    void keptSessionsRemember()
    {
        m_kept.emplace();
        const CommandLine& shell = *m_kept;
        shell.take("python");
        shell.write("nodes/work.py",
                    "def node(state, config):\n    global count\n    count = globals().get('count', 0) + 1\n"
                    "    return {'value': count}\n");
        const std::vector<std::string> words{ "--json",    "run",    "python.graph.json", "--thread", "k",
                                              "--backend", "docker", "--keep-session" };
        for (const int count : { 1, 2 }) {
            const Answer answer = shell.run(words);
            SG_EXIT(answer, 0);
            QCOMPARE(answer.json()["values"]["value"], Value(count));
        }
        const Value sessions = shell.run({ "--json", "session", "list" }).json();
        QCOMPARE(sessions.asList().size(), std::size_t(1));
        QCOMPARE(test::keysOf(sessions[0]),
                 std::string("session_id thread_id part backend isolation sandbox state storage datasets "
                             "created_at last_used_at expires_at cells layer packages limits"));
        QCOMPARE(sessions[0]["thread_id"], Value("k"));
        QCOMPARE(sessions[0]["backend"], Value("docker"));
        const Answer cell =
            shell.run({ "--json", "session", "exec", "--thread", "k", "--backend", "docker", "count" });
        SG_EXIT(cell, 0);
        QCOMPARE(cell.json()["value"], Value("2"));
        const std::string id = sessions[0].stringOr("session_id", "");
        SG_EXIT(shell.run({ "session", "stop", id }), 0);
        QCOMPARE(shell.run({ "--json", "session", "list" }).json(), Value(ValueList()));
        SG_EXIT(shell.run({ "session", "stop", id }), 2);
    }

    // Names that slept in it are written out first, by whoever stops it.
    void aKeptSessionThatIsStoppedKeepsItsSnapshots()
    {
        m_kept.emplace();
        const CommandLine& shell = *m_kept;
        // A class is no plain data, which would be written out with its step.
        shell.write("nodes/step.py",
                    "class Mark:\n    pass\n"
                    "def node(state):\n    global count\n    count = globals().get('count', 0) + 1\n"
                    "    return {}\n");
        shell.write("steps.graph.json",
                    R"({"nodes": [{"name": "a", "kind": "python", "file": "nodes/step.py"},)"
                    R"( {"name": "b", "kind": "python", "file": "nodes/step.py"}],)"
                    R"( "edges": [["__start__", "a"], ["a", "b"]]})");
        SG_EXIT(shell.run({ "run", ".", "--thread", "k", "--backend", "docker", "--keep-session" }), 0);
        const std::vector<std::string> list{ "--json", "snapshots", "list", "--thread", "k" };
        const auto kinds = [&] {
            std::string text;
            const Value marks = shell.run(list).json();
            for (const Value& mark : marks.asList())
                text += mark.stringOr("kind", "?") + " ";
            return text;
        };
        QCOMPARE(kinds(), std::string("fresh live live stored "));
        const std::string first = shell.run(list).json()[1].stringOr("checkpoint_id", "");
        const Answer shown = shell.run({ "snapshots", "show", first, "--thread", "k", "--json" });
        SG_EXIT(shown, 0);
        QCOMPARE(shown.json()["variables"], Value());
        SG_VERIFY_CONTAINS(shown.err, "its variables are not written out");
        const std::string id =
            shell.run({ "--json", "session", "list" }).json()[0].stringOr("session_id", "");
        SG_EXIT(shell.run({ "session", "stop", id }), 0);
        QCOMPARE(kinds(), std::string("fresh stored stored stored "));
    }

    void aMissingImageSaysHowToGetIt()
    {
        const CommandLine shell;
        shell.write("nodes/work.py", "def node(state, config):\n    return {}\n");
        shell.write("image.graph.json",
                    R"({"nodes": [{"name": "work", "kind": "python", "file": "nodes/work.py"}], )"
                    R"("edges": [["__start__", "work"]], "sandbox": {"image": "sandglass/no-such-image"}})");
        const Answer answer =
            shell.run({ "--json", "run", "image.graph.json", "--thread", "t", "--backend", "docker" });
        SG_EXIT(answer, 6);
        const std::string message = answer.json()["error"].stringOr("message", "");
        SG_VERIFY_CONTAINS(message, "sandglass/no-such-image");
        SG_VERIFY_CONTAINS(message, "docker pull sandglass/no-such-image"); // no build of ours makes it
    }

private:
    std::optional<CommandLine> m_kept; // the project whose sessions outlive the program
};

SG_TEST(TestCliDocker)
#include "tst_cli_docker.moc"
