#include "core/nodes/human_node.h"

#include <utility>

namespace sg::nodes {
namespace {

class HumanBody final : public engine::NodeBody {
public:
    HumanBody(Value question, std::string channel)
        : m_question(std::move(question))
        , m_channel(std::move(channel))
    {
    }

    [[nodiscard]] bool mayBlock() const override { return false; } // asking ends the task

    engine::NodeOutcome run(engine::TaskContext& context) override
    {
        auto answer = context.interrupt(m_question);
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
    const Value m_question;
    const std::string m_channel;
};

} // namespace

std::unique_ptr<engine::NodeBody> makeHumanBody(Value question, std::string channel)
{
    return std::make_unique<HumanBody>(std::move(question), std::move(channel));
}

} // namespace sg::nodes
