#include "core/expressions/jq_in_process.h"

#include "core/expressions/input_check.h"
#include "core/expressions/jq_programs.h"

#include <mutex>

namespace sg::expressions {

namespace {

class JqInProcess final : public JqEvaluator {
public:
    JqInProcess(std::vector<std::string> programs, JqLimits limits)
        : m_limits(limits)
        , m_programs(std::move(programs))
    {
    }

    Result<ValueList> evaluate(std::size_t index, const Value& input) override
    {
        const std::lock_guard lock(m_mutex);
        const auto fitted = fittedJqInput(m_programs.text(index), input);
        if (!fitted)
            return fitted.error();
        return m_programs.evaluate(index, *fitted ? **fitted : input, m_limits.outputs);
    }

    Result<std::vector<JqProblem>> check() override
    {
        const std::lock_guard lock(m_mutex);
        return m_programs.check();
    }

private:
    const JqLimits m_limits;
    std::mutex m_mutex;
    JqPrograms m_programs; // guarded by m_mutex
};

} // namespace

std::unique_ptr<JqEvaluator> makeJqInProcess(std::vector<std::string> programs, JqLimits limits)
{
    return std::make_unique<JqInProcess>(std::move(programs), limits);
}

} // namespace sg::expressions
