#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace sg::engine {

// What LangGraph would raise: the type is its class name ("InvalidUpdateError", "ValueError").
struct EngineError {
    std::string type;
    std::string message;
    friend bool operator==(const EngineError&, const EngineError&) = default;
};

template<typename T>
using Outcome = std::variant<T, EngineError>;

template<typename T>
const EngineError* errorOf(const Outcome<T>& outcome)
{
    return std::get_if<EngineError>(&outcome);
}

// LangGraph appends a pointer to its documentation.
inline EngineError invalidUpdate(std::string message, const char* code)
{
    return { "InvalidUpdateError",
             std::move(message)
                 + "\nFor troubleshooting, visit: https://docs.langchain.com/oss/python/langgraph/errors/"
                 + code };
}

} // namespace sg::engine
