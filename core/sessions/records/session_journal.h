#pragma once

#include "core/base/clock.h"
#include "core/sessions/records/session_folder.h"
#include "core/sessions/session.h"

#include <mutex>
#include <optional>
#include <string>

namespace sg::sessions {

// What a BIND session notes in its folder; does nothing for others. A journal that cannot be written is a
// warning in the log of the program, never a failed cell. Any thread.
class SessionJournal {
public:
    // `executions`: cells that the folder has seen before.
    SessionJournal(std::optional<SessionFolder> folder, const Clock& clock, std::int64_t executions = 0);

    [[nodiscard]] bool isKept() const { return m_folder.has_value(); }
    void started(const SessionInfo& info, const std::string& image);
    void executed(const std::string& code, const std::string& output, const CellResult& result);
    void stopped(const SessionInfo& info);
    void noted(const std::string& event); // "session_paused"
    void saveIfChanged();
    // After cells were run, until it is told; a few times, where the interpreter does not answer.
    [[nodiscard]] bool wantsVariables();
    void saveVariables(const Value& answer); // the runner's
    [[nodiscard]] std::int64_t folderBytes() const; // what the folder's files hold

private:
    void note(const std::string& event, const ValueMap& details);
    void save();

    std::optional<SessionFolder> m_folder; // its writing is guarded by m_mutex
    const Clock& m_clock;
    std::mutex m_mutex;
    // Guarded by m_mutex:
    ValueMap m_metadata;
    std::int64_t m_executions;
    bool m_isChanged = false;
    int m_variableTries = 0; // to ask for what is new
    bool m_isWarned = false;
};

} // namespace sg::sessions
