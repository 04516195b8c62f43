#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

// The input that a run can be given: one field a channel, for forms.
namespace sg::graph {

// The type of a field's values, as far as the graph tells it.
enum class InputType { Any, Text, Number, Integer, Flag, List, Object };

struct InputField {
    std::string channel;
    InputType type = InputType::Any;
    bool isDeclared = false; // in the graph's "input": a run is expected to give it
    bool collects = false; // what is given is added to what the thread has
    bool hasDefault = false;
    Value defaultValue;
    bool hasExample = false; // in the graph's "input_example"
    Value example;
    friend bool operator==(const InputField&, const InputField&) = default;
};

// Declared ones first, then the others, each in the order of the file. Channels that the engine itself keeps
// are left out, and those that only live for a step.
std::vector<InputField> inputFields(const Graph& graph);
// Tells whether a run on a new thread is expected to be given something that it was not.
bool lacksInput(const Graph& graph, const ValueMap& input);
// The fields as a JSON Schema of an object, for what models and other programs call.
Value inputSchema(const Graph& graph);
InputType inputTypeOf(const Value& value); // Any: null, or nothing that JSON can say

} // namespace sg::graph
