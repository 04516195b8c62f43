#pragma once

#include "ui/commands/quick_item.h"
#include "ui/widgets/overlay.h"

#include <QKeySequence>

#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QListView;

namespace sg::ui {

class CommandList;
class QuickModel;

// A search field above a list, over the top of its window, for all commands or for all places to go to.
// Typing filters, arrows move, Enter chooses, Esc closes and restores the focus. On a command, F2 takes the
// next keys as its shortcut.
class QuickPopup : public Overlay {
    Q_OBJECT
public:
    using Source = std::function<std::vector<QuickItem>()>; // called at each opening; fast

    QuickPopup(CommandList& commands, Source places, QWidget& window);

    void showCommands();
    void showPlaces();

Q_SIGNALS:
    void placeChosen(const QString& id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    enum class Showing { Commands, Places };
    void open(Showing what);
    void place();
    void filter(const QString& words);
    void choose();
    void step(int by);
    void showCount();
    bool takeKey(int key, Qt::KeyboardModifiers modifiers); // while a shortcut is being chosen
    bool command(int key); // of the search field; false for typed text
    void beginShortcut();
    void endShortcut();
    void showHint();
    [[nodiscard]] QString currentId() const;

    CommandList& m_commands;
    Source m_places;
    QWidget& m_window;
    QLineEdit* m_search;
    QLabel* m_count;
    QListView* m_list;
    QLabel* m_none; // in place of the list's rows
    QLabel* m_hint;
    QuickModel* m_model;
    Showing m_showing = Showing::Commands;
    QString m_rebinding; // id of the command that gets a shortcut, if any
    QKeySequence m_keys; // chosen, but already used by another command
};

} // namespace sg::ui
