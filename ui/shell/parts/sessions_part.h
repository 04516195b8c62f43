#pragma once

#include "ui/bridge/rows/session_rows.h"
#include "ui/shell/parts/window_part.h"

#include <vector>

namespace sg::ui {

class SessionPanel;
class WorldPart;

// Tells how many sessions there are, and reads what their ends change.
class SessionsPart : public WindowPart {
    Q_OBJECT
public:
    SessionsPart(const WindowParts& parts, SessionPanel& panel, WorldPart& world);

private:
    void takeSessions(const std::vector<SessionRow>& sessions);
    void takeNote(const QString& session, const SessionNoteRow& note);
    void readHistory(); // what it says of the sandbox is another now

    WorldPart* const m_world;
    std::vector<SessionRow> m_sessions;
};

} // namespace sg::ui
