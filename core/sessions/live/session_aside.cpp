#include "core/sessions/live/session_rewind.h"
#include "core/sessions/runner/live_sandbox.h"
#include "core/sessions/snapshots/snapshot_names.h"

#include <algorithm>
#include <utility>

// Setting a session aside: before its sandbox ends for another session's, what goes beyond its snapshots is
// written out, and brought back later.
namespace sg::sessions {

bool SessionRewind::isAsleep(const SnapshotId& id) const
{
    const std::vector<SnapshotId> asleep = m_copies.asleep();
    return std::ranges::find(asleep, id) != asleep.end();
}

bool SessionRewind::isWrittenOut(const Snapshot& snapshot) const
{
    const Value later = m_copies.namesOf(snapshot.id);
    const bool hasNames = later.isMap() ? leftOut(later) == 0 : snapshot.names.isMap();
    return hasNames && (snapshot.files || m_isKept);
}

bool SessionRewind::setAside(Millis patience, Here here)
{
    if (here == Here::Nothing)
        return true;
    m_aside.reset();
    m_edited = isEditedByHand();
    if (m_pristine && !m_changed && !m_edited && m_at.empty())
        return true;
    const std::vector<SnapshotId> asleep = m_copies.asleep();
    Aside aside{ m_last, m_at, m_last, m_changed, m_edited, m_pristine };
    const bool isMoved = m_changed || m_edited || m_at.empty() || !m_last;
    if (here == Here::Files)
        aside.snapshot = filesNow();
    else if (isMoved || !(isWrittenOut(*m_last) || isAsleep(m_last->id)))
        aside.snapshot = take();
    m_last = aside.last;
    // If names were lost, there may be none left to write out.
    const bool hasNamesToo = here == Here::All || isAsleep(aside.snapshot->id);
    const bool isAll = storeAll(patience);
    const bool isGood = hasNamesToo ? isWrittenOut(*aside.snapshot) : m_isKept || aside.snapshot->files;
    if (isAll && isGood) {
        aside.changed = aside.changed || here == Here::Files;
        if (!aside.last)
            aside.last = aside.snapshot;
        m_last = aside.last;
        m_aside = std::move(aside);
        return true;
    }
    m_at = aside.at; // it failed: the session goes on as it was
    m_changed = aside.changed;
    m_edited = aside.edited;
    m_pristine = aside.pristine;
    m_copies.use(m_live, asleep);
    if (!asleep.empty())
        m_copies.keep(asleep.back());
    if (here == Here::All && aside.snapshot != m_last) // nobody waits for the answer
        static_cast<void>(m_live->link().begin(
            { { "op", "drop" }, { "snapshots", Value::list({ aside.snapshot->id.value }) } }));
    return false;
}

void SessionRewind::letGo()
{
    m_prepared.reset();
    m_files.reset();
    m_copies.use(nullptr, {});
    m_live.reset();
}

// True where bring() would have found the session in place, had it not been set aside.
bool SessionRewind::wantsAside(const Stand& stand) const
{
    if (!m_aside)
        return false;
    const bool hasKeptEdits = m_aside->edited && stand.keepsEdits && !m_aside->changed;
    switch (stand.kind) {
    case Stand::Kind::AsIs: return true;
    case Stand::Kind::Fresh: return hasKeptEdits && m_aside->at.empty() && m_aside->pristine;
    case Stand::Kind::Snapshot: break;
    }
    return hasKeptEdits && m_aside->at == stand.snapshot->id && stand.source != Stand::Source::LiveOnly;
}

Result<Restored> SessionRewind::comeBackFromAside(bool filesToo)
{
    if (!m_aside)
        return Error{ Errc::NotFound, "nothing of it was kept" };
    const Aside aside = *std::exchange(m_aside, std::nullopt);
    auto restored = bringTo(aside.snapshot, Stand::Source::Any, filesToo);
    m_last = aside.last;
    if (!restored)
        return restored;
    const bool isAllBack = restored->filesRestored && restored->missing.empty()
        && (restored->kind == Restored::Kind::Exact || restored->kind == Restored::Kind::Stored);
    m_at = aside.at; // there, or somewhere after it
    m_changed = aside.changed || !isAllBack;
    m_edited = aside.edited;
    m_pristine = aside.pristine && isAllBack;
    return restored;
}

} // namespace sg::sessions
