#pragma once

#include "ui/bridge/open/client.h"
#include "ui/bridge/rows/session_rows.h"

#include <map>
#include <memory>
#include <stop_token>
#include <vector>

namespace sg::ui {

class TerminalLine;

// Sessions: what is asked about them and done to them, cells of the console and terminals. None of the
// questions changes a session or its lifetime.
class SessionsClient : public Client {
    Q_OBJECT
public:
    explicit SessionsClient(OpenProject& project);
    ~SessionsClient() override; // ends cells and terminals, and waits for them

    void refreshSessions();
    void stopSession(const QString& session);
    void restartSession(const QString& session); // ends it and starts another for the same thread
    void pauseSession(const QString& session, bool pause);
    void extendSession(const QString& session, int minutes); // it lives for so long from now at least
    void setSessionLimits(const QString& session, const SessionLimits& limits);
    void loadSessionPast(const QString& session); // stored samples and notes, also of one that has ended
    void loadProcesses(const QString& session);
    // A cell in the thread's session, which is started where there is none; its output comes line by line.
    void runCell(const QString& thread, const QString& code);
    void stopCell(const QString& thread);
    [[nodiscard]] bool runsCell(const QString& thread) const { return m_cellStops.contains(thread); }
    void completeCode(const QString& thread, const QString& code, int cursor); // newest request wins
    // A shell in a session of this program, until it ends or the line is closed.
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
    void closeAll(); // cells and terminals

    Latest m_list;
    Latest m_completion;
    QThreadPool m_cells; // each waits for its code
    std::map<QString, std::stop_source> m_cellStops; // thread → of its cell under way
    QThreadPool m_terminals; // each waits for its shell
    std::vector<std::weak_ptr<TerminalLine>> m_lines; // of terminals
};

} // namespace sg::ui
