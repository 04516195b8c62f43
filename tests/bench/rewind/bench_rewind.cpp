// bench-rewind [BACKEND [FIGURES]]: what going back costs, beside what the kernel takes for it and what a
// user would do instead.
//
// Most pages that are copied after a fork hold something of Python's or the runner's whose references are
// counted; each costs 3 µs in a virtual machine. The memory decides what a restore takes: if the machine
// beneath has to find it first, a megabyte takes ten times as long.

#include "core/artifacts/blob_store.h"
#include "core/base/random_bytes.h"
#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "core/rewind/run_world.h"
#include "core/rewind/snapshot_storage.h"
#include "core/sessions/snapshots/snapshot_files.h"
#include "core/sessions/snapshots/snapshot_names.h"
#include "tests/bench/rewind/raw_costs.h"
#include "tests/bench/sessions/bench_world.h"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <thread>

using namespace sg;
using namespace sg::bench;

namespace {

namespace fs = std::filesystem;

constexpr int kSteps = 25; // fewer than stay live: none is written out meanwhile
constexpr const char* kArrays = "import numpy as np\nheld = [np.random.rand(1 << 20) for _ in range(25)]";
constexpr const char* kObjects = "held = [{'a': i, 'b': str(i)} for i in range(700000)]";
constexpr const char* kFrame = "import numpy as np, pandas as pd\n"
                               "held = pd.DataFrame({'c%d' % i: np.random.rand(1 << 20) for i in range(25)})";
constexpr const char* kIdle = "def node(state):\n    return None\n";
constexpr const char* kReading = "def node(state):\n    sum(1 for each in held[::100])\n";
// Leaves no snapshot, so that its time is that of going back, and of saying where it failed.
constexpr const char* kFailing = "def node(state):\n    len(held)\n    raise ValueError\n";

// A thread's place in its history, as a run would hold it.
class Place final : public sessions::SessionWorld {
public:
    sessions::Stand stand(const sessions::CallSite&) override { return at; }
    void began(const sessions::CallSite&, std::shared_ptr<const sessions::Snapshot> snapshot) override
    {
        at = { sessions::Stand::Kind::Snapshot, std::move(snapshot) };
    }
    void moved(const sessions::CallSite& caller, std::shared_ptr<const sessions::Snapshot> snapshot,
               bool) override
    {
        left.push_back(snapshot);
        began(caller, std::move(snapshot));
    }
    sessions::Stand at;
    std::vector<std::shared_ptr<const sessions::Snapshot>> left;
};

double callTime(sessions::Session& session, const char* source, Place* place)
{
    sessions::FunctionCall call;
    call.file = source == kFailing ? "nodes/failing.py" : "nodes/bench.py";
    call.source = source;
    call.state = Value::map();
    call.config = Value::map();
    call.world = place;
    call.caller.task = TaskId("bench");
    const auto begin = steady_clock::now();
    const auto result = session.call(call, {}, {}, {}, {});
    if (result.status != sessions::CellStatus::Ok && source != kFailing)
        std::fprintf(stderr, "%s\n", result.error ? result.error->message.c_str() : "no result");
    return millisecondsSince(begin);
}

double medianCall(sessions::Session& session, const char* source, Place* place)
{
    std::vector<double> times;
    callTime(session, source, place); // its module is made
    for (int i = 0; i < kSteps; ++i)
        times.push_back(callTime(session, source, place));
    return median(times);
}

double wakingTime(sessions::Session& session, const SnapshotId& snapshot)
{
    const auto begin = steady_clock::now();
    const auto woken = session.link()->ask({ { "op", "wake" }, { "snapshot", snapshot.value } }, "woken",
                                           std::chrono::seconds(60));
    if (!woken || !runs(session, "len(held)"))
        std::fprintf(stderr, "%s\n", woken ? "no answer" : woken.error().message.c_str());
    return millisecondsSince(begin);
}

void measureCopies(World& world, const std::string& what, const char* code)
{
    const std::string ids = world.id("copies." + what);
    const auto session = world.session();
    if (!session || !runs(*session, code))
        return printFailed(ids, "the code does not run");
    callTime(*session, kFailing, nullptr); // what tells of errors is imported
    const double without = medianCall(*session, kIdle, nullptr);
    Place place;
    printFigure(ids + ".live", medianCall(*session, kIdle, &place) - without);
    const auto snapshots = place.left;
    std::vector<double> woken;
    std::vector<double> replayed;
    for (int i = 0; i < kSteps; ++i) {
        const auto& back = snapshots[snapshots.size() - 1 - static_cast<std::size_t>(i % 16)];
        woken.push_back(wakingTime(*session, back->id));
        place.at = { sessions::Stand::Kind::Snapshot, back };
        replayed.push_back(callTime(*session, kFailing, &place));
    }
    printFigure(ids + ".waking", median(woken));
    printFigure(ids + ".failing", median(replayed));
    place.at = {};
    const double reading = medianCall(*session, kReading, nullptr);
    printFigure(ids + ".reading", medianCall(*session, kReading, &place) - reading);
    session->end();
}

std::int64_t bytesIn(const fs::path& folder)
{
    std::int64_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        bytes += entry.is_regular_file() ? static_cast<std::int64_t>(entry.file_size()) : 0;
    return bytes;
}

// All that a superstep takes longer for it, the interpreter's copy and the flush to the disk included.
void measureFiles(World& world)
{
    const auto session = world.session();
    if (!session)
        return;
    Place place;
    const double without = medianCall(*session, kIdle, nullptr);
    const double copies = medianCall(*session, kIdle, &place);
    runs(*session, "import os\nos.mkdir('many')\nfor i in range(10000): open('many/%d' % i, 'w').write('x')");
    place.at = {}; // what was done by hand stays
    callTime(*session, kIdle, &place);
    std::this_thread::sleep_for(std::chrono::milliseconds(100)); // what is new is looked at twice
    callTime(*session, kIdle, &place);
    const double many = medianCall(*session, kIdle, &place);
    printFigure(world.id("files.unchanged"), many - without);
    printFigure(world.id("files.manifest"), many - copies);
    runs(*session, "import shutil; shutil.rmtree('many')");
    place.at = {};
    callTime(*session, kIdle, &place);
    std::vector<double> times;
    for (int i = 0; i < 3; ++i) {
        runs(*session, "import os\nfor i in range(10): open('big%d' % i, 'wb').write(os.urandom(10 << 20))");
        place.at = {};
        times.push_back(callTime(*session, kIdle, &place) - copies);
    }
    printFigure(world.id("files.changed"), 104.8576 / (median(times) / 1000), "MB/s");
    session->end();
}

// Measures this disk in the same folder: no way of keeping them could beat it.
void measureDiskSpeed(World& world)
{
    const std::string bytes(10 << 20, 'x');
    std::vector<double> times;
    for (int round = 0; round < 3; ++round) {
        const auto begin = steady_clock::now();
        for (int i = 0; i < 10; ++i) {
            const fs::path path = world.folder / ("raw" + std::to_string(i));
            const Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
            if (::write(file.get(), bytes.data(), bytes.size()) < 0 || ::fsync(file.get()) != 0)
                return printFailed(world.id("files.raw"), "100 MB cannot be written");
        }
        times.push_back(millisecondsSince(begin));
    }
    printFigure(world.id("files.raw"), 104.8576 / (median(times) / 1000), "MB/s");
}

// Read, hashed and written: what a superstep waits for beside the disk.
void measureContents(World& world)
{
    const fs::path home = world.folder / "home";
    fs::create_directories(home);
    struct Home final : sandbox::FolderView {
        fs::path path;
        Result<Fd> openSessionFolder() override
        {
            return Fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        }
    } view;
    view.path = home;
    const auto session = world.session();
    auto blobs = artifacts::BlobStore::open(world.folder / "contents");
    if (!session || !blobs)
        return printFailed(world.id("files.unflushed"), "no session, or no place for contents");
    std::vector<double> times;
    for (int round = 0; round < 5; ++round) {
        for (int i = 0; i < 10; ++i) {
            std::string bytes(10 << 20, '\0');
            fillRandomBytes(bytes.data(), bytes.size());
            std::ofstream(home / std::to_string(i), std::ios::binary) << bytes;
        }
        const auto link = session->link();
        sessions::SnapshotFiles files(*link, *blobs, &view);
        const auto begin = steady_clock::now();
        static_cast<void>(files.record(1LL << 32));
        times.push_back(millisecondsSince(begin));
    }
    printFigure(world.id("files.unflushed"), 104.8576 / (median(times) / 1000), "MB/s");
    session->end();
}

// Changed step by step, with the lists of files as the database keeps them.
void measureDisk(World& world)
{
    const auto session = world.session();
    fs::create_directories(world.folder / "disk");
    auto store = checkpoint::openSqliteCheckpointStore(world.folder / "disk/c.sqlite");
    const fs::path contents = world.folder / "disk/contents";
    auto blobs = artifacts::BlobStore::open(contents);
    if (!session || !store || !blobs
        || !runs(*session,
                 "import os\nos.mkdir('many')\nfor i in range(1000): open('many/%d' % i, 'w').write('x')"))
        return printFailed(world.id("disk"), "no session, or no place for contents");
    sessions::SnapshotFiles files(*session->link(), *blobs);
    for (int i = 0; i < 100; ++i) {
        runs(*session, "open('changes', 'wb').write(os.urandom(1 << 20));");
        sessions::Snapshot snapshot;
        snapshot.id = SnapshotId("s" + std::to_string(i));
        if (auto recorded = files.record(1LL << 32))
            snapshot.files = recorded->files;
        if (!rewind::keepSnapshot(*(*store)->snapshotLog(), ThreadId("t"), snapshot))
            std::fprintf(stderr, "a snapshot cannot be kept\n");
    }
    store->reset();
    printFigure(world.id("disk.changed"), static_cast<double>(bytesIn(world.folder / "disk")) / (100 << 20),
                "x");
    session->end();
}

void measureStored(World& world)
{
    sessions::SessionSpec spec;
    spec.preload = { "pandas" };
    const auto session = world.session(spec);
    auto blobs = artifacts::BlobStore::open(world.folder / "contents");
    if (!session || !blobs || !runs(*session, kFrame))
        return printFailed(world.id("stored"), "a frame of pandas cannot be made");
    const auto link = session->link();
    const auto ask = [&](ValueMap request, const char* answer) {
        if (const auto done = link->ask(std::move(request), answer, std::chrono::seconds(60)); !done)
            std::fprintf(stderr, "%s\n", done.error().message.c_str());
    };
    ask({ { "op", "snapshot" }, { "snapshot", "stored" } }, "snapshot");
    std::vector<double> out;
    std::vector<double> in;
    Value names;
    for (int i = 0; i < 3; ++i) {
        runs(*session, "held.iloc[0, :] += 1"); // a content that is there already is not written again
        ask({ { "op", "snapshot" }, { "snapshot", "stored" } }, "snapshot");
        auto begin = steady_clock::now();
        auto stored = sessions::storeNames(*link, SnapshotId("stored"), *blobs);
        out.push_back(millisecondsSince(begin));
        if (!stored)
            return printFailed(world.id("stored"), stored.error().message);
        begin = steady_clock::now();
        ask({ { "op", "restart" } }, "restarted");
        const auto loaded = sessions::loadNames(*link, *stored, *blobs);
        in.push_back(millisecondsSince(begin));
        if (!loaded || !loaded->empty() || !runs(*session, "assert held.shape == (1 << 20, 25)"))
            return printFailed(world.id("stored"), "the frame did not come back");
    }
    printFigure(world.id("stored.out"), median(out));
    printFigure(world.id("stored.in"), median(in));
    session->end();
}

// Measures pickling, which a user would do instead.
void measurePickling(World& world, const std::string& what, const char* code)
{
    const auto session = world.session();
    if (!session || !runs(*session, code))
        return printFailed(world.id("instead." + what), "the code does not run");
    for (const char* module : { "cloudpickle", "dill" }) {
        std::string printed;
        const sessions::CellHandlers handlers{
            [&](const sessions::CellOutput& output) { printed += output.bytes; }, {}
        };
        const std::string timed = std::string("import time\ntry:\n import ") + module
            + " as p\n t = time.perf_counter(); d = p.dumps(held); u = time.perf_counter(); p.loads(d)\n"
              " print(1000 * (u - t), 1000 * (time.perf_counter() - u))\nexcept ImportError: pass";
        const std::string ids = world.id("instead." + what + "." + module);
        if (!runs(*session, timed, handlers) || printed.empty()) {
            printNotMeasured(ids, std::string(module) + " is not in the sandbox's Python");
        } else {
            printFigure(ids + ".out", std::stod(printed));
            printFigure(ids + ".in", std::stod(printed.substr(printed.find(' '))));
        }
    }
    session->end();
}

void measureCommit(World& world)
{
    const auto session = world.session();
    if (!session || !runs(*session, kArrays))
        return;
    const std::string name = session->info().sandboxName;
    const auto shell = [](const std::string& command) {
        const auto begin = steady_clock::now();
        if (std::system((command + " >/dev/null 2>&1").c_str()) != 0)
            return -1.0;
        return millisecondsSince(begin);
    };
    const double commit = shell("docker commit " + name + " sandglass-bench:commit");
    const double restart =
        shell("docker run --rm --network none --user 0 --entrypoint python3 sandglass-bench:commit -c 1");
    shell("docker rmi sandglass-bench:commit");
    if (commit < 0 || restart < 0)
        return printFailed(world.id("instead.commit"), "docker commit, or a container of it, failed");
    printFigure(world.id("instead.commit.out"), commit);
    printFigure(world.id("instead.commit.in"), restart);
    session->end();
}

// A run that has sandboxes, in a superstep that uses none.
void measureUnused()
{
    const test::TempDir folder;
    auto store = checkpoint::openSqliteCheckpointStore(folder / "c.sqlite");
    if (!store)
        return;
    constexpr int kMany = 500;
    const auto median500 = [&](rewind::RunWorld* beside, const std::string& thread) {
        std::vector<double> times;
        for (int i = 0; i < kMany; ++i) {
            const checkpoint::CheckpointRef ref{ ThreadId(thread), "",
                                                 CheckpointId(std::to_string(1000 + i)) };
            const auto begin = steady_clock::now();
            auto save = beside != nullptr ? beside->checkpointDue(ref) : engine::Companion::Save();
            static_cast<void>((*store)->together([&]() -> Result<void> {
                auto put = (*store)->put(ref, {}, {}, {});
                return put && save ? save() : put;
            }));
            times.push_back(millisecondsSince(begin));
        }
        return median(times);
    };
    const double without = median500(nullptr, "a");
    rewind::RunWorld world(*(*store)->snapshotLog(), rewind::SandboxChoice::Restore, false);
    static_cast<void>(world.begins({}, false));
    printFigure("rewind.engine.added", 1000 * (median500(&world, "b") - without), "us");
    printFigure("rewind.engine.checkpoint", 1000 * without, "us");
}

void measure(const std::string& name, const std::string& figures)
{
    World world("rewind", name, true);
    if (const auto usable = world.manager->backendInfo(name); !usable)
        return printNotMeasured(world.ids, usable.error().message);
    const auto wanted = [&](const char* figure) { return figures.empty() || figures == figure; };
    if (wanted("copies")) {
        measureCopies(world, "arrays", kArrays);
        measureCopies(world, "objects", kObjects);
        measureCopies(world, "empty", "held = []");
        measureCopies(world, "frame", kFrame);
        printForkCosts(world.id("copies.kernel"));
    }
    if (wanted("files")) {
        measureFiles(world);
        measureDiskSpeed(world);
        if (name == "bubblewrap")
            measureContents(world);
    }
    if (wanted("stored")) {
        measureStored(world);
        printMemoryAndDiskCosts(world.id("stored.raw"), world.folder.path());
    }
    if (wanted("disk"))
        measureDisk(world);
    if (wanted("instead")) {
        measurePickling(world, "frame", kFrame);
        measurePickling(world, "objects", kObjects);
        if (name == "docker")
            measureCommit(world);
    }
}

} // namespace

// Words choose a backend ("engine": none) and one group of figures: copies, files, stored, disk, instead.
int main(int argc, char** argv)
{
    const std::string only = argc > 1 ? argv[1] : "";
    const std::string figures = argc > 2 ? argv[2] : "";
    if (only.empty() || only == "engine")
        measureUnused();
    for (const char* backend : { "bubblewrap", "docker" })
        if (only.empty() || only == backend)
            measure(backend, figures);
    return 0;
}
