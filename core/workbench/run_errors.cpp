#include "core/workbench/run_errors.h"

#include "core/engine/names.h"

#include <string_view>

namespace sg::workbench {
namespace {

std::string between(std::string_view text, std::string_view before, std::string_view after)
{
    const std::size_t begin = text.find(before);
    if (begin == std::string_view::npos)
        return {};
    const std::size_t end = text.find(after, begin + before.size());
    if (end == std::string_view::npos)
        return {};
    return std::string(text.substr(begin + before.size(), end - begin - before.size()));
}

} // namespace

std::string runErrorText(const std::string& type, const std::string& message)
{
    if (const std::string limit = between(message, "Recursion limit of ", " reached without");
        type == "GraphRecursionError" && !limit.empty())
        return "the graph was not at its end when this run reached its recursion limit, " + limit
            + ". Allow more with --recursion-limit N, or with "
              "\"recursion_limit\" in the graph file; or let a branch lead to the end.";
    if (message.starts_with("When there are multiple pending interrupts"))
        return "more than one question waits for an answer. Answer by id: {\"ID\": answer, …}; the ids are "
               "those of \"interrupts\" in the state.";
    if (const std::string channel = between(message, "At key '", "': Can receive only one value per step");
        type == "InvalidUpdateError" && !channel.empty())
        return "channel '" + channel
            + "' was written more than once in one superstep, and takes one value. Give it a \"reducer\" in "
              "the graph's \"state\" (such as \"append\"), or let one node alone write it.";
    return message.substr(0, message.find("\nFor troubleshooting, visit: "));
}

std::string shownNode(const NodeId& node)
{
    const std::string_view handler = engine::kErrorHandlerPrefix;
    return node.value.starts_with(handler) ? node.value.substr(handler.size()) + " (error handler)"
                                           : node.value;
}

std::string shownChannel(const std::string& channel)
{
    const std::string_view branch = "branch:to:";
    const std::string_view join = "join:";
    if (channel.starts_with(branch))
        return "the way to '" + shownNode(NodeId(channel.substr(branch.size()))) + "'";
    const std::size_t target = channel.rfind(':');
    if (!channel.starts_with(join) || target < join.size())
        return channel;
    return "the join of " + channel.substr(join.size(), target - join.size()) + " before '"
        + channel.substr(target + 1) + "'";
}

} // namespace sg::workbench
