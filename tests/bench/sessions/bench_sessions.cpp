// bench-sessions [bubblewrap|docker|store [GROUP]]: what sessions cost, on each backend that there is.
//
// The figures rest on this: a cell is four hand-overs between processes; to wake one on another processor
// takes 20 µs at either end, more in a virtual machine. If all processors are busy, staying awake brings
// nothing, and a cell takes about 0.3 ms. To store a cell's artifact takes two flushes of files, those of
// their folders and one of the database. A paused session of the pool is stopped and continued by its own
// runner: Docker would start its runtime for it, 15 ms and more. Beside a session that computes on every
// processor it may use, each of a cell's hand-overs can wait for the kernel's next tick (4 ms at 250 Hz),
// which alone ends the turn of what runs. Shorter turns, a shorter period of the processor's quota and
// sleeping at once instead of staying awake were measured and gained nothing.

#include "core/audit/audit_writer.h"
#include "tests/bench/sessions/bench_world.h"
#include "tests/support/wait_for.h"

#include <sys/resource.h>

#include <functional>
#include <optional>
#include <stop_token>
#include <thread>

using namespace sg;
using namespace sg::bench;

namespace {

constexpr int kStarts = 11;
constexpr int kCells = 2000;
constexpr int kArtifactCells = 100;
constexpr int kListed = 10'000;
constexpr int kNeighbours = 19; // of the hostile session
constexpr int kRounds = 50;
constexpr std::int64_t kPrinted = 100'000'000;

// From the wish for a session to the end of its first cell.
std::optional<double> firstCell(World& world, const sessions::SessionSpec& spec, const std::string& code)
{
    const auto begin = steady_clock::now();
    const auto session = world.session(spec);
    if (!session || !runs(*session, code))
        return std::nullopt;
    const double time = millisecondsSince(begin);
    session->end();
    return time;
}

void measureStarts(World& world)
{
    std::vector<double> times;
    for (int i = 0; i < kStarts; ++i) {
        const auto time = firstCell(world, {}, "1");
        if (!time)
            return;
        times.push_back(*time);
    }
    printFigure(world.id("starts.cold"), median(times));
}

struct PoolFigure {
    const char* id;
    bool isPaused;
    std::string code;
    std::vector<std::string> preload;
};

void measurePool(World& world, const PoolFigure& figure)
{
    sessions::SessionSpec spec;
    spec.preload = figure.preload;
    std::vector<double> times;
    for (int i = 0; i < kStarts; ++i) {
        world.manager->startAhead(spec, { 1, figure.isPaused });
        if (!test::waitFor([&] { return world.manager->readyAhead() == 1; }, std::chrono::seconds(60)))
            return printFailed(world.id(figure.id), "no session could be started ahead");
        const auto time = firstCell(world, spec, figure.code);
        if (!time)
            return;
        times.push_back(*time);
    }
    world.manager->startAhead(spec, { 0, false });
    printFigure(world.id(figure.id), median(times));
}

std::vector<double> cellTimes(sessions::Session& session, const std::string& code, int count)
{
    std::vector<double> times;
    for (int i = 0; i < count; ++i) {
        const auto begin = steady_clock::now();
        if (!runs(session, code))
            return {};
        times.push_back(millisecondsSince(begin));
    }
    return times;
}

void measureCells(World& world)
{
    const auto session = world.session();
    if (!session)
        return;
    const auto times = cellTimes(*session, "1", kCells);
    printFigure(world.id("cells.round_trip"), median(times));
    printFigure(world.id("cells.round_trip_p99"), quantile(times, 0.99));
    const char* const leaves = "import time\nopen('artifacts/a.txt', 'w').write(str(time.time()));";
    printFigure(world.id("cells.artifact"), median(cellTimes(*session, leaves, kArtifactCells)));
    session->end();
}

// With the project's log: a row after each cell that it waits for, and those before and after it that it does
// not wait for.
void measureAuditedCells(const std::string& name)
{
    constexpr int kBlocks = 10;
    const test::TempDir folder;
    audit::AuditWriter audit(folder / "audit.sqlite");
    bool isWaiting = true;
    World world(
        "sessions", name, false, [&](audit::AuditEntry entry, sessions::AuditWhen when) -> Result<void> {
            if (when == sessions::AuditWhen::Now || (isWaiting && entry.outcome != audit::Outcome::Started))
                return audit.add(std::move(entry));
            if (!isWaiting)
                audit.addSoon(std::move(entry));
            return {};
        });
    const auto session = world.session();
    if (!session)
        return;
    std::vector<double> waiting;
    std::vector<double> later;
    for (int i = 0; i < 2 * kBlocks; ++i) { // in turn: the machine is not the same all the time
        isWaiting = i % 2 == 0;
        std::vector<double>& times = isWaiting ? waiting : later;
        const auto some = cellTimes(*session, "1", kCells / kBlocks);
        times.insert(times.end(), some.begin(), some.end());
    }
    printFigure(world.id("cells.audit_waits"), median(waiting));
    printFigure(world.id("cells.audit_later"), median(later));
    session->end();
}

double memoryMb()
{
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return static_cast<double>(used.ru_maxrss) / 1024;
}

// All of it reaches a handler; the most memory that this program ever had grows by what is under way.
void measureOutput(World& world)
{
    const auto session = world.session();
    if (!session || !runs(*session, "import os\nblock = os.urandom(1 << 20)[:1000000]"))
        return;
    std::int64_t received = 0;
    sessions::CellHandlers handlers;
    handlers.output = [&](const sessions::CellOutput& output) {
        received += static_cast<std::int64_t>(output.bytes.size());
    };
    std::vector<double> rates;
    const double before = memoryMb();
    for (int i = 0; i < 5; ++i) {
        received = 0;
        const auto begin = steady_clock::now();
        if (!runs(*session,
                  "import sys\nfor i in range(100): sys.stdout.buffer.write(block)\nsys.stdout.flush()",
                  handlers, 2 * kPrinted)
            || received != kPrinted)
            return printFailed(world.id("output"), "only " + std::to_string(received) + " bytes came");
        rates.push_back(static_cast<double>(kPrinted) / 1e3 / millisecondsSince(begin));
    }
    printFigure(world.id("output.rate"), median(rates), "MB/s");
    printFigure(world.id("output.memory"), memoryMb() - before, "MB");
    session->end();
}

// 1 GB out of a session's folder into the store: hashed, written, flushed and removed there.
void measureIngest(World& world)
{
    sessions::SessionSpec spec;
    spec.mode.storage = sessions::SessionStorage::Bind;
    const auto session = world.session(spec);
    if (!session)
        return;
    std::vector<double> rates;
    for (int i = 0; i < 3; ++i) {
        if (!runs(*session,
                  "import os\nblock = os.urandom(1 << 20)\nwith open('big.bin', 'wb') as f:\n"
                  "    for i in range(1000): f.write(block)\n    f.flush(); os.fsync(f.fileno())"))
            return;
        const auto begin = steady_clock::now();
        if (!runs(*session, "os.rename('big.bin', 'artifacts/big.bin')"))
            return;
        rates.push_back(1048.576 / (millisecondsSince(begin) / 1000));
    }
    printFigure(world.id("ingest.rate"), median(rates), "MB/s");
    session->end();
}

std::vector<double> roundTrips(const std::vector<std::shared_ptr<sessions::Session>>& among)
{
    std::vector<double> times;
    for (int round = 0; round < kRounds; ++round)
        for (const auto& session : among) {
            const auto some = cellTimes(*session, "1", 1);
            times.insert(times.end(), some.begin(), some.end());
        }
    return times;
}

// One session computes, prints and forks all it may, on one CPU of its own; the others run small cells in
// turn.
void measureNeighbours(World& world)
{
    sessions::SessionSpec spec;
    spec.limits.cpus = 1;
    spec.limits.memoryBytes = 128LL << 20;
    std::vector<std::shared_ptr<sessions::Session>> others;
    for (int i = 0; i < kNeighbours; ++i)
        if (others.push_back(world.session(spec)); !others.back())
            return;
    const auto hostile = world.session(spec);
    if (!hostile)
        return;
    const double alone = quantile(roundTrips(others), 0.99);
    std::stop_source stop;
    std::jthread attack([&] {
        static_cast<void>(hostile->runCell("import os\n"
                                           "def spin():\n    while True: pass\n"
                                           "while True:\n"
                                           "    try:\n"
                                           "        if os.fork() == 0: spin()\n"
                                           "    except OSError: os.write(1, b'x' * 100000)\n",
                                           { std::chrono::minutes(5), 1 << 20 }, {}, {}, stop.get_token()));
    });
    const bool attacks = test::waitFor([&] {
        const auto sample = hostile->sample();
        return sample && sample->pids > 10;
    });
    const double beside = quantile(roundTrips(others), 0.99);
    stop.request_stop();
    attack.join();
    if (!attacks)
        return printFailed(world.id("neighbours"), "the hostile session did not become one");
    printFigure(world.id("neighbours.alone_p99"), alone);
    printFigure(world.id("neighbours.hostile_p99"), beside);
}

void measureListing()
{
    const test::TempDir folder;
    auto store = artifacts::openArtifactStore(folder / "artifacts.sqlite", folder / "blobs");
    if (!store)
        return;
    for (int i = 0; i < kListed; ++i) {
        auto writer = (*store)->begin(*RelativePath::parse("out/file" + std::to_string(i) + ".txt"), 0, {});
        if (!writer || !(*writer)->write("content " + std::to_string(i % 7)) || !(*writer)->finish())
            return;
    }
    std::vector<double> times;
    for (int i = 0; i < kStarts; ++i) {
        const auto begin = steady_clock::now();
        const auto all = (*store)->list({});
        if (!all || all->size() != kListed)
            return;
        times.push_back(millisecondsSince(begin));
    }
    printFigure("sessions.store.list", median(times));
}

void measure(const std::string& name, const std::string& figures)
{
    World world("sessions", name);
    if (const auto usable = world.manager->backendInfo(name); !usable)
        return printNotMeasured(world.ids, usable.error().message);
    const auto wanted = [&](const char* figure) { return figures.empty() || figures == figure; };
    if (wanted("cells")) {
        measureCells(world);
        measureAuditedCells(name);
    }
    if (wanted("starts"))
        measureStarts(world);
    if (wanted("pool")) {
        const std::string pandas = "import pandas as pd\npd.DataFrame({'a': [1]}).sum()";
        measurePool(world, { "pool.running", false, "1", {} });
        measurePool(world, { "pool.paused", true, "1", {} });
        measurePool(world, { "pool.pandas", false, pandas, { "pandas" } });
    }
    if (wanted("output"))
        measureOutput(world);
    if (wanted("ingest"))
        measureIngest(world);
    if (wanted("neighbours"))
        measureNeighbours(world);
}

} // namespace

// Words choose a backend and one group of figures; without them all are taken.
int main(int argc, char** argv)
{
    const std::string only = argc > 1 ? argv[1] : "";
    const std::string figures = argc > 2 ? argv[2] : "";
    for (const char* backend : { "bubblewrap", "docker", "e2b" })
        if (only.empty() || only == backend)
            measure(backend, figures);
    if (only.empty() || only == "store")
        measureListing();
    return 0;
}
