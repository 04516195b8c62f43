// Processes of a session, and which session is looked at after one was restarted.

#include "tests/support/window_style.h"
#include "ui/sessions/process_table.h"
#include "ui/sessions/session_bar.h"
#include "ui/sessions/session_choice.h"
#include "ui/sessions/session_panel.h"
#include "ui/sessions/session_table.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

using namespace sg::ui;

namespace {

ProcessRow process(qint64 pid, double memory = 1)
{
    ProcessRow row;
    row.pid = pid;
    row.memoryBytes = memory;
    row.command = QStringLiteral("p%1").arg(pid);
    return row;
}

QString pidsOf(const QAbstractItemModel& model)
{
    QStringList pids;
    for (int row = 0; row < model.rowCount(); ++row)
        pids << model.index(row, ProcessModel::PidColumn).data().toString();
    return pids.join(QLatin1Char(' '));
}

SessionRow session(const char* id, const char* state, const char* part = "", double started = 1)
{
    SessionRow row;
    row.session = QString::fromLatin1(id);
    row.thread = QStringLiteral("alice");
    row.state = sg::sessions::SessionState::parse(state);
    row.part = sg::sessions::SessionPart::parse(part);
    row.startedMs = started;
    return row;
}

} // namespace

class TestProcesses : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void aProcessKeepsItsIndex()
    {
        ProcessModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        model.update({ process(1), process(2), process(3) });
        const QPersistentModelIndex third = model.index(2, 0);
        model.update({ process(3, 9), process(4), process(1) });
        QCOMPARE(pidsOf(model), QStringLiteral("3 4 1"));
        QCOMPARE(third.row(), 0);
        QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        model.update({ process(3, 9), process(4, 5), process(1) });
        QCOMPARE(changes.count(), 1); // of the one that changed
        model.update({ process(1), process(1), process(3) }); // as a sandbox may say
        model.update({ process(1) });
        QCOMPARE(pidsOf(model), QStringLiteral("1"));
        model.update({});
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(resets.count(), 0);
    }

    void saysThatThereAreMore()
    {
        ProcessTable table;
        table.resize(600, 300);
        table.QWidget::show();
        auto* note = table.findChild<QLabel*>(QStringLiteral("processNote"));
        table.show({ QStringLiteral("s"), { process(1) }, 1, {} });
        QVERIFY(!note->isVisible());
        auto* view = table.findChild<QTableView*>();
        view->setCurrentIndex(view->model()->index(0, 1));
        table.show({ QStringLiteral("s"), { process(2), process(1) }, 4000, {} });
        QVERIFY(note->isVisible());
        QVERIFY(note->text().contains(QLocale().toString(4000)));
        QCOMPARE(view->currentIndex().row(), 1); // what a screen reader stands on stays
    }

    void asksASessionOnceAtATime()
    {
        SessionPanel panel;
        panel.resize(1100, 600);
        panel.show();
        panel.setThread(QStringLiteral("alice"));
        panel.setSessions({ session("s-1", "idle"), session("s-2", "idle", "node a") });
        QSignalSpy asked(&panel, &SessionPanel::processesRequested);
        panel.findChild<SessionBar*>()->setView(SessionBar::View::Processes);
        QCOMPARE(asked.count(), 1);
        panel.resize(1000, 500);
        QTest::qWait(2200); // two ticks
        QCOMPARE(asked.count(), 1);
        auto* table = panel.findChild<SessionTable*>();
        table->setFocus();
        table->select(QStringLiteral("s-2"));
        QCOMPARE(asked.count(), 2); // another session has its own
        table->select(QStringLiteral("s-1"));
        QCOMPARE(asked.count(), 2);
        panel.setProcesses({ QStringLiteral("s-1"), { process(1) }, 1, {} });
        QTRY_COMPARE(asked.count(), 3);
        panel.clear(); // no answer comes any more
        panel.setThread(QStringLiteral("alice"));
        panel.setSessions({ session("s-1", "idle") });
        QTRY_COMPARE(asked.count(), 4);
    }

    void followsASessionThatIsRestarted()
    {
        SessionPanel panel;
        panel.resize(1100, 600);
        panel.show();
        panel.setThread(QStringLiteral("alice"));
        panel.setSessions({ session("s-1", "idle"), session("s-2", "idle", "node a") });
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        auto* table = panel.findChild<SessionTable*>();
        table->setFocus();
        table->select(QStringLiteral("s-2"));
        panel.findChild<QPushButton*>(QStringLiteral("restartSession"))->click();
        panel.setSessions({ session("s-1", "idle"), session("s-2", "ended: user", "node a") });
        QCOMPARE(table->current(), QStringLiteral("s-2"));
        panel.setSessions({ session("s-1", "idle"), session("s-3", "idle", "node a", 2),
                            session("s-2", "ended: user", "node a") });
        QCOMPARE(table->current(), QStringLiteral("s-3"));
    }

    void aThreadsOwnSessionComesFirst()
    {
        const std::vector<SessionRow> rows{ session("s-1", "ended: user"),
                                            session("s-2", "idle", "node a", 9), session("s-3", "idle") };
        QCOMPARE(sessionToShow(rows, QStringLiteral("alice"))->session, QStringLiteral("s-3"));
        QCOMPARE(liveSessionOf(rows, QStringLiteral("alice"))->session, QStringLiteral("s-3"));
        QCOMPARE(sessionToShow({ rows[0], rows[1] }, QStringLiteral("alice"))->session,
                 QStringLiteral("s-2"));
        QVERIFY(liveSessionOf({ rows[0], rows[1] }, QStringLiteral("alice")) == nullptr);
        QVERIFY(sessionToShow(rows, {}) == nullptr);
    }
};

SG_WINDOW_TEST(TestProcesses)
#include "tst_processes.moc"
