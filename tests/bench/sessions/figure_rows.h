#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

// One line a figure: where, what, the figure, its target, and whether that is met.
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

inline void printRow(const std::string& where, const std::string& what, const std::string& figure,
                     const std::string& target, const char* verdict)
{
    std::printf("%-11s %-46s %12s   %-12s %s\n", where.c_str(), what.c_str(), figure.c_str(), target.c_str(),
                verdict);
    std::fflush(stdout);
}

inline std::string figureText(double value, const char* unit)
{
    char text[64];
    std::snprintf(text, sizeof text,
                  value < 10        ? "%.3f %s"
                      : value < 100 ? "%.1f %s"
                                    : "%.0f %s",
                  value, unit);
    return text;
}

inline std::string boundText(const char* relation, double bound, const char* unit)
{
    char text[64];
    std::snprintf(text, sizeof text, "%s %g %s", relation, bound, unit);
    return text;
}

inline void printAtMost(const std::string& where, const std::string& what, double value, double limit,
                        const char* unit = "ms")
{
    printRow(where, what, figureText(value, unit), boundText("<=", limit, unit),
             value <= limit ? "met" : "MISSED");
}

inline void printAtLeast(const std::string& where, const std::string& what, double value, double least,
                         const char* unit)
{
    printRow(where, what, figureText(value, unit), boundText(">=", least, unit),
             value >= least ? "met" : "MISSED");
}

// Without a target of its own: what stands beside it is to be compared with.
inline void printPlain(const std::string& where, const std::string& what, double value, const char* unit)
{
    printRow(where, what, figureText(value, unit), "-", "");
}

inline void printNotMeasured(const std::string& where, const std::string& why)
{
    std::printf("%-11s not measured: %s\n", where.c_str(), why.c_str());
    std::fflush(stdout);
}

} // namespace sg::bench
