#pragma once

#include <QTest>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

// A test that cannot run uses these macros, never QSKIP alone: ctest then shows it as skipped (exit code 77),
// or as failed where SG_REQUIRE names the missing part.
//   SG_NEED("docker")                      tests/support/machine.h: asks the machine
//   SG_SKIP_WITHOUT("docker", "why")       the test itself has found out that the part is missing
//   SG_SKIP("why")                         a reason that nobody can install: a kernel, a sanitizer
// All of them leave a function that returns void. Main thread only.
namespace sg::test {

// The names in tests/support/parts.txt, read once; empty: the file cannot be read.
inline const std::set<std::string>& parts()
{
    static const std::set<std::string> all = [] {
        std::set<std::string> names;
        std::ifstream file(SG_SOURCE_DIR "/tests/support/parts.txt");
        for (std::string line; std::getline(file, line);)
            if (!line.empty() && line.front() != '#')
                names.insert(line.substr(0, line.find(' ')));
        return names;
    }();
    return all;
}

// The names in SG_REQUIRE, which are separated by commas.
inline const std::set<std::string>& requiredParts()
{
    static const std::set<std::string> all = [] {
        std::set<std::string> names;
        const char* const value =
            std::getenv("SG_REQUIRE"); // NOLINT(concurrency-mt-unsafe): never changed here
        std::istringstream words(value != nullptr ? value : "");
        for (std::string name; std::getline(words, name, ',');)
            if (!name.empty())
                names.insert(name);
        return names;
    }();
    return all;
}

// Why a test without this part must fail; empty: it may skip.
inline std::string whyRequired(const std::string& part)
{
    if (!parts().contains(part))
        return "'" + part + "' is no part of tests/support/parts.txt";
    return requiredParts().contains(part) ? part + " is missing, and SG_REQUIRE names it" : std::string();
}

inline int& skipCount()
{
    static int count = 0;
    return count;
}

// The exit code for QTest::qExec()'s number of failures. 77: nothing failed, and something was skipped.
[[nodiscard]] inline int exitCode(int failures)
{
    constexpr int kSkipped = 77;
    for (const std::string& name : requiredParts())
        if (!parts().contains(name)) {
            std::fprintf(stderr,
                         "error: SG_REQUIRE names '%s', which is no part of tests/support/parts.txt\n",
                         name.c_str());
            return 1;
        }
    if (failures != 0)
        return 1;
    return skipCount() > 0 ? kSkipped : 0;
}

} // namespace sg::test

#define SG_SKIP(reason)                                                                                      \
    do {                                                                                                     \
        ++sg::test::skipCount();                                                                             \
        QSKIP(std::string(reason).c_str());                                                                  \
    } while (false)

#define SG_SKIP_WITHOUT(part, reason)                                                                        \
    do {                                                                                                     \
        if (const std::string sgRequired = sg::test::whyRequired(part); !sgRequired.empty())                 \
            QFAIL((sgRequired + ": " + std::string(reason)).c_str());                                        \
        SG_SKIP(std::string(part) + ": " + std::string(reason));                                             \
    } while (false)
