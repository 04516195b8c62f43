#pragma once

#include "ui/graph/layout/graph_drawing.h"
#include "ui/graph/scene/node_card.h"

#include <QGraphicsItem>

#include <memory>

namespace sg::ui {

class InnerGraph;

// Mirrors one node of the document. Its origin is the card's top left corner.
class NodeItem : public QGraphicsItem {
public:
    enum { Type = UserType + 1 };
    NodeItem(const DrawnNode& node, std::vector<QPointF> ports);
    ~NodeItem() override;

    [[nodiscard]] const DrawnNode& node() const { return m_node; }
    [[nodiscard]] const NodeState& state() const { return m_state; }
    [[nodiscard]] const QString& secondLine() const { return m_secondLine; } // as shown
    [[nodiscard]] QString title() const;
    [[nodiscard]] QRectF card() const; // in scene coordinates
    [[nodiscard]] std::size_t index() const { return m_index; } // in the drawing
    void setIndex(std::size_t index) { m_index = index; }
    void setNode(const DrawnNode& node, const std::vector<QPointF>& ports); // must have the same id and kind
    void setPorts(const std::vector<QPointF>& ports);
    void
    setInside(const std::shared_ptr<const graph::Graph>& graph); // shown in its frame; null: it is a card
    [[nodiscard]] InnerGraph* inside() const { return m_inside.get(); }
    // Shows whether the edge that is being drawn may end here.
    enum class Offer { None, Possible, Aimed, Refused };
    void setOffer(Offer offer);
    void setConnectable(bool connectable); // shows ports while the pointer is near
    void setFaint(bool faint); // it is not among what is looked for
    void setState(const NodeState& state);
    void advance(double nowMs, double turn); // running and flashing nodes only
    [[nodiscard]] bool isMoving() const;
    void updateTexts(); // after the font changed

    [[nodiscard]] int type() const override { return Type; }
    [[nodiscard]] QRectF boundingRect() const override;
    [[nodiscard]] QPainterPath shape() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

protected:
    void hoverEnterEvent(QGraphicsSceneHoverEvent* event) override;
    void hoverLeaveEvent(QGraphicsSceneHoverEvent* event) override;

private:
    [[nodiscard]] QString composedSecondLine(double nowMs) const;
    void updateToolTip();

    DrawnNode m_node;
    std::size_t m_index = 0;
    NodeState m_state;
    QString m_secondLine;
    NodeCard m_card;
    std::unique_ptr<InnerGraph> m_inside;
    double m_turn = 0;
    double m_flashUntilMs = 0;
    double m_flash = 0;
    bool m_hovered = false;
    bool m_connectable = false;
    bool m_faint = false;
    Offer m_offer = Offer::None;
};

} // namespace sg::ui
