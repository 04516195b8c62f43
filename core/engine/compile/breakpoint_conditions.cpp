#include "core/engine/compile/breakpoint_conditions.h"

#include <utility>

namespace sg::engine {
namespace {

// The context of a breakpoint's condition: it reads the state and cannot interrupt or emit anything.
class Looking final : public TaskContext {
public:
    Looking(const TaskInfo& info, const Value& state)
        : m_info(info)
        , m_state(state)
    {
    }
    [[nodiscard]] const TaskInfo& info() const override { return m_info; }
    [[nodiscard]] const Value& input() const override { return m_state; }
    [[nodiscard]] Value config() const override { return Value(ValueMap()); }
    [[nodiscard]] std::stop_token stopToken() const override { return {}; }
    std::optional<Value> interrupt(const Value&) override { return std::nullopt; }
    [[nodiscard]] ValueList answersAhead() const override { return {}; }
    void emitCustom(Value) override { }
    void log(Stream, std::string_view) override { }

private:
    const TaskInfo& m_info;
    const Value& m_state;
};

} // namespace

BreakpointConditions::BreakpointConditions(const NodeSelection& selection, std::function<Value()> state)
    : m_selection(selection)
    , m_read(std::move(state))
{
}

bool BreakpointConditions::hold(std::int32_t node, const TaskInfo& info)
{
    const auto index = static_cast<std::size_t>(node);
    if (index >= m_selection.conditions.size() || !m_selection.conditions[index])
        return true;
    if (!m_state)
        m_state = m_read();
    Looking context(info, *m_state);
    const NodeOutcome outcome = m_selection.conditions[index]->run(context);
    if (const auto* failure = std::get_if<Failure>(&outcome)) {
        m_faults.push_back({ info.node, failure->message });
        return true;
    }
    const auto* given = std::get_if<Returned>(&outcome);
    return given == nullptr || !(given->value.isNull() || given->value == Value(false));
}

} // namespace sg::engine
