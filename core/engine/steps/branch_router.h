#pragma once

#include "core/engine/steps/writers.h"

#include <optional>
#include <vector>

namespace sg::engine {

// Finds where a node's branches send the graph next. It serves one task's writers, on its thread.
class BranchRouter {
public:
    // The branches see the state with `writes` in it, and append to them.
    BranchRouter(const WriterScene& scene, Writes& writes)
        : m_scene(scene)
        , m_graph(scene.state.graph())
        , m_writes(writes)
    {
    }
    TaskEnd route(const CompiledBranch& branch, const Value& returned);

private:
    struct Destination {
        Value value;
        std::optional<std::string_view> sendsTo; // the node of a Send; lives as long as the value
    };
    std::optional<Failure> readFresh(ValueMap& out);
    std::optional<Failure> readWritten(const ReadKey& read, std::span<const Value> writes, ValueMap& out);
    void takeBack(Value& state);
    TaskEnd decide(const CompiledBranch& branch, const Value& returned, Value& input);
    std::optional<Failure> addDestinations(const CompiledBranch& branch, const Value& result);
    std::optional<Failure> write(std::vector<Destination>& destinations);
    [[nodiscard]] Failure unknownTarget(const CompiledBranch& branch, const Value& label) const;

    const WriterScene& m_scene;
    const CompiledGraph& m_graph;
    Writes& m_writes;
    std::vector<const ReadKey*> m_lent;
};

} // namespace sg::engine
