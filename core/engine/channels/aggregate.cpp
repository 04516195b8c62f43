#include "core/engine/channels/aggregate.h"

#include "core/base/msgpack.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/engine/channels/reducers.h"

namespace sg::engine {
namespace {

EngineError secondOverwrite()
{
    return invalidUpdate("Can receive only one Overwrite value per super-step.",
                         "INVALID_CONCURRENT_GRAPH_UPDATE");
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
        for (Value& write : writes.subspan(first)) {
            if (auto payload = checkpoint::asOverwrite(write)) {
                if (overwritten)
                    return secondOverwrite();
                m_value = *std::move(payload);
                overwritten = true;
            } else if (!overwritten) {
                if (auto error = reduce(m_reducer, *m_value, std::move(write), m_random))
                    return *std::move(error);
            }
        }
        return true;
    }
    [[nodiscard]] bool available() const override { return m_value.has_value(); }
    [[nodiscard]] Value get() const override { return *m_value; }
    [[nodiscard]] std::optional<Value> checkpoint() const override { return m_value; }
    void restore(std::optional<Value> saved) override
    {
        if (!saved) {
            m_value = m_initial;
            return;
        }
        auto snapshot = checkpoint::asDeltaSnapshot(*saved);
        m_value = snapshot ? std::move(snapshot) : std::move(saved);
    }

private:
    graph::Reducer m_reducer;
    Random& m_random;
    std::optional<Value> m_initial;
    std::optional<Value> m_value;
};

// Python's list.extend(write).
std::optional<EngineError> extend(Value& list, const Value& write)
{
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
        return EngineError{ "TypeError", "the value of a delta channel must be a list" };
    }
    return std::nullopt;
}

Value overwriteBase(Value payload)
{
    return payload.isNull() ? Value(ValueList()) : std::move(payload);
}

class Delta final : public Channel {
public:
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
            m_value = overwriteBase(*std::move(overwrite));
            return true;
        }
        if (auto error = extendAll(writes))
            return *std::move(error);
        return true;
    }
    std::optional<EngineError> replay(std::span<Value> writes)
    {
        std::size_t first = 0;
        for (std::size_t i = 0; i < writes.size(); ++i)
            if (auto payload = checkpoint::asOverwrite(writes[i])) {
                m_value = overwriteBase(*std::move(payload));
                first = i + 1;
            }
        return extendAll(writes.subspan(first));
    }
    [[nodiscard]] bool available() const override { return true; }
    [[nodiscard]] Value get() const override { return m_value; }
    [[nodiscard]] std::optional<Value> checkpoint() const override { return std::nullopt; }
    void restore(std::optional<Value> saved) override
    {
        if (!saved) {
            m_value = Value(ValueList());
            return;
        }
        auto snapshot = checkpoint::asDeltaSnapshot(*saved);
        m_value = snapshot ? *std::move(snapshot) : *std::move(saved);
    }

private:
    std::optional<EngineError> extendAll(std::span<Value> writes)
    {
        if (!m_value.isList())
            return EngineError{ "TypeError", "the value of a delta channel must be a list" };
        for (const Value& write : writes)
            if (auto error = extend(m_value, write))
                return error;
        return std::nullopt;
    }

    Value m_value = Value(ValueList());
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

std::optional<EngineError> replayDelta(Channel& delta, std::span<Value> writes)
{
    if (auto* channel = dynamic_cast<Delta*>(&delta))
        return channel->replay(writes);
    // A channel that has a plain reducer now: its writes span supersteps, so each is an update of its own.
    for (Value& write : writes) {
        auto updated = delta.update({ &write, 1 });
        if (const EngineError* error = errorOf(updated))
            return *error;
    }
    return std::nullopt;
}

Value makeDeltaSnapshot(const Value& value)
{
    return Value(Ext{ 7, encodeMsgpack(value) });
}

} // namespace sg::engine
