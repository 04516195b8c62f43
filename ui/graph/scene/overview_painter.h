#pragma once

#include <QPixmap>
#include <QTransform>

#include <map>
#include <utility>

class QPainter;

namespace sg::ui {

class GraphScene;
struct NodeState;

inline constexpr double kOverviewBelow = 0.355; // 35 % and less: no text any more
inline constexpr double kBlocksBelow = 0.15; // filled rectangles only

// Draws the whole graph in a few batches: one picture per state, stamped for each node; all edges of a look
// as one list of lines. Item by item a graph of thousands of nodes would take a hundred milliseconds.
class OverviewPainter {
public:
    // `painter` is in device-independent pixels of the viewport; `toView` leads there from the scene.
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
