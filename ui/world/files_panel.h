#pragma once

#include "ui/bridge/session_rows.h"
#include "ui/bridge/staged_files.h"
#include "ui/bridge/world_rows.h"

#include <QHash>
#include <QWidget>

#include <memory>
#include <vector>

class QAction;

namespace sg::ui {

class Banner;
class WorldFrame;
class FileEditor;
class FileTree;
class FileTreeModel;

// What lay in a session's folder at the time cursor, as a tree: files are dragged out or exported as copies,
// also of a session that has ended, and files dropped here go into the live one.
class FilesPanel : public QWidget {
    Q_OBJECT
public:
    explicit FilesPanel(QWidget* parent = nullptr);

    void clear();
    void setWorld(const WorldView& world);
    void setPut(const QStringList& paths, const UserError& error); // answers putRequested(); paths inside
    void setTaken(const std::shared_ptr<StagedFiles>& files,
                  const UserError& error); // answers takeRequested()
    void setText(const SessionText& text); // answers openRequested()
    void setSaved(const SessionText& now, const UserError& error, bool conflict); // answers saveRequested()

Q_SIGNALS:
    // `folder`: here, empty for a fresh one that goes again.
    void takeRequested(const std::vector<sg::ui::WantedFile>& wanted, const QString& folder,
                       const std::shared_ptr<sg::ui::StagedFiles>& files);
    void stagedReleased(const std::shared_ptr<sg::ui::StagedFiles>& files, bool mayBeInUse);
    void putRequested(const QStringList& files, const QString& folder); // beneath /session; empty: there
    void openRequested(const QString& path);
    void saveRequested(const sg::ui::SessionText& before, const QString& text);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void createActions();
    QAction* addVerb(QLatin1String iconName, const QString& text, const QKeySequence& key);
    void updateActions();
    [[nodiscard]] QString folderAt(const QPoint& position) const; // of this panel
    void chooseUploads();
    void chooseFolder(); // for an export
    void put(const QStringList& files, const QString& folder);
    void showRows();

    FileTreeModel* m_model;
    FileTree* m_tree; // in the frame
    WorldFrame* m_frame;
    FileEditor* m_editor; // beside the tree, while a file is open
    Banner* m_banner;
    QAction* m_export = nullptr;
    QAction* m_copyPath = nullptr;
    WorldView m_world;
    std::vector<WorldFileRow> m_put; // since that moment
    QHash<QString, qint64> m_sizes; // of what is on its way in, by name
    std::shared_ptr<StagedFiles> m_exporting;
    QString m_lastFolder;
};

} // namespace sg::ui
