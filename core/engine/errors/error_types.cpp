#include "core/engine/errors/error_types.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sg::engine {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 44> kParents{ {
    { "ConnectionError", "OSError" },
    { "BrokenPipeError", "ConnectionError" },
    { "ConnectionAbortedError", "ConnectionError" },
    { "ConnectionRefusedError", "ConnectionError" },
    { "ConnectionResetError", "ConnectionError" },
    { "BlockingIOError", "OSError" },
    { "ChildProcessError", "OSError" },
    { "FileExistsError", "OSError" },
    { "FileNotFoundError", "OSError" },
    { "InterruptedError", "OSError" },
    { "IsADirectoryError", "OSError" },
    { "NotADirectoryError", "OSError" },
    { "PermissionError", "OSError" },
    { "ProcessLookupError", "OSError" },
    { "TimeoutError", "OSError" },
    { "IOError", "OSError" },
    { "EnvironmentError", "OSError" },
    { "UnicodeError", "ValueError" },
    { "UnicodeDecodeError", "UnicodeError" },
    { "UnicodeEncodeError", "UnicodeError" },
    { "UnicodeTranslateError", "UnicodeError" },
    { "JSONDecodeError", "ValueError" },
    { "ValidationError", "ValueError" },
    { "KeyError", "LookupError" },
    { "IndexError", "LookupError" },
    { "ZeroDivisionError", "ArithmeticError" },
    { "OverflowError", "ArithmeticError" },
    { "FloatingPointError", "ArithmeticError" },
    { "ModuleNotFoundError", "ImportError" },
    { "UnboundLocalError", "NameError" },
    { "IndentationError", "SyntaxError" },
    { "TabError", "IndentationError" },
    { "NotImplementedError", "RuntimeError" },
    { "RecursionError", "RuntimeError" },
    { "GraphRecursionError", "RecursionError" },
    { "InvalidNamespaceError", "ValueError" },
    { "BaseException", "" },
    { "KeyboardInterrupt", "BaseException" },
    { "SystemExit", "BaseException" },
    { "GeneratorExit", "BaseException" },
    { "CancelledError", "BaseException" },
    { "Exception", "BaseException" },
    { "StopIteration", "Exception" },
    { "StopAsyncIteration", "Exception" },
} };

std::string_view parentOf(std::string_view type)
{
    for (const auto& [name, parent] : kParents)
        if (name == type)
            return parent;
    return "Exception";
}

// Follows LangGraph's default: an error that is likely to be a bug is not tried again.
bool retriedByDefault(std::string_view type)
{
    if (isError(type, "ConnectionError"))
        return true;
    constexpr std::array<std::string_view, 12> bugs{ "ValueError",         "TypeError",     "ArithmeticError",
                                                     "ImportError",        "LookupError",   "NameError",
                                                     "SyntaxError",        "RuntimeError",  "ReferenceError",
                                                     "StopAsyncIteration", "StopIteration", "OSError" };
    return std::ranges::none_of(bugs, [type](std::string_view bug) { return isError(type, bug); });
}

} // namespace

bool isError(std::string_view type, std::string_view ancestor)
{
    while (!type.empty()) {
        if (type == ancestor)
            return true;
        type = parentOf(type);
    }
    return false;
}

const graph::RetryPolicy* matchingPolicy(const std::vector<graph::RetryPolicy>& policies,
                                         std::string_view type)
{
    if (!isError(type, "Exception"))
        return nullptr;
    for (const graph::RetryPolicy& policy : policies) {
        const bool matches = policy.retryOn.empty()
            ? retriedByDefault(type)
            : std::ranges::any_of(policy.retryOn,
                                  [type](const std::string& on) { return isError(type, on); });
        if (matches)
            return &policy;
    }
    return nullptr;
}

} // namespace sg::engine
