// bench-search [CHECKPOINTS]: what a query over so long a history takes (100,000). The first reads the
// history, the others ask what is kept of it.

#include "core/history/search.h"
#include "tests/bench/figure_lines.h"
#include "tests/bench/window/long_thread.h"
#include "tests/support/temp_dir.h"

#include <cstdlib>
#include <utility>
#include <variant>

using namespace sg;
using namespace sg::bench;

namespace {

constexpr int kTimes = 50;

// Returns how long each of `count` answers took; none: there was no answer, which is said.
std::vector<double> times(history::Search& search, const std::string& id, const std::string& text, int count)
{
    const auto parsed = query::parse(text);
    const auto* query = std::get_if<query::Query>(&parsed);
    if (query == nullptr) {
        printFailed(id, std::get<query::Fault>(parsed).message);
        return {};
    }
    std::vector<double> took;
    while (static_cast<int>(took.size()) < count) {
        const auto begin = steady_clock::now();
        const auto answer = search.find(*query, {}, 10'000);
        took.push_back(millisecondsSince(begin));
        if (!answer || answer->found == 0) {
            printFailed(id, answer ? "nothing was found" : answer.error().message);
            return {};
        }
    }
    return took;
}

} // namespace

int main(int argc, char** argv)
{
    const int count = argc > 1 ? std::atoi(argv[1]) : 100'000;
    const test::TempDir folder;
    const auto file = folder / "checkpoints.sqlite";
    {
        const LongThread made(file, count, 200);
    }
    auto database = history::Database::open(file, history::Database::Access::ReadOnly);
    if (!database) {
        printFailed("search", database.error().message);
        return 1;
    }
    history::Search search((*database)->history(), (*database)->file());
    const std::string last = "step:>" + std::to_string(count - 1000);
    if (const auto first = times(search, "search.first", last, 1); !first.empty())
        printFigure("search.first", first.front());
    for (const auto& [name, text] : { std::pair<std::string, std::string>{ "steps", last },
                                      { "source", "is:checkpoint source:loop" },
                                      { "everything", "node:count" } })
        if (const auto took = times(search, "search." + name, text, kTimes); !took.empty()) {
            printFigure("search." + name, median(took));
            printFigure("search." + name + "_p95", quantile(took, 0.95));
        }
    return 0;
}
