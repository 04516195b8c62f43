// Finding things in what runs left, read-only SQL, and what models took.

#include "tests/app/cli/command_line.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <sstream>

using namespace sg;
using test::Answer;
using test::CommandLine;

namespace {

// The counter run once from 1: steps -1, 0, 1, 2.
struct Counted {
    CommandLine shell{ "counter" };
    Counted()
    {
        const Answer run =
            shell.run({ "run", "counter.graph.json", "--thread", "a", "--input", "{\"value\": 1}" });
        if (run.exit != 0)
            qFatal("%s", run.whole().c_str());
    }
};

} // namespace

class TestCliQuery : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void finds()
    {
        const Counted counted;
        const Answer tasks = counted.shell.run({ "--json", "query", "is:task status:done", "--thread", "a" });
        QVERIFY2(tasks.exit == 0, tasks.whole().c_str());
        const Value found = tasks.json();
        QVERIFY2(found.intOr("found", 0) > 1, tasks.whole().c_str());
        QCOMPARE(found["hits"].asList().front().stringOr("kind", ""), std::string("task"));
        QVERIFY(!found["hits"].asList().front().stringOr("checkpoint_id", "").empty());
        const Answer one = counted.shell.run({ "--json", "query", "node:doubler is:task" });
        QCOMPARE(one.json().intOr("found", 0), 1);
        const Answer none = counted.shell.run({ "query", "status:failed" });
        QCOMPARE(none.exit, 0);
        QVERIFY2(none.err.find("0 found") != std::string::npos, none.whole().c_str());
        const Answer cut = counted.shell.run({ "query", "is:checkpoint", "--limit", "1" });
        QCOMPARE(std::count(cut.out.begin(), cut.out.end(), '\n'), 1);
    }

    void saysWhatIsWrong()
    {
        const Counted counted;
        const Answer field = counted.shell.run({ "query", "is:task colour:red" });
        QCOMPARE(field.exit, 2);
        QVERIFY2(field.err.find("at character 9") != std::string::npos, field.whole().c_str());
        QCOMPARE(counted.shell.run({ "query" }).exit, 2);
        QCOMPARE(counted.shell.run({ "query", "is:task", "--sql", "SELECT 1" }).exit, 2);
        QCOMPARE(counted.shell.run({ "query", "is:task", "--thread", "nobody" }).exit, 2);
    }

    void printedCommandsWorkWhereTheyArePrinted_data()
    {
        QTest::addColumn<QStringList>("words");
        const QString graph = QStringLiteral("project/counter.graph.json");
        const QString project = QStringLiteral("--project=project");
        const QString database = QStringLiteral("--db=project/.sandglass/checkpoints.sqlite");
        const QString thread = QStringLiteral("--thread");
        const QString a = QStringLiteral("a");
        const QString none = QStringLiteral("none");
        const QString checkpoint = QStringLiteral("--checkpoint");
        QTest::newRow("replay") << QStringList{
            QStringLiteral("replay"), graph, thread, a, checkpoint, none
        };
        QTest::newRow("state") << QStringList{
            QStringLiteral("state"), project, thread, a, checkpoint, none
        };
        QTest::newRow("thread") << QStringList{ QStringLiteral("state"), project, thread, none };
        QTest::newRow("database") << QStringList{ QStringLiteral("state"), database, thread, none };
        QTest::newRow("history") << QStringList{ QStringLiteral("history"), project, thread, none };
        QTest::newRow("explain") << QStringList{
            QStringLiteral("explain"), database, thread, a, checkpoint, none
        };
        QTest::newRow("resume") << QStringList{ QStringLiteral("resume"), graph, thread, none };
    }
    // Who stands elsewhere pastes what is printed.
    void printedCommandsWorkWhereTheyArePrinted()
    {
        QFETCH(const QStringList, words);
        const Counted counted;
        const auto elsewhere = [&](std::vector<std::string> arguments) {
            ProcessSpec spec = counted.shell.spec(std::move(arguments));
            spec.workingFolder = counted.shell.outside().string();
            return CommandLine::execute(spec);
        };
        std::vector<std::string> asked;
        for (const QString& word : words)
            asked.push_back(word.toStdString());
        const Answer refused = elsewhere(asked);
        QCOMPARE(refused.exit, 2);
        const std::size_t at = refused.err.find("sandglass ");
        QVERIFY2(at != std::string::npos, refused.whole().c_str());
        std::istringstream printed(refused.err.substr(at));
        std::vector<std::string> next;
        printed >> asked.front(); // sandglass
        for (std::string word; printed >> word;) {
            while (word.ends_with(',') || word.ends_with('.') || word.ends_with(')'))
                word.pop_back();
            if (word == "or" || word == "See" || word == "NAME" || word == "--help")
                break;
            next.push_back(word);
        }
        const Answer answer = elsewhere(next);
        QVERIFY2(answer.exit == 0, (refused.whole() + answer.whole()).c_str());
    }

    void answersSqlThatReads()
    {
        const Counted counted;
        const Answer rows = counted.shell.run(
            { "--json", "query", "--sql", "SELECT node, count(*) AS n FROM tasks GROUP BY node" });
        QVERIFY2(rows.exit == 0, rows.whole().c_str());
        QCOMPARE(rows.json()["columns"], Value::list({ "node", "n" }));
        for (const char* sql :
             { "DELETE FROM checkpoints", "ATTACH 'x.sqlite' AS x", "PRAGMA journal_mode=DELETE" }) {
            const Answer refused = counted.shell.run({ "query", "--sql", sql });
            QVERIFY2(refused.exit != 0, refused.whole().c_str());
        }
        const Answer endless = counted.shell.run(
            { "query", "--seconds", "0.2", "--sql",
              "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n" });
        QVERIFY2(endless.exit != 0 && endless.err.find("longer than") != std::string::npos,
                 endless.whole().c_str());
    }

    void tellsWhatModelsTook()
    {
        Counted counted; // prices are the user's own: not those of who runs this
        counted.shell.environment.push_back("XDG_CONFIG_HOME="
                                            + (counted.shell.outside() / "config").string());
        const Answer none = counted.shell.run({ "--json", "usage" });
        QVERIFY2(none.exit == 0, none.whole().c_str());
        QVERIFY(none.json()["threads"].asList().empty());
        const Answer thread = counted.shell.run({ "--json", "usage", "--thread", "a" });
        QCOMPARE(thread.json()["total"].intOr("calls", -1), 0);
        QVERIFY(thread.json()["total"]["cost"].isNull()); // never 0
        const Answer nobody = counted.shell.run({ "usage", "--thread", "nobody" });
        QCOMPARE(nobody.exit, 2);
        SG_VERIFY_CONTAINS(nobody.err, "thread 'nobody' has no checkpoints");
        const Answer set = counted.shell.run(
            { "--json", "usage", "price", "m*", "--input", "2.5", "--output", "10", "--date", "2026-01-31" });
        QVERIFY2(set.exit == 0, set.whole().c_str());
        QCOMPARE(set.json()["models"].asList().front().stringOr("date", ""), std::string("2026-01-31"));
        QCOMPARE(counted.shell.run({ "usage", "price", "m*" }).exit, 2); // says no price
        QCOMPARE(counted.shell.run({ "usage", "price", "m*", "--remove" }).exit, 0);
        QVERIFY(counted.shell.run({ "--json", "usage", "price" }).json()["models"].asList().empty());
    }
};

SG_TEST(TestCliQuery)
#include "tst_cli_query.moc"
