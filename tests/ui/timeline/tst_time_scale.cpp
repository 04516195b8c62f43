// Moments → places, with and without the gaps in which nothing ran.

#include "tests/support/test_main.h"
#include "tests/ui/timeline/penguin_thread.h"
#include "ui/timeline/timeline_geometry.h"

#include <QTest>

#include <cmath>

using namespace sg::ui;

namespace {

TimelineGeometry onAxis(const HistoryModel& model, TimelineAxis axis, double pixelsPerMs)
{
    TimelineGeometry geometry;
    geometry.axis = axis;
    geometry.scale = TimeScale(busySpans(model, 0), pixelsPerMs, axis == TimelineAxis::Folded);
    return geometry;
}

} // namespace

class TestTimeScale : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aClockIsLinear()
    {
        const TimeScale scale({ { 1000, 2000 }, { 100'000, 101'000 } }, 0.1, false);
        QCOMPARE(scale.x(1000), 0.0);
        QCOMPARE(scale.x(2000), 100.0);
        QCOMPARE(scale.x(51'000), 5000.0);
        QCOMPARE(scale.width(), 10'000.0);
        QCOMPARE(scale.x(0), 0.0); // clamped
        QCOMPARE(scale.x(1e9), 10'000.0);
        QCOMPARE(scale.x(std::nan("")), 0.0);
    }

    void gapsFold()
    {
        const TimeScale scale({ { 100'000, 101'000 }, { 1000, 2000 }, { 1500, 3000 } }, 0.1, true);
        QCOMPARE(scale.pieces().size(), std::size_t(2));
        QCOMPARE(scale.folds().size(), std::size_t(1));
        QCOMPARE(scale.folds().front().x, 200.0);
        QCOMPARE(scale.folds().front().ms, 97'000.0);
        QCOMPARE(scale.x(100'000), 200.0 + TimeScale::kFoldWidth);
        QCOMPARE(scale.x(50'000), 200.0); // in the gap
    }

    void placesAreMomentsAgain()
    {
        const TimeScale scale({ { 1000, 2000 }, { 100'000, 101'000 } }, 0.1, true);
        for (const double ms : { 1000.0, 1700.0, 2000.0, 100'000.0, 100'400.0, 101'000.0 })
            QCOMPARE(scale.time(scale.x(ms)), ms);
        QCOMPARE(scale.time(106), 2000.0); // in the fold
        QCOMPARE(scale.time(-5), 1000.0);
        QCOMPARE(scale.time(1e6), 101'000.0);
        QVERIFY(std::isnan(TimeScale().time(3)));
    }

    void everyAxisTellsTheMomentAtAPlace_data()
    {
        QTest::addColumn<int>("axis");
        QTest::newRow("step") << 0;
        QTest::newRow("clock") << 1;
        QTest::newRow("folded") << 2;
    }
    void everyAxisTellsTheMomentAtAPlace()
    {
        QFETCH(const int, axis);
        HistoryModel model;
        model.reset(sample::penguins());
        const TimelineGeometry geometry = onAxis(model, TimelineAxis(axis), 0.04);
        const int b7 = model.find(QStringLiteral("b7"));
        const double made = model.mark(b7).timeMs;
        QCOMPARE(geometry.timeAt(model, 1, geometry.x(model.mark(b7))), made);
        for (const double into : { 500.0, 1200.0, 3000.0 }) {
            const double ms = made + into;
            QVERIFY(std::abs(geometry.timeAt(model, 1, geometry.timeX(model, 1, ms)) - ms) < 1);
        }
        // Before the fork the branch's way lies in its parent's lane.
        const double before = model.mark(model.find(QStringLiteral("a3"))).timeMs + 300;
        QVERIFY(std::abs(geometry.timeAt(model, 1, geometry.timeX(model, 0, before)) - before) < 1);
        QCOMPARE(geometry.timeAt(model, 1, -100), model.mark(0).timeMs);
    }

    void aShortGapStays()
    {
        QVERIFY(TimeScale({ { 0, 1000 }, { 2500, 3000 } }, 1, true).folds().empty()); // soon
        QVERIFY(TimeScale({ { 0, 1000 }, { 9000, 9500 } }, 0.001, true).folds().empty()); // takes no room
        QVERIFY(TimeScale({ { std::nan(""), 3 } }, 1, true).isEmpty());
    }

    void intervalsAreRound()
    {
        QCOMPARE(roundInterval(3), 10.0);
        QCOMPARE(roundInterval(3000), 5000.0);
        QCOMPARE(roundInterval(61'000), 120'000.0);
        QCOMPARE(roundInterval(100'000'000), 172'800'000.0);
    }

    void bothAxesKeepTheOrderOfALane_data()
    {
        QTest::addColumn<int>("axis");
        QTest::newRow("step") << int(TimelineAxis::Step);
        QTest::newRow("clock") << int(TimelineAxis::Clock);
        QTest::newRow("folded") << int(TimelineAxis::Folded);
    }
    void bothAxesKeepTheOrderOfALane()
    {
        QFETCH(int, axis);
        HistoryModel model;
        model.reset(sample::penguins());
        const TimelineGeometry geometry = onAxis(model, TimelineAxis(axis), 0.04);
        for (int lane = 0; lane < static_cast<int>(model.lanes().size()); ++lane) {
            const auto& marks = model.lane(lane).marks;
            for (std::size_t i = 0; i < marks.size(); ++i) {
                const double x = geometry.x(model.mark(marks[i]));
                QCOMPARE(geometry.markBehind(model, lane, 0, x - 0.5), static_cast<int>(i));
                QCOMPARE(geometry.markBehind(model, lane, 0, x + 0.5), static_cast<int>(i) + 1);
                const TimelineHit hit = hitTest(model, geometry, { x + 1, geometry.laneY(lane) }, 0);
                QCOMPARE(hit.mark, marks[i]);
                QVERIFY(hit.onMark);
            }
            const TimelineGeometry::Range all = geometry.marksBetween(model, lane, -1e6, 1e6);
            QCOMPARE(all.from, 0);
            QCOMPARE(all.to, static_cast<int>(marks.size()) - 1);
        }
    }

    void momentsOfAPathStandBetweenItsMarks()
    {
        HistoryModel model;
        model.reset(sample::penguins());
        const TimelineGeometry geometry;
        const auto markX = [&](const char* id) {
            return geometry.x(model.mark(model.find(QString::fromLatin1(id))));
        };
        const auto timeX = [&](double step) {
            return geometry.timeX(model, 1, sample::kStart + step * 3000);
        };
        QCOMPARE(timeX(5), markX("b6"));
        const double worked = 0.7 / 3; // of the step: then the thread rested
        QVERIFY(std::abs(timeX(5 + worked / 2) - (markX("b6") + markX("b7")) / 2) < 0.01);
        QVERIFY(timeX(5 + worked) < markX("b7"));
        QCOMPARE(timeX(5.9), timeX(5 + worked)); // rests have no room
        QCOMPARE(timeX(2), markX("a3")); // before the fork: the branch that it left
        QCOMPARE(timeX(-9), markX("a0"));
        QVERIFY(timeX(99) <= markX("b7") + geometry.step);
    }

    void ticksAreReadable_data()
    {
        QTest::addColumn<double>("step");
        QTest::addColumn<QString>("labels");
        QTest::newRow("100 %") << 120.0 << "−1 0 1 2 3 4 5 6 7 8";
        QTest::newRow("small") << 12.0 << "−1 4";
        QTest::newRow("tiny") << 1.0 << "−1";
    }
    void ticksAreReadable()
    {
        QFETCH(double, step);
        QFETCH(QString, labels);
        HistoryModel model;
        model.reset(sample::penguins());
        TimelineGeometry geometry;
        geometry.step = step;
        QStringList found;
        for (const TimelineTick& tick : ticksBetween(model, geometry, 0, 1e5))
            found << tick.text;
        QCOMPARE(found.join(QLatin1Char(' ')), labels);
    }

    void troublesAreKnown()
    {
        HistoryModel model;
        model.reset(sample::penguins());
        QStringList found;
        for (const auto& [lane, mark] : model.troubles())
            found << model.id(mark);
        QCOMPARE(found, (QStringList{ QStringLiteral("a5"), QStringLiteral("b7") }));
    }
};

SG_CORE_TEST(TestTimeScale)
#include "tst_time_scale.moc"
