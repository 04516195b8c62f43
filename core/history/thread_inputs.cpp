#include "core/history/thread_inputs.h"

#include "core/checkpoint/checkpoint_store.h"

namespace sg::history {

Result<std::vector<ThreadInput>> threadInputs(checkpoint::CheckpointStore& store, const ThreadId& thread,
                                              std::size_t most)
{
    checkpoint::CheckpointQuery query;
    query.thread = thread;
    query.ns = "";
    query.metadataFilter = { { "source", Value(nameAmong(checkpoint::Source::Input)) } };
    query.withWrites = false;
    std::vector<ThreadInput> inputs;
    // The channel "__start__" holds the input in the checkpoint that the run began with.
    auto listed = store.list(query, [&](const checkpoint::CheckpointRecord& record) {
        const Value* given = record.checkpoint.channelValues.find("__start__");
        if (record.problem.empty() && given != nullptr && given->isMap() && !given->asMap().empty())
            inputs.push_back({ record.ref.id, record.metadata.step, record.checkpoint.timestamp, *given });
        return inputs.size() < most;
    });
    if (!listed)
        return std::move(listed.error()).during("read the inputs of thread " + thread.value);
    return inputs;
}

} // namespace sg::history
