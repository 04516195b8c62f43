#pragma once

#include "ui/bridge/rows/session_rows.h"
#include "ui/bridge/rows/world_rows.h"
#include "ui/bridge/staging/staged_files.h"
#include "ui/world/live_look.h"

#include <QHash>
#include <QSet>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QAction;
class QTimer;

namespace sg::ui {

class Banner;
class WorldFrame;
class FileEditor;
class FileTree;
class FileTreeModel;
struct PanelParts;
class WorldFeed;

// The files of a session at the viewed checkpoint as a tree. Files can be dragged out or exported as copies,
// even from an ended session; files dropped here are copied into the live session.
class FilesPanel : public QWidget {
    Q_OBJECT
public:
    explicit FilesPanel(const PanelParts& parts, QWidget* parent = nullptr);
    explicit FilesPanel(QWidget* parent = nullptr); // shows what it is given

    [[nodiscard]] WorldFeed& feed() const; // for what else shows the session

    void clear();
    void setWorld(const WorldView& world);
    // `live` tells that the head of a thread is shown and its session answers: then the present files are
    // shown, with the changes since the newest checkpoint.
    void setLive(bool live);
    void setLiveFiles(const LiveFiles& files); // answers liveRequested()
    void lookAgain(); // answers liveRequested() if the files were another thread's
    void setChangeUnknown(const QString& path); // answers changeRequested() if no checkpoint is known
    void setPut(const QStringList& paths, const UserError& error); // answers putRequested(); session paths
    void setTaken(const std::shared_ptr<StagedFiles>& files,
                  const UserError& error); // answers takeRequested()
    void setText(const SessionText& text); // answers openRequested()
    void setSaved(const SessionText& now, const UserError& error, bool conflict); // answers saveRequested()
    [[nodiscard]] bool isModified() const; // whether the open text has changes
    void saveText(); // textSaved() follows
    void closeText(); // drops unsaved changes

Q_SIGNALS:
    void sessionChosen(const QString& session); // one of several sessions
    void changeRequested(const QString& path); // asks for the checkpoint that last changed the file
    void liveRequested(); // repeated while the panel is visible, each time after an answer
    // `folder` is a local one; if empty, the files go to a new folder that is removed later.
    void takeRequested(const std::vector<sg::ui::WantedFile>& wanted, const QString& folder,
                       const std::shared_ptr<sg::ui::StagedFiles>& files);
    void stagedReleased(const std::shared_ptr<sg::ui::StagedFiles>& files, bool mayBeInUse);
    void putRequested(const QStringList& files, const QString& folder); // `folder` is beneath /session
    void openRequested(const QString& path);
    void saveRequested(const sg::ui::SessionText& before, const QString& text);
    void reloadRequested(const sg::ui::SessionText& text); // setText() answers
    void modifiedChanged();
    void textSaved(bool isWell);
    void countChanged(int changed); // files
    void emptied(); // there is no session to look at, or not yet

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void connectEditor();
    void createActions();
    QAction* addVerb(QLatin1String iconName, const QString& text, const QKeySequence& key);
    void updateActions();
    [[nodiscard]] QString folderAt(const QPoint& position) const; // at a position in this panel
    void chooseUploads();
    void chooseFolder(); // for an export
    void connectCopying();
    void watchCopying(const std::shared_ptr<StagedFiles>& files, bool isDrag); // null stops watching
    void showCopying();
    void showWaiting(const StagedFiles& files, bool isOver); // another program waits, which blocks this one
    void endExport();
    static QString inside(const QString& folder);
    [[nodiscard]] const WorldFileRow* rowAt(const QString& path) const; // a shown row, or null
    [[nodiscard]] QStringList replacedBy(const QStringList& files, const QString& folder) const;
    [[nodiscard]] WorldFileRow rowOfPut(const QString& path) const;
    [[nodiscard]] static QString wordsOfPut(const QStringList& paths, qsizetype replaced);
    void put(const QStringList& files, const QString& folder);
    void showRows();
    [[nodiscard]] QString words(const std::vector<WorldFileRow>& rows) const;

    FileTreeModel* m_model;
    FileTree* m_tree; // child of m_frame
    WorldFrame* m_frame;
    FileEditor* m_editor; // shown beside the tree while a file is open
    Banner* m_banner;
    QAction* m_export = nullptr;
    QAction* m_copyPath = nullptr;
    QAction* m_change = nullptr;
    WorldView m_world;
    std::vector<WorldFileRow> m_put; // files copied in since the viewed checkpoint
    LiveLook m_look;
    std::optional<LiveFiles> m_live; // set after the first answer of a live session
    std::vector<WorldFileRow> m_shown;
    QSet<QString> m_changed; // folders with changed files
    QHash<QString, qint64> m_sizes; // name → size of files being copied in
    QStringList m_replaced; // paths that they replace
    QString m_over; // where files that are dragged over the panel would go; empty while none are
    std::shared_ptr<StagedFiles> m_exporting;
    std::shared_ptr<StagedFiles> m_watched; // the copies whose progress is shown
    bool m_isDrag = false; // whether m_watched belongs to a drag
    QTimer* m_progress;
    QAction* m_cancel = nullptr;
    QString m_lastFolder;
    WorldFeed* m_feed = nullptr; // a child; null: the panel shows what it is given
};

} // namespace sg::ui
