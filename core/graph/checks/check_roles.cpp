#include "core/graph/checks/checks.h"
#include "core/graph/near_name.h"
#include "core/graph/node_kinds.h"

#include <algorithm>
#include <array>

namespace sg::graph {
namespace {

constexpr std::array<std::string_view, 8> kRoleKeys{ "secrets", "egress",   "mounts",   "image",
                                                     "limits",  "attempts", "priority", "partition" };
constexpr std::array<std::string_view, 3> kNameLists{ "secrets", "egress", "mounts" };
constexpr std::array<std::string_view, 3> kPriorities{ "high", "normal", "low" };
constexpr std::int64_t kMostRoleAttempts = 100;

// It becomes a part of keys in Redis, of folders and of users' names.
bool isRole(std::string_view name)
{
    return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](char each) {
        return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || each == '_' || each == '-';
    });
}

void checkName(const GraphScope& scope, std::string_view name, const Place& place)
{
    if (!isRole(name))
        scope.error(place, "bad-setting", "a role's name has 1 to 64 of a-z, 0-9, \"_\" and \"-\"");
}

void checkValue(const GraphScope& scope, std::string_view key, const Value& value, const Place& place)
{
    const bool isNames = std::ranges::find(kNameLists, key) != kNameLists.end();
    if (isNames && !(value.isList() && std::ranges::all_of(value.asList(), [](const Value& each) {
                         return each.isString();
                     })))
        scope.error(place, "bad-setting", "\"" + std::string(key) + "\" is a list of texts");
    if (key == "attempts" && (!value.isInt() || value.asInt() < 1 || value.asInt() > kMostRoleAttempts))
        scope.error(place, "bad-setting", "\"attempts\" is a whole number from 1 to 100");
    if (key == "priority"
        && !(value.isString() && std::ranges::find(kPriorities, value.asString()) != kPriorities.end()))
        scope.error(place, "bad-setting", "\"priority\" is \"high\", \"normal\" or \"low\"");
    if ((key == "image" || key == "partition") && !value.isString())
        scope.error(place, "bad-setting", "\"" + std::string(key) + "\" is a text");
    if (key == "limits" && !value.isMap())
        scope.error(place, "bad-setting", "\"limits\" is an object, as in \"sandbox\"");
    if (key == "partition" && value.isString() && value.asString() != "thread")
        checkProgram(scope, value, place);
}

void checkRole(const GraphScope& scope, const std::string& name, const Value& role, const Place& place)
{
    checkName(scope, name, place);
    if (!role.isMap()) {
        scope.error(place, "bad-setting", "a role is an object, such as {\"egress\": [\"api.example.com\"]}");
        return;
    }
    const std::vector<std::string_view> known(kRoleKeys.begin(), kRoleKeys.end());
    for (const auto& [key, value] : role.asMap()) {
        const std::string word = key.isString() ? key.asString() : std::string();
        if (!word.starts_with("x-") && std::ranges::find(kRoleKeys, word) == kRoleKeys.end())
            scope.warning(Place(place, word), "unknown-key",
                          "roles have no setting \"" + word + "\"" + didYouMean(word, known));
        checkValue(scope, word, value, Place(place, word));
    }
}

std::vector<std::string_view> namesOf(const Value& roles)
{
    std::vector<std::string_view> names;
    if (roles.isMap())
        for (const auto& [key, role] : roles.asMap())
            if (key.isString())
                names.push_back(key.asString());
    return names;
}

} // namespace

void checkRoles(const GraphScope& scope)
{
    const Place place(scope.place, "roles");
    if (scope.isNested && !scope.graph.roles.isNull())
        scope.warning(place, "unused-setting",
                      "a subgraph's \"roles\" is not read: name them in the outer graph");
    if (scope.graph.roles.isMap())
        for (const auto& [key, role] : scope.graph.roles.asMap())
            if (key.isString() && !key.asString().starts_with("x-"))
                checkRole(scope, key.asString(), role, Place(place, key.asString()));
    const Place nodes(scope.place, "nodes");
    const std::vector<std::string_view> known = namesOf(scope.graph.roles);
    for (std::size_t i = 0; i < scope.graph.nodes.size(); ++i) {
        const Value* role = scope.graph.nodes[i].settings.find(kRoleKey);
        if (role == nullptr || !role->isString() || role->asString().empty())
            continue;
        const Place node(nodes, scope.nodePlaces[i]);
        const Place at(node, kRoleKey);
        checkName(scope, role->asString(), at);
        // The outer graph names a nested one's, and a role that nothing is asked of needs no entry.
        if (!scope.isNested && scope.graph.roles.isMap()
            && std::ranges::find(known, role->asString()) == known.end())
            scope.hint(at, "unknown-role",
                       "\"roles\" of the graph does not name the role \"" + role->asString()
                           + "\": its workers grant it nothing" + didYouMean(role->asString(), known));
    }
}

} // namespace sg::graph
