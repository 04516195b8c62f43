#pragma once

#include "ui/graph/canvas/edited_canvas.h"

#include <QObject>
#include <QString>

#include <memory>
#include <vector>

class QGraphicsItem;
class QMimeData;

namespace sg::ui {

class NodePopup;

// Adds nodes, branches and edges: by a palette that pops up on the canvas, by a drop, or by an entry's name.
class NodeAdder : public QObject {
    Q_OBJECT
public:
    NodeAdder(const EditedCanvas& canvas, QObject* parent);
    ~NodeAdder() override;

    // Shows the kinds at that point of the viewport. At (-1, -1) the node comes where there is room: after
    // the current node, which gets an edge to the new one, else in the middle. The line leads to the new
    // node, and goes with the palette.
    void popUpKinds(const QPoint& viewportPos, const std::vector<NodeId>& from = {},
                    std::unique_ptr<QGraphicsItem> line = {});
    void popUpTargets(); // that an edge from the selected nodes can lead to
    void add(const QString& entry); // of the palette
    [[nodiscard]] bool takes(const QMimeData& data) const;
    bool drop(const QMimeData& data, const QPoint& viewportPos);
    void dropLine(); // what it leads from may be gone

Q_SIGNALS:
    void hinted(const QString& text); // why something cannot be done

private:
    void choose(const QString& entry);
    void place(const QString& kind, const QPointF& at, const std::vector<NodeId>& from);
    void join(const QString& entry); // one that is no kind of node: at the selected ones
    void dropJoin(const QString& entry, const QPointF& at);
    [[nodiscard]] QPointF freePlace() const;

    const EditedCanvas m_canvas;
    NodePopup* const m_popup;
    bool m_connects = false; // its entries are targets, not kinds
    std::vector<NodeId> m_from; // starts of the edges to what is chosen
    QPointF m_placeAt;
    std::unique_ptr<QGraphicsItem> m_line;
};

} // namespace sg::ui
