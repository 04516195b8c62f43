#pragma once

namespace sg::ui {

class ClientFeed;
struct Clients;
class Selection;
class ShownHistory;
class ThreadBook;

// Shared by the panels of one window. All of it outlives them.
struct PanelParts {
    Clients& clients;
    Selection& selection;
    ThreadBook& book;
    ShownHistory& history; // of the selected thread
    ClientFeed& feed;
};

} // namespace sg::ui
