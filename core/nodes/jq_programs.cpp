#include "core/nodes/jq_programs.h"

#include "core/checkpoint/serde/inert.h"

#include <algorithm>
#include <utility>

namespace sg::nodes {

JqPrograms::JqPrograms(std::string helper, expressions::JqLimits limits)
    : m_helper(std::move(helper))
    , m_limits(limits)
{
}

std::size_t JqPrograms::add(std::string program)
{
    const std::lock_guard lock(m_mutex);
    const auto known = std::find(m_programs.begin(), m_programs.end(), program);
    if (known != m_programs.end())
        return static_cast<std::size_t>(known - m_programs.begin());
    m_programs.push_back(std::move(program));
    m_evaluator = nullptr;
    return m_programs.size() - 1;
}

std::shared_ptr<expressions::JqEvaluator> JqPrograms::evaluator()
{
    const std::lock_guard lock(m_mutex);
    if (!m_evaluator)
        m_evaluator = expressions::makeJqProcess(m_programs, m_helper, m_limits);
    return m_evaluator;
}

Result<Value> JqPrograms::evaluate(std::size_t index, const Value& input)
{
    auto outputs = evaluator()->evaluate(index, checkpoint::plainValue(input));
    if (!outputs)
        return outputs.error();
    if (outputs->size() != 1)
        return Error{ Errc::InvalidArgument,
                      "the jq program gave " + std::to_string(outputs->size())
                          + " values, exactly one is expected; wrap it in [ ] to give a list" };
    return std::move(outputs->front());
}

Result<void> JqPrograms::check()
{
    auto problems = evaluator()->check();
    if (!problems)
        return std::move(problems.error());
    if (!problems->empty())
        return Error{ Errc::InvalidArgument, "jq: " + problems->front().message };
    return {};
}

} // namespace sg::nodes
