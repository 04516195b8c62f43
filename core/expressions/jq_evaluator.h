#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sg::expressions {

struct JqLimits {
    std::chrono::milliseconds deadline{
        10'000
    }; // per evaluation; the helper is killed and started anew after it
    std::size_t memoryBytes = 512U << 20; // address space of the helper
    std::size_t outputs = 10'000; // values of one evaluation
};

struct JqProblem {
    std::size_t program = 0; // index into the programs given
    std::string message;
};

// The jq programs of one graph, compiled together. Any thread; evaluations are serialized.
class JqEvaluator {
public:
    virtual ~JqEvaluator() = default;
    // All outputs of program `index` for `input`. Errors: the program's own (InvalidArgument), a deadline
    // (Timeout), an integer beyond 2^53 on its way in (InvalidArgument, never a rounding), a dead helper
    // (Unavailable).
    virtual Result<ValueList> evaluate(std::size_t index, const Value& input) = 0;
    // One message per program that does not compile; empty: all do.
    virtual Result<std::vector<JqProblem>> check() = 0;
};

// In the helper process `sandglass-jq` (empty environment, no files, memory limit, killed at the deadline,
// started on first use). `helper` is its path; findJqHelper() looks beside this executable and in the
// install's libexec folder.
std::unique_ptr<JqEvaluator> makeJqProcess(std::vector<std::string> programs, std::string helper,
                                           JqLimits limits = {});
std::string findJqHelper();

// One message per program that does not compile, by a helper started for this question; empty: all compile.
Result<std::vector<JqProblem>> checkJqPrograms(const std::vector<std::string>& programs,
                                               const std::string& helper);

} // namespace sg::expressions
