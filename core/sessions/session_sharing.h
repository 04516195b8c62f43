#pragma once

#include "core/base/word.h"
#include "core/sessions/session_part.h"
#include "core/sessions/session_spec.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace sg::sessions {

enum class SessionScope { Thread, Node, Run };
constexpr auto namesOf(SessionScope)
{
    return std::to_array<std::pair<SessionScope, std::string_view>>({
        { SessionScope::Thread, "thread" },
        { SessionScope::Node, "node" },
        { SessionScope::Run, "run" },
    });
}

// SessionSharing says which tasks of a thread share a session: all of them, those of one node (an agent with
// a container, tools and secrets of its own), or those of one run.
struct SessionSharing {
    SessionScope scope = SessionScope::Thread;
    std::set<std::string> ownNodes{}; // these nodes have their own session in every scope
    struct Secrets {
        std::vector<std::string> names; // SessionSpec::secrets
        std::vector<std::string> headers; // the secrets of SessionSpec::secretHeaders that it gets
    };
    std::map<std::string, Secrets> ownSecrets{}; // by node

    [[nodiscard]] bool isOwn(const NodeId& node) const
    {
        return scope == SessionScope::Node || ownNodes.contains(node.value);
    }
    // Returns a graph's spec as a session of that part gets it. A node's own session knows that node's
    // secrets only, and the proxy gives it that node's headers; no other session gets these headers.
    [[nodiscard]] SessionSpec specOf(SessionSpec shared, const SessionPart& part) const;
    // SessionSpec::part of a task.
    [[nodiscard]] SessionPart part(const NodeId& node, const RunId& run) const
    {
        const NodeId own = isOwn(node) ? node : NodeId();
        return scope == SessionScope::Run ? SessionPart::ofRun(run, own) : SessionPart::ofNode(own);
    }
    // Returns the part that is the same for every run of the thread.
    [[nodiscard]] SessionPart partOfAnyRun(const NodeId& node) const
    {
        const NodeId own = isOwn(node) ? node : NodeId();
        return scope == SessionScope::Run ? SessionPart::ofAnyRun(own) : SessionPart::ofNode(own);
    }
};

} // namespace sg::sessions
