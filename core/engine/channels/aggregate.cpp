#include "core/engine/channels/aggregate.h"

#include "core/base/msgpack.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/engine/channels/messages.h"
#include "core/engine/channels/reducers.h"

#include <algorithm>

namespace sg::engine {
namespace {

Failure secondOverwrite()
{
    return invalidUpdate("Can receive only one Overwrite value per super-step.",
                         "INVALID_CONCURRENT_GRAPH_UPDATE");
}

bool areLists(std::span<const Value> writes)
{
    return std::ranges::all_of(writes, &Value::isList);
}

// Appends in place if `list` is the only owner of its items; otherwise editList() copies them all first.
void append(Value& list, std::span<const Value> writes)
{
    ValueList& items = list.editList();
    for (const Value& write : writes)
        items.insert(items.end(), write.asList().begin(), write.asList().end());
}

void shorten(Value& list, std::size_t size)
{
    if (list.asList().size() > size)
        list.editList().resize(size);
}

class Aggregate final : public Channel {
public:
    Aggregate(graph::Reducer reducer, std::optional<Value> initial, Random& random)
        : m_reducer(reducer)
        , m_random(random)
        , m_initial(std::move(initial))
        , m_value(m_initial)
    {
    }
    [[nodiscard]] std::unique_ptr<Channel> clone() const override
    {
        return std::make_unique<Aggregate>(*this);
    }

    Outcome<bool> update(std::span<Value> writes) override
    {
        if (writes.empty())
            return false;
        std::size_t first = 0;
        if (!m_value) // the first value is taken as it is, even where it is an Overwrite
            m_value = std::move(writes[first++]);
        bool overwritten = false;
        if (first > 0)
            m_messageIds.forget();
        for (Value& write : writes.subspan(first)) {
            if (auto payload = checkpoint::asOverwrite(write)) {
                if (overwritten)
                    return secondOverwrite();
                m_value = *std::move(payload);
                m_messageIds.forget();
                overwritten = true;
            } else if (!overwritten) {
                if (auto error = add(std::move(write)))
                    return *std::move(error);
            }
        }
        return true;
    }
    [[nodiscard]] bool available() const override { return m_value.has_value(); }
    [[nodiscard]] Value get() const override { return *m_value; }
    std::optional<Value> lend(std::span<const Value> writes) override
    {
        if (!m_value || !m_value->isList() || writes.empty())
            return std::nullopt;
        const std::size_t size = m_value->asList().size();
        switch (m_reducer) {
        case graph::Reducer::Add:
        case graph::Reducer::Append:
        case graph::Reducer::Concat:
            if (!areLists(writes))
                return std::nullopt;
            append(*m_value, writes);
            break;
        case graph::Reducer::AddMessages:
            if (writes.size() != 1 || !appendNewMessages(*m_value, writes.front(), m_random, m_messageIds))
                return std::nullopt;
            break;
        default: return std::nullopt;
        }
        m_lentSize = size;
        return std::move(*m_value);
    }
    void giveBack(Value&& lent) override
    {
        shorten(lent, m_lentSize);
        m_value = std::move(lent);
    }
    [[nodiscard]] std::optional<Value> checkpoint() const override { return m_value; }
    void restore(std::optional<Value> saved) override
    {
        m_messageIds.forget();
        if (!saved) {
            m_value = m_initial;
            return;
        }
        auto snapshot = checkpoint::asDeltaSnapshot(*saved);
        m_value = snapshot ? std::move(snapshot) : std::move(saved);
    }

private:
    std::optional<Failure> add(Value write)
    {
        if (m_reducer == graph::Reducer::AddMessages)
            return addMessages(*m_value, write, m_random, m_messageIds);
        return reduce(m_reducer, *m_value, std::move(write), m_random);
    }

    graph::Reducer m_reducer;
    Random& m_random;
    std::optional<Value> m_initial;
    std::optional<Value> m_value;
    MessageIds m_messageIds; // the ids of m_value's messages, if it is a list of them
    std::size_t m_lentSize = 0;
};

// Does what Python's list.extend(write) does.
std::optional<Failure> extend(Value& list, Value write)
{
    if (write.isExt())
        write = asStored(std::move(write));
    ValueList& items = list.editList();
    if (write.isList()) {
        items.insert(items.end(), write.asList().begin(), write.asList().end());
    } else if (write.isMap()) {
        for (const auto& entry : write.asMap())
            items.push_back(entry.first);
    } else if (write.isString()) {
        const std::string& text = write.asString();
        for (std::size_t i = 0; i < text.size();) {
            const std::size_t from = i++;
            while (i < text.size() && (static_cast<unsigned char>(text[i]) & 0xc0U) == 0x80U)
                ++i;
            items.emplace_back(text.substr(from, i - from));
        }
    } else {
        return Failure{ "TypeError", "the value of a delta channel must be a list" };
    }
    return std::nullopt;
}

class Delta final : public Channel {
public:
    Delta() = default;
    Delta(graph::Reducer reducer, Value initial, Random& random)
        : m_reducer(reducer)
        , m_random(&random)
        , m_initial(std::move(initial))
        , m_value(m_initial)
    {
    }
    [[nodiscard]] std::unique_ptr<Channel> clone() const override { return std::make_unique<Delta>(*this); }

    Outcome<bool> update(std::span<Value> writes) override
    {
        if (writes.empty())
            return false;
        std::optional<Value> overwrite;
        for (const Value& write : writes)
            if (auto payload = checkpoint::asOverwrite(write)) {
                if (overwrite)
                    return secondOverwrite();
                overwrite = std::move(payload);
            }
        if (overwrite) {
            m_value = baseOf(*std::move(overwrite));
            return true;
        }
        if (auto error = extendAll(writes))
            return *std::move(error);
        return true;
    }
    std::optional<Failure> replay(std::span<Value> writes)
    {
        std::size_t first = 0;
        for (std::size_t i = 0; i < writes.size(); ++i)
            if (auto payload = checkpoint::asOverwrite(writes[i])) {
                m_value = baseOf(*std::move(payload));
                first = i + 1;
            }
        return extendAll(writes.subspan(first));
    }
    [[nodiscard]] bool available() const override { return true; }
    [[nodiscard]] Value get() const override { return m_value; }
    std::optional<Value> lend(std::span<const Value> writes) override
    {
        if (!m_value.isList() || writes.empty() || !areLists(writes))
            return std::nullopt;
        m_lentSize = m_value.asList().size();
        append(m_value, writes);
        return std::move(m_value);
    }
    void giveBack(Value&& lent) override
    {
        shorten(lent, m_lentSize);
        m_value = std::move(lent);
    }
    [[nodiscard]] std::optional<Value> checkpoint() const override { return std::nullopt; }
    void restore(std::optional<Value> saved) override
    {
        if (!saved) {
            m_value = m_initial;
            return;
        }
        auto snapshot = checkpoint::asDeltaSnapshot(*saved);
        m_value = snapshot ? *std::move(snapshot) : *std::move(saved);
    }

private:
    static Value baseOf(Value payload) { return payload.isNull() ? Value(ValueList()) : std::move(payload); }

    std::optional<Failure> extendAll(std::span<Value> writes)
    {
        if (!m_value.isList())
            return Failure{ "TypeError", "the value of a delta channel must be a list" };
        for (Value& write : writes) {
            auto error = m_reducer ? reduce(*m_reducer, m_value, std::move(write), *m_random)
                                   : extend(m_value, std::move(write));
            if (error)
                return error;
        }
        return std::nullopt;
    }

    std::optional<graph::Reducer> m_reducer;
    Random* m_random = nullptr;
    Value m_initial = Value(ValueList());
    Value m_value = Value(ValueList());
    std::size_t m_lentSize = 0;
};

} // namespace

std::unique_ptr<Channel> makeAggregate(const graph::Channel& channel, Random& random)
{
    return std::make_unique<Aggregate>(channel.reducer, initialValue(channel), random);
}

std::unique_ptr<Channel> makeDelta()
{
    return std::make_unique<Delta>();
}

std::unique_ptr<Channel> makeDelta(const graph::Channel& channel, Random& random)
{
    return std::make_unique<Delta>(channel.reducer, initialValue(channel).value_or(Value(ValueList())),
                                   random);
}

std::optional<Failure> replayDelta(Channel& delta, std::span<Value> writes)
{
    if (auto* channel = dynamic_cast<Delta*>(&delta))
        return channel->replay(writes);
    // The channel has a plain reducer now. Its writes span supersteps, so each is an update of its own.
    for (Value& write : writes) {
        auto updated = delta.update({ &write, 1 });
        if (const Failure* error = errorOf(updated))
            return *error;
    }
    return std::nullopt;
}

Value makeDeltaSnapshot(const Value& value)
{
    return Value(Ext{ 7, encodeMsgpack(value) });
}

} // namespace sg::engine
