// conformance-runner CASE.json         prints the case's trace
// conformance-runner --check DIR…      compares with expected.json in each folder that holds a case.json,
// also one below, and prints the first line that differs
// conformance-runner --serve CASE.json DATABASE
//                                      performs operations from standard input (case_server.h)

#include "core/base/json.h"
#include "tests/conformance/engine/case_runner.h"
#include "tests/conformance/engine/case_server.h"
#include "tests/conformance/engine/case_shape.h"
#include "tests/conformance/engine/python_json.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>

namespace {

namespace fs = std::filesystem;
using sg::Value;

class TempFolder {
public:
    TempFolder()
    {
        std::string name = (fs::temp_directory_path() / "sg-conformance-XXXXXX").string();
        if (mkdtemp(name.data()) != nullptr)
            m_path = name;
    }
    ~TempFolder()
    {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;
    [[nodiscard]] const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

std::string readText(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return std::move(text).str();
}

sg::Result<std::string> traceOf(const fs::path& file)
{
    auto description = sg::parseJson(readText(file));
    if (!description)
        return std::move(description.error()).during("read " + file.string());
    if (std::string problem = sg::conformance::problemOfCase(*description); !problem.empty())
        return sg::Error{ sg::Errc::InvalidArgument, "read " + file.string() + ": " + problem };
    const TempFolder folder;
    return sg::conformance::traceText(sg::conformance::runCase(*description, folder.path()));
}

// Texts that Python itself words differ from version to version: their type alone counts.
void dropPythonTexts(Value& value)
{
    if (value.isList())
        for (Value& item : value.editList())
            dropPythonTexts(item);
    if (!value.isMap())
        return;
    for (const auto& entry : sg::ValueMap(value.asMap()))
        dropPythonTexts(value.editMap().at(entry.first));
    const std::string type = value["error"].stringOr("type", "");
    if (type == "TypeError" || type == "KeyError" || type == "UnboundLocalError" || type == "AttributeError")
        value.editMap().at(Value("error")).editMap().erase(Value("message"));
}

std::string comparable(const std::string& trace)
{
    auto value = sg::parseJson(trace);
    if (!value)
        return trace;
    dropPythonTexts(*value);
    return sg::conformance::traceText(*value);
}

// The first line of `actual` that differs, beside LangGraph's; nothing where the traces are the same.
std::optional<std::string> difference(const std::string& actual, const std::string& expected)
{
    if (actual == expected)
        return std::nullopt;
    std::istringstream ours(comparable(actual));
    std::istringstream theirs(comparable(expected));
    for (int number = 1;; ++number) {
        std::string our;
        std::string their;
        const bool more = bool(std::getline(ours, our));
        if (bool(std::getline(theirs, their)) != more || our != their)
            return "line " + std::to_string(number) + ", LangGraph: " + their + "\n    ours: " + our;
        if (!more)
            return std::nullopt;
    }
}

int check(const std::vector<fs::path>& folders)
{
    std::vector<fs::path> cases;
    for (const fs::path& folder : folders) {
        if (fs::exists(folder / "case.json")) {
            cases.push_back(folder);
            continue;
        }
        std::error_code problem;
        for (const auto& entry : fs::directory_iterator(folder, problem))
            if (fs::exists(entry.path() / "case.json"))
                cases.push_back(entry.path());
        if (problem)
            std::fprintf(stderr, "cannot read %s: %s\n", folder.c_str(), problem.message().c_str());
    }
    std::ranges::sort(cases);
    int differing = 0;
    for (const fs::path& folder : cases) {
        const auto trace = traceOf(folder / "case.json");
        const auto place =
            trace ? difference(*trace, readText(folder / "expected.json")) : trace.error().message;
        if (!place)
            continue;
        ++differing;
        std::printf("differs: %s\n    %s\n", folder.c_str(), place->c_str());
    }
    std::printf("%zu cases, %d differ\n", cases.size(), differing);
    return differing == 0 && !cases.empty() ? 0 : 1;
}

int serve(const fs::path& file, const fs::path& database)
{
    const auto description = sg::parseJson(readText(file));
    if (!description) {
        std::fprintf(stderr, "cannot read %s: %s\n", file.c_str(), description.error().message.c_str());
        return 1;
    }
    return sg::conformance::serveCase(*description, database, std::cin, std::cout);
}

} // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() > 1 && arguments.front() == "--check")
        return check({ arguments.begin() + 1, arguments.end() });
    if (arguments.size() == 3 && arguments.front() == "--serve")
        return serve(arguments[1], arguments[2]);
    if (arguments.size() != 1) {
        std::fputs("usage: conformance-runner CASE.json | --check DIR… | --serve CASE.json DATABASE\n",
                   stderr);
        return 2;
    }
    const auto trace = traceOf(arguments.front());
    if (!trace) {
        std::fprintf(stderr, "%s\n", trace.error().message.c_str());
        return 1;
    }
    std::fputs(trace->c_str(), stdout);
    return 0;
}
