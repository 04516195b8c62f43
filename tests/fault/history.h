#pragma once

#include "core/checkpoint/checkpoint_store.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace sg::fault {

// One stored checkpoint in a form that two runs of one graph share: ids are left out, versions keep their
// number.
struct StoredStep {
    std::string id;
    std::string parent; // "" : none
    std::int64_t step = 0;
    std::string text; // source, values, versions, what was seen and updated
    std::vector<std::string> writes; // of tasks that finished, sorted
};

struct History {
    std::map<std::string, std::vector<StoredStep>> namespaces; // oldest first
    std::set<std::string> checkpoints; // every id
    std::set<std::string> finishedTasks; // whose writes are stored
};
Result<History> readHistory(checkpoint::CheckpointStore& store, const ThreadId& thread);

// Each namespace holds a chain: steps without gap, each the child of the one before. Empty: so it is.
std::string problemOfChains(const History& history);
// The root's checkpoints are those that `whole` begins with; the newest may lack writes.
std::string problemOfPrefix(const History& part, const History& whole);
// Both hold the same, nested graphs too.
std::string problemOfDifference(const History& history, const History& expected);

} // namespace sg::fault
