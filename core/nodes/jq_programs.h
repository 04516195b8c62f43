#pragma once

#include "core/expressions/jq_evaluator.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sg::nodes {

// The jq programs of one catalog, for one helper process. Any thread.
class JqPrograms {
public:
    JqPrograms(std::string helper, expressions::JqLimits limits);

    // Its index. A program that comes after the first evaluation makes the helper start anew.
    std::size_t add(std::string program);
    // The one output of the program for a state; exts in the input become plain data first.
    Result<Value> evaluate(std::size_t index, const Value& input);
    // Compiles all; Errc::InvalidArgument with the first that does not.
    Result<void> check();

private:
    std::shared_ptr<expressions::JqEvaluator> evaluator();

    const std::string m_helper;
    const expressions::JqLimits m_limits;
    std::mutex m_mutex;
    std::vector<std::string> m_programs; // guarded by m_mutex
    std::shared_ptr<expressions::JqEvaluator>
        m_evaluator; // guarded by m_mutex; shared: evaluations outlive a restart
};

} // namespace sg::nodes
