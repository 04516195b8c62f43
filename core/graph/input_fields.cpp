#include "core/graph/input_fields.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace sg::graph {
namespace {

InputType typeOfReducer(Reducer reducer)
{
    switch (reducer) {
    case Reducer::Add:
    case Reducer::Max:
    case Reducer::Min:
    case Reducer::Mul: return InputType::Number;
    case Reducer::Append:
    case Reducer::Union: return InputType::List;
    case Reducer::Concat: return InputType::Text;
    case Reducer::Merge: return InputType::Object;
    case Reducer::AddMessages: // a text is what a person says; messages are given as JSON
    case Reducer::Last: break;
    }
    return InputType::Any;
}

bool isGivenByRuns(const Channel& channel)
{
    switch (channel.type) {
    case ChannelType::LastValue:
    case ChannelType::Reduce:
    case ChannelType::Topic:
    case ChannelType::Untracked:
    case ChannelType::AnyValue:
    case ChannelType::Delta: return true;
    case ChannelType::Ephemeral:
    case ChannelType::RemainingSteps:
    case ChannelType::IsLastStep: break;
    }
    return false;
}

InputField fieldOf(const Channel& channel)
{
    InputField field;
    field.channel = channel.name;
    const bool isReduced = channel.type == ChannelType::Reduce || channel.type == ChannelType::Delta;
    field.collects = channel.type == ChannelType::Topic || (isReduced && channel.reducer != Reducer::Last);
    if (field.collects)
        field.type = channel.type == ChannelType::Topic ? InputType::List : typeOfReducer(channel.reducer);
    if (field.type == InputType::Any && channel.hasDefault)
        field.type = inputTypeOf(channel.defaultValue);
    // Other channels do not begin with theirs: it only tells the type.
    field.hasDefault = isReduced && channel.hasDefault && !channel.defaultValue.isNull();
    field.defaultValue = field.hasDefault ? channel.defaultValue : Value();
    return field;
}

Value schemaOf(InputType type)
{
    switch (type) {
    case InputType::Any: return Value(ValueMap{});
    case InputType::Text: return Value::map({ { "type", "string" } });
    case InputType::Number: return Value::map({ { "type", "number" } });
    case InputType::Integer: return Value::map({ { "type", "integer" } });
    case InputType::Flag: return Value::map({ { "type", "boolean" } });
    case InputType::List: return Value::map({ { "type", "array" }, { "items", Value(ValueMap{}) } });
    case InputType::Object: return Value::map({ { "type", "object" } });
    }
    return Value(ValueMap{});
}

} // namespace

Value inputSchema(const Graph& graph)
{
    ValueMap properties;
    ValueList required;
    for (const InputField& field : inputFields(graph)) {
        Value schema = schemaOf(field.type);
        if (field.hasDefault)
            schema.editMap().set("default", field.defaultValue);
        properties.set(field.channel, std::move(schema));
        if (field.isDeclared && !field.hasDefault && !field.collects)
            required.emplace_back(field.channel);
    }
    ValueMap schema{ { "type", "object" }, { "properties", Value(std::move(properties)) } };
    if (!required.empty())
        schema.set("required", Value(std::move(required)));
    return Value(std::move(schema));
}

InputType inputTypeOf(const Value& value)
{
    if (value.isString())
        return InputType::Text;
    if (value.isInt())
        return InputType::Integer;
    if (value.isNumber())
        return InputType::Number;
    if (value.isBool())
        return InputType::Flag;
    if (value.isList())
        return InputType::List;
    return value.isMap() ? InputType::Object : InputType::Any;
}

std::vector<InputField> inputFields(const Graph& graph)
{
    std::vector<InputField> fields;
    for (const Channel& channel : graph.channels) {
        if (!isGivenByRuns(channel))
            continue;
        fields.push_back(fieldOf(channel));
        fields.back().isDeclared =
            graph.input && std::ranges::find(*graph.input, channel.name) != graph.input->end();
        const Value* example = graph.inputExample.isMap() ? graph.inputExample.find(channel.name) : nullptr;
        fields.back().hasExample = example != nullptr;
        fields.back().example = example != nullptr ? *example : Value();
    }
    std::stable_partition(fields.begin(), fields.end(), std::mem_fn(&InputField::isDeclared));
    return fields;
}

bool lacksInput(const Graph& graph, const ValueMap& input)
{
    return input.empty() && graph.input && !graph.input->empty();
}

} // namespace sg::graph
