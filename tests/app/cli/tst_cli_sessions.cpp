// session and artifacts verbs, by the real program: settings and their places, refusals, the prompt, what
// sessions left; on Docker the life of a session from command to command.

#include "tests/app/cli/command_line.h"
#include "tests/support/machine.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <optional>

using namespace sg;
using test::Answer;
using test::CommandLine;

namespace {

constexpr const char* kSessionKeys =
    "session_id thread_id part backend isolation sandbox state storage datasets "
    "created_at last_used_at expires_at cells layer packages limits";

std::vector<std::string> exec(const std::string& code, std::vector<std::string> more = {})
{
    std::vector<std::string> words{ "--json", "session",   "exec",       "--thread",
                                    "a",      "--backend", "bubblewrap", code };
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

} // namespace

class TestCliSessions : public QObject {
    Q_OBJECT

private:
    // A project with one artifact twice and another once.
    static void makeArtifacts(const CommandLine& shell)
    {
        SG_EXIT(shell.run(exec(
                    "import os; os.mkdir('artifacts/s')\n"
                    "open('artifacts/a.txt', 'w').write('one'); open('artifacts/s/a.txt', 'w').write('one')\n"
                    "open('artifacts/b.txt', 'w').write('two');")),
                0);
    }

private Q_SLOTS:
    void showsEachSettingWithItsPlace()
    {
        CommandLine shell("counter");
        shell.write("sandbox.env", "SESSION_STORAGE='BIND' # here\nTMPFS_SIZE_MB=64\nSANDBOX_CPUS=\"1\"\n");
        shell.replaceEnvironment("TMPFS_SIZE_MB", "32");
        const Answer answer =
            shell.run({ "--json", "session", "settings", "--mode", "api", "--set", "pids=99" });
        SG_EXIT(answer, 0);
        const Value settings = answer.json();
        QCOMPARE(settings["mode"], Value("BIND_API"));
        QCOMPARE(settings["datasets"]["from"], Value("--mode on the command line"));
        SG_VERIFY_CONTAINS(settings["storage"].stringOr("from", ""), std::string("SESSION_STORAGE in "));
        SG_VERIFY_CONTAINS(settings["storage"].stringOr("from", ""), std::string("sandbox.env"));
        QCOMPARE(settings["tmpfs_mb"]["value"], Value("32"));
        QCOMPARE(settings["tmpfs_mb"]["from"], Value("TMPFS_SIZE_MB in the environment"));
        QCOMPARE(settings["cpus"]["value"], Value("1"));
        QCOMPARE(settings["pids"]["from"], Value("--set pids on the command line"));
        QCOMPARE(settings["memory_mb"]["from"], Value("built in"));
        QCOMPARE(settings["memory_mb"]["value"], Value("2048"));
        QCOMPARE(settings["cell_s"]["value"], Value("120"));
        QCOMPARE(settings["state_mb"]["value"], Value("256"));
        QCOMPARE(settings["egress"]["value"], Value());
        const Answer told = shell.run({ "session", "settings" });
        QVERIFY2(told.out.find(" - ") == std::string::npos, told.out.c_str());
    }

    void refusesContradictionsBeforeAnythingStarts_data()
    {
        QTest::addColumn<QByteArray>("variable");
        QTest::addColumn<QByteArray>("option");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* variable, const char* option, const char* says) {
            QTest::newRow(name) << QByteArray(variable) << QByteArray(option) << QByteArray(says);
        };
        row("an unknown storage", "SESSION_STORAGE=RAM", "", "SESSION_STORAGE in the environment: \"RAM\"");
        row("two at once", "", "--mode=TMPFS_API --datasets=NONE",
            "says NONE, but --mode on the command line says API");
        row("no folder", "DATASETS_HOST_RO=/none", "--mode=local", "/none is missing (DATASETS_HOST_RO");
        row("a folder for nobody", "", "--set=hybrid_folder=.", "only dataset access HYBRID reads");
        row("a pool of folders", "SESSION_POOL=1", "--storage=BIND", "each has a folder of its own");
        row("an unknown key", "", "--set=cpuz=1", "there is no \"cpuz\"");
        row("a missing env file", "", "--env-file=none.env", "none.env");
        row("kept bubblewrap", "SANDBOX_BACKEND=bubblewrap", "--keep-session", "--keep-session needs docker");
    }
    void refusesContradictionsBeforeAnythingStarts()
    {
        QFETCH(QByteArray, variable);
        QFETCH(QByteArray, option);
        QFETCH(QByteArray, says);
        CommandLine shell("counter");
        if (!variable.isEmpty())
            shell.environment.push_back(variable.toStdString());
        std::vector<std::string> words{ "session", "exec", "--thread", "a", "1" };
        for (const QByteArray& word : option.split(' '))
            if (!word.isEmpty())
                words.push_back(word.toStdString());
        const Answer answer = shell.run(words);
        SG_EXIT(answer, 2);
        SG_VERIFY_CONTAINS(answer.err, says.toStdString());
    }

    void recordsWhatEnded()
    {
        SG_NEED("bubblewrap");
        const CommandLine shell("counter");
        const Answer made =
            shell.run(exec("open('artifacts/a.txt', 'w').write('x'); 1", { "--storage", "BIND" }));
        SG_EXIT(made, 0);
        const std::string id = made.json().stringOr("session_id", "");
        QCOMPARE(shell.run({ "--json", "session", "list" }).json(), Value(ValueList()));
        const Value all = shell.run({ "--json", "session", "list", "--all" }).json();
        QCOMPARE(all.asList().size(), std::size_t(1));
        QCOMPARE(test::keysOf(all[0]), std::string(kSessionKeys));
        QCOMPARE(all[0]["state"], Value("ended: the session was ended"));
        QCOMPARE(all[0]["cells"], Value(1));
        const Answer view = shell.run({ "--json", "session", "view", id });
        SG_EXIT(view, 0);
        const Value seen = view.json();
        QCOMPARE(test::keysOf(seen), std::string("session notes samples folder artifacts"));
        QCOMPARE(seen["notes"][0]["event"], Value("started"));
        QCOMPARE(seen["folder"]["metadata"]["execution_count"], Value(1));
        QVERIFY(seen["folder"]["state"]["variables"].isMap()); // though it lived for one cell
        QCOMPARE(seen["artifacts"][0]["path"], Value("a.txt"));
        QCOMPARE(test::keysOf(
                     shell.run({ "--json", "session", "view", id, "--no-artifacts", "--no-state" }).json()),
                 std::string("session notes samples folder"));
        SG_EXIT(shell.run({ "session", "view", "s-none" }), 2);
        SG_EXIT(shell.run({ "session", "view", ".sandglass/sessions" }), 2); // a folder, but no session's
        SG_EXIT(shell.run({ "session", "view", ".sandglass/sessions/" + id }), 0);
        SG_EXIT(shell.run(exec("later = 2", { "--storage", "BIND" })), 0);
        const Value again = shell.run({ "--json", "session", "view", id }).json()["folder"];
        QCOMPARE(again["metadata"]["final_execution_count"], Value(2));
        QCOMPARE(again["state"]["variables"]["later"]["value"], Value("2"));
    }

    void talks()
    {
        SG_NEED("bubblewrap");
        const CommandLine shell("counter");
        const Answer answer =
            shell.run({ "session", "attach", "--thread", "a", "--backend", "bubblewrap" },
                      "x = 20\ndef f(y):\n    return x + y\n\nf(1)\nprint('a\\nb')\n1 / 0\n[1,\n 2]\n"
                      "for i in range(2):\n    print(i)\n");
        SG_EXIT(answer, 0);
        QCOMPARE(answer.out, std::string("21\na\nb\n[1, 2]\n0\n1\n"));
        SG_VERIFY_CONTAINS(answer.err, std::string("ZeroDivisionError"));
        SG_VERIFY_CONTAINS(answer.err, std::string("Ctrl+D leaves and ends it"));
        const Answer farewell = shell.run({ "session", "attach", "--thread", "a", "--backend", "bubblewrap" },
                                          "exit()\nprint('not reached')\n");
        SG_EXIT(farewell, 0);
        QCOMPARE(farewell.out, std::string());
        SG_EXIT(shell.run({ "--json", "session", "attach", "--thread", "a" }), 2);
    }

    void keepsArtifactsInOrder()
    {
        SG_NEED("bubblewrap");
        CommandLine shell("counter");
        makeArtifacts(shell);
        const Value list = shell.run({ "--json", "artifacts", "list" }).json();
        QCOMPARE(list.asList().size(), std::size_t(3)); // two of the same name among them
        const Value whole = shell.run({ "--json", "artifacts", "verify" }).json();
        QCOMPARE(whole["artifacts"], Value(3));
        QCOMPARE(whole["contents"], Value(2));
        QCOMPARE(whole["bytes"], Value(6));
        QCOMPARE(whole["problems"], Value(ValueList()));
        std::filesystem::remove(list[0].stringOr("blob", ""));
        const Answer broken = shell.run({ "--json", "artifacts", "verify" });
        SG_EXIT(broken, 1);
        QCOMPARE(test::keysOf(broken.json()["problems"][0]), std::string("id path problem text"));
        QCOMPARE(broken.json()["problems"][0]["problem"], Value("missing"));
        const std::string id = list[0].stringOr("id", "");
        const Answer deleted = shell.run({ "--json", "artifacts", "delete", id });
        SG_EXIT(deleted, 0);
        QCOMPARE(deleted.json()["deleted"], Value::list({ id }));
        SG_EXIT(shell.run({ "artifacts", "delete", id }), 2);
        SG_EXIT(shell.run({ "artifacts", "delete" }), 2);
        shell.replaceEnvironment("ARTIFACTS_DAYS", "0");
        const Answer planned = shell.run({ "--json", "artifacts", "gc", "--dry-run" });
        SG_EXIT(planned, 0);
        QCOMPARE(test::keysOf(planned.json()), std::string("dry_run expired contents bytes recent bucket"));
        QCOMPARE(shell.run({ "--json", "artifacts", "list" }).json().asList().size(), std::size_t(2));
        shell.replaceEnvironment("ARTIFACTS_DAYS", "1");
        const Answer kept = shell.run({ "--json", "artifacts", "gc" });
        SG_EXIT(kept, 0);
        QCOMPARE(kept.json()["expired"], Value(ValueList()));
        // what nothing names goes an hour after it was stored, or at once where that is asked for
        std::vector<std::string> all{ "artifacts", "delete" };
        const Value left = shell.run({ "--json", "artifacts", "list" }).json();
        for (const Value& artifact : left.asList())
            all.push_back(artifact.stringOr("id", ""));
        SG_EXIT(shell.run(all), 0);
        const Answer later = shell.run({ "artifacts", "gc" });
        SG_EXIT(later, 0);
        SG_VERIFY_CONTAINS(later.out, "0 contents of 0 bytes");
        SG_VERIFY_CONTAINS(later.out, "sandglass artifacts gc --grace 0");
        QVERIFY(shell.run({ "--json", "artifacts", "gc" }).json()["recent"].asInt() > 0);
        SG_EXIT(shell.run({ "artifacts", "gc", "--grace", "-1" }), 2);
        const Value freed = shell.run({ "--json", "artifacts", "gc", "--grace", "0" }).json();
        QCOMPARE(freed["recent"], Value(0));
        QVERIFY(freed["contents"].asInt() > 0 && freed["bytes"].asInt() > 0);
    }

    void aSessionLivesFromCommandToCommand()
    {
        SG_NEED("docker");
        const CommandLine shell("counter");
        const Answer started = shell.run({ "--json", "session", "start", "--thread", "d", "--backend",
                                           "docker", "--set", "idle_timeout_s=3600" });
        SG_EXIT(started, 0);
        QCOMPARE(test::keysOf(started.json()), std::string(kSessionKeys));
        const std::string id = started.json().stringOr("session_id", "");
        const auto cell = [&](const std::string& code) {
            return shell.run({ "--json", "session", "exec", "--thread", "d", "--backend", "docker", "--set",
                               "idle_timeout_s=3600", code });
        };
        SG_EXIT(cell("x = 42"), 0);
        SG_EXIT(shell.run({ "session", "pause", id }), 0);
        QCOMPARE(shell.run({ "--json", "session", "list" }).json()[0]["state"], Value("paused"));
        SG_EXIT(shell.run({ "session", "pause", id }), 0); // it is so already
        SG_EXIT(shell.run({ "session", "unpause", id }), 0);
        SG_EXIT(shell.run({ "session", "pause", id }), 0);
        QCOMPARE(cell("x").json()["value"], Value("42")); // it wakes for the cell
        const Answer limits =
            shell.run({ "--json", "session", "limits", id, "--memory-mb", "512", "--pids", "99" });
        SG_EXIT(limits, 0);
        QCOMPARE(limits.json()["limits"]["pids"], Value(99));
        const Answer extended = shell.run({ "--json", "session", "extend", id, "--by", "7200" });
        SG_EXIT(extended, 0);
        const Value listed = shell.run({ "--json", "session", "list" }).json();
        QCOMPARE(listed[0]["expires_at"], extended.json()["lives_until"]);
        QCOMPARE(listed[0]["limits"]["pids"], Value(99));
        QCOMPARE(listed[0]["state"], Value("kept"));
        QCOMPARE(shell.run({ "--json", "session", "gc", "--dry-run" }).json(), Value(ValueList()));
        const Answer talk = shell.run(
            { "session", "attach", "--thread", "d", "--backend", "docker", "--set", "idle_timeout_s=3600" },
            "x + 1\n");
        SG_EXIT(talk, 0);
        QCOMPARE(talk.out, std::string("43\n"));
        // Somebody removes the container: that is said, and the thread has a session that lives on again.
        ProcessSpec docker = shell.spec({ "rm", "-f", started.json().stringOr("sandbox", "") });
        docker.program = "docker";
        SG_EXIT(CommandLine::execute(docker), 0);
        const Answer lost = cell("x");
        SG_EXIT(lost, 4);
        QCOMPARE(lost.json()["error"]["type"], Value("NameError"));
        SG_VERIFY_CONTAINS(lost.err, "session " + id + " of this thread has ended");
        QCOMPARE(shell.run({ "--json", "session", "list" }).json()[0]["session_id"], Value(id));
        const Value notes = shell.run({ "--json", "session", "view", id }).json()["notes"];
        const auto ended = std::ranges::count_if(
            notes.asList(), [](const Value& note) { return note["event"] == Value("ended"); });
        QCOMPARE(ended, std::ptrdiff_t(1));
        SG_EXIT(shell.run({ "session", "stop", id }), 0);
        QCOMPARE(shell.run({ "--json", "session", "list" }).json(), Value(ValueList()));
        SG_VERIFY_CONTAINS(
            shell.run({ "--json", "session", "list", "--all" }).json()[0].stringOr("state", ""),
            std::string("ended"));
        SG_EXIT(shell.run({ "session", "pause", id }), 2);
    }

    // A kept session whose idle time is over is garbage.
    void collectsWhatIsOver()
    {
        SG_NEED("docker");
        const CommandLine shell("counter");
        const Answer started =
            shell.run({ "--json", "session", "start", "--thread", "g", "--backend", "docker", "--set",
                        "max_age_s=0.001", "--set", "idle_timeout_s=3600" });
        SG_EXIT(started, 0);
        const Value planned = shell.run({ "--json", "session", "gc", "--dry-run" }).json();
        QCOMPARE(test::keysOf(planned[0]), std::string("kind name session_id why"));
        SG_VERIFY_CONTAINS(planned[0].stringOr("why", ""), std::string("age limit"));
        SG_EXIT(shell.run({ "session", "gc" }), 0);
        QCOMPARE(shell.run({ "--json", "session", "list" }).json(), Value(ValueList()));
    }
};

SG_TEST(TestCliSessions)
#include "tst_cli_sessions.moc"
