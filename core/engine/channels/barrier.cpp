#include "core/engine/channels/barrier.h"

#include "core/checkpoint/serde/langgraph_types.h"
#include "core/engine/errors/python_text.h"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace sg::engine {
namespace {

struct Names {
    Value key;
    std::vector<Value> all; // as Values, so that a checkpoint shares them
};

// Remembers which names have been seen, as bits of one word: few edges wait for more nodes than it has bits.
class Seen {
public:
    explicit Seen(std::size_t names)
        : m_more(names > kFew ? names - kFew : 0, false)
    {
    }
    [[nodiscard]] bool contains(std::size_t place) const
    {
        return place < kFew ? (m_few >> place & 1U) != 0 : m_more[place - kFew];
    }
    void add(std::size_t place)
    {
        if (place < kFew)
            m_few |= std::uint64_t{ 1 } << place;
        else
            m_more[place - kFew] = true;
    }
    void clear()
    {
        m_few = 0;
        std::fill(m_more.begin(), m_more.end(), false);
    }

private:
    static constexpr std::size_t kFew = 64;
    std::uint64_t m_few = 0;
    std::vector<bool> m_more;
};

class Barrier final : public Channel {
public:
    Barrier(std::shared_ptr<const Names> names, bool afterFinish)
        : m_names(std::move(names)) // shared by copies: it never changes
        , m_afterFinish(afterFinish)
        , m_seen(m_names->all.size())
    {
    }
    [[nodiscard]] std::unique_ptr<Channel> clone() const override { return std::make_unique<Barrier>(*this); }

    Outcome<bool> update(std::span<Value> writes) override
    {
        bool changed = false;
        for (const Value& write : writes) {
            const auto place = indexOf(write);
            if (!place)
                return Failure{ "InvalidUpdateError",
                                "At key '" + m_names->key.asString() + "': Value " + pythonText(write)
                                    + " not in " + setText() };
            if (m_seen.contains(*place))
                continue;
            m_seen.add(*place);
            m_stored = {};
            ++m_count;
            changed = true;
        }
        return changed;
    }
    [[nodiscard]] bool available() const override { return complete() && (!m_afterFinish || m_finished); }
    [[nodiscard]] Value get() const override { return {}; }
    bool consume() override
    {
        if (!available())
            return false;
        m_finished = false;
        clear();
        return true;
    }
    bool finish() override
    {
        if (!m_afterFinish || m_finished || !complete())
            return false;
        m_finished = true;
        m_stored = {};
        return true;
    }
    [[nodiscard]] std::optional<Value> checkpoint() const override
    {
        if (!m_stored.isNull())
            return m_stored;
        ValueList seen;
        for (std::size_t i = 0; i < m_names->all.size(); ++i)
            if (m_seen.contains(i))
                seen.push_back(m_names->all[i]);
        Value set = checkpoint::makeSet(std::move(seen));
        m_stored = m_afterFinish ? Value::list({ std::move(set), m_finished }) : std::move(set);
        return m_stored;
    }
    void restore(std::optional<Value> saved) override
    {
        m_finished = false;
        clear();
        if (!saved)
            return;
        const Value& set = m_afterFinish ? (*saved)[0] : *saved;
        if (const auto items = checkpoint::asSet(set))
            for (const Value& item : *items)
                if (const auto place = indexOf(item); place && !m_seen.contains(*place)) {
                    m_seen.add(*place);
                    ++m_count;
                }
        if (m_afterFinish)
            m_finished = (*saved)[1].isBool() && (*saved)[1].asBool();
        m_stored = {};
    }

private:
    [[nodiscard]] bool complete() const { return m_count == m_names->all.size(); }
    void clear()
    {
        m_seen.clear();
        m_count = 0;
        m_stored = {};
    }
    [[nodiscard]] std::optional<std::size_t> indexOf(const Value& name) const
    {
        const auto found = std::ranges::find(m_names->all, name);
        if (found == m_names->all.end())
            return std::nullopt;
        return static_cast<std::size_t>(found - m_names->all.begin());
    }
    [[nodiscard]] std::string setText() const
    {
        std::string text;
        for (const Value& name : m_names->all)
            text += (text.empty() ? "{" : ", ") + pythonRepr(name);
        return text + "}";
    }

    std::shared_ptr<const Names> m_names;
    bool m_afterFinish;
    Seen m_seen;
    std::size_t m_count = 0;
    bool m_finished = false;
    mutable Value m_stored; // the last result of checkpoint(); null once something has changed
};

} // namespace

std::unique_ptr<Channel> makeBarrier(Value key, std::vector<Value> names, bool afterFinish)
{
    auto shared = std::make_shared<Names>(Names{ std::move(key), {} });
    for (auto name = names.begin(); name != names.end();)
        name = std::find(names.begin(), name, *name) == name ? name + 1 : names.erase(name);
    shared->all = std::move(names);
    return std::make_unique<Barrier>(std::move(shared), afterFinish);
}

} // namespace sg::engine
