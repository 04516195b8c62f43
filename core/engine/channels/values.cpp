#include "core/engine/channels/values.h"

namespace sg::engine {
namespace {

class LastValue : public Channel {
public:
    explicit LastValue(Value key)
        : m_key(std::move(key))
    {
    }
    [[nodiscard]] std::unique_ptr<Channel> clone() const override
    {
        return std::make_unique<LastValue>(*this);
    }

    Outcome<bool> update(std::span<Value> writes) override
    {
        if (writes.empty())
            return false;
        if (writes.size() != 1)
            return invalidUpdate(
                "At key '" + m_key.asString()
                    + "': Can receive only one value per step. Use an Annotated key to handle "
                      "multiple values.",
                "INVALID_CONCURRENT_GRAPH_UPDATE");
        m_value = std::move(writes.back());
        return true;
    }
    [[nodiscard]] bool available() const override { return m_value.has_value(); }
    [[nodiscard]] Value get() const override { return *m_value; }
    [[nodiscard]] const Value* replacedBy(std::span<const Value> writes) const override
    {
        return writes.size() == 1 ? writes.data() : nullptr;
    }
    [[nodiscard]] std::optional<Value> checkpoint() const override { return m_value; }
    void restore(std::optional<Value> saved) override { m_value = std::move(saved); }

private:
    Value m_key; // shared by all states of the graph
    std::optional<Value> m_value;
};

class AnyValue final : public Channel {
public:
    [[nodiscard]] std::unique_ptr<Channel> clone() const override
    {
        return std::make_unique<AnyValue>(*this);
    }

    Outcome<bool> update(std::span<Value> writes) override
    {
        if (writes.empty()) {
            const bool changed = m_value.has_value();
            m_value.reset();
            return changed;
        }
        m_value = std::move(writes.back());
        return true;
    }
    [[nodiscard]] bool available() const override { return m_value.has_value(); }
    [[nodiscard]] Value get() const override { return *m_value; }
    [[nodiscard]] const Value* replacedBy(std::span<const Value> writes) const override
    {
        return writes.empty() ? nullptr : &writes.back();
    }
    [[nodiscard]] std::optional<Value> checkpoint() const override { return m_value; }
    void restore(std::optional<Value> saved) override { m_value = std::move(saved); }

private:
    std::optional<Value> m_value;
};

// `tracked` channels are stored, and a superstep without a write clears them; neither holds for the others.
class Guarded final : public Channel {
public:
    Guarded(Value key, bool guard, bool tracked)
        : m_key(std::move(key))
        , m_guard(guard)
        , m_tracked(tracked)
    {
    }
    [[nodiscard]] std::unique_ptr<Channel> clone() const override { return std::make_unique<Guarded>(*this); }

    Outcome<bool> update(std::span<Value> writes) override
    {
        if (writes.empty()) {
            const bool changed = m_tracked && m_value.has_value();
            if (changed)
                m_value.reset();
            return changed;
        }
        if (writes.size() != 1 && m_guard)
            return Failure{ "InvalidUpdateError",
                            "At key '" + m_key.asString()
                                + "': " + (m_tracked ? "EphemeralValue" : "UntrackedValue")
                                + "(guard=True) can receive only one value per step. Use guard=False if you "
                                  "want to store any one of multiple values." };
        m_value = std::move(writes.back());
        return true;
    }
    [[nodiscard]] bool available() const override { return m_value.has_value(); }
    [[nodiscard]] Value get() const override { return *m_value; }
    [[nodiscard]] const Value* replacedBy(std::span<const Value> writes) const override
    {
        return writes.empty() || (writes.size() != 1 && m_guard) ? nullptr : &writes.back();
    }
    [[nodiscard]] std::optional<Value> checkpoint() const override
    {
        return m_tracked ? m_value : std::nullopt;
    }
    void restore(std::optional<Value> saved) override
    {
        m_value = m_tracked ? std::move(saved) : std::nullopt;
    }

private:
    Value m_key; // shared by all states of the graph
    bool m_guard;
    bool m_tracked;
    std::optional<Value> m_value;
};

class LastValueAfterFinish final : public Channel {
public:
    [[nodiscard]] std::unique_ptr<Channel> clone() const override
    {
        return std::make_unique<LastValueAfterFinish>(*this);
    }

    Outcome<bool> update(std::span<Value> writes) override
    {
        if (writes.empty())
            return false;
        m_finished = false;
        m_value = std::move(writes.back());
        return true;
    }
    [[nodiscard]] bool available() const override { return m_value.has_value() && m_finished; }
    [[nodiscard]] Value get() const override { return *m_value; }
    bool consume() override
    {
        if (!m_finished)
            return false;
        m_finished = false;
        m_value.reset();
        return true;
    }
    bool finish() override
    {
        if (m_finished || !m_value)
            return false;
        m_finished = true;
        return true;
    }
    [[nodiscard]] std::optional<Value> checkpoint() const override
    {
        if (!m_value)
            return std::nullopt;
        return Value::list({ *m_value, m_finished });
    }
    void restore(std::optional<Value> saved) override
    {
        m_value.reset();
        m_finished = false;
        if (!saved || !saved->isList() || saved->asList().size() != 2)
            return;
        m_value = (*saved)[0];
        m_finished = (*saved)[1].isBool() && (*saved)[1].asBool();
    }

private:
    std::optional<Value> m_value;
    bool m_finished = false;
};

} // namespace

std::unique_ptr<Channel> makeLastValue(Value key)
{
    return std::make_unique<LastValue>(std::move(key));
}

std::unique_ptr<Channel> makeAnyValue()
{
    return std::make_unique<AnyValue>();
}

std::unique_ptr<Channel> makeEphemeral(Value key, bool guard)
{
    return std::make_unique<Guarded>(std::move(key), guard, true);
}

std::unique_ptr<Channel> makeUntracked(Value key, bool guard)
{
    return std::make_unique<Guarded>(std::move(key), guard, false);
}

std::unique_ptr<Channel> makeLastValueAfterFinish()
{
    return std::make_unique<LastValueAfterFinish>();
}

} // namespace sg::engine
