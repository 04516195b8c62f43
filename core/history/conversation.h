#pragma once

#include "core/base/result.h"
#include "core/history/history.h"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace sg::history {

// One message of a thread, and where it came from as far as the file tells.
struct SaidMessage {
    Value message{}; // a map of plain data, as LangChain or OpenAI have it
    std::string key{}; // the same for the same message, whenever it is asked for
    std::string ns{}; // of the agent or subgraph that keeps it for itself; empty: it is in the graph's state
    std::string node{}; // of the root graph; empty: unknown
    std::string checkpoint{}; // of the root graph: where the superstep that made it started; empty: unknown
    std::string task{}; // that wrote it; empty: unknown
    std::string startedAt{}; // of that task; ISO 8601; empty: unknown
    double seconds = -1; // that task's
};

struct Conversation {
    CheckpointId checkpoint; // empty: the thread has none
    std::string channel; // of the state that holds the messages; empty: none does
    std::vector<SaidMessage> messages; // oldest first
};

// Reads what was said in a database's threads. What is known of a thread's writes is kept, so that only what
// came since is read again. Any thread may ask; questions run one after the other.
class Conversations {
public:
    Conversations(History& history, std::filesystem::path database); // `history` outlives it
    ~Conversations();
    Conversations(const Conversations&) = delete;
    Conversations& operator=(const Conversations&) = delete;

    // The messages in the state of a checkpoint (empty: the newest), with those that agents on the way to it
    // have in loops of their own; at the head also those of agents that are at work or wait.
    Result<Conversation> of(const ThreadId& thread, const std::string& checkpoint,
                            const std::stop_token& stop = {});

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace sg::history
