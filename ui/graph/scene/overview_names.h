#pragma once

#include <QPointF>
#include <QSizeF>
#include <QStaticText>
#include <QTransform>

#include <vector>

class QPainter;
class QRectF;

namespace sg::ui {

class GraphScene;
class NodeItem;

// Finds room in the overview for its boxes and for the names of nodes, which have the same size at every
// zoom. A name stands below its box, else beside or above it; if nothing is free, in the box in place
// of its glyph, and in a small box it is left to the tooltip.
// The nodes that somebody looks for get their places first.
class OverviewNames {
public:
    void forget(); // places, states or texts are others
    void layOut(const GraphScene& scene, double zoom); // heads of groups are left free
    void paint(QPainter& painter, const GraphScene& scene, const QTransform& toView,
               const QRectF& visible) const;
    [[nodiscard]] QSizeF box() const { return m_box; } // of a node, in pixels
    [[nodiscard]] std::size_t count() const; // of names that have a place
    [[nodiscard]] bool isLaidOutFor(double zoom) const { return m_zoom == zoom; }

private:
    struct Name {
        QStaticText text;
        QPointF from; // its top left corner from the centre of the node's box
        bool isPlaced = false;
        bool isInside = false;
        bool isLoud = false;
        bool isQuiet = false;
    };
    class Taken;
    static Name placed(const NodeItem& node, const QRectF& box, Taken& areas);
    void measureBoxes(const GraphScene& scene, double zoom);

    double m_zoom = 0;
    QSizeF m_box;
    std::vector<Name> m_names; // one for each of the scene's nodes
};

} // namespace sg::ui
