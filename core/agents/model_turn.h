#pragma once

#include "core/base/redaction.h"
#include "core/engine/failure.h"
#include "core/engine/node_body.h"
#include "core/models/chat_client.h"
#include "core/models/model_desk.h"
#include "core/settings/secret.h"

#include <chrono>
#include <optional>
#include <string>

namespace sg::agents {

// A fault of a chat model as the failure of a node.
engine::Failure failureOf(const models::ChatFault& fault);

// Asks a chat model for one task: within the run's budget, with the key that the endpoint may be shown, its
// tokens told to the log and to the stream mode "messages". Belongs to the task's thread.
class ModelTurn {
public:
    // `endpoint` and `key` (a secret's name, may be empty) are of the model; `user` is the node that the key
    // is shown for.
    ModelTurn(const models::ModelDesk& desk, engine::TaskContext& context, models::Endpoint endpoint,
              std::string key, NodeId user);

    // No call is made or goes on after that. Of several the first one counts.
    void endAt(models::CallDeadline deadline)
    {
        if (!m_deadline || deadline.at < m_deadline->at)
            m_deadline = std::move(deadline);
    }
    // Called before the first ask().
    std::optional<engine::Failure> findKey();
    // Asks the model; with `isShown` its words are told as they come. A turn that the server pauses goes on
    // until it ends: its parts are one reply.
    models::ChatOutcome ask(const models::ChatRequest& request, bool isShown = true);
    void log(const std::string& line) const;

    static constexpr std::size_t kMostShown = 4000; // of what a model thought or said, in the log
    static constexpr int kMostPauses = 20; // of one turn; after them it is a failure

private:
    models::ChatOutcome askOnce(const models::ChatRequest& request, const models::ChunkSink& sink,
                                bool isShown);
    void tell(ValueMap chunk);
    void tellWhole(const models::ChatReply& reply);
    void tellCall(const models::ChatRequest& request, const models::ChatOutcome& outcome,
                  std::chrono::steady_clock::duration took) const;
    void logReply(const models::ChatRequest& request, const models::ChatReply& reply,
                  std::chrono::steady_clock::duration took) const;

    const models::ModelDesk& m_desk;
    engine::TaskContext& m_context;
    models::Endpoint m_endpoint;
    const std::string m_keyName;
    const NodeId m_user;
    ValueMap m_about; // beside each message of the stream
    std::optional<settings::Secret> m_key;
    std::optional<models::CallDeadline> m_deadline;
    SecretFilter m_filter; // of tokens, which may be of several blocks
    bool m_hasText = false; // a line of them is begun
    int m_asked = 0;
};

} // namespace sg::agents
