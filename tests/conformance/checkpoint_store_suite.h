#pragma once

#include "tests/conformance/checkpoint/checkpoint_checks.h"
#include "tests/conformance/checkpoint/list_checks.h"
#include "tests/conformance/checkpoint/run_log_checks.h"
#include "tests/conformance/checkpoint/write_checks.h"

#include <vector>

// Every CheckpointStore must pass these checks. Each gets an empty store:
//   for (const StoreCheck& check : checkpointStoreChecks()) { auto store = …; check.run(*store); }
namespace sg::checkpoint::conformance {

struct StoreCheck {
    const char* name;
    void (*run)(CheckpointStore& store);
};

inline const std::vector<StoreCheck>& checkpointStoreChecks()
{
    static const std::vector<StoreCheck> checks{
        { "keepsACheckpointAsItWas", keepsACheckpointAsItWas },
        { "keepsTheOrderOfChannels", keepsTheOrderOfChannels },
        { "getsTheNewestOfANamespace", getsTheNewestOfANamespace },
        { "replacesACheckpointOfTheSameId", replacesACheckpointOfTheSameId },
        { "listsNewestFirst", listsNewestFirst },
        { "stopsListingWhenToldTo", stopsListingWhenToldTo },
        { "listsWithOrWithoutWrites", listsWithOrWithoutWrites },
        { "aVisitorMayReadAndWrite", aVisitorMayReadAndWrite },
        { "filtersByMetadata", filtersByMetadata },
        { "refusesHostileFilterKeys", refusesHostileFilterKeys },
        { "ordersWritesByPathTaskAndIndex", ordersWritesByPathTaskAndIndex },
        { "numbersSpecialChannels", numbersSpecialChannels },
        { "onlySpecialWritesAreReplaced", onlySpecialWritesAreReplaced },
        { "takesTheWritesOfSeveralTasksAtOnce", takesTheWritesOfSeveralTasksAtOnce },
        { "keepsTypeTags", keepsTypeTags },
        { "copiesARecord", copiesARecord },
        { "deletesOneThread", deletesOneThread },
        { "summarizesThreads", summarizesThreads },
        { "togetherIsAllOrNothing", togetherIsAllOrNothing },
        { "togetherNests", togetherNests },
        { "remembersRuns", remembersRuns },
        { "remembersTasks", remembersTasks },
        { "remembersTheLog", remembersTheLog },
        { "theRunLogTakesPartInTransactions", theRunLogTakesPartInTransactions },
    };
    return checks;
}

} // namespace sg::checkpoint::conformance
