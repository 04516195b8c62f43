#include "core/graph/checks/checks.h"
#include "core/graph/included_graphs.h"
#include "core/graph/near_name.h"

#include <algorithm>

namespace sg::graph {
namespace {

bool isSet(const Node& node, std::string_view key)
{
    const Value* value = node.settings.find(key);
    return value != nullptr && !value->isNull();
}

std::string nameOf(const Node& node)
{
    return "node '" + node.name.value + "'";
}

} // namespace

void checkHttp(const GraphScope& scope, const Node& node, const Place& place)
{
    if (!isSet(node, "url") && !isSet(node, "request"))
        scope.error(place, "missing-setting",
                    nameOf(node) + " needs an address in \"url\", or a program in \"request\" that makes it");
    const Value* url = node.settings.find("url");
    if (url != nullptr && url->isString() && !url->asString().empty()
        && !url->asString().starts_with("http://") && !url->asString().starts_with("https://"))
        scope.error(Place(place, "url"), "bad-address", "\"url\" begins with http:// or https://");
    const Value* headers = node.settings.find("headers");
    const auto isText = [](const auto& entry) { return entry.first.isString() && entry.second.isString(); };
    if (headers != nullptr && !headers->isNull()
        && (!headers->isMap() || !std::ranges::all_of(headers->asMap(), isText)))
        scope.error(Place(place, "headers"), "bad-setting", "\"headers\" is an object of texts");
}

void checkServerName(const GraphScope& scope, const std::string& server, const Place& place)
{
    if (scope.isNested || scope.graph.mcp.find(server) != nullptr) // the outer graph names the servers
        return;
    std::vector<std::string_view> known;
    if (scope.graph.mcp.isMap())
        for (const auto& [name, entry] : scope.graph.mcp.asMap())
            if (name.isString())
                known.push_back(name.asString());
    scope.error(place, "unknown-server",
                "the graph's \"mcp\" names no server '" + server + "'" + didYouMean(server, known));
}

void checkTool(const GraphScope& scope, const Node& node, const Place& place)
{
    const Value* server = node.settings.find("server");
    if (server != nullptr && server->isString())
        checkServerName(scope, server->asString(), Place(place, "server"));
}

bool checkGraphFile(const GraphScope& scope, const Node& node, const Place& place)
{
    const Value* file = node.settings.find(kGraphFileKey);
    if (file == nullptr || !file->isString() || file->asString().empty())
        return false;
    const Place at(place, kGraphFileKey);
    if (!findFile(scope, file->asString(), at, "graph file"))
        return true;
    Graph alone;
    alone.nodes.push_back(node);
    if (const auto included = withIncludedGraphs(alone, scope.checking.host.folder); !included)
        scope.error(at, "bad-graph-file", included.error().message);
    return true;
}

void checkMap(const GraphScope& scope, const Node& node, const Place& place)
{
    const Value* ends = node.settings.find("ends");
    if (ends == nullptr || !ends->isList() || ends->asList().size() != 1
        || ends->asList().front() == Value(kEnd))
        scope.error(place, "missing-setting",
                    nameOf(node) + " needs the one node that takes each item in \"ends\" (May go to)");
}

void checkHuman(const GraphScope& scope, const Node& node, const Place& place)
{
    const Value* form = node.settings.find("form");
    const std::string word = form != nullptr && form->isString() ? form->asString() : std::string();
    const auto need = [&](const char* when, const char* key, const char* what) {
        if (word == when && !isSet(node, key))
            scope.error(place, "missing-setting", nameOf(node) + " needs \"" + key + "\": " + what);
    };
    need("approve", "channel", "the channel that takes true or false");
    need("choose", "answers", "the answers to choose from");
    need("edit", "edits", "the channel whose value is shown and changed");
    need("form", "schema", "the JSON Schema of the answer");
    const Value* schema = node.settings.find("schema");
    if (schema != nullptr && !schema->isNull() && !schema->isMap())
        scope.error(Place(place, "schema"), "bad-setting", "\"schema\" is an object: a JSON Schema");
    if (schema != nullptr)
        warnOfUnchecked(scope, *schema, Place(place, "schema"));
}

} // namespace sg::graph
