#pragma once

#include "ui/bridge/rows/world_rows.h"

#include <QWidget>

namespace sg::ui {

class WorldFrame;
class VariableModel;
struct PanelParts;

// The variables of a session at the viewed checkpoint, with type, shape, size and a preview.
class VariablesPanel : public QWidget {
    Q_OBJECT
public:
    explicit VariablesPanel(const PanelParts& parts, QWidget* parent = nullptr);
    explicit VariablesPanel(QWidget* parent = nullptr); // shows what it is given

    void clear();
    void setWorld(const WorldView& world);

Q_SIGNALS:
    void sessionChosen(const QString& session); // one of several sessions

private:
    VariableModel* m_model;
    WorldFrame* m_frame;
};

} // namespace sg::ui
