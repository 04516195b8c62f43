#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/widgets/banner_stack.h"

#include <QObject>

#include <vector>

class QMainWindow;

namespace sg::ui {

class ClientFeed;
struct Clients;
class DockLayout;
class Selection;
class ShownHistory;
class ThreadBook;
class TimelinePanel;

// What the subjects of one window share. All of it outlives them.
struct WindowParts {
    QMainWindow* window; // parent of dialogs and actions
    Clients* clients;
    Selection* selection;
    DockLayout* docks;
    BannerStack* banners;
    ThreadBook* book;
    ShownHistory* history; // of the selected thread
    ClientFeed* feed; // of both
    TimelinePanel* timeline;
    QWidget* inspector;
};

// What could not be done, with its traceback where a node failed.
void tellError(const WindowParts& parts, BannerStack::Owner owner, const UserError& error,
               std::vector<BannerAction> actions = {});

// One subject of the window: wires its panels to its client and to what is selected, and keeps what that
// needs.
class WindowPart : public QObject {
protected:
    explicit WindowPart(const WindowParts& parts);

    void showError(const UserError& error) const { tellError(m_parts, BannerStack::Owner::Action, error); }

    const WindowParts m_parts;
    QMainWindow* const m_window;
    Clients* const m_clients;
    Selection* const m_selection;
    DockLayout* const m_docks;
    BannerStack* const m_banners;
    ThreadBook* const m_book;
    ShownHistory* const m_history;
    TimelinePanel* const m_timeline;
};

} // namespace sg::ui
