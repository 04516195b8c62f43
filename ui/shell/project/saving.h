#pragma once

#include "ui/bridge/rows/project_info.h"
#include "ui/shell/parts/window_part.h"

#include <functional>
#include <vector>

class QAction;

namespace sg::ui {

class CanvasPanel;
class FilesPanel;
class PendingField;
class ReplayPanel;
class UnsavedEdits;
class WorldPart;

// Brings edits to the disk: a field that is typed in, code, the graph, a text of a session.
class Saving : public WindowPart {
    Q_OBJECT
public:
    Saving(const WindowParts& parts, CanvasPanel& canvas, FilesPanel& panel, ReplayPanel& replay,
           WorldPart& world);

    [[nodiscard]] QAction* saveAction() const { return m_save; }
    [[nodiscard]] UnsavedEdits& edits() const { return *m_edits; }
    void begin(const ProjectInfo& info); // another project is open
    void end(); // the focus goes on moving while the parts go
    [[nodiscard]] bool isModified() const; // the graph, code, or a text of a session
    void showModified();
    // Shows why the pending field is invalid; an action named `without` then continues with `next`. Returns
    // false if it was invalid.
    bool takeField(const QString& without, const std::function<void()>& next);
    // Returns true if the user is asked first, about a field, staged changes or a save; `next` may follow.
    bool holdsBack(const QString& without, const std::function<void()>& next);
    void saveThen(const std::function<void()>& next); // `next` only where graph and code are saved

Q_SIGNALS:
    void refused(const QString& why); // nothing was saved

private:
    void showNotSaved(const UserError& error);
    void showConflict();
    void takeTheFiles(); // its text, in place of the edits
    void offerRecovery();
    [[nodiscard]] bool mayLose() const; // nothing is unsaved, or the user does not want it
    void askToSave(const std::function<void()>& next); // not where the user cancels

    CanvasPanel* const m_graph;
    FilesPanel* const m_files;
    ReplayPanel* const m_replay;
    WorldPart* const m_world;
    UnsavedEdits* m_edits;
    QAction* m_save;
    PendingField* m_field;
    std::vector<std::function<void()>> m_afterSave; // what waits for a save
    bool m_savingCode = false; // the graph is next
    bool m_discarding = false;
};

} // namespace sg::ui
