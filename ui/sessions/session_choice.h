#pragma once

#include "ui/bridge/rows/rows.h"

#include <vector>

// Which session of a thread is meant. Pure; null: none.
namespace sg::ui {

bool hasEnded(const SessionRow& row);
QString stateWords(const SessionRow& row); // "busy", "ended: …"
QString partWords(const SessionRow& row); // "node NAME"; empty: the thread's own
// The session that the thread itself has, no node of it and no run, while it lives.
const SessionRow* liveSessionOf(const std::vector<SessionRow>& rows, const QString& thread);
// What is shown of a thread: what lives before what has ended, its own before a node's, the newest first.
const SessionRow* sessionToShow(const std::vector<SessionRow>& rows, const QString& thread);
// The one that took the place of a session of that thread and part which was restarted.
const SessionRow* successorOf(const std::vector<SessionRow>& rows, const SessionRow& restarted);
// Where the cells of a console run.
struct ConsolePlace {
    QString thread;
    QString words; // "Writes to session s-41ab02"
    QString refusal; // why none can run there, in one sentence; empty: one can
    friend bool operator==(const ConsolePlace&, const ConsolePlace&) = default;
};

// For what is typed beneath the name of that session.
ConsolePlace consolePlace(const std::vector<SessionRow>& rows, const SessionRow& shown);

} // namespace sg::ui
