#include "core/history/inert_state.h"

#include "core/checkpoint/circle_watch.h"
#include "core/checkpoint/serde/inert.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/engine/names.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sg::history {
namespace {

constexpr std::string_view kBranch = "branch:to:";
constexpr std::string_view kJoin = "join:";
constexpr std::string_view kPull = "~__pregel_pull, ";
constexpr std::string_view kError = "__error__";
constexpr std::string_view kInterrupt = "__interrupt__";

bool isControl(std::string_view channel)
{
    return channel == kError || channel == kInterrupt || channel == "__resume__"
        || channel == "__error_source_node__";
}

std::string versionText(const Value& version)
{
    if (version.isString())
        return version.asString();
    return version.isInt() ? std::to_string(version.asInt()) : std::string();
}

bool seen(const checkpoint::Checkpoint& checkpoint, std::string_view node, const std::string& channel)
{
    const Value* version = checkpoint.channelVersions.find(channel);
    const Value* known = checkpoint.versionsSeen.find(node);
    if (!version)
        return true;
    const Value& last = known ? (*known)[channel] : Value();
    if (version->isInt() && last.isInt())
        return version->asInt() <= last.asInt();
    return versionText(*version) <= versionText(last);
}

// A deferred node's trigger is stored as [value, finished].
bool isReady(const Value& trigger)
{
    const bool deferred =
        trigger.isList() && trigger.asList().size() == 2 && trigger[std::size_t(1)].isBool();
    return !deferred || trigger[std::size_t(1)].asBool();
}

std::size_t joinSize(std::string_view channel)
{
    const std::size_t end = channel.rfind(':');
    return 1 + static_cast<std::size_t>(std::ranges::count(channel.substr(0, end), '+'));
}

struct TaskWrites {
    std::string path;
    TaskId id;
    std::vector<const checkpoint::PendingWrite*> writes;
};

std::vector<TaskWrites> groupByTask(const std::vector<checkpoint::PendingWrite>& writes)
{
    std::vector<TaskWrites> tasks;
    for (const checkpoint::PendingWrite& write : writes) {
        const auto known = std::ranges::find(tasks, write.taskId, &TaskWrites::id);
        if (known != tasks.end())
            known->writes.push_back(&write);
        else if (!write.taskPath.empty())
            tasks.push_back({ write.taskPath, write.taskId, { &write } });
    }
    return tasks;
}

engine::StateTask taskFrom(const NodeId& node, Value path, const TaskWrites* stored)
{
    engine::StateTask task;
    task.name = node;
    task.path = std::move(path);
    if (!stored)
        return task;
    task.id = stored->id;
    ValueMap result;
    bool finished = false;
    for (const checkpoint::PendingWrite* write : stored->writes) {
        if (write->channel == kError)
            task.error = checkpoint::plainValue(write->value);
        if (write->channel == kInterrupt && write->value.isList())
            for (const Value& item : write->value.asList())
                task.interrupts.push_back(checkpoint::plainValue(item));
        finished = finished || !isControl(write->channel);
        if (!isControl(write->channel) && isStateChannel(write->channel))
            result.set(write->channel, checkpoint::plainValue(write->value));
    }
    if (finished)
        task.result = Value(std::move(result));
    return task;
}

struct Changes {
    std::string channel;
    std::vector<Value> writes; // newest first
    std::optional<Value> seed;
};

// A list that grows. Some of its items may be messages.
class Growing {
public:
    void reset(const Value& value)
    {
        m_items.clear();
        m_places.clear();
        const auto snapshot = checkpoint::asDeltaSnapshot(value);
        add(snapshot ? *snapshot : value);
    }
    void add(const Value& write)
    {
        if (!write.isList())
            return addItem(write);
        for (const Value& item : write.asList())
            addItem(item);
    }
    [[nodiscard]] Value take() const
    {
        ValueList list;
        for (const std::optional<Value>& item : m_items)
            if (item)
                list.push_back(checkpoint::plainValue(*item));
        return list;
    }

private:
    void addItem(const Value& item)
    {
        const auto message = checkpoint::asMessage(item);
        const std::string id = message ? message->stringOr("id", "") : std::string();
        const bool removes = message && message->stringOr("type", "") == "remove";
        if (removes && id == "__remove_all__") {
            m_items.clear();
            m_places.clear();
            return;
        }
        const auto known = id.empty() ? m_places.end() : m_places.find(id);
        if (known != m_places.end()) {
            m_items[known->second] = removes ? std::optional<Value>() : std::optional(item);
            if (removes)
                m_places.erase(known);
        } else if (!removes) {
            if (!id.empty())
                m_places.emplace(id, m_items.size());
            m_items.emplace_back(item);
        }
    }

    std::vector<std::optional<Value>> m_items; // nullopt: removed
    std::unordered_map<std::string, std::size_t> m_places; // of messages, by id
};

std::vector<Changes> changedChannels(const checkpoint::CheckpointRecord& record)
{
    std::vector<Changes> all;
    const Value* counters = record.metadata.extra.find("counters_since_delta_snapshot");
    if (counters != nullptr && counters->isMap())
        for (const auto& [channel, counts] : counters->asMap())
            if (channel.isString() && record.checkpoint.channelValues.find(channel) == nullptr)
                all.push_back({ channel.asString(), {}, {} });
    return all;
}

Value rebuilt(const Changes& changes)
{
    Growing list;
    if (changes.seed)
        list.reset(*changes.seed);
    for (auto write = changes.writes.rbegin(); write != changes.writes.rend(); ++write) {
        if (const auto payload = checkpoint::asOverwrite(*write))
            list.reset(payload->isNull() ? Value(ValueList()) : *payload);
        else
            list.add(*write);
    }
    return list.take();
}

} // namespace

bool isStateChannel(std::string_view channel)
{
    return !channel.starts_with("__") && !channel.starts_with(kBranch) && !channel.starts_with(kJoin)
        && !channel.starts_with("start:");
}

std::optional<std::size_t> sendIndex(std::string_view path)
{
    constexpr std::string_view kPush = "~__pregel_push, ";
    if (!path.starts_with(kPush) || path.size() < kPush.size() + 10)
        return std::nullopt;
    std::size_t index = 0;
    for (const char c : path.substr(kPush.size(), 10)) {
        if (c < '0' || c > '9')
            return std::nullopt;
        index = index * 10 + static_cast<std::size_t>(c - '0');
    }
    return index;
}

std::vector<NodeId> sendTargets(const checkpoint::Checkpoint& checkpoint)
{
    std::vector<NodeId> nodes;
    if (const Value* sends = checkpoint.channelValues.find(engine::kTasksName); sends && sends->isList())
        for (const Value& item : sends->asList())
            if (const auto send = checkpoint::asSend(item))
                nodes.emplace_back(send->node);
    return nodes;
}

std::vector<ReadyTrigger> readyTriggers(const checkpoint::Checkpoint& checkpoint)
{
    std::vector<ReadyTrigger> ready;
    for (const auto& [key, value] : checkpoint.channelValues) {
        if (!key.isString())
            continue;
        const std::string& channel = key.asString();
        std::string_view node;
        bool available = true;
        if (channel == graph::kStart) {
            node = graph::kStart;
        } else if (channel.starts_with(kBranch)) {
            node = std::string_view(channel).substr(kBranch.size());
            available = isReady(value);
        } else if (channel.starts_with(kJoin)) {
            node = std::string_view(channel).substr(channel.rfind(':') + 1);
            const bool deferred = value.isList(); // [arrived, finished]
            const auto arrived = checkpoint::asSet(deferred ? value[std::size_t(0)] : value);
            available = isReady(value) && arrived && arrived->size() == joinSize(channel);
        }
        if (!node.empty() && available && !seen(checkpoint, node, channel))
            ready.push_back({ NodeId(std::string(node)), channel });
    }
    return ready;
}

std::vector<NodeId> pendingNodes(const checkpoint::Checkpoint& checkpoint)
{
    std::vector<NodeId> nodes = sendTargets(checkpoint);
    std::vector<NodeId> pulled;
    for (ReadyTrigger& trigger : readyTriggers(checkpoint))
        if (std::ranges::find(pulled, trigger.node) == pulled.end())
            pulled.push_back(std::move(trigger.node));
    std::ranges::sort(pulled);
    nodes.insert(nodes.end(), pulled.begin(), pulled.end());
    return nodes;
}

engine::StateSnapshot inertSnapshot(const checkpoint::CheckpointRecord& record)
{
    engine::StateSnapshot snapshot;
    ValueMap values;
    for (const auto& [channel, value] : record.checkpoint.channelValues)
        if (channel.isString() && isStateChannel(channel.asString()))
            values.set(channel, checkpoint::plainValue(value));
    snapshot.values = Value(std::move(values));
    snapshot.next = pendingNodes(record.checkpoint);
    snapshot.config = { record.ref.thread, record.ref.ns, record.ref.id, {} };
    snapshot.createdAt = record.checkpoint.timestamp;
    if (record.parent)
        snapshot.parent = engine::SnapshotConfig{ record.ref.thread, record.ref.ns, *record.parent, {} };
    ValueMap metadata{ { "source", record.metadata.source.text() },
                       { "step", record.metadata.step },
                       { "parents", record.metadata.parents } };
    for (const auto& [key, value] : record.metadata.extra)
        metadata.set(key, value);
    snapshot.metadata = Value(std::move(metadata));

    const std::vector<TaskWrites> stored = groupByTask(record.writes);
    std::size_t sends = 0;
    const Value& packets = [&]() -> const Value& {
        static const Value kNone{};
        const Value* found = record.checkpoint.channelValues.find(engine::kTasksName);
        return found ? *found : kNone;
    }();
    const std::size_t sendCount = packets.isList() ? packets.asList().size() : 0;
    for (const NodeId& node : snapshot.next) {
        const bool pushed = sends < sendCount;
        const std::size_t index = pushed ? sends++ : 0;
        const auto match = std::ranges::find_if(stored, [&](const TaskWrites& task) {
            return pushed ? sendIndex(task.path) == index : task.path == std::string(kPull) + node.value;
        });
        Value path = pushed ? Value::list({ "__pregel_push", Value(index) })
                            : Value::list({ "__pregel_pull", node.value });
        snapshot.tasks.push_back(taskFrom(node, std::move(path), match == stored.end() ? nullptr : &*match));
        for (const Value& interrupt : snapshot.tasks.back().interrupts)
            if (!snapshot.tasks.back().result)
                snapshot.interrupts.push_back(interrupt);
    }
    return snapshot;
}

RunStatus restingStatus(const checkpoint::CheckpointRecord& head)
{
    const engine::StateSnapshot snapshot = inertSnapshot(head);
    if (snapshot.next.empty())
        return RunStatus::Done;
    for (const engine::StateTask& task : snapshot.tasks)
        if (!task.error.isNull() && !task.result)
            return RunStatus::Failed;
    return snapshot.interrupts.empty() ? RunStatus::Unfinished : RunStatus::Interrupted;
}

Result<void> addChangedChannels(checkpoint::CheckpointStore& store,
                                const checkpoint::CheckpointRecord& record, ValueMap& values)
{
    std::vector<Changes> all = changedChannels(record);
    std::optional<CheckpointId> parent = record.parent;
    checkpoint::CircleWatch circle;
    const auto open = [](const Changes& changes) { return !changes.seed; };
    while (parent && std::ranges::any_of(all, open)) {
        auto ancestor = store.get(record.ref.thread, record.ref.ns, parent);
        if (!ancestor)
            return std::move(ancestor.error());
        if (!*ancestor)
            break;
        if (circle.closes((**ancestor).ref.id))
            return checkpoint::circleError(record.ref.thread.value);
        for (Changes& changes : all) {
            if (changes.seed)
                continue;
            const auto& writes = (**ancestor).writes;
            for (auto write = writes.rbegin(); write != writes.rend(); ++write)
                if (write->channel == changes.channel)
                    changes.writes.push_back(write->value);
            if (const Value* seed = (**ancestor).checkpoint.channelValues.find(changes.channel))
                changes.seed = *seed;
        }
        parent = (**ancestor).parent;
    }
    for (const Changes& changes : all)
        values.set(changes.channel, rebuilt(changes));
    return {};
}

Result<Value> storedValues(checkpoint::CheckpointStore& store, const checkpoint::CheckpointRecord& record)
{
    ValueMap values;
    for (const auto& [channel, value] : record.checkpoint.channelValues)
        if (channel.isString() && isStateChannel(channel.asString()))
            values.set(channel, value);
    if (auto added = addChangedChannels(store, record, values); !added)
        return std::move(added.error());
    return Value(std::move(values));
}

} // namespace sg::history
