#pragma once

#include <QIcon>
#include <QString>

namespace sg::ui {

// One line of what can be gone to or done.
struct QuickItem {
    QString id; // what choosing it tells; stable between starts
    QString title;
    QString place; // the menu of a command, the kind of a thing: "Thread"
    QString key; // its shortcut as text, may be empty
    QIcon icon; // may be null
    QString whyNot; // not empty: it cannot be chosen now, and this is the reason
};

} // namespace sg::ui
