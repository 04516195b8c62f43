// The page of pools: what it says of roles, workers, jobs and dead letters, and what it asks for.

#include "tests/support/window_style.h"
#include "ui/pools/attempt_bar.h"
#include "ui/pools/dead_model.h"
#include "ui/pools/pool_history.h"
#include "ui/pools/pool_model.h"
#include "ui/pools/pools_panel.h"
#include "ui/pools/story_model.h"
#include "ui/pools/worker_model.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"

#include <QAbstractItemModelTester>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>

#include <cmath>

using namespace sg::ui;

namespace {

constexpr double kNow = 1'764'340'000'000;

WorkerRow worker(const char* role, const char* name, const char* job = "")
{
    WorkerRow row;
    row.role = QLatin1String(role);
    row.name = QLatin1String(name);
    row.host = row.name.section(QLatin1Char('-'), 0, -3);
    row.slots = 4;
    row.busy = *job == '\0' ? 0 : 1;
    row.job = QLatin1String(job);
    row.done = 12;
    return row;
}

PoolsLook look(double timeMs = kNow)
{
    PoolsLook made;
    made.isConfigured = true;
    made.address = QStringLiteral("redis://lab-2:6379/0");
    made.queue = QStringLiteral("default");
    made.latencyMs = 1.1;
    made.persistence = QStringLiteral("AOF each second");
    made.timeMs = timeMs;
    PoolRow scrape;
    scrape.role = QStringLiteral("scrape");
    scrape.ready = 1204;
    scrape.later = 3;
    scrape.running = 2;
    scrape.slots = 8;
    scrape.dead = 2;
    scrape.oldestSeconds = 184;
    scrape.rate = 12;
    scrape.atOnce = 8;
    scrape.done = 4000;
    scrape.retried = 41;
    scrape.workers = { worker("scrape", "lab-2-4711-a1b2", "t/fetch/1"), worker("scrape", "lab-3-12-ffff") };
    PoolRow mail;
    mail.role = QStringLiteral("mail");
    mail.isPaused = true;
    PoolRow idle;
    idle.role = QStringLiteral("review");
    idle.ready = 1;
    made.pools = { mail, idle, scrape };
    for (const char* job : { "j-8f31c", "j-8f2e0" })
        made.dead.push_back({ QStringLiteral("scrape"), QLatin1String(job),
                              QStringLiteral("429 from field-notes"), 4, kNow - 60'000 });
    made.dead.push_back(
        { QStringLiteral("mail"), QStringLiteral("j-77"), QStringLiteral("uncertain"), 2, kNow - 99'000 });
    made.deadInAll = 3;
    return made;
}

JobStoryRow story(const char* role = "scrape", const char* job = "j-8f31c")
{
    using Kind = sg::workers::StoryLine::Kind;
    JobStoryRow made;
    made.role = QLatin1String(role);
    made.job = QLatin1String(job);
    made.state = sg::workers::JobState::Dead;
    made.payload = QStringLiteral("{\n  \"node\": \"fetch\"\n}");
    const auto line = [&](double second, Kind kind, const char* who = "", const char* text = "",
                          int attempt = 0) {
        made.lines.push_back(
            { kNow + second * 1000, kind, QLatin1String(who), QLatin1String(text), attempt, 0 });
    };
    line(0, Kind::Added);
    line(11, Kind::Started, "lab-2-4711-a1b2", "", 1);
    line(18, Kind::Failed, "", "429 from field-notes");
    line(18, Kind::Retry);
    line(20, Kind::Started, "lab-3-12-ffff", "", 2);
    line(28, Kind::Lost, "lab-3-12-ffff");
    line(40, Kind::Started, "lab-2-4711-a1b2", "", 3);
    line(50, Kind::Failed, "", "429 from field-notes");
    line(50, Kind::Dead, "", "429 from field-notes");
    return made;
}

QPushButton* button(const QWidget& in, const QString& words)
{
    for (QPushButton* each : in.findChildren<QPushButton*>())
        if (each->text() == words && each->isVisible())
            return each;
    return nullptr;
}

QTableView* table(const QWidget& in, const char* name)
{
    for (QTableView* each : in.findChildren<QTableView*>())
        if (each->accessibleName() == QLatin1String(name))
            return each;
    return nullptr;
}

} // namespace

class TestPoolsPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString theme = sg::test::useTheme();
        PoolsPanel panel;
        panel.resize(1280, 700);
        panel.show();
        for (int second = 0; second < 60; ++second) {
            PoolsLook each = look(kNow + second * 1000.0);
            each.pools[2].ready += qint64{ second } * (second % 7);
            each.pools[2].done += qint64{ second } * 11;
            panel.setLook(each);
        }
        table(panel, "Dead letters")->selectRow(0);
        panel.setStory(story());
        QCoreApplication::processEvents(); // the scroll area has settled
        QVERIFY(sg::test::colourCount(sg::test::pictureOf(panel, QStringLiteral("pools-") + theme)) > 8);
    }

    void modelsAreProper()
    {
        const PoolHistory none;
        PoolModel pools(none);
        WorkerModel workers;
        DeadModel dead;
        StoryModel lines;
        using Tester = QAbstractItemModelTester;
        const Tester first(&pools, Tester::FailureReportingMode::QtTest);
        const Tester second(&workers, Tester::FailureReportingMode::QtTest);
        const Tester third(&dead, Tester::FailureReportingMode::QtTest);
        const Tester fourth(&lines, Tester::FailureReportingMode::QtTest);
        pools.setPools(look().pools);
        const auto says = [&](int row, int column) { return pools.index(row, column).data().toString(); };
        QCOMPARE(says(2, PoolModel::StateColumn), QStringLiteral("Works"));
        QCOMPARE(says(2, PoolModel::BusyColumn), QStringLiteral("2 of 8"));
        QCOMPARE(says(2, PoolModel::WorkersColumn), QStringLiteral("2 on 2 hosts"));
        QCOMPARE(says(2, PoolModel::LimitColumn), QStringLiteral("12\u00A0/s, 8 at once"));
        QCOMPARE(pools.index(2, PoolModel::RoleColumn).data(Qt::AccessibleTextRole).toString(),
                 QStringLiteral("role scrape, Works, 1207 wait, 2 run, 2 dead"));
        QCOMPARE(says(0, PoolModel::StateColumn), QStringLiteral("Paused"));
        QCOMPARE(says(1, PoolModel::StateColumn), QStringLiteral("No worker"));
        workers.setPools(look().pools);
        QCOMPARE(workers.hosts(), 2);
        QCOMPARE(workers.workers(), 2);
        QCOMPARE(workers.index(0, WorkerModel::NameColumn).data().toString(), QStringLiteral("lab-2"));
        dead.setLetters(look().dead, kNow);
        QCOMPARE(dead.index(0, DeadModel::AgeColumn).data().toString(),
                 QStringLiteral("1\u00A0min 0\u00A0s"));
        dead.setLetters({}, kNow);
        QCOMPARE(dead.rowCount(), 0);
        lines.setStory(story());
        QCOMPARE(lines.index(5, StoryModel::WhatColumn).data().toString(),
                 QStringLiteral("Its worker lab-3-12-ffff was lost: no beat, the lease ran out"));
    }

    void triesAreCutOutOfTheStory()
    {
        const std::vector<JobTry> tries = triesOf(story());
        QCOMPARE(tries.size(), std::size_t(3));
        QCOMPARE(tries[0].toMs - tries[0].fromMs, 7000.0);
        QVERIFY(tries[1].end == sg::workers::StoryLine::Kind::Lost);
        QVERIFY(tries[2].end == sg::workers::StoryLine::Kind::Failed);
        JobStoryRow running = story();
        running.lines.resize(5);
        QVERIFY(std::isnan(triesOf(running).back().toMs)); // it is under way
    }

    void ratesComeFromTheCounters()
    {
        PoolHistory history;
        PoolsLook each = look();
        for (int second = 0; second < 60; ++second) {
            each.timeMs = kNow + second * 1000.0;
            each.pools[2].done += 20;
            each.pools[2].retried += 1;
            history.add(each);
        }
        const auto& samples = history.of(QStringLiteral("scrape"));
        QVERIFY(std::abs(samples.back().done - 20) < 0.1);
        QVERIFY(std::abs(samples.back().retries - 60) < 0.5);
        each.timeMs += 1000;
        each.pools[2].done = 0; // the server lost all that it had
        history.add(each);
        QVERIFY(samples.back().done >= 0);
        for (std::size_t i = 0; i < PoolHistory::kMost; ++i) {
            each.timeMs += 1000;
            history.add(each);
        }
        QCOMPARE(history.of(QStringLiteral("scrape")).size(), PoolHistory::kMost);
    }

    // One look after the other while it is seen, none while it is not.
    void asksOnceASecondWhileItIsSeen()
    {
        PoolsPanel panel;
        const QSignalSpy asked(&panel, &PoolsPanel::loadRequested);
        panel.show();
        QCOMPARE(asked.count(), 1);
        QTest::qWait(1200);
        QCOMPARE(asked.count(), 1); // not answered yet
        panel.setLook(look());
        QTRY_COMPARE_WITH_TIMEOUT(asked.count(), 2, 10'000);
        panel.hide();
        panel.setLook(look());
        QTest::qWait(1500);
        QCOMPARE(asked.count(), 2);
    }

    void steersTheChosenRole()
    {
        PoolsPanel panel;
        panel.resize(1280, 700);
        panel.show();
        panel.setLook(look());
        QSignalSpy changes(&panel, &PoolsPanel::changeRequested);
        table(panel, "Pools")->selectRow(2);
        QVERIFY(button(panel, QStringLiteral("Pause")) != nullptr);
        button(panel, QStringLiteral("Pause"))->click();
        auto change = changes.takeFirst().front().value<PoolChange>();
        QCOMPARE(change.role, QStringLiteral("scrape"));
        QCOMPARE(change.paused, 1);
        QVERIFY(change.rate < 0); // that stays as it is
        auto* rate = panel.findChild<QDoubleSpinBox*>();
        QCOMPARE(rate->value(), 12.0);
        rate->setValue(3);
        panel.setLook(look()); // what is typed stays
        QCOMPARE(rate->value(), 3.0);
        button(panel, QStringLiteral("Set limits"))->click();
        change = changes.takeFirst().front().value<PoolChange>();
        QCOMPARE(change.rate, 3.0);
        QCOMPARE(change.atOnce, 8);
        QCOMPARE(change.paused, -1);
        table(panel, "Pools")->selectRow(0);
        button(panel, QStringLiteral("Go on"))->click();
        QCOMPARE(changes.takeFirst().front().value<PoolChange>().paused, 0);
        button(panel, QStringLiteral("Pause all"))->click();
        QCOMPARE(changes.count(), 2); // "mail" is paused already
    }

    void requeuesOneOrAllOfAReason()
    {
        PoolsPanel panel;
        panel.resize(1280, 700);
        panel.show();
        QSignalSpy changes(&panel, &PoolsPanel::changeRequested);
        QSignalSpy stories(&panel, &PoolsPanel::storyRequested);
        panel.setLook(look()); // the newest dead letter is chosen by itself
        QCOMPARE(stories.takeFirst().at(1).toString(), QStringLiteral("j-8f31c"));
        panel.setStory(story("scrape", "another")); // of a choice before
        panel.setStory(story());
        QVERIFY(panel.findChild<QPlainTextEdit*>()->toPlainText().contains(QStringLiteral("fetch")));
        button(panel, QStringLiteral("Requeue"))->click();
        QCOMPARE(changes.takeFirst().front().value<PoolChange>().requeued,
                 QStringList{ QStringLiteral("j-8f31c") });
        button(panel, QStringLiteral("Requeue 2 of this reason"))->click();
        QCOMPARE(changes.takeFirst().front().value<PoolChange>().requeued.size(), 2);
        // A look with one more keeps the choice.
        PoolsLook more = look();
        more.dead.insert(more.dead.begin(),
                         { QStringLiteral("scrape"), QStringLiteral("j-new"), QStringLiteral("x"), 1, kNow });
        panel.setLook(more);
        button(panel, QStringLiteral("Requeue"))->click();
        QCOMPARE(changes.takeFirst().front().value<PoolChange>().requeued,
                 QStringList{ QStringLiteral("j-8f31c") });
    }

    // Nothing brings a discarded letter back, so it is asked about first.
    void discardsAfterAQuestion()
    {
        PoolsPanel panel;
        panel.resize(1280, 700);
        panel.show();
        QSignalSpy changes(&panel, &PoolsPanel::changeRequested);
        panel.setLook(look());
        const auto answer = [&panel](const QString& words) {
            auto* question = panel.findChild<QMessageBox*>();
            if (question == nullptr)
                return false;
            for (QAbstractButton* each : question->buttons())
                if (each->text() == words) {
                    each->click();
                    return true;
                }
            return false;
        };
        button(panel, QStringLiteral("Discard…"))->click();
        QVERIFY(panel.findChild<QMessageBox*>()->text().contains(QStringLiteral("j-8f31c of scrape")));
        QVERIFY(answer(QStringLiteral("Keep it")));
        QCOMPARE(changes.count(), 0);
        QTRY_VERIFY(panel.findChild<QMessageBox*>() == nullptr);
        table(panel, "Dead letters")->selectAll();
        button(panel, QStringLiteral("Discard 3…"))->click();
        PoolsLook none = look();
        none.dead.clear();
        panel.setLook(none);
        QVERIFY(answer(QStringLiteral("Discard"))); // of those that were asked about
        QCOMPARE(changes.count(), 2);
        auto change = changes.takeFirst().front().value<PoolChange>();
        QCOMPARE(change.role, QStringLiteral("mail"));
        QCOMPARE(change.discarded, QStringList{ QStringLiteral("j-77") });
        change = changes.takeFirst().front().value<PoolChange>();
        QCOMPARE(change.role, QStringLiteral("scrape"));
        QCOMPARE(change.discarded.size(), 2);
        QVERIFY(change.requeued.isEmpty());
        panel.setChanged(change, {});
        const QString told = panel.findChild<Banner*>()->accessibleName();
        QVERIFY2(told.contains(QStringLiteral("2 dead letters of scrape are discarded")), qPrintable(told));
    }

    void saysWhatIsMissing()
    {
        PoolsPanel panel;
        panel.resize(900, 600);
        panel.show();
        const QSignalSpy addresses(&panel, &PoolsPanel::addressRequested);
        panel.setLook({});
        auto* field = panel.findChild<QLineEdit*>(QStringLiteral("queueAddress"));
        QVERIFY(field->isVisible());
        QTest::keyClicks(field, QStringLiteral("redis://lab-2"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(addresses.count(), 1);
        PoolsLook failed;
        failed.isConfigured = true;
        failed.address = QStringLiteral("redis://lab-2:6379/0");
        failed.error.what = QStringLiteral("nobody answers at redis://lab-2:6379/0");
        panel.setLook(failed);
        QVERIFY(field->isVisible()); // to be typed again
        const auto* words = panel.findChild<QWidget*>(QStringLiteral("queueless"))->findChild<EmptyState*>();
        QVERIFY2(words->accessibleName().contains(QStringLiteral("redis://lab-2:6379/0 cannot be looked at")),
                 qPrintable(words->accessibleName()));
        QVERIFY(button(panel, QStringLiteral("Pause all")) == nullptr); // there is nothing to be paused
        PoolsLook empty = look();
        empty.pools.clear();
        panel.setLook(empty);
        QVERIFY(!field->isVisible());
        panel.setLook(look());
        panel.setLook(failed); // what was seen stays
        QVERIFY(table(panel, "Pools")->isVisible());
    }

    // A story is read again while more can happen to its job, and not each second for ever.
    void anEndedStoryIsNotReadAgain()
    {
        PoolsPanel panel;
        panel.resize(1280, 700);
        panel.show();
        QSignalSpy stories(&panel, &PoolsPanel::storyRequested);
        panel.setLook(look());
        stories.clear();
        JobStoryRow running = story();
        running.state = sg::workers::JobState::Running;
        panel.setStory(running);
        panel.setLook(look());
        QCOMPARE(stories.count(), 1);
        panel.setStory(story()); // dead
        panel.setLook(look());
        QCOMPARE(stories.count(), 1);
        PoolsLook requeued = look(); // by somebody
        requeued.dead.clear();
        panel.setLook(requeued);
        QCOMPARE(stories.count(), 2);
    }

    // The smallest window shows all verbs.
    void fitsASmallWindow()
    {
        PoolsPanel panel;
        panel.resize(760, 420);
        panel.show();
        panel.setLook(look());
        for (const char* words : { "Pause all", "Set limits", "Pause" }) {
            table(panel, "Pools")->selectRow(2);
            const QPushButton* verb = button(panel, QLatin1String(words));
            QVERIFY2(verb != nullptr, words);
            const QRect place(verb->mapTo(&panel, QPoint()), verb->size());
            QVERIFY2(panel.rect().contains(place.center()), words);
        }
    }
};

SG_WINDOW_TEST(TestPoolsPanel)
#include "tst_pools_panel.moc"
