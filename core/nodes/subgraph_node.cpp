#include "core/nodes/subgraph_node.h"

#include "core/nodes/jq_node.h"
#include "core/nodes/jq_result.h"

#include <utility>

namespace sg::nodes {
namespace {

class SubgraphBody final : public engine::NodeBody {
public:
    SubgraphBody(std::shared_ptr<JqPrograms> programs, SubgraphMapping mapping)
        : m_programs(std::move(programs))
        , m_in(m_programs->add(std::move(mapping.in)))
        , m_out(m_programs->add(std::move(mapping.out)))
        , m_calls(mapping.calls)
    {
    }

    [[nodiscard]] bool mayBlock() const override { return true; }

    engine::NodeOutcome run(engine::TaskContext& context) override
    {
        ValueList results;
        for (std::int64_t call = 0; call < m_calls.value_or(1); ++call) {
            const auto input = m_programs->evaluate(m_in, context.input());
            if (!input)
                return jqFailure(input.error());
            auto result = context.runSubgraph(*input);
            if (!result)
                return engine::Interrupted{};
            results.push_back(std::move(*result));
        }
        const Value result = m_calls ? Value(std::move(results)) : results.front();
        const auto update =
            m_programs->evaluate(m_out, Value::map({ { "state", context.input() }, { "result", result } }));
        if (!update)
            return jqFailure(update.error());
        return engine::Returned{ withLangGraphObjects(*update) };
    }

private:
    const std::shared_ptr<JqPrograms> m_programs;
    const std::size_t m_in;
    const std::size_t m_out;
    const std::optional<std::int64_t> m_calls;
};

} // namespace

std::unique_ptr<engine::NodeBody> makeSubgraphBody(std::shared_ptr<JqPrograms> programs,
                                                   SubgraphMapping mapping)
{
    return std::make_unique<SubgraphBody>(std::move(programs), std::move(mapping));
}

} // namespace sg::nodes
