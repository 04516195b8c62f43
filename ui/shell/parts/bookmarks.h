#pragma once

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
    void fill(QMenu& menu); // with those of the selected thread

private:
    void show(); // those of the selected thread, on the timeline
    void editBookmark();

    InboxPanel* const m_inbox;
    QAction* m_bookmark;
};

} // namespace sg::ui
