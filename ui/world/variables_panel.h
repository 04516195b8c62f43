#pragma once

#include "ui/bridge/rows/world_rows.h"

#include <QWidget>

namespace sg::ui {

class WorldFrame;
class VariableModel;

// The names that a session had at the time cursor, with type, shape, size and a preview.
class VariablesPanel : public QWidget {
    Q_OBJECT
public:
    explicit VariablesPanel(QWidget* parent = nullptr);

    void clear();
    void setWorld(const WorldView& world);

Q_SIGNALS:
    void sessionChosen(const QString& session); // of several

private:
    VariableModel* m_model;
    WorldFrame* m_frame;
};

} // namespace sg::ui
