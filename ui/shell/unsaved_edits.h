#pragma once

#include "ui/bridge/project_bridge.h"

#include <QObject>
#include <QTimer>

#include <string>

namespace sg::ui {

class GraphDocument;

// Stands between the document and its file: what is not saved, the journal for a crash, checks while it is
// being edited, and what happens where another program changes the file. Asks the bridge; nothing here waits.
class UnsavedEdits : public QObject {
    Q_OBJECT
public:
    UnsavedEdits(GraphDocument& document, ProjectBridge& bridge, QObject* parent);

    // After the document was set to it. Tells of edits that a crash left.
    void open(const ProjectInfo& info);
    enum class Taken {
        Own, // what we saved ourselves: the document stays
        Anew, // the document is to show the file
        Conflict, // the document has edits too: conflicted() is told, it stays
    };
    Taken fileChanged(const ProjectInfo& info);

    void save(); // saved() or failed() follow
    [[nodiscard]] bool isModified() const;
    [[nodiscard]] bool isConflicted() const { return m_conflicted; }
    void overwrite(); // keeps what is shown, against the file
    void recover(); // the edits of the journal, as one step
    void forget(); // neither the journal nor what is unsaved is wanted

Q_SIGNALS:
    void modifiedChanged(bool modified);
    void saved();
    void failed(const sg::ui::UserError& error);
    void conflicted();
    void recoverable();

private:
    void takeStep();
    void check();
    void keep();
    void noteSaved(const std::string& text, const UserError& error, bool conflict);
    [[nodiscard]] std::string text() const;

    GraphDocument& m_document;
    ProjectBridge& m_bridge;
    std::string m_onDisk; // as last read or written
    std::string m_theirs; // of a conflict
    std::string m_journal;
    bool m_conflicted = false;
    bool m_saving = false;
    QTimer m_checkSoon;
    QTimer m_keepSoon;
};

} // namespace sg::ui
