#pragma once

#include "ui/bridge/rows/history_rows.h"
#include "ui/shell/parts/window_part.h"

class QAction;
class QMenu;

namespace sg::ui {

class InboxPanel;

// What people have noted: bookmarks of checkpoints, and labels of threads.
class Bookmarks : public WindowPart {
    Q_OBJECT
public:
    Bookmarks(const WindowParts& parts, InboxPanel& inbox);

    [[nodiscard]] QAction* editAction() const { return m_bookmark; } // of the checkpoint that is looked at
    void show(); // those of the selected thread, on the timeline
    void fill(QMenu& menu); // with those of the selected thread

private:
    void editBookmark();

    InboxPanel* const m_inbox;
    QAction* m_bookmark;
    NoteRows m_notes;
};

} // namespace sg::ui
