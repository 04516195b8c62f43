#include "tests/support/test_main.h"

#include "tests/support/require.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace sg::test {
namespace {

struct Test {
    std::string name;
    RunTest run;
};

std::vector<Test>& tests()
{
    static std::vector<Test> all;
    return all;
}

std::string nameOf(std::string_view source)
{
    source.remove_prefix(source.rfind('/') + 1); // npos + 1 is 0: there is no folder
    return std::string(source.substr(0, source.rfind('.')));
}

int usage()
{
    std::fputs("error: say which test, then what QTest takes. There are:\n", stderr);
    std::ranges::sort(tests(), {}, &Test::name);
    for (const Test& each : tests())
        std::fprintf(stderr, "  %s\n", each.name.c_str());
    return 2;
}

} // namespace

RegisteredTest::RegisteredTest(const char* source, RunTest run)
{
    tests().push_back({ nameOf(source), run });
}

} // namespace sg::test

int main(int argc, char** argv)
{
    using namespace sg::test;
    const auto named = std::ranges::find(tests(), argc > 1 ? argv[1] : "", &Test::name);
    if (named == tests().end() && tests().size() != 1)
        return usage();
    if (named == tests().end())
        return exitCode(tests().front().run(argc, argv));
    argv[1] = argv[0];
    return exitCode(named->run(argc - 1, argv + 1));
}
