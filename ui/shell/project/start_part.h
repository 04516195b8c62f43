#pragma once

#include "ui/bridge/rows/project_info.h"
#include "ui/bridge/rows/project_rows.h"
#include "ui/shell/parts/window_part.h"

#include <QList>

class QMenu;
class QStackedWidget;

namespace sg::ui {

// The example behind "Open sample".
inline const QString kSampleName = QStringLiteral("analyst");

class NewProjectSheet;
class StartPage;

// Brings a window to its project: by the start page, new projects, what is opened, and what was open before.
class StartPart : public WindowPart {
    Q_OBJECT
public:
    StartPart(const WindowParts& parts, QStackedWidget& pages, StartPage& page);

    void newProject(); // asks for it
    void chooseProject();
    void chooseFolder(); // of a LangGraph program
    void chooseDatabase();
    void askAddress(); // of a database on a server
    void addTo(QMenu& menu); // new, open, sample, and what was open before
    [[nodiscard]] const QList<RecentRow>& recent() const { return m_recent; }
    void remember(const ProjectInfo& info);
    bool tellReadOnly(const ProjectInfo& info); // where the folder is the reason; false: it is not

Q_SIGNALS:
    void openWanted(const QString& path);
    void exampleWanted(const QString& id);

private:
    void connectPage();
    void choose(const QString& title, bool isFolder, const QString& filter);
    [[nodiscard]] static QString place(); // that new projects are made in
    void copyFolder(const QString& folder);
    void projectMade(const QString& graph, const UserError& error);
    void showMade(const ProjectInfo& info);
    void forget(const QString& path);
    void showRecent();

    QStackedWidget* const m_pages;
    StartPage* const m_page;
    NewProjectSheet* m_sheet;
    QList<RecentRow> m_recent;
    QString m_made; // graph of the project that was made and is being opened
};

} // namespace sg::ui
