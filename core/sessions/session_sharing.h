#pragma once

#include "core/sessions/session_part.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace sg::sessions {

enum class SessionScope { Thread, Node, Run };

// SessionSharing says which tasks of a thread share a session: all of them, those of one node (an agent with
// a container, tools and secrets of its own), or those of one run.
struct SessionSharing {
    SessionScope scope = SessionScope::Thread;
    std::set<std::string> ownNodes{}; // these nodes have their own session in every scope
    std::map<std::string, std::vector<std::string>> ownSecrets{}; // by node

    [[nodiscard]] bool isOwn(const NodeId& node) const
    {
        return scope == SessionScope::Node || ownNodes.contains(node.value);
    }
    // A node's own session knows that node's secrets only; `shared` (the graph's) is for the others.
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
    // The same part for every run of the thread.
    [[nodiscard]] SessionPart partOfAnyRun(const NodeId& node) const
    {
        const NodeId own = isOwn(node) ? node : NodeId();
        return scope == SessionScope::Run ? SessionPart::ofAnyRun(own) : SessionPart::ofNode(own);
    }
};

} // namespace sg::sessions
