#pragma once

#include "core/base/clock.h"
#include "core/sessions/records/folder_size.h"
#include "core/sessions/records/session_folder.h"
#include "core/sessions/session.h"

#include <mutex>
#include <optional>
#include <string>

namespace sg::sessions {

// SessionJournal writes a BIND session's log and metadata to its folder; for other sessions it does nothing.
// A journal that cannot be written is a warning in the program's log, never a failed cell. Any thread.
class SessionJournal {
public:
    // `executions`: cells that were run in the folder before.
    SessionJournal(std::optional<SessionFolder> folder, const Clock& clock, std::int64_t executions = 0);

    [[nodiscard]] bool isKept() const { return m_folder.has_value(); }
    void started(const SessionInfo& info, const std::string& image);
    void executed(const std::string& code, const std::string& output, const CellResult& result);
    void stopped(const SessionInfo& info);
    void noted(const std::string& event); // "session_paused"
    void saveIfChanged();
    // True after cells were run, until saveVariables(); given up after a few tries without an answer.
    [[nodiscard]] bool wantsVariables();
    void saveVariables(const Value& answer); // the runner's
    [[nodiscard]] FolderSize folderSize() const;

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
    int m_variableTries = 0; // failed tries since the last cell
    bool m_isWarned = false;
};

} // namespace sg::sessions
