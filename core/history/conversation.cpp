#include "core/history/conversation.h"

#include "core/base/json.h"
#include "core/checkpoint/message_writes.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/checkpoint/serde/plain_data.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sg::history {
namespace {

constexpr std::size_t kMostThreads = 32; // whose writes are kept
constexpr std::size_t kLookedAt = 3; // items of a list that decide whether it holds messages

// A message as a map; null: it is none.
Value mapOf(const Value& item)
{
    if (auto message = checkpoint::asMessage(item))
        return checkpoint::plain(*message);
    if (!item.isMap() || item.find("content") == nullptr
        || item.stringOr("type", item.stringOr("role", "")).empty())
        return {};
    return checkpoint::plain(item);
}

bool holdsMessages(const Value& channel)
{
    if (!channel.isList() || channel.asList().empty())
        return false;
    const ValueList& items = channel.asList();
    return std::all_of(items.begin(),
                       items.begin() + static_cast<std::ptrdiff_t>(std::min(kLookedAt, items.size())),
                       [](const Value& item) { return !mapOf(item).isNull(); });
}

// A text of its own is what a person said.
std::vector<Value> messagesIn(const Value& written)
{
    std::vector<Value> found;
    const auto add = [&found](const Value& item) {
        Value map = item.isString() ? Value::map({ { "type", "human" }, { "content", item } }) : mapOf(item);
        if (!map.isNull())
            found.push_back(std::move(map));
    };
    if (!written.isList())
        add(written);
    else
        for (const Value& item : written.asList())
            add(item);
    return found;
}

std::string idKey(const Value& message)
{
    const std::string id = message.stringOr("id", "");
    return id.empty() ? id : "id:" + id;
}

// Messages that were written before they got an id are known by the calls that they make or answer.
std::string callKey(const Value& message)
{
    if (const std::string answered = message.stringOr("tool_call_id", ""); !answered.empty())
        return "answer:" + answered;
    const Value& calls = message["tool_calls"];
    if (!calls.isList() || calls.asList().empty())
        return {};
    const std::string id = calls.asList().front().stringOr("id", "");
    return id.empty() ? id : "call:" + id;
}

std::string textKey(const Value& message)
{
    std::string role = message.stringOr("type", message.stringOr("role", ""));
    if (role == "user")
        role = "human";
    return "text:" + role + ":" + toJson(message["content"]);
}

const Value* messagesOf(const Value& values, std::string& channel)
{
    if (!values.isMap())
        return nullptr;
    for (const auto& [key, value] : values.asMap())
        if (key.isString() && holdsMessages(value)) {
            channel = key.asString();
            return &value;
        }
    return nullptr;
}

} // namespace

struct Conversations::Impl {
    struct Origin {
        std::string ns;
        std::string node;
        std::string checkpoint;
        std::string task;
        std::string startedAt;
        double seconds = -1;
        std::size_t number = 0; // of the write
    };

    // Reads what the thread's stored writes tell.
    class Writes {
    public:
        void add(const checkpoint::MessageWrite& write)
        {
            const Origin origin{ write.ns,        write.rootNode, write.checkpoint, write.task,
                                 write.startedAt, write.seconds,  ++m_count };
            for (const Value& message : messagesIn(write.value)) {
                if (message.stringOr("type", "") == "remove")
                    continue;
                const std::string id = idKey(message);
                const std::string call = callKey(message);
                if (id.empty() && call.empty())
                    m_texts[textKey(message)].push_back(origin);
                for (const std::string& key : { id, call })
                    if (!key.empty())
                        m_known.emplace(key, origin);
                if (!write.ns.empty())
                    m_inner.emplace(write.ns, origin);
            }
        }
        // The first write that held it. `texts` counts the messages of each text.
        [[nodiscard]] const Origin* find(const Value& message,
                                         std::map<std::string, std::size_t>& texts) const
        {
            const Origin* found = nullptr;
            const auto take = [&found](const Origin& origin) {
                if (found == nullptr || origin.number < found->number)
                    found = &origin;
            };
            for (const std::string& key : { idKey(message), callKey(message) })
                if (const auto known = m_known.find(key); !key.empty() && known != m_known.end())
                    take(known->second);
            if (const auto known = m_texts.find(textKey(message)); known != m_texts.end())
                if (const std::size_t nth = texts[known->first]++; nth < known->second.size())
                    take(known->second[nth]);
            return found;
        }
        // Namespaces with messages, and the task of the root graph that each belongs to.
        [[nodiscard]] const std::map<std::string, Origin>& inner() const { return m_inner; }

        std::int64_t last = 0; // row

    private:
        std::size_t m_count = 0; // writes
        std::unordered_map<std::string, Origin> m_known; // by the ids of messages and calls
        std::unordered_map<std::string, std::vector<Origin>> m_texts;
        std::map<std::string, Origin> m_inner;
    };

    static SaidMessage saidOf(Value message, const Origin* origin)
    {
        SaidMessage said;
        if (origin != nullptr)
            said = { .node = origin->node,
                     .checkpoint = origin->checkpoint,
                     .task = origin->task,
                     .startedAt = origin->startedAt,
                     .seconds = origin->seconds };
        said.key = idKey(message);
        if (said.key.empty())
            said.key = callKey(message);
        if (said.key.empty())
            said.key = textKey(message);
        said.message = std::move(message);
        return said;
    }

    Result<const Writes*> writesOf(const ThreadId& thread, const std::stop_token& stop);
    using Ended = std::unordered_map<std::string, checkpoint::EndedTask>; // by task
    Result<void> addInner(const ThreadId& thread, const Writes& writes, const Ended& ended,
                          Conversation& into);
    // A write may be read before its task has ended.
    static void complete(SaidMessage& said, const Ended& ended)
    {
        const auto found = ended.find(said.task);
        if (found == ended.end())
            return;
        said.startedAt = found->second.startedAt;
        said.seconds = found->second.seconds;
    }

    History& history;
    const std::filesystem::path database;
    std::mutex mutex; // guards `threads`
    std::map<std::string, Writes> threads;
};

Conversations::Conversations(History& history, std::filesystem::path database)
    : m_impl(new Impl{ history, std::move(database), {}, {} })
{
}

Conversations::~Conversations() = default;

Result<const Conversations::Impl::Writes*> Conversations::Impl::writesOf(const ThreadId& thread,
                                                                         const std::stop_token& stop)
{
    if (threads.size() >= kMostThreads && !threads.contains(thread.value))
        threads.clear();
    Writes& writes = threads[thread.value];
    auto last = checkpoint::readMessageWrites(
        database, thread, writes.last,
        [&writes](const checkpoint::MessageWrite& write) { writes.add(write); }, stop);
    if (!last) { // what was read of it would be read again
        threads.erase(thread.value);
        return std::move(last.error());
    }
    writes.last = *last;
    return &writes;
}

// Adds what agents and subgraphs keep for themselves, before what was said after their task began.
Result<void> Conversations::Impl::addInner(const ThreadId& thread, const Writes& writes, const Ended& ended,
                                           Conversation& into)
{
    if (writes.inner().empty())
        return {};
    auto parents = checkpoint::readParents(database, thread);
    if (!parents)
        return std::move(parents.error());
    std::unordered_set<std::string> before; // checkpoints on the way, whose supersteps led to it
    bool isHead = true;
    for (const auto& [id, parent] : *parents)
        isHead = isHead && parent != into.checkpoint.value;
    if (isHead)
        before.insert(into.checkpoint.value);
    for (auto at = parents->find(into.checkpoint.value); at != parents->end() && !at->second.empty();
         at = parents->find(at->second))
        if (!before.insert(at->second).second)
            break; // a damaged file may name a circle
    std::unordered_set<std::string> known;
    for (const SaidMessage& said : into.messages)
        known.insert(said.key);
    std::map<std::string, std::size_t> texts;
    for (const auto& [ns, root] : writes.inner()) {
        // A task that has not ended is known to the newest checkpoint alone.
        const std::size_t colon = ns.find(':');
        const std::string task = colon == std::string::npos ? std::string() : ns.substr(colon + 1, 36);
        const auto over = ended.find(task);
        const std::string start = !root.checkpoint.empty() ? root.checkpoint
            : over != ended.end()                          ? over->second.checkpoint
                                                           : into.checkpoint.value;
        if (!before.contains(start) || (start == into.checkpoint.value && !isHead))
            continue;
        auto state = history.state(thread, ns);
        if (!state)
            continue; // it is damaged, or its namespace went: the rest can be told
        std::string channel;
        const Value* messages = messagesOf(state->values, channel);
        std::vector<SaidMessage> added;
        for (const Value& item : messages != nullptr ? messages->asList() : ValueList()) {
            Value map = mapOf(item);
            if (map.isNull())
                continue;
            const Origin* origin = writes.find(map, texts);
            SaidMessage said = saidOf(std::move(map), origin);
            if (!known.insert(said.key).second)
                continue;
            said.ns = ns;
            said.node = root.node;
            said.checkpoint = start;
            complete(said, ended);
            added.push_back(std::move(said));
        }
        const auto place = std::ranges::find_if(into.messages, [&start](const SaidMessage& said) {
            return !said.checkpoint.empty() && said.checkpoint > start;
        });
        into.messages.insert(place, std::make_move_iterator(added.begin()),
                             std::make_move_iterator(added.end()));
    }
    return {};
}

Result<Conversation> Conversations::of(const ThreadId& thread, const std::string& checkpoint,
                                       const std::stop_token& stop)
{
    if (auto here = m_impl->history.bringHere(thread); !here)
        return std::move(here.error());
    auto state = m_impl->history.state(
        thread, "", checkpoint.empty() ? std::optional<CheckpointId>() : CheckpointId(checkpoint));
    if (!state)
        return std::move(state.error());
    Conversation found;
    if (!state->config.checkpoint)
        return found;
    found.checkpoint = *state->config.checkpoint;
    const std::lock_guard lock(m_impl->mutex);
    auto writes = m_impl->writesOf(thread, stop);
    if (!writes)
        return std::move(writes.error());
    auto ended = checkpoint::readEndedTasks(m_impl->database, thread);
    if (!ended)
        return std::move(ended.error());
    std::map<std::string, std::size_t> texts;
    std::unordered_map<std::string, std::size_t> keys; // messages without ids may be equal
    if (const Value* messages = messagesOf(state->values, found.channel))
        for (const Value& item : messages->asList())
            if (Value map = mapOf(item); !map.isNull()) {
                const auto* origin = (*writes)->find(map, texts);
                found.messages.push_back(m_impl->saidOf(std::move(map), origin));
                SaidMessage& said = found.messages.back();
                Impl::complete(said, *ended);
                if (const std::size_t before = keys[said.key]++; before > 0)
                    said.key += '#' + std::to_string(before + 1);
            }
    if (auto added = m_impl->addInner(thread, **writes, *ended, found); !added)
        return std::move(added.error());
    return found;
}

} // namespace sg::history
