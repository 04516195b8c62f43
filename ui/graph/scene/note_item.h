#pragma once

#include "core/graph/graph.h"

#include <QGraphicsItem>
#include <QRectF>
#include <QString>

namespace sg::ui {

// A note or a frame of the document. The item's origin is the scene's; rect() is its place.
class NoteItem : public QGraphicsItem {
public:
    enum { Type = UserType + 6 };
    explicit NoteItem(const graph::Note& note);

    void setNote(const graph::Note& note);
    void setShift(const QPointF& by); // during a drag
    void setSize(const QSizeF& size); // during a drag of its corner
    void setCurrent(bool current);

    [[nodiscard]] bool isFrame() const { return m_isFrame; }
    [[nodiscard]] const QString& text() const { return m_text; }
    [[nodiscard]] QRectF rect() const { return m_rect; } // in the scene
    [[nodiscard]] QRectF holdRect() const; // where a press grabs it: all of a note, the title row of a frame
    [[nodiscard]] QRectF cornerRect() const; // where a press resizes it

    [[nodiscard]] int type() const override { return Type; }
    [[nodiscard]] QRectF boundingRect() const override;
    [[nodiscard]] QPainterPath shape() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

    static QRectF rectOf(const graph::Note& note); // limited, because a file may say anything

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
