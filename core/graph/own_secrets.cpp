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

Result<std::vector<std::string>> parseSecretList(const ValueMap& settings)
{
    std::vector<std::string> names;
    const Value* listed = settings.find("secrets");
    if (listed == nullptr || listed->isNull())
        return names;
    if (!listed->isList())
        return Error{ Errc::InvalidArgument, "\"secrets\" must be a list of names" };
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

std::map<std::string, std::vector<std::string>> ownSecrets(const Graph& graph)
{
    std::map<std::string, std::vector<std::string>> found;
    for (const Node& node : graph.nodes)
        if (auto names = parseSecretList(node.settings); names && !names->empty())
            found.emplace(node.name.value, std::move(*names));
    for (const Node& node : graph.nodes)
        if (node.subgraph)
            found.merge(ownSecrets(*node.subgraph));
    return found;
}

} // namespace sg::graph
