#pragma once

#include "ui/bridge/rows/session_rows.h"
#include "ui/shell/parts/window_part.h"

#include <vector>

namespace sg::ui {

class RunBar;
class SessionPanel;
class TerminalPanel;
class WorldPart;

// Sessions: their meters, cells and terminals.
class SessionsPart : public WindowPart {
    Q_OBJECT
public:
    SessionsPart(const WindowParts& parts, SessionPanel& session, TerminalPanel& terminal, WorldPart& world,
                 RunBar& runBar);

private:
    void takeSessions(const std::vector<SessionRow>& sessions);
    void takeNote(const QString& session, const SessionNoteRow& note);
    void showMoment();
    void followSelection();
    void readHistory(); // what it says of the sandbox is another now

    SessionPanel* const m_session;
    TerminalPanel* const m_terminal;
    WorldPart* const m_world;
    std::vector<SessionRow> m_sessions;
};

} // namespace sg::ui
