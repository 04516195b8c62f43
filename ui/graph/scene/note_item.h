#pragma once

#include "core/graph/graph.h"

#include <QGraphicsItem>
#include <QRectF>
#include <QString>

namespace sg::ui {

// A note or a frame of the document. Its origin is the scene's: rect() says where it stands.
class NoteItem : public QGraphicsItem {
public:
    enum { Type = UserType + 6 };
    explicit NoteItem(const graph::Note& note);

    void setNote(const graph::Note& note);
    void setShift(const QPointF& by); // while it is dragged
    void setSize(const QSizeF& size); // while its corner is
    void setCurrent(bool current);

    [[nodiscard]] bool isFrame() const { return m_isFrame; }
    [[nodiscard]] const QString& text() const { return m_text; }
    [[nodiscard]] QRectF rect() const { return m_rect; } // in the scene
    [[nodiscard]] QRectF holdRect() const; // what a press takes it by: all of a note, a frame's title row
    [[nodiscard]] QRectF cornerRect() const; // what a press sizes it by

    [[nodiscard]] int type() const override { return Type; }
    [[nodiscard]] QRectF boundingRect() const override;
    [[nodiscard]] QPainterPath shape() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

    static QRectF rectOf(const graph::Note& note); // bounded, whatever a file says

private:
    void paintFrame(QPainter& painter) const;
    void paintSlip(QPainter& painter) const;
    void paintCorner(QPainter& painter) const;

    QString m_text;
    QRectF m_rect;
    bool m_isFrame = false;
    bool m_isCurrent = false;
};

} // namespace sg::ui
