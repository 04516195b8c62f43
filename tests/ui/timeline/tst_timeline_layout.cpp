// Rows → lanes, columns and rectangles, read as text.

#include "tests/support/test_main.h"
#include "tests/ui/timeline/penguin_thread.h"
#include "ui/selection/checkpoint_words.h"
#include "ui/timeline/timeline_geometry.h"

#include <QTest>

using namespace sg::ui;
using sg::ui::sample::checkpoint;
using sg::ui::sample::task;

namespace {

// "a b | c(b)": lanes from top to bottom, a fork with the checkpoint it left.
QString lanesOf(const HistoryModel& model)
{
    QStringList lanes;
    for (const HistoryModel::Lane& lane : model.lanes()) {
        QStringList names;
        for (const int mark : lane.marks)
            names << model.id(mark) + QLatin1Char('@') + QString::number(model.mark(mark).column);
        const QString from = lane.forkedFrom == HistoryModel::kNone
            ? QString()
            : QStringLiteral("%1: ").arg(model.id(lane.forkedFrom));
        lanes << from + names.join(QLatin1Char(' '));
    }
    return lanes.join(QStringLiteral(" | "));
}

// "b<a" is b with the parent a; steps follow the parents.
HistoryRows threadFrom(const QString& text)
{
    HistoryRows rows;
    rows.thread = QStringLiteral("t");
    QHash<QString, int> steps;
    for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const QString id = word.section(QLatin1Char('<'), 0, 0);
        const QString parent = word.section(QLatin1Char('<'), 1);
        steps[id] = steps.value(parent, -2) + 1;
        rows.checkpoints.push_back(checkpoint(id, parent, steps[id], {}, {}));
    }
    return rows;
}

QStringList names(const char* text)
{
    return QString::fromLatin1(text).split(QLatin1Char(' '));
}

TimelineGeometry designed()
{
    return {};
}

} // namespace

class TestTimelineLayout : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void findsBranches_data()
    {
        QTest::addColumn<QString>("thread");
        QTest::addColumn<QString>("lanes");
        QTest::newRow("nothing") << ""
                                 << "";
        QTest::newRow("one run") << "a b<a c<b"
                                 << "a@0 b@1 c@2";
        QTest::newRow("a second run goes on") << "a b<a c<b d<c e<d"
                                              << "a@0 b@1 c@2 d@3 e@4";
        QTest::newRow("fork") << "a b<a c<b d<b e<d"
                              << "a@0 b@1 c@2 | b: d@2 e@3";
        QTest::newRow("fork of a fork") << "a b<a c<a d<c e<c"
                                        << "a@0 b@1 | a: c@1 d@2 | c: e@2";
        QTest::newRow("two forks at one point") << "a b<a c<a d<a"
                                                << "a@0 b@1 | a: c@1 | a: d@1";
        QTest::newRow("the fork first goes on later") << "a b<a c<b d<b e<c"
                                                      << "a@0 b@1 c@2 e@3 | b: d@2";
        QTest::newRow("parent pruned") << "x<gone y<x"
                                       << "x@0 y@1";
        QTest::newRow("the same row twice") << "a b<a b<a c<b"
                                            << "a@0 b@1 c@2";
        QTest::newRow("own parent") << "a<a b<a"
                                    << "a@0 b@1";
    }
    void findsBranches()
    {
        QFETCH(QString, thread);
        QFETCH(QString, lanes);
        HistoryModel model;
        model.reset(threadFrom(thread));
        QCOMPARE(lanesOf(model), lanes);
    }

    // A fork with edits is a copy behind the forked step, with that step's parent as its own.
    void aCopyHangsOnWhatItCopies()
    {
        std::vector<CheckpointRow> rows;
        const auto add = [&rows](const char* id, const char* parent, int step, const char* source) {
            CheckpointRow row =
                checkpoint(QString::fromLatin1(id), QString::fromLatin1(parent), step, {}, {});
            row.source = source;
            rows.push_back(row);
        };
        add("a", "", 2, "loop");
        add("b", "a", 3, "loop");
        add("c", "b", 4, "loop");
        add("d", "b", 5, "fork"); // of c
        add("e", "d", 6, "update");
        HistoryModel model;
        model.add(rows);
        QCOMPARE(lanesOf(model), QStringLiteral("a@0 b@1 c@2 | c: d@3 e@4"));
        QCOMPARE(model.forkedStep(1), 4);
        for (int mark = 0; mark < 5; ++mark)
            QCOMPARE(model.columnStep(model.mark(mark).column), model.mark(mark).step);
    }

    void growsAsRowsArrive()
    {
        HistoryModel model;
        model.reset(threadFrom(QStringLiteral("a b<a")));
        model.changeTasks(
            { task(QStringLiteral("c"), QStringLiteral("n"), 3, QStringLiteral("running"), 0, kUnknown) });
        QVERIFY(model.isRunning());
        model.add({ checkpoint(QStringLiteral("c"), QStringLiteral("b"), 1, {}, {}) });
        QCOMPARE(lanesOf(model), QStringLiteral("a@0 b@1 c@2"));
        QCOMPARE(model.tasksOf(model.head()).size(), std::size_t(1));
        model.changeTasks(
            { task(QStringLiteral("c"), QStringLiteral("n"), 3, QStringLiteral("done"), 0, 1) });
        QVERIFY(!model.isRunning());
        QCOMPARE(model.tasksOf(model.head()).size(), std::size_t(1));
    }

    void tellsHowALaneStands()
    {
        HistoryModel model;
        model.reset(sample::penguins());
        QCOMPARE(model.lanes().size(), std::size_t(3));
        QCOMPARE(model.laneState(0).words, QStringLiteral("Failed at step 5"));
        QCOMPARE(model.laneState(1).words, QStringLiteral("Failed at step 7"));
        QCOMPARE(model.laneState(2).words, QStringLiteral("Running step 9"));
    }

    void marksTheWayFromTheRoot()
    {
        HistoryModel model;
        model.reset(sample::penguins());
        QCOMPARE(model.pathTo(model.find(QStringLiteral("c8"))), (std::vector<int>{ 4, 6, 8 }));
        QCOMPARE(model.pathTo(model.find(QStringLiteral("a3"))), (std::vector<int>{ 3, -1, -1 }));
    }

    void placesTasks_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<QString>("boxes");
        QTest::newRow("none") << 0 << "";
        QTest::newRow("one") << 1 << "112,90 96x20";
        QTest::newRow("two") << 2 << "114,80 94x18; 114,101 47x18";
        QTest::newRow("three") << 3 << "114,78 94x14; 114,93 47x14; 114,108 31x14";
        QTest::newRow("five") << 5 << "114,78 94x14; 114,93 47x14; +3 114,108 94x14";
    }
    void placesTasks()
    {
        QFETCH(int, count);
        QFETCH(QString, boxes);
        std::vector<TaskRow> tasks;
        for (int i = 0; i < count; ++i)
            tasks.push_back(
                task(QStringLiteral("c"), QString::number(i), 1, QStringLiteral("done"), 0, 6.0 / (i + 1)));
        QStringList found;
        for (const TaskBox& box : taskBoxes(tasks, { 100, 100 }, designed(), 0))
            found << (box.task ? QString() : QStringLiteral("+%1 ").arg(box.more))
                    + QStringLiteral("%1,%2 %3x%4")
                          .arg(box.rect.x())
                          .arg(box.rect.y())
                          .arg(box.rect.width())
                          .arg(box.rect.height());
        QCOMPARE(found.join(QStringLiteral("; ")), boxes);
    }

    void findsWhatIsUnderAPoint()
    {
        HistoryModel model;
        model.reset(sample::penguins());
        const TimelineGeometry geometry = designed();
        const int b7 = model.find(QStringLiteral("b7"));
        const QPointF mark = geometry.centre(model.mark(b7));
        TimelineHit hit = hitTest(model, geometry, mark + QPointF(4, 4), 0);
        QCOMPARE(hit.mark, b7);
        QVERIFY(hit.onMark);
        hit = hitTest(model, geometry, mark + QPointF(16, 14), 0);
        QCOMPARE(hit.taskMark, b7);
        QCOMPARE(hit.task, 2);
        hit = hitTest(model, geometry, { 0, geometry.laneY(1) }, 0);
        QCOMPARE(hit.mark, model.find(QStringLiteral("b5"))); // the nearest of its lane
        QCOMPARE(hitTest(model, geometry, { 0, 4000 }, 0).mark, HistoryModel::kNone);
    }

    void namesCheckpoints_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QStringList>("after");
        QTest::addColumn<QStringList>("next");
        QTest::addColumn<QString>("label");
        const QString loop = QStringLiteral("loop");
        const QStringList many = names("a b c d e");
        QTest::newRow("middle") << loop << names("load") << names("analyze") << "after load → next analyze";
        QTest::newRow("input") << "input" << QStringList() << names("load") << "input → next load";
        QTest::newRow("end") << loop << names("report") << QStringList() << "after report → end";
        QTest::newRow("edited") << "update" << QStringList() << names("x") << "state updated → next x";
        QTest::newRow("many") << loop << many << many.mid(0, 3) << "after a, b and 3 more → next a, b, c";
    }
    void namesCheckpoints()
    {
        QFETCH(QString, source);
        QFETCH(QStringList, after);
        QFETCH(QStringList, next);
        QFETCH(QString, label);
        CheckpointRow row = checkpoint(QStringLiteral("c"), {}, 2, after, next);
        row.source = source.toStdString();
        QCOMPARE(checkpointLabel(row), label);
    }

    void theTipSaysWhatIsKeptOfTheSandbox()
    {
        CheckpointRow row;
        row.step = 3;
        row.next = QStringList{ QStringLiteral("a") };
        QVERIFY(!checkpointTip(row).contains(QLatin1Char('\n')));
        row.sandbox = SandboxMark::Restored;
        row.sandboxNote = QStringLiteral("Missing 2 names: con, fig");
        QCOMPARE(checkpointTip(row).section(QLatin1Char('\n'), 1),
                 QStringLiteral("Sandbox: can be restored. Missing 2 names: con, fig"));
    }

    void speaksAndHints()
    {
        const HistoryRows rows = sample::penguins();
        QCOMPARE(checkpointSpoken(rows.checkpoints[4], 5),
                 QStringLiteral("Step 3 of 5, after check, next repair"));
        QCOMPARE(stepText(-1), QStringLiteral("−1"));
        QCOMPARE(taskName(QStringLiteral("__error_handler__load")), QStringLiteral("on error of load"));
        CheckpointRow start = rows.checkpoints[1];
        start.source = sg::checkpoint::Source::Loop;
        start.after = QStringList(QStringLiteral("__start__"));
        start.next = QStringList(QStringLiteral("load"));
        QCOMPARE(checkpointLabel(start), QString::fromUtf8("start → next load"));
        TaskRow slow =
            task(QStringLiteral("c"), QStringLiteral("model"), 7, QStringLiteral("failed"), 0, 0.9);
        slow.attempts = 2;
        slow.error = QStringLiteral("MemoryError");
        QCOMPARE(taskTip(slow, 0),
                 QStringLiteral("model: Failed, step 7, 900\u00A0ms, attempt 2\nMemoryError"));
    }

    void holdsManyCheckpoints()
    {
        HistoryRows rows;
        rows.thread = QStringLiteral("long");
        for (int i = 0; i < 100'000; ++i)
            rows.checkpoints.push_back(
                checkpoint(QString::number(i),
                           i == 0 ? QString() : QString::number(i % 1000 == 0 ? i / 2 : i - 1), i, {}, {}));
        HistoryModel model;
        QBENCHMARK_ONCE
        {
            model.reset(rows);
        }
        QCOMPARE(model.lanes().size(), std::size_t(100));
        QCOMPARE(model.marks().size(), std::size_t(100'000));
    }
};

SG_CORE_TEST(TestTimelineLayout)
#include "tst_timeline_layout.moc"
