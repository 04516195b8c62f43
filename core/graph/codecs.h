#pragma once

#include "core/graph/graph.h"
#include "core/graph/reading.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

// Reads and writes one kind of value in the file. read() reports a wrong form and leaves `out` unchanged.
namespace sg::graph {

// "expected a list of names, not a number"
void reportForm(Reading& reading, const Place& place, const char* expected, const Value& found);

struct TextCodec {
    using Type = std::string;
    static bool read(const Value& value, const Place& place, Reading& reading, Type& out);
    static Value write(const Type& text) { return text; }
};

struct NodeIdCodec {
    using Type = NodeId;
    static bool read(const Value& value, const Place& place, Reading& reading, Type& out);
    static Value write(const Type& id) { return id.value; }
};

struct FlagCodec {
    using Type = bool;
    static bool read(const Value& value, const Place& place, Reading& reading, Type& out);
    static Value write(const Type& flag) { return flag; }
};

struct CountCodec {
    using Type = int;
    static bool read(const Value& value, const Place& place, Reading& reading, Type& out);
    static Value write(const Type& count) { return count; }
};

struct LongCodec {
    using Type = std::int64_t;
    static bool read(const Value& value, const Place& place, Reading& reading, Type& out);
    static Value write(const Type& count) { return count; }
};

// Writes a whole number without a fraction.
struct NumberCodec {
    using Type = double;
    static bool read(const Value& value, const Place& place, Reading& reading, Type& out);
    static Value write(const Type& number);
};

struct NamesCodec {
    using Type = std::vector<std::string>;
    static bool read(const Value& value, const Place& place, Reading& reading, Type& out);
    static Value write(const Type& names);
};

// Reads a list of requirements, or a file's path.
struct RequirementsCodec {
    using Type = Requirements;
    static bool read(const Value& value, const Place& place, Reading& reading, Type& out);
    static Value write(const Type& requirements);
};

// Reads a list of node names, or "*".
struct InterruptsCodec {
    using Type = std::vector<std::string>;
    static bool read(const Value& value, const Place& place, Reading& reading, Type& out);
    static Value write(const Type& names);
};

struct ChannelTypeCodec {
    using Type = ChannelType;
    static bool read(const Value& value, const Place& place, Reading& reading, Type& out);
    static Value write(const Type& type) { return channelTypeName(type); }
};

struct ReducerCodec {
    using Type = Reducer;
    static bool read(const Value& value, const Place& place, Reading& reading, Type& out);
    static Value write(const Type& reducer) { return reducerName(reducer); }
};

// "full", "delta"
struct ChannelStorageCodec {
    using Type = ChannelStorage;
    static bool read(const Value& value, const Place& place, Reading& reading, Type& out);
    static Value write(const Type& storage) { return storage == ChannelStorage::Delta ? "delta" : "full"; }
};

// Reads null, true or false.
struct CheckpointerCodec {
    using Type = Checkpointer;
    static bool read(const Value& value, const Place& place, Reading& reading, Type& out);
    static Value write(const Type& checkpointer);
};

// Reads {label: node}, or a list of node names that are their own labels.
struct TargetsCodec {
    using Type = std::vector<std::pair<std::string, NodeId>>;
    static bool read(const Value& value, const Place& place, Reading& reading, Type& out);
    static Value write(const Type& targets);
};

// Reads [from, to] or [[from, …], to].
struct EdgeCodec {
    using Type = Edge;
    static bool read(const Value& value, const Place& place, Reading& reading, Type& out);
    static Value write(const Type& edge);
};

// {"before": {node: program}, "after": {node: program}}
struct ConditionsCodec {
    using Type = BreakConditions;
    static bool read(const Value& value, const Place& place, Reading& reading, Type& out);
    static Value write(const Type& conditions);
};

// Reads [{"text": text, "at": [x, y], "size": [width, height], "frame": flag}, …]; skips what is no note.
struct NotesCodec {
    using Type = std::vector<Note>;
    static bool read(const Value& value, const Place& place, Reading& reading, Type& out);
    static Value write(const Type& notes);
};

// Reads {node: [x, y]}; skips the notes, which are in the same object, and values that are no positions.
struct LayoutCodec {
    using Type = std::vector<std::pair<NodeId, Position>>;
    static bool isPlace(const Value& value);
    static bool read(const Value& value, const Place& place, Reading& reading, Type& out);
    static Value write(const Type& layout);
};

// Reads an object of settings, or null.
struct SettingsCodec {
    using Type = Value;
    static bool read(const Value& value, const Place& place, Reading& reading, Type& out);
    static Value write(const Type& settings) { return settings; }
};

// Reads null as nullopt.
template<typename Codec>
struct OptionalCodec {
    using Type = std::optional<typename Codec::Type>;
    static bool read(const Value& value, const Place& place, Reading& reading, Type& out)
    {
        typename Codec::Type held{};
        if (!value.isNull() && !Codec::read(value, place, reading, held))
            return false;
        out = value.isNull() ? Type() : Type(std::move(held));
        return true;
    }
    static Value write(const Type& value) { return value ? Codec::write(*value) : Value(); }
};

} // namespace sg::graph
