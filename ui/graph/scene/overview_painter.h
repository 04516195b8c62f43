#pragma once

#include "ui/graph/scene/overview_names.h"

#include <QPixmap>
#include <QTransform>

#include <map>
#include <utility>

class QPainter;

namespace sg::ui {

class GraphScene;

inline constexpr double kOverviewBelow = 0.45; // cards would have texts of less than six pixels
inline constexpr double kBlocksBelow = 0.15; // filled rectangles only

// Draws the whole graph in a few batches: one picture for each state, stamped for its nodes, and one list of
// lines for the edges of each look. Single items would take 100 ms for a graph of thousands of nodes.
class OverviewPainter {
public:
    // `painter` uses device-independent pixels of the viewport; `toView` maps scene coordinates to them.
    void paint(QPainter& painter, const GraphScene& scene, const QTransform& toView, const QRect& exposed);
    void forgetPictures(); // after a change of theme
    void forgetNames() { m_names.forget(); } // after a change of places, states or texts
    [[nodiscard]] const OverviewNames& names() const { return m_names; }

private:
    using Key = std::pair<int, bool>; // StateKind, selected
    const QPixmap& picture(const Key& key, double zoom, const QSizeF& box, double pixelRatio);
    void paintNodes(QPainter& painter, const GraphScene& scene, const QTransform& toView, const QSizeF& box,
                    const QRectF& visible);

    std::map<Key, QPixmap> m_pictures;
    OverviewNames m_names;
    double m_zoom = 0;
    QSizeF m_box; // of the pictures
    double m_pixelRatio = 0;
};

} // namespace sg::ui
