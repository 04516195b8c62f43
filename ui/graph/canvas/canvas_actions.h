#pragma once

#include "ui/graph/edits/alignment.h"

#include <array>

class QAction;

namespace sg::ui {

// The commands of an editable canvas. The window's menus hold them too; they are enabled as the selection
// allows.
struct CanvasActions {
    QAction* undo;
    QAction* redo;
    QAction* cut;
    QAction* copy;
    QAction* paste;
    QAction* duplicate;
    QAction* remove;
    QAction* selectAll;
    QAction* add;
    QAction* connect;
    QAction* branch;
    QAction* rename;
    QAction* breakBefore;
    QAction* breakAfter;
    QAction* arrange;
    QAction* pin; // fixes the selected nodes: arranging leaves them where they are
    std::array<QAction*, kAlignments> align; // in the order of Alignment
    QAction* copyPicture; // of the graph, as it is shown
    QAction* find;
    QAction* nextEdge; // the next edge of the current node
    QAction* inside; // opens the current subgraph
    QAction* showInside; // draws the current subgraph open, in its place
    QAction* outside;
    QAction* extract; // moves the selected nodes into a new subgraph
    QAction* dissolve; // replaces the current subgraph by its nodes
    QAction* note;
    QAction* frame; // around the selection
    QAction* nextNote;
};

} // namespace sg::ui
