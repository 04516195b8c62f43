#include "core/exchange/python_state.h"

#include <algorithm>

namespace sg::exchange {
namespace {

using graph::Channel;
using graph::ChannelType;
using graph::Reducer;

std::string zeroType(const Value& value)
{
    switch (value.kind()) {
    case Value::Kind::Bool: return "bool";
    case Value::Kind::Int:
    case Value::Kind::Unsigned: return "int";
    case Value::Kind::Double: return "float";
    case Value::Kind::String: return "str";
    case Value::Kind::List: return "list";
    case Value::Kind::Map: return "dict";
    case Value::Kind::Null:
    case Value::Kind::Bytes:
    case Value::Kind::Ext: break;
    }
    return "Any";
}

bool isZero(const Value& value)
{
    return value == Value(false) || value == Value(0) || value == Value(0.0) || value == Value("")
        || value == Value(ValueList()) || value == Value(ValueMap());
}

std::string typeOf(const Channel& channel)
{
    if (channel.hasDefault)
        return zeroType(channel.defaultValue);
    switch (channel.reducer) {
    case Reducer::Add:
    case Reducer::Max:
    case Reducer::Min:
    case Reducer::Mul: return "int";
    case Reducer::Append:
    case Reducer::Union:
    case Reducer::AddMessages: return "list";
    case Reducer::Concat: return "str";
    case Reducer::Merge: return "dict";
    case Reducer::Last: break;
    }
    return "Any";
}

bool startsFull(const Channel& channel)
{
    return channel.hasDefault && !channel.defaultValue.isNull() && !isZero(channel.defaultValue);
}

bool storesChanges(const Channel& channel)
{
    return channel.type == ChannelType::Delta
        || (channel.type == ChannelType::Reduce && channel.storage == graph::ChannelStorage::Delta
            && graph::maySaveChanges(channel));
}

// A class body would turn "__x" into "_State__x".
bool fitsClass(const std::vector<std::string>& keys)
{
    return std::ranges::all_of(
        keys, [](const std::string& key) { return isPythonName(key) && !key.starts_with("__"); });
}

} // namespace

PythonState::PythonState(const graph::Graph& graph, ProjectParts& parts, PythonModule& module,
                         PythonNames& names)
    : m_graph(graph)
    , m_parts(parts)
    , m_module(module)
    , m_names(names)
{
}

std::vector<std::string> PythonState::allKeys() const
{
    std::vector<std::string> keys;
    for (const Channel& channel : m_graph.channels)
        keys.push_back(channel.name);
    return keys;
}

std::string PythonState::addSchema(const std::string& wantedName, const std::vector<std::string>& keys)
{
    std::string name = m_names.take(wantedName);
    const std::string base = m_module.from("typing", "TypedDict");
    std::string fields;
    const bool isClass = fitsClass(keys);
    for (const std::string& key : keys)
        if (const Channel* channel = m_graph.findChannel(key))
            fields += "    " + (isClass ? key : pythonText(key)) + ": " + annotation(*channel)
                + (isClass ? "\n" : ",\n");
    if (isClass)
        m_module.addDefinition("class " + name + "(" + base + "):\n"
                               + (fields.empty() ? "    pass\n" : fields));
    else
        m_module.addLine(name + " = " + base + "(" + pythonText(name) + ", {\n" + fields + "})");
    return name;
}

std::string PythonState::annotation(const Channel& channel)
{
    const auto any = [this] { return m_module.from("typing", "Any"); };
    const auto annotated = [this](const std::string& type, const std::string& with) {
        return m_module.from("typing", "Annotated") + "[" + type + ", " + with + "]";
    };
    const auto guarded = [&](const char* name) {
        return annotated(any(),
                         m_module.from("langgraph.channels", name)
                             + "(Any, guard=" + (channel.guard ? "True" : "False") + ")");
    };
    if (storesChanges(channel) && !startsFull(channel))
        return annotated("list", changes(channel));
    switch (channel.type) {
    case ChannelType::LastValue: return any();
    case ChannelType::Reduce:
        if (storesChanges(channel))
            m_parts.notes.push_back(
                "Channel `" + channel.name
                + "` starts with a value, which a DeltaChannel cannot: its whole value is in "
                  "every checkpoint.");
        return annotated(typeOf(channel) == "Any" ? any() : typeOf(channel), reduced(channel));
    case ChannelType::Topic:
        return annotated("list",
                         m_module.from("langgraph.channels", "Topic") + "(" + any()
                             + ", accumulate=" + (channel.accumulate ? "True" : "False") + ")");
    case ChannelType::Ephemeral: return guarded("EphemeralValue");
    case ChannelType::Untracked: return guarded("UntrackedValue");
    case ChannelType::AnyValue:
        return annotated(any(), m_module.from("langgraph.channels", "AnyValue") + "(Any)");
    case ChannelType::RemainingSteps: return m_module.from("langgraph.managed", "RemainingSteps");
    case ChannelType::IsLastStep: return m_module.from("langgraph.managed", "IsLastStep");
    case ChannelType::Delta: break;
    }
    return any();
}

std::string PythonState::own(const std::string& reducer)
{
    return m_parts.use(m_module, "reducers", reducer);
}

std::string PythonState::changes(const Channel& channel)
{
    const bool messages = channel.type == ChannelType::Reduce && channel.reducer == Reducer::AddMessages;
    const std::string reducer =
        messages ? m_module.from("langgraph.graph.message", "_messages_delta_reducer") : own("extend");
    return m_module.from("langgraph.channels.delta", "DeltaChannel") + "(" + reducer
        + (channel.snapshotFrequency == 100
               ? ""
               : ", snapshot_frequency=" + std::to_string(channel.snapshotFrequency))
        + ")";
}

std::string PythonState::reduced(const Channel& channel)
{
    const std::string reducer = [&]() -> std::string {
        switch (channel.reducer) {
        case Reducer::Add:
        case Reducer::Append:
        case Reducer::Concat: m_module.import("operator"); return "operator.add";
        case Reducer::Mul: m_module.import("operator"); return "operator.mul";
        case Reducer::Merge: m_module.import("operator"); return "operator.or_";
        case Reducer::Max: return own("largest");
        case Reducer::Min: return own("smallest");
        case Reducer::Union: return own("union");
        case Reducer::Last: return own("last");
        case Reducer::AddMessages: return m_module.from("langgraph.graph.message", "add_messages");
        }
        return {};
    }();
    if (!startsFull(channel))
        return reducer;
    // LangGraph makes the first value by calling this type.
    return m_module.from("langgraph.channels", "BinaryOperatorAggregate")
        + "(lambda: " + pythonLiteral(channel.defaultValue) + ", " + reducer + ")";
}

} // namespace sg::exchange
