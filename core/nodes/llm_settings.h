#pragma once

#include "core/models/chat_client.h"

#include <chrono>
#include <optional>
#include <string>

namespace sg::nodes {

// An llm node's task, read from its settings.
struct LlmChoice {
    models::Endpoint endpoint;
    std::optional<std::chrono::milliseconds> limit; // of the task, where the node itself names one
    models::ChatRequest request; // without messages
    std::string key; // the name of a secret; empty: none
    std::string system;
    std::string messages; // channel; empty: nobody named one
    std::string channel; // takes the answer; empty: none
};

// The run's word counts before the node's, and that before the graph's: maps of the settings of the kind
// "llm". Errc::InvalidArgument says which setting is missing or wrong.
Result<LlmChoice> readLlmChoice(const Value& ofRun, const ValueMap& ofNode, const Value& ofGraph);

} // namespace sg::nodes
