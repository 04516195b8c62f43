#include "ui/timeline/feed/session_tracks.h"

#include "ui/bridge/clients.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/timeline/timeline_panel.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace sg::ui {
namespace {

constexpr std::size_t kMostKept = 40'000; // of a session; a second each

} // namespace

SessionTracks::SessionTracks(const PanelParts& parts, TimelinePanel& timeline)
    : QObject(&timeline)
    , m_parts(parts)
    , m_timeline(timeline)
{
    connect(&m_parts.clients.artifacts, &ArtifactsClient::artifactsLoaded, &m_timeline,
            &TimelinePanel::setArtifacts);
    connect(&m_parts.clients.sessions, &SessionsClient::samplesAdded, this, &SessionTracks::takeSamples);
    connect(&m_parts.clients.sessions, &SessionsClient::sessionPastLoaded, this, &SessionTracks::takePast);
    connect(&m_parts.clients.project, &OpenProject::closing, this, [this] { m_pastAsked.clear(); });
    connect(&m_parts.clients.sessions, &SessionsClient::sessionsChanged, this, &SessionTracks::setSessions);
    connect(&m_parts.clients.project, &OpenProject::opened, this, [this] { m_samples.clear(); });
    connect(&m_parts.selection, &Selection::threadChanged, this, &SessionTracks::showThread);
    connect(&m_parts.history, &ShownHistory::momentChanged, this, [this] { show(false); });
}

void SessionTracks::setSessions(const std::vector<SessionRow>& sessions)
{
    m_sessions = sessions;
    askPast(m_parts.selection.thread());
    show(false);
}

void SessionTracks::showThread()
{
    askPast(m_parts.selection.thread());
    show(true);
}

// The session that lived at the moment that is looked at, else the newest; the thread's own before those
// of nodes and runs. Null: it has none.
const SessionRow* SessionTracks::viewedSession() const
{
    const double now = m_parts.history.moment();
    const auto rank = [now](const SessionRow& row) {
        const bool began = std::isnan(now) || std::isnan(row.startedMs) || row.startedMs <= now;
        return std::tuple(began, row.part.isThreads(), std::isnan(row.startedMs) ? 0 : row.startedMs);
    };
    const SessionRow* best = nullptr;
    for (const SessionRow& row : m_sessions)
        if (row.thread == m_parts.selection.thread() && (best == nullptr || rank(row) > rank(*best)))
            best = &row;
    return best;
}

// Only one of the sessions that lived at once is drawn, together with those it replaced.
void SessionTracks::show(bool always)
{
    const SessionRow* viewed = viewedSession();
    const QString session = viewed == nullptr ? QString() : viewed->session;
    if (!always && session == m_drawnSession)
        return;
    m_drawnSession = session;
    std::vector<SampleRow> samples;
    for (const SessionRow& row : m_sessions)
        if (viewed != nullptr && row.thread == viewed->thread && row.part == viewed->part)
            if (const auto kept = m_samples.find(row.session); kept != m_samples.end())
                samples.insert(samples.end(), kept->second.begin(), kept->second.end());
    std::ranges::stable_sort(samples, {}, &SampleRow::timeMs);
    m_timeline.setSamples(samples, viewed == nullptr ? 0 : viewed->cpuLimit);
}

void SessionTracks::takeSamples(const QString& session, const std::vector<SampleRow>& samples)
{
    const auto known = std::ranges::find(m_sessions, session, &SessionRow::session);
    if (known == m_sessions.end() || known->thread.isEmpty())
        return;
    std::vector<SampleRow>& kept = m_samples[session];
    kept.insert(kept.end(), samples.begin(), samples.end());
    if (kept.size() > kMostKept)
        kept.erase(kept.begin(), kept.end() - static_cast<std::ptrdiff_t>(kMostKept));
    if (session == m_drawnSession)
        m_timeline.addSamples(samples);
}

// Asks for what was measured of the thread's sessions before the project was opened.
void SessionTracks::askPast(const QString& thread)
{
    for (const SessionRow& session : m_sessions)
        if (session.thread == thread && !m_pastAsked.contains(session.session)) {
            m_pastAsked.insert(session.session);
            m_parts.clients.sessions.loadSessionPast(session.session);
        }
}

void SessionTracks::takePast(const SessionPast& past)
{
    const auto known = std::ranges::find(m_sessions, past.session, &SessionRow::session);
    if (known == m_sessions.end() || past.samples.empty())
        return;
    std::vector<SampleRow>& kept = m_samples[past.session];
    kept.insert(kept.end(), past.samples.begin(), past.samples.end());
    std::ranges::sort(kept, {}, &SampleRow::timeMs);
    const auto isSameTime = [](const SampleRow& a, const SampleRow& b) { return a.timeMs == b.timeMs; };
    kept.erase(std::unique(kept.begin(), kept.end(), isSameTime), kept.end());
    if (known->thread == m_parts.selection.thread())
        show(true);
}

} // namespace sg::ui
