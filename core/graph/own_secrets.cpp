#include "core/graph/own_secrets.h"

#include <algorithm>

namespace sg::graph {

bool isSecretName(std::string_view name)
{
    const auto isLetter = [](char each) {
        return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z');
    };
    return !name.empty() && name.size() <= 64 && isLetter(name.front())
        && std::ranges::all_of(name, [&](char each) {
               return isLetter(each) || (each >= '0' && each <= '9') || each == '_' || each == '-';
           });
}

Result<std::vector<std::string>> parseSecretList(const ValueMap& settings, std::string_view key)
{
    std::vector<std::string> names;
    const Value* listed = settings.find(key);
    if (listed == nullptr || listed->isNull())
        return names;
    if (!listed->isList())
        return Error{ Errc::InvalidArgument, "\"" + std::string(key) + "\" must be a list of names" };
    for (const Value& name : listed->asList()) {
        if (!name.isString() || !isSecretName(name.asString()))
            return Error{
                Errc::InvalidArgument,
                "a secret is named by a letter, then letters, digits, \"_\" and \"-\", at most 64"
            };
        names.push_back(name.asString());
    }
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

std::map<std::string, OwnSecrets> ownSecrets(const Graph& graph)
{
    std::map<std::string, OwnSecrets> found;
    for (const Node& node : graph.nodes) {
        OwnSecrets own;
        if (auto names = parseSecretList(node.settings)) // validation reports others
            own.names = std::move(*names);
        if (auto headers = parseSecretList(node.settings, kSecretHeadersKey))
            own.headers = std::move(*headers);
        if (own != OwnSecrets())
            found.emplace(node.name.value, std::move(own));
    }
    for (const Node& node : graph.nodes)
        if (node.subgraph)
            found.merge(ownSecrets(*node.subgraph));
    return found;
}

} // namespace sg::graph
