#include "core/engine/steps/node_updates.h"

#include "core/engine/channels/messages.h"
#include "core/engine/errors/python_text.h"

#include <algorithm>

namespace sg::engine {
namespace {

using checkpoint::CommandView;
using Failed = std::optional<Failure>;

bool holdsCommand(const Value& value)
{
    return value.isList() && std::ranges::any_of(value.asList(), [](const Value& item) {
               return checkpoint::asCommand(item).has_value();
           });
}

bool isForParent(const CommandView& command)
{
    return command.graph.isString() && command.graph.asString() == kParentGraph;
}

class Updates {
public:
    Updates(const WriterScene& scene, Writes& writes)
        : m_scene(scene)
        , m_graph(scene.state.graph())
        , m_writes(writes)
    {
    }

    Failed add(const Value& returned)
    {
        if (returned.isNull() || checkpoint::sendNode(returned))
            return std::nullopt;
        if (returned.isMap()) {
            for (const auto& [key, value] : returned.asMap())
                if (auto failure = addUpdate(key, value))
                    return failure;
            return std::nullopt;
        }
        if (const auto command = checkpoint::asCommand(returned))
            return addCommand(*command);
        if (holdsCommand(returned)) {
            for (const Value& item : returned.asList())
                if (auto failure = add(item))
                    return failure;
            return std::nullopt;
        }
        return invalidUpdate("Expected dict, got " + pythonText(returned), "INVALID_GRAPH_NODE_RETURN_VALUE");
    }

    // Returns the command that is meant for an outer graph, if there is one.
    std::optional<CommandView> addGotos(const Value& returned)
    {
        if (returned.isMap() || returned.isNull())
            return std::nullopt;
        if (checkpoint::sendNode(returned)) {
            m_writes.push_back({ m_graph.tasksChannel, returned, {} });
            return std::nullopt;
        }
        const ValueList single{ returned };
        for (const Value& item : returned.isList() ? returned.asList() : single) {
            auto command = checkpoint::asCommand(item);
            if (!command)
                continue;
            if (isForParent(*command))
                return command;
            addGoto(command->goTo);
        }
        return std::nullopt;
    }

private:
    Failed addUpdate(const Value& key, const Value& value)
    {
        const std::string name = key.isString() ? key.asString() : pythonRepr(key);
        const auto channel = key.isString() ? m_graph.findState(name) : std::nullopt;
        const bool isStart = &m_scene.node == m_graph.nodes.data();
        if (!channel) {
            // Managed values are keys of the state, but no channels.
            if (!isStart && key.isString() && m_graph.findManaged(name))
                m_writes.push_back({ kUnknownChannel, value, key });
            else if (m_scene.node.mayWrite) // LangGraph drops it; a node with a list of its writes fails
                return undeclared(name, "the state has no such channel");
            else if (!isStart && m_scene.dropped != nullptr)
                m_scene.dropped->push_back(name); // it is dropped as in LangGraph, but reported
            return std::nullopt;
        }
        if (isStart && !m_graph.inputKeys[static_cast<std::size_t>(*channel)])
            return std::nullopt;
        if (m_scene.node.mayWrite && !(*m_scene.node.mayWrite)[static_cast<std::size_t>(*channel)])
            return undeclared(key.asString(),
                              "the channel is not in the node's \"writes\"; add it there, or "
                              "return without it");
        if (m_graph.channel(*channel).keepsMessageIds)
            m_writes.push_back({ *channel, withMessageIds(value, m_scene.random), {} });
        else
            m_writes.push_back({ *channel, value, {} });
        return std::nullopt;
    }

    [[nodiscard]] Failure undeclared(const std::string& key, const char* why) const
    {
        return { "PermissionError",
                 "node '" + m_scene.node.name.value + "' may not write '" + key + "': " + why,
                 {},
                 false,
                 {} };
    }

    Failed addCommand(const CommandView& command)
    {
        if (isForParent(command))
            return std::nullopt;
        for (const auto& [key, value] : updateEntries(command.update))
            if (auto failure = addUpdate(Value(key), value))
                return failure;
        return std::nullopt;
    }

    void addGoto(const Value& target)
    {
        if (target.isList()) {
            for (const Value& item : target.asList())
                addGoto(item);
        } else if (checkpoint::sendNode(target)) {
            m_writes.push_back({ m_graph.tasksChannel, target, {} });
        } else if (target.isString() && target.asString() != kEndNode) {
            m_writes.push_back(gotoWrite(m_graph, target.asString(), {}));
        }
    }

    const WriterScene& m_scene;
    const CompiledGraph& m_graph;
    Writes& m_writes;
};

} // namespace

TaskEnd addUpdatesAndGotos(const WriterScene& scene, const Value& returned, Writes& writes)
{
    const std::size_t before = writes.size();
    Updates updates(scene, writes);
    TaskEnd end;
    if (auto failure = updates.add(returned)) {
        end = TaskEnd::failed(*std::move(failure));
    } else if (auto command = updates.addGotos(returned)) {
        end.kind = TaskEnd::Kind::Command;
        end.command = std::make_unique<CommandView>(*std::move(command));
    }
    if (end.kind != TaskEnd::Kind::Done) // all of it is appended or nothing
        writes.erase(writes.begin() + static_cast<std::ptrdiff_t>(before), writes.end());
    return end;
}

std::vector<std::pair<std::string, Value>> updateEntries(const Value& update)
{
    std::vector<std::pair<std::string, Value>> out;
    if (update.isMap()) {
        for (const auto& [key, value] : update.asMap())
            if (key.isString())
                out.emplace_back(key.asString(), value);
    } else if (update.isList()) {
        for (const Value& pair : update.asList())
            if (pair.isList() && pair.asList().size() == 2 && pair[0].isString())
                out.emplace_back(pair[0].asString(), pair[1]);
    }
    return out;
}

Write gotoWrite(const CompiledGraph& graph, const std::string& node, Value value)
{
    const std::string channel = "branch:to:" + node;
    if (const auto index = graph.findChannel(channel))
        return { *index, std::move(value), {} };
    return { kUnknownChannel, std::move(value), Value(channel) };
}

} // namespace sg::engine
