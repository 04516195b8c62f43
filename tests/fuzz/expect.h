#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace sg::fuzz {

// Ends the program where something does not hold that must for any input, in every build.
inline void expect(bool holds, const char* what, const std::string& detail = {})
{
    if (holds)
        return;
    std::fprintf(stderr, "does not hold: %s\n%s\n", what, detail.c_str());
    std::abort();
}

} // namespace sg::fuzz
