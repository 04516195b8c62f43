#pragma once

#include "core/engine/engine.h"
#include "tests/conformance/engine/canonical.h"

#include <string>
#include <variant>
#include <vector>

namespace sg::conformance {

// Names what the operations of a case address in its database, and tells what is in there, in neutral terms
// (README.md).
class CaseDatabase {
public:
    explicit CaseDatabase(checkpoint::CheckpointStore& store) // which outlives it
        : m_store(store)
    {
    }
    [[nodiscard]] Canonical canonical() const; // with the ranks of all checkpoints there are now
    [[nodiscard]] std::variant<engine::StateAddress, engine::Failure> addressOf(const Value& op) const;
    [[nodiscard]] Value dump(const ThreadId& thread) const;
    // With durability exit LangGraph goes on changing the metadata that it has streamed, until they are
    // stored.
    void finishMetadata(engine::StreamChunk& chunk, const ThreadId& thread) const;

private:
    [[nodiscard]] std::vector<checkpoint::CheckpointRecord> records(const ThreadId& thread,
                                                                    bool withWrites) const;
    [[nodiscard]] std::variant<std::string, engine::Failure> findNamespace(const Value& op) const;

    checkpoint::CheckpointStore& m_store;
};

ThreadId threadOf(const Value& op);

} // namespace sg::conformance
