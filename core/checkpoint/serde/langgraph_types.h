#pragma once

#include "core/base/value.h"

#include <optional>
#include <string>
#include <string_view>

// These are the LangGraph objects that the engine must understand, as the Ext values that LangGraph itself
// stores. The as… functions return nullopt for anything else, hostile payloads included.
namespace sg::checkpoint {

struct SendView {
    std::string node;
    Value arg;
    std::optional<Value> timeout;
};
Value makeSend(std::string_view node, const Value& arg);
std::optional<SendView> asSend(const Value& value);
// Returns the node of a Send that asSend() accepts, without building its argument. `value` must outlive it.
std::optional<std::string_view> sendNode(const Value& value);

struct InterruptView {
    Value value;
    std::string id;
    Value responseSchema;
};
Value makeInterrupt(const Value& value, std::string_view id);
std::optional<InterruptView> asInterrupt(const Value& value);

struct CommandView {
    Value graph; // null, "__parent__" or a name
    Value update; // null, a map, or a list of [channel, value]
    Value resume; // null: none
    Value goTo = Value(ValueList()); // text, Send, or a list of them
};
Value makeCommand(const CommandView& command);
std::optional<CommandView> asCommand(const Value& value);

// An Overwrite replaces a reduced channel's value. asOverwrite() also takes the plain forms {"__overwrite__":
// v} and {"type": "__overwrite__", "value": v}.
Value makeOverwrite(const Value& value);
std::optional<Value> asOverwrite(const Value& value);

// Python's set (frozenset is read, too). The items keep their order and are unique.
Value makeSet(ValueList items);
std::optional<ValueList> asSet(const Value& value);

// Returns a LangChain message as its map {"content", …, "type", "name", …}; RemoveMessage has type "remove".
std::optional<Value> asMessage(const Value& value);
// Makes a message of such a map, with LangChain's key order and its defaults for missing keys. nullopt if
// "type" is none of human, ai, system, tool, function, chat, remove and their …MessageChunk forms (which
// become whole messages).
std::optional<Value> makeMessage(const ValueMap& message);

// Returns the whole value in a _DeltaSnapshot, which stands for a channel that is stored as changes.
std::optional<Value> asDeltaSnapshot(const Value& value);

} // namespace sg::checkpoint
