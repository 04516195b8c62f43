#include "core/engine/channels/messages.h"

#include "core/base/json.h"
#include "core/base/msgpack.h"
#include "core/base/uuid.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/engine/errors/python_text.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sg::engine {
namespace {

constexpr const char* kRemoveAll = "__remove_all__";

struct Message {
    Value value; // as stored
    std::string id;
    bool removes = false;
};

std::string typeOfRole(const std::string& role)
{
    if (role == "user")
        return "human";
    if (role == "assistant")
        return "ai";
    if (role == "developer")
        return "system";
    return role;
}

// Reads OpenAI's form, too: {"id", "type": "function", "function": {"name", "arguments": JSON text}}.
Outcome<Value> toolCall(const Value& call)
{
    const Value* function = call.isMap() ? call.find("function") : nullptr;
    Value args = function != nullptr ? (*function)["arguments"] : call["args"];
    if (function != nullptr && args.isString()) {
        auto parsed = parseJson(args.asString());
        if (!parsed)
            return Failure{ "JSONDecodeError",
                            "the arguments of a tool call are not JSON: " + parsed.error().message };
        args = *std::move(parsed);
    }
    return Value::map({ { "name", (function != nullptr ? *function : call)["name"] },
                        { "args", std::move(args) },
                        { "id", call["id"] },
                        { "type", "tool_call" } });
}

Outcome<Value> toolCalls(const Value& calls)
{
    if (!calls.isList())
        return calls;
    ValueList out;
    for (const Value& call : calls.asList()) {
        auto made = toolCall(call);
        if (const Failure* error = errorOf(made))
            return *error;
        out.push_back(std::get<Value>(std::move(made)));
    }
    return Value(std::move(out));
}

// Tells whether LangChain's constructor takes the key itself; it puts the others into additional_kwargs.
bool isOwnField(const std::string& key, const std::string& type)
{
    return key == "id" || key == "name" || key == "tool_call_id" || key == "response_metadata"
        || (type == "tool" && (key == "artifact" || key == "status"))
        || (type == "human" && key == "example");
}

// Does what langchain_core.messages.utils._create_message_from_message_type does up to the constructor.
Outcome<ValueMap> created(const std::string& role, const Value& content, const ValueMap& rest)
{
    const std::string type = typeOfRole(role);
    ValueMap map{ { "content", content }, { "type", Value(type) } };
    ValueMap additional;
    ValueMap given;
    for (const auto& [key, item] : rest) {
        const std::string name = key.isString() ? key.asString() : std::string(); // no field is called ""
        if (name == "tool_calls") {
            auto calls = toolCalls(item);
            if (const Failure* error = errorOf(calls))
                return *error;
            map.set(key, std::get<Value>(std::move(calls)));
        } else if (name == "additional_kwargs" && item.isMap()) {
            given = item.asMap();
        } else if (isOwnField(name, type)) {
            map.set(key, item);
        } else {
            additional.set(key, item);
        }
    }
    for (const auto& [key, item] : given)
        additional.set(key, item);
    if (role == "developer")
        additional.set("__openai_role__", Value("developer"));
    if (!additional.empty())
        map.set("additional_kwargs", Value(std::move(additional)));
    return map;
}

Outcome<ValueMap> mapOf(const Value& value)
{
    const Value plain = asStored(value); // ("user", "hello") is a message like ["user", "hello"]
    if (plain.isString())
        return ValueMap{ { "content", plain }, { "type", "human" } };
    if (plain.isList() && plain.asList().size() == 2 && plain[0].isString())
        return created(plain[0].asString(), plain[1], {});
    if (!plain.isMap())
        return Failure{ "NotImplementedError", "Unsupported message type: " + pythonTypeName(plain) };
    const Value* role = plain.find("role") != nullptr ? plain.find("role") : plain.find("type");
    if (role == nullptr || !role->isString() || plain.find("content") == nullptr)
        return Failure{ "ValueError",
                        "Message dict must contain 'role' and 'content' keys, got " + pythonRepr(plain) };
    ValueMap rest = plain.asMap();
    const std::string type = role->asString();
    rest.erase(plain.find("role") != nullptr ? "role" : "type");
    rest.erase("content");
    return created(type, pythonTruth(plain["content"]) ? plain["content"] : Value(""), rest);
}

Outcome<Message> toMessage(const Value& value, Random& random)
{
    if (const auto stored = checkpoint::asMessage(value)) {
        Message message{ value, stored->stringOr("id", ""), stored->stringOr("type", "") == "remove" };
        if ((*stored)["id"].isString())
            return message;
        ValueMap map = stored->asMap();
        message.id = uuidText(uuid4(random));
        map.set("id", Value(message.id));
        if (auto made = checkpoint::makeMessage(map))
            message.value = *std::move(made);
        return message;
    }
    auto plain = mapOf(value);
    if (const Failure* error = errorOf(plain))
        return *error;
    ValueMap& map = std::get<ValueMap>(plain);
    Message message;
    const Value* id = map.find("id");
    message.id = id != nullptr && id->isString() ? id->asString() : uuidText(uuid4(random));
    map.set("id", Value(message.id));
    message.removes = map.find("type")->asString() == "remove";
    auto made = checkpoint::makeMessage(map);
    if (!made)
        return Failure{ "ValueError",
                        "Unexpected message type: '" + map.find("type")->asString()
                            + "'. Use one of 'human', 'user', 'ai', 'assistant', 'function', "
                              "'tool', 'system', or 'developer'." };
    message.value = *std::move(made);
    return message;
}

Outcome<std::vector<Message>> toMessages(const Value& value, Random& random)
{
    std::vector<Message> messages;
    const ValueList single{ value };
    for (const Value& item : value.isList() ? value.asList() : single) {
        auto message = toMessage(item, random);
        if (const Failure* error = errorOf(message))
            return *error;
        messages.push_back(std::get<Message>(std::move(message)));
    }
    return messages;
}

// Returns a message's id, null if it is yet to get one, or nullopt if this is no message or removes one.
std::optional<Value> givenId(const Value& item)
{
    const auto stored = checkpoint::asMessage(item);
    const Value& message = stored ? *stored : item;
    if (message.isString() || message.isList() || asStored(message).isList())
        return Value();
    if (!message.isMap() || message.stringOr("type", "") == "remove"
        || message.stringOr("role", "") == "remove")
        return std::nullopt;
    return message["id"].isString() ? message["id"] : Value();
}

// Tells whether add_messages would append every message of the write.
bool areNew(const Value& write, const MessageIds& known)
{
    std::unordered_set<std::string> ids;
    const ValueList single{ write };
    for (const Value& item : write.isList() ? write.asList() : single) {
        const auto id = givenId(item);
        if (!id)
            return false;
        if (id->isString() && (known.contains(id->asString()) || !ids.insert(id->asString()).second))
            return false;
    }
    return true;
}

std::optional<Failure> mergeInto(std::vector<Message>& merged, std::vector<Message>& right)
{
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < merged.size(); ++i)
        places[merged[i].id] = i;
    std::unordered_set<std::string> removed;
    for (Message& message : right) {
        const auto found = places.find(message.id);
        if (found == places.end()) {
            if (message.removes)
                return Failure{ "ValueError",
                                "Attempting to delete a message with an ID that doesn't exist ('" + message.id
                                    + "')" };
            places.emplace(message.id, merged.size());
            merged.push_back(std::move(message));
        } else if (message.removes) {
            removed.insert(message.id);
        } else {
            removed.erase(message.id);
            merged[found->second] = std::move(message);
        }
    }
    std::erase_if(merged, [&removed](const Message& message) { return removed.contains(message.id); });
    return std::nullopt;
}

} // namespace

bool appendNewMessages(Value& list, const Value& write, Random& random, const MessageIds& ids)
{
    if (!ids.areKnown(list) || !areNew(write, ids))
        return false;
    auto messages = toMessages(write, random);
    if (errorOf(messages) != nullptr)
        return false;
    ValueList& items = list.editList();
    for (Message& message : std::get<std::vector<Message>>(messages))
        items.push_back(std::move(message.value));
    return true;
}

std::optional<Failure> addMessages(Value& value, const Value& write, Random& random, MessageIds& ids)
{
    if (ids.areKnown(value) && areNew(write, ids)) {
        auto messages = toMessages(write, random);
        if (const Failure* error = errorOf(messages))
            return *error;
        ValueList& items = value.editList();
        for (Message& message : std::get<std::vector<Message>>(messages)) {
            items.push_back(std::move(message.value));
            ids.add(std::move(message.id));
        }
        return std::nullopt;
    }
    ids.forget();
    auto left = toMessages(value, random);
    if (const Failure* error = errorOf(left))
        return *error;
    auto right = toMessages(write, random);
    if (const Failure* error = errorOf(right))
        return *error;
    auto& merged = std::get<std::vector<Message>>(left);
    auto& added = std::get<std::vector<Message>>(right);
    const auto removeAll = std::find_if(added.rbegin(), added.rend(), [](const Message& message) {
        return message.removes && message.id == kRemoveAll;
    });
    if (removeAll != added.rend()) {
        merged.assign(std::make_move_iterator(removeAll.base()), std::make_move_iterator(added.end()));
    } else if (auto error = mergeInto(merged, added)) {
        return error;
    }
    ValueList out;
    out.reserve(merged.size());
    for (Message& message : merged) {
        out.push_back(std::move(message.value));
        ids.add(std::move(message.id)); // equal ids count once, so areKnown() is false then
    }
    value = Value(std::move(out));
    return std::nullopt;
}

Value withMessageIds(const Value& write, Random& random)
{
    if (const auto payload = checkpoint::asOverwrite(write))
        return payload->isList() ? checkpoint::makeOverwrite(withMessageIds(*payload, random)) : write;
    if (!write.isList()) {
        auto message = toMessage(write, random);
        return errorOf(message) != nullptr ? write : std::get<Message>(std::move(message)).value;
    }
    ValueList out;
    out.reserve(write.asList().size());
    for (const Value& item : write.asList()) {
        auto message = toMessage(item, random);
        out.push_back(errorOf(message) != nullptr ? item : std::get<Message>(std::move(message)).value);
    }
    return Value(std::move(out));
}

} // namespace sg::engine
