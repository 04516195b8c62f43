#pragma once

#include "ui/bridge/project_bridge.h"

#include <QObject>

class QLabel;
class QStatusBar;

namespace sg::ui {

// The status bar: sandbox, session, network, count of checkpoints, isolation. One word each.
class StatusLine : public QObject {
    Q_OBJECT
public:
    explicit StatusLine(QStatusBar* bar);

    void setSandbox(const ProjectInfo& info);
    void setSessions(const std::vector<SessionRow>& sessions, const QString& thread);
    void setWaiting(int questions);
    void setCheckpoints(int count);
    void clear();

private:
    QLabel* add(const QString& name, int stretch);

    QStatusBar* m_bar;
    QLabel* m_sandbox;
    QLabel* m_session;
    QLabel* m_network;
    QLabel* m_waiting;
    QLabel* m_checkpoints;
    QLabel* m_isolation;
};

} // namespace sg::ui
