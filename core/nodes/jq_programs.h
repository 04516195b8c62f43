#pragma once

#include "core/expressions/jq_evaluator.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sg::nodes {

// The jq programs of one catalog, which share one helper process. Any thread.
class JqPrograms {
public:
    JqPrograms(std::string helper, expressions::JqLimits limits);

    // Returns the program's index. Adding one after the first evaluation restarts the helper.
    std::size_t add(std::string program);
    // Returns the one output of the program for a state. Exts in the input become plain data first.
    Result<Value> evaluate(std::size_t index, const Value& input);
    // Compiles all programs. Errc::InvalidArgument has the first that does not compile.
    Result<void> check();

private:
    std::shared_ptr<expressions::JqEvaluator> evaluator();

    const std::string m_helper;
    const expressions::JqLimits m_limits;
    std::mutex m_mutex;
    std::vector<std::string> m_programs; // guarded by m_mutex
    std::shared_ptr<expressions::JqEvaluator>
        m_evaluator; // guarded by m_mutex; shared, because evaluations outlive a restart
};

} // namespace sg::nodes
