#pragma once

#include "ui/bridge/rows/project_info.h"
#include "ui/shell/parts/window_part.h"

#include <optional>
#include <utility>

class QMenu;
class QStackedWidget;
class QTimer;

namespace sg::ui {

// Brings back what was open last: project, thread and checkpoint.
class LastProject : public WindowPart {
    Q_OBJECT
public:
    LastProject(const WindowParts& parts, QStackedWidget& pages, QWidget& start);

    static QString pathOf(const ProjectInfo& info); // that opens it again
    static QString databaseOf(const ProjectInfo& info); // that goes with the path; empty: the project's own
    static void keepLast(const ProjectInfo& info);
    static void forgetOpening();
    void addTo(QMenu& file);
    void reopen(); // where the user wants that; else the start page stays
    void stop() { m_isReopening = false; } // another one is wanted
    void tellNotOpened(const UserError& error);
    void keepCursor();
    // The thread that was shown last, while it is being opened; empty: none, or it is not among these any
    // more.
    [[nodiscard]] QString threadWanted(const QStringList& threads);

Q_SIGNALS:
    void openWanted(const QString& path, const QString& database); // see OpenProject::open()
    void ready(); // nothing is opened

private:
    void showReopening(const QString& path);
    void doNotReopen();
    void showCursorWanted();

    QStackedWidget* const m_pages;
    QWidget* const m_start;
    QTimer* m_cursorSoon; // until thread and checkpoint are kept
    std::optional<std::pair<QString, QString>> m_cursorWanted; // thread and checkpoint of the last time
    bool m_isReopening = false;
};

} // namespace sg::ui
