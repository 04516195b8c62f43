#include "core/nodes/jq_result.h"

#include "core/checkpoint/serde/langgraph_types.h"

namespace sg::nodes {
namespace {

const Value* onlyKey(const Value& value, std::string_view key)
{
    return value.isMap() && value.asMap().size() == 1 ? value.find(key) : nullptr;
}

Value commandOf(const Value& plain)
{
    checkpoint::CommandView command;
    command.update = plain["update"];
    command.resume = plain["resume"];
    if (const Value* goTo = plain.find("goto"))
        command.goTo = withLangGraphObjects(*goTo);
    command.graph = plain["graph"] == Value("parent") ? Value("__parent__") : plain["graph"];
    return checkpoint::makeCommand(command);
}

} // namespace

Value withLangGraphObjects(const Value& result)
{
    if (result.isList()) {
        ValueList items;
        for (const Value& item : result.asList())
            items.push_back(withLangGraphObjects(item));
        return Value(std::move(items));
    }
    if (const Value* send = onlyKey(result, "__send__"); send != nullptr && (*send)["node"].isString())
        return checkpoint::makeSend((*send)["node"].asString(), (*send)["arg"]);
    if (const Value* command = onlyKey(result, "__command__"); command != nullptr && command->isMap())
        return commandOf(*command);
    return result;
}

} // namespace sg::nodes
