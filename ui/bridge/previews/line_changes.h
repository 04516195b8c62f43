#pragma once

#include <QString>
#include <QStringList>

namespace sg::ui {

// What changed between two texts, line by line: lines of the newer begin with "+", of the older with "-",
// three of what surrounds them with " ", and "@" stands where lines are left out. Pure.
struct LineChanges {
    QStringList lines;
    int added = 0;
    int removed = 0;
    bool isCut = false; // too different to be told line by line: all of the older, then all of the newer
};
LineChanges lineChanges(const QStringList& older, const QStringList& newer);

} // namespace sg::ui
