#pragma once

#include "ui/shell/parts/window_part.h"

namespace sg::ui {

class RunBar;
class SessionPanel;
class TerminalPanel;

// Sessions: their meters, cells and terminals.
class SessionsPart : public WindowPart {
    Q_OBJECT
public:
    SessionsPart(const WindowParts& parts, SessionPanel& session, TerminalPanel& terminal, RunBar& runBar);

private:
    SessionPanel* const m_session;
    TerminalPanel* const m_terminal;
};

} // namespace sg::ui
