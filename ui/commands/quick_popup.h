#pragma once

#include "ui/commands/quick_item.h"

#include <QFrame>
#include <QKeySequence>

#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QListView;

namespace sg::ui {

class CommandList;
class QuickModel;

// A search line above a list, laid over the top of its window: either every command, or everything that one
// can go to. Typing filters, arrows move, Enter chooses, Esc closes and gives the focus back. On a command F2
// takes the next keys as its shortcut.
class QuickPopup : public QFrame {
    Q_OBJECT
public:
    using Source = std::function<std::vector<QuickItem>()>; // asked each time it opens; quick

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
    void dismiss();
    void place();
    void filter(const QString& words);
    void choose();
    void step(int by);
    void showCount();
    bool takeKey(int key, Qt::KeyboardModifiers modifiers); // while a shortcut is being chosen
    bool command(int key); // of the search line; false: it is typed text
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
    QLabel* m_hint;
    QuickModel* m_model;
    QWidget* m_before = nullptr; // had the focus
    Showing m_showing = Showing::Commands;
    QString m_rebinding; // id of the command that gets a shortcut; empty: none
    QKeySequence m_keys; // chosen, and taken already by something else
};

} // namespace sg::ui
