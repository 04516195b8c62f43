#pragma once

#include "core/base/result.h"
#include "core/sandbox/sandbox.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace sg::sessions {

// Python source, and the functions that the graph calls in it.
struct CodeSource {
    std::string file;
    std::string source;
    std::vector<std::string> functions;
    std::vector<std::string> channels = {}; // of the graphs that name the file; empty: keys are not looked at
    std::vector<std::string> updating = {}; // functions whose results are written to channels
    std::vector<std::string> reading = {}; // functions whose first argument holds the channels
};

// A fault as Python reports it, in a few lines of valid UTF-8.
struct CodeFault {
    std::int64_t line = 0; // 0: no single line
    std::int64_t column = 0; // 0: unknown
    std::string message; // "SyntaxError: invalid syntax"
    std::string text; // of that line, may be empty
    std::string channel = {}; // a key that the state lacks and the code uses; empty: something else is wrong
};

// Compiles each source without executing it and returns its faults, in the order of `sources`. The sandbox
// has nothing else in it and is gone when this returns. Errc::Unavailable: no sandbox can be started; other
// errors are those of SandboxBackend::start() and RunnerLink::ask().
Result<std::vector<std::vector<CodeFault>>> checkSyntax(sandbox::SandboxBackend& backend,
                                                        const sandbox::SandboxSpec& spec,
                                                        const std::vector<CodeSource>& sources,
                                                        std::chrono::milliseconds timeout);

} // namespace sg::sessions
