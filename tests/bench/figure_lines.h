#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

// The lines that benches print for figures.py; goals.json says what each figure is and what it should be.
namespace sg::bench {

using std::chrono::steady_clock;

inline double millisecondsSince(steady_clock::time_point begin)
{
    return std::chrono::duration<double, std::milli>(steady_clock::now() - begin).count();
}

// The value below which `part` of them lie; 0 of none.
inline double quantile(std::vector<double> values, double part)
{
    std::sort(values.begin(), values.end());
    const auto place = static_cast<std::size_t>(static_cast<double>(values.size()) * part);
    return values.empty() ? 0 : values[std::min(place, values.size() - 1)];
}

inline double median(std::vector<double> values)
{
    return quantile(std::move(values), 0.5);
}

inline void printFigure(const std::string& id, double value, const char* unit = "ms")
{
    std::printf("figure %s %.6g %s\n", id.c_str(), value, unit);
    std::fflush(stdout);
}

inline void printReason(const char* kind, const std::string& ids, std::string reason)
{
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    std::printf("%s %s %s\n", kind, ids.c_str(), reason.c_str());
    std::fflush(stdout);
}

// The machine lacks what these figures need; `ids`: one figure, or what many of them begin with, up to a dot.
inline void printNotMeasured(const std::string& ids, const std::string& reason)
{
    printReason("unmeasured", ids, reason);
}

// The machine has it all, and our own program did not do what was to be measured.
inline void printFailed(const std::string& ids, const std::string& reason)
{
    printReason("failed", ids, reason);
}

} // namespace sg::bench
