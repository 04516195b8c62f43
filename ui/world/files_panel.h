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

// What lay in a session's folder at the time cursor, as a tree: files are dragged out or exported as copies,
// also of a session that has ended, and files dropped here go into the live one.
class FilesPanel : public QWidget {
    Q_OBJECT
public:
    explicit FilesPanel(QWidget* parent = nullptr);

    void clear();
    void setWorld(const WorldView& world);
    // Whether the head of a thread is shown whose session answers: then what lies there now stands here, with
    // what has changed since the newest checkpoint.
    void setLive(bool live);
    void setLiveFiles(const LiveFiles& files); // answers liveRequested()
    void lookAgain(); // answers it where what came was of another thread
    void setChangeUnknown(const QString& path); // answers changeRequested() where no moment is known
    void setPut(const QStringList& paths, const UserError& error); // answers putRequested(); paths inside
    void setTaken(const std::shared_ptr<StagedFiles>& files,
                  const UserError& error); // answers takeRequested()
    void setText(const SessionText& text); // answers openRequested()
    void setSaved(const SessionText& now, const UserError& error, bool conflict); // answers saveRequested()
    [[nodiscard]] bool isModified() const; // the text that is open
    void saveText(); // textSaved() follows
    void closeText(); // also where it is not saved

Q_SIGNALS:
    void sessionChosen(const QString& session); // of several
    void changeRequested(const QString& path); // the moment that made the file as it is
    void liveRequested(); // again and again while the panel is seen, each time once there was an answer
    // `folder`: here, empty for a fresh one that goes again.
    void takeRequested(const std::vector<sg::ui::WantedFile>& wanted, const QString& folder,
                       const std::shared_ptr<sg::ui::StagedFiles>& files);
    void stagedReleased(const std::shared_ptr<sg::ui::StagedFiles>& files, bool mayBeInUse);
    void putRequested(const QStringList& files, const QString& folder); // beneath /session; empty: there
    void openRequested(const QString& path);
    void saveRequested(const sg::ui::SessionText& before, const QString& text);
    void reloadRequested(const sg::ui::SessionText& text); // of its thread and checkpoint; setText() answers
    void modifiedChanged();
    void textSaved(bool isWell);

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
    [[nodiscard]] QString folderAt(const QPoint& position) const; // of this panel
    void chooseUploads();
    void chooseFolder(); // for an export
    void connectCopying();
    void watchCopying(const std::shared_ptr<StagedFiles>& files, bool isDrag); // null: none
    void showCopying();
    void showWaiting(const StagedFiles& files, bool isOver); // of a program, with this one's events
    void endExport();
    static QString inside(const QString& folder);
    [[nodiscard]] const WorldFileRow* rowAt(const QString& path) const; // that is shown; null: none
    [[nodiscard]] QStringList replacedBy(const QStringList& files, const QString& folder) const;
    [[nodiscard]] WorldFileRow rowOfPut(const QString& path) const;
    [[nodiscard]] static QString wordsOfPut(const QStringList& paths, qsizetype replaced);
    void put(const QStringList& files, const QString& folder);
    void showRows();
    [[nodiscard]] QString words(const std::vector<WorldFileRow>& rows) const;

    FileTreeModel* m_model;
    FileTree* m_tree; // in the frame
    WorldFrame* m_frame;
    FileEditor* m_editor; // beside the tree, while a file is open
    Banner* m_banner;
    QAction* m_export = nullptr;
    QAction* m_copyPath = nullptr;
    QAction* m_change = nullptr;
    WorldView m_world;
    std::vector<WorldFileRow> m_put; // since that moment
    LiveLook m_look;
    std::optional<LiveFiles> m_live; // while it is, once it answered
    std::vector<WorldFileRow> m_shown;
    QSet<QString> m_changed; // folders with changes among them
    QHash<QString, qint64> m_sizes; // of what is on its way in, by name
    QStringList m_replaced; // paths that it takes the place of
    std::shared_ptr<StagedFiles> m_exporting;
    std::shared_ptr<StagedFiles> m_watched; // copies that are shown as they are made
    bool m_isDrag = false; // these are
    QTimer* m_progress;
    QAction* m_cancel = nullptr;
    QString m_lastFolder;
};

} // namespace sg::ui
