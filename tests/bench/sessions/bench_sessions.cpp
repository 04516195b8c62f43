// bench-sessions: what sessions cost, on each backend that there is. One line a figure: what, median, what it
// should stay below (or above).

#include "core/sandbox/bubblewrap/bubblewrap_backend.h"
#include "core/sandbox/docker/docker_backend.h"
#include "core/sessions/session_manager.h"
#include "tests/support/temp_dir.h"
#include "tests/support/wait_for.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <vector>

using namespace sg;
using std::chrono::steady_clock;

namespace {

constexpr int kStarts = 11;
constexpr int kCells = 2000;
constexpr int kArtifactCells = 100;
constexpr int kListed = 10'000;

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

double millisecondsSince(steady_clock::time_point begin)
{
    return std::chrono::duration<double, std::milli>(steady_clock::now() - begin).count();
}

void print(const std::string& backend, const char* what, double value, double limit)
{
    std::printf("%-11s %-44s %8.3f ms   (limit %g ms)%s\n", backend.c_str(), what, value, limit,
                value <= limit ? "" : "   OVER");
    std::fflush(stdout);
}

void printRate(const std::string& backend, const char* what, double value, double least)
{
    std::printf("%-11s %-44s %8.0f MB/s (least %g MB/s)%s\n", backend.c_str(), what, value, least,
                value >= least ? "" : "   UNDER");
    std::fflush(stdout);
}

void notMeasured(const std::string& backend, const std::string& why)
{
    std::printf("%-11s not measured: %s\n", backend.c_str(), why.c_str());
    std::fflush(stdout);
}

bool runs(sessions::Session& session, const std::string& code)
{
    sessions::CellLimits limits;
    limits.deadline = std::chrono::minutes(5);
    const auto result = session.runCell(code, limits, {}, {}, {});
    if (result.error)
        std::fprintf(stderr, "%s: %s\n", result.error->type.c_str(), result.error->message.c_str());
    return result.status == sessions::CellStatus::Ok;
}

std::filesystem::path pythonWithPackages()
{
    if (const char* chosen = std::getenv("SANDGLASS_PYTHON"))
        return chosen;
    const char* home = std::getenv("HOME");
    const std::filesystem::path python =
        std::filesystem::path(home == nullptr ? "" : home) / ".local/share/sandglass/python";
    return std::filesystem::exists(python / "bin/python3") ? python : std::filesystem::path();
}

struct World {
    explicit World(const std::string& backend)
        : name(backend)
    {
        std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
        auto opened = artifacts::openArtifactStore(folder / "artifacts.sqlite", folder / "blobs");
        if (!opened)
            std::abort();
        store = std::move(*opened);
        sessions::SessionManager::Backends backends;
        if (name == "docker")
            backends.emplace(name, sandbox::makeDockerBackend({ {}, "bench", {}, {} }));
        else
            backends.emplace(name, sandbox::makeBubblewrapBackend({ "bwrap", "bench", "sandglass" }));
        sessions::SessionManagerOptions options;
        options.sessionsFolder = folder / "sessions";
        options.runnerFolder = std::string(SG_SOURCE_DIR) + "/resources/sandbox";
        options.python = pythonWithPackages();
        options.project = "be0cb0c1";
        manager =
            std::make_unique<sessions::SessionManager>(std::move(backends), *store, clock, random, options);
    }
    std::shared_ptr<sessions::Session> session(const sessions::SessionSpec& spec = {})
    {
        auto made = manager->acquire(ThreadId("t" + std::to_string(++threads)), spec);
        if (!made) {
            notMeasured(name, made.error().message);
            return nullptr;
        }
        return *made;
    }

    const std::string name;
    test::TempDir folder;
    SystemClock clock;
    SystemRandom random;
    std::unique_ptr<artifacts::ArtifactStore> store;
    std::unique_ptr<sessions::SessionManager> manager;
    int threads = 0;
};

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

void measureStarts(World& world, double limit)
{
    std::vector<double> times;
    for (int i = 0; i < kStarts; ++i) {
        const auto time = firstCell(world, {}, "1");
        if (!time)
            return;
        times.push_back(*time);
    }
    print(world.name, "cold start to the end of the first cell", median(times), limit);
}

void measurePool(World& world, const char* what, bool isPaused, const std::string& code,
                 const std::vector<std::string>& preload, double limit)
{
    sessions::SessionSpec spec;
    spec.preload = preload;
    world.manager->startAhead(spec, { 2, isPaused });
    std::vector<double> times;
    for (int i = 0; i < kStarts; ++i) {
        // Both are there: the one that takes its place does not start while the time is taken.
        if (!test::waitFor([&] { return world.manager->readyAhead() == 2; }, std::chrono::seconds(60)))
            return notMeasured(world.name, std::string(what) + ": no session could be started ahead");
        const auto time = firstCell(world, spec, code);
        if (!time)
            return;
        times.push_back(*time);
    }
    world.manager->startAhead(spec, { 0, false });
    print(world.name, what, median(times), limit);
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
    print(world.name, "cell there and back", median(cellTimes(*session, "1", kCells)), 0.2);
    print(world.name, "cell that leaves an artifact",
          median(cellTimes(*session, "import time\nopen('artifacts/a.txt', 'w').write(str(time.time()));",
                           kArtifactCells)),
          50);
    session->end();
}

// 1 GB out of a session's folder into the store, hashed, flushed and removed there.
void measureIngest(World& world)
{
    sessions::SessionSpec spec;
    spec.mode.storage = sessions::SessionStorage::Bind;
    const auto session = world.session(spec);
    if (!session)
        return;
    if (!runs(*session,
              "import os\nblock = os.urandom(1 << 20)\nwith open('big.bin', 'wb') as f:\n"
              "    for i in range(1000): f.write(block)"))
        return;
    const auto begin = steady_clock::now();
    if (!runs(*session, "os.rename('big.bin', 'artifacts/big.bin')"))
        return;
    printRate(world.name, "ingest of an artifact of 1 GB", 1048.576 / (millisecondsSince(begin) / 1000), 400);
    session->end();
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
    print("artifacts", "list of 10,000", median(times), 50);
}

void measure(const std::string& name, double startLimit)
{
    World world(name);
    if (const auto usable = world.manager->backendInfo(name); !usable)
        return notMeasured(name, usable.error().message);
    measureStarts(world, startLimit);
    measurePool(world, "start from the pool, running", false, "1", {}, 5);
    measurePool(world, "start from the pool, paused", true, "1", {}, 20);
    measurePool(world, "the same, and the first use of pandas", false,
                "import pandas as pd\npd.DataFrame({'a': [1]}).sum()", { "pandas" }, 50);
    measureCells(world);
    measureIngest(world);
}

} // namespace

int main(int argc, char** argv)
{
    const std::string only = argc > 1 ? argv[1] : "";
    if (only.empty() || only == "bubblewrap")
        measure("bubblewrap", 80);
    if (only.empty() || only == "docker")
        measure("docker", 400);
    if (only.empty() || only == "artifacts")
        measureListing();
    return 0;
}
