// The docks below the canvas: which tabs stand there, how high the timeline is.

#include "tests/support/temp_dir.h"
#include "tests/support/window_style.h"
#include "tests/ui/timeline/penguin_thread.h"
#include "ui/compare/compare_panel.h"
#include "ui/documents/document_area.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/dock_moves.h"
#include "ui/shell/main_window.h"
#include "ui/timeline/mini_history.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/tab_count.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>

using namespace sg;
using namespace sg::ui;

namespace {

const char* const kGraph = R"({"format": 1, "name": "g", "state": {"value": {"type": "last_value"}},
 "nodes": [{"name": "one", "kind": "jq", "jq": "{value: 1}"}], "edges": [["__start__", "one"], ["one", "__end__"]]})";

struct Opened {
    explicit Opened(const QSize& size = { 1600, 1000 })
    {
        folder.write("g.graph.json", kGraph);
        QSignalSpy ready(&window, &MainWindow::ready);
        window.resize(size);
        window.show();
        window.openProject(QString::fromStdString((folder / "g.graph.json").string()));
        isReady = QTest::qWaitFor([&] { return !ready.isEmpty(); }, 20'000)
            && QTest::qWaitForWindowExposed(&window);
    }
    // A thread that nobody ran: as if its history had been read.
    void show(const HistoryRows& rows)
    {
        window.findChild<Selection*>()->setThread(rows.thread);
        window.findChild<ShownHistory*>()->take(rows);
    }
    [[nodiscard]] QDockWidget* dock(const char* name) const
    {
        return window.findChild<QDockWidget*>(QLatin1String(name));
    }
    [[nodiscard]] QTabBar* bottom() const
    {
        for (auto* bar : window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
            for (int tab = 0; tab < bar->count(); ++tab)
                if (bar->isVisible() && bar->tabText(tab) == QLatin1String("Log"))
                    return bar;
        return nullptr;
    }
    [[nodiscard]] QString tabs() const
    {
        QStringList names;
        for (int tab = 0; bottom() != nullptr && tab < bottom()->count(); ++tab)
            names << withoutCount(bottom()->tabText(tab));
        return names.join(QLatin1Char(' '));
    }
    [[nodiscard]] bool isSeen(const QDockWidget* dock) const
    {
        return dock->isVisible() && (dock->isFloating() || window.rect().intersects(dock->geometry()));
    }
    [[nodiscard]] QStringList menuTexts(const char* title) const
    {
        QStringList texts;
        for (const auto* menu : window.findChildren<QMenu*>())
            if (menu->title() == QLatin1String(title))
                for (const QAction* action : menu->actions())
                    texts << action->text();
        return texts;
    }
    void choose(const char* panel)
    {
        auto* more = window.findChild<QToolButton*>(QStringLiteral("morePanels"));
        Q_EMIT more->menu()->aboutToShow();
        for (QAction* action : more->menu()->actions())
            if (action->text() == QLatin1String(panel))
                action->trigger();
    }

    test::TempDir folder;
    MainWindow window;
    TimelinePanel& timeline = *window.findChild<TimelinePanel*>();
    bool isReady = false;
};

// So many branches, each from the first checkpoint.
HistoryRows branches(int count)
{
    HistoryRows rows;
    rows.thread = QStringLiteral("branches");
    const auto add = [&rows](const QString& id, const QString& parent, int step) {
        CheckpointRow row;
        row.id = id;
        row.parent = parent;
        row.step = step;
        row.timeMs = 1e12 + 1000.0 * static_cast<double>(rows.checkpoints.size());
        row.source = sg::checkpoint::Source::Loop;
        rows.checkpoints.push_back(row);
    };
    add(QStringLiteral("00"), QString(), 0);
    for (int branch = 1; branch <= count; ++branch)
        add(QStringLiteral("%1").arg(branch, 2, 10, QLatin1Char('0')), QStringLiteral("00"), 1);
    rows.total = static_cast<qint64>(rows.checkpoints.size());
    return rows;
}

} // namespace

class TestDockLayout : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("sandglass-test"));
        QCoreApplication::setApplicationName(QStringLiteral("dock-layout"));
        test::useStyle();
    }
    void init() { QSettings().clear(); }

    void sixTabsStandBelowAndTheRestInAMenu()
    {
        const Opened opened;
        QVERIFY(opened.isReady);
        QTRY_COMPARE(opened.tabs(), QStringLiteral("Log Session Files Artifacts Terminal Problems"));
        const auto* more = opened.window.findChild<QToolButton*>(QStringLiteral("morePanels"));
        QTRY_VERIFY(more->isVisible());
        const QTabBar& bar = *opened.bottom();
        const QRect last = bar.tabRect(bar.count() - 1);
        QTRY_COMPARE(more->mapTo(&opened.window, QPoint()).x(),
                     bar.mapTo(&opened.window, last.topRight()).x() + 1);
    }

    void whatIsChosenOfTheMenuStandsThereUntilAnotherOneIs()
    {
        Opened opened;
        QVERIFY(opened.isReady);
        QTRY_VERIFY(opened.bottom() != nullptr);
        opened.choose("Variables");
        QTRY_COMPARE(opened.tabs(),
                     QStringLiteral("Log Session Files Artifacts Terminal Problems Variables"));
        opened.choose("Storage");
        QTRY_COMPARE(opened.tabs(), QStringLiteral("Log Session Files Artifacts Terminal Problems Storage"));
        QVERIFY(!opened.dock("storageDock")->visibleRegion().isEmpty());
        opened.choose("Storage");
        QTRY_COMPARE(opened.tabs(), QStringLiteral("Log Session Files Artifacts Terminal Problems"));
    }

    void countsStandOnTabs()
    {
        Opened opened;
        QVERIFY(opened.isReady);
        QTRY_VERIFY(opened.bottom() != nullptr);
        auto* docks = opened.window.findChild<DockLayout*>();
        docks->setCount(opened.dock("problemsDock")->widget(), 3, Badge::Kind::Failed);
        const QTabBar& bar = *opened.bottom();
        QTRY_COMPARE(bar.tabText(5), QStringLiteral("Problems (3)"));
        const std::optional<TabCount> count = tabCountOf(&bar, bar.tabText(5));
        QVERIFY(count && count->count == QLatin1String("3") && count->kind == Badge::Kind::Failed);
        docks->setCount(opened.dock("problemsDock")->widget(), 0, Badge::Kind::Quiet);
        QTRY_COMPARE(bar.tabText(5), QStringLiteral("Problems"));
        QVERIFY(!tabCountOf(&bar, QStringLiteral("Log (of today)")));
    }

    void theTimelineIsAsHighAsItsLanes_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("large") << QSize(1600, 1000);
        QTest::newRow("small") << QSize(1280, 720);
    }
    void theTimelineIsAsHighAsItsLanes()
    {
        QFETCH(QSize, size);
        Opened opened(size);
        QVERIFY(opened.isReady);
        const QDockWidget* dock = opened.dock("timelineDock");
        for (const int lanes : { 1, 2, 3 }) {
            opened.show(lanes == 1 ? HistoryRows{ QStringLiteral("none"), {}, {} } : branches(lanes));
            // A small window has less room, since the other panels keep what they need.
            if (size.height() >= 1000)
                QTRY_COMPARE(dock->height(), opened.timeline.wantedHeight());
            QTRY_VERIFY(dock->height() >= std::min(opened.timeline.wantedHeight(), 28 + 28 + 52));
            QVERIFY(dock->height() <= opened.timeline.wantedHeight());
            QVERIFY(dock->height() <= opened.window.height() * 2 / 5);
        }
        opened.show(branches(40));
        // The docks of the sides may need some pixels of it; the window itself does not grow.
        if (size.height() >= 1000)
            QTRY_VERIFY(dock->height() >= size.height() * 38 / 100);
        QTRY_VERIFY(dock->height() >= 28 + 28 + 2 * 52);
        QVERIFY(dock->height() <= size.height() * 2 / 5);
        QVERIFY(opened.timeline.findChild<TimelineView*>()->verticalScrollBar()->maximum() > 0);
        QCOMPARE(opened.window.size(), size);
    }

    void foldedItIsOneRowWithASmallHistory()
    {
        Opened opened;
        QVERIFY(opened.isReady);
        opened.show(sample::penguins());
        const QDockWidget* dock = opened.dock("timelineDock");
        const auto* mini = opened.timeline.findChild<MiniHistory*>();
        QTRY_COMPARE(dock->height(), opened.timeline.wantedHeight());
        const int open = dock->height();
        QVERIFY(!mini->isVisible());
        opened.timeline.foldAction()->trigger();
        QTRY_COMPARE(dock->height(), 28);
        QTRY_VERIFY(mini->isVisible() && mini->width() > 200);
        opened.timeline.foldAction()->trigger();
        QTRY_COMPARE(dock->height(), open);
    }

    void eachLayoutKeepsItsFold()
    {
        Opened opened;
        QVERIFY(opened.isReady);
        auto* docks = opened.window.findChild<DockLayout*>();
        opened.show(sample::penguins());
        const QDockWidget* dock = opened.dock("timelineDock");
        docks->show(DockLayout::Layout::Build);
        QTRY_COMPARE(dock->height(), 28);
        docks->show(DockLayout::Layout::Debug);
        QTRY_COMPARE(dock->height(), opened.timeline.wantedHeight());
        opened.timeline.foldAction()->trigger();
        docks->show(DockLayout::Layout::Build);
        opened.timeline.foldAction()->trigger();
        QTRY_VERIFY(dock->height() > 28);
        docks->show(DockLayout::Layout::Debug);
        QTRY_COMPARE(dock->height(), 28);
        docks->reset();
        QTRY_COMPARE(dock->height(), opened.timeline.wantedHeight());
        QVERIFY(dock->height() > 28);
    }

    void aPanelMovesToEachSideAndIntoAWindow()
    {
        Opened opened;
        QVERIFY(opened.isReady);
        DockMoves& moves = opened.window.findChild<DockLayout*>()->moves();
        QDockWidget* problems = opened.dock("problemsDock");
        moves.moveTo(problems, Qt::RightDockWidgetArea);
        QTRY_COMPARE(opened.window.dockWidgetArea(problems), Qt::RightDockWidgetArea);
        QTRY_VERIFY(opened.isSeen(problems));
        QVERIFY(opened.window.tabifiedDockWidgets(problems).contains(opened.dock("stateDock")));
        moves.split(problems);
        QTRY_VERIFY(opened.isSeen(problems) && opened.window.tabifiedDockWidgets(problems).isEmpty());
        QTRY_COMPARE(problems->titleBarWidget(), nullptr); // its tab has gone, so the name stands above it
        moves.tearOff(problems);
        QTRY_VERIFY(problems->isFloating() && problems->isVisible());
        moves.putBack(problems);
        QTRY_VERIFY(!problems->isFloating());
        QCOMPARE(opened.window.dockWidgetArea(problems), Qt::RightDockWidgetArea);
        moves.moveTo(problems, Qt::BottomDockWidgetArea);
        QTRY_VERIFY(opened.window.tabifiedDockWidgets(problems).contains(opened.dock("logDock")));
        QTRY_VERIFY(problems->titleBarWidget() != nullptr);
    }

    void verbsOfAPanelActOnTheOneWithTheKeyboard()
    {
        Opened opened;
        QVERIFY(opened.isReady);
        auto* split = opened.window.findChild<QAction*>(QStringLiteral("panel.split"));
        auto* back = opened.window.findChild<QAction*>(QStringLiteral("panel.put-back"));
        QDockWidget* log = opened.dock("logDock");
        opened.window.activateWindow();
        for (QWidget* inside : log->findChildren<QWidget*>())
            if (inside->focusPolicy() & Qt::TabFocus && inside->isVisible())
                inside->setFocus();
        QTRY_VERIFY(log->isAncestorOf(QApplication::focusWidget()));
        QTRY_VERIFY(split->isEnabled());
        QVERIFY(!back->isEnabled());
        split->trigger();
        QTRY_VERIFY(opened.window.tabifiedDockWidgets(log).isEmpty());
        QTRY_VERIFY(!split->isEnabled());
    }

    void aSideFoldsToARailAndComesBack()
    {
        Opened opened;
        QVERIFY(opened.isReady);
        auto* docks = opened.window.findChild<DockLayout*>();
        QDockWidget* state = opened.dock("stateDock");
        QDockWidget* rail = opened.dock("rightRail");
        docks->setCount(opened.dock("inboxDock")->widget(), 2, Badge::Kind::Waiting);
        QTRY_VERIFY(opened.isSeen(state));
        const int width = state->width();
        docks->toggleArea(Qt::RightDockWidgetArea);
        QTRY_VERIFY(rail->isVisible());
        QTRY_COMPARE(rail->width(), 36);
        QVERIFY(!state->isVisible());
        QStringList names;
        for (const auto* button : rail->findChildren<QToolButton*>())
            names << button->accessibleName();
        QCOMPARE(names.join(QLatin1Char(' ')), QStringLiteral("State Inspector Inbox (2) Usage"));
        rail->findChildren<QToolButton*>().at(1)->click();
        QTRY_VERIFY(!rail->isVisible());
        QTRY_VERIFY(opened.isSeen(opened.dock("inspectorDock")));
        QTRY_COMPARE(opened.dock("inspectorDock")->width(), width);
        docks->toggleArea(Qt::RightDockWidgetArea);
        QTRY_VERIFY(rail->isVisible());
        docks->raise(state->widget()); // what wants to show a panel finds it
        QTRY_VERIFY(opened.isSeen(state) && !rail->isVisible());
    }

    void layoutsOfOnesOwnAreKept()
    {
        int width = 0;
        {
            Opened opened;
            QVERIFY(opened.isReady);
            auto* docks = opened.window.findChild<DockLayout*>();
            docks->moves().split(opened.dock("problemsDock"));
            docks->toggleArea(Qt::LeftDockWidgetArea);
            QTRY_VERIFY(opened.isSeen(opened.dock("problemsDock")));
            opened.window.resizeDocks({ opened.dock("logDock"), opened.dock("problemsDock") }, { 1000, 598 },
                                      Qt::Horizontal);
            docks->saveAs(QStringLiteral("Mine & yours"));
            QCOMPARE(docks->ownLayout(), QStringLiteral("Mine & yours"));
            QVERIFY(!docks->layout());
            docks->show(DockLayout::Layout::Debug);
            docks->reset();
            QTRY_VERIFY(!opened.isSeen(opened.dock("leftRail")));
            docks->showOwn(QStringLiteral("Mine & yours"));
            QTRY_VERIFY(opened.isSeen(opened.dock("leftRail")));
            width = opened.dock("problemsDock")->width();
            QVERIFY(std::abs(width - 598) < 30);
            QVERIFY(opened.window.close());
        }
        Opened opened;
        QVERIFY(opened.isReady);
        auto* docks = opened.window.findChild<DockLayout*>();
        QCOMPARE(docks->ownLayout(), QStringLiteral("Mine & yours"));
        QTRY_VERIFY(opened.isSeen(opened.dock("problemsDock")) && opened.isSeen(opened.dock("leftRail")));
        QTRY_COMPARE(opened.dock("problemsDock")->width(), width);
        QVERIFY(opened.menuTexts("Layouts of your o&wn").contains(QStringLiteral("Mine && yours")));
        docks->toggleArea(Qt::LeftDockWidgetArea);
        QTRY_VERIFY(!opened.isSeen(opened.dock("leftRail")));
        docks->reset(); // to what was saved
        QTRY_VERIFY(opened.isSeen(opened.dock("leftRail")));
        docks->removeOwn(QStringLiteral("Mine & yours"));
        QVERIFY(docks->layout() == DockLayout::Layout::Debug);
        QVERIFY(docks->ownLayouts().isEmpty());
    }

    void theSessionLayoutIsMadeOfSessionFilesAndTerminal_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("large") << QSize(1600, 1000);
        QTest::newRow("small") << QSize(1280, 720);
    }
    void theSessionLayoutIsMadeOfSessionFilesAndTerminal()
    {
        QFETCH(QSize, size);
        Opened opened(size);
        QVERIFY(opened.isReady);
        auto* docks = opened.window.findChild<DockLayout*>();
        docks->show(DockLayout::Layout::Session);
        const QDockWidget& session = *opened.dock("sessionDock");
        const QDockWidget& files = *opened.dock("filesDock");
        const QDockWidget& terminal = *opened.dock("terminalDock");
        QTRY_VERIFY(opened.isSeen(&session) && opened.isSeen(&files) && opened.isSeen(&terminal));
        QVERIFY(!opened.window.centralWidget()->isVisible());
        QTRY_VERIFY(session.width() > size.width() * 55 / 100);
        QVERIFY(session.height() > size.height() * 45 / 100);
        QVERIFY(files.x() >= session.geometry().right());
        QVERIFY(terminal.y() >= files.geometry().bottom());
        QVERIFY(opened.isSeen(opened.dock("logDock")) && opened.dock("logDock")->y() > session.y());
        QCOMPARE(opened.window.size(), size);
        // A document that is opened has a place.
        opened.window.findChild<DocumentArea*>()->open({ QStringLiteral("graph"), {} });
        QTRY_VERIFY(opened.window.centralWidget()->isVisible());
        docks->reset();
        QTRY_VERIFY(!opened.window.centralWidget()->isVisible());
    }

    // An empty comparison says nothing: it is opened where there is something to compare.
    void reviewOpensWhatThereIsToReview()
    {
        const auto opensComparison = [](const HistoryRows& rows) {
            Opened opened;
            if (!opened.isReady)
                return -1;
            if (rows.total > 0)
                opened.show(rows);
            opened.window.findChild<DockLayout*>()->show(DockLayout::Layout::Review);
            QTest::qWait(20);
            const auto* documents = opened.window.findChild<DocumentArea*>();
            return qobject_cast<ComparePanel*>(documents->currentWidget()) != nullptr ? 1 : 0;
        };
        QCOMPARE(opensComparison({}), 0);
        QCOMPARE(opensComparison(branches(3)), 1);
    }

    void aLowWindowShowsTheGraph()
    {
        Opened opened(QSize(1280, 720));
        QVERIFY(opened.isReady);
        QTRY_VERIFY(opened.window.centralWidget()->height() >= 220);
        QVERIFY(opened.dock("logDock")->height() >= 100);
        QCOMPARE(opened.window.size(), QSize(1280, 720));
    }

    void buildHasTheInspectorAndNoTimeline()
    {
        Opened opened;
        QVERIFY(opened.isReady);
        opened.show(branches(3));
        QTRY_VERIFY(opened.dock("timelineDock")->height() > 150);
        opened.window.findChild<DockLayout*>()->show(DockLayout::Layout::Build);
        QTRY_VERIFY(opened.isSeen(opened.dock("paletteDock")) && opened.isSeen(opened.dock("outlineDock")));
        QVERIFY(opened.isSeen(opened.dock("inspectorDock")));
        QTRY_COMPARE(opened.dock("timelineDock")->height(), 28);
        QVERIFY(opened.dock("problemsDock")->height() < 220);
    }
};

SG_WINDOW_TEST(TestDockLayout)
#include "tst_dock_layout.moc"
