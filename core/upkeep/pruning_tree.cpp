#include "core/upkeep/pruning_tree.h"

#include "core/history/inert_state.h"

#include <algorithm>

namespace sg::upkeep {

void keepNewest(PruneTree& tree, std::int64_t keep)
{
    for (const auto& [id, node] : tree)
        if (const auto parent = tree.find(node.parent); parent != tree.end())
            parent->second.isParent = true;
    for (auto& [id, head] : tree) {
        if (head.isParent)
            continue;
        auto at = tree.find(id);
        for (std::int64_t left = std::max<std::int64_t>(1, keep); left > 0 && at != tree.end(); --left) {
            at->second.isKept = true;
            at = tree.find(at->second.parent);
        }
    }
}

std::vector<CutBranch> cutBranches(const PruneTree& tree, const ThreadId& thread)
{
    std::map<std::string, CutBranch> cuts;
    for (const auto& [id, head] : tree) {
        if (head.isParent || !head.isKept)
            continue;
        auto first = tree.find(id);
        auto parent = tree.find(head.parent);
        // In a damaged file the parents may form a circle.
        for (std::size_t left = tree.size(); left > 0 && parent != tree.end() && parent->second.isKept;
             --left) {
            first = parent;
            parent = tree.find(first->second.parent);
        }
        if (parent != tree.end() && !parent->second.isKept) // a newer head overwrites: ids rise with time
            cuts[first->first] = { thread, CheckpointId(first->first), first->second.step, CheckpointId(id),
                                   head.step };
    }
    std::vector<CutBranch> branches;
    for (auto& [id, branch] : cuts)
        branches.push_back(std::move(branch));
    return branches;
}

// Branches of one tree meet on their way back, or reach a remaining checkpoint.
std::vector<CutBranch> forksOf(const PruneTree& tree, const std::vector<CutBranch>& cuts)
{
    std::map<std::string, std::size_t> met; // checkpoint → the first branch that came by
    std::vector<bool> isFork(cuts.size());
    for (std::size_t i = 0; i < cuts.size(); ++i) {
        auto at = tree.find(tree.at(cuts[i].first.value).parent);
        for (; at != tree.end() && !at->second.isKept; at = tree.find(at->second.parent))
            if (const auto [other, isNew] = met.emplace(at->first, i); !isNew) {
                isFork[other->second] = true;
                break;
            }
        isFork[i] = isFork[i] || at != tree.end();
    }
    std::vector<CutBranch> forks;
    for (std::size_t i = 0; i < cuts.size(); ++i)
        if (isFork[i])
            forks.push_back(cuts[i]);
    return forks;
}

Result<bool> needsAll(checkpoint::CheckpointStore& store, const ThreadId& thread, const std::string& ns)
{
    const auto head = store.get(thread, ns, {});
    if (!head)
        return head.error();
    if (!*head)
        return false;
    ValueMap values;
    if (auto added = history::addChangedChannels(store, **head, values); !added)
        return std::move(added.error());
    return !values.empty();
}

} // namespace sg::upkeep
