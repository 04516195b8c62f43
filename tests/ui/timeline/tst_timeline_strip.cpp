// Events stand below the lanes, each on its branch, and say their words under the pointer.

#include "tests/support/window_style.h"
#include "tests/ui/timeline/penguin_thread.h"
#include "tests/ui/timeline/shown_timeline.h"
#include "ui/timeline/timeline_strip_marks.h"
#include "ui/timeline/timeline_strip_painter.h"
#include "ui/timeline/timeline_view.h"

#include <QHelpEvent>
#include <QToolTip>

using namespace sg::ui;

namespace {

QString word(const char* text)
{
    return QString::fromLatin1(text);
}

ArtifactRow artifact(const char* name, const char* checkpoint, double seconds, const char* thread = "alice")
{
    ArtifactRow row;
    row.name = word(name);
    row.thread = word(thread);
    row.checkpoint = word(checkpoint);
    row.createdMs = sample::kStart + seconds * 1000;
    return row;
}

LogRow line(LogRow::Source source, const char* text, double seconds, const char* task = "")
{
    LogRow row;
    row.timeMs = sample::kStart + seconds * 1000;
    row.source = source;
    row.text = word(text);
    row.task = word(task);
    return row;
}

struct Strip {
    Strip()
    {
        panel.resize(1600, 420);
        panel.show();
        shown.show(sample::penguins());
        shown.selection.setCheckpoint(word("b7"));
    }
    // Returns the tips of the events on the viewed branch, all at once.
    QString tips()
    {
        TimelineView& view = *panel.findChild<TimelineView*>();
        QStringList found;
        for (int x = 0; x < view.viewport()->width(); x += 4)
            for (int y = view.viewport()->height() - 100; y < view.viewport()->height(); y += 4) {
                QHelpEvent event(QEvent::ToolTip, QPoint(x, y), view.viewport()->mapToGlobal(QPoint(x, y)));
                QCoreApplication::sendEvent(view.viewport(), &event);
                const QString tip = QToolTip::text();
                if (!found.contains(tip))
                    found << tip;
            }
        return found.join(QLatin1Char('|'));
    }
    ShownTimeline shown;
    TimelinePanel& panel = shown.panel;
};

} // namespace

class TestTimelineStrip : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void artifactsOfThisBranchAlone()
    {
        Strip strip;
        strip.panel.setArtifacts({ artifact("mine.png", "b6", 16), artifact("older.png", "a3", 8),
                                   artifact("aside.png", "a5", 13), artifact("later.png", "c8", 22),
                                   artifact("foreign.png", "b6", 16, "bob") });
        const QString tips = strip.tips();
        QVERIFY2(tips.contains(word("mine.png")), qPrintable(tips));
        QVERIFY(tips.contains(word("older.png"))); // before the fork
        QVERIFY(!tips.contains(word("aside.png")));
        QVERIFY(!tips.contains(word("later.png")));
        QVERIFY(!tips.contains(word("foreign.png")));
    }

    void cellsAreMarks()
    {
        Strip strip;
        strip.panel.setLog({ line(LogRow::Source::Node, "loaded", 2),
                             line(LogRow::Source::Audit, "cell ok: 3f5a0c2b91de", 9),
                             line(LogRow::Source::Audit, "cell error: 77aa, KeyError", 16),
                             line(LogRow::Source::Audit, "artifact stored: plot.png", 17) });
        const QString tips = strip.tips();
        QVERIFY2(tips.contains(word("Cell ok: 3f5a0c2b91de")), qPrintable(tips));
        QVERIFY(tips.contains(word("Cell error: 77aa, KeyError")));
        QVERIFY(!tips.contains(word("plot.png")));
        const auto cells = cellsIn({ line(LogRow::Source::Cell, "1", 1, "cell-1"),
                                     line(LogRow::Source::Cell, "2", 1.5, "cell-1"),
                                     line(LogRow::Source::Cell, "3", 2, "cell-2") });
        QCOMPARE(cells.size(), std::size_t(2)); // of an older file without an audit
    }

    // A low window shows memory alone, instead of room in which nothing stands.
    void whereThereIsNoRoomForBothMemoryStays()
    {
        TimelineTracks tracks;
        tracks.samples.resize(2);
        const TimelineGeometry geometry;
        const auto strip = [&](double room) {
            return timelineStrip(HistoryModel(), tracks, WatchTracks(), geometry,
                                 geometry.ruler + geometry.lane + room);
        };
        QVERIFY(strip(92).hasCpu && strip(92).hasMemory && strip(92).hasEvents);
        QVERIFY(!strip(82).hasCpu && strip(82).hasMemory && strip(82).hasEvents);
        QCOMPARE(strip(82).height, 82.0); // what is left would look like an empty row: the memory has it
        QCOMPARE(strip(60).height, 60.0);
        QVERIFY(!strip(50).hasMemory && strip(50).hasEvents);
        QVERIFY(!strip(10).hasEvents);
    }

    void measurementsAndKillsAreTold()
    {
        Strip strip;
        std::vector<SampleRow> samples;
        for (int i = 0; i < 30; ++i) {
            SampleRow sample{ sample::kStart + i * 1000, 150, 200.0 * 1048576, 512.0 * 1048576, 4, 256 };
            sample.oomKills = i < 14 ? 0 : 1;
            samples.push_back(sample);
        }
        strip.panel.setSamples(samples, 2);
        const QString tips = strip.tips();
        QVERIFY2(tips.contains(word("CPU: 1.50 cores")), qPrintable(tips));
        QVERIFY2(tips.contains(word("Memory: 200 of 512")), qPrintable(tips));
        QVERIFY(tips.contains(word("Memory ran out")));
    }

    void aFailureStaysRedAmongOtherBranches()
    {
        HistoryModel model;
        HistoryRows rows = sample::penguins();
        TaskRow other = rows.tasks[5]; // of branch 2, between those of the first
        other.outcome = sg::TaskOutcome::Failed;
        rows.tasks[5] = other;
        model.reset(rows);
        const int a5 = model.find(word("a5"));
        const int b5 = model.find(word("b5"));
        const int b7 = model.find(word("b7"));
        QVERIFY(model.hasTroubles(model.mark(a5).lane, 0, a5));
        QVERIFY(model.hasTroubles(model.mark(b5).lane, 0, b7)); // although main failed before it
        QVERIFY(!model.hasTroubles(model.mark(a5).lane, 0, a5 - 1));
    }
};

SG_WINDOW_TEST(TestTimelineStrip)
#include "tst_timeline_strip.moc"
