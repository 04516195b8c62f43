#pragma once

#include <QPixmap>
#include <QTransform>

#include <map>
#include <utility>

class QPainter;

namespace sg::ui {

class GraphScene;
struct NodeState;

inline constexpr double kOverviewBelow = 0.355; // from 35 % downwards nodes have no text
inline constexpr double kBlocksBelow = 0.15; // filled rectangles only

// Draws the whole graph in a few batches: one picture for each state, stamped for its nodes, and one list of
// lines for the edges of each look. Single items would take 100 ms for a graph of thousands of nodes.
class OverviewPainter {
public:
    // `painter` uses device-independent pixels of the viewport; `toView` maps scene coordinates to them.
    void paint(QPainter& painter, const GraphScene& scene, const QTransform& toView, const QRect& exposed);
    void forgetPictures(); // after a change of theme

private:
    using Key = std::pair<int, bool>; // StateKind, selected
    const QPixmap& picture(const Key& key, double zoom, double pixelRatio);

    std::map<Key, QPixmap> m_pictures;
    double m_zoom = 0;
    double m_pixelRatio = 0;
};

} // namespace sg::ui
