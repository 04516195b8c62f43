#include "core/engine/steps/task_ids.h"

#include "core/base/hash.h"
#include "core/base/uuid.h"
#include "core/engine/compile/compiled_graph.h"

#include <algorithm>
#include <vector>

namespace sg::engine {
namespace {

std::string uuidShape(const std::string& hex)
{
    std::string text;
    text.reserve(36);
    std::size_t from = 0;
    for (const std::size_t count : { 8, 4, 4, 4, 12 }) {
        text.append(from == 0 ? "" : "-").append(hex, from, count);
        from += count;
    }
    return text;
}

std::vector<std::string> parts(const std::string& ns)
{
    std::vector<std::string> out;
    if (ns.empty())
        return out;
    std::size_t from = 0;
    while (true) {
        const std::size_t bar = ns.find('|', from);
        out.push_back(ns.substr(from, bar == std::string::npos ? bar : bar - from));
        if (bar == std::string::npos)
            return out;
        from = bar + 1;
    }
}

bool isNumber(const std::string& part)
{
    return !part.empty() && std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
}

std::string joined(const std::vector<std::string>& list)
{
    std::string out;
    for (const std::string& part : list)
        out += (&part == list.data() ? "" : "|") + part;
    return out;
}

std::string withoutIds(const std::string& ns, bool keepNumbers)
{
    std::vector<std::string> out;
    for (const std::string& part : parts(ns))
        if (keepNumbers || !isNumber(part))
            out.push_back(part.substr(0, part.find(':')));
    return joined(out);
}

} // namespace

TaskIds::TaskIds(const CheckpointId& checkpoint, int version, std::string graphNs, std::int64_t taskStep)
    : checkpointVersion(version)
    , ns(std::move(graphNs))
    , step(taskStep)
{
    if (const auto uuid = parseUuid(checkpoint.value))
        checkpointBytes.assign(uuid->begin(), uuid->end());
}

std::string TaskIds::hash(const std::string& node, const std::string& rest) const
{
    std::string text = checkpointBytes;
    if (!ns.empty())
        (text += ns) += '|';
    text += node;
    text += std::to_string(step);
    text += rest;
    return uuidShape(checkpointVersion > 1 ? xxh3Hex(text) : toHex(sha1Bytes(text)));
}

std::string TaskIds::of(const CompiledGraph& graph, const Task& task) const
{
    const CompiledNode& node = graph.node(task.node);
    if (task.path.kind == TaskPath::Kind::Push)
        return hash(node.name.value, node.name.value + kPushName + std::to_string(task.path.index));
    return hash(node.name.value, node.idSuffix);
}

std::string TaskIds::ofHandler(const CompiledGraph& graph, std::int32_t handler,
                               const std::string& failedTask) const
{
    const std::string& name = graph.node(handler).name.value;
    return hash(name, name + kPushName + "node_error_handler" + failedTask);
}

std::string taskNamespace(const std::string& graphNs, const std::string& node, const std::string& taskId)
{
    return (graphNs.empty() ? "" : graphNs + '|') + node + ':' + taskId;
}

std::string interruptId(const std::string& taskNs, std::size_t answered)
{
    return xxh3Hex(answered == 0 ? taskNs : taskNs + '|' + std::to_string(answered));
}

std::string plainNamespace(const std::string& ns)
{
    return withoutIds(ns, false);
}

std::string ownNamespace(const std::string& ns)
{
    return withoutIds(ns, true);
}

std::string parentNamespace(const std::string& taskNs)
{
    std::vector<std::string> list = parts(taskNs);
    const auto dropNumbers = [&list] {
        while (!list.empty() && isNumber(list.back()))
            list.pop_back();
    };
    dropNumbers();
    if (!list.empty())
        list.pop_back();
    dropNumbers();
    return joined(list);
}

} // namespace sg::engine
