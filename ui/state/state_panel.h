#pragma once

#include "ui/bridge/rows.h"

#include <QWidget>

namespace sg::ui {

// The state at one checkpoint as a tree, with what changed from its parent marked.
class StatePanel : public QWidget {
    Q_OBJECT
public:
    explicit StatePanel(QWidget* parent = nullptr);

    void clear();
    void setState(const StateView& state);

private:
    struct Impl;
    Impl* m_impl; // a child
};

} // namespace sg::ui
