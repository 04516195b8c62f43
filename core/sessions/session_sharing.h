#pragma once

#include "core/base/ids.h"

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
    [[nodiscard]] std::string part(const NodeId& node, const RunId& run) const
    {
        if (scope == SessionScope::Run)
            return runPart(run) + (isOwn(node) ? " node " + node.value : "");
        return isOwn(node) ? "node " + node.value : "";
    }
    // The same in each run of the thread: "" or "node NAME", "run" or "run node NAME".
    [[nodiscard]] std::string partOfAnyRun(const NodeId& node) const
    {
        const std::string own = isOwn(node) ? "node " + node.value : "";
        return scope != SessionScope::Run ? own : own.empty() ? kOfRun : std::string(kOfRun) + " " + own;
    }
    static bool isOfAnyRun(const std::string& partOfAnyRun) { return partOfAnyRun.starts_with(kOfRun); }
    static constexpr const char* kOfRun = "run";
    static std::string runPart(const RunId& run) { return "run " + run.value; }
    // Whether a session of that part belongs to the run alone and ends with it.
    static bool isOfRun(const std::string& part, const RunId& run)
    {
        return part == runPart(run) || part.starts_with(runPart(run) + " node ");
    }
};

} // namespace sg::sessions
