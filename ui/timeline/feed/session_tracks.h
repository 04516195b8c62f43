#pragma once

#include "ui/bridge/rows/session_rows.h"
#include "ui/selection/panel_parts.h"

#include <QObject>
#include <QSet>
#include <QString>

#include <map>
#include <vector>

namespace sg::ui {

class TimelinePanel;

// Shows what was measured of sessions on the axis of the timeline.
class SessionTracks : public QObject {
    Q_OBJECT
public:
    SessionTracks(const PanelParts& parts, TimelinePanel& timeline); // which owns it

private:
    void show(bool always); // else only of another session
    void showThread(); // another one was chosen
    void setSessions(const std::vector<SessionRow>& sessions);
    [[nodiscard]] const SessionRow* viewedSession() const;
    void askPast(const QString& thread);
    void takeSamples(const QString& session, const std::vector<SampleRow>& samples);
    void takePast(const SessionPast& past);

    const PanelParts m_parts;
    TimelinePanel& m_timeline;
    std::vector<SessionRow> m_sessions;
    std::map<QString, std::vector<SampleRow>> m_samples; // by session, since the project was opened
    QSet<QString> m_pastAsked; // sessions
    QString m_drawnSession; // on the timeline
};

} // namespace sg::ui
