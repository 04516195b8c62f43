#pragma once

#include <QString>
#include <QStringList>

namespace sg::ui {

// The differences of two texts by line: "+" begins lines of the newer, "-" of the older, " " up to three
// unchanged lines around them, and "@" stands for omitted lines.
struct LineChanges {
    QStringList lines;
    int added = 0;
    int removed = 0;
    bool isCut = false; // too different to compare: all of the older, then all of the newer
};
LineChanges lineChanges(const QStringList& older, const QStringList& newer);

} // namespace sg::ui
