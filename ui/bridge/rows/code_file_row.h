#pragma once

#include "ui/bridge/rows/rows.h"

namespace sg::ui {

// A code file of the graph as it is on the disk.
struct CodeFileRow {
    QString name; // relative to the project's folder
    QString text;
    bool exists = false;
    QString draft; // edits that a crash left; empty if there are none
    UserError error; // `what` is empty if it was read
};

} // namespace sg::ui
