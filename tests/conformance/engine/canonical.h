#pragma once

#include "core/engine/engine.h"

#include <map>
#include <string>

// Values and states in the form that traces compare: no ids, no order where LangGraph has none (README.md).
namespace sg::conformance {

Value plainValue(const Value& value); // what jq programs see
std::string withoutUuids(const std::string& text); // each becomes *

class Canonical {
public:
    // Checkpoint id → its rank in its thread and namespace; what is not there is "unsaved".
    explicit Canonical(std::map<std::string, std::int64_t> ranks)
        : m_ranks(std::move(ranks))
    {
    }
    [[nodiscard]] Value value(const Value& value) const;
    [[nodiscard]] Value interrupts(const Value& list) const;
    [[nodiscard]] Value rank(const Value& id) const; // null stays null
    [[nodiscard]] Value config(const Value& config) const; // {"configurable": …} or null
    [[nodiscard]] Value metadata(const Value& metadata) const;
    [[nodiscard]] Value snapshot(const engine::StateSnapshot& snapshot) const;
    [[nodiscard]] Value config(const engine::SnapshotConfig& config) const;
    [[nodiscard]] Value chunk(const std::string& mode, const Value& data) const;

private:
    [[nodiscard]] Value ext(const Value& value) const;
    [[nodiscard]] Value task(const engine::StateTask& task) const;
    [[nodiscard]] Value taskChunk(const Value& data) const;
    [[nodiscard]] Value checkpointChunk(const Value& data) const;

    std::map<std::string, std::int64_t> m_ranks;
};

} // namespace sg::conformance
