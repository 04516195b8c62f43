// Marks on the meters, and the moment that they and the other panels show.

#include "tests/support/window_style.h"
#include "ui/sessions/meter_marks.h"
#include "ui/sessions/meters_view.h"
#include "ui/sessions/session_panel.h"

#include <QMouseEvent>
#include <QSignalSpy>
#include <QToolTip>

#include <cmath>

using namespace sg::ui;

namespace {

constexpr double kNow = 1'795'271'325'000.0;
constexpr double kMiB = 1024.0 * 1024;

SampleRow sampleAt(double secondsAgo, double cpu, double memory, int pids)
{
    return { kNow - secondsAgo * 1000, cpu, memory * kMiB, 1024 * kMiB, pids, 64 };
}

std::vector<SampleRow> samples(int seconds)
{
    std::vector<SampleRow> rows;
    for (int ago = seconds; ago >= 0; --ago)
        rows.push_back(sampleAt(ago, 90 + 60 * std::sin(ago / 17.0), 420, 6));
    return rows;
}

SessionRow session(const QString& id)
{
    SessionRow row;
    row.session = id;
    row.thread = QStringLiteral("alice");
    row.state = sg::sessions::SessionState::Kind::Busy;
    row.cpuLimit = 2;
    row.memoryLimit = 1024 * kMiB;
    row.startedMs = 1;
    return row;
}

SampleHistory historyOf(const std::vector<SampleRow>& rows)
{
    SampleHistory history;
    history.add(rows);
    return history;
}

QString wordsOf(const std::vector<MeterMark>& marks)
{
    QStringList words;
    for (const MeterMark& mark : marks)
        words << mark.text;
    return words.join(QStringLiteral(", "));
}

// A minute of five, drawn 800 wide.
struct Meters {
    explicit Meters(int seconds = 300)
    {
        view.resize(800, 300);
        view.QWidget::show();
        view.show(session(QStringLiteral("s")), historyOf(samples(seconds)));
        view.setSpan(60'000);
    }
    MetersView view;
    QSignalSpy asked{ &view, &MetersView::momentRequested };
};

} // namespace

class TestMeters : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    // A short session is drawn over the whole width, and not as a mark at its end.
    void aShortSessionIsDrawnAtFullWidth()
    {
        const auto timeAtLeftEdge = [](int seconds, bool isEnded) {
            MetersView view;
            view.resize(800, 300);
            view.QWidget::show();
            SessionRow row = session(QStringLiteral("s"));
            row.startedMs = kNow - seconds * 1000 - 1500; // the first sample comes later
            if (isEnded)
                row.endedMs = kNow + 300;
            view.show(row, historyOf(samples(seconds)));
            QSignalSpy asked(&view, &MetersView::momentRequested);
            QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(130, 60));
            return asked.isEmpty() ? 0 : (kNow - asked.last().front().toDouble()) / 1000;
        };
        QVERIFY2(std::abs(timeAtLeftEdge(6, true) - 7.5) < 0.3,
                 qPrintable(QString::number(timeAtLeftEdge(6, true))));
        QVERIFY(std::abs(timeAtLeftEdge(600, true) - 300) < 5);
        QVERIFY(std::abs(timeAtLeftEdge(6, false) - 15) < 0.5);
        QVERIFY(std::abs(timeAtLeftEdge(70, false) - 120) < 3);
    }

    // A window of 1280 pixels has 226 for them: they are rows of one axis, not four columns.
    void metersOfALowWindowAreRows()
    {
        MetersView view;
        view.resize(790, 226);
        view.QWidget::show();
        view.show(session(QStringLiteral("s")), historyOf(samples(600)));
        QSignalSpy asked(&view, &MetersView::momentRequested);
        QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(130, 24));
        QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(770, 24));
        QCOMPARE(asked.count(), 2);
        const auto secondsAgo = [&asked](int click) {
            return (kNow - asked[click].front().toDouble()) / 1000;
        };
        QVERIFY2(std::abs(secondsAgo(0) - 300) < 5, qPrintable(QString::number(secondsAgo(0))));
        QVERIFY2(secondsAgo(1) < 5, qPrintable(QString::number(secondsAgo(1))));
    }

    void marksKillsForMemory()
    {
        std::vector<SampleRow> rows{ sampleAt(20, 1, 1, 1), sampleAt(10, 1, 1, 1), sampleAt(0, 1, 1, 1) };
        rows[1].oomKills = rows[2].oomKills = 1;
        const std::vector<MeterMark> marks = meterMarks(
            historyOf(rows),
            { { kNow - 9'500, sg::sessions::SessionEventKind::Restarted, QStringLiteral("out of memory") },
              { kNow - 5'000, sg::sessions::SessionEventKind::Paused, {} } });
        QCOMPARE(marks.size(), std::size_t(2)); // the note tells of the same kill
        QCOMPARE(marks[0].kind, MeterMark::Kind::Kill);
        QCOMPARE(marks[0].timeMs, kNow - 10'000);
        QCOMPARE(marks[1].kind, MeterMark::Kind::Note);
    }

    void marksWhileTheCpuLimitHeldItBack()
    {
        std::vector<SampleRow> rows;
        double held = 0;
        for (int ago = 40; ago >= 0; --ago) {
            const bool isHeld = (ago <= 30 && ago > 20) || ago <= 5;
            held += isHeld ? 300 : 10; // of a second; 10 ms is nothing
            rows.push_back(sampleAt(ago, 200, 1, 1));
            rows.back().throttledMs = held;
        }
        const std::vector<MeterMark> marks = meterMarks(historyOf(rows), {});
        QCOMPARE(marks.size(), std::size_t(2));
        QCOMPARE(marks[0].kind, MeterMark::Kind::Throttled);
        QCOMPARE(marks[0].timeMs, kNow - 31'000);
        QCOMPARE(marks[0].endMs, kNow - 21'000);
        QCOMPARE(marks[1].endMs, kNow);
    }

    void notesComeLiveAndAreReadOnce()
    {
        std::vector<SessionNoteRow> notes{ { kNow - 10'000, sg::sessions::SessionEventKind::Started, {} } };
        const SessionNoteRow paused{ kNow, sg::sessions::SessionEventKind::Paused,
                                     QStringLiteral("by its user") };
        addNote(notes, paused);
        addNote(notes, { kNow + 40, paused.event, paused.text }); // the same, read from the records
        addNote(notes, { kNow + 9000, sg::sessions::SessionEventKind::Unpaused, {} });
        addNote(notes, { kNow + 20'000, sg::sessions::SessionEventKind::LimitsChanged, {} });
        QCOMPARE(wordsOf(meterMarks({}, notes)), QStringLiteral("paused, resumed, limits changed"));
    }

    void aNoteThatComesLiveIsSeen()
    {
        SessionPanel panel;
        panel.resize(984, 480);
        panel.show();
        panel.setThread(QStringLiteral("alice"));
        panel.setSessions({ session(QStringLiteral("s")) });
        panel.addSamples(QStringLiteral("s"), samples(200));
        const auto* meters = panel.findChild<MetersView*>();
        const auto said = [meters](const char* words) {
            return meters->accessibleDescription().contains(QLatin1String(words));
        };
        panel.addNote(QStringLiteral("s"), { kNow - 30'000, sg::sessions::SessionEventKind::Paused, {} });
        QVERIFY(said("paused"));
        panel.setPast({ QStringLiteral("s"),
                        {},
                        { { kNow - 90'000, sg::sessions::SessionEventKind::LimitsChanged, {} } } });
        QVERIFY(said("paused"));
        QVERIFY(said("limits changed"));
        QVERIFY(!sg::test::pictureOf(panel, QStringLiteral("session-notes")).isNull());
    }

    void asksForTheMomentThatIsClicked()
    {
        Meters meters;
        QTest::mouseClick(&meters.view, Qt::LeftButton, {}, QPoint(meters.view.width() - 20, 40));
        QCOMPARE(meters.asked.count(), 1);
        QVERIFY(meters.asked.front().front().toDouble() > kNow - 5000);
    }

    void aDragAsksForOneMomentAfterAnother()
    {
        Meters meters;
        const int right = meters.view.width() - 20;
        QTest::mousePress(&meters.view, Qt::LeftButton, {}, QPoint(right, 40));
        for (const int x : { right - 100, right - 200, -50 }) {
            const double before = meters.asked.back().front().toDouble();
            const QPoint at(x, 40);
            QMouseEvent move(QEvent::MouseMove, at, meters.view.mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                             {});
            QCoreApplication::sendEvent(&meters.view, &move);
            const double asked = meters.asked.back().front().toDouble();
            QVERIFY(asked < before && asked >= kNow - 60'001); // the plots stay where they are
            meters.view.setMoment(asked);
        }
        QTest::mouseRelease(&meters.view, Qt::LeftButton, {}, QPoint(-50, 40));
        QCOMPARE(meters.asked.count(), 4);
    }

    void showsWhatWasAroundAnOlderMoment()
    {
        Meters meters;
        meters.view.setMoment(kNow - 200'000);
        QTest::mouseClick(&meters.view, Qt::LeftButton, {}, QPoint(meters.view.width() - 20, 40));
        const double end = meters.asked.front().front().toDouble();
        QVERIFY2(std::abs(end - (kNow - 170'000)) < 5000, qPrintable(QString::number(kNow - end)));
        const QImage older = sg::test::pictureOf(meters.view, QStringLiteral("meters-older"));
        meters.view.setMoment(kNow - 900'000); // before the first sample: an arrow tells of it
        QVERIFY(sg::test::pictureOf(meters.view, QStringLiteral("meters-before")) != older);
        meters.view.setMoment(kUnknown);
        QTest::mouseClick(&meters.view, Qt::LeftButton, {}, QPoint(meters.view.width() - 20, 40));
        QVERIFY(meters.asked.back().front().toDouble() > kNow - 5000);
    }

    void arrowKeysMoveTheMoment()
    {
        Meters meters;
        meters.view.setFocus();
        QVERIFY(meters.view.focusPolicy() & Qt::TabFocus);
        const auto wished = [&meters] { return kNow - meters.asked.back().front().toDouble(); };
        QTest::keyClick(&meters.view, Qt::Key_Left);
        QCOMPARE(wished(), 1000.0);
        QTest::keyClick(&meters.view, Qt::Key_Left);
        QCOMPARE(wished(), 2000.0);
        meters.view.setMoment(kNow - 30'000); // the checkpoint that was before
        QTest::keyClick(&meters.view, Qt::Key_Right);
        meters.view.setMoment(kNow - 30'000); // still that one
        QTest::keyClick(&meters.view, Qt::Key_Right);
        QCOMPARE(wished(), 28'000.0);
        QVERIFY(meters.view.accessibleDescription().contains(QStringLiteral("at ")));
        QTest::keyClick(&meters.view, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(wished(), 18'000.0);
        QTest::keyClick(&meters.view, Qt::Key_Home);
        QCOMPARE(wished(), 300'000.0);
        QTest::keyClick(&meters.view, Qt::Key_Left);
        QCOMPARE(wished(), 300'000.0);
        QTest::keyClick(&meters.view, Qt::Key_End);
        QCOMPARE(wished(), 0.0);
    }

    void paintsMarks_data() { sg::test::themes(); }
    void paintsMarks()
    {
        const QString name = sg::test::useTheme();
        std::vector<SampleRow> rows = samples(200);
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i].throttledMs = i > 60 && i < 90 ? static_cast<double>(i) * 200 : 0;
        MetersView view;
        view.resize(984, 400);
        view.QWidget::show();
        const SampleHistory history = historyOf(rows);
        view.show(session(QStringLiteral("s")), history);
        const QImage without = sg::test::pictureOf(view, QStringLiteral("meters-plain-") + name);
        view.show(session(QStringLiteral("s")), history,
                  meterMarks(history,
                             { { kNow - 120'000, sg::sessions::SessionEventKind::Paused, {} },
                               { kNow - 118'000, sg::sessions::SessionEventKind::Unpaused, {} },
                               { kNow - 40'000, sg::sessions::SessionEventKind::LimitsChanged, {} } }));
        view.setMoment(kNow - 70'000);
        QVERIFY(sg::test::pictureOf(view, QStringLiteral("meters-marks-") + name) != without);
    }
};

SG_WINDOW_TEST(TestMeters)
#include "tst_meters.moc"
