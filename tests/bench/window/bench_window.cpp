// What the whole window takes: bench-window [CHECKPOINTS]. A file of so many is made and opened in it,
// offscreen; then a real run goes on in it as fast as it can.

#include "core/workbench/history_pages.h"
#include "tests/bench/sessions/figure_rows.h"
#include "tests/bench/window/long_thread.h"
#include "tests/support/temp_dir.h"
#include "tests/support/window_style.h"
#include "ui/bridge/project_bridge.h"
#include "ui/shell/main_window.h"
#include "ui/timeline/timeline_panel.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTimer>

#include <sys/resource.h>

#include <cstdlib>
#include <fstream>
#include <functional>

namespace sg {
namespace {

using bench::millisecondsSince;
using bench::printAtMost;
using bench::steady_clock;
using namespace ui;

constexpr int kPatienceMs = 180'000;
constexpr int kIdleMs = 10'000;
constexpr int kSteps = 100;
constexpr int kSupersteps = 10'000;

const char* const kLoop = R"({"format": 1, "name": "live", "durability": "async", "recursion_limit": 20000,
 "state": {"n": {"type": "last_value"}}, "nodes": [{"name": "count", "kind": "jq", "jq": "{n: (.n + 1)}"}],
 "edges": [["__start__", "count"]],
 "branches": [{"from": "count", "jq": "if .n < 10000 then \"on\" else \"out\" end",
               "targets": {"on": "count", "out": "__end__"}}]})";

void waitFor(const char* what, const std::function<bool()>& holds)
{
    if (QTest::qWaitFor(holds, kPatienceMs))
        return;
    std::fprintf(stderr, "waited in vain until %s\n", what);
    std::exit(1);
}

double processorMs()
{
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    const auto ms = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) * 1000 + static_cast<double>(time.tv_usec) / 1000;
    };
    return ms(used.ru_utime) + ms(used.ru_stime);
}

void stayIdle(const std::string& where, const std::string& what)
{
    QTest::qWait(3000); // what was asked for at last has come
    const double before = processorMs();
    QElapsedTimer time;
    time.start();
    QTest::qWait(kIdleMs);
    printAtMost(where, what, 100 * (processorMs() - before) / static_cast<double>(time.elapsed()), 0.5, "%");
}

struct Open {
    MainWindow window;
    ProjectBridge& bridge = *window.findChild<ProjectBridge*>();
    TimelinePanel& timeline = *window.findChild<TimelinePanel*>();

    explicit Open(const std::filesystem::path& project)
    {
        window.resize(1600, 1000);
        window.show();
        QSignalSpy ready(&window, &MainWindow::ready);
        window.openProject(QString::fromStdString(project.string()));
        waitFor("the project is open", [&] { return !ready.isEmpty(); });
    }
};

// From a key to the state of that step shown, with whatever else was drawn by then.
void walk(const std::string& where, Open& open)
{
    std::vector<double> times;
    QString shown;
    QObject::connect(&open.bridge, &ProjectBridge::stateLoaded, &open.window,
                     [&shown](const StateView& state) { shown = state.checkpoint; });
    for (int i = 0; i < kSteps; ++i) {
        const auto begin = steady_clock::now();
        open.timeline.step(-1);
        const QString wanted = open.timeline.current();
        waitFor("the state is shown", [&] { return shown == wanted; });
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
        times.push_back(millisecondsSince(begin));
    }
    printAtMost(where, "cursor to the state shown, p95", bench::quantile(times, 0.95), 100);
}

void lookAtLong(int count)
{
    const std::string where = std::to_string(count / 1000) + "k";
    const test::TempDir folder;
    std::filesystem::create_directories(folder / ".sandglass");
    {
        const bench::LongThread made(folder / ".sandglass" / "checkpoints.sqlite", count, 200);
    }
    std::ofstream(folder / "long.graph.json") << bench::kLongGraph;
    const auto begin = steady_clock::now();
    Open open(folder / "long.graph.json");
    waitFor("the newest checkpoints are shown", [&] { return open.timeline.count() > 0; });
    printAtMost(where, "whole window: open to the newest checkpoints", millisecondsSince(begin),
                count > 100'000 ? 1500 : 500);
    waitFor("all of it is read", [&] { return open.timeline.count() >= count; });
    bench::printPlain(where, "whole window: all of it read", millisecondsSince(begin), "ms");
    walk(where, open);
    printAtMost(where, "memory of the process, all of it", bench::residentMegabytes(), 400, "MB");
    stayIdle(where, "processor while nothing happens");
}

// A real run; how long the window's thread was away between two of its ticks is what a person waits.
void followRun()
{
    const std::string where = "live";
    const test::TempDir folder;
    std::ofstream(folder / "live.graph.json") << kLoop;
    Open open(folder / "live.graph.json");
    QTest::qWait(1000);
    std::vector<double> away;
    auto last = steady_clock::now();
    QTimer tick;
    tick.setTimerType(Qt::PreciseTimer);
    QObject::connect(&tick, &QTimer::timeout, &tick, [&] {
        away.push_back(millisecondsSince(last) - 1);
        last = steady_clock::now();
    });
    QSignalSpy finished(&open.bridge, &ProjectBridge::runFinished);
    const auto begin = steady_clock::now();
    tick.start(1);
    last = begin;
    open.bridge.startRun(QStringLiteral("main"), QStringLiteral("{\"n\": 0}"));
    waitFor("the run is over", [&] { return !finished.isEmpty(); });
    const double took = millisecondsSince(begin);
    tick.stop();
    if (finished[0][1].toString() != QLatin1String("done"))
        std::exit(1);
    bench::printPlain(where, "supersteps of a real run in the window, a second", kSupersteps / took * 1000,
                      "");
    printAtMost(where, "the window's thread away, p95", bench::quantile(away, 0.95), 16);
    bench::printPlain(where, "the longest", bench::quantile(away, 1), "ms");
    auto pages = workbench::HistoryPages::open(folder / ".sandglass" / "checkpoints.sqlite");
    const auto stored = pages->count(ThreadId("main"), "");
    waitFor("every checkpoint is shown", [&] { return open.timeline.count() == *stored; });
    printAtMost(where, "checkpoints stored and not shown",
                static_cast<double>(*stored - open.timeline.count()), 0, "");
}

} // namespace
} // namespace sg

int main(int argc, char** argv)
{
    const sg::test::WindowEnvironment environment;
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("sandglass-test"));
    QCoreApplication::setApplicationName(QStringLiteral("bench-window"));
    sg::test::useStyle();
    sg::ui::applyTheme(application, sg::ui::Theme::Light);
    sg::followRun();
    sg::lookAtLong(argc > 1 ? std::atoi(argv[1]) : 1'000'000);
    return 0;
}
