#pragma once

#include "ui/bridge/world_rows.h"

#include <QWidget>

namespace sg::ui {

class WorldFrame;
class FileTreeModel;

// What lay in a session's folder at the time cursor, as a tree.
class FilesPanel : public QWidget {
    Q_OBJECT
public:
    explicit FilesPanel(QWidget* parent = nullptr);

    void clear();
    void setWorld(const WorldView& world);

private:
    FileTreeModel* m_model;
    WorldFrame* m_frame;
};

} // namespace sg::ui
