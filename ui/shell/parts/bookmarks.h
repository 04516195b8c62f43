#pragma once

#include "ui/shell/parts/window_part.h"

class QAction;
class QMenu;

namespace sg::ui {

// The menu of the bookmarks that people have set.
class Bookmarks : public WindowPart {
    Q_OBJECT
public:
    explicit Bookmarks(const WindowParts& parts);

    [[nodiscard]] QAction* editAction() const { return m_bookmark; } // of the checkpoint that is looked at
    void fill(QMenu& menu); // with those of the selected thread

private:
    void editBookmark();

    QAction* m_bookmark;
};

} // namespace sg::ui
