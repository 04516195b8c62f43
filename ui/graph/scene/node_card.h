#pragma once

#include "ui/graph/scene/node_state.h"

#include <QLatin1String>
#include <QPointF>
#include <QRectF>
#include <QStaticText>
#include <QString>

#include <string>
#include <vector>

class QPainter;

namespace sg::ui {

// Paints one node at 100 %, 160 × 56, its top left corner at the origin. Changes lay out the texts once.
class NodeCard {
public:
    void setContent(const QString& title, const QString& subtitle, QLatin1String kindIcon);
    void setState(const NodeState& state, const QString& secondLine);
    bool setPorts(const std::vector<QPointF>& ports); // false if they are the same

    struct Mood {
        bool selected = false;
        bool hovered = false;
        double turn = 0; // turn of the running arc, 0…1
        double flash = 0; // fades after a failure, 1…0
    };
    void paint(QPainter& painter, const Mood& mood) const;

    static QRectF glyphRect(); // the only part that is animated
    static QRectF bounds(); // with selection ring, badges and ports
    static QRectF secondLineRect();

private:
    void layOutTexts();
    void paintBody(QPainter& painter, const Mood& mood) const;
    void paintBar(QPainter& painter) const;
    void paintTexts(QPainter& painter, const Mood& mood) const;
    void paintPorts(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;

    QString m_title;
    QString m_subtitle;
    QLatin1String m_kindIcon;
    NodeState m_state;
    QString m_secondLine;
    std::vector<QPointF> m_ports;
    QStaticText m_titleText;
    QStaticText m_secondText;
    QStaticText m_noteText;
    bool m_noteFits = false;
};

// Paints the start or end of the graph as a pill.
void paintTerminal(QPainter& painter, const QRectF& rect, const QString& word, bool selected);

// The outline of a card, `inset` within its rectangle; a failed card has its top right corner cut by `notch`.
QPainterPath cardOutline(const QRectF& rect, double inset, double radius, double notch);

} // namespace sg::ui
