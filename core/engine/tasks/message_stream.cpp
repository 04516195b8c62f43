#include "core/engine/tasks/message_stream.h"

#include "core/base/uuid.h"
#include "core/checkpoint/serde/langgraph_types.h"

#include <functional>
#include <utility>

namespace sg::engine {
namespace {

void visitList(const Value& value, const std::function<void(const Value&)>& visit)
{
    visit(value);
    if (value.isList())
        for (const Value& item : value.asList())
            visit(item);
}

// LangGraph looks as deep as this.
void visitAll(const Value& value, const std::function<void(const Value&)>& visit)
{
    visitList(value, visit);
    if (value.isMap())
        for (const auto& [key, item] : value.asMap())
            visitList(item, visit);
}

void giveId(Value& item, Random& random)
{
    const auto message = checkpoint::asMessage(item);
    if (!message || (*message)["id"].isString())
        return;
    ValueMap map = message->asMap();
    map.set("id", uuidText(uuid4(random)));
    if (auto made = checkpoint::makeMessage(map))
        item = *std::move(made);
}

bool lacksId(const Value& returned)
{
    bool lacks = false;
    visitAll(returned, [&](const Value& item) {
        lacks = lacks || (checkpoint::asMessage(item) && messageId(item).empty());
    });
    return lacks;
}

void giveIds(Value& value, Random& random)
{
    if (value.isList())
        for (Value& item : value.editList())
            giveId(item, random);
    else
        giveId(value, random);
}

} // namespace

std::string messageId(const Value& message)
{
    const auto map = checkpoint::asMessage(message);
    return map ? map->stringOr("id", "") : std::string();
}

void noteMessages(const Value& input, SeenMessages& seen)
{
    visitAll(input, [&seen](const Value& item) {
        if (const std::string id = messageId(item); !id.empty())
            seen.add(id);
    });
}

ValueList newMessages(Value& returned, SeenMessages& seen, Random& random)
{
    const auto command = checkpoint::asCommand(returned);
    if (!command && lacksId(returned)) {
        if (returned.isMap()) {
            ValueMap map = returned.asMap();
            for (const auto& [key, value] : returned.asMap())
                giveIds(map.at(key), random);
            returned = Value(std::move(map));
        } else {
            giveIds(returned, random);
        }
    }
    ValueList found;
    visitAll(command ? command->update : returned, [&](const Value& item) {
        if (checkpoint::asMessage(item) && seen.add(messageId(item)))
            found.push_back(item);
    });
    return found;
}

} // namespace sg::engine
