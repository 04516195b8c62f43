// crash-harness [--kills N] [--seed S]    see README.md

#include "tests/fault/crash_trial.h"
#include "tests/support/temp_dir.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

namespace {

namespace fs = std::filesystem;

constexpr int kKills = 40;
constexpr int kKillsInFull = 1000; // SG_FULL=1
constexpr int kMostKillsOfOneRun = 12;

struct Arguments {
    int kills = kKills;
    std::uint64_t seed = std::random_device{}();
};

bool parse(int argc, char** argv, Arguments& arguments)
{
    if (const char* full = std::getenv("SG_FULL"); full != nullptr && std::atoi(full) > 0)
        arguments.kills = kKillsInFull;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::strcmp(argv[i], "--kills") == 0)
            arguments.kills = std::atoi(argv[i + 1]);
        else if (std::strcmp(argv[i], "--seed") == 0)
            arguments.seed = std::strtoull(argv[i + 1], nullptr, 10);
        else
            return false;
    }
    return argc % 2 == 1;
}

} // namespace

int main(int argc, char** argv)
{
    Arguments arguments;
    if (!parse(argc, argv, arguments)) {
        std::cerr << "usage: crash-harness [--kills N] [--seed S]\n";
        return 2;
    }
    std::cout << "seed " << arguments.seed << ", " << arguments.kills << " kills" << std::endl;
    std::mt19937_64 random(arguments.seed);
    sg::fault::CrashCounts counts;
    int trials = 0;
    for (; counts.kills < arguments.kills; ++trials) {
        const std::uint64_t seed = arguments.seed + static_cast<std::uint64_t>(trials);
        fs::path kept = fs::temp_directory_path() / ("sandglass-crash-" + std::to_string(seed));
        const sg::test::TempDir folder;
        const std::string problem =
            sg::fault::CrashTrial(seed, folder.path(), random, counts).run(kMostKillsOfOneRun);
        if (problem.empty())
            continue;
        std::error_code ignored;
        fs::copy(folder.path(), kept, fs::copy_options::recursive, ignored);
        std::cout << "graph of seed " << seed << ": " << problem << "\nIts files are kept in "
                  << kept.string() << std::endl;
        return 1;
    }
    std::cout << counts.kills << " kills over " << trials
              << " random graphs: nothing lost, doubled or done again (" << counts.checkpoints
              << " checkpoints, " << counts.tasks << " tasks; " << counts.beforeFirstCheckpoint
              << " kills before the first checkpoint, " << counts.amidSuperstep << " beside finished tasks; "
              << counts.again << " unfinished tasks started anew)" << std::endl;
    return 0;
}
