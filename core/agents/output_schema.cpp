#include "core/agents/output_schema.h"

#include "core/engine/errors/python_text.h"
#include "core/models/json_schema.h"

#include <utility>
#include <vector>

namespace sg::agents {

OutputReading readOutput(const OutputSchema& schema, const ValueList& calls)
{
    std::vector<ToolCall> given;
    for (const Value& each : calls)
        if (auto call = asToolCall(each); call && call->name == schema.name)
            given.push_back(std::move(*call));
    OutputReading reading;
    if (given.empty())
        return reading;
    if (given.size() > 1) {
        std::string names;
        for (const ToolCall& call : given)
            names += (names.empty() ? "" : ", ") + call.name;
        for (const ToolCall& call : given)
            reading.messages.push_back(
                toolMessage(call,
                            toolErrorText("Model incorrectly returned multiple structured responses (" + names
                                          + ") when only one is expected.")));
        reading.isWrong = true;
        return reading;
    }
    const ToolCall& call = given.front();
    if (const auto mismatch = models::schemaMismatch(schema.schema, call.args)) {
        reading.messages.push_back(toolMessage(call,
                                               toolErrorText("Failed to parse structured output for tool '"
                                                             + call.name + "': " + *mismatch + ".")));
        reading.isWrong = true;
        return reading;
    }
    reading.messages.push_back(
        toolMessage(call, "Returning structured response: " + engine::pythonRepr(call.args)));
    reading.answer = call.args;
    return reading;
}

} // namespace sg::agents
