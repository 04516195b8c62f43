#pragma once

#include "ui/bridge/rows/session_rows.h"
#include "ui/shell/parts/window_part.h"

#include <QSet>
#include <QString>

#include <map>
#include <vector>

namespace sg::ui {

// What was measured of sessions, on the axis of the timeline.
class SessionTracks : public WindowPart {
    Q_OBJECT
public:
    explicit SessionTracks(const WindowParts& parts);

private:
    void show(bool always); // else only of another session
    void showThread(); // another one was chosen
    void setSessions(const std::vector<SessionRow>& sessions);
    [[nodiscard]] const SessionRow* viewedSession() const;
    void askPast(const QString& thread);
    void takeSamples(const QString& session, const std::vector<SampleRow>& samples);
    void takePast(const SessionPast& past);

    std::vector<SessionRow> m_sessions;
    std::map<QString, std::vector<SampleRow>> m_samples; // by session, since the project was opened
    QSet<QString> m_pastAsked; // sessions
    QString m_drawnSession; // on the timeline
};

} // namespace sg::ui
