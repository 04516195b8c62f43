// Modules of the project in both kinds of sandbox, by the real program.

#include "core/base/file.h"
#include "core/base/hash.h"
#include "tests/app/cli/command_line.h"
#include "tests/support/machine.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <filesystem>

using namespace sg;
using test::Answer;
using test::CommandLine;
namespace fs = std::filesystem;

namespace {

constexpr const char* kModels = "RATE = 2\ndef total(price):\n    return price * RATE\n";
constexpr const char* kNode = "from models import total\ndef node(state):\n    return {'value': total(5)}\n";

Answer startOn(const std::string& backend, const CommandLine& shell, std::vector<std::string> more = {})
{
    std::vector<std::string> words{ "--json",    "run",  "python.graph.json", "--thread", "t",
                                    "--backend", backend };
    words.insert(words.end(), more.begin(), more.end());
    return shell.run(words, {}, std::chrono::seconds(120));
}

} // namespace

class TestCliModules : public QObject {
    Q_OBJECT

private:
    void eachBackend()
    {
        QTest::addColumn<std::string>("backend");
        for (const char* backend : { "bubblewrap", "docker" })
            QTest::newRow(backend) << std::string(backend);
    }

private Q_SLOTS:
    void linksThatLeadOutAreSaid()
    {
        const CommandLine shell;
        shell.take("python");
        shell.write("nodes/work.py", "def node(state): return {'value': 1}\n");
        shell.write("src/fine.py", "");
        fs::create_directories(shell.outside() / "shared");
        fs::create_directory_symlink(shell.outside() / "shared", shell.project() / "lib");
        fs::create_symlink(shell.project() / "src/fine.py", shell.project() / "nodes/rates.py");
        fs::create_symlink("work.py", shell.project() / "nodes/alias.py");
        const Value problems = shell.run({ "--json", "validate", "python.graph.json" }).json()["problems"];
        QCOMPARE(problems.asList().size(), std::size_t(2));
        SG_VERIFY_CONTAINS(problems[0].stringOr("message", ""),
                           "'nodes/rates.py' is a link that leads out of");
        SG_VERIFY_CONTAINS(problems[1].stringOr("message", ""), "'lib' is a link that leads out of");
    }

    void nodesShareCode_data() { eachBackend(); }
    void nodesShareCode()
    {
        QFETCH(std::string, backend);
        SG_NEED(backend.c_str());
        const CommandLine shell;
        shell.take("python");
        shell.write("lib/models.py", kModels);
        shell.write("nodes/work.py", kNode);
        const Answer first = startOn(backend, shell);
        SG_EXIT(first, 0);
        const Value document = first.json();
        QCOMPARE(document["values"]["value"], Value(10));
        QCOMPARE(document["modules"], Value::list({ "lib/models.py sha256:" + sha256Hex(kModels) }));
        QCOMPARE(shell.run({ "--json", "history", "--thread", "t", "--runs" }).json()[0]["modules"],
                 document["modules"]);
        shell.write("lib/models.py", "RATE = 3\ndef total(price):\n    return price * RATE\n");
        QCOMPARE(startOn(backend, shell).json()["values"]["value"], Value(15));
    }

    void theyAreReadOnly_data() { eachBackend(); }
    void theyAreReadOnly()
    {
        QFETCH(std::string, backend);
        SG_NEED(backend.c_str());
        const CommandLine shell;
        shell.take("python");
        shell.write("lib/models.py", kModels);
        shell.write(
            "nodes/work.py",
            "import models, os\n"
            "def node(state):\n"
            "    refused = 0\n"
            "    for act in (lambda: open(models.__file__, 'w'), lambda: os.remove(models.__file__),\n"
            "                lambda: os.chmod(models.__file__, 0o777),\n"
            "                lambda: open(os.path.dirname(models.__file__) + '/more.py', 'w')):\n"
            "        try:\n"
            "            act()\n"
            "        except OSError:\n"
            "            refused += 1\n"
            "    return {'value': refused}\n");
        const Answer answer = startOn(backend, shell);
        SG_EXIT(answer, 0);
        QCOMPARE(answer.json()["values"]["value"], Value(4));
        QCOMPARE(*readFile(shell.project() / "lib/models.py"), std::string(kModels));
    }

    void foldersThatLeadOutAreRefused()
    {
        const CommandLine shell;
        shell.take("python");
        fs::create_directory_symlink("/etc", shell.project() / "out");
        fs::create_directories(shell.project() / ".hidden");
        for (const auto& [name, said] : std::vector<std::pair<std::string, std::string>>{
                 { "out", "leads out" }, { "../x", "" }, { "/etc", "" }, { "none", "none" } }) {
            shell.write("g.graph.json",
                        R"({"sandbox": {"python": [")" + name
                            + R"("]}, "nodes": [{"name": "a", "kind": "python", "file": "nodes/work.py"}],)"
                              R"( "edges": [["__start__", "a"]]})");
            const Answer answer = shell.run({ "validate", "g.graph.json" });
            QVERIFY2(answer.exit != 0, name.c_str());
            SG_VERIFY_CONTAINS(answer.out + answer.err, said);
            SG_VERIFY_CONTAINS(answer.out + answer.err, "/sandbox/python/0");
        }
    }

    void namesOfTheStandardLibraryAreWarnedOf()
    {
        const CommandLine shell;
        shell.take("python");
        shell.write("nodes/work.py", kNode);
        shell.write("lib/wave.py", "X = 1\n");
        shell.write("lib/work.py", "X = 1\n");
        const Answer answer = shell.run({ "validate", "python.graph.json" });
        SG_EXIT(answer, 0);
        SG_VERIFY_CONTAINS(answer.out + answer.err,
                           "'lib/wave' has the name of a module of Python's standard library");
        SG_VERIFY_CONTAINS(answer.out + answer.err, "'import work' gives that of 'nodes', not that of 'lib'");
    }

    void namesOfInstalledPackagesAreWarnedOf()
    {
        const CommandLine shell;
        shell.write("g.graph.json",
                    R"({"state": {"value": {}}, "sandbox": {"requirements": ["scikit-image==0.24.0"]},)"
                    R"( "nodes": [{"name": "pandas", "kind": "python", "file": "nodes/pandas.py"}],)"
                    R"( "edges": [["__start__", "pandas"]]})");
        shell.write("nodes/pandas.py", kNode);
        shell.write("lib/dateutil/__init__.py", "X = 1\n");
        shell.write("lib/scikit_image.py", "X = 1\n");
        shell.write("lib/mine.py", "X = 1\n");
        const Answer answer = shell.run({ "validate", "g.graph.json" });
        SG_EXIT(answer, 0);
        for (const char* name : { "nodes/pandas", "lib/dateutil", "lib/scikit_image" })
            SG_VERIFY_CONTAINS(answer.out + answer.err,
                               std::string("'") + name + "' has the name of an installed package");
        QVERIFY2(answer.err.find("lib/mine") == std::string::npos, answer.whole().c_str());
    }
};

SG_CORE_TEST(TestCliModules)
#include "tst_cli_modules.moc"
