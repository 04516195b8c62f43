#include "core/nodes/human_node.h"

#include "core/nodes/jq_node.h"

#include <optional>
#include <utility>

namespace sg::nodes {
namespace {

class HumanBody final : public engine::NodeBody {
public:
    HumanBody(std::shared_ptr<JqPrograms> programs, HumanQuestion question)
        : m_programs(std::move(programs))
        , m_question(std::move(question.question))
        , m_channel(std::move(question.channel))
    {
        if (!question.program.empty())
            m_program = m_programs->add(std::move(question.program));
    }

    // Asking ends the task at once, but a program may compute until its deadline.
    [[nodiscard]] bool mayBlock() const override { return m_program.has_value(); }

    engine::NodeOutcome run(engine::TaskContext& context) override
    {
        Value question = m_question;
        if (m_program) {
            auto made = m_programs->evaluate(*m_program, context.input());
            if (!made)
                return jqFailure(made.error());
            question = std::move(*made);
        }
        auto answer = context.interrupt(question);
        if (!answer)
            return engine::Interrupted{};
        if (!m_channel.empty())
            return engine::Returned{ Value(ValueMap{ { m_channel, std::move(*answer) } }) };
        if (answer->isMap() || answer->isNull())
            return engine::Returned{ std::move(*answer) };
        return engine::Failure{
            "TypeError",
            "the answer must be an object of channels, because the node names no \"channel\"",
            {},
            true,
            {}
        };
    }

private:
    const std::shared_ptr<JqPrograms> m_programs;
    std::optional<std::size_t> m_program; // constant after construction
    const Value m_question;
    const std::string m_channel;
};

} // namespace

std::unique_ptr<engine::NodeBody> makeHumanBody(std::shared_ptr<JqPrograms> programs, HumanQuestion question)
{
    return std::make_unique<HumanBody>(std::move(programs), std::move(question));
}

} // namespace sg::nodes
