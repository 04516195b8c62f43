#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/jobs/latest_job.h"
#include "ui/macro/macro_player.h"
#include "ui/macro/macro_recorder.h"
#include "ui/shell/window_desk.h"

#include <QObject>

#include <functional>
#include <optional>
#include <vector>

class QAction;
class QMenu;
class QStatusBar;
class QToolButton;
class QWidget;

namespace sg::ui {

// Macros in the window: its Tools menu, what says that one is recorded or played, their files. A project's
// lie in its folder macros/, the user's among their data.
class Macros : public QObject {
    Q_OBJECT
public:
    Macros(const WindowDesk::Parts& parts, QWidget& window, QStatusBar& bar);

    void fill(QMenu& tools);
    void setProject(const QString& folder); // empty: none
    void play(const QString& file);
    void play(const Macro& macro);
    void noteRefused(const QString& reason); // a save that a run waits for
    // Returns false if a recording is not saved. The user is then asked, and `next` may follow.
    bool mayLeave(const std::function<void()>& next);

Q_SIGNALS:
    void told(const QString& text);
    void failed(const sg::ui::UserError& error); // what could not be read or written, or why it stopped
    // A macro that was to be played; `reason` as MacroPlayer::ended(). `isFilesFault`: it could not be read.
    void ended(const QString& reason, bool isRunsFault, bool isFilesFault);

private:
    struct File {
        QString name;
        QString path;
        friend bool operator==(const File&, const File&) = default;
    };
    static std::vector<File> filesIn(const QStringList& folders);
    void follow(const WindowDesk::Parts& parts);
    void record();
    void save(); // asks where to
    void askWhere();
    void write(const QString& file);
    void noteWritten(const QString& file, const Macro& macro, const QString& fault);
    void choose(); // asks which
    void list(); // the files, off this thread
    void fillFiles();
    void showState();
    [[nodiscard]] QString folder() const; // that new ones go to

    WindowDesk m_desk;
    QWidget& m_window;
    MacroRecorder m_recorder;
    MacroPlayer m_player;
    LatestJob m_reading;
    LatestJob m_writing;
    LatestJob m_making; // of the folder
    LatestJob m_listing;
    bool m_isListing = false;
    std::vector<File> m_files;
    std::optional<Macro> m_unsaved; // recorded, and not written yet
    std::function<void()> m_afterSave;
    QString m_project;
    QMenu* m_menu = nullptr; // of the files
    QAction* m_record;
    QAction* m_stop;
    QAction* m_play;
    QAction* m_cancel;
    QToolButton* m_state;
};

} // namespace sg::ui
