// bench-sessions: how long a session takes to start and a cell to go there and back, on each backend that
// there is. One line a figure: what, median, what it should stay below.

#include "core/sandbox/bubblewrap/bubblewrap_backend.h"
#include "core/sandbox/docker/docker_backend.h"
#include "core/sessions/session_manager.h"
#include "tests/support/temp_dir.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

using namespace sg;
using std::chrono::steady_clock;

namespace {

constexpr int kStarts = 11;
constexpr int kCells = 2000;
constexpr int kArtifactCells = 100;

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
    std::printf("%-11s %-36s %8.3f ms   (limit %g ms)%s\n", backend.c_str(), what, value, limit,
                value <= limit ? "" : "   OVER");
}

bool runs(sessions::Session& session, const std::string& code)
{
    return session.runCell(code, {}, {}, {}, {}).status == sessions::CellStatus::Ok;
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

void measure(const std::string& name, double startLimit)
{
    const test::TempDir folder;
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
    auto store = artifacts::openArtifactStore(folder / "artifacts.sqlite", folder / "blobs");
    if (!store)
        return;
    SystemClock clock;
    SystemRandom random;
    sessions::SessionManager::Backends backends;
    if (name == "docker")
        backends.emplace(name, sandbox::makeDockerBackend({ {}, "bench", {}, {} }));
    else
        backends.emplace(name, sandbox::makeBubblewrapBackend({ "bwrap", "bench", "sandglass" }));
    sessions::SessionManagerOptions options;
    options.sessionsFolder = folder / "sessions";
    options.runnerFolder = std::string(SG_SOURCE_DIR) + "/resources/sandbox";
    options.project = "be0cb0c1";
    sessions::SessionManager manager(std::move(backends), **store, clock, random, options);

    std::vector<double> starts;
    for (int i = 0; i < kStarts; ++i) {
        const ThreadId thread("start" + std::to_string(i));
        const auto begin = steady_clock::now();
        const auto session = manager.acquire(thread, {});
        if (!session) {
            std::printf("%-11s not measured: %s\n", name.c_str(), session.error().message.c_str());
            return;
        }
        if (!runs(**session, "1"))
            return;
        starts.push_back(millisecondsSince(begin));
        (*session)->end();
    }
    print(name, "start to the end of the first cell", median(starts), startLimit);

    const auto session = manager.acquire(ThreadId("cells"), {});
    if (!session)
        return;
    print(name, "cell there and back", median(cellTimes(**session, "1", kCells)), 0.3);
    print(name, "cell that leaves an artifact",
          median(cellTimes(**session, "import time\nopen('artifacts/a.txt', 'w').write(str(time.time()));",
                           kArtifactCells)),
          50);
}

} // namespace

int main()
{
    measure("bubblewrap", 120);
    measure("docker", 500);
    return 0;
}
