#pragma once

#include "ui/bridge/rows/session_rows.h"
#include "ui/bridge/rows/world_rows.h"
#include "ui/selection/panel_parts.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <optional>
#include <vector>

namespace sg::ui {

class FilesPanel;

// Reads what a session holds at the selected checkpoint, or now, for the panel of files and whoever else
// shows it.
class WorldFeed : public QObject {
    Q_OBJECT
public:
    WorldFeed(const PanelParts& parts, FilesPanel& files); // which owns it

    void read(); // at once where somebody sees it, else later, for the count alone
    void readWhile(const std::function<bool()>& isSeen) { m_readers.push_back(isSeen); }
    void readFor(QWidget& panel); // while that is seen
    void choose(const QString& session); // of several

private:
    void follow();
    void transfer();
    void editTexts();
    void findChanges();
    void ask();
    void clear(); // another thread was chosen
    void take(const WorldView& world);
    void followLive(); // whether the files are those of a session that runs

    const PanelParts m_parts;
    FilesPanel& m_files;
    std::vector<std::function<bool()>> m_readers;
    std::vector<SessionRow> m_sessions;
    QTimer m_countSoon;
    std::optional<QString> m_chosen; // by the user
    QString m_shown; // session
};

} // namespace sg::ui
