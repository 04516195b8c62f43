#pragma once

#include "core/engine/compile/compiled_graph.h"
#include "core/engine/node_body.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sg::engine {

// Tells whether breakpoints of a run hold at one moment. A breakpoint without a condition always holds, one
// with a condition if that gives neither false nor null, or fails, because what it was to catch may be there.
// The state is read once, if a condition needs it. Used on the run's own thread.
class BreakpointConditions {
public:
    struct Fault {
        NodeId node;
        std::string message;
    };

    BreakpointConditions(const NodeSelection& selection, std::function<Value()> state);
    bool hold(std::int32_t node, const TaskInfo& info);
    [[nodiscard]] const std::vector<Fault>& faults() const { return m_faults; }

private:
    const NodeSelection& m_selection;
    std::function<Value()> m_read;
    std::optional<Value> m_state;
    std::vector<Fault> m_faults;
};

} // namespace sg::engine
