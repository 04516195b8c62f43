#include "core/workbench/state_parting.h"

#include "core/workbench/inert_delta.h"

#include <algorithm>

namespace sg::workbench {
namespace {

// Nothing: it cannot be read, so that it equals no other.
Result<std::optional<Value>> valuesAt(checkpoint::CheckpointStore& store, const ThreadId& thread,
                                      const CheckpointId& id)
{
    auto record = store.get(thread, "", id);
    if (!record)
        return record.error().code == Errc::Corrupt ? Result<std::optional<Value>>(std::nullopt)
                                                    : std::move(record.error());
    if (!*record)
        return Error{ Errc::NotFound, "the checkpoint " + id.value + " is not there any more" };
    auto values = storedValues(store, **record);
    if (!values)
        return std::optional<Value>();
    return std::optional(std::move(*values));
}

} // namespace

Result<std::optional<std::size_t>> findParting(checkpoint::CheckpointStore& store, const ThreadWay& a,
                                               const ThreadWay& b)
{
    const std::size_t least = std::min(a.checkpoints.size(), b.checkpoints.size());
    for (std::size_t place = 0; place < least; ++place) {
        if (a.thread == b.thread && a.checkpoints[place] == b.checkpoints[place])
            continue;
        const auto left = valuesAt(store, a.thread, a.checkpoints[place]);
        if (!left)
            return left.error();
        const auto right = valuesAt(store, b.thread, b.checkpoints[place]);
        if (!right)
            return right.error();
        if (!*left || !*right || !(**left == **right))
            return std::optional(place);
    }
    return std::optional<std::size_t>();
}

} // namespace sg::workbench
