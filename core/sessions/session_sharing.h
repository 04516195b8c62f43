#pragma once

#include "core/sessions/session_part.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace sg::sessions {

enum class SessionScope { Thread, Node, Run };

// Which tasks of a thread share one session: all of them; those of one node (of one agent, with a container,
// tools and secrets of its own); those of one run.
struct SessionSharing {
    SessionScope scope = SessionScope::Thread;
    std::set<std::string> ownNodes{}; // have one for themselves in every scope
    std::map<std::string, std::vector<std::string>> ownSecrets{}; // by node

    [[nodiscard]] bool isOwn(const NodeId& node) const
    {
        return scope == SessionScope::Node || ownNodes.contains(node.value);
    }
    // A session of one node alone knows that node's secrets alone, `shared` (the graph's) is for the others.
    [[nodiscard]] std::vector<std::string> secretsOf(const NodeId& node,
                                                     const std::vector<std::string>& shared) const
    {
        const auto own = ownSecrets.find(node.value);
        return !isOwn(node) ? shared : own == ownSecrets.end() ? std::vector<std::string>() : own->second;
    }
    // SessionSpec::part of a task.
    [[nodiscard]] SessionPart part(const NodeId& node, const RunId& run) const
    {
        const NodeId own = isOwn(node) ? node : NodeId();
        return scope == SessionScope::Run ? SessionPart::ofRun(run, own) : SessionPart::ofNode(own);
    }
    // The same in each run of the thread.
    [[nodiscard]] SessionPart partOfAnyRun(const NodeId& node) const
    {
        const NodeId own = isOwn(node) ? node : NodeId();
        return scope == SessionScope::Run ? SessionPart::ofAnyRun(own) : SessionPart::ofNode(own);
    }
};

} // namespace sg::sessions
