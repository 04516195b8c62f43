// How long a query takes over a database: bench-search DATABASE QUERY [COUNT]. The first reads the history,
// the others ask what is kept of it.

#include "core/workbench/database.h"
#include "core/workbench/search.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <variant>
#include <vector>

using namespace sg;

namespace {

double millisecondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 3) {
        std::fputs("usage: bench-search DATABASE QUERY [COUNT]\n", stderr);
        return 2;
    }
    auto database = workbench::Database::open(argv[1], workbench::Database::Access::ReadOnly);
    const auto query = query::parse(argv[2]);
    if (!database || !std::holds_alternative<query::Query>(query)) {
        std::fputs("no such database, or no query\n", stderr);
        return 1;
    }
    workbench::Search search((*database)->history(), (*database)->file());
    const int count = argc > 3 ? std::atoi(argv[3]) : 200;
    std::vector<double> took;
    std::int64_t found = 0;
    for (int i = 0; i <= count; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const auto answer = search.find(std::get<query::Query>(query), {}, 10'000);
        if (!answer) {
            std::fprintf(stderr, "%s\n", answer.error().message.c_str());
            return 1;
        }
        found = answer->found;
        if (i == 0)
            std::printf("first: %.1f ms\n", millisecondsSince(start));
        else
            took.push_back(millisecondsSince(start));
    }
    std::ranges::sort(took);
    if (!took.empty())
        std::printf("then, of %d: median %.1f ms, p95 %.1f ms, found %lld\n", count, took[took.size() / 2],
                    took[took.size() * 95 / 100], static_cast<long long>(found));
    return 0;
}
