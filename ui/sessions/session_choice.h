#pragma once

#include "ui/bridge/rows/rows.h"

#include <vector>

// Functions that choose among the sessions of a thread; null means that there is none.
namespace sg::ui {

bool hasEnded(const SessionRow& row);
QString whereWords(const SessionRow& row); // "here", or the connection that it lives behind
QString stateWords(const SessionRow& row); // "busy", "ended: …"
QString partWords(const SessionRow& row); // "node NAME"; empty for the thread's own session
QString storageWords(const SessionRow& row); // "disk"
QString dataWords(const SessionRow& row); // "local data"; empty: not known
// The living session of the thread itself, not of a node or run.
const SessionRow* liveSessionOf(const std::vector<SessionRow>& rows, const QString& thread);
// The session to show for a thread: living before ended, its own before a node's, the newest first.
const SessionRow* sessionToShow(const std::vector<SessionRow>& rows, const QString& thread);
// The session that replaced a restarted one: the same thread and part.
const SessionRow* successorOf(const std::vector<SessionRow>& rows, const SessionRow& restarted);
// The session in which a console's cells run.
struct ConsolePlace {
    QString thread;
    QString words{}; // "Writes to session s-41ab02"
    QString refusal{}; // why none can run, in one sentence; empty if one can
    friend bool operator==(const ConsolePlace&, const ConsolePlace&) = default;
};

// The place for cells that are typed while `shown` is shown.
ConsolePlace consolePlace(const std::vector<SessionRow>& rows, const SessionRow& shown);

} // namespace sg::ui
