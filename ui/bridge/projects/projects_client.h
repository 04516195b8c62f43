#pragma once

#include "ui/bridge/open/client.h"
#include "ui/bridge/rows/project_rows.h"

namespace sg::ui {

// Projects that are not there yet. Asks the disk, never the project that is open.
class ProjectsClient : public Client {
    Q_OBJECT
public:
    explicit ProjectsClient(OpenProject& project)
        : Client(project)
    {
    }

    void loadTemplates(const QString& parent, const QString& name); // `name`: that is wished in that folder
    void checkPlace(const QString& name, const QString& folder); // the newest question is answered
    // Asks what there is to open in a folder from elsewhere: a project, or a LangGraph program's checkpoint
    // database.
    void findInFolder(const QString& folder);
    // The files of a folder that can only be read as a project of its own, without its runs; created()
    // follows.
    void copyFolder(const QString& folder, const QString& parent);
    void checkRuntime(); // of local sandboxes
    void create(const QString& name, const QString& folder, const QString& templateId);

Q_SIGNALS:
    void templatesLoaded(const sg::ui::TemplateRows& rows);
    void placeChecked(const sg::ui::NewPlaceRow& place);
    void foundInFolder(const QString& path, const sg::ui::UserError& error);
    void runtimeChecked(const sg::ui::RuntimeRow& row);
    void created(const QString& graph, const sg::ui::UserError& error); // `graph`: the file

private:
    int m_checks = 0; // questions about places so far
};

} // namespace sg::ui
