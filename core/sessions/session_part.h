#pragma once

#include "core/base/ids.h"

#include <compare>
#include <string>

namespace sg::sessions {

// Which of a thread's sessions: its own, that of one node, of one run, or of a node in one run. Its words are
// those of records, labels of sandboxes, snapshots and the JSON contract: "", "node NAME", "run ID",
// "run ID node NAME"; where it is the same in each run "run" stands for "run ID".
class SessionPart {
public:
    SessionPart() = default; // the thread's own
    static SessionPart ofNode(const NodeId& node);
    static SessionPart ofRun(const RunId& run, const NodeId& node = {}); // no node: of the whole run
    static SessionPart ofAnyRun(const NodeId& node = {});
    static SessionPart parse(std::string text); // words of another version stay as they are

    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] bool isThreads() const { return m_text.empty(); }
    [[nodiscard]] NodeId node() const; // whose own it is; empty: several share it
    [[nodiscard]] bool isOf(const RunId& run) const; // belongs to that run alone, and ends with it
    [[nodiscard]] bool isOfARun() const; // of one, or of any

    friend auto operator<=>(const SessionPart&, const SessionPart&) = default;

private:
    std::string m_text;
};

} // namespace sg::sessions
