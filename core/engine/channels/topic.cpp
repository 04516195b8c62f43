#include "core/engine/channels/topic.h"

namespace sg::engine {
namespace {

class Topic final : public Channel {
public:
    explicit Topic(bool accumulate)
        : m_accumulate(accumulate)
    {
    }
    [[nodiscard]] std::unique_ptr<Channel> clone() const override { return std::make_unique<Topic>(*this); }

    Outcome<bool> update(std::span<Value> writes) override
    {
        bool changed = false;
        if (!m_accumulate && !empty()) {
            changed = true;
            m_values = Value(ValueList());
        }
        for (Value& write : writes) {
            if (write.isList()) {
                if (write.asList().empty())
                    continue;
                ValueList& values = m_values.editList();
                values.insert(values.end(), write.asList().begin(), write.asList().end());
            } else {
                m_values.editList().push_back(std::move(write));
            }
            changed = true;
        }
        return changed;
    }
    [[nodiscard]] bool available() const override { return !empty(); }
    [[nodiscard]] Value get() const override { return m_values; }
    [[nodiscard]] std::optional<Value> checkpoint() const override { return m_values; }
    void restore(std::optional<Value> saved) override
    {
        m_values = saved && saved->isList() ? *std::move(saved) : Value(ValueList());
    }

private:
    [[nodiscard]] bool empty() const { return m_values.asList().empty(); }

    bool m_accumulate;
    Value m_values = Value(ValueList());
};

} // namespace

std::unique_ptr<Channel> makeTopic(bool accumulate)
{
    return std::make_unique<Topic>(accumulate);
}

} // namespace sg::engine
