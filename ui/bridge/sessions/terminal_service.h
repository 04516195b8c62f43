#pragma once

#include <QString>

namespace sg::workbench {
class Workbench;
}

namespace sg::ui {

class TerminalLine;

// Runs a shell in a session, blocking, until it ends or the line is closed. Returns how it ended, for people.
QString runTerminal(workbench::Workbench& workbench, const QString& session, TerminalLine& line);

} // namespace sg::ui
