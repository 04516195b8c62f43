// A long history that comes in pages, runs inside of tasks, watched expressions: in the panel.

#include "tests/support/window_style.h"
#include "tests/ui/timeline/penguin_thread.h"
#include "tests/ui/timeline/shown_timeline.h"
#include "ui/timeline/nested_run_painter.h"
#include "ui/timeline/timeline_view.h"

#include <QAction>
#include <QScrollBar>
#include <QSignalSpy>

using namespace sg::ui;
using sg::ui::sample::checkpoint;
using sg::ui::sample::task;

namespace {

constexpr int kLong = 3000;

QString word(const char* text)
{
    return QString::fromLatin1(text);
}

TimelineView& viewOf(TimelinePanel& panel)
{
    return *panel.findChild<TimelineView*>();
}

// Checkpoints from `from` to before `until`, of a thread of `total`.
HistoryRows part(int from, int until, int total)
{
    HistoryRows rows;
    rows.thread = word("long");
    rows.total = total;
    for (int i = from; i < until; ++i) {
        rows.checkpoints.push_back(checkpoint(QString::number(i), i == 0 ? QString() : QString::number(i - 1),
                                              i - 1, { word("n") }, { word("n") }));
        rows.tasks.push_back(task(QString::number(i), word("n"), i, word("done"), 0, 1));
    }
    return rows;
}

HistoryRows innerRun(const QString& ns)
{
    HistoryRows rows;
    rows.thread = word("alice");
    rows.ns = ns;
    QString parent;
    for (int i = 0; i < 4; ++i) {
        const QString id = ns + QString::number(i);
        rows.checkpoints.push_back(checkpoint(id, parent, i - 1, {}, {}));
        if (i > 0 && i < 3)
            rows.tasks.push_back(task(id, i == 1 ? word("draft") : word("judge"), i, word("done"), 0, 1));
        parent = id;
    }
    rows.tasks.push_back(task(rows.checkpoints[0].id, word("plan"), 0, word("failed"), 0, 1));
    return rows;
}

} // namespace

class TestTimelineParts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void aLongHistoryComesInPages()
    {
        ShownTimeline shown;
        TimelinePanel& panel = shown.panel;
        panel.resize(900, 200);
        panel.show();
        shown.show(part(2000, kLong, kLong));
        QVERIFY(shown.history.needsWhole());
        QCOMPARE(shown.history.count(), 1000);
        shown.selection.setCheckpoint(word("2500"));
        TimelineView& view = viewOf(panel);
        const auto cursorX = [&] {
            return view.geometryNow().x(view.model().mark(view.currentMark()))
                - view.horizontalScrollBar()->value();
        };
        const double before = cursorX();
        shown.history.expectWhole(kLong);
        QVERIFY(!shown.history.needsWhole());
        shown.history.takePage(part(0, 1600, kLong), false);
        QCOMPARE(shown.history.count(), 1000); // shown when it is complete
        shown.add(part(kLong, kLong + 5, kLong).checkpoints); // meanwhile it runs on
        shown.history.takePage(part(1600, kLong, kLong), true);
        QCOMPARE(shown.history.count(), kLong + 5);
        QVERIFY(!shown.history.needsWhole());
        QCOMPARE(shown.history.current(), word("2500"));
        QVERIFY(std::abs(cursorX() - before) <= 2);
        QCOMPARE(shown.history.depthOf(word("2500")), 2501);
        QCOMPARE(shown.history.head(), QString::number(kLong + 4));
    }

    // Another panel names a checkpoint before it is read.
    void aCheckpointIsAwaited()
    {
        ShownTimeline shown;
        TimelinePanel& panel = shown.panel;
        panel.resize(900, 200);
        panel.show();
        shown.selection.setThread(word("long"));
        shown.selection.setCheckpoint(word("20"));
        QVERIFY(shown.history.isAwaiting());
        shown.show(part(2000, kLong, kLong));
        QVERIFY(shown.history.isAwaiting());
        QVERIFY(!shown.history.isWhole());
        QCOMPARE(shown.history.current(), shown.history.head());
        shown.history.expectWhole(kLong);
        shown.history.takePage(part(0, 1600, kLong), false);
        shown.history.takePage(part(1600, kLong, kLong), true);
        QVERIFY(!shown.history.isAwaiting());
        QCOMPARE(shown.history.current(), word("20"));
        shown.selection.setCheckpoint(word("nothing")); // there is no such checkpoint
        QVERIFY(!shown.history.isAwaiting());
        QCOMPARE(shown.history.current(), shown.history.head());
    }

    void theLargestZoomFitsAScrollBar()
    {
        ShownTimeline shown;
        TimelinePanel& panel = shown.panel;
        panel.resize(3000, 200);
        panel.show();
        HistoryRows rows;
        rows.thread = word("long");
        for (int i = 0; i < 400'000; ++i)
            rows.checkpoints.push_back(
                checkpoint(QString::number(i), i == 0 ? QString() : QString::number(i - 1), i, {}, {}));
        shown.show(rows);
        TimelineView& view = viewOf(panel);
        view.zoomBy(1e9);
        const double width = view.geometryNow().contentSize(view.model()).width();
        QVERIFY(view.zoom() > 1);
        QVERIFY(width < 1.1e9);
        QVERIFY(view.horizontalScrollBar()->maximum() > 1'000'000);
        shown.selection.setCheckpoint(word("399998"));
        const double x =
            view.geometryNow().x(view.model().mark(view.currentMark())) - view.horizontalScrollBar()->value();
        QVERIFY(x >= 0 && x < 3000);
    }

    void newestRowsAreTakenUpWhereTheHistoryIsKnown()
    {
        ShownTimeline shown;
        shown.show(part(0, 100, 100));
        QVERIFY(!shown.history.needsWhole());
        shown.show(part(50, 120, 120));
        QVERIFY(!shown.history.needsWhole());
        QCOMPARE(shown.history.count(), 120);
        shown.show(part(200, 300, 300)); // more were added than are shown
        QVERIFY(shown.history.needsWhole());
        QCOMPARE(shown.history.count(), 100);
        shown.show(part(250, 300, 80)); // some were removed
        QCOMPARE(shown.history.count(), 50);
    }

    void pagesOfAnotherThreadAreLeftOut()
    {
        ShownTimeline shown;
        shown.show(part(90, 100, 100));
        shown.history.expectWhole(100);
        shown.selection.setThread(word("other"));
        shown.history.takePage(part(0, 100, 100), true);
        QCOMPARE(shown.history.count(), 0);
    }

    void showsWhatRanInside_data() { sg::test::themes(); }
    void showsWhatRanInside()
    {
        const QString name = sg::test::useTheme();
        ShownTimeline shown;
        TimelinePanel& panel = shown.panel;
        panel.resize(1400, 28 + 28 + 4 * 52 + 60);
        panel.show();
        shown.show(sample::penguins());
        shown.selection.setCheckpoint(word("b7"));
        TimelineView& view = viewOf(panel);
        QSignalSpy wanted(&panel, &TimelinePanel::nestedWanted);
        QVERIFY(!panel.nestedAction()->isEnabled());
        panel.setNamespaces(
            { word("check:b6/check"), word("model:b7/model"), word("model:b7/model|inner:x") });
        QVERIFY(panel.nestedAction()->isEnabled());
        const double third = view.geometryNow().laneTop(2);
        QTest::keyClick(&view, Qt::Key_Return);
        QVERIFY(view.nested().isUnfolded(1));
        QVERIFY(view.geometryNow().laneTop(2) > third + 50); // two rows
        sg::test::pictureOf(panel, QStringLiteral("timeline-nested-asked-") + name);
        QCOMPARE(wanted.size(), 1);
        const QStringList asked = wanted.front().front().toStringList();
        QCOMPARE(asked.size(), 3);
        std::vector<HistoryRows> runs;
        for (const QString& ns : asked)
            runs.push_back(innerRun(ns));
        const QImage before = sg::test::pictureOf(panel, QStringLiteral("timeline-nested-asked-") + name);
        panel.setNested(runs);
        QVERIFY(sg::test::pictureOf(panel, QStringLiteral("timeline-nested-") + name) != before);
        QCOMPARE(wanted.size(), 1); // what was asked for is not asked again
        panel.nestedAction()->trigger();
        QVERIFY(!view.nested().isUnfolded(1));
        QCOMPARE(view.geometryNow().laneTop(2), third);
    }

    void whatRunsInsideIsFollowed()
    {
        ShownTimeline shown;
        TimelinePanel& panel = shown.panel;
        panel.resize(1400, 300);
        panel.show();
        shown.show(sample::penguins());
        shown.selection.setCheckpoint(word("b7"));
        QSignalSpy wanted(&panel, &TimelinePanel::nestedWanted);
        panel.addNamespaces({ word("model:b7/model") });
        QVERIFY(panel.nestedAction()->isEnabled());
        panel.nestedAction()->trigger();
        QTRY_COMPARE(wanted.size(), 1);
        panel.setNested({ innerRun(word("model:b7/model")) });
        panel.addNamespaces({ word("model:b7/model"), word("model:b7/model|inner:x") });
        // Again, with what is new.
        QTRY_COMPARE(wanted.back().front().toStringList().size(), 2);
    }

    void opensByItsMark()
    {
        ShownTimeline shown;
        TimelinePanel& panel = shown.panel;
        panel.resize(1000, 300);
        panel.show();
        shown.show(sample::penguins());
        panel.setNamespaces({ word("load:a1/load") });
        TimelineView& view = viewOf(panel);
        const QRectF mark = foldMarkRect(view.geometryNow(), 0);
        const QPointF at =
            mark.center() + QPointF(0, view.geometryNow().ruler - view.verticalScrollBar()->value());
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at.toPoint());
        QVERIFY(view.nested().isUnfolded(0));
    }

    void drawsWatchedExpressions_data() { sg::test::themes(); }
    void drawsWatchedExpressions()
    {
        const QString name = sg::test::useTheme();
        ShownTimeline shown;
        TimelinePanel& panel = shown.panel;
        panel.resize(1400, 28 + 28 + 3 * 52 + 3 * 36 + 10);
        panel.show();
        shown.show(sample::penguins());
        QSignalSpy wanted(&panel, &TimelinePanel::watchWanted);
        QVERIFY(panel.addWatch(word(".rows | length")));
        QVERIFY(!panel.addWatch(word(".rows | length")));
        QVERIFY(panel.addWatch(word(".route")));
        QCOMPARE(wanted.size(), 1); // one at a time
        WatchRows numbers;
        numbers.thread = word("alice");
        numbers.program = word(".rows | length");
        WatchRows words = numbers;
        words.program = word(".route");
        int i = 0;
        for (const CheckpointRow& row : sample::penguins().checkpoints) {
            WatchPoint point;
            point.checkpoint = row.id;
            WatchPoint other = point;
            if (i == 3)
                point.error = word("null has no length");
            else
                point.number = (i * 37) % 50;
            other.text = i < 5 ? word("repair") : word("report");
            numbers.points.push_back(point);
            words.points.push_back(other);
            ++i;
        }
        numbers.isLast = words.isLast = true;
        panel.setWatched(numbers);
        QCOMPARE(wanted.size(), 2);
        panel.setWatched(words);
        QCoreApplication::sendPostedEvents();
        const QImage picture = sg::test::pictureOf(panel, QStringLiteral("timeline-watch-") + name);
        panel.removeWatch(word(".route"));
        QCOMPARE(panel.watches(), QStringList{ word(".rows | length") });
        QVERIFY(sg::test::pictureOf(panel, QStringLiteral("timeline-watch-one-") + name) != picture);
    }

    void theMenuIsOfATask()
    {
        ShownTimeline shown;
        TimelinePanel& panel = shown.panel;
        panel.resize(1400, 300);
        panel.show();
        shown.show(sample::penguins());
        shown.selection.setCheckpoint(word("b5"));
        TimelineView& view = viewOf(panel);
        QSignalSpy asked(&panel, &TimelinePanel::menuRequested);
        const HistoryModel& model = view.model();
        const int b5 = model.find(word("b5"));
        const QPointF bar = view.geometryNow().centre(model.mark(b5)) + QPointF(60, 0)
            + QPointF(view.geometryNow().header - view.horizontalScrollBar()->value(),
                      view.geometryNow().ruler - view.verticalScrollBar()->value());
        QContextMenuEvent event(QContextMenuEvent::Mouse, bar.toPoint(),
                                view.viewport()->mapToGlobal(bar.toPoint()));
        QCoreApplication::sendEvent(view.viewport(), &event);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked.front().front().toString(), word("analyze"));
        QCOMPARE(shown.history.current(), word("b5"));
        QContextMenuEvent key(QContextMenuEvent::Keyboard, QPoint(1, 1), QPoint(1, 1));
        QCoreApplication::sendEvent(view.viewport(), &key);
        QCOMPARE(asked.size(), 2);
        QVERIFY(asked.back().front().toString().isEmpty());
    }
};

SG_WINDOW_TEST(TestTimelineParts)
#include "tst_timeline_parts.moc"
