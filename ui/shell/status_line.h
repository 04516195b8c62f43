#pragma once

#include "ui/bridge/rows/project_info.h"
#include "ui/bridge/rows/session_rows.h"

#include <QObject>
#include <QTimer>

class QLabel;
class QStatusBar;

namespace sg::ui {

// The status bar: sandbox, session, network, count of checkpoints, isolation. One word each.
class StatusLine : public QObject {
    Q_OBJECT
public:
    explicit StatusLine(QStatusBar* bar);

    void setSandbox(const ProjectInfo& info);
    void setSessions(const std::vector<SessionRow>& sessions, const QString& thread); // the thread's own
    void setWaiting(int questions, int paused = 0);
    void setCheckpoints(int count);
    void clear();

private:
    void setNetwork(const ProjectInfo& info);
    void showSession();
    QLabel* add(const QString& name, int stretch);

    QStatusBar* m_bar;
    QLabel* m_sandbox;
    QLabel* m_session;
    QLabel* m_network;
    QLabel* m_waiting;
    QLabel* m_checkpoints;
    QLabel* m_isolation;
    SessionRow m_live; // an empty id: none
    QTimer m_countdown;
};

} // namespace sg::ui
