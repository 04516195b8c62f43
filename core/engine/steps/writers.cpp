#include "core/engine/steps/writers.h"

#include "core/engine/steps/branch_router.h"
#include "core/engine/steps/node_updates.h"

namespace sg::engine {

TaskEnd runWriters(const WriterScene& scene, const Value& returned, Writes& writes)
{
    const CompiledNode& node = scene.node;
    const std::size_t updates = returned.isMap() ? returned.asMap().size() : 1;
    writes.reserve(writes.size() + updates + node.staticWrites.size() + node.branches.size());
    TaskEnd end = addUpdatesAndGotos(scene, returned, writes);
    if (end.kind != TaskEnd::Kind::Done)
        return end;
    writes.insert(writes.end(), node.staticWrites.begin(), node.staticWrites.end());
    if (node.branches.empty())
        return end;
    BranchRouter router(scene, writes);
    for (const CompiledBranch& branch : node.branches) {
        end = router.route(branch, returned);
        if (end.kind != TaskEnd::Kind::Done)
            break;
    }
    return end;
}

} // namespace sg::engine
