#pragma once

#include "ui/compare/merged_flow.h"

#include <QWidget>

namespace sg::ui {

// Shows both ways as one small graph: − marks what only A did, + what only B did, ~ what differs.
class FlowView : public QWidget {
    Q_OBJECT
public:
    explicit FlowView(QWidget* parent = nullptr);

    void setFlow(const MergedFlow& flow);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QRect differences() const; // around the nodes that differ; empty if none does

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QRectF cardOf(const FlowNode& node) const;
    void paintEdge(QPainter& painter, const FlowEdge& edge) const;
    void paintCard(QPainter& painter, const FlowNode& node) const;

    MergedFlow m_flow;
};

} // namespace sg::ui
