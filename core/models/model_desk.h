#pragma once

#include "core/base/ids.h"
#include "core/models/chat_budget.h"
#include "core/models/chat_client.h"
#include "core/settings/secret.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace sg::models {

// Who asks for a key.
struct KeyUse {
    ThreadId thread;
    RunId run;
    NodeId node;
};

// The nodes of one run ask chat models with this. All that is pointed to outlives it.
struct ModelDesk {
    ChatClient* client = nullptr;
    std::shared_ptr<ChatBudget> budget; // of the run
    // A key by its name, for that one place; its use is recorded. Errc::PermissionDenied: nobody allowed it
    // to be shown there.
    std::function<Result<settings::Secret>(const std::string& name, const BaseUrl& place, const KeyUse& use,
                                           const std::stop_token& stop)>
        findKey;
    std::shared_ptr<Recording> recording{}; // in place of servers, or of what they say; null: neither
    std::optional<BaseUrl> otherBase{}; // is asked in place of what graphs name
    std::string otherModel{}; // the same; empty: as they name it
    std::filesystem::path authorities; // of TLS, see HttpRequest
};

} // namespace sg::models
