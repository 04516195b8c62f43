#pragma once

#include "ui/bridge/editing/editing_client.h"

#include <QObject>
#include <QTimer>

#include <optional>
#include <string>

namespace sg::ui {

class GraphDocument;

// Stands between the document and its file: what is not saved, the journal for a crash, checks while it is
// being edited, and what happens where another program changes the file. Nothing here waits.
class UnsavedEdits : public QObject {
    Q_OBJECT
public:
    UnsavedEdits(GraphDocument& document, EditingClient& editing, QObject* parent);

    // Is called after the document was set to it. Tells of edits that a crash left, or of another window.
    void open(const ProjectInfo& info);
    enum class Taken {
        Own, // what we saved ourselves: the document stays
        Anew, // the document is to show the file: takeTheirs() follows
        Conflict, // the document has edits too: conflicted() is told, it stays
    };
    Taken fileChanged(const ProjectInfo& info);

    void save(); // saved() or failed() follow; of what is asked for meanwhile, when all of it is saved
    [[nodiscard]] bool isModified() const;
    [[nodiscard]] bool isConflicted() const { return m_conflicted; }
    void overwrite(); // keeps what is shown, against the file
    // Puts the file as it is now in the place of what is shown, as one step; false: one of them cannot be
    // edited.
    bool takeTheirs();
    void recover(); // the edits of the journal, as one step
    [[nodiscard]] bool isJournalOlder() const { return m_isJournalOlder; } // than the file
    void forget(); // neither the journal nor what is unsaved is wanted
    void keepOn(); // what was forgotten is still shown

Q_SIGNALS:
    void modifiedChanged(bool modified);
    void saved();
    void failed(const sg::ui::UserError& error);
    void conflicted();
    void recoverable();
    void shared(); // another window has the same graph open

private:
    void takeStep();
    void check();
    void keep();
    void write();
    void conflict(const std::string& theirs);
    void noteSaved(const std::string& text, const UserError& error, const std::optional<std::string>& theirs);
    [[nodiscard]] std::string text() const;

    GraphDocument& m_document;
    EditingClient& m_editing;
    std::string m_onDisk; // as last read or written
    std::string m_theirs; // what the file holds instead
    std::string m_journal;
    bool m_isJournalOlder = false;
    bool m_conflicted = false;
    bool m_saving = false;
    bool m_savesAgain = false; // was asked to, while it was saving
    bool m_missedChange = false; // of the file, while it was saving
    QTimer m_checkSoon;
    QTimer m_keepSoon;
};

} // namespace sg::ui
