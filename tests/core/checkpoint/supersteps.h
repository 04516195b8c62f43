#pragma once

#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "tests/conformance/checkpoint/store_fixture.h"
#include "tests/support/temp_dir.h"

#include <filesystem>
#include <optional>
#include <string>

// A thread "t" that grows superstep by superstep, and whether what is stored of it is whole.
namespace sg::checkpoint::test {

using conformance::checkpointOf;
using conformance::metadataOf;
using conformance::refOf;
using conformance::writeOf;

inline std::string idOf(int number)
{
    const std::string text = std::to_string(number);
    return std::string(8 - text.size(), '0') + text;
}

// One superstep as the engine stores it: the writes of the step before and the next checkpoint.
inline Result<void> putStep(CheckpointStore& store, int number, std::size_t payload = 200)
{
    return store.together([&]() -> Result<void> {
        std::optional<CheckpointId> parent;
        if (number > 1) {
            parent = CheckpointId(idOf(number - 1));
            const auto before = refOf("t", parent->value);
            auto done =
                store.putWrites(before, { writeOf("task", "x", number), writeOf("task", "y", "text") });
            if (!done)
                return done;
        }
        return store.put(
            refOf("t", idOf(number)), parent,
            checkpointOf(idOf(number), { { "x", number }, { "pad", std::string(payload, 'p') } }),
            metadataOf(number));
    });
}

// A file with `steps` supersteps, without side files.
inline std::filesystem::path makeFile(const sg::test::TempDir& folder, int steps,
                                      const char* name = "checkpoints.sqlite")
{
    const std::filesystem::path path = folder / name;
    auto store = openSqliteCheckpointStore(path, { .fullSync = false });
    for (int i = 1; store && i <= steps; ++i) {
        if (!putStep(**store, i))
            return {};
    }
    return path;
}

// "n whole supersteps" or what is wrong with them.
inline std::string checkedSteps(CheckpointStore& store)
{
    int newest = 0;
    int expected = 0;
    std::string wrong;
    const auto listed = store.list({}, [&](const CheckpointRecord& record) {
        const int number = std::stoi(record.ref.id.value);
        if (newest == 0)
            newest = expected = number;
        const std::size_t writes = number == newest ? 0 : 2;
        const Value* x = record.checkpoint.channelValues.find("x");
        if (!record.problem.empty() || number != expected || record.writes.size() != writes || !x
            || *x != Value(number))
            wrong = "broken at " + record.ref.id.value + ": " + record.problem;
        --expected;
        return wrong.empty();
    });
    if (!listed)
        return listed.error().message;
    if (wrong.empty() && expected != 0)
        wrong = "the oldest is missing";
    return wrong.empty() ? std::to_string(newest) + " whole supersteps" : wrong;
}

} // namespace sg::checkpoint::test
