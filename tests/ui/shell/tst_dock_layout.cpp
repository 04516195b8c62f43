// The docks below the canvas: which tabs stand there, how high the timeline is.

#include "tests/support/temp_dir.h"
#include "tests/support/window_style.h"
#include "tests/ui/timeline/penguin_thread.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/main_window.h"
#include "ui/timeline/mini_history.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/tab_count.h"

#include <QAction>
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
        row.source = QStringLiteral("loop");
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
        QTRY_VERIFY(dock->height() > 28 + 28 + 52);
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
};

SG_WINDOW_TEST(TestDockLayout)
#include "tst_dock_layout.moc"
