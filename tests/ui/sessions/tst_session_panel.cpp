// Sessions and their meters: pictures in both themes, which session is shown, figures, scales, stopping.

#include "tests/support/window_style.h"
#include "ui/sessions/limits_form.h"
#include "ui/sessions/session_choice.h"
#include "ui/sessions/session_panel.h"
#include "ui/sessions/session_table.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/time_format.h"

#include <QDateTime>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

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
    row.state = sg::sessions::SessionState::parse(state.toStdString());
    row.storage = sg::sessions::SessionStorage::Tmpfs;
    row.datasets = sg::sessions::DatasetAccess::LocalRo;
    row.cpuLimit = 2;
    row.memoryLimit = 1024 * kMiB;
    row.startedMs = started;
    return row;
}

QString plain(QString text)
{
    return text.replace(QChar::Nbsp, QLatin1Char(' '));
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

    void aLimitBelowTheUseIsRefusedAtTheField()
    {
        LimitsForm form;
        form.setVisible(true);
        SessionRow row;
        row.session = QStringLiteral("s-1");
        row.memoryLimit = 2048.0 * 1024 * 1024;
        row.pidsLimit = 256;
        row.cpuLimit = 2;
        form.show(row);
        SampleRow sample;
        sample.memoryBytes = 1843.0 * 1024 * 1024;
        sample.pids = 5;
        form.setUse(sample);
        QSignalSpy applied(&form, &LimitsForm::applied);
        form.findChild<QSpinBox*>()->setValue(300);
        form.findChild<QPushButton*>()->click();
        QCOMPARE(applied.count(), 0);
        auto* refusal = form.findChild<QLabel*>(QStringLiteral("limitRefusal"));
        QVERIFY(refusal->isVisible());
        QVERIFY2(refusal->text().contains(formatMemory(sample.memoryBytes)), qPrintable(refusal->text()));
        form.findChild<QSpinBox*>()->setValue(1900);
        QVERIFY(!refusal->isVisible());
        form.findChild<QPushButton*>()->click();
        QCOMPARE(applied.count(), 1);
    }

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
        const auto now = static_cast<double>(QDateTime::currentMSecsSinceEpoch());
        SessionRow dead =
            session(QStringLiteral("s-2"), QStringLiteral("ended: it used its memory, 512 MiB"), 2);
        dead.endedMs = now;
        dead.startedMs = now - 90 * 60'000.0;
        dead.lastUsedMs = now - 45 * 60'000.0; // is not when it ended
        panel.setSessions({ living, dead });
        panel.addSamples(QStringLiteral("s-1"), { sampleAt(0, 61, 512, 9) });
        auto* table = panel.findChild<SessionTable*>();
        const auto text = [table](int row, int column) {
            return table->model()->index(row, column).data().toString();
        };
        QVERIFY2(text(0, SessionTableModel::LeftColumn).startsWith(QStringLiteral("0:59:5")),
                 qPrintable(text(0, SessionTableModel::LeftColumn)));
        QCOMPARE(text(0, SessionTableModel::CpuColumn), QStringLiteral("61 %"));
        QCOMPARE(text(1, SessionTableModel::StateColumn),
                 QStringLiteral("Ended: it used its memory, 512 MiB"));
        SessionRow asked = dead;
        asked.state = sg::sessions::SessionState::parse("ended: the session was ended");
        QCOMPARE(stateWords(asked), QStringLiteral("ended"));
        QCOMPARE(text(1, SessionTableModel::LeftColumn),
                 QStringLiteral("ended %1").arg(formatClock(dead.endedMs)));
        QCOMPARE(text(1, SessionTableModel::AgeColumn), QStringLiteral("1 h 30 min"));
        QCOMPARE(plain(text(0, SessionTableModel::LimitsColumn)), QStringLiteral("2 cores, 1 GiB"));
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

    // In the smallest window all but age and limits is seen without scrolling, where the session lives, too.
    void columnsGiveWayBeforeTheTableScrolls()
    {
        SessionTable table;
        const auto used = [&table] {
            return table.columnViewportPosition(SessionTableModel::WhereColumn)
                + table.columnWidth(SessionTableModel::WhereColumn);
        };
        table.resize(790, 200);
        table.show();
        QVERIFY2(used() <= table.viewport()->width(), qPrintable(QString::number(used())));
        QVERIFY(table.isColumnHidden(SessionTableModel::LimitsColumn));
        table.resize(1400, 200);
        QVERIFY(!table.isColumnHidden(SessionTableModel::LimitsColumn));
        table.horizontalHeader()->resizeSection(SessionTableModel::StateColumn, 300);
        table.resize(790, 200);
        QCOMPARE(table.columnWidth(SessionTableModel::StateColumn), 300);
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
        task.outcome = sg::TaskOutcome::Running;
        task.startedMs = kNow - 120'000;
        panel.changeTasks({ task });
        QCoreApplication::sendPostedEvents();
        const QImage running = sg::test::pictureOf(panel, QStringLiteral("session-task-running"));
        QVERIFY(running != before);
        task.outcome = sg::TaskOutcome::Done;
        task.seconds = 40;
        panel.changeTasks({ task });
        QCoreApplication::sendPostedEvents();
        QVERIFY(sg::test::pictureOf(panel, QStringLiteral("session-task-done")) != running);
        panel.setThread(QStringLiteral("bob")); // another thread's tasks are not the session's
        panel.setThread(QStringLiteral("alice"));
        QCoreApplication::sendPostedEvents();
        QCOMPARE(sg::test::pictureOf(panel, QStringLiteral("session-tasks-gone")), before);
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
