#include "core/engine/reads/state_writer.h"

#include "core/engine/reads/update_step.h"
#include "core/engine/steps/task_ids.h"

#include <algorithm>

namespace sg::engine {

Outcome<SnapshotConfig> StateWriter::update(const StateAddress& at,
                                            const std::vector<std::vector<StateUpdate>>& steps)
{
    if (m_services.store == nullptr)
        return Failure{ "ValueError", "No checkpointer set" };
    if (steps.empty())
        return Failure{ "ValueError", "No supersteps provided" };
    if (std::ranges::any_of(steps, [](const auto& updates) { return updates.empty(); }))
        return Failure{ "ValueError", "No updates provided" };
    const AddressedGraph addressed = addressedGraph(m_graph, at.ns);
    if (addressed.graph == nullptr)
        return Failure{ "ValueError", "Subgraph " + plainNamespace(at.ns) + " not found" };
    StateAddress current{ at.thread, addressed.ns, at.checkpoint };
    SnapshotConfig last;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        std::vector<NamedUpdate> updates;
        for (const StateUpdate& update : steps[i])
            updates.push_back({ update, std::nullopt });
        auto done = UpdateStep(*addressed.graph, m_services, m_ids, current, i == 0).run(updates);
        if (const Failure* error = errorOf(done))
            return *error;
        last = std::get<SnapshotConfig>(std::move(done));
        current.checkpoint = last.checkpoint;
    }
    return last;
}

} // namespace sg::engine
