#pragma once

#include "ui/widgets/state_look.h"

#include <QWidget>

#include <map>

class QToolButton;

namespace sg::ui {

class GraphView;

// How many nodes are in which state, for graphs that are too large to count: "1 failed", "38 done". A pressed
// one leaves the nodes of the other states faint, and the first of its own is shown.
class StateChips : public QWidget {
    Q_OBJECT
public:
    explicit StateChips(GraphView& view, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void countAnew();
    void filter(StateKind kind, bool on);
    QToolButton* chip(StateKind kind);

    GraphView& m_view;
    std::map<StateKind, QToolButton*> m_chips;
    bool m_isCounting = false; // soon
};

} // namespace sg::ui
