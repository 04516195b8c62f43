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
    }; // per evaluation; after it the helper is killed and started again
    // Address space of the helper. An input, and all outputs of an evaluation, are at most half of it.
    std::size_t memoryBytes = 512U << 20;
    std::size_t outputs = 10'000; // values of one evaluation
};

struct JqProblem {
    std::size_t program = 0; // index into the programs given
    std::string message;
};

// Holds the jq programs of one graph, compiled together. Any thread; evaluations are serialized.
class JqEvaluator {
public:
    virtual ~JqEvaluator() = default;
    // Returns all outputs of program `index` for `input`. Errors: the program's own (InvalidArgument), the
    // deadline (Timeout), an integer beyond 2^53 in the input (InvalidArgument; it is never rounded), a dead
    // helper (Unavailable).
    virtual Result<ValueList> evaluate(std::size_t index, const Value& input) = 0;
    // Returns one message for each program that does not compile.
    virtual Result<std::vector<JqProblem>> check() = 0;
};

// Evaluates in the helper process `sandglass-jq`, which has an empty environment, no files and a memory
// limit, is killed at the deadline and started on first use. `helper` is its path; findJqHelper() looks next
// to this executable and in the installation's libexec folder.
std::unique_ptr<JqEvaluator> makeJqProcess(std::vector<std::string> programs, std::string helper,
                                           JqLimits limits = {});
std::string findJqHelper();

// Returns one message for each program that does not compile, from a helper started for this call.
Result<std::vector<JqProblem>> checkJqPrograms(const std::vector<std::string>& programs,
                                               const std::string& helper);

} // namespace sg::expressions
