// The panel as a user meets it: pictures in both themes, keys, mouse, what is announced.

#include "tests/support/window_style.h"
#include "tests/ui/timeline/penguin_thread.h"
#include "tests/ui/timeline/shown_timeline.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/palette.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QMouseEvent>
#include <QScrollBar>
#include <QSignalSpy>

#include <cmath>

using namespace sg::ui;

namespace {

TimelineView& viewOf(TimelinePanel& panel)
{
    return *panel.findChild<TimelineView*>();
}

QString spoken(TimelinePanel& panel)
{
    return viewOf(panel).accessibleDescription();
}

} // namespace

class TestTimelinePanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString name = sg::test::useTheme();
        ShownTimeline shown;
        TimelinePanel& panel = shown.panel;
        panel.resize(1400, 28 + 28 + 3 * 52 + 10);
        panel.show();
        const QImage empty = sg::test::pictureOf(panel, QStringLiteral("timeline-empty-") + name);
        shown.show(sample::penguins());
        QCoreApplication::sendPostedEvents(); // lays the title row out
        QVERIFY(sg::test::pictureOf(panel, QStringLiteral("timeline-head-") + name) != empty);
        shown.selection.setCheckpoint(QStringLiteral("b7"));
        sg::test::pictureOf(panel, QStringLiteral("timeline-past-") + name);
        panel.resize(700, 140);
        sg::test::pictureOf(panel, QStringLiteral("timeline-small-") + name);
    }

    void showsWhatIsPlannedBelowTheBranches_data() { sg::test::themes(); }
    void showsWhatIsPlannedBelowTheBranches()
    {
        const QString name = sg::test::useTheme();
        ShownTimeline shown;
        TimelinePanel& panel = shown.panel;
        panel.resize(1400, 28 + 28 + 4 * 52 + 10);
        panel.show();
        shown.show(sample::penguins());
        shown.selection.setCheckpoint(QStringLiteral("b7"));
        QCoreApplication::sendPostedEvents();
        const QImage before = sg::test::pictureOf(panel, QStringLiteral("timeline-unplanned-") + name);
        using Fate = PlannedBranch::Task::Fate;
        panel.setPlanned({ QStringLiteral("b7"),
                           QStringLiteral("kernel changed"),
                           { { { QStringLiteral("visualize"), Fate::Reused },
                               { QStringLiteral("model"), Fate::Runs },
                               { QStringLiteral("approve"), Fate::Asks } },
                             { { QStringLiteral("report"), Fate::Runs } } } });
        const QImage planned = sg::test::pictureOf(panel, QStringLiteral("timeline-planned-") + name);
        QVERIFY(planned != before);
        for (QAction* axis : panel.axisActions()) {
            axis->trigger();
            sg::test::pictureOf(panel, QStringLiteral("timeline-planned-") + axis->text() + name);
        }
        panel.axisActions()[0]->trigger();
        panel.setPlanned({});
        QCoreApplication::sendPostedEvents();
        QVERIFY(sg::test::pictureOf(panel, QStringLiteral("timeline-unplanned-") + name) != planned);
        panel.setPlanned({ QStringLiteral("not there"), {}, {} });
        QVERIFY(sg::test::pictureOf(panel, QStringLiteral("timeline-unplanned-") + name) != planned);
    }

    void scrollsToWhatIsPlanned()
    {
        ShownTimeline shown;
        TimelinePanel& panel = shown.panel;
        panel.resize(1400, 28 + 28 + 2 * 52);
        panel.show();
        shown.show(sample::penguins());
        const int before = viewOf(panel).verticalScrollBar()->maximum();
        panel.setPlanned({ QStringLiteral("b7"), {}, { { { QStringLiteral("model"), {} } } } });
        QVERIFY(viewOf(panel).verticalScrollBar()->maximum() > before);
        QCOMPARE(viewOf(panel).verticalScrollBar()->value(), viewOf(panel).verticalScrollBar()->maximum());
        panel.setPlanned({});
        QCOMPARE(viewOf(panel).verticalScrollBar()->maximum(), before);
    }

    // Where not all lanes have room, those that are seen beside the preview are seen whole.
    void noLaneIsCutBesideWhatIsPlanned()
    {
        ShownTimeline shown;
        TimelinePanel& panel = shown.panel;
        panel.show();
        shown.show(sample::penguins());
        const auto& bar = *viewOf(panel).verticalScrollBar();
        int scrolled = 0;
        const int bars = 28 + 40; // the ruler's and the panel's own; below two lanes one must be cut
        for (int height = bars + 2 * 52 + 4; height < bars + 5 * 52; height += 12) {
            panel.resize(1400, height);
            QCoreApplication::sendPostedEvents();
            panel.setPlanned({ QStringLiteral("b7"), {}, { { { QStringLiteral("model"), {} } } } });
            QCOMPARE(bar.value(), bar.maximum());
            QVERIFY2(bar.maximum() % 52 == 0,
                     qPrintable(QStringLiteral("%1 at %2").arg(bar.maximum()).arg(height)));
            scrolled += bar.maximum() > 0 ? 1 : 0;
            panel.setPlanned({});
        }
        QVERIFY(scrolled > 0);
    }

    void paintsEveryAxis_data()
    {
        QTest::addColumn<int>("theme");
        QTest::addColumn<int>("axis");
        for (const auto& [name, theme] : { std::pair("light", Theme::Light), std::pair("dark", Theme::Dark) })
            for (const auto& [axis, value] :
                 { std::pair("step", 0), std::pair("clock", 1), std::pair("folded", 2) })
                QTest::addRow("%s-%s", axis, name) << int(theme) << value;
    }
    void paintsEveryAxis()
    {
        QFETCH(int, theme);
        QFETCH(int, axis);
        applyTheme(*qApp, Theme(theme));
        ShownTimeline shown;
        TimelinePanel& panel = shown.panel;
        panel.resize(1400, 28 + 28 + 3 * 52 + 92);
        panel.show();
        HistoryRows rows = sample::penguins();
        for (CheckpointRow& row : rows.checkpoints)
            if (row.id.startsWith(QLatin1Char('c')))
                row.timeMs += 300'000; // the last branch was made later
        for (TaskRow& task : rows.tasks)
            if (task.checkpoint.startsWith(QLatin1Char('c')))
                task.startedMs += 300'000;
        shown.show(rows);
        std::vector<SampleRow> samples;
        for (int i = 0; i < 40; ++i)
            samples.push_back({ sample::kStart + i * 1000, 40.0 + (i * 37) % 90, (200.0 + i * 7) * 1048576,
                                512.0 * 1048576, 4, 256 });
        panel.setSamples(samples, 2);
        ArtifactRow artifact;
        artifact.name = QStringLiteral("mass.png");
        artifact.thread = QStringLiteral("alice");
        artifact.createdMs = sample::kStart + 20'000;
        panel.setArtifacts({ artifact, artifact });
        panel.setBookmarks({ { QStringLiteral("a3"), QStringLiteral("before the fix") } });
        shown.selection.setCheckpoint(QStringLiteral("b7"));
        panel.axisActions()[axis]->trigger();
        QCoreApplication::sendPostedEvents();
        const QImage picture =
            sg::test::pictureOf(panel, QStringLiteral("timeline-") + QLatin1String(QTest::currentDataTag()));
        QVERIFY(sg::test::colourCount(picture) > 20);
    }

    void zoomsWhereTheCursorIs()
    {
        ShownTimeline shown;
        TimelinePanel& panel = shown.panel;
        panel.resize(900, 220);
        panel.show();
        shown.show(sample::penguins());
        shown.selection.setCheckpoint(QStringLiteral("a3"));
        TimelineView& view = viewOf(panel);
        const auto cursorX = [&] {
            const TimelineGeometry& geometry = view.geometryNow();
            return geometry.x(view.model().mark(view.currentMark())) - view.horizontalScrollBar()->value();
        };
        const double before = cursorX();
        QTest::keyClick(&view, Qt::Key_W);
        QVERIFY(view.zoom() > 1.2);
        QVERIFY(std::abs(cursorX() - before) <= 2);
        QTest::keyClick(&view, Qt::Key_0);
        QCOMPARE(view.zoom(), 1.0);
        QTest::keyClick(&view, Qt::Key_1);
        QVERIFY(view.zoom() < 1);
        QCOMPARE(view.horizontalScrollBar()->maximum(), 0); // all of it is seen
        QTest::keyClick(&view, Qt::Key_0);
        const int left = view.horizontalScrollBar()->value();
        QTest::keyClick(&view, Qt::Key_D);
        QVERIFY(view.horizontalScrollBar()->value() > left);
        QTest::keyClick(&view, Qt::Key_A);
        QCOMPARE(view.horizontalScrollBar()->value(), left);
    }

    void playsToTheHead()
    {
        ShownTimeline shown;
        TimelinePanel& panel = shown.panel;
        panel.resize(900, 220);
        panel.show();
        shown.show(sample::penguins());
        panel.findChild<QComboBox*>()->setCurrentIndex(4);
        QSignalSpy selected(&panel, &TimelinePanel::checkpointSelected);
        panel.playAction()->trigger();
        QTRY_COMPARE(shown.history.current(), QStringLiteral("c9"));
        QStringList way;
        for (const QVariantList& each : selected)
            way << each.front().toString();
        QCOMPARE(way.join(QLatin1Char(' ')), QStringLiteral("a0 a1 a2 a3 a4 b5 b6 c7 c8 c9"));
    }

    void aChoiceOfTheUserPausesPlaying()
    {
        ShownTimeline shown;
        TimelinePanel& panel = shown.panel;
        panel.resize(900, 220);
        panel.show();
        shown.show(sample::penguins());
        TimelineView& view = viewOf(panel);
        QTest::keyClick(&view, Qt::Key_Space);
        QCOMPARE(shown.history.current(), QStringLiteral("a0"));
        QVERIFY(panel.playAction()->text().contains(QStringLiteral("ause")));
        QTest::keyClick(&view, Qt::Key_Right);
        QVERIFY(!panel.playAction()->text().contains(QStringLiteral("ause")));
        QCOMPARE(shown.history.current(), QStringLiteral("a1"));
    }

    void tellsTheWayBack()
    {
        ShownTimeline shown;
        shown.show(sample::penguins());
        QCOMPARE(shown.history.wayTo(QStringLiteral("c7")).join(QLatin1Char(' ')),
                 QStringLiteral("c7 b6 b5 a4 a3 a2 a1 a0"));
        QCOMPARE(shown.history.wayTo(QStringLiteral("nothing")), QStringList());
    }

    void showsTheHeadFirst()
    {
        ShownTimeline shown;
        TimelinePanel& panel = shown.panel;
        panel.resize(900, 220);
        panel.show();
        QCOMPARE(spoken(panel), QStringLiteral("No checkpoints yet"));
        QSignalSpy selected(&panel, &TimelinePanel::checkpointSelected);
        shown.show(sample::penguins());
        QCOMPARE(shown.history.current(), QStringLiteral("c9"));
        QCOMPARE(shown.history.head(), QStringLiteral("c9"));
        QCOMPARE(selected.count(), 0); // showing is no choice
        shown.selection.setThread({});
        QCOMPARE(shown.history.current(), QString());
    }

    void walksByKeys()
    {
        ShownTimeline shown;
        TimelinePanel& panel = shown.panel;
        panel.resize(900, 220);
        panel.show();
        shown.show(sample::penguins());
        QSignalSpy selected(&panel, &TimelinePanel::checkpointSelected);
        TimelineView& view = viewOf(panel);
        const auto press = [&](int key) {
            QTest::keyClick(&view, Qt::Key(key));
            return shown.history.current();
        };
        QCOMPARE(press(Qt::Key_Left), QStringLiteral("c8"));
        QCOMPARE(press(Qt::Key_Left), QStringLiteral("c7"));
        QCOMPARE(press(Qt::Key_Left), QStringLiteral("b6")); // over the fork into the parent's branch
        QCOMPARE(spoken(panel), QStringLiteral("Step 5 of 6, after analyze, next check"));
        QCOMPARE(press(Qt::Key_Right), QStringLiteral("b7"));
        QCOMPARE(press(Qt::Key_Right), QStringLiteral("b7")); // the end of its branch
        QCOMPARE(press(Qt::Key_Up), QStringLiteral("a5")); // the branch that it came from
        QCOMPARE(press(Qt::Key_Up), QStringLiteral("a5")); // which came from none
        QCOMPARE(press(Qt::Key_Down), QStringLiteral("b5"));
        QCOMPARE(press(Qt::Key_Down), QStringLiteral("c7"));
        QCOMPARE(press(Qt::Key_Down), QStringLiteral("c7"));
        QCOMPARE(press(Qt::Key_Up), QStringLiteral("b7"));
        QCOMPARE(press(Qt::Key_Up), QStringLiteral("a5"));
        QCOMPARE(press(Qt::Key_Home), QStringLiteral("a0"));
        QCOMPARE(press(Qt::Key_Left), QStringLiteral("a0"));
        QCOMPARE(press(Qt::Key_End), QStringLiteral("c9"));
        QCOMPARE(selected.count(), 11);
        panel.step(-1);
        QCOMPARE(selected.takeLast().front().toString(), QStringLiteral("c8"));
    }

    void selectsByMouse()
    {
        ShownTimeline shown;
        TimelinePanel& panel = shown.panel;
        panel.resize(1700, 220);
        panel.show();
        shown.show(sample::penguins());
        QSignalSpy selected(&panel, &TimelinePanel::checkpointSelected);
        TimelineView& view = viewOf(panel);
        const TimelineGeometry geometry = TimelineGeometry::scaled();
        const auto click = [&](int lane, double column) {
            const QPoint at(static_cast<int>(geometry.header + geometry.first + column * geometry.step),
                            static_cast<int>(geometry.ruler + geometry.laneY(lane)));
            QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at);
            return shown.history.current();
        };
        QCOMPARE(click(0, 2), QStringLiteral("a2"));
        QCOMPARE(click(0, 2.5), QStringLiteral("a3")); // a bar stands for what it made
        QCOMPARE(click(0, 5.5), QStringLiteral("a5")); // it failed and made nothing
        QCOMPARE(click(1, 5), QStringLiteral("b5"));
        QCOMPARE(selected.count(), 4);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(20, 60)); // a lane's header
        QCOMPARE(selected.count(), 4);
    }

    void aDragMovesThroughMoments_data()
    {
        QTest::addColumn<int>("axis");
        QTest::newRow("step") << 0;
        QTest::newRow("clock") << 1;
        QTest::newRow("folded") << 2;
    }
    void aDragMovesThroughMoments()
    {
        QFETCH(const int, axis);
        ShownTimeline shown;
        TimelinePanel& panel = shown.panel;
        panel.resize(1700, 300);
        panel.show();
        shown.show(sample::penguins());
        panel.axisActions()[axis]->trigger();
        shown.selection.setCheckpoint(QStringLiteral("b6"));
        TimelineView& view = viewOf(panel);
        const TimelineGeometry& geometry = view.geometryNow();
        const double made = view.model().mark(view.model().find(QStringLiteral("b7"))).timeMs;
        const auto placeOf = [&](double ms) {
            return QPoint(static_cast<int>(std::lround(geometry.header + geometry.timeX(view.model(), 1, ms)
                                                       - view.horizontalScrollBar()->value())),
                          static_cast<int>(geometry.ruler / 2));
        };
        QTest::mousePress(view.viewport(), Qt::LeftButton, {}, placeOf(made + 600));
        QCOMPARE(shown.history.current(), QStringLiteral("b7"));
        double before = shown.history.moment();
        QVERIFY(before > made);
        for (int ms = 800; ms < 3800; ms += 300) { // each move is another moment of the same step
            const QPoint at = placeOf(made + ms);
            QMouseEvent move(QEvent::MouseMove, at, view.viewport()->mapToGlobal(at), Qt::NoButton,
                             Qt::LeftButton, {});
            QCoreApplication::sendEvent(view.viewport(), &move);
            QCOMPARE(shown.history.current(), QStringLiteral("b7"));
            QVERIFY(shown.history.moment() > before);
            before = shown.history.moment();
        }
        QVERIFY(spoken(panel).contains(QStringLiteral("into its tasks")));
        sg::test::pictureOf(panel,
                            QStringLiteral("timeline-moment-") + QLatin1String(QTest::currentDataTag()));
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, placeOf(made + 3500));
        QTest::keyClick(&view, Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(shown.history.moment() < before);
        QTest::keyClick(&view, Qt::Key_Left); // to the checkpoint itself, then to the one before
        QCOMPARE(shown.history.current(), QStringLiteral("b7"));
        QVERIFY(!shown.history.isMomentBetween());
        QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(shown.history.isMomentBetween());
        QTest::keyClick(&view, Qt::Key_Home);
        QVERIFY(!shown.history.isMomentBetween());
    }

    void followsTheHeadOnly()
    {
        ShownTimeline shown;
        TimelinePanel& panel = shown.panel;
        panel.resize(900, 220);
        panel.show();
        shown.show(sample::penguins());
        shown.add({ sample::checkpoint(QStringLiteral("c10"), QStringLiteral("c9"), 9,
                                       { QStringLiteral("publish") }, {}) });
        QCOMPARE(shown.history.current(), QStringLiteral("c10"));
        shown.selection.setCheckpoint(QStringLiteral("a2"));
        shown.add({ sample::checkpoint(QStringLiteral("c11"), QStringLiteral("c10"), 10, {}, {}) });
        QCOMPARE(shown.history.current(), QStringLiteral("a2"));
        shown.show(sample::penguins());
        QCOMPARE(shown.history.current(), QStringLiteral("a2"));
        shown.selection.setCheckpoint({});
        QCOMPARE(shown.history.current(), QStringLiteral("c11")); // it came after those rows were read
    }

    void paintsManyCheckpointsQuickly()
    {
        HistoryRows rows;
        rows.thread = QStringLiteral("long");
        for (int i = 0; i < 100'000; ++i)
            rows.checkpoints.push_back(sample::checkpoint(
                QString::number(i), i == 0 ? QString() : QString::number(i - 1), i, {}, {}));
        ShownTimeline shown;
        TimelinePanel& panel = shown.panel;
        panel.resize(1400, 220);
        panel.show();
        shown.show(rows);
        QImage picture;
        QBENCHMARK_ONCE
        {
            picture = panel.grab().toImage();
        }
        QCOMPARE(shown.history.current(), QStringLiteral("99999"));
        QVERIFY(sg::test::colourCount(picture) > 8);
    }

    // Only the last attempt is filled; those before it stay as outlines at its left.
    void failedAttemptsStayInTheLane()
    {
        const auto isNear = [](const QColor& a, const QColor& b) { // lines are smoothed
            return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green())
                + std::abs(a.blue() - b.blue())
                < 90;
        };
        const auto failedPixels = [&isNear](int attempts) {
            HistoryRows rows = sample::penguins();
            for (TaskRow& task : rows.tasks) {
                task.outcome = sg::TaskOutcome::Done;
                task.attempts = attempts;
            }
            ShownTimeline shown;
            shown.panel.resize(1400, 260);
            shown.panel.show();
            shown.show(rows);
            const QImage picture = shown.panel.grab().toImage();
            int count = 0;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x)
                    count += isNear(picture.pixelColor(x, y), color(&Tokens::failed)) ? 1 : 0;
            return count;
        };
        const int without = failedPixels(1);
        QVERIFY2(failedPixels(2) >= without + 8, qPrintable(QString::number(without)));
    }
};

SG_WINDOW_TEST(TestTimelinePanel)
#include "tst_timeline_panel.moc"
