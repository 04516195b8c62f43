// bench-history [CHECKPOINTS | 1: 1 MB states and large values alone] measures looking at a long history. A
// file is made, opened as the window opens it, and drawn offscreen without a GPU; a frame is what its gesture
// changes and the drawing after it.

#include "core/base/clock.h"
#include "core/base/uuid.h"
#include "tests/bench/figure_lines.h"
#include "tests/bench/window/long_thread.h"
#include "tests/support/temp_dir.h"
#include "tests/support/window_style.h"
#include "tests/ui/timeline/shown_timeline.h"
#include "ui/bridge/history/history_query.h"
#include "ui/bridge/history/history_reader.h"
#include "ui/bridge/open/project_query.h"
#include "ui/bridge/rows/row_conversion.h"
#include "ui/state/state_panel.h"
#include "ui/timeline/timeline_view.h"

#include <QScrollBar>

#include <cstdlib>
#include <fstream>
#include <functional>

namespace sg {
namespace {

using bench::millisecondsSince;
using bench::printFigure;
using bench::steady_clock;
using namespace ui;

constexpr int kFrames = 240;
constexpr int kFirstPage = 1500; // as the bridge reads it
constexpr int kPage = 2500; // as the bridge reads the rest

double frame(const std::function<void()>& gesture)
{
    const auto begin = steady_clock::now();
    gesture();
    QCoreApplication::sendPostedEvents();
    QCoreApplication::processEvents();
    return millisecondsSince(begin);
}

double frames(const std::function<void(int)>& gesture)
{
    std::vector<double> times;
    for (int i = 0; i < kFrames; ++i)
        times.push_back(frame([&] { gesture(i); }));
    return bench::quantile(times, 0.95);
}

// As the window takes it up: page by page, each a frame.
void readWhole(const std::string& ids, workbench::Workbench& workbench, ShownTimeline& shown, int count)
{
    HistoryReader reader(workbench, QStringLiteral("long"));
    shown.history.expectWhole(count);
    const auto begin = steady_clock::now();
    std::vector<double> times;
    for (bool isLast = false; !isLast;) {
        const auto page = reader.next(kPage);
        if (!page.error.what.isEmpty())
            std::exit(1);
        isLast = page.value.isLast;
        times.push_back(frame([&] { shown.history.takePage(page.value.rows, isLast); }));
    }
    printFigure(ids + ".read", millisecondsSince(begin));
    printFigure(ids + ".page", bench::quantile(times, 0.95));
    printFigure(ids + ".page_longest", bench::quantile(times, 1));
    if (shown.history.count() != count)
        std::exit(1);
}

void drawTimeline(const std::string& ids, ShownTimeline& shown)
{
    auto& view = *shown.panel.findChild<TimelineView*>();
    QScrollBar* bar = view.horizontalScrollBar();
    bar->setValue(bar->maximum() / 2);
    printFigure(ids + ".scroll",
                frames([&](int i) { bar->setValue(bar->value() + (i % 80 < 40 ? 37 : -37)); }));
    view.zoomToFit();
    printFigure(ids + ".scroll_lanes", frames([&](int i) {
                    view.verticalScrollBar()->setValue(i * 17);
                    view.viewport()->update();
                }));
    printFigure(ids + ".zoom", frames([&](int i) { view.zoomBy(i % 40 < 20 ? 1.25 : 0.8); }));
    view.resetZoom();
    shown.panel.axisActions()[2]->trigger();
    printFigure(ids + ".cursor_folded", frames([&](int) { shown.panel.step(-1); }));
    shown.panel.axisActions()[0]->trigger();
    printFigure(ids + ".cursor_around", frames([&](int i) {
                    shown.panel.step(i % 2 == 0 ? -1 : 1);
                    if (shown.history.around(shown.history.current()).checkpoints.empty())
                        std::exit(1);
                }));
}

// A batch of the bridge at 1,000 supersteps a second: 50 ms of them.
void goOnLive(const std::string& ids, ShownTimeline& shown)
{
    constexpr int kBatches = 200;
    constexpr int kEach = 50;
    SystemClock clock;
    SystemRandom random;
    Uuid6Source source(clock, random);
    QString parent = shown.history.head();
    const int before = shown.history.count();
    std::vector<double> times;
    for (int batch = 0; batch < kBatches; ++batch) {
        std::vector<CheckpointRow> rows;
        std::vector<TaskRow> tasks;
        for (int i = 0; i < kEach; ++i) {
            TaskRow task;
            task.checkpoint = parent;
            task.task = QString::fromStdString(uuidText(uuid4(random)));
            task.node = QStringLiteral("count");
            task.outcome = TaskOutcome::Running;
            tasks.push_back(task);
            task.outcome = TaskOutcome::Done;
            task.seconds = 0.001;
            tasks.push_back(task);
            CheckpointRow row;
            row.id = QString::fromStdString(source.next(batch * kEach + i));
            row.parent = parent;
            row.source = sg::checkpoint::Source::Loop;
            row.after = QStringList{ task.node };
            row.step = batch * kEach + i;
            row.timeMs = static_cast<double>(batch) * 50 + i;
            parent = row.id;
            rows.push_back(std::move(row));
        }
        times.push_back(frame([&] {
            shown.add(rows);
            shown.changeTasks(tasks);
        }));
    }
    printFigure(ids + ".live_batch", bench::quantile(times, 0.95));
    if (shown.history.count() != before + kBatches * kEach)
        std::exit(1); // none may be lost
}

std::unique_ptr<workbench::Workbench> opened(const test::TempDir& folder)
{
    std::ofstream(folder / "long.graph.json") << bench::kLongGraph;
    return openWorkbench(QString::fromStdString((folder / "long.graph.json").string())).value;
}

// As the bridge asks: a few at first, then many at once, the newest first.
void watchLong(const std::string& ids, workbench::Workbench& workbench, const ShownTimeline& shown)
{
    constexpr std::size_t kMost = 100'000;
    constexpr std::size_t kFirst = 500;
    constexpr std::size_t kAtOnce = 4000;
    const HistoryModel& model = shown.history.model();
    auto watch = workbench.history().watch(ThreadId("long"), ".n");
    const auto begin = steady_clock::now();
    std::size_t found = 0;
    double firstSeen = 0;
    for (int mark = model.head(); mark >= 0 && found < kMost;) {
        std::vector<CheckpointId> wanted;
        for (; mark >= 0 && wanted.size() < (found == 0 ? kFirst : kAtOnce); --mark)
            wanted.emplace_back(model.id(mark).toStdString());
        const auto points = watch.points(wanted);
        if (!points || points->front().value.isNull())
            std::exit(1);
        found += points->size();
        if (firstSeen == 0)
            firstSeen = millisecondsSince(begin);
    }
    printFigure(ids + ".watch_first", firstSeen);
    printFigure(ids + ".watch", millisecondsSince(begin));
}

void readLong(int count)
{
    const std::string ids = "window.history." + std::to_string(count);
    const test::TempDir folder;
    std::filesystem::create_directories(folder / ".sandglass");
    {
        const bench::LongThread made(folder / ".sandglass" / "checkpoints.sqlite", count, 200);
    }
    auto begin = steady_clock::now();
    const auto workbench = opened(folder);
    const auto threads = readThreads(*workbench);
    const QString thread = threads.value.front().thread;
    const auto first = readHistory(*workbench, thread, kFirstPage);
    ShownTimeline shown;
    TimelinePanel& panel = shown.panel;
    panel.resize(1600, 260);
    panel.show();
    shown.show(first.value);
    QCoreApplication::processEvents();
    printFigure(ids + ".open", millisecondsSince(begin));
    readWhole(ids, *workbench, shown, count);
    printFigure(ids + ".memory", bench::residentMegabytes(), "MB");
    drawTimeline(ids, shown);
    watchLong(ids, *workbench, shown);
    goOnLive(ids, shown);
    const QString head = first.value.checkpoints.back().id;
    begin = steady_clock::now();
    const QStringList way = shown.history.wayTo(head);
    printFigure(ids + ".way", millisecondsSince(begin));
    begin = steady_clock::now();
    const auto trace = readTrace(*workbench, thread, way, QStringLiteral("/text"), 2);
    printFigure(ids + ".origin", millisecondsSince(begin));
    if (!trace.error.what.isEmpty())
        std::exit(1);
    begin = steady_clock::now();
    const auto alone = readTrace(*workbench, thread, { head }, QStringLiteral("/text"), 2);
    printFigure(ids + ".origin_unloaded", millisecondsSince(begin));
    if (alone.value.origins.empty()
        || alone.value.origins.front().checkpoint != trace.value.origins.front().checkpoint)
        std::exit(1);
}

void readLarge()
{
    const test::TempDir folder;
    std::filesystem::create_directories(folder / ".sandglass");
    {
        const bench::LongThread made(folder / ".sandglass" / "checkpoints.sqlite", 300, 1'000'000);
    }
    const auto workbench = opened(folder);
    const QString thread = QStringLiteral("long");
    const auto history = readHistory(*workbench, thread, kFirstPage);
    ShownTimeline shown;
    TimelinePanel& timeline = shown.panel;
    StatePanel state;
    timeline.resize(1600, 260);
    state.resize(400, 500);
    timeline.show();
    state.show();
    shown.show(history.value);
    std::vector<double> times;
    for (std::size_t i = 1; i + 1 < history.value.checkpoints.size(); ++i)
        times.push_back(frame([&] {
            const QString& id = history.value.checkpoints[i].id;
            shown.selection.setCheckpoint(id);
            state.setState(readState(*workbench, thread, id, {}).value);
        }));
    printFigure("window.history.values.cursor", bench::quantile(times, 0.95));
    const StateView view = readState(*workbench, thread, {}, {}).value;
    const auto begin = steady_clock::now();
    const QString patch = patchText(view.parentValues, view.values);
    printFigure("window.history.values.patch", millisecondsSince(begin));
    if (patch.size() < 10)
        std::exit(1);
}

// One value of so many bytes, a list of short texts, as it opens.
void openValue(std::size_t bytes)
{
    constexpr std::size_t kEach = 100;
    const std::string ids = "window.history.values." + std::to_string(bytes / 1'000'000) + "mb";
    const test::TempDir folder;
    std::filesystem::create_directories(folder / ".sandglass");
    {
        auto database = history::Database::open(folder / ".sandglass" / "checkpoints.sqlite",
                                                history::Database::Access::ReadWrite);
        checkpoint::Checkpoint made;
        made.id = CheckpointId("1ef00000-0000-6000-8000-000000000000");
        made.timestamp = "2026-01-01T00:00:00+00:00";
        ValueList items;
        for (std::size_t i = 0; i < bytes / kEach; ++i)
            items.emplace_back(std::to_string(i) + std::string(kEach - 8, 'x'));
        made.channelValues.set("text", Value(std::move(items)));
        made.channelVersions.set("text", Value(1));
        const ThreadId thread("long");
        if (!(*database)->store().put({ thread, "", made.id }, {}, made, { "input", -1, {}, {} }))
            std::exit(1);
    }
    const auto workbench = opened(folder);
    StatePanel panel;
    panel.resize(400, 500);
    panel.show();
    QCoreApplication::processEvents();
    const auto begin = steady_clock::now();
    const StateView view = readState(*workbench, QStringLiteral("long"), {}, {}).value;
    printFigure(ids + ".read", millisecondsSince(begin));
    printFigure(ids + ".shown", frame([&] { panel.setState(view); }));
    printFigure(ids + ".opened", millisecondsSince(begin));
    if (view.values["text"].asList().size() != bytes / kEach)
        std::exit(1);
}

} // namespace

int runAll(int wanted)
{
    for (const int count : { 100'000, 1'000'000 })
        if (wanted == 0 || wanted == count)
            readLong(count);
    if (wanted > 1)
        return 0;
    readLarge();
    openValue(50'000'000);
    openValue(200'000'000);
    return 0;
}

} // namespace sg

int main(int argc, char** argv)
{
    const sg::test::WindowEnvironment environment;
    QApplication application(argc, argv);
    sg::test::useStyle();
    sg::ui::applyTheme(application, sg::ui::Theme::Light);
    return sg::runAll(argc > 1 ? std::atoi(argv[1]) : 0);
}
