// A thread in the window: deleted and used again, held by a breakpoint.

#include "core/history/history_pages.h"
#include "tests/bench/window/long_thread.h"
#include "tests/support/example_project.h"
#include "tests/support/window_test.h"
#include "ui/run/run_bar.h"
#include "ui/run/thread_list.h"
#include "ui/run/thread_model.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/shell/main_window.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/widgets/banner_stack.h"

#include <QAction>
#include <QListView>
#include <QSignalSpy>
#include <QStandardPaths>

using namespace sg;
using namespace sg::ui;

namespace {

const char* const kHeld = R"({"format": 1, "name": "g", "state": {"value": {"type": "last_value"}},
 "nodes": [{"name": "count", "kind": "jq", "jq": "{value: 1}"}, {"name": "publish", "kind": "jq", "jq": "{value: 2}"}],
 "edges": [["__start__", "count"], ["count", "publish"], ["publish", "__end__"]],
 "interrupt_before": ["publish"]})";

const char* const kNested = R"({"format": 1, "name": "g", "state": {"value": {"type": "last_value"}},
 "nodes": [{"name": "plan", "kind": "subgraph", "graph": {"state": {"value": {"type": "last_value"}},
   "nodes": [{"name": "draft", "kind": "jq", "jq": "{value: 1}"}],
   "edges": [["__start__", "draft"], ["draft", "__end__"]]}}],
 "edges": [["__start__", "plan"], ["plan", "__end__"]]})";

struct Open {
    bool open(const std::filesystem::path& graph)
    {
        window.show();
        QSignalSpy ready(&window, &MainWindow::ready);
        window.openProject(QString::fromStdString(graph.string()));
        return QTest::qWaitFor([&] { return !ready.isEmpty() && !bar.thread().isEmpty(); });
    }
    bool runsUntil(RunStatus status)
    {
        QSignalSpy finished(&clients.runs, &RunsClient::runFinished);
        return QTest::qWaitFor([this] { return bar.runAction()->isEnabled(); })
            && (bar.runAction()->trigger(), QTest::qWaitFor([&] { return !finished.isEmpty(); }))
            && QTest::qWaitFor([&] { return book.status(QStringLiteral("main")) == status; });
    }

    MainWindow window;
    Clients& clients = window.clients();
    RunBar& bar = *window.findChild<RunBar*>();
    ThreadList& list = *window.findChild<ThreadList*>();
    ThreadBook& book = *window.findChild<ThreadBook*>();
};

} // namespace

class TestThreadLife : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("sandglass-test"));
        QCoreApplication::setApplicationName(QStringLiteral("thread-life"));
    }

    // Closing removes what was deleted: not a run that began afterwards under the same name.
    void aRunOnADeletedThreadIsKept()
    {
        const test::TempDir folder;
        folder.write("g.graph.json", test::oneNodeGraph("{value: 1}"));
        {
            Open open;
            QVERIFY(open.open(folder / "g.graph.json"));
            QVERIFY(open.runsUntil(RunStatus::Done));
            auto* view = open.list.findChild<QListView*>(QStringLiteral("threadList"));
            QTRY_VERIFY(view->currentIndex().isValid());
            view->setFocus();
            QTest::keyClick(view, Qt::Key_Delete);
            QCOMPARE(open.book.deleted(), QStringList{ QStringLiteral("main") });
            QVERIFY(open.runsUntil(RunStatus::Done));
            QCOMPARE(open.book.deleted(), QStringList());
            QCOMPARE(open.book.threads(), QStringList{ QStringLiteral("main") });
            open.window.close();
        }
        auto pages = history::HistoryPages::open(folder / ".sandglass" / "checkpoints.sqlite");
        QVERIFY(pages);
        const auto count = pages->count(ThreadId("main"), "");
        QVERIFY(count && *count > 0);
    }

    // Whoever opens it again sees what it stands at, with what helps; once it was put away it stays away.
    void aThreadThatFailedBeforeSaysSo()
    {
        const test::TempDir folder;
        folder.write("g.graph.json", test::oneNodeGraph("error(\"no such wing\")"));
        const auto told = [](const Open& open) {
            const auto* banners = open.window.findChild<BannerStack*>();
            const auto* banner = banners->findChild<Banner*>(QString(), Qt::FindDirectChildrenOnly);
            return banner->isVisible() ? banner->accessibleName() : QString();
        };
        {
            Open open;
            QVERIFY(open.open(folder / "g.graph.json"));
            QVERIFY(open.runsUntil(RunStatus::Failed));
            open.window.close();
        }
        Open again;
        QVERIFY(again.open(folder / "g.graph.json"));
        QTRY_VERIFY2(told(again).contains(QStringLiteral("no such wing")), qPrintable(told(again)));
        auto& selection = *again.window.findChild<Selection*>();
        again.window.findChild<BannerStack*>()->withdrawAll(); // as a press on its cross
        const QString head = again.window.findChild<ShownHistory*>()->head();
        selection.setCheckpoint(head);
        QTest::qWait(50);
        selection.returnToHead();
        QTest::qWait(200);
        QCOMPARE(told(again), QString());
    }

    // Notes of people stand on the axis of their thread, whenever that is chosen again.
    void bookmarksAreThereWithTheirThread()
    {
        const test::TempDir folder;
        folder.write("g.graph.json", test::oneNodeGraph("{value: 1}"));
        Open open;
        QVERIFY(open.open(folder / "g.graph.json"));
        QVERIFY(open.runsUntil(RunStatus::Done));
        auto& timeline = *open.window.findChild<TimelinePanel*>();
        auto& selection = *open.window.findChild<Selection*>();
        const auto& history = *open.window.findChild<ShownHistory*>();
        QTRY_VERIFY(!history.head().isEmpty());
        const QString head = history.head();
        open.clients.notes.setBookmark(QStringLiteral("main"), head, QStringLiteral("why"));
        const QHash<QString, QString> noted{ { head, QStringLiteral("why") } };
        QTRY_COMPARE(timeline.bookmarks(), noted);
        selection.setThread(QStringLiteral("other"));
        QVERIFY(timeline.bookmarks().isEmpty());
        selection.setThread(QStringLiteral("main"));
        QCOMPARE(timeline.bookmarks(), noted);
    }

    // A step that is named before it is read: the cursor waits for it, and so do the verbs.
    void aStepThatIsReadLaterIsShown()
    {
        const test::TempDir folder;
        std::filesystem::create_directories(folder / ".sandglass");
        const auto file = folder / ".sandglass" / "checkpoints.sqlite";
        {
            const bench::LongThread made(file, 4000, 10);
        }
        auto pages = history::HistoryPages::open(file);
        QVERIFY(pages);
        const auto page = pages->page(ThreadId("long"), "", {}, 12);
        QVERIFY(page);
        const QString step = QString::fromStdString(page->checkpoints[9].id.value);
        folder.write("long.graph.json", bench::kLongGraph);
        Open open;
        const auto& history = *open.window.findChild<ShownHistory*>();
        auto& selection = *open.window.findChild<Selection*>();
        const auto verbs = [&open] {
            int enabled = 0;
            for (const QAction* action : open.window.findChildren<QAction*>())
                enabled += action->iconText() == QStringLiteral("Fork…") && action->isEnabled() ? 1 : 0;
            return enabled;
        };
        bool wasAwaited = false;
        QObject::connect(&open.clients.history, &HistoryClient::historyLoaded, &open.window,
                         [&](const HistoryRows&) {
                             if (!history.isWhole() && selection.checkpoint().isEmpty()) {
                                 selection.setCheckpoint(step);
                                 wasAwaited = history.isAwaiting() && verbs() == 0;
                             }
                         });
        open.open(folder / "long.graph.json");
        QTRY_VERIFY(history.isWhole() && history.count() == 4000);
        QVERIFY(wasAwaited);
        QCOMPARE(history.current(), step);
        QCOMPARE(verbs(), 1);
    }

    // It has a history of its own: among the thread's tasks its would never find their checkpoint.
    void whatRunsInsideOfANodeIsToldApart()
    {
        const test::TempDir folder;
        folder.write("g.graph.json", kNested);
        Open open;
        QVERIFY(open.open(folder / "g.graph.json"));
        QStringList nodes;
        QObject::connect(&open.clients.runs, &RunsClient::tasksChanged, &open.window,
                         [&nodes](const QString&, const std::vector<TaskRow>& changed) {
                             for (const TaskRow& task : changed)
                                 nodes << task.node;
                         });
        QSignalSpy inner(&open.clients.runs, &RunsClient::innerChanged);
        QVERIFY(open.runsUntil(RunStatus::Done));
        QVERIFY(nodes.contains(QStringLiteral("plan")));
        QVERIFY2(!nodes.contains(QStringLiteral("draft")), qPrintable(nodes.join(QLatin1Char(' '))));
        QVERIFY(!inner.isEmpty());
        QVERIFY(inner[0][1].toStringList().first().startsWith(QStringLiteral("plan:")));
        QVERIFY(open.window.findChild<TimelinePanel*>()->nestedAction()->isEnabled());
    }

    void aBreakpointIsNamed()
    {
        const test::TempDir folder;
        folder.write("g.graph.json", kHeld);
        Open open;
        QVERIFY(open.open(folder / "g.graph.json"));
        QVERIFY(open.runsUntil(RunStatus::Interrupted));
        const QAbstractItemModel* rows =
            open.list.findChild<QListView*>(QStringLiteral("threadList"))->model();
        QTRY_COMPARE(rows->index(0, 0).data(ThreadModel::WordRole).toString(),
                     QStringLiteral("Paused before publish"));
    }
};

SG_WINDOW_TEST(TestThreadLife)
#include "tst_thread_life.moc"
