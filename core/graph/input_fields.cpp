#include "core/graph/input_fields.h"

#include <algorithm>
#include <functional>

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

} // namespace

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
