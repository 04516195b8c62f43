#pragma once

#include <QByteArray>
#include <QDataStream>
#include <QMap>
#include <QSize>
#include <QString>
#include <QStringList>

namespace sg::ui {

// The panels of one side that are folded away, and the width that they had.
struct FoldedSide {
    QStringList docks; // by name; the last one was in front
    int width = 0;
};

// A layout as the user left it.
struct LayoutState {
    QByteArray docks; // of QMainWindow::saveState(); empty: as at first
    QMap<int, FoldedSide> folded; // by Qt::DockWidgetArea
    bool isTimelineFolded = false;
    bool isTimelineLowered = false; // the timeline is not as high as it may be: the user left it so
    bool hasCentre = true; // documents are seen
    QSize window; // its size then
    int below = 0; // height of the panels below the timeline; 0: there were none
};

inline QDataStream& operator<<(QDataStream& out, const FoldedSide& side)
{
    return out << side.docks << side.width;
}

inline QDataStream& operator>>(QDataStream& in, FoldedSide& side)
{
    return in >> side.docks >> side.width;
}

inline QDataStream& operator<<(QDataStream& out, const LayoutState& state)
{
    return out << state.docks << state.folded << state.isTimelineFolded << state.isTimelineLowered
               << state.hasCentre << state.window << state.below;
}

inline QDataStream& operator>>(QDataStream& in, LayoutState& state)
{
    return in >> state.docks >> state.folded >> state.isTimelineFolded >> state.isTimelineLowered
        >> state.hasCentre >> state.window >> state.below;
}

} // namespace sg::ui
