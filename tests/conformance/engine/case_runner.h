#pragma once

#include "core/base/clock.h"
#include "core/engine/engine.h"
#include "tests/conformance/engine/case_nodes.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace sg::conformance {

// Performs the operations of a case (README.md) with the engine, on a database that others may have open too.
class CaseRunner {
public:
    // The description and the memory outlive it.
    CaseRunner(const Value& description, std::filesystem::path database, CaseMemory& memory);
    [[nodiscard]] std::optional<std::string> open(); // why the graph cannot be compiled
    [[nodiscard]] Value perform(const Value& op); // the operation's entry in the trace

private:
    std::variant<Value, engine::Failure> resultOf(const Value& op);
    std::variant<Value, engine::Failure> runGraph(const Value& op);
    std::variant<Value, engine::Failure> history(const Value& op);
    std::variant<engine::RunInput, engine::Failure> answersOf(const Value& op);

    const Value& m_case;
    std::filesystem::path m_database;
    CaseMemory& m_memory;
    SystemClock m_clock;
    SystemRandom m_random;
    std::unique_ptr<checkpoint::CheckpointStore> m_store;
    std::unique_ptr<CaseNodes> m_nodes;
    std::unique_ptr<engine::Engine> m_engine;
};

// Runs a case on a database of its own in `folder` and returns its trace.
Value runCase(const Value& description, const std::filesystem::path& folder);

} // namespace sg::conformance
