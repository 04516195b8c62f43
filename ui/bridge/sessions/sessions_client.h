#pragma once

#include "ui/bridge/open/client.h"
#include "ui/bridge/rows/session_rows.h"

#include <map>
#include <memory>
#include <stop_token>
#include <vector>

namespace sg::ui {

class TerminalLine;

// Asks about sessions and acts on them, runs cells of the console, and opens terminals. Questions change
// neither a session nor its lifetime.
class SessionsClient : public Client {
    Q_OBJECT
public:
    explicit SessionsClient(OpenProject& project);
    ~SessionsClient() override; // ends cells and terminals, and waits for them

    void refreshSessions();
    void stopSession(const QString& session);
    void restartSession(const QString& session); // ends it and starts another for the same thread
    void pauseSession(const QString& session, bool pause);
    void extendSession(const QString& session, int minutes); // it lives at least so long from now on
    void setSessionLimits(const QString& session, const SessionLimits& limits);
    void loadSessionPast(const QString& session); // stored samples and notes, also of an ended session
    void loadProcesses(const QString& session);
    // Runs a cell in the thread's session, which is started if there is none. Output comes line by line.
    void runCell(const QString& thread, const QString& code);
    void stopCell(const QString& thread);
    [[nodiscard]] bool runsCell(const QString& thread) const { return m_cellStops.contains(thread); }
    void completeCode(const QString& thread, const QString& code, int cursor); // newest request wins
    // Opens a shell in a session of this program, until the shell ends or the line is closed.
    void openTerminal(const QString& session, const std::shared_ptr<TerminalLine>& line);

Q_SIGNALS:
    void sessionsChanged(const std::vector<sg::ui::SessionRow>& sessions);
    void samplesAdded(const QString& session, const std::vector<sg::ui::SampleRow>& samples);
    void sessionNoted(const QString& session, const sg::ui::SessionNoteRow& note);
    void sessionPastLoaded(const sg::ui::SessionPast& past);
    void processesLoaded(const sg::ui::ProcessList& processes);
    void cellPrinted(const QString& thread, const std::vector<sg::ui::LogRow>& lines);
    void cellEnded(const QString& thread, const sg::ui::CellEnd& end);
    void codeCompleted(const sg::ui::CodeCompletion& completion);

private:
    template<typename Work>
    void change(Work work);
    void closeAll(); // ends cells and terminals

    Latest m_list;
    Latest m_completion;
    QThreadPool m_cells; // each thread waits for its code
    std::map<QString, std::stop_source> m_cellStops; // by thread: stops its running cell
    QThreadPool m_terminals; // each thread waits for its shell
    std::vector<std::weak_ptr<TerminalLine>> m_lines; // of open terminals
};

} // namespace sg::ui
