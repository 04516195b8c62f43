#pragma once

#include "ui/bridge/rows/history_rows.h"

#include <QObject>

namespace sg::ui {

struct Clients;
class Selection;
class ShownHistory;
class ThreadBook;

// Reads the selected thread's history, and hands what clients read and runs tell to those who own it in the
// window. Made before whatever listens to the clients: then those have it already when others are told.
class ClientFeed : public QObject {
    Q_OBJECT
public:
    struct Owners {
        Selection& selection;
        ThreadBook& book;
        ShownHistory& history;
    };
    ClientFeed(Clients& clients, const Owners& owners, QObject* parent = nullptr);

    void readHistory(); // of the selected thread, anew
    void readAgain(); // whatever is shown of it: another program has written to it

Q_SIGNALS:
    void readsAgain(); // its history is being read: others read what they show

private:
    void feedBook();
    void feedHistory();
    void takeHistory(const HistoryRows& rows);

    Clients& m_clients;
    const Owners m_owners;
};

} // namespace sg::ui
