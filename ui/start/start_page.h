#pragma once

#include "ui/bridge/rows/project_rows.h"

#include <QWidget>

class QBoxLayout;

namespace sg::ui {

class CardGrid;
class InkLabel;
class RecentList;
class RuntimeStatus;

// The page of a window without a project: what to begin with, what to open, what was open before, examples by
// their pictures, and whether sandboxes are ready.
class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);
    void setRecent(const QList<RecentRow>& rows);
    void setExamples(const std::vector<TemplateRow>& examples); // in the order in which they are shown
    void setRuntime(const RuntimeRow& row);
    void setBusy(bool busy); // a project is being opened

Q_SIGNALS:
    void newRequested();
    void openRequested(); // a project's folder or graph file
    void folderRequested(); // of a LangGraph program
    void databaseRequested();
    void serverRequested(); // a database that is on a server
    void exampleRequested(const QString& id);
    void recentRequested(const QString& path);
    void recentRemoved(const QString& path);
    void prepareRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeLeft();
    QWidget* makeRight();

    QWidget* m_page;
    QBoxLayout* m_columns;
    RecentList* m_recent;
    CardGrid* m_examples;
    RuntimeStatus* m_runtime;
};

} // namespace sg::ui
