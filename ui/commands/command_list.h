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

// Every command of the menus, each under an id that stays the same: its action's object name, or "menu.text"
// of its place. Keeps the shortcuts that the user chose (QSettings, "shortcuts/ID"). GUI thread.
class CommandList : public QObject {
    Q_OBJECT
public:
    explicit CommandList(QMenuBar& menus, QObject* parent = nullptr);

    // Gives ids and the user's shortcuts to actions that have none of these yet. After menus were made.
    void adopt();
    // As the menus are now; those that menus fill when they open are asked for, too. Recently used ones
    // first.
    [[nodiscard]] std::vector<QuickItem> items();
    // False: unknown, or not possible now. The palette lists it first from now on.
    bool trigger(const QString& id);
    bool give(const QString& id); // the same, and the palette stays as it is
    [[nodiscard]] bool knows(const QString& id); // as the menus are now
    // Why it cannot be given, empty: it can; as the menus were filled last.
    [[nodiscard]] QString whyNot(const QString& id) const;

    // What already has that shortcut, as a title; empty: nothing else.
    [[nodiscard]] QString ownerOf(const QKeySequence& keys, const QString& besidesId);
    // Takes it from whatever has it. An empty one leaves the command without.
    void setShortcut(const QString& id, const QKeySequence& keys);
    void resetShortcut(const QString& id); // as it was made

Q_SIGNALS:
    void given(const QString& id); // in whatever way; what it does at once is done

private:
    struct Entry {
        QPointer<QAction> action;
        QString place;
    };
    [[nodiscard]] std::vector<Entry> entries() const;
    void refresh(); // menus that are filled when they open
    [[nodiscard]] QAction* find(const QString& id) const;
    void keepShortcut(QAction& action, const QKeySequence& keys);

    QMenuBar& m_menus;
};

} // namespace sg::ui
