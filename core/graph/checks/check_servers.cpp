#include "core/graph/checks/checks.h"
#include "core/graph/near_name.h"

#include <algorithm>
#include <array>

namespace sg::graph {
namespace {

constexpr std::array<std::string_view, 11> kKeys{ "command",      "args",      "env",  "files",
                                                  "requirements", "outside",   "url",  "headers",
                                                  "secret",       "timeout_s", "tools" };

bool isSet(const Value* value)
{
    return value != nullptr && !value->isNull();
}

void checkServer(const GraphScope& scope, const std::string& name, const Value& server, const Place& place)
{
    if (!server.isMap()) {
        scope.error(place, "bad-setting", "an MCP server is an object with \"command\" or \"url\"");
        return;
    }
    if (isSet(server.find("command")) == isSet(server.find("url")))
        scope.error(place, "missing-setting",
                    "the MCP server '" + name
                        + "' needs either \"command\", a program, or \"url\", an address");
    const std::vector<std::string_view> known(kKeys.begin(), kKeys.end());
    for (const auto& [key, value] : server.asMap()) {
        const std::string word = key.isString() ? key.asString() : std::string();
        if (!word.starts_with("x-") && std::ranges::find(kKeys, word) == kKeys.end())
            scope.warning(Place(place, word), "unknown-key",
                          "MCP servers have no setting \"" + word + "\"" + didYouMean(word, known));
    }
    if (const std::string files = server.stringOr("files", ""); !files.empty())
        findPath(scope, files, Place(place, "files"), "folder of the MCP server");
}

} // namespace

void checkServers(const GraphScope& scope)
{
    const Place place(scope.place, "mcp");
    if (!scope.graph.mcp.isMap())
        return;
    if (scope.isNested)
        scope.warning(place, "unused-setting",
                      "a subgraph's \"mcp\" is not read: name the servers in the outer graph");
    for (const auto& [key, server] : scope.graph.mcp.asMap())
        if (key.isString() && !key.asString().starts_with("x-"))
            checkServer(scope, key.asString(), server, Place(place, key.asString()));
}

} // namespace sg::graph
