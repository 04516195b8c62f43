#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"
#include "ui/replay/replay_plan.h"

#include <QTest>

#include <limits>

using namespace sg::ui;

namespace {

// One line a checkpoint: "id parent step source next,next | node:outcome:seconds …", "-" for none.
HistoryRows historyFrom(const char* lines)
{
    HistoryRows history;
    history.thread = QStringLiteral("t");
    for (const QString& line : QString::fromLatin1(lines).split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const QStringList halves = line.split(QLatin1Char('|'));
        const QStringList words = halves[0].simplified().split(QLatin1Char(' '));
        CheckpointRow row;
        row.id = words[0];
        row.parent = words[1] == QLatin1String("-") ? QString() : words[1];
        row.step = words[2].toInt();
        row.source = words[3].toStdString();
        if (words[4] != QLatin1String("-"))
            row.next = words[4].split(QLatin1Char(','));
        const QStringList tasks = halves.value(1).split(QLatin1Char(' '), Qt::SkipEmptyParts);
        for (const QString& each : tasks) {
            const QStringList parts = each.split(QLatin1Char(':'));
            TaskRow task;
            task.checkpoint = row.id;
            task.task = row.id + parts[0];
            task.node = parts[0];
            task.step = row.step; // the plan counts for itself
            task.outcome = sg::taskOutcomeNamed(parts.value(1).toStdString());
            task.seconds = parts.value(2).toDouble();
            history.tasks.push_back(task);
        }
        history.checkpoints.push_back(std::move(row));
    }
    return history;
}

QString asText(const std::vector<PlannedTask>& tasks)
{
    QStringList words;
    for (const PlannedTask& task : tasks)
        words << QStringLiteral("%1 %2 %3")
                     .arg(task.step)
                     .arg(task.node, QString::fromStdString(sg::taskOutcomeName(task.outcome)))
                     .trimmed();
    return words.join(QStringLiteral("; "));
}

constexpr const char* kLine = R"(
i - -1 input load | __start__:done:0
a i 0 loop load | load:done:1
b a 1 loop x,y | x:done:2 y:failed:3
c b 2 loop join | join:done:1
d c 3 loop -
)";

} // namespace

class TestReplayPlan : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void plans_data()
    {
        QTest::addColumn<QByteArray>("history");
        QTest::addColumn<QString>("checkpoint");
        QTest::addColumn<QString>("next");
        QTest::addColumn<QString>("later");
        QTest::addColumn<int>("shared");
        const auto row = [](const char* name, const char* history, const char* checkpoint, const char* next,
                            const char* later, int shared) {
            QTest::newRow(name) << QByteArray(history) << QString::fromLatin1(checkpoint)
                                << QString::fromLatin1(next) << QString::fromLatin1(later) << shared;
        };
        row("the past", kLine, "a", "1 load done", "2 x done; 2 y failed; 3 join done", 2);
        row("before the end", kLine, "c", "3 join done", "", 4);
        row("the end", kLine, "d", "", "", 5);
        row("unknown", kLine, "z", "", "", 0);
        row("not run yet", "a - 0 loop n\n", "a", "1 n", "", 1);
        row("the newest branch is compared",
            "a - 0 loop n | n:failed:1\nf a 1 fork n | n:done:2\ng f 2 loop m | m:done:1\n", "a", "1 n done",
            "2 m done", 1);
        row("the newest, in part done", "b - 1 loop y | x:done:2 y:failed:3\n", "b", "2 y failed; 2 x done",
            "", 1);
        row("the newest, two of one node", "b - 1 loop n | n:done:2 n:failed:3\n", "b",
            "2 n done; 2 n failed", "", 1);
        row("two of one node", "a - 0 loop n,n | n:done:1 n:failed:1\n", "a", "1 n done; 1 n failed", "", 1);
    }
    void plans()
    {
        QFETCH(QByteArray, history);
        QFETCH(QString, checkpoint);
        QFETCH(QString, next);
        QFETCH(QString, later);
        QFETCH(int, shared);
        const ReplayPlan plan = planReplay(historyFrom(history), checkpoint);
        QCOMPARE(asText(plan.next), next);
        QCOMPARE(asText(plan.later), later);
        QCOMPARE(plan.shared, shared);
    }

    void endsWhereItIsToldTo_data()
    {
        QTest::addColumn<int>("until");
        QTest::addColumn<QString>("node");
        QTest::addColumn<QString>("later");
        QTest::newRow("the end") << int(ReplayAim::Until::End) << ""
                                 << "2 x done; 2 y failed; 3 join done";
        QTest::newRow("one step") << int(ReplayAim::Until::Step) << ""
                                  << "";
        QTest::newRow("before a later one") << int(ReplayAim::Until::Before) << "join"
                                            << "2 x done; 2 y failed";
        QTest::newRow("its neighbours pause too") << int(ReplayAim::Until::Before) << "y"
                                                  << "";
        QTest::newRow("it did not come so far") << int(ReplayAim::Until::Before) << "else"
                                                << "2 x done; 2 y failed; 3 join done";
    }
    void endsWhereItIsToldTo()
    {
        QFETCH(int, until);
        QFETCH(QString, node);
        QFETCH(QString, later);
        const ReplayPlan plan = planReplay(historyFrom(kLine), QStringLiteral("a"));
        const ReplayPlan seen = limited(plan, { ReplayAim::Until(until), node });
        QCOMPARE(asText(seen.next), asText(plan.next));
        QCOMPARE(asText(seen.later), later);
    }

    void runsOneNodeAgain_data()
    {
        QTest::addColumn<QByteArray>("history");
        QTest::addColumn<QString>("node");
        QTest::addColumn<QString>("next");
        QTest::addColumn<QString>("reused");
        constexpr const char* kPast = "b - 1 loop x,y,z | x:done:2 y:done:3 z:failed:1\nc b 2 loop -\n";
        constexpr const char* kHead = "b - 1 loop y | x:done:2 y:failed:3\n"; // what is left to do
        QTest::newRow("the others are reused") << QByteArray(kPast) << "x"
                                               << "2 x done; 2 z failed"
                                               << "2 y done";
        QTest::newRow("at the end, one that failed") << QByteArray(kHead) << "y"
                                                     << "2 y failed"
                                                     << "2 x done";
        QTest::newRow("at the end, one that was done") << QByteArray(kHead) << "x"
                                                       << "2 y failed; 2 x done"
                                                       << "";
    }
    void runsOneNodeAgain()
    {
        QFETCH(QByteArray, history);
        QFETCH(QString, node);
        QFETCH(QString, next);
        QFETCH(QString, reused);
        const ReplayPlan plan = planRerun(historyFrom(history), QStringLiteral("b"), node);
        QCOMPARE(asText(plan.next), next);
        QCOMPARE(asText(plan.reused), reused);
    }

    void findsWhereANodeRanLast_data()
    {
        QTest::addColumn<QString>("checkpoint");
        QTest::addColumn<QString>("node");
        QTest::addColumn<QString>("start");
        QTest::newRow("before the end") << "d"
                                        << "y"
                                        << "b";
        QTest::newRow("it would run next") << "c"
                                           << "join"
                                           << "c";
        QTest::newRow("not yet") << "a"
                                 << "join"
                                 << "";
        QTest::newRow("never") << "d"
                               << "else"
                               << "";
        QTest::newRow("no such checkpoint") << "z"
                                            << "y"
                                            << "";
    }
    void findsWhereANodeRanLast()
    {
        QFETCH(QString, checkpoint);
        QFETCH(QString, node);
        QFETCH(QString, start);
        QCOMPARE(lastStartOf(historyFrom(kLine), checkpoint, node), start);
    }

    void aLongHistoryIsCut()
    {
        QByteArray lines = "c0 - 0 loop n | n:done:1\n";
        for (int i = 1; i < 100; ++i)
            lines += QStringLiteral("c%1 c%2 %1 loop n | n:done:1\n").arg(i).arg(i - 1).toLatin1();
        const ReplayPlan plan = planReplay(historyFrom(lines), QStringLiteral("c0"));
        QCOMPARE(plan.later.size(), std::size_t(kMostLater));
        QCOMPARE(plan.moreLater, 99 - kMostLater);
    }

    // A database from anywhere may say anything of its steps, and makes no list long.
    void anyNumberIsAStep_data()
    {
        QTest::addColumn<QByteArray>("history");
        QTest::addColumn<int>("laterStep");
        QTest::newRow("huge") << QByteArray("a - 2147483647 loop x | x:done:1\n"
                                            "b a 2147483647 loop y,z | y:done:1 z:done:1\n"
                                            "c b 2147483647 loop -\n")
                              << std::numeric_limits<int>::max();
        QTest::newRow("negative") << QByteArray("a - -2147483648 loop x | x:done:1\n"
                                                "b a 2147483000 loop y,z | y:done:1 z:done:1\n"
                                                "c b -7 loop -\n")
                                  << std::numeric_limits<int>::min() + 2;
    }
    void anyNumberIsAStep()
    {
        QFETCH(QByteArray, history);
        QFETCH(int, laterStep);
        const ReplayPlan plan = planReplay(historyFrom(history), QStringLiteral("a"));
        QCOMPARE(plan.next.size(), std::size_t(1));
        QCOMPARE(plan.later.size(), std::size_t(2));
        QCOMPARE(plan.later[1].step, laterStep);
        QCOMPARE(laterPlaces(plan), (std::vector<std::size_t>{ 1, 1 }));
    }

    void eachLaterStepHasAPlace()
    {
        const ReplayPlan plan = planReplay(historyFrom(kLine), QStringLiteral("a"));
        QCOMPARE(laterPlaces(plan), (std::vector<std::size_t>{ 1, 1, 2 }));
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("checkpoint");
        QTest::addColumn<int>("refusal");
        QTest::newRow("none") << QString() << int(ReplayRefusal::NoCheckpoint);
        QTest::newRow("the end") << QStringLiteral("e") << int(ReplayRefusal::NothingLeft);
        QTest::newRow("waits") << QStringLiteral("w") << int(ReplayRefusal::WaitsForAnswer);
        QTest::newRow("the past") << QStringLiteral("a") << int(ReplayRefusal::None);
    }
    void refuses()
    {
        QFETCH(QString, checkpoint);
        QFETCH(int, refusal);
        const HistoryRows history = historyFrom(
            "a - 0 loop ask | ask:interrupted:1\ne a 1 loop -\nw a 1 loop ask | ask:interrupted:1\n");
        QCOMPARE(int(replayRefusal(history, checkpoint)), refusal);
    }
};

SG_TEST(TestReplayPlan)
#include "tst_replay_plan.moc"
