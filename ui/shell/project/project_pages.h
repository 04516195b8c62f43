#pragma once

#include "ui/bridge/rows/project_info.h"
#include "ui/shell/parts/window_part.h"

#include <functional>

class QMenu;
class QMimeData;

namespace sg::ui {

class GraphFiles;
class LastProject;
class ProjectState;
class Saving;
class StartPart;
class ThreadFiles;
class WorldPart;

// Projects on their way into the window: new, chosen, dropped, opened before; and the page that shows them.
class ProjectPages : public WindowPart {
    Q_OBJECT
public:
    struct Parts {
        Saving& saving;
        StartPart& start;
        LastProject& last;
        ProjectState& state;
        GraphFiles& files;
        ThreadFiles& threads;
        WorldPart& world;
    };
    ProjectPages(const WindowParts& parts, const Parts& others);

    void addTo(QMenu& file); // what begins one
    void open(const QString& path);
    void openWith(const QString& path, const QString& database); // see OpenProject::open()
    void openSample(const QString& example);
    void drop(const QMimeData& dropped); // opens what it is, or imports a thread
    static bool takes(const QMimeData& dropped);

Q_SIGNALS:
    void ready(); // start page or project is shown and takes input
    void notOpened(const sg::ui::UserError& error);

private:
    void begin(const std::function<void()>& open, const std::function<void()>& again);
    void show(const ProjectInfo& info);

    const Parts m_others;
};

} // namespace sg::ui
