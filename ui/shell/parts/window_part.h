#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/widgets/banner_stack.h"

#include <QObject>

#include <vector>

class QMainWindow;
class QStackedWidget;

namespace sg::ui {

class CanvasPanel;
class ClientFeed;
struct Clients;
class DockLayout;
class DocumentArea;
struct PanelParts;
class PanelSet;
class RunBar;
class Selection;
class ShownHistory;
class StartPage;
class StatusLine;
class ThreadBook;
class TimelinePanel;

// Shared by the subjects of one window. All of it outlives them.
struct WindowParts {
    QMainWindow* window = nullptr; // parent of dialogs and actions
    Clients* clients = nullptr;
    Selection* selection = nullptr;
    ThreadBook* book = nullptr;
    ShownHistory* history = nullptr; // of the selected thread
    ClientFeed* feed = nullptr; // of both
    RunBar* runBar = nullptr;
    QStackedWidget* pages = nullptr; // the start page, or the documents
    DocumentArea* documents = nullptr; // the canvas is the first of them
    StartPage* start = nullptr;
    CanvasPanel* canvas = nullptr;
    BannerStack* banners = nullptr;
    StatusLine* status = nullptr;
    const PanelSet* panels = nullptr;
    TimelinePanel* timeline = nullptr;
    QWidget* inspector = nullptr;
    DockLayout* docks = nullptr;
};

PanelParts panelParts(const WindowParts& parts);

// Shows what could not be done, with its traceback if a node failed.
void tellError(const WindowParts& parts, BannerStack::Owner owner, const UserError& error,
               std::vector<BannerAction> actions = {});

// One subject of the window: it wires its panels to its client and to what is selected, and keeps the state
// that this needs.
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
