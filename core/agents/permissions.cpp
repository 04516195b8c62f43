#include "core/agents/permissions.h"

#include <algorithm>

namespace sg::agents {
namespace {

using Names = std::optional<std::vector<std::string>>;

std::string listed(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? "none" : text;
}

std::string refusal(const std::string& agent, std::string_view what, const std::string& name,
                    const std::vector<std::string>& allowed)
{
    return "Error: the agent '" + agent + "' may not use the " + std::string(what) + " '" + name
        + "'; it was not run. Allowed: " + listed(allowed)
        + ". Go on without it, or say in your answer that you need it.";
}

bool isHostFit(std::string_view rule, std::string_view place)
{
    const std::string_view host = place.substr(0, place.rfind(':'));
    if (rule == place || rule == host)
        return true;
    return rule.starts_with("*.") && host.size() > rule.size() - 1 && host.ends_with(rule.substr(1));
}

} // namespace

std::optional<std::string> toolRefusal(const Permissions& permissions, const std::string& agent,
                                       const std::string& tool)
{
    const Names& names = permissions.tools;
    if (!names || std::ranges::find(*names, tool) != names->end())
        return std::nullopt;
    return refusal(agent, "tool", tool, *names);
}

std::optional<std::string> datasetRefusal(const Permissions& permissions, const std::string& agent,
                                          const std::string& dataset)
{
    const Names& names = permissions.datasets;
    if (!names || std::ranges::find(*names, dataset) != names->end())
        return std::nullopt;
    return refusal(agent, "dataset", dataset, *names);
}

std::optional<std::string> hostRefusal(const Permissions& permissions, const std::string& agent,
                                       std::string_view place)
{
    const Names& names = permissions.hosts;
    if (!names
        || std::ranges::any_of(*names, [place](const std::string& rule) { return isHostFit(rule, place); }))
        return std::nullopt;
    return refusal(agent, "host", std::string(place), *names);
}

} // namespace sg::agents
