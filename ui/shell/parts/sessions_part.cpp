#include "ui/shell/parts/sessions_part.h"

#include "ui/bridge/clients.h"
#include "ui/run/run_bar.h"
#include "ui/selection/client_feed.h"
#include "ui/selection/selection.h"
#include "ui/selection/thread_book.h"
#include "ui/sessions/session_panel.h"
#include "ui/shell/parts/world_part.h"
#include "ui/shell/status_line.h"

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

// Tells whether one of the thread's sessions lived before and does not now.
bool oneHasEnded(const std::vector<SessionRow>& before, const std::vector<SessionRow>& now,
                 const QString& thread)
{
    const auto lives = [](const std::vector<SessionRow>& rows, const QString& session) {
        return std::ranges::any_of(rows, [&session](const SessionRow& row) {
            return row.session == session && !row.state.hasEnded();
        });
    };
    return std::ranges::any_of(before, [&](const SessionRow& row) {
        return row.thread == thread && lives(before, row.session) && !lives(now, row.session);
    });
}

} // namespace

SessionsPart::SessionsPart(const WindowParts& parts, SessionPanel& panel, WorldPart& world)
    : WindowPart(parts)
    , m_world(&world)
{
    connect(&panel, &SessionPanel::modeRequested, parts.runBar, &RunBar::modeRequested);
    connect(&m_clients->sessions, &SessionsClient::sessionsChanged, this, &SessionsPart::takeSessions);
    connect(&m_clients->sessions, &SessionsClient::sessionNoted, this, &SessionsPart::takeNote);
    connect(m_selection, &Selection::threadChanged, this,
            [this](const QString& thread) { m_parts.status->setSessions(m_sessions, thread); });
}

// When a session ends, its sleeping copies are lost, so no checkpoint is exact any more.
void SessionsPart::takeSessions(const std::vector<SessionRow>& sessions)
{
    const QString thread = m_selection->thread();
    const bool ended = oneHasEnded(std::exchange(m_sessions, sessions), sessions, thread);
    m_parts.status->setSessions(sessions, thread);
    if (ended && !m_book->isRunning(thread))
        readHistory();
}

// A sandbox that died and was replaced between two lists also loses its copies.
void SessionsPart::takeNote(const QString& session, const SessionNoteRow& note)
{
    const QString thread = m_selection->thread();
    const bool isShown = std::ranges::any_of(
        m_sessions, [&](const SessionRow& row) { return row.session == session && row.thread == thread; });
    if (isShown && note.event == sessions::SessionEventKind::Restarted && !m_book->isRunning(thread))
        readHistory();
}

void SessionsPart::readHistory()
{
    m_parts.feed->readHistory();
    m_world->show();
}

} // namespace sg::ui
