// Threads as files: moved to another project unchanged, hostile ones refused, secrets noticed; and pruning.

#include "tests/app/cli/command_line.h"
#include "tests/support/machine.h"
#include "tests/support/test_main.h"

#include <algorithm>

using namespace sg;
using sg::test::Answer;
using sg::test::CommandLine;

namespace {

// A line of Python that works on the files that are named.
Answer python(const std::string& code, std::vector<std::string> arguments)
{
    ProcessSpec spec;
    spec.program = "/usr/bin/python3";
    spec.arguments = { "-B", "-c", code };
    spec.arguments.insert(spec.arguments.end(), arguments.begin(), arguments.end());
    return CommandLine::execute(std::move(spec));
}

// Paths and hashes of what a bundle holds.
std::string membersOf(const std::filesystem::path& bundle)
{
    const Answer answer =
        python("import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read('manifest.json').decode())",
               { bundle.string() });
    std::string lines;
    const Value manifest = answer.json();
    if (manifest["members"].isList())
        for (const Value& member : manifest["members"].asList())
            lines += member.stringOr("path", "?") + " " + member.stringOr("sha256", "?") + "\n";
    return lines;
}

// The graphs that a database says its runs were started on.
std::string graphsIn(const std::filesystem::path& database)
{
    return python("import sys, sqlite3\n"
                  "for row in sqlite3.connect(sys.argv[1]).execute('SELECT run_id, hash, text FROM "
                  "sandglass_run_graphs JOIN sandglass_graphs USING (hash) ORDER BY 1'): print(row)",
                  { database.string() })
        .out;
}

void runOften(const CommandLine& line, const std::string& thread, int times)
{
    for (int i = 0; i < times; ++i) {
        const Answer ran =
            line.run({ "run", ".", "--thread", thread, "--input", "{\"value\": " + std::to_string(i) + "}" });
        QVERIFY2(ran.exit == 0, ran.whole().c_str());
    }
}

} // namespace

class TestCliBundle : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void movesAThread()
    {
        const CommandLine here("counter");
        const CommandLine there("counter");
        runOften(here, "alice", 3);
        const std::string file = (here.outside() / "alice.zip").string();
        const Answer exported = here.run({ "bundle", "export", "--thread", "alice", "-o", file, "--json" });
        QVERIFY2(exported.exit == 0, exported.whole().c_str());
        QVERIFY(exported.json().intOr("checkpoints", 0) > 6);
        const Answer imported = there.run({ "bundle", "import", file, "--json" });
        QVERIFY2(imported.exit == 0, imported.whole().c_str());
        QCOMPARE(imported.json().intOr("checkpoints", 0), exported.json().intOr("checkpoints", 0));
        for (const char* verb : { "state", "history", "explain" })
            QCOMPARE(there.run({ verb, "--thread", "alice", "--json" }).out,
                     here.run({ verb, "--thread", "alice", "--json" }).out);
        QCOMPARE(there.run({ "history", "--thread", "alice", "--runs", "--json" }).out,
                 here.run({ "history", "--thread", "alice", "--runs", "--json" }).out);
        SG_VERIFY_CONTAINS(graphsIn(here.database()), "incrementer");
        QCOMPARE(graphsIn(there.database()), graphsIn(here.database()));
        const std::string again = (there.outside() / "again.zip").string();
        QCOMPARE(there.run({ "bundle", "export", "--thread", "alice", "-o", again }).exit, 0);
        QVERIFY(!membersOf(file).empty());
        QCOMPARE(membersOf(again), membersOf(file));
        const Answer twice = there.run({ "bundle", "import", file });
        QCOMPARE(twice.exit, 2);
        SG_VERIFY_CONTAINS(twice.err,
                           "another name, with: sandglass bundle import " + file + " --as alice-2");
        const Answer other = there.run({ "bundle", "import", file, "--as", "bob" });
        QVERIFY2(other.exit == 0, other.whole().c_str());
        QCOMPARE(there.run({ "history", "--thread", "bob", "--json" }).out,
                 there.run({ "history", "--thread", "alice", "--json" }).out);
        QCOMPARE(there.run({ "resume", ".", "--thread", "bob" }).exit,
                 there.run({ "resume", ".", "--thread", "alice" }).exit);
    }

    // Bundles of earlier versions name no graphs of runs.
    void takesABundleOfBefore()
    {
        const CommandLine here("counter");
        runOften(here, "alice", 1);
        const std::string file = (here.outside() / "alice.zip").string();
        const std::string old = (here.outside() / "old.zip").string();
        QCOMPARE(here.run({ "bundle", "export", "--thread", "alice", "-o", file }).exit, 0);
        const Answer made = python("import sys, zipfile, json\n"
                                   "a = zipfile.ZipFile(sys.argv[1]); b = zipfile.ZipFile(sys.argv[2], 'w')\n"
                                   "new = ['rows/sandglass_graphs.rows', 'rows/sandglass_run_graphs.rows']\n"
                                   "for n in a.namelist():\n"
                                   "  t = a.read(n)\n"
                                   "  if n == 'manifest.json':\n"
                                   "    m = json.loads(t)\n"
                                   "    m['members'] = [e for e in m['members'] if e['path'] not in new]\n"
                                   "    t = json.dumps(m)\n"
                                   "  n in new or b.writestr(n, t)\n"
                                   "b.close()",
                                   { file, old });
        QVERIFY2(made.exit == 0, made.whole().c_str());
        const CommandLine there("counter");
        SG_EXIT(there.run({ "bundle", "import", old }), 0);
        QCOMPARE(there.run({ "history", "--thread", "alice", "--json" }).out,
                 here.run({ "history", "--thread", "alice", "--json" }).out);
        runOften(there, "alice", 1);
    }

    void movesArtifactsAndSnapshots()
    {
        SG_NEED("bubblewrap");
        SG_NEED("runtime");
        const CommandLine here("penguins");
        const Answer ran = here.run({ "run", ".", "--thread", "alice", "--backend", "bubblewrap" }, {},
                                    std::chrono::seconds(120));
        QVERIFY2(ran.exit == 0, ran.whole().c_str());
        const std::string file = (here.outside() / "alice.zip").string();
        const Answer exported = here.run({ "bundle", "export", "--thread", "alice", "-o", file, "--json" });
        QVERIFY2(exported.exit == 0, exported.whole().c_str());
        QVERIFY(exported.json().intOr("artifacts", 0) > 0);
        const CommandLine there("penguins");
        QCOMPARE(there.run({ "bundle", "import", file }).exit, 0);
        const Answer verified = there.run({ "artifacts", "verify", "--json" });
        QVERIFY2(verified.exit == 0, verified.whole().c_str());
        QCOMPARE(verified.json().intOr("artifacts", 0), exported.json().intOr("artifacts", 0));
        QCOMPARE(there.run({ "snapshots", "list", "--thread", "alice", "--json" }).out,
                 here.run({ "snapshots", "list", "--thread", "alice", "--json" }).out);
        const std::string again = (there.outside() / "again.zip").string();
        QCOMPARE(there.run({ "bundle", "export", "--thread", "alice", "-o", again }).exit, 0);
        QCOMPARE(membersOf(again), membersOf(file));
    }

    // Rows: Python that makes argv[2] of the good bundle argv[1].
    void refusesHostileArchives_data()
    {
        QTest::addColumn<std::string>("code");
        QTest::addColumn<std::string>("why");
        const std::string copy = "import sys, zipfile, json\n"
                                 "a = zipfile.ZipFile(sys.argv[1]); b = zipfile.ZipFile(sys.argv[2], 'w')\n"
                                 "for n in a.namelist():\n";
        QTest::newRow("a way out") << copy
                + "  b.writestr(n, a.read(n))\nb.writestr('code/../../evil', 'x'); b.close()"
                                   << std::string("no bundle does");
        QTest::newRow("absolute") << copy
                + "  b.writestr(n, a.read(n))\nb.writestr('/tmp/evil', 'x'); b.close()"
                                  << std::string("no bundle does");
        QTest::newRow("a link") << copy
                + "  b.writestr(n, a.read(n))\ni = zipfile.ZipInfo('code/link'); i.create_system = 3; "
                  "i.external_attr = 0o120777 << 16\n"
                  "b.writestr(i, '/etc/passwd'); b.close()"
                                << std::string("no bundle does");
        QTest::newRow("changed") << copy
                + "  b.writestr(n, a.read(n) + (b' ' if n == 'graph.json' else b''))\nb.close()"
                                 << std::string("changed or damaged");
        QTest::newRow("not listed") << copy
                + "  b.writestr(n, a.read(n))\nb.writestr('code/more.py', 'x'); b.close()"
                                    << std::string("does not list");
        QTest::newRow("missing") << copy + "  n == 'graph.json' or b.writestr(n, a.read(n))\nb.close()"
                                 << std::string("missing");
        QTest::newRow("no manifest") << copy + "  n == 'manifest.json' or b.writestr(n, a.read(n))\nb.close()"
                                     << std::string("manifest");
        QTest::newRow("newer") << copy
                + "  t = a.read(n)\n  if n == 'manifest.json':\n    m = json.loads(t); m['version'] = 99; t "
                  "= json.dumps(m)\n  b.writestr(n, t)\nb.close()"
                               << std::string("newer version");
        QTest::newRow("cut off") << std::string(
            "import sys; t = open(sys.argv[1], 'rb').read(); open(sys.argv[2], 'wb').write(t[:len(t) // 2])")
                                 << std::string("import");
        for (const char* left : { "- 1", "- 22", "- 200" })
            QTest::addRow("cut off, %s bytes", left)
                << "import sys; t = open(sys.argv[1], 'rb').read(); open(sys.argv[2], 'wb').write(t[:len(t) "
                    + std::string(left) + "])"
                << std::string("cut off");
        QTest::newRow("no archive") << std::string("import sys; open(sys.argv[2], 'w').write('hello')")
                                    << std::string("import");
        QTest::newRow("a graph under a wrong hash") << copy
                + "  t = a.read(n)\n  if n == 'rows/sandglass_graphs.rows': t = t.replace(b'doubler', "
                  "b'tripler')\n"
                  "  if n == 'manifest.json':\n    import hashlib; m = json.loads(t)\n    for e in "
                  "m['members']:\n"
                  "      if e['path'] == 'rows/sandglass_graphs.rows': e['sha256'] = "
                  "hashlib.sha256(a.read(e['path']).replace(b'doubler', b'tripler')).hexdigest()\n"
                  "    t = json.dumps(m)\n  b.writestr(n, t)\nb.close()"
                                                    << std::string("its hash");
        QTest::newRow("rows of another shape") << copy
                + "  t = a.read(n)\n  if n == 'rows/checkpoints.rows': t = "
                  "b'\\x00\\x00\\x00\\x02\\x91\\xc0'\n"
                  "  if n == 'manifest.json':\n    import hashlib; m = json.loads(t)\n    for e in "
                  "m['members']:\n"
                  "      if e['path'] == 'rows/checkpoints.rows': e['bytes'] = 6; e['sha256'] = "
                  "hashlib.sha256(b'\\x00\\x00\\x00\\x02\\x91\\xc0').hexdigest()\n"
                  "    t = json.dumps(m)\n  b.writestr(n, t)\nb.close()"
                                               << std::string("another shape");
    }
    void refusesHostileArchives()
    {
        QFETCH(std::string, code);
        QFETCH(std::string, why);
        const CommandLine here("counter");
        runOften(here, "alice", 1);
        const std::string good = (here.outside() / "good.zip").string();
        const std::string bad = (here.outside() / "bad.zip").string();
        QCOMPARE(here.run({ "bundle", "export", "--thread", "alice", "-o", good }).exit, 0);
        const Answer made = python(code, { good, bad });
        QVERIFY2(made.exit == 0, made.whole().c_str());
        const CommandLine there("counter");
        runOften(there, "other", 1);
        const Answer refused = there.run({ "bundle", "import", bad });
        QVERIFY2(refused.exit != 0, refused.whole().c_str());
        SG_VERIFY_CONTAINS(refused.err, why);
        QCOMPARE(there.run({ "threads", "--json" }).json().asList().size(), std::size_t(1));
        for (const auto& entry : std::filesystem::directory_iterator(there.project() / ".sandglass"))
            QVERIFY2(!entry.path().filename().string().starts_with(".bundle"),
                     "what was unpacked is left behind");
        QVERIFY(!std::filesystem::exists(there.outside() / "evil"));
    }

    void writesNothingWhereSomethingLooksLikeASecret()
    {
        const CommandLine here("counter");
        auto graph = readFile(here.project() / "counter.graph.json");
        QVERIFY(graph);
        const std::string key = std::string("sk") + "-" + std::string(40, 'x');
        graph->replace(graph->find("Adds one"), 8, key);
        here.write("counter.graph.json", *graph);
        runOften(here, "alice", 1);
        const std::string file = (here.outside() / "alice.zip").string();
        const Answer refused = here.run({ "bundle", "export", "--thread", "alice", "-o", file });
        QCOMPARE(refused.exit, 1);
        SG_VERIFY_CONTAINS(refused.err, "graph.json");
        SG_VERIFY_CONTAINS(refused.err, "an API key");
        QVERIFY2(refused.err.find(key) == std::string::npos, "the secret itself is told");
        QVERIFY(!std::filesystem::exists(file));
        QCOMPARE(here.run({ "bundle", "export", "--thread", "alice", "-o", file, "--allow-secrets" }).exit,
                 0);
        QVERIFY(std::filesystem::exists(file));
        QCOMPARE(here.run({ "bundle", "export", "--thread", "nobody" }).exit, 2);
    }

    void prunesAsItSaidItWould()
    {
        const CommandLine here("counter");
        runOften(here, "alice", 20);
        runOften(here, "bob", 1);
        const std::string state = here.run({ "state", "--thread", "alice", "--json" }).out;
        const std::string bob = here.run({ "history", "--thread", "bob", "--json" }).out;
        const auto count = [&] {
            return here.run({ "history", "--thread", "alice", "--json" }).json().asList().size();
        };
        const std::size_t before = count();
        const Answer told =
            here.run({ "storage", "prune", "--thread", "alice", "--keep", "5", "--dry-run", "--json" });
        QVERIFY2(told.exit == 0, told.whole().c_str());
        QCOMPARE(count(), before);
        const Answer done = here.run({ "storage", "prune", "--thread", "alice", "--keep", "5", "--json" });
        QVERIFY2(done.exit == 0, done.whole().c_str());
        QCOMPARE(count(), std::size_t(5));
        QCOMPARE(done.json().intOr("checkpoints", 0), static_cast<std::int64_t>(before - 5));
        QCOMPARE(told.json().intOr("checkpoints", 0), done.json().intOr("checkpoints", 0));
        const double said = static_cast<double>(told.json().intOr("bytes_after", 0));
        const double now = static_cast<double>(std::filesystem::file_size(here.database()));
        QVERIFY2(now > said * 0.95 && now < said * 1.05,
                 (told.whole() + done.whole() + std::to_string(now)).c_str());
        QVERIFY(said < static_cast<double>(told.json().intOr("bytes_before", 0)));
        QCOMPARE(here.run({ "state", "--thread", "alice", "--json" }).out, state);
        QCOMPARE(here.run({ "history", "--thread", "bob", "--json" }).out, bob);
        QCOMPARE(here.run({ "run", ".", "--thread", "alice", "--input", "{\"value\": 1}" }).exit, 0);
        const Answer storage = here.run({ "storage", "--json" });
        QVERIFY2(storage.exit == 0, storage.whole().c_str());
        QCOMPARE(storage.json()["threads"].asList().size(), std::size_t(2));
        QVERIFY(!storage.json()["channels"].asList().empty());
        QCOMPARE(storage.json()["artifact_files_total"],
                 Value(static_cast<std::int64_t>(storage.json()["artifact_files"].asList().size())));
    }

    void subgraphsArePrunedWithWhatTheyRanFrom()
    {
        const CommandLine here("subgraphs");
        for (int i = 0; i < 4; ++i)
            SG_EXIT(here.run({ "run", ".", "--thread", "alice", "--input", "{}" }), 0);
        const Answer told =
            here.run({ "storage", "prune", "--thread", "alice", "--keep", "2", "--dry-run", "--json" });
        SG_EXIT(told, 0);
        QVERIFY2(told.json().intOr("nested_checkpoints", 0) > 4, told.whole().c_str());
        const Answer done = here.run({ "storage", "prune", "--thread", "alice", "--keep", "2", "--json" });
        SG_EXIT(done, 0);
        for (const char* key : { "checkpoints", "nested_checkpoints", "bytes_after", "lost_parents" })
            QCOMPARE(done.json().intOr(key, -1), told.json().intOr(key, -2));
        SG_EXIT(here.run({ "run", ".", "--thread", "alice", "--input", "{}" }), 0);
    }
};

SG_CORE_TEST(TestCliBundle)
#include "tst_cli_bundle.moc"
