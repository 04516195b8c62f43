#include "core/engine/writers.h"

#include "core/engine/channels/messages.h"
#include "core/engine/python_text.h"

#include <algorithm>

namespace sg::engine {
namespace {

using checkpoint::CommandView;

Failure failureOf(const EngineError& error)
{
    return { error.type, error.message, {}, true, {} };
}

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

class NodeWriters {
public:
    NodeWriters(const WriterScene& scene, Writes& writes)
        : m_scene(scene)
        , m_graph(scene.state.graph())
        , m_writes(writes)
    {
    }

    TaskEnd run(const Value& returned)
    {
        Writes first; // all of it or nothing
        if (auto error = addUpdates(returned, first))
            return TaskEnd::failed(*std::move(error));
        if (auto command = addGotos(returned, first)) {
            TaskEnd end;
            end.kind = TaskEnd::Kind::Command;
            end.command = *std::move(command);
            return end;
        }
        m_writes.insert(m_writes.end(), std::make_move_iterator(first.begin()),
                        std::make_move_iterator(first.end()));
        m_writes.insert(m_writes.end(), m_scene.node.staticWrites.begin(), m_scene.node.staticWrites.end());
        for (const CompiledBranch& branch : m_scene.node.branches) {
            TaskEnd end = route(branch, returned);
            if (end.kind != TaskEnd::Kind::Done)
                return end;
        }
        return {};
    }

private:
    std::optional<Failure> addUpdate(const Value& key, const Value& value, Writes& out) const
    {
        if (!key.isString())
            return std::nullopt;
        const auto channel = m_graph.findChannel(key.asString());
        const bool isStart = &m_scene.node == m_graph.nodes.data();
        if (channel && isStart && !m_graph.inputKeys[static_cast<std::size_t>(*channel)])
            return std::nullopt;
        if (!channel || !m_graph.channel(*channel).isState) {
            // Managed values are keys of the state, but no channels.
            if (!isStart && m_graph.managed.contains(key.asString()))
                out.push_back({ kUnknownChannel, value, key });
            else if (m_scene.node.mayWrite) // LangGraph drops it; who says what a node writes wants to know
                return undeclared(key.asString(), "the state has no such channel");
            return std::nullopt;
        }
        if (m_scene.node.mayWrite && !(*m_scene.node.mayWrite)[static_cast<std::size_t>(*channel)])
            return undeclared(key.asString(),
                              "the channel is not in the node's \"writes\"; add it there, or "
                              "return without it");
        out.push_back(
            { *channel,
              m_graph.channel(*channel).keepsMessageIds ? withMessageIds(value, m_scene.random) : value,
              {} });
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

    std::optional<Failure> addCommandUpdates(const CommandView& command, Writes& out) const
    {
        if (isForParent(command))
            return std::nullopt;
        for (const auto& [key, value] : updateEntries(command.update))
            if (auto failure = addUpdate(Value(key), value, out))
                return failure;
        return std::nullopt;
    }

    std::optional<Failure> addUpdates(const Value& returned, Writes& out) const
    {
        if (returned.isNull() || checkpoint::sendNode(returned))
            return std::nullopt;
        if (returned.isMap()) {
            for (const auto& [key, value] : returned.asMap())
                if (auto failure = addUpdate(key, value, out))
                    return failure;
            return std::nullopt;
        }
        if (const auto command = checkpoint::asCommand(returned))
            return addCommandUpdates(*command, out);
        if (holdsCommand(returned)) {
            for (const Value& item : returned.asList())
                if (auto failure = addUpdates(item, out))
                    return failure;
            return std::nullopt;
        }
        return failureOf(
            invalidUpdate("Expected dict, got " + pythonText(returned), "INVALID_GRAPH_NODE_RETURN_VALUE"));
    }

    // The command that is meant for an outer graph, if there is one.
    std::optional<CommandView> addGotos(const Value& returned, Writes& out) const
    {
        if (returned.isMap() || returned.isNull())
            return std::nullopt;
        if (checkpoint::sendNode(returned)) {
            out.push_back({ m_graph.tasksChannel, returned, {} });
            return std::nullopt;
        }
        const ValueList single{ returned };
        for (const Value& item : returned.isList() ? returned.asList() : single) {
            auto command = checkpoint::asCommand(item);
            if (!command)
                continue;
            if (isForParent(*command))
                return command;
            addGoto(command->goTo, out);
        }
        return std::nullopt;
    }

    void addGoto(const Value& target, Writes& out) const
    {
        if (target.isList()) {
            for (const Value& item : target.asList())
                addGoto(item, out);
        } else if (checkpoint::sendNode(target)) {
            out.push_back({ m_graph.tasksChannel, target, {} });
        } else if (target.isString() && target.asString() != kEndNode) {
            out.push_back(gotoWrite(m_graph, target.asString(), {}));
        }
    }

    // The state with this task's own writes in it, siblings' not.
    std::optional<EngineError> readFresh(ValueMap& out)
    {
        out.reserve(m_scene.node.branchReads->size());
        for (const ReadKey& read : *m_scene.node.branchReads) {
            if (read.kind != ReadKey::Kind::Channel) {
                out.set(read.key, managedValue(read.kind, m_scene.limits));
                continue;
            }
            std::vector<Value> writes;
            for (const Write& write : m_writes)
                if (write.channel == read.channel)
                    writes.push_back(write.value);
            Channel& channel = m_scene.state.channel(read.channel);
            if (writes.empty() && !m_graph.channel(read.channel).traits.clearsItself) {
                if (channel.available())
                    out.set(read.key, channel.get());
                continue;
            }
            if (auto lent = m_scene.alone ? channel.lend(writes) : std::nullopt) {
                out.set(read.key, *std::move(lent));
                m_lent.push_back(&read);
                continue;
            }
            const auto copy = channel.clone();
            auto updated = copy->update(writes);
            if (const EngineError* error = errorOf(updated))
                return *error;
            if (copy->available())
                out.set(read.key, copy->get());
        }
        return std::nullopt;
    }

    // What readFresh() borrowed: it is not to be copied because of `state`.
    void takeBack(Value& state)
    {
        for (const ReadKey* read : m_lent) {
            Value lent = std::move(state.editMap().at(read->key));
            m_scene.state.channel(read->channel).giveBack(std::move(lent));
        }
        m_lent.clear();
    }

    TaskEnd route(const CompiledBranch& branch, const Value& returned)
    {
        ValueMap fresh;
        const auto error = readFresh(fresh);
        Value input(std::move(fresh));
        TaskEnd end = error ? TaskEnd::failed(failureOf(*error)) : decide(branch, returned, input);
        takeBack(input);
        return end;
    }

    TaskEnd decide(const CompiledBranch& branch, const Value& returned, Value& input)
    {
        if (returned.isMap() && !returned.asMap().empty()) { // keys that are no channels pass through
            ValueMap merged;
            merged.reserve(returned.asMap().size() + input.asMap().size());
            for (const auto& [key, value] : returned.asMap())
                merged.set(key, value);
            for (const auto& [key, value] : input.asMap())
                merged.set(key, value);
            input = Value(std::move(merged));
        }
        NodeOutcome outcome = m_scene.runBranch(*branch.body, input);
        if (auto* failure = std::get_if<Failure>(&outcome))
            return TaskEnd::failed(std::move(*failure));
        if (std::holds_alternative<Interrupted>(outcome)) {
            TaskEnd end;
            end.kind = TaskEnd::Kind::Asked;
            return end;
        }
        if (auto error = addDestinations(branch, std::get<Returned>(outcome).value))
            return TaskEnd::failed(*std::move(error));
        return {};
    }

    // null: this is no label of the branch's
    static const NodeId* targetOf(const CompiledBranch& branch, const Value& label)
    {
        if (!branch.targets || !label.isString())
            return nullptr;
        const auto target =
            std::ranges::find(*branch.targets, label.asString(), &std::pair<std::string, NodeId>::first);
        return target == branch.targets->end() ? nullptr : &target->second;
    }

    std::optional<Failure> addDestinations(const CompiledBranch& branch, const Value& result)
    {
        if (const NodeId* node = targetOf(branch, result); node != nullptr && node->value != kStartNode) {
            if (node->value != kEndNode) // the usual answer: one label
                m_writes.push_back(gotoWrite(m_graph, node->value, {}));
            return std::nullopt;
        }
        const ValueList single{ result };
        std::vector<Value> destinations;
        for (const Value& item : result.isList() ? result.asList() : single) {
            if (!branch.targets || checkpoint::sendNode(item)) {
                destinations.push_back(item);
                continue;
            }
            if (item.isMap() || item.isList())
                return Failure{
                    "TypeError", "unhashable type: '" + pythonTypeName(item) + "'", {}, true, {}
                };
            const NodeId* target = targetOf(branch, item);
            if (target == nullptr)
                return unknownTarget(branch, item);
            destinations.emplace_back(target->value);
        }
        return write(destinations);
    }

    // LangGraph says the label alone, and stores it so.
    [[nodiscard]] Failure unknownTarget(const CompiledBranch& branch, const Value& label) const
    {
        std::string known;
        for (const auto& [name, node] : *branch.targets)
            known += (known.empty() ? "" : ", ") + name;
        return { "KeyError",
                 "the branch from '" + m_scene.node.name.value + "' went to " + pythonRepr(label)
                     + ", which is none of its targets: " + known,
                 {},
                 true,
                 "KeyError(" + pythonRepr(label) + ")" };
    }

    std::optional<Failure> write(const std::vector<Value>& destinations)
    {
        for (const Value& destination : destinations)
            if (destination.isNull() || (destination.isString() && destination.asString() == kStartNode))
                return Failure{ "ValueError", "Branch did not return a valid destination", {}, true, {} };
        for (const Value& destination : destinations)
            if (checkpoint::sendNode(destination) == kEndNode)
                return Failure{ "InvalidUpdateError", "Cannot send a packet to the END node", {}, true, {} };
        for (const Value& destination : destinations) {
            if (checkpoint::sendNode(destination))
                m_writes.push_back({ m_graph.tasksChannel, destination, {} });
            else if (const std::string name = pythonText(destination); name != kEndNode)
                m_writes.push_back(gotoWrite(m_graph, name, {}));
        }
        return std::nullopt;
    }

    const WriterScene& m_scene;
    const CompiledGraph& m_graph;
    Writes& m_writes;
    std::vector<const ReadKey*> m_lent;
};

} // namespace

TaskEnd runWriters(const WriterScene& scene, const Value& returned, Writes& writes)
{
    return NodeWriters(scene, writes).run(returned);
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

std::string failureRepr(const Failure& failure)
{
    if (!failure.repr.empty())
        return failure.repr;
    return failure.type + "(" + pythonRepr(Value(failure.message)) + ")";
}

} // namespace sg::engine
