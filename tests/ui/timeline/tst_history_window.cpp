// A long history keeps ids, the part that other panels see, runs inside of tasks, watched values.

#include "tests/support/test_main.h"
#include "tests/ui/timeline/penguin_thread.h"
#include "ui/selection/checkpoint_words.h"
#include "ui/selection/history_window.h"
#include "ui/timeline/nested_runs.h"
#include "ui/timeline/timeline_geometry.h"
#include "ui/timeline/watch_tracks.h"

#include <QTest>
#include <QUuid>

#include <cmath>

using namespace sg::ui;
using sg::ui::sample::checkpoint;
using sg::ui::sample::task;

namespace {

QString word(const char* text)
{
    return QString::fromLatin1(text);
}

QString idsOf(const HistoryRows& rows)
{
    QStringList ids;
    for (const CheckpointRow& row : rows.checkpoints)
        ids << row.id;
    return ids.join(QLatin1Char(' '));
}

HistoryModel penguinModel()
{
    HistoryModel model;
    model.reset(sample::penguins());
    return model;
}

} // namespace

class TestHistoryWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void idsComeBackAsTheyWere_data()
    {
        QTest::addColumn<QString>("id");
        QTest::newRow("uuid") << "1ef2b7c0-91d4-6a3e-8001-00ff7a9be123";
        QTest::newRow("capitals") << "1EF2B7C0-91d4-6a3e-8001-00ff7a9be123";
        QTest::newRow("no dashes") << "1ef2b7c091d46a3e800100ff7a9be1231234";
        QTest::newRow("short") << "a";
        QTest::newRow("empty") << "";
        QTest::newRow("all zero") << "00000000-0000-0000-0000-000000000000";
        QTest::newRow("other letters") << "1ef2b7c0-91d4-6a3e-8001-00ff7a9be12g";
    }
    void idsComeBackAsTheyWere()
    {
        QFETCH(QString, id);
        IdStore store;
        store.add(word("before"));
        store.add(word("1ef2b7c0-91d4-6a3e-8001-00ff7a9be124"));
        const int number = store.add(id);
        QCOMPARE(number, 2);
        QCOMPARE(store.at(number), id);
        QCOMPARE(store.find(id), number);
        QCOMPARE(store.find(word("1ef2b7c0-91d4-6a3e-8001-00ff7a9be125")), IdStore::kNone);
    }

    void findsManyIds()
    {
        IdStore store;
        QStringList ids;
        for (int i = 0; i < 5000; ++i) {
            ids << (i % 7 == 0 ? QString::number(i) : QUuid::createUuid().toString(QUuid::WithoutBraces));
            store.add(ids.back());
        }
        for (int i = 0; i < ids.size(); ++i) {
            QCOMPARE(store.find(ids[i]), i);
            QCOMPARE(store.at(i), ids[i]);
        }
    }

    void rowsComeBackAsTheyWere()
    {
        const HistoryRows rows = sample::penguins();
        const HistoryModel model = penguinModel();
        const CheckpointRow& was = rows.checkpoints[4];
        const CheckpointRow row = model.row(model.find(was.id));
        QCOMPARE(row.parent, was.parent);
        QCOMPARE(row.after, was.after);
        QCOMPARE(row.next, was.next);
        QVERIFY(row.source == was.source);
        QCOMPARE(row.sandbox, was.sandbox);
        QCOMPARE(row.sandboxNote, was.sandboxNote);
        const TaskRow failed = model.tasksOf(model.find(word("a5"))).front();
        QCOMPARE(failed.error, word("KeyError: 'body_mass'"));
        QCOMPARE(failed.task, word("a5/analyze"));
        QCOMPARE(failed.checkpoint, word("a5"));
    }

    void showsTheWayAndWhatFollows_data()
    {
        QTest::addColumn<QString>("checkpoint");
        QTest::addColumn<int>("before");
        QTest::addColumn<int>("after");
        QTest::addColumn<QString>("shown");
        QTest::newRow("a fork's newest branch follows")
            << "a3" << 10 << 10 << "a0 a1 a2 a3 a4 b5 b6 c7 c8 c9";
        QTest::newRow("an old branch ends, the head is there") << "a5" << 10 << 10 << "a0 a1 a2 a3 a4 a5 c9";
        QTest::newRow("cut before") << "c8" << 2 << 10 << "b6 c7 c8 c9";
        QTest::newRow("cut behind") << "a1" << 10 << 2 << "a0 a1 a2 a3 c9";
        QTest::newRow("the head") << "c9" << 1 << 10 << "c8 c9";
    }
    void showsTheWayAndWhatFollows()
    {
        QFETCH(QString, checkpoint);
        QFETCH(int, before);
        QFETCH(int, after);
        QFETCH(QString, shown);
        const HistoryModel model = penguinModel();
        const HistoryRows rows = historyAround(model, model.find(checkpoint), before, after);
        QCOMPARE(idsOf(rows), shown);
        QCOMPARE(rows.total, qint64(12));
    }

    void aRunEndsTheWay()
    {
        HistoryModel model;
        HistoryRows rows;
        rows.thread = word("t");
        rows.checkpoints = { checkpoint(word("a"), {}, -1, {}, {}),
                             checkpoint(word("b"), word("a"), 0, {}, {}),
                             checkpoint(word("c"), word("b"), -1, {}, {}),
                             checkpoint(word("d"), word("c"), 1, {}, {}) };
        model.reset(rows);
        QCOMPARE(idsOf(historyAround(model, 3, 10, 10)), word("c d"));
        QCOMPARE(idsOf(historyAround(HistoryModel(), HistoryModel::kNone, 10, 10)), QString());
    }

    void tellsMoments()
    {
        const HistoryModel model = penguinModel();
        QCOMPARE(model.id(markAtTime(model, sample::kStart + 2 * 3000 + 10)), word("a3"));
        QCOMPARE(markAtTime(model, 0), 0);
        QCOMPARE(model.id(madeFrom(model, model.find(word("a4")))), word("b5"));
        QCOMPARE(model.id(madeFrom(model, model.find(word("c9")))), word("c9"));
        QCOMPARE(model.id(model.startOfTask(word("b7/model"))), word("b7"));
        QCOMPARE(passedBefore(model, model.find(word("c8")),
                              { word("a4"), word("a5"), word("b6"), word("b7"), word("c8"), word("no") }),
                 (QSet<QString>{ word("a4"), word("b6") }));
    }

    void findsRunsInsideOfTasks()
    {
        HistoryModel model = penguinModel();
        NestedRuns nested;
        QVERIFY(nested.rowsByLane(model) == std::vector<int>(3, 0));
        nested.setNamespaces({ word("model:b7/model|inner:x"), word("model:b7/model"), word("check:b6/check"),
                               word("gone:nobody"), word("no namespace") });
        QCOMPARE(nested.inside(task(word("b7"), word("model"), 7, word("done"), 1, 1)),
                 (QStringList{ word("model:b7/model"), word("model:b7/model|inner:x") }));
        QVERIFY((nested.rowsByLane(model) == std::vector<int>{ 0, 2, 0 }));
        const NamespaceEnd end = endOf(word("model:b7/model|inner:x"));
        QCOMPARE(end.node, word("inner"));
        QCOMPARE(end.task, word("x"));
        QCOMPARE(end.depth, 1);
        HistoryRows run;
        run.ns = word("check:b6/check");
        run.checkpoints = { checkpoint(word("i0"), {}, -1, {}, {}) };
        nested.setRuns({ run });
        QVERIFY(nested.isLoaded(run.ns));
        QCOMPARE(nested.run(run.ns)->node, word("check"));
        QVERIFY(nested.run(word("model:b7/model")) == nullptr);
        nested.unfold(1, true);
        QVERIFY(nested.isUnfolded(1) && nested.anyUnfolded());
        nested.unfold(1, false);
        QVERIFY(!nested.anyUnfolded());
    }

    void aRunWithItsOwnMemoryStandsAtEachTaskOfItsNode()
    {
        HistoryModel model;
        HistoryRows rows;
        rows.thread = word("t");
        rows.checkpoints = { checkpoint(word("a"), {}, -1, {}, {}),
                             checkpoint(word("b"), word("a"), 0, { word("plan") }, {}),
                             checkpoint(word("c"), word("b"), 1, { word("act") }, {}) };
        model.reset(rows);
        NestedRuns nested;
        nested.setNamespaces({ {}, word("plan"), word("plan|draft:x"), word("other") });
        QVERIFY(nested.rowsByLane(model) == std::vector<int>{ 2 });
        QCOMPARE(nested.inside(task(word("a"), word("plan"), 0, word("done"), 1, 1)),
                 (QStringList{ word("plan"), word("plan|draft:x") }));
        QCOMPARE(endOf(word("plan")).node, word("plan"));
        HistoryRows run;
        run.ns = word("plan");
        for (int i = 0; i < 4; ++i) {
            run.checkpoints.push_back(checkpoint(word("i%1").arg(i), {}, i, {}, {}));
            run.checkpoints.back().timeMs = 100 * i;
            run.tasks.push_back(task(run.checkpoints.back().id, word("n"), i, word("done"), 1, 1));
        }
        nested.setRuns({ run });
        const NestedRuns::Run part = nested.run(word("plan"))->between(90, 210);
        QCOMPARE(part.checkpoints.size(), std::size_t(2));
        QCOMPARE(part.tasks.front().checkpoint, word("i1"));
        QCOMPARE(part.tasks.size(), std::size_t(2));
    }

    void showsQueueTriesAndWaiting()
    {
        TaskRow slow = task(word("c"), word("slow"), 1, word("done"), 1, 3);
        slow.triedMs = slow.startedMs - 500;
        const TaskRow quick = task(word("c"), word("quick"), 1, word("done"), 1, 1);
        const std::vector<TaskRow> tasks{ slow, quick };
        const auto boxes = taskBoxes(tasks, { 100, 100 }, TimelineGeometry(), 0, sample::kStart);
        QVERIFY(boxes[0].queuedFrom < boxes[0].triedFrom); // from its mark on it could have run
        QVERIFY(boxes[0].triedFrom < boxes[0].rect.left());
        QVERIFY(std::isnan(boxes[0].waitedTo)); // the last one
        QVERIFY(boxes[1].waitedTo > boxes[1].rect.right());
        // After hours somebody answered: that is no queue.
        const auto late = taskBoxes(tasks, { 100, 100 }, TimelineGeometry(), 0, sample::kStart - 3'600'000);
        QVERIFY(std::isnan(late[1].queuedFrom) || late[1].queuedFrom >= late[0].triedFrom);
        QVERIFY(taskTip(slow, 0, sample::kStart).contains(word("first tried")));
        QVERIFY(taskTip(quick, 0, sample::kStart).contains(word("to start")));
    }

    void asksForWhatIsNotKnownYet()
    {
        HistoryModel model = penguinModel();
        WatchTracks watches;
        QVERIFY(!watches.next(model));
        QVERIFY(watches.add(word(" .n ")));
        QVERIFY(!watches.add(word(".n"))); // the same
        QVERIFY(!watches.add(word("  ")));
        const auto question = watches.next(model);
        QVERIFY(question);
        QCOMPARE(question->program, word(".n"));
        QCOMPARE(question->way.size(), 12);
        QCOMPARE(question->way.front(), word("c9"));
        QVERIFY(!watches.next(model)); // one at a time
        WatchRows rows;
        rows.thread = model.thread();
        rows.program = word(".n");
        rows.points = { { word("c9"), 7, {}, {} },
                        { word("c8"), kUnknown, word("text"), {} },
                        { word("c7"), kUnknown, {}, word("wrong") },
                        { word("unknown"), 1, {}, {} } };
        rows.isLast = true;
        watches.take(rows, model);
        const WatchTracks::Track& track = watches.tracks().front();
        QCOMPARE(WatchTracks::wordsAt(track, model.find(word("c9"))), word("7"));
        QCOMPARE(WatchTracks::wordsAt(track, model.find(word("c8"))), word("text"));
        QCOMPARE(WatchTracks::wordsAt(track, model.find(word("c7"))), word("wrong"));
        QCOMPARE(WatchTracks::wordsAt(track, model.find(word("a1"))), QString());
        QVERIFY(!watches.next(model));
        model.add({ checkpoint(word("d1"), word("c9"), 9, {}, {}) });
        QCOMPARE(watches.next(model)->way, QStringList{ word("d1") });
        watches.forget();
        QCOMPARE(watches.next(model)->way.size(), 13);
        watches.remove(word(".n"));
        QVERIFY(watches.tracks().empty());
    }

    void aWrongProgramIsNotAskedAgain()
    {
        const HistoryModel model = penguinModel();
        WatchTracks watches;
        watches.add(word("|"));
        QVERIFY(watches.next(model));
        WatchRows rows;
        rows.thread = model.thread();
        rows.program = word("|");
        rows.error = word("syntax error");
        rows.isLast = true;
        watches.take(rows, model);
        QCOMPARE(WatchTracks::wordsAt(watches.tracks().front(), 0), word("syntax error"));
        QVERIFY(!watches.next(model));
    }
};

SG_CORE_TEST(TestHistoryWindow)
#include "tst_history_window.moc"
