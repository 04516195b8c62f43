#pragma once

#include "core/agents/agent_messages.h"

#include <optional>
#include <string>

namespace sg::agents {

// The ways in which a model is made to answer by a JSON Schema.
enum class OutputWay {
    Tool, // by calling a tool of that name, LangChain's ToolStrategy
    Provider, // by the wire's own response_format, LangChain's ProviderStrategy
};

struct OutputSchema {
    OutputWay way = OutputWay::Tool;
    std::string name; // of the tool, and of the schema on the wire
    Value schema; // null: any text
};

// The outcome of an answer by the tool: the messages to be stored after the model's, and the answer.
struct OutputReading {
    ValueList messages;
    std::optional<Value> answer;
    bool isWrong = false; // it was called, and the answer is none
};
// Reads the calls of the output tool. Nothing is added where it was not called.
OutputReading readOutput(const OutputSchema& schema, const ValueList& calls);

} // namespace sg::agents
