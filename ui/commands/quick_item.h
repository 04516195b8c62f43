#pragma once

#include <QIcon>
#include <QString>

namespace sg::ui {

// An entry of the palette or of quick open.
struct QuickItem {
    QString id; // emitted when it is chosen; permanent
    QString title;
    QString place; // the command's menu, or the kind of thing: "Thread"
    QString key; // its shortcut as text, may be empty
    QIcon icon; // may be null
    QString whyNot; // why it cannot be chosen now; empty if it can
};

} // namespace sg::ui
