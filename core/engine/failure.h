#pragma once

#include "core/base/value.h"

#include <string>
#include <utility>
#include <variant>

namespace sg::engine {

// An error as LangGraph would raise it: the type is its class name ("InvalidUpdateError", "ValueError").
struct Failure {
    std::string type;
    std::string message; // one line, for people
    std::string detail = {}; // traceback or more, may be empty
    bool retryable = true; // false: never retried, whatever the policy (stopped, sandbox not available)
    std::string repr = {}; // "ValueError('boom')", as stored; empty: made from type and message
    Value raised = {}; // for the error handler's body, which may rebuild the exception from it
};

// A failure that is not tried again, unless it says so.
inline Failure failed(std::string type, std::string message, std::string detail = {},
                      bool isRetryable = false)
{
    return { .type = std::move(type),
             .message = std::move(message),
             .detail = std::move(detail),
             .retryable = isRetryable };
}

template<typename T>
using Outcome = std::variant<T, Failure>;

template<typename T>
const Failure* errorOf(const Outcome<T>& outcome)
{
    return std::get_if<Failure>(&outcome);
}

// LangGraph appends a pointer to its documentation.
inline Failure invalidUpdate(std::string message, const char* code)
{
    return { "InvalidUpdateError",
             std::move(message)
                 + "\nFor troubleshooting, visit: https://docs.langchain.com/oss/python/langgraph/errors/"
                 + code };
}

} // namespace sg::engine
