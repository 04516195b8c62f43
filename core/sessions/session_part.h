#pragma once

#include "core/base/ids.h"

#include <compare>
#include <string>

namespace sg::sessions {

// SessionPart tells a thread's sessions apart: the thread's own, that of a node, of a run, or of a node in a
// run. Its text is written to records, sandbox labels, snapshots and JSON: "", "node NAME", "run ID", "run ID
// node NAME"; "run" instead of "run ID" means any run.
class SessionPart {
public:
    SessionPart() = default; // the thread's own
    static SessionPart ofNode(const NodeId& node);
    static SessionPart ofRun(const RunId& run, const NodeId& node = {}); // no node: the whole run's
    static SessionPart ofAnyRun(const NodeId& node = {});
    static SessionPart parse(std::string text); // keeps the words of other versions

    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] bool isThreads() const { return m_text.empty(); }
    [[nodiscard]] NodeId node() const; // the node that has it for itself; empty: several nodes share it
    [[nodiscard]] bool isOf(const RunId& run) const; // belongs to that run alone, and ends with it
    [[nodiscard]] bool isOfARun() const; // of one run, or of any

    friend auto operator<=>(const SessionPart&, const SessionPart&) = default;

private:
    std::string m_text;
};

} // namespace sg::sessions
