#include "core/models/chunk_filter.h"

#include "core/base/json.h"

#include <utility>

namespace sg::models {
namespace {

constexpr const char* kContent = "content";
constexpr const char* kCalls = "tool_call_chunks";

bool isWhole(const Value& key) // fields of a block that come at once
{
    return key == Value("type") || key == Value("id") || key == Value("name");
}

} // namespace

std::string ChunkFilter::Place::key() const
{
    return (isCall ? "call " : "block ") + toJson(index) + " " + field;
}

ChunkFilter::ChunkFilter(ChunkSink sink)
    : m_sink(std::move(sink))
{
}

void ChunkFilter::push(const ValueMap& chunk)
{
    if (m_form.empty())
        m_form = chunk;
    ValueMap clean;
    for (const auto& [key, value] : chunk) {
        if (key == Value(kContent) && value.isString()) {
            clean.set(key, cleaned({}, value.asString()));
        } else if ((key == Value(kContent) || key == Value(kCalls)) && value.isList()) {
            ValueList items;
            for (const Value& item : value.asList())
                items.push_back(key == Value(kContent) ? cleanedBlock(item) : cleanedCall(item));
            clean.set(key, Value(std::move(items)));
        } else {
            clean.set(key, valueWithoutSecrets(value));
        }
    }
    if (const Value* position = clean.find("chunk_position"); position != nullptr && !position->isNull())
        addHeld(clean);
    m_sink(std::move(clean));
}

void ChunkFilter::finish()
{
    ValueMap chunk = m_form;
    for (const char* list : { kCalls, "tool_calls", "invalid_tool_calls" })
        chunk.set(list, Value(ValueList()));
    for (const char* map : { "additional_kwargs", "response_metadata" })
        chunk.set(map, Value(ValueMap()));
    for (const char* none : { "usage_metadata", "chunk_position" })
        chunk.set(none, Value());
    const Value* content = m_form.find(kContent);
    chunk.set(kContent, content != nullptr && content->isList() ? Value(ValueList()) : Value(""));
    if (addHeld(chunk))
        m_sink(std::move(chunk));
}

std::string ChunkFilter::cleaned(const Place& place, const std::string& text)
{
    return m_texts.try_emplace(place.key(), Growing{ place, {} }).first->second.filter.push(text);
}

Value ChunkFilter::cleanedBlock(const Value& block)
{
    if (!block.isMap())
        return valueWithoutSecrets(block);
    ValueMap clean;
    for (const auto& [key, value] : block.asMap())
        clean.set(key,
                  value.isString() && key.isString() && !isWhole(key) ? Value(
                      cleaned({ block["index"], key.asString(), block["type"], false }, value.asString()))
                                                                      : valueWithoutSecrets(value));
    return Value(std::move(clean));
}

Value ChunkFilter::cleanedCall(const Value& call)
{
    Value clean = valueWithoutSecrets(call);
    if (call["args"].isString())
        clean.editMap().set("args", cleaned({ call["index"], "args", {}, true }, call["args"].asString()));
    return clean;
}

// Returns false if nothing is held back.
bool ChunkFilter::addHeld(ValueMap& chunk)
{
    bool isAny = false;
    for (auto& [key, growing] : m_texts) {
        const std::string rest = growing.filter.finish();
        if (rest.empty())
            continue;
        isAny = true;
        const Place& place = growing.place;
        if (place.isCall) {
            chunk.at(kCalls).editList().push_back(Value::map({ { "name", {} },
                                                               { "args", rest },
                                                               { "id", {} },
                                                               { "index", place.index },
                                                               { "type", "tool_call_chunk" } }));
        } else if (place.field.empty()) {
            chunk.set(kContent, chunk.at(kContent).asString() + rest);
        } else {
            chunk.at(kContent).editList().push_back(
                Value::map({ { place.field, rest }, { "type", place.type }, { "index", place.index } }));
        }
    }
    return isAny;
}

} // namespace sg::models
