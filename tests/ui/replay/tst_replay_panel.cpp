#include "core/base/json.h"
#include "tests/support/window_style.h"
#include "ui/bridge/clients.h"
#include "ui/replay/patch_table.h"
#include "ui/replay/replay_panel.h"
#include "ui/replay/replay_verbs.h"
#include "ui/replay/staged_patch.h"
#include "ui/selection/client_feed.h"
#include "ui/selection/panel_parts.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>

using namespace sg;
using namespace sg::ui;

namespace {

HistoryRows threeSteps()
{
    HistoryRows rows;
    rows.thread = QStringLiteral("alice");
    const QStringList nodes{ QStringLiteral("load"), QStringLiteral("analyze"), QStringLiteral("report") };
    for (int i = 0; i <= nodes.size(); ++i) {
        CheckpointRow row;
        row.id = QStringLiteral("c%1").arg(i);
        row.parent = i == 0 ? QString() : QStringLiteral("c%1").arg(i - 1);
        row.step = i;
        row.source = sg::checkpoint::Source::Loop;
        row.after = i == 0 ? QStringList() : QStringList{ nodes[i - 1] };
        row.next = i < nodes.size() ? QStringList{ nodes[i] } : QStringList();
        rows.checkpoints.push_back(row);
        if (i == nodes.size())
            break;
        TaskRow task;
        task.checkpoint = row.id;
        task.task = task.node = nodes[i];
        task.step = i + 1;
        task.outcome = i == 1 ? TaskOutcome::Failed : TaskOutcome::Done;
        task.seconds = 0.7 * (i + 1);
        rows.tasks.push_back(task);
    }
    return rows;
}

StateView state(const QString& checkpoint)
{
    StateView view;
    view.thread = QStringLiteral("alice");
    view.checkpoint = checkpoint;
    view.values = Value::map({ { "kernel", "rbf" },
                               { "attempts", 2 },
                               { "log", Value::list({ "a", "b" }) },
                               { "messages", Value::list({ "hello" }) } });
    return view;
}

ReplayGraph threeNodes()
{
    ReplayGraph known;
    for (const char* node : { "load", "analyze", "report" })
        known.kinds.insert(QLatin1String(node), QStringLiteral("python"));
    known.rules.reduced = { QStringLiteral("log"), QStringLiteral("messages") };
    known.rules.locked = { QStringLiteral("messages") };
    return known;
}

struct Preview {
    explicit Preview(ReplayPanel::Verb verb, const QString& checkpoint = QStringLiteral("c1"))
    {
        panel.setGraph(threeNodes());
        panel.preview(verb, threeSteps(), checkpoint);
        panel.setState(state(checkpoint));
        panel.resize(1400, 260);
        panel.show();
    }
    // As a person would by the editor.
    bool type(const QString& channel, const QString& json)
    {
        QAbstractItemModel& model = *panel.findChild<PatchTable*>()->model();
        for (int row = 0; row < model.rowCount(); ++row)
            if (model.index(row, 0).data().toString() == channel)
                return model.setData(model.index(row, 1), json);
        return false;
    }
    QPushButton* button(const QString& text)
    {
        for (QPushButton* each : panel.findChildren<QPushButton*>())
            if (each->text() == text)
                return each;
        return nullptr;
    }

    ReplayPanel panel;
};

} // namespace

class TestReplayPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString name = sg::test::useTheme();
        Preview fork(ReplayPanel::Verb::Fork);
        QVERIFY(fork.type(QStringLiteral("kernel"), QStringLiteral("\"linear\"")));
        QVERIFY(fork.type(QStringLiteral("attempts"), QStringLiteral("three")));
        QVERIFY(sg::test::colourCount(sg::test::pictureOf(fork.panel, QStringLiteral("fork-") + name)) > 20);
        Preview replay(ReplayPanel::Verb::Replay);
        QVERIFY(sg::test::colourCount(sg::test::pictureOf(replay.panel, QStringLiteral("replay-") + name))
                > 10);
    }

    // With the parts of a window its verbs follow what is looked at, and open it by themselves.
    void itsVerbsFollowTheSelection()
    {
        Clients clients;
        Selection selection;
        ThreadBook book;
        ShownHistory shown(selection);
        ClientFeed feed(clients, { selection, book, shown });
        ReplayPanel panel(PanelParts{ clients, selection, book, shown, feed });
        const ReplayVerbs& verbs = panel.verbs();
        const auto says = [](const QAction* verb, const char* words) {
            return !verb->isEnabled() && verb->toolTip().contains(QLatin1String(words));
        };
        QVERIFY(says(verbs.replay(), "no checkpoint to go back to"));
        QVERIFY(says(verbs.fork(), "no checkpoint to go back to"));
        selection.setThread(QStringLiteral("alice"));
        book.setThreads({ { QStringLiteral("alice"), 4, 0, RunStatus::Done } });
        shown.take(threeSteps());
        QVERIFY(says(verbs.replay(), "Nothing is left to run")); // at the end
        QVERIFY(verbs.fork()->isEnabled());
        QVERIFY(says(verbs.rerun(), "Choose a node first"));
        shown.goTo(QStringLiteral("c1"));
        QVERIFY(verbs.replay()->isEnabled());
        selection.setNode(QStringLiteral("load"));
        QVERIFY(verbs.rerun()->isEnabled());
        QVERIFY(verbs.runTo()->isEnabled());
        selection.setNode(QStringLiteral("analyze"));
        QVERIFY(says(verbs.runTo(), "analyze is what runs next"));

        const QSignalSpy opened(&panel, &ReplayPanel::opened);
        const QSignalSpy closed(&panel, &ReplayPanel::closed);
        verbs.replay()->trigger();
        QCOMPARE(opened.count(), 1);
        QCOMPARE(panel.checkpoint(), QStringLiteral("c1"));
        shown.goTo(QStringLiteral("c2")); // something else is looked at
        QCOMPARE(closed.count(), 1);
        QVERIFY(panel.checkpoint().isEmpty());
        selection.setNode(QStringLiteral("load"));
        verbs.rerun()->trigger();
        QCOMPARE(panel.checkpoint(), QStringLiteral("c0")); // from where it began
        QCOMPARE(shown.current(), QStringLiteral("c0"));
        panel.close();

        book.setStatus(QStringLiteral("alice"), RunStatus::Running);
        QVERIFY(says(verbs.fork(), "A run is under way"));
        QVERIFY(says(verbs.rerun(), "A run is under way"));
        book.setStatus(QStringLiteral("alice"), RunStatus::Done);
        QVERIFY(verbs.fork()->isEnabled());
        panel.replayFrom({}); // of a task without a checkpoint
        QVERIFY(panel.checkpoint().isEmpty());
        panel.replayFrom(QStringLiteral("c2"));
        QCOMPARE(panel.checkpoint(), QStringLiteral("c2"));
    }

    void theModelIsSound()
    {
        StagedPatch patch;
        const QAbstractItemModelTester tester(&patch, QAbstractItemModelTester::FailureReportingMode::QtTest);
        patch.reset(state(QStringLiteral("c1")).values, threeNodes().rules);
        QVERIFY(patch.setData(patch.index(0, 1), QStringLiteral("1")));
        patch.revertAll();
        QCOMPARE(patch.changeCount(), 0);
    }

    void anEditorLeftByEscapeKeepsTheOtherChanges()
    {
        Preview fork(ReplayPanel::Verb::Fork);
        QVERIFY(fork.type(QStringLiteral("kernel"), QStringLiteral("\"linear\"")));
        auto* const table = fork.panel.findChild<PatchTable*>();
        const QModelIndex kernel = table->model()
                                       ->match(table->model()->index(0, 0), Qt::DisplayRole,
                                               QStringLiteral("kernel"), 1, Qt::MatchExactly)
                                       .value(0);
        const QModelIndex other = table->model()->index(kernel.row() == 0 ? 1 : 0, StagedPatch::Text);
        table->setCurrentIndex(other);
        QTest::keyClick(table, Qt::Key_Return);
        auto* const editor = table->findChild<QLineEdit*>();
        QVERIFY(editor);
        QTest::keyClick(editor, Qt::Key_Escape);
        QVERIFY(kernel.data(StagedPatch::ChangedRole).toBool());
    }

    void aNodeAloneRunsOneStep()
    {
        HistoryRows past = threeSteps();
        past.checkpoints[1].next << QStringLiteral("beside");
        TaskRow beside = past.tasks[1];
        beside.task = beside.node = QStringLiteral("beside");
        beside.outcome = TaskOutcome::Done;
        past.tasks.insert(past.tasks.begin() + 2, beside);
        ReplayPanel panel;
        panel.setGraph(threeNodes());
        panel.previewRerun(past, QStringLiteral("c1"), QStringLiteral("analyze"));
        panel.resize(1400, 260);
        panel.show();
        QVERIFY(sg::test::colourCount(sg::test::pictureOf(panel, QStringLiteral("rerun"))) > 10);
        QStringList seen;
        for (const QAbstractItemView* list : panel.findChildren<QAbstractItemView*>())
            for (int row = 0; row < list->model()->rowCount(); ++row)
                seen << list->model()->index(row, 0).data(Qt::AccessibleTextRole).toString();
        QVERIFY2(seen.contains(QStringLiteral("step 2, beside, reused")),
                 qPrintable(seen.join(QLatin1Char('|'))));
        QSignalSpy wanted(&panel, &ReplayPanel::rerunRequested);
        for (QPushButton* button : panel.findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Run again"))
                button->click();
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted[0][1].toString(), QStringLiteral("c1"));
        QCOMPARE(wanted[0][2].toString(), QStringLiteral("analyze"));
        QCOMPARE(wanted[0][3].toStringList(), QStringList{ QStringLiteral("*") });
    }

    void onlyWhatChangedIsWritten()
    {
        Preview fork(ReplayPanel::Verb::Fork);
        QSignalSpy forks(&fork.panel, &ReplayPanel::forkRequested);
        QSignalSpy closed(&fork.panel, &ReplayPanel::closed);
        QVERIFY(fork.type(QStringLiteral("attempts"), QStringLiteral("3")));
        QVERIFY(fork.type(QStringLiteral("log"), QStringLiteral("[]")));
        QVERIFY(fork.type(QStringLiteral("kernel"), QStringLiteral(" \"rbf\" "))); // what it was
        QVERIFY(!fork.type(QStringLiteral("messages"), QStringLiteral("[]"))); // JSON would lose their types
        fork.button(QStringLiteral("Fork and run"))->click();
        QCOMPARE(forks.count(), 1);
        QCOMPARE(forks[0][0].toString(), QStringLiteral("alice"));
        QCOMPARE(forks[0][1].toString(), QStringLiteral("c1"));
        QCOMPARE(*parseJson(forks[0][2].toString().toStdString()),
                 Value::map(
                     { { "attempts", 3 }, { "log", Value::map({ { "__overwrite__", Value::list({}) } }) } }));
        QVERIFY(forks[0][4].toBool());
        QCOMPARE(closed.count(), 0); // it waits for the answer
        QVERIFY(!fork.button(QStringLiteral("Fork and run"))->isEnabled());
        fork.panel.setForked(QStringLiteral("bob"));
        QCOMPARE(closed.count(), 0);
        fork.panel.setForked(QStringLiteral("alice"));
        QCOMPARE(closed.count(), 1);
        QVERIFY(fork.panel.checkpoint().isEmpty());
    }

    void whatIsNotJsonIsNotForked()
    {
        Preview fork(ReplayPanel::Verb::Fork);
        QVERIFY(fork.type(QStringLiteral("kernel"), QStringLiteral("linear")));
        QVERIFY(!fork.button(QStringLiteral("Fork and run"))->isEnabled());
        QVERIFY(!fork.button(QStringLiteral("Fork, run later"))->isEnabled());
        fork.button(QStringLiteral("Revert"))->click();
        QVERIFY(fork.button(QStringLiteral("Fork and run"))->isEnabled());
    }

    void theEndNeedsAChange()
    {
        Preview fork(ReplayPanel::Verb::Fork, QStringLiteral("c3"));
        QVERIFY(!fork.button(QStringLiteral("Fork and run"))->isEnabled());
        QVERIFY(fork.button(QStringLiteral("Fork, run later"))->isEnabled());
        QVERIFY(fork.type(QStringLiteral("attempts"), QStringLiteral("0")));
        QVERIFY(fork.button(QStringLiteral("Fork and run"))->isEnabled());
    }

    void keys()
    {
        Preview replay(ReplayPanel::Verb::Replay);
        QSignalSpy replays(&replay.panel, &ReplayPanel::replayRequested);
        QSignalSpy closed(&replay.panel, &ReplayPanel::closed);
        QTest::keyClick(&replay.panel, Qt::Key_Escape);
        QCOMPARE(closed.count(), 1);
        QCOMPARE(replays.count(), 0);
        replay.panel.preview(ReplayPanel::Verb::Replay, threeSteps(), QStringLiteral("c1"));
        QTest::keyClick(&replay.panel, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(replays.count(), 1);
    }

    void whatIsRefusedIsKept()
    {
        Preview fork(ReplayPanel::Verb::Fork);
        QVERIFY(fork.type(QStringLiteral("attempts"), QStringLiteral("3")));
        fork.button(QStringLiteral("Fork and run"))->click();
        fork.panel.setRefused(QStringLiteral("alice"), QStringLiteral("A run is under way."));
        QVERIFY(fork.button(QStringLiteral("Fork and run"))->isEnabled());
        QVERIFY(fork.button(QStringLiteral("Revert"))->isVisibleTo(&fork.panel));
        QCOMPARE(fork.panel.checkpoint(), QStringLiteral("c1"));
    }

    void stagedChangesAreNotDroppedUnasked()
    {
        Preview fork(ReplayPanel::Verb::Fork);
        QSignalSpy closed(&fork.panel, &ReplayPanel::closed);
        QSignalSpy planned(&fork.panel, &ReplayPanel::planChanged);
        QVERIFY(fork.type(QStringLiteral("attempts"), QStringLiteral("3")));
        fork.panel.setViewed(QStringLiteral("c2"));
        QCOMPARE(fork.panel.checkpoint(), QStringLiteral("c1")); // still there
        QVERIFY(planned.back().front().value<ReplayPlan>().checkpoint.isEmpty()); // of another step
        fork.panel.setViewed(QStringLiteral("c1"));
        QCOMPARE(planned.back().front().value<ReplayPlan>().checkpoint, QStringLiteral("c1"));
        QTest::keyClick(&fork.panel, Qt::Key_Escape);
        QCOMPARE(closed.count(), 0);
        auto* ask = fork.panel.findChild<QMessageBox*>();
        QVERIFY(ask != nullptr);
        ask->reject();
        QCOMPARE(closed.count(), 0);
        QTRY_VERIFY(fork.panel.findChild<QMessageBox*>() == nullptr);
        QTest::keyClick(&fork.panel, Qt::Key_Escape);
        ask = fork.panel.findChild<QMessageBox*>();
        for (QAbstractButton* button : ask->buttons())
            if (ask->buttonRole(button) == QMessageBox::DestructiveRole)
                button->click();
        QCOMPARE(closed.count(), 1);
        Preview unchanged(ReplayPanel::Verb::Fork);
        unchanged.panel.setViewed(QStringLiteral("c2"));
        QVERIFY(unchanged.panel.checkpoint().isEmpty());
    }

    void changesMayLeadElsewhere()
    {
        Preview fork(ReplayPanel::Verb::Fork);
        const auto heading = [&] {
            return fork.panel.findChild<QListView*>()->model()->index(0, 0).data().toString();
        };
        QVERIFY(heading().contains(QStringLiteral("exactly")));
        QVERIFY(fork.type(QStringLiteral("attempts"), QStringLiteral("3")));
        QVERIFY2(!heading().contains(QStringLiteral("exactly")), qPrintable(heading()));
        fork.button(QStringLiteral("Revert"))->click();
        QVERIFY(heading().contains(QStringLiteral("exactly")));
    }

    void typesThatJsonLacksAreLocked()
    {
        Preview fork(ReplayPanel::Verb::Fork);
        StateView view = state(QStringLiteral("c1"));
        view.typed = { QStringLiteral("kernel") };
        fork.panel.preview(ReplayPanel::Verb::Fork, threeSteps(), QStringLiteral("c1"));
        fork.panel.setState(view);
        QVERIFY(!fork.type(QStringLiteral("kernel"), QStringLiteral("1")));
        QVERIFY(fork.type(QStringLiteral("attempts"), QStringLiteral("1")));
    }

    void theSandboxCanBeChosen()
    {
        HistoryRows past = threeSteps();
        past.checkpoints[1].sandbox = SandboxMark::Exact;
        ReplayPanel panel;
        panel.setGraph(threeNodes());
        panel.preview(ReplayPanel::Verb::Replay, past, QStringLiteral("c1"));
        panel.resize(1400, 260);
        panel.show();
        QComboBox* choice = nullptr;
        for (QComboBox* each : panel.findChildren<QComboBox*>())
            if (each->accessibleName() == QStringLiteral("Sandbox"))
                choice = each;
        QVERIFY(choice != nullptr && choice->isVisible());
        QCOMPARE(choice->count(), 5);
        choice->setCurrentIndex(choice->findData(static_cast<int>(rewind::SandboxChoice::Fresh)));
        QSignalSpy replays(&panel, &ReplayPanel::replayRequested);
        QTest::keyClick(&panel, Qt::Key_Return); // confirms
        QCOMPARE(replays.count(), 1);
        QCOMPARE(replays[0][3].value<rewind::SandboxChoice>(), rewind::SandboxChoice::Fresh);
        panel.preview(ReplayPanel::Verb::Replay, past, QStringLiteral("c2")); // no session was used
        QVERIFY(!choice->isVisible());
    }

    // To go back to what is not there is refused once it runs: nobody is led there.
    void whereNothingWasKeptItBeginsEmpty()
    {
        HistoryRows past = threeSteps();
        past.checkpoints[1].sandbox = SandboxMark::None;
        past.checkpoints[1].sandboxNote = QStringLiteral("Its copy was removed");
        ReplayPanel panel;
        panel.setGraph(threeNodes());
        panel.preview(ReplayPanel::Verb::Replay, past, QStringLiteral("c1"));
        QComboBox* choice = nullptr;
        for (QComboBox* each : panel.findChildren<QComboBox*>())
            if (each->accessibleName() == QStringLiteral("Sandbox"))
                choice = each;
        QCOMPARE(choice->currentData().toInt(), static_cast<int>(rewind::SandboxChoice::Fresh));
        QCOMPARE(choice->count(), 3);
        ReplayPlan plan;
        plan.sandbox = SandboxMark::None;
        plan.sandboxNote = QStringLiteral("Its copy was removed");
        QCOMPARE(sandboxFate(plan, rewind::SandboxChoice::Fresh),
                 QStringLiteral(
                     "Nothing was kept of the sandbox at this step: it begins empty. Its copy was removed"));
        QVERIFY(sandboxFate(plan, rewind::SandboxChoice::Restore).contains(QStringLiteral("nothing runs")));
    }

    // However much of it there is: it scrolls, no line is cut away.
    void whatIsNotRestoredCanAllBeRead()
    {
        HistoryRows past = threeSteps();
        past.checkpoints[1].sandbox = SandboxMark::Restored;
        past.checkpoints[1].sandboxNote =
            QStringLiteral("7 names are missing: ") + QStringLiteral("a_rather_long_name ").repeated(60);
        ReplayPanel panel;
        panel.setGraph(threeNodes());
        panel.preview(ReplayPanel::Verb::Fork, past, QStringLiteral("c1"));
        panel.resize(1280, 240);
        panel.show();
        int found = 0;
        for (const QScrollArea* area : panel.findChildren<QScrollArea*>()) {
            const auto* words = qobject_cast<QLabel*>(area->widget());
            QVERIFY(words->height() >= words->heightForWidth(words->width()));
            if (!words->text().contains(QStringLiteral("7 names are missing")))
                continue;
            ++found;
            QVERIFY(area->verticalScrollBar()->maximum() > 0);
            QVERIFY(!area->accessibleName().isEmpty() && area->focusPolicy() != Qt::NoFocus);
        }
        QCOMPARE(found, 1);
    }

    void sideEffectsAreTold()
    {
        Reach reach;
        reach.kinds = { { QStringLiteral("load"), QStringLiteral("python") },
                        { QStringLiteral("plan"), QStringLiteral("subgraph") } };
        reach.mode = QStringLiteral("Disk, local data");
        ReplayPlan plan;
        plan.next.push_back({ 1, QStringLiteral("plan"), {}, 1 });
        QCOMPARE(sideEffects(plan, reach),
                 QStringList{ QStringLiteral("1 subgraph runs with all that is in it") });
        reach.withCode = { QStringLiteral("plan") };
        plan.later.push_back({ 2, QStringLiteral("load"), {}, 1 });
        plan.later.push_back({ 3, QStringLiteral("load"), {}, 1 });
        plan.later.push_back({ 4, QStringLiteral("gone"), {}, 1 });
        QString told = sideEffects(plan, reach).join(QLatin1Char('|'));
        QVERIFY2(told.contains(QStringLiteral("2 Python nodes")), qPrintable(told));
        QVERIFY(told.contains(QStringLiteral("Disk, local data")));
        QVERIFY(told.contains(QStringLiteral("Nothing reaches the network")));
        QVERIFY(told.contains(QStringLiteral("1 task of a node that the graph does not have now")));
        reach.hosts = { QStringLiteral("api.test") };
        told = sideEffects(plan, reach).join(QLatin1Char('|'));
        QVERIFY(told.contains(QStringLiteral("api.test")));
    }

    // The state comes again while the run bar or the timeline ask for it: what is staged stays.
    void stagedChangesOutliveAReload()
    {
        Preview fork(ReplayPanel::Verb::Fork);
        QVERIFY(fork.type(QStringLiteral("attempts"), QStringLiteral("3")));
        fork.panel.setState(state(QStringLiteral("c1")));
        QVERIFY(fork.button(QStringLiteral("Revert"))->isVisibleTo(&fork.panel));
    }
};

SG_WINDOW_TEST(TestReplayPanel)
#include "tst_replay_panel.moc"
