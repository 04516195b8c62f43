#include "core/nodes/jq_node.h"

#include "core/nodes/jq_result.h"

#include <utility>

namespace sg::nodes {
namespace {

class JqBody final : public engine::NodeBody {
public:
    JqBody(std::shared_ptr<JqPrograms> programs, std::string program)
        : m_programs(std::move(programs))
        , m_index(m_programs->add(std::move(program)))
    {
    }

    // A program may compute until its deadline.
    [[nodiscard]] bool mayBlock() const override { return true; }

    engine::NodeOutcome run(engine::TaskContext& context) override
    {
        const auto result = m_programs->evaluate(m_index, context.input());
        if (!result)
            return jqFailure(result.error());
        return engine::Returned{ withLangGraphObjects(*result) };
    }

private:
    const std::shared_ptr<JqPrograms> m_programs;
    const std::size_t m_index;
};

} // namespace

engine::Failure jqFailure(const Error& error)
{
    engine::Failure failure;
    failure.message = error.message;
    switch (error.code) {
    case Errc::Timeout: failure.type = "TimeoutError"; break;
    case Errc::Unavailable:
    case Errc::NotFound:
        failure.type = "RuntimeError";
        failure.retryable = false;
        break;
    default: failure.type = "ValueError"; break;
    }
    return failure;
}

std::unique_ptr<engine::NodeBody> makeJqBody(std::shared_ptr<JqPrograms> programs, std::string program)
{
    return std::make_unique<JqBody>(std::move(programs), std::move(program));
}

} // namespace sg::nodes
