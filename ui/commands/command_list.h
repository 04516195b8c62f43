#pragma once

#include "ui/commands/quick_item.h"

#include <QKeySequence>
#include <QObject>
#include <QPointer>

#include <vector>

class QAction;
class QMenu;
class QMenuBar;

namespace sg::ui {

// All commands of the menus, each with a permanent id: its action's object name, or "menu.text" from its
// place. Stores the user's shortcuts in QSettings, "shortcuts/ID". GUI thread.
class CommandList : public QObject {
    Q_OBJECT
public:
    explicit CommandList(QMenuBar& menus, QObject* parent = nullptr);

    // Marks an action that another menu has under the same name: items() leaves it out, its id stays known.
    static void listElsewhere(QAction& action);

    // Gives ids and the user's shortcuts to new actions. Must be called after menus were made.
    void adopt();
    // The present commands, including those of menus that are filled when they open. Recently used ones come
    // first.
    [[nodiscard]] std::vector<QuickItem> items();
    // False if the command is unknown or disabled. The palette lists it first afterwards.
    bool trigger(const QString& id);
    bool give(const QString& id); // like trigger(), but without changing the palette's order
    [[nodiscard]] bool knows(const QString& id); // whether the menus have it now
    // Returns why the command is disabled, as of the last filling of the menus; empty if it is enabled.
    [[nodiscard]] QString whyNot(const QString& id) const;

    // The title of another command that has the shortcut; empty if there is none.
    [[nodiscard]] QString ownerOf(const QKeySequence& keys, const QString& besidesId);
    // Takes the shortcut from any other command. An empty one removes the command's shortcut.
    void setShortcut(const QString& id, const QKeySequence& keys);
    void resetShortcut(const QString& id); // restores the original shortcut

Q_SIGNALS:
    void given(const QString& id); // by any means; comes after the command's immediate effect

private:
    struct Entry {
        QPointer<QAction> action;
        QString place;
    };
    [[nodiscard]] std::vector<Entry> entries() const;
    void refresh(); // fills menus that are filled when they open
    [[nodiscard]] QAction* find(const QString& id) const;
    void keepShortcut(QAction& action, const QKeySequence& keys);

    QMenuBar& m_menus;
};

} // namespace sg::ui
