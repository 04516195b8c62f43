#pragma once

#include "core/base/ids.h"
#include "core/models/chat_budget.h"
#include "core/models/chat_client.h"
#include "core/settings/secret.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace sg::models {

// The task that asks for a key.
struct KeyUse {
    ThreadId thread;
    RunId run;
    NodeId node;
};

// A call of a chat model that has ended, for those who watch.
struct ToldCall {
    ThreadId thread;
    RunId run;
    NodeId node; // an llm node, or an agent
    std::string checkpointNs; // of the task that asked
    bool isOfAgent = false; // the task is a part of an agent's loop
    std::string provider; // "openai", "anthropic": the wire
    std::string place; // "api.test:443"
    std::string model;
    std::string answeredBy{}; // the model that the server named
    std::string id{}; // of the answer
    std::optional<TokenUse> use{};
    std::string finish{};
    std::string errorType{}; // empty: there was an answer
    std::string error{};
    std::chrono::duration<double> took{ 0 };
};

// The nodes of one run ask chat models with it. All that is pointed to outlives it.
struct ModelDesk {
    ChatClient* client = nullptr;
    std::shared_ptr<ChatBudget> budget; // of the run
    // Gets a key by its name, for that one place; its use is recorded. Errc::PermissionDenied: nobody allowed
    // it to be shown there.
    std::function<Result<settings::Secret>(const std::string& name, const BaseUrl& place, const KeyUse& use,
                                           const std::stop_token& stop)>
        findKey;
    std::shared_ptr<Recording> recording{}; // in place of servers, or of what they say; null: neither
    std::optional<BaseUrl> otherBase{}; // is asked in place of what graphs name
    std::string otherModel{}; // the same; empty: as they name it
    std::function<void(const ToldCall&)> told{}; // on the task's thread; may be empty
    std::filesystem::path authorities; // of TLS, see HttpRequest
};

} // namespace sg::models
