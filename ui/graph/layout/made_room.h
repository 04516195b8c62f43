#pragma once

#include <QPointF>

#include <vector>

namespace sg::ui {

// Makes room for subgraphs that show their inside, which is larger than a card: cards right of one go to the
// right, cards above or below go up or down. The order of all places stays, so nothing comes to lie over
// another.
class MadeRoom {
public:
    void add(const QPointF& centre, double width, double height); // of a card, as placed
    [[nodiscard]] bool isEmpty() const { return m_stretches.empty(); }
    [[nodiscard]] QPointF shown(QPointF place) const;
    [[nodiscard]] QPointF placed(QPointF shown) const; // the reverse; within an inside: at its card

private:
    struct Stretch {
        QPointF at; // with the room of those before
        double width; // that is added
        double height;
    };
    std::vector<Stretch> m_stretches;
};

} // namespace sg::ui
