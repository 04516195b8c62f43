// What looking at a long history takes: bench-history [CHECKPOINTS]. A file is made, opened as the window
// opens it, and drawn offscreen without a GPU; a frame is what its gesture changes and the drawing after it.

#include "core/base/clock.h"
#include "core/base/uuid.h"
#include "core/workbench/database.h"
#include "tests/bench/sessions/figure_rows.h"
#include "tests/support/temp_dir.h"
#include "tests/support/window_style.h"
#include "ui/bridge/history_query.h"
#include "ui/bridge/project_query.h"
#include "ui/bridge/row_conversion.h"
#include "ui/state/state_panel.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/timeline/timeline_view.h"

#include <QScrollBar>

#include <cstdlib>
#include <fstream>
#include <functional>

namespace sg {
namespace {

using bench::millisecondsSince;
using bench::printAtMost;
using bench::steady_clock;
using namespace ui;

constexpr int kFrames = 240;
constexpr int kFirstPage = 1500; // as the bridge reads it
constexpr int kBatch = 5000;

const char* const kGraph = R"({"format": 1, "name": "long", "state": {"n": {"type": "last_value"},
 "text": {"type": "last_value"}}, "nodes": [{"name": "count", "kind": "jq", "jq": "{n: (.n + 1)}"}],
 "edges": [["__start__", "count"], ["count", "__end__"]]})";

// A loop of one node with a fork at every thousandth checkpoint; `bytes` of text in each state.
class LongThread {
public:
    LongThread(const std::filesystem::path& file, int count, std::size_t bytes)
    {
        auto database = workbench::Database::open(file, workbench::Database::Access::ReadWrite);
        const std::string text(bytes, 'x');
        for (int begin = 0; begin < count; begin += kBatch)
            if (!(*database)->store().together([&]() -> Result<void> {
                    for (int i = begin; i < std::min(count, begin + kBatch); ++i)
                        if (auto added = add((*database)->store(), i, text); !added)
                            return added;
                    return {};
                }))
                std::exit(1);
    }

private:
    Result<void> add(checkpoint::CheckpointStore& store, int i, const std::string& text)
    {
        checkpoint::Checkpoint made;
        made.id = CheckpointId(m_ids.next(i - 1));
        made.timestamp = "2026-01-01T00:00:00+00:00";
        made.channelValues.set("n", Value(i));
        made.channelValues.set("text", Value(text.empty() ? text : text.substr(1) + char('a' + i % 26)));
        made.channelValues.set("branch:to:count", Value());
        made.channelVersions.set("n", Value(i + 1));
        made.channelVersions.set("text", Value(1));
        made.channelVersions.set("branch:to:count", Value(i + 1));
        const ThreadId thread("long");
        const bool forks = i > 0 && i % 1000 == 0;
        const std::size_t parent = m_made.empty() ? 0 : forks ? m_made.size() / 2 : m_made.size() - 1;
        std::optional<CheckpointId> before;
        if (!m_made.empty()) {
            before = m_made[parent];
            checkpoint::PendingWrite write;
            write.taskId = TaskId(uuidText(uuid4(m_random)));
            write.taskPath = "~__pregel_pull, count";
            write.channel = "n";
            write.value = Value(i);
            if (auto put = store.putWrites({ thread, "", *before }, { write }); !put)
                return put;
        }
        m_made.push_back(made.id);
        return store.put({ thread, "", made.id }, before, made, { i == 0 ? "input" : "loop", i - 1, {}, {} });
    }

    SystemClock m_clock;
    SystemRandom m_random;
    Uuid6Source m_ids{ m_clock, m_random };
    std::vector<CheckpointId> m_made;
};

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

void drawTimeline(const std::string& where, const HistoryRows& rows, double limit)
{
    TimelinePanel panel;
    panel.resize(1600, 260);
    panel.show();
    QCoreApplication::processEvents();
    printAtMost(where, "timeline: all rows laid out and drawn", frame([&] { panel.setHistory(rows); }), 500);
    auto& view = *panel.findChild<TimelineView*>();
    QScrollBar* bar = view.horizontalScrollBar();
    bar->setValue(bar->maximum() / 2);
    printAtMost(where, "scroll, p95",
                frames([&](int i) { bar->setValue(bar->value() + (i % 80 < 40 ? 37 : -37)); }), limit);
    view.zoomToFit();
    printAtMost(where, "scroll lanes with everything in sight, p95", frames([&](int i) {
                    view.verticalScrollBar()->setValue(i * 17);
                    view.viewport()->update();
                }),
                limit);
    printAtMost(where, "zoom, p95", frames([&](int i) { view.zoomBy(i % 40 < 20 ? 1.25 : 0.8); }), limit);
    view.resetZoom();
    panel.axisActions()[2]->trigger();
    printAtMost(where, "cursor on the folded axis, p95", frames([&](int) { panel.step(-1); }), limit);
}

std::unique_ptr<workbench::Workbench> opened(const test::TempDir& folder)
{
    std::ofstream(folder / "long.graph.json") << kGraph;
    return openWorkbench(QString::fromStdString((folder / "long.graph.json").string())).value;
}

void readLong(int count)
{
    const std::string where = std::to_string(count / 1000) + "k";
    const test::TempDir folder;
    std::filesystem::create_directories(folder / ".sandglass");
    {
        const LongThread made(folder / ".sandglass" / "checkpoints.sqlite", count, 200);
    }
    const bool isHuge = count > 100'000;
    auto begin = steady_clock::now();
    const auto workbench = opened(folder);
    const auto threads = readThreads(*workbench);
    const QString thread = threads.value.front().thread;
    const auto first = readHistory(*workbench, thread, kFirstPage);
    TimelinePanel panel;
    panel.resize(1600, 260);
    panel.show();
    panel.setHistory(first.value);
    QCoreApplication::processEvents();
    printAtMost(where, "open to first paint", millisecondsSince(begin), isHuge ? 1500 : 500);
    begin = steady_clock::now();
    const auto whole = readHistory(*workbench, thread, 100'000);
    bench::printPlain(where, "the newest 100,000 read in the background", millisecondsSince(begin), "ms");
    drawTimeline(where, whole.value, isHuge ? 33 : 16);
    QStringList way;
    for (auto row = whole.value.checkpoints.rbegin(); row != whole.value.checkpoints.rend(); ++row)
        if (way.isEmpty() || row->id == way.back())
            way << row->id << row->parent;
    way.removeAll(QString());
    way.removeDuplicates();
    begin = steady_clock::now();
    const auto trace = readTrace(*workbench, thread, way, QStringLiteral("/text"), 2);
    printAtMost(where, "where a value came from, " + std::to_string(way.size()) + " steps back",
                millisecondsSince(begin), 50);
    if (!trace.error.what.isEmpty())
        std::exit(1);
}

void readLarge()
{
    const std::string where = "1 MB";
    const test::TempDir folder;
    std::filesystem::create_directories(folder / ".sandglass");
    {
        const LongThread made(folder / ".sandglass" / "checkpoints.sqlite", 300, 1'000'000);
    }
    const auto workbench = opened(folder);
    const QString thread = QStringLiteral("long");
    const auto history = readHistory(*workbench, thread, kFirstPage);
    TimelinePanel timeline;
    StatePanel state;
    timeline.resize(1600, 260);
    state.resize(400, 500);
    timeline.show();
    state.show();
    timeline.setHistory(history.value);
    std::vector<double> times;
    for (std::size_t i = 1; i + 1 < history.value.checkpoints.size(); ++i)
        times.push_back(frame([&] {
            const QString& id = history.value.checkpoints[i].id;
            timeline.setCurrent(id);
            state.setState(readState(*workbench, thread, id, {}).value);
        }));
    printAtMost(where, "cursor to state and timeline settled, p95", bench::quantile(times, 0.95), 100);
    const StateView view = readState(*workbench, thread, {}, {}).value;
    const auto begin = steady_clock::now();
    const QString patch = patchText(view.parentValues, view.values);
    printAtMost(where, "difference of two states as a patch", millisecondsSince(begin), 150);
    if (patch.size() < 10)
        std::exit(1);
}

} // namespace
} // namespace sg

int main(int argc, char** argv)
{
    const sg::test::WindowEnvironment environment;
    QApplication application(argc, argv);
    sg::test::useStyle();
    sg::ui::applyTheme(application, sg::ui::Theme::Light);
    const int wanted = argc > 1 ? std::atoi(argv[1]) : 0;
    for (const int count : { 100'000, 1'000'000 })
        if (wanted == 0 || wanted == count)
            sg::readLong(count);
    sg::readLarge();
    return 0;
}
