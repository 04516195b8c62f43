// Datasets from the command line, and in a real sandbox.

#include "tests/app/cli/command_line.h"
#include "tests/support/test_main.h"

using namespace sg;
using Words = std::vector<std::string>;
using test::Answer;
using test::CommandLine;

class TestCliDataset : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void providersAreAddedListedAndRemoved()
    {
        CommandLine shell("counter");
        shell.replaceEnvironment("XDG_DATA_HOME",
                                 (shell.outside() / "data").string()); // what is allowed there
        const auto dataset = [&](Words words) {
            words.insert(words.begin(), { "--json", "dataset" });
            return shell.run(words);
        };
        QCOMPARE(dataset({ "list" }).json().asList().size(), std::size_t(0));
        const Answer added = dataset(
            { "add", "query", "--format", "csv", "--ids", "sales", "--command", "/bin/echo", "a,{id}" });
        SG_EXIT(added, 0);
        SG_VERIFY_CONTAINS(added.json()["what"].asString(),
                           "runs a program on this machine: /bin/echo a,{id}");
        const Answer listed = dataset({ "list" });
        SG_EXIT(listed, 0);
        QCOMPARE(listed.json()[0]["id"], Value("sales"));
        QCOMPARE(listed.json()[0]["status"], Value("AVAILABLE"));
        const Answer staged = dataset({ "stage", "sales" });
        SG_EXIT(staged, 0);
        QCOMPARE(staged.json()["bytes"], Value(8));
        QCOMPARE(dataset({ "list" }).json()[0]["id"], Value("sales.csv"));
        SG_EXIT(dataset({ "stage", "../sales" }), 2);
        SG_VERIFY_CONTAINS(dataset({ "stage", "../sales" }).err, "is no dataset's name");
        SG_VERIFY_CONTAINS(dataset({ "add", "web", "--url", "ftp://h/{id}" }).err, "/providers/2/url");
        SG_EXIT(dataset({ "remove", "query" }), 0);
        QVERIFY(dataset({ "remove", "query" }).exit != 0);
        QCOMPARE(dataset({ "providers" }).json().asList().size(), std::size_t(1));
    }
};

SG_CORE_TEST(TestCliDataset)
#include "tst_cli_dataset.moc"
