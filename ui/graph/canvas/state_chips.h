#pragma once

#include "ui/widgets/state_look.h"

#include <QWidget>

#include <map>

class QToolButton;

namespace sg::ui {

class GraphView;

// Counts the nodes in each state, for graphs that are too large to count by eye: "1 failed", "38 done". A
// pressed chip leaves the nodes of the other states faint, and shows the first of its own.
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
