#include "tests/conformance/engine/case_server.h"

#include "core/base/json.h"
#include "tests/conformance/engine/case_runner.h"

#include <string>

namespace sg::conformance {
namespace {

std::map<std::string, int> countsIn(const Value& value)
{
    std::map<std::string, int> out;
    if (value.isMap())
        for (const auto& [path, count] : value.asMap())
            out[path.asString()] = static_cast<int>(count.asInt());
    return out;
}

} // namespace

int serveCase(const Value& description, const std::filesystem::path& database, std::istream& in,
              std::ostream& out)
{
    CaseMemory memory;
    CaseRunner runner(description, database, memory);
    if (const auto problem = runner.open()) {
        out << toJson(Value::map({ { "compile_error", *problem } })) << std::endl;
        return 1;
    }
    std::string line;
    while (std::getline(in, line)) {
        const auto asked = parseJson(line);
        if (!asked) {
            out << toJson(Value::map({ { "unreadable", asked.error().message } })) << std::endl;
            return 1;
        }
        memory.runs = countsIn((*asked)["runs"]);
        memory.failures = countsIn((*asked)["failures"]);
        Value entry = runner.perform((*asked)["op"]);
        out << toJson(Value::map({ { "entry", std::move(entry) },
                                   { "runs", countsValue(memory.runs) },
                                   { "failures", countsValue(memory.failures) } }))
            << std::endl;
    }
    return 0;
}

} // namespace sg::conformance
