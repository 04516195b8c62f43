#include "core/base/json.h"
#include "core/graph/checks/checks.h"
#include "core/graph/included_graphs.h"
#include "core/graph/near_name.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace sg::graph {
namespace {

constexpr std::size_t kLongestToolName = 64; // of what models take

// A form of an agent's tool, and the keys that mean something in it.
struct ToolForm {
    const char* name;
    std::vector<std::string_view> keys;
};

ToolForm formOf(const Value& tool)
{
    if (tool.find("http") != nullptr)
        return { "an HTTP tool",
                 { "http", "name", "description", "parameters", "return_direct", "timeout_s" } };
    if (graphToolOf(tool))
        return { "a graph as a tool",
                 { "tool", "name", "description", "parameters", "in", "out", "return_direct" } };
    const std::string named = tool.stringOr("tool", "");
    const char* const name = named.starts_with("mcp:") ? "a tool of an MCP server"
        : named.find(".py") != std::string::npos       ? "a Python tool"
                                                       : "a tool of the sandbox";
    return { name, { "tool", "name", "description", "return_direct", "timeout_s" } };
}

bool isToolName(const std::string& name)
{
    return !name.empty() && name.size() <= kLongestToolName
        && name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
        == std::string::npos;
}

void checkToolValue(const GraphScope& scope, const std::string& key, const Value& value, const Place& place)
{
    if (value.isNull())
        return;
    if (key == "return_direct" && !value.isBool())
        scope.error(place, "wrong-type", "\"return_direct\" is true or false");
    else if (key == "timeout_s"
             && (!value.isNumber() || !(value.asDouble() > 0 && value.asDouble() <= kLongestSeconds)))
        scope.error(place, "bad-number", "\"timeout_s\" of a tool is a number of seconds above 0");
    else if (key == "description" && !value.isString())
        scope.error(place, "wrong-type", "\"description\" is text for the model");
    else if (key == "name" && (!value.isString() || !isToolName(value.asString())))
        scope.error(place, "bad-setting",
                    "a tool's \"name\" is 1 to 64 letters, digits, _ and -: models take no other");
}

} // namespace

void checkToolKeys(const GraphScope& scope, const Value& tool, const Place& place)
{
    if (tool.find("http") != nullptr && tool.find("tool") != nullptr) {
        scope.error(place, "bad-tool", "it is an HTTP tool by \"http\" or another by \"tool\", not both");
        return;
    }
    const ToolForm form = formOf(tool);
    for (const auto& [key, value] : tool.asMap()) {
        const std::string name = key.isString() ? key.asString() : toJson(key);
        if (std::ranges::find(form.keys, name) != form.keys.end())
            checkToolValue(scope, name, value, Place(place, name));
        else if (!name.starts_with("x-"))
            scope.error(Place(place, name), "unknown-key",
                        std::string(form.name) + " has no \"" + name + "\"" + didYouMean(name, form.keys));
    }
    const std::string named = tool.stringOr("tool", "");
    if (named.ends_with(".py") && !tool.stringOr("name", "").empty())
        scope.error(Place(place, "name"), "bad-setting",
                    "'" + named + "' may hold several tools: a name belongs to one, as '" + named
                        + ":FUNCTION'");
}

} // namespace sg::graph
