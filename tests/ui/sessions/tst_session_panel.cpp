// Sessions and their meters: pictures in both themes, which session is shown, figures, scales, stopping.

#include "tests/support/window_style.h"
#include "ui/sessions/console_view.h"
#include "ui/sessions/meters_view.h"
#include "ui/sessions/session_panel.h"
#include "ui/sessions/session_table.h"

#include <QDateTime>
#include <QPushButton>
#include <QSignalSpy>

#include <cmath>

using namespace sg::ui;

namespace {

constexpr double kNow = 1'795'271'325'000.0;
constexpr double kMiB = 1024.0 * 1024;

SampleRow sampleAt(double secondsAgo, double cpu, double memory, int pids)
{
    return { kNow - secondsAgo * 1000, cpu, memory * kMiB, 1024 * kMiB, pids, 64 };
}

std::vector<SampleRow> samples()
{
    std::vector<SampleRow> rows;
    for (int ago = 280; ago >= 0; --ago) {
        if (ago > 120 && ago < 140)
            continue; // the session was paused
        const double wave = std::sin(ago / 17.0);
        rows.push_back(sampleAt(ago, 90 + 60 * wave + (ago * 37 % 11), 420 + 300 * std::sin(ago / 60.0),
                                6 + ago % 50 / 10));
    }
    return rows;
}

SessionRow session(const QString& id, const QString& state, double started)
{
    SessionRow row;
    row.session = id;
    row.thread = QStringLiteral("alice");
    row.backend = QStringLiteral("docker");
    row.isolation = QStringLiteral("container");
    row.state = state;
    row.storage = QStringLiteral("disk");
    row.datasets = QStringLiteral("local data");
    row.cpuLimit = 2;
    row.memoryLimit = 1024 * kMiB;
    row.startedMs = started;
    return row;
}

SampleHistory historyOf(const std::vector<SampleRow>& rows)
{
    SampleHistory history;
    history.add(rows);
    return history;
}

} // namespace

class TestSessionPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString name = sg::test::useTheme();
        SessionPanel panel;
        panel.resize(984, 340);
        panel.show();
        panel.setMode(QStringLiteral("Memory · No data"));
        QCoreApplication::sendPostedEvents();
        const QImage empty = sg::test::pictureOf(panel, QStringLiteral("session-empty-") + name);
        panel.setThread(QStringLiteral("alice"));
        SessionRow row = session(QStringLiteral("s-41ab02"), QStringLiteral("busy"), 1);
        row.weakLimits = true;
        panel.setSessions({ row });
        panel.addSamples(row.session, samples());
        QCoreApplication::sendPostedEvents();
        QVERIFY(sg::test::pictureOf(panel, QStringLiteral("session-tall-") + name) != empty);
        panel.resize(1100, 170);
        QVERIFY(sg::test::pictureOf(panel, QStringLiteral("session-flat-") + name) != empty);
    }

    void showsTheLivingSessionOfTheThread()
    {
        SessionPanel panel;
        panel.resize(900, 300);
        panel.show();
        panel.setThread(QStringLiteral("alice"));
        QSignalSpy stopped(&panel, &SessionPanel::stopRequested);
        auto* stop = panel.findChild<QPushButton*>(QStringLiteral("stopSession"));
        SessionRow other = session(QStringLiteral("s-9"), QStringLiteral("busy"), 9);
        other.thread = QStringLiteral("bob");
        panel.setSessions({ session(QStringLiteral("s-1"), QStringLiteral("idle"), 1),
                            session(QStringLiteral("s-2"), QStringLiteral("ended: stopped"), 2), other });
        QVERIFY(stop->isEnabled());
        QTest::mouseClick(stop, Qt::LeftButton);
        QCOMPARE(stopped.takeFirst().front().toString(), QStringLiteral("s-1"));
        QVERIFY(!stop->isEnabled()); // asked once
        panel.setSessions({ session(QStringLiteral("s-1"), QStringLiteral("ended: user"), 1) });
        QVERIFY(!stop->isEnabled());
        QVERIFY(stop->isVisible());
        panel.setThread(QStringLiteral("carol"));
        QVERIFY(!stop->isVisible());
    }

    void listsSessionsWithWhatIsLeftOfThem()
    {
        SessionPanel panel;
        panel.resize(900, 500);
        panel.show();
        panel.setThread(QStringLiteral("alice"));
        SessionRow living = session(QStringLiteral("s-1"), QStringLiteral("idle"), 1);
        living.expiresMs = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) + 3'595'000;
        const SessionRow dead =
            session(QStringLiteral("s-2"), QStringLiteral("ended: it used its memory, 512 MiB"), 2);
        panel.setSessions({ living, dead });
        panel.addSamples(QStringLiteral("s-1"), { sampleAt(0, 61, 512, 9) });
        auto* table = panel.findChild<SessionTable*>();
        const auto text = [table](int row, int column) {
            return table->model()->index(row, column).data().toString();
        };
        QVERIFY2(text(0, SessionTableModel::LeftColumn).startsWith(QStringLiteral("0:59:5")),
                 qPrintable(text(0, SessionTableModel::LeftColumn)));
        QCOMPARE(text(0, SessionTableModel::CpuColumn), QStringLiteral("61 %"));
        QCOMPARE(text(1, SessionTableModel::StateColumn), QStringLiteral("Ended"));
        QVERIFY(text(1, SessionTableModel::LeftColumn).startsWith(QStringLiteral("ended")));
        QVERIFY(table->model()
                    ->index(0, 0)
                    .data(Qt::AccessibleTextRole)
                    .toString()
                    .contains(QStringLiteral("thread alice")));
        QSignalSpy past(&panel, &SessionPanel::pastRequested);
        table->setFocus();
        table->select(QStringLiteral("s-2"));
        QCOMPARE(past.count(), 1);
        QVERIFY(!panel.findChild<QPushButton*>(QStringLiteral("extendSession"))->isVisible());
        QVERIFY(!sg::test::pictureOf(panel, QStringLiteral("session-list")).isNull());
    }

    void marksKillsForMemory()
    {
        std::vector<SampleRow> rows{ sampleAt(20, 1, 1, 1), sampleAt(10, 1, 1, 1), sampleAt(0, 1, 1, 1) };
        rows[1].oomKills = rows[2].oomKills = 1;
        const std::vector<MeterMark> marks =
            meterMarks(historyOf(rows),
                       { { kNow - 9'500, QStringLiteral("restarted"), QStringLiteral("out of memory") },
                         { kNow - 5'000, QStringLiteral("paused"), {} } });
        QCOMPARE(marks.size(), std::size_t(2)); // the note tells of the same kill
        QVERIFY(marks[0].isKill);
        QCOMPARE(marks[0].timeMs, kNow - 10'000);
        QVERIFY(!marks[1].isKill);
    }

    void standsBehindTheMetersWhatRanMeanwhile()
    {
        SessionPanel panel;
        panel.resize(984, 480);
        panel.show();
        panel.setThread(QStringLiteral("alice"));
        const SessionRow row = session(QStringLiteral("s-1"), QStringLiteral("busy"), 1);
        panel.setSessions({ row });
        panel.addSamples(row.session, samples());
        QCoreApplication::sendPostedEvents();
        const QImage before = sg::test::pictureOf(panel, QStringLiteral("session-no-tasks"));
        TaskRow task;
        task.task = QStringLiteral("t1");
        task.node = QStringLiteral("train");
        task.outcome = QStringLiteral("running");
        task.startedMs = kNow - 120'000;
        panel.changeTasks({ task });
        QCoreApplication::sendPostedEvents();
        const QImage running = sg::test::pictureOf(panel, QStringLiteral("session-task-running"));
        QVERIFY(running != before);
        task.outcome = QStringLiteral("done");
        task.seconds = 40;
        panel.changeTasks({ task });
        QCoreApplication::sendPostedEvents();
        QVERIFY(sg::test::pictureOf(panel, QStringLiteral("session-task-done")) != running);
        panel.setThread(QStringLiteral("bob")); // another thread's tasks are not the session's
        panel.setThread(QStringLiteral("alice"));
        QCoreApplication::sendPostedEvents();
        QCOMPARE(sg::test::pictureOf(panel, QStringLiteral("session-tasks-gone")), before);
    }

    void asksForTheMomentThatIsClicked()
    {
        MetersView view;
        view.resize(800, 300);
        view.QWidget::show();
        view.show(session(QStringLiteral("s"), QStringLiteral("busy"), 1), historyOf(samples()));
        view.setSpan(60'000);
        QSignalSpy asked(&view, &MetersView::momentRequested);
        QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(view.width() - 20, 40));
        QCOMPARE(asked.count(), 1);
        QVERIFY(asked.front().front().toDouble() > kNow - 5000);
    }

    void runsCellsAndRemembersThem()
    {
        ConsoleView console;
        console.resize(600, 200);
        console.show();
        console.setThread(QStringLiteral("alice"));
        QSignalSpy entered(&console, &ConsoleView::cellEntered);
        auto* input = console.findChild<CodeInput*>();
        QTest::keyClicks(input, QStringLiteral("x = (1,"));
        QTest::keyClick(input, Qt::Key_Return); // not whole yet
        QCOMPARE(entered.count(), 0);
        QTest::keyClicks(input, QStringLiteral("2)"));
        QTest::keyClick(input, Qt::Key_Return);
        QCOMPARE(entered.count(), 1);
        console.print({ { 0, 0, {}, LogRow::Stream::Out, QStringLiteral("printed"), LogRow::Source::Cell } });
        console.end({ true, QStringLiteral("(1, 2)"), {}, 0.1, 0, false });
        const QString output =
            console.findChild<QPlainTextEdit*>(QStringLiteral("consoleOutput"))->toPlainText();
        QVERIFY2(output.endsWith(QStringLiteral("printed\n(1, 2)")), qPrintable(output));
        QTest::keyClick(input, Qt::Key_Up);
        QCOMPARE(input->toPlainText(), QStringLiteral("x = (1,\n2)"));
        input->setPlainText(QStringLiteral("pri"));
        input->moveCursor(QTextCursor::End);
        QSignalSpy wanted(&console, &ConsoleView::completionWanted);
        QTest::keyClick(input, Qt::Key_Tab);
        QCOMPARE(wanted.count(), 1);
        console.showCompletion({ QStringLiteral("pri"), 3, 0, 3, { QStringLiteral("print") } });
        QCOMPARE(input->toPlainText(), QStringLiteral("print"));
    }

    void tellsTheMomentOfLinesThatCameInOnePiece()
    {
        ConsoleView console;
        console.resize(600, 200);
        console.show();
        std::vector<LogRow> lines(
            20'000, { 0, 0, {}, LogRow::Stream::Out, QStringLiteral("one two"), LogRow::Source::Cell });
        console.print(lines);
        auto* output = console.findChild<QPlainTextEdit*>(QStringLiteral("consoleOutput"));
        QCOMPARE(output->blockCount(), 10'000);
        QSignalSpy asked(&console, &ConsoleView::momentRequested);
        output->moveCursor(QTextCursor::Start);
        QTest::keyClick(output, Qt::Key_Return);
        output->moveCursor(QTextCursor::End);
        QTest::keyClick(output, Qt::Key_Return);
        QCOMPARE(asked.count(), 2);
        output->moveCursor(QTextCursor::StartOfLine);
        QTest::mouseDClick(output->viewport(), Qt::LeftButton, {},
                           output->cursorRect().center() + QPoint(5, 0));
        QCOMPARE(asked.count(), 3);
        QCOMPARE(output->textCursor().selectedText(), QStringLiteral("one"));
    }

    void readsMeters_data()
    {
        QTest::addColumn<int>("meter");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("limit");
        QTest::addColumn<bool>("hot");
        QTest::newRow("cpu") << int(Meter::Cpu) << "1.22"
                             << "of 2 cores" << false;
        QTest::newRow("memory") << int(Meter::Memory) << "990 MiB"
                                << "of 1 GiB" << true;
        QTest::newRow("processes") << int(Meter::Processes) << "9"
                                   << "of 64" << false;
    }
    void readsMeters()
    {
        QFETCH(int, meter);
        const SampleHistory history = historyOf({ sampleAt(0, 122, 990, 9) });
        const MeterReading reading =
            readMeter(Meter(meter), session(QStringLiteral("s"), QStringLiteral("busy"), 1), history);
        QTEST(QString(reading.value).replace(QChar::Nbsp, QLatin1Char(' ')), "value");
        QTEST(QString(reading.limit).replace(QChar::Nbsp, QLatin1Char(' ')), "limit");
        QTEST(reading.isHot, "hot");
        QCOMPARE(readMeter(Meter(meter), {}, {}).value, QStringLiteral("–"));
    }

    void keepsAnHour()
    {
        SampleHistory history =
            historyOf({ sampleAt(4000, 1, 1, 1), sampleAt(3000, 1, 1, 1), sampleAt(0, 1, 1, 1) });
        QCOMPARE(history.samples().size(), std::size_t(2));
        history.add({ sampleAt(10, 1, 1, 1) }); // late
        QCOMPARE(history.samples().size(), std::size_t(2));
    }

    void scalesToTheLimitOnceItMatters()
    {
        const double gib = 1024 * kMiB;
        const auto topFor = [gib](double mebibytes) {
            return meterTop(Meter::Memory,
                            meterPeak(Meter::Memory, historyOf({ sampleAt(0, 0, mebibytes, 1) }), 0), gib);
        };
        QVERIFY(topFor(60) < gib);
        QVERIFY(topFor(600) > gib);
        QVERIFY(meterTop(Meter::Cpu, 0, 0) > 0);
    }
};

SG_WINDOW_TEST(TestSessionPanel)
#include "tst_session_panel.moc"
