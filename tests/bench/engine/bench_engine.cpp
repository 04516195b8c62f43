// bench-engine --workload W1 [--n N] [--saver none|memory|sqlite|postgres] [--durability sync|async|exit]
//              [--sync FULL|NORMAL] [--db FILE|ADDRESS] [--nodes c++|jq]
// prints one JSON line: what the workload took for each superstep.

#include "core/base/allocation.h"
#include "core/base/json.h"
#include "core/checkpoint/memory_checkpoint_store.h"
#include "core/checkpoint/postgres_checkpoint_store.h"
#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "core/expressions/jq_evaluator.h"
#include "tests/bench/engine/workloads.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

namespace {

namespace fs = std::filesystem;
using sg::Value;

// VmHWM: the largest size this process had.
double peakMemoryMb()
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "VmHWM:") {
            double kilobytes = 0;
            status >> kilobytes;
            return kilobytes / 1024;
        }
    return 0;
}

sg::engine::Durability durabilityNamed(const std::string& name)
{
    return name == "sync" ? sg::engine::Durability::Sync
        : name == "exit"  ? sg::engine::Durability::Exit
                          : sg::engine::Durability::Async;
}

int run(const std::map<std::string, std::string>& given)
{
    const auto option = [&given](const std::string& name, const std::string& fallback) {
        const auto found = given.find(name);
        return found == given.end() ? fallback : found->second;
    };
    const std::string saver = option("--saver", "none");
    const fs::path database = option(
        "--db",
        (fs::temp_directory_path() / ("bench-engine-" + std::to_string(getpid()) + ".sqlite")).string());
    std::unique_ptr<sg::checkpoint::CheckpointStore> store;
    if (saver == "memory") {
        store = sg::checkpoint::makeMemoryCheckpointStore();
    } else if (saver == "sqlite") {
        sg::checkpoint::SqliteStoreOptions options;
        options.fullSync = option("--sync", "FULL") == "FULL";
        auto opened = sg::checkpoint::openSqliteCheckpointStore(database, options);
        if (!opened) {
            std::fprintf(stderr, "%s\n", opened.error().message.c_str());
            return 1;
        }
        store = *std::move(opened);
    } else if (saver == "postgres") {
        const fs::path own =
            fs::temp_directory_path() / ("bench-engine-" + std::to_string(getpid()) + ".own");
        auto kept = sg::checkpoint::openSqliteCheckpointStore(own);
        auto opened = kept ? sg::checkpoint::openPostgresCheckpointStore(option("--db", ""), *std::move(kept))
                           : std::move(kept);
        if (!opened) {
            std::fprintf(stderr, "%s\n", opened.error().message.c_str());
            return 1;
        }
        store = *std::move(opened);
        fs::remove(own); // it is open, and gone with this process
    }
    const std::string durability = option("--durability", "async");
    const bool inJq = option("--nodes", "c++") == "jq";
    const sg::bench::Setup setup{ option("--workload", "W1"), std::atoll(option("--n", "0").c_str()),
                                  store.get(), durabilityNamed(durability),
                                  inJq ? sg::expressions::findJqHelper() : std::string() };
    const sg::bench::Figures figures = sg::bench::measure(setup);
    store.reset();
    std::error_code ignored;
    const auto bytes = saver == "sqlite" ? fs::file_size(database, ignored) : 0;
    if (!given.contains("--db"))
        for (const char* suffix : { "", "-wal", "-shm" })
            fs::remove(database.string() + suffix, ignored);
    if (!figures.problem.empty()) {
        std::fprintf(stderr, "%s\n", figures.problem.c_str());
        return 1;
    }
    sg::ValueMap line{ { "peer", "sandglass" },
                       { "workload", setup.workload },
                       { "n", Value(figures.n) },
                       { "saver", saver },
                       { "durability", durability },
                       { "sync", saver == "sqlite" ? Value(option("--sync", "FULL")) : Value() },
                       { "supersteps", Value(figures.supersteps) },
                       { "wall_s", Value(figures.seconds) },
                       { "cpu_s", Value(figures.cpuSeconds) },
                       { "per_step_us",
                         Value(figures.seconds * 1e6
                               / static_cast<double>(std::max<std::int64_t>(1, figures.supersteps))) },
                       { "peak_rss_mb", Value(peakMemoryMb()) },
                       { "db_bytes", Value(static_cast<std::size_t>(bytes)) } };
    for (const auto& [key, value] : figures.more)
        line.set(key, value);
    std::printf("%s\n", sg::toJson(Value(std::move(line)), sg::JsonStyle::Spaced).c_str());
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    sg::keepFreedMemory(); // as `sandglass` does
    std::map<std::string, std::string> options;
    for (int i = 1; i + 1 < argc; i += 2)
        options[argv[i]] = argv[i + 1];
    if (argc % 2 == 0 || argc == 1) {
        std::fputs("usage: bench-engine --workload W1 [--n N] [--saver none|memory|sqlite|postgres] "
                   "[--durability sync|async|exit] [--sync FULL|NORMAL] [--db FILE] [--nodes c++|jq]\n",
                   stderr);
        return 2;
    }
    return run(options);
}
