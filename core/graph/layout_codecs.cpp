#include "core/graph/codecs.h"

#include <cmath>

// These codecs read and write the layout: positions of cards, and notes.
namespace sg::graph {

namespace {

constexpr double kFarthest = 1e7; // scene units

bool readPosition(const Value& value, const Place& place, Reading& reading, Position& out)
{
    const bool isPair =
        value.isList() && value.asList().size() == 2 && value[0].isNumber() && value[1].isNumber();
    if (!isPair || std::abs(value[0].asDouble()) > kFarthest || std::abs(value[1].asDouble()) > kFarthest) {
        reading.error(place, "bad-position", "a position is [x, y], two numbers of at most 10,000,000");
        return false;
    }
    out = { value[0].asDouble(), value[1].asDouble() };
    return true;
}

Value positionValue(const Position& position)
{
    return Value::list({ NumberCodec::write(position.x), NumberCodec::write(position.y) });
}

// Reads [x, y] or [x, y, "pinned"].
bool readCard(const Value& value, const Place& place, Reading& reading, Position& out)
{
    if (!value.isList() || value.asList().size() != 3)
        return readPosition(value, place, reading, out);
    if (value[2] != Value("pinned")) {
        reading.error(Place(place, 2), "bad-position", "beside a position stands \"pinned\", or nothing");
        return false;
    }
    const bool whole = readPosition(Value::list({ value[0], value[1] }), place, reading, out);
    out.pinned = true;
    return whole;
}

Value cardValue(const Position& position)
{
    Value value = positionValue(position);
    if (position.pinned)
        value.editList().emplace_back("pinned");
    return value;
}

bool readNote(const Value& value, const Place& place, Reading& reading, Note& note)
{
    if (!value.isMap()) {
        reportForm(reading, place, "an object", value);
        return false;
    }
    note.source = value.asMap();
    const auto position = [&](const char* key, Position& out) {
        const Value* found = value.find(key);
        return readPosition(found == nullptr ? Value() : *found, Place(place, key), reading, out);
    };
    const Value* text = value.find("text");
    const Value* frame = value.find("frame");
    return position("at", note.place) && position("size", note.size)
        && (text == nullptr || TextCodec::read(*text, Place(place, "text"), reading, note.text))
        && (frame == nullptr || FlagCodec::read(*frame, Place(place, "frame"), reading, note.frame));
}

} // namespace

bool LayoutCodec::read(const Value& value, const Place& place, Reading& reading, Type& out)
{
    if (!value.isMap()) {
        reportForm(reading, place, "an object of node and [x, y]", value);
        reading.skip(place);
        return false;
    }
    out.clear();
    out.reserve(value.asMap().size());
    for (const auto& [name, position] : value.asMap()) {
        if (name.asString() == kNotes)
            continue;
        Position read;
        if (readCard(position, Place(place, name.asString()), reading, read))
            out.emplace_back(name.asString(), read);
    }
    return true;
}

bool LayoutCodec::isPlace(const Value& value)
{
    Reading quiet;
    Position read;
    return readCard(value, Place(), quiet, read);
}

Value LayoutCodec::write(const Type& layout)
{
    ValueMap map;
    for (const auto& [node, position] : layout)
        map.set(node.value, cardValue(position));
    return map;
}

bool NotesCodec::read(const Value& value, const Place& place, Reading& reading, Type& out)
{
    constexpr std::size_t kMostNotes = 10'000;
    if (!value.isList()) {
        reportForm(reading, place, "a list of notes", value);
        reading.skip(place);
        return false;
    }
    if (!reading.countElements(place, value.asList().size(), kMostNotes, "notes")) {
        reading.skip(place);
        return false;
    }
    out.clear();
    for (std::size_t i = 0; i < value.asList().size(); ++i) {
        const Place at(place, i);
        Note note;
        if (readNote(value[i], at, reading, note))
            out.push_back(std::move(note));
        else
            reading.skip(at);
    }
    return true;
}

Value NotesCodec::write(const Type& notes)
{
    ValueList list;
    for (const Note& note : notes) {
        ValueMap map = note.source;
        map.set("text", note.text);
        map.set("at", positionValue(note.place));
        map.set("size", positionValue(note.size));
        if (note.frame || map.contains("frame"))
            map.set("frame", note.frame);
        list.emplace_back(std::move(map));
    }
    return list;
}

} // namespace sg::graph
