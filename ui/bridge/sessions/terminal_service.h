#pragma once

#include <QString>

namespace sg::workbench {
class Workbench;
}

namespace sg::ui {

class TerminalLine;

// A shell in a session, blocking: until it ends or nobody looks any more. How it ended, as people read it.
QString runTerminal(workbench::Workbench& workbench, const QString& session, TerminalLine& line);

} // namespace sg::ui
