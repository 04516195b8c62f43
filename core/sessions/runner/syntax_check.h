#pragma once

#include "core/base/result.h"
#include "core/sandbox/sandbox.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace sg::sessions {

// Python source, and which functions the graph calls in it.
struct CodeSource {
    std::string file;
    std::string source;
    std::vector<std::string> functions;
};

// As Python says it, in a few lines of valid UTF-8.
struct CodeFault {
    std::int64_t line = 0; // 0: no single line
    std::int64_t column = 0; // 0: unknown
    std::string message; // "SyntaxError: invalid syntax"
    std::string text; // of that line, may be empty
};

// What is wrong with each source, in their order: compiled and not executed, in a sandbox that has nothing
// but them and is gone when this returns. Errc::Unavailable where there can be none; otherwise as
// SandboxBackend::start() and RunnerLink::ask().
Result<std::vector<std::vector<CodeFault>>> checkSyntax(sandbox::SandboxBackend& backend,
                                                        const sandbox::SandboxSpec& spec,
                                                        const std::vector<CodeSource>& sources,
                                                        std::chrono::milliseconds timeout);

} // namespace sg::sessions
