// bench-window [CHECKPOINTS | live | large | idle] measures the whole window. A real run goes on in it, paced
// and as fast as it can; states of 1 MB are walked; a file of so many checkpoints is opened. Offscreen.

#include "core/history/history_pages.h"
#include "tests/bench/figure_lines.h"
#include "tests/bench/window/long_thread.h"
#include "tests/support/temp_dir.h"
#include "tests/support/window_style.h"
#include "ui/bridge/clients.h"
#include "ui/selection/shown_history.h"
#include "ui/shell/main_window.h"
#include "ui/timeline/timeline_panel.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTimer>

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <thread>

namespace sg {
namespace {

using bench::millisecondsSince;
using bench::printFigure;
using bench::steady_clock;
using namespace ui;

constexpr int kPatienceMs = 180'000;
constexpr int kIdleMs = 10'000;
constexpr int kSteps = 100;
constexpr int kSupersteps = 10'000;
constexpr double kTickMs = 1;

const char* const kLoop = R"({"format": 1, "name": "live", "durability": "async", "recursion_limit": 20000,
 "state": {"n": {"type": "last_value"}}, "nodes": [{"name": "count", "kind": "jq", "jq": "{n: (.n + 1)}"}],
 "edges": [["__start__", "count"]],
 "branches": [{"from": "count", "jq": "if .n < 10000 then \"on\" else \"out\" end",
               "targets": {"on": "count", "out": "__end__"}}]})";

// Sleeps until something comes: QTest's own waiting does so for 10 ms, whatever comes.
void waitFor(const char* what, const std::function<bool()>& holds)
{
    QElapsedTimer time;
    time.start();
    QTimer patience;
    patience.start(kPatienceMs);
    while (!holds() && !time.hasExpired(kPatienceMs)) {
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    if (holds())
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

void rest(int ms)
{
    QEventLoop loop;
    QTimer::singleShot(ms, &loop, &QEventLoop::quit);
    loop.exec();
}

// Which objects' timers fire.
class TimerCount : public QObject {
public:
    TimerCount() { qApp->installEventFilter(this); }
    [[nodiscard]] const std::map<std::string, int>& fired() const { return m_fired; }

private:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Timer)
            ++m_fired[std::string(watched->metaObject()->className()) + ' '
                      + watched->objectName().toStdString() + " of "
                      + (watched->parent() ? watched->parent()->metaObject()->className() : "nobody")];
        return false;
    }
    std::map<std::string, int> m_fired;
};

void stayIdle(const std::string& ids)
{
    rest(3000); // what was asked for at last has come
    const TimerCount timers;
    const double before = processorMs();
    QElapsedTimer time;
    time.start();
    rest(kIdleMs);
    printFigure(ids + ".idle", 100 * (processorMs() - before) / static_cast<double>(time.elapsed()), "%");
    int count = -1; // the one that ended the rest
    for (const auto& [timer, fired] : timers.fired())
        count += fired;
    printFigure(ids + ".idle_timers", count, "timers");
    for (const auto& [timer, fired] : timers.fired())
        std::fprintf(stderr, "%d times %s\n", fired, timer.c_str());
}

struct Open {
    MainWindow window;
    Clients& clients = window.clients();
    TimelinePanel& timeline = *window.findChild<TimelinePanel*>();
    const ShownHistory& history = *window.findChild<ShownHistory*>();

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
void walk(const std::string& ids, Open& open)
{
    std::vector<double> times;
    QString shown;
    QObject::connect(&open.clients.history, &HistoryClient::stateLoaded, &open.window,
                     [&shown](const StateView& state) { shown = state.checkpoint; });
    for (int i = 0; i < kSteps; ++i) {
        const auto begin = steady_clock::now();
        open.timeline.step(-1);
        const QString wanted = open.history.current();
        waitFor("the state is shown", [&] { return shown == wanted; });
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
        times.push_back(millisecondsSince(begin));
    }
    printFigure(ids + ".cursor", bench::quantile(times, 0.95));
}

// In a folder of its own beneath: others may be busy beside it.
std::filesystem::path longProject(const test::TempDir& folder, int count, std::size_t bytes)
{
    const std::filesystem::path project = folder / "project";
    std::filesystem::create_directories(project / ".sandglass");
    const bench::LongThread made(project / ".sandglass" / "checkpoints.sqlite", count, bytes);
    std::ofstream(project / "long.graph.json") << bench::kLongGraph;
    return project / "long.graph.json";
}

void walkLarge()
{
    const test::TempDir folder;
    Open open(longProject(folder, 300, 1'000'000));
    waitFor("it is shown", [&] { return open.history.count() >= 300; });
    rest(1000);
    walk("window.large", open);
}

void stayIdleInShort()
{
    const test::TempDir folder;
    Open open(longProject(folder, 1000, 200));
    waitFor("it is shown", [&] { return open.history.count() >= 1000; });
    stayIdle("window.short");
}

void lookAtLong(int count)
{
    const std::string ids = "window.long." + std::to_string(count);
    const test::TempDir folder;
    const auto project = longProject(folder, count, 200);
    const auto begin = steady_clock::now();
    Open open(project);
    waitFor("the newest checkpoints are shown", [&] { return open.history.count() > 0; });
    printFigure(ids + ".open", millisecondsSince(begin));
    waitFor("all of it is read", [&] { return open.history.count() >= count; });
    printFigure(ids + ".read", millisecondsSince(begin));
    walk(ids, open);
    printFigure(ids + ".memory", bench::residentMegabytes(), "MB");
    stayIdle(ids);
}

// May ask the workbench, as clients may.
class Asking : public Client {
public:
    explicit Asking(OpenProject& project)
        : Client(project)
    {
    }
    using Client::access;
};

// Lets no task of a run begin before its moment.
class Pace {
public:
    Pace() = default;
    explicit Pace(Clients& clients)
        : m_tasks(Asking(clients.project)
                      .access()
                      .workbench()
                      ->runs()
                      .events()
                      .subscribe([begin = steady_clock::now() + kFirst,
                                  count = 0](const engine::RunEvent& event) mutable {
                          if (std::holds_alternative<engine::TaskStarted>(event.body))
                              std::this_thread::sleep_until(begin + count++ * kPace);
                      }))
    {
    }

private:
    static constexpr std::chrono::milliseconds kFirst{ 100 };
    static constexpr std::chrono::microseconds kPace{ 1000 };
    Subscription m_tasks;
};

// Returns how long, in 95 of 100 cases, a key that comes at any moment waits until the window's thread is
// back; `away`: how long it was each time.
double waitOf(const std::vector<double>& away)
{
    double whole = 0;
    double longest = 0;
    for (const double each : away) {
        whole += each + kTickMs;
        longest = std::max(longest, each);
    }
    const auto waitsLonger = [&](double wait) {
        double moments = 0;
        for (const double each : away)
            moments += std::max(0.0, each - wait);
        return moments > 0.05 * whole;
    };
    double least = 0;
    double most = longest;
    while (most - least > 0.01)
        (waitsLonger((least + most) / 2) ? least : most) = (least + most) / 2;
    return most;
}

// A real run; how long the window's thread was away between two of its ticks is what a person waits.
void followRun(const std::string& ids, bool isPaced)
{
    const test::TempDir folder;
    std::ofstream(folder / "live.graph.json") << kLoop;
    Open open(folder / "live.graph.json");
    rest(1000);
    std::vector<double> away;
    auto last = steady_clock::now();
    QTimer tick;
    tick.setTimerType(Qt::PreciseTimer);
    QObject::connect(&tick, &QTimer::timeout, &tick, [&] {
        away.push_back(std::max(0.0, millisecondsSince(last) - kTickMs));
        last = steady_clock::now();
    });
    QSignalSpy finished(&open.clients.runs, &RunsClient::runFinished);
    const auto begin = steady_clock::now();
    tick.start(static_cast<int>(kTickMs));
    last = begin;
    const Pace pace = isPaced ? Pace(open.clients) : Pace();
    open.clients.runs.startRun(QStringLiteral("main"), QStringLiteral("{\"n\": 0}"));
    waitFor("the run is over", [&] { return !finished.isEmpty(); });
    const double took = millisecondsSince(begin);
    tick.stop();
    if (finished[0][1].value<RunStatus>() != RunStatus::Done)
        std::exit(1);
    printFigure(ids + ".supersteps", kSupersteps / took * 1000, "1/s");
    printFigure(ids + ".key_wait", waitOf(away));
    printFigure(ids + ".key_longest", bench::quantile(away, 1));
    auto pages = history::HistoryPages::open(folder / ".sandglass" / "checkpoints.sqlite");
    const auto stored = pages->count(ThreadId("main"), "");
    waitFor("every checkpoint is shown", [&] { return open.history.count() == *stored; });
    printFigure(ids + ".not_shown", static_cast<double>(*stored - open.history.count()), "checkpoints");
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
    const auto wants = [&](const char* part) { return argc < 2 || std::strcmp(argv[1], part) == 0; };
    if (wants("live")) {
        sg::followRun("window.live.paced", true);
        sg::followRun("window.live.free", false);
    }
    if (wants("large"))
        sg::walkLarge();
    if (wants("idle"))
        sg::stayIdleInShort();
    if (const int count = argc < 2 ? 1'000'000 : std::atoi(argv[1]); count > 0)
        sg::lookAtLong(count);
    return 0;
}
