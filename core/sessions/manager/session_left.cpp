#include "core/sandbox/owner_process.h"
#include "core/sessions/manager/session_maker.h"

#include <utility>

// Sessions that earlier programs left for a thread: found, taken up where that works, or reported as lost.
namespace sg::sessions {
namespace {

// Compares the limits that can be changed while a sandbox lives.
bool areAlike(const sandbox::Limits& a, const sandbox::Limits& b)
{
    return a.memoryBytes == b.memoryBytes && a.pids == b.pids && a.cpus == b.cpus;
}

std::string pidText(const std::string& ownerMark)
{
    const auto owner = sandbox::parseOwnerMark(ownerMark);
    return owner ? "pid " + std::to_string(owner->pid) : "another program";
}

} // namespace

Holder holderOf(const sandbox::FoundSandbox& found, SessionRecords* records)
{
    const std::string self = sandbox::ownerMark(sandbox::ownProcess());
    if (records != nullptr)
        if (const auto record = records->find(found.session); record && *record) {
            const std::string& mark = (*record)->owner;
            const auto owner = sandbox::parseOwnerMark(mark);
            if (!owner || sandbox::isGone(*owner))
                return Holder::Nobody;
            return mark == self ? Holder::Us : Holder::Another;
        }
    if (const auto owner = sandbox::parseOwnerMark(found.ownerProcess); owner && sandbox::isElsewhere(*owner))
        return Holder::Another;
    // Without records the program that started a kept session may have detached from it since.
    if (found.kept || !found.ownerAlive)
        return Holder::Nobody;
    return found.ownerProcess == self ? Holder::Us : Holder::Another;
}

// Limits that were changed while the session lived stay in force, each by itself, unless the spec asks for
// another one now.
void SessionMaker::takeUp(const SessionRecord& record, SessionParts& parts)
{
    parts.startedAt = record.startedAt;
    const sandbox::Limits& now = parts.spec.limits;
    const sandbox::Limits asked = record.askedLimits.value_or(now);
    const sandbox::Limits& hold = record.info.limits;
    parts.limitsNow = now;
    if (now.memoryBytes == asked.memoryBytes)
        parts.limitsNow->memoryBytes = hold.memoryBytes;
    if (now.pids == asked.pids)
        parts.limitsNow->pids = hold.pids;
    if (now.cpus == asked.cpus)
        parts.limitsNow->cpus = hold.cpus;
}

// A sandbox that was started ahead does not bear its thread's name: the record does.
bool SessionMaker::isOf(const sandbox::FoundSandbox& found, const ThreadId& thread,
                        const SessionPart& part) const
{
    if (!found.thread.empty() || m_world.records == nullptr)
        return found.thread == thread && found.part == part.text();
    const auto record = m_world.records->find(found.session);
    return record && *record && (*record)->info.thread == thread && (*record)->info.part == part;
}

// Finds what an earlier program left for this thread: a kept sandbox, or one that outlived a killed program.
// Its names are there, and nothing else would end it. Errc::Conflict: another program has it now.
Result<std::optional<sandbox::FoundSandbox>>
SessionMaker::findLeft(sandbox::SandboxBackend& backend, const ThreadId& thread, const SessionSpec& spec)
{
    const SessionId lasting = lastingId(thread, spec.part);
    const auto found = backend.find();
    if (!found)
        return std::optional<sandbox::FoundSandbox>();
    for (const sandbox::FoundSandbox& one : *found) {
        if (one.project != m_world.options.project
            || !(one.session == lasting || isOf(one, thread, spec.part)))
            continue;
        const Holder holder = holderOf(one, m_world.records);
        if (holder == Holder::Nobody)
            return std::optional(one);
        if (holder == Holder::Another && one.session == lasting)
            return Error{ Errc::Conflict,
                          "session " + one.session.value + " of this thread is in use by "
                              + pidText(one.ownerProcess) + "; end it there, or use another thread" };
    }
    return std::optional<sandbox::FoundSandbox>();
}

void SessionMaker::release(const sandbox::FoundSandbox& left) const
{
    if (m_world.records != nullptr)
        static_cast<void>(m_world.records->setState(left.session, SessionState::Kind::Released));
}

// A sandbox is claimed before it is touched, as another program may have found it as well.
Result<void> SessionMaker::claim(const sandbox::FoundSandbox& left) const
{
    if (m_world.records == nullptr)
        return {};
    const auto record = m_world.records->find(left.session);
    if (!record || !*record)
        return record ? Result<void>() : record.error();
    const auto claimed =
        m_world.records->claim(left.session, (*record)->owner, sandbox::ownerMark(sandbox::ownProcess()));
    if (!claimed)
        return claimed.error();
    if (*claimed)
        return {};
    return Error{
        Errc::Conflict,
        "session " + left.session.value
            + " of this thread was just taken up by another program; use it there, or another thread"
    };
}

// Removes a sandbox that cannot be used, and with it its place.
Result<void> SessionMaker::giveUp(const Choice& choice, const sandbox::FoundSandbox& left,
                                  const std::string& why, const Asker& asker)
{
    if (auto removed = choice.backend->remove(left); !removed)
        return removed;
    if (m_world.records != nullptr) {
        static_cast<void>(
            m_world.records->note(left.session, { m_world.clock.now(), SessionEventKind::Ended, why }));
        static_cast<void>(m_world.records->setState(left.session, SessionState::ended(why)));
    }
    if (asker.say)
        asker.say("session " + left.session.value + " of this thread has ended: " + why
                  + ". Another is started; of names and files in memory is left what its snapshots hold");
    return {};
}

// Lists the settings that differ and cannot be changed in a running sandbox, as far as the records tell;
// empty: none.
std::string SessionMaker::misfit(const sandbox::FoundSandbox& found, const SessionSpec& spec,
                                 const std::optional<Layer>& layer) const
{
    if (m_world.records == nullptr)
        return {};
    const auto record = m_world.records->find(found.session);
    if (!record || !*record)
        return {};
    const SessionInfo& info = (*record)->info;
    const bool hasNetwork = !spec.egress.empty();
    const std::string folder = spec.datasetFolder.string();
    const std::string modules = modulesMark(spec.modules);
    const std::pair<const char*, bool> settings[] = {
        { "image", (*record)->image == spec.image },
        { "connection", spec.connection.empty() || found.connection == spec.connection },
        { "packages", info.layer == (layer ? layer->id : "") },
        { "network", (*record)->network.value_or(hasNetwork) == hasNetwork },
        { "secrets", (*record)->secrets.value_or(spec.secrets) == spec.secrets },
        { "storage", info.storage == spec.mode.storage },
        { "dataset access", info.datasets == spec.mode.datasets },
        { "dataset folder", (*record)->datasetFolder.value_or(folder) == folder },
        { "folders of modules", (*record)->modules.value_or(modules) == modules },
        { "size of its folder", info.limits.tmpfsBytes == spec.limits.tmpfsBytes },
        { "number of open files", info.limits.openFiles == spec.limits.openFiles },
    };
    std::string text;
    for (const auto& [name, isSame] : settings)
        if (!isSame)
            text += (text.empty() ? "" : ", ") + std::string(name);
    return text.empty() ? text : "it was made with other settings (" + text + ")";
}

// Attaches with the limits that are asked for now. Returns why the sandbox cannot be used; empty: it can.
std::string SessionMaker::takeUpLeft(SandboxSession& session, const sandbox::FoundSandbox& left,
                                     const SessionSpec& spec, const std::optional<Layer>& layer) const
{
    if (std::string why = misfit(left, spec, layer); !why.empty())
        return why;
    if (auto attached = session.attach(left); !attached)
        return "it does not answer any more (" + attached.error().message + ")";
    const sandbox::Limits hold = session.info().limits;
    if (const auto record = m_world.records != nullptr ? m_world.records->find(left.session)
                                                       : Result<std::optional<SessionRecord>>(Error());
        record && *record && !areAlike((*record)->info.limits, hold))
        if (auto set = session.setLimits(hold); !set)
            return "its limits cannot be changed (" + set.error().message + ")";
    return {};
}

// True where the thread's last session ended because its program was killed, or made room there.
bool SessionMaker::wasLost(const ThreadId& thread, const SessionPart& part) const
{
    if (m_world.records == nullptr)
        return false;
    const auto last = m_world.records->newestOf(thread, part);
    if (!last || !*last)
        return false;
    const SessionRecord& record = **last;
    if (record.hasEnded()) // neither was anybody's wish
        return record.info.state.end() == SessionState::End::ProgramGone
            || record.info.state.end() == SessionState::End::MadeRoom;
    const auto owner = sandbox::parseOwnerMark(record.owner);
    return owner && sandbox::isGone(*owner);
}

// True where this thread had a kept session whose sandbox is gone.
bool SessionMaker::tellsOfALoss(const Choice& choice, const ThreadId& thread, const SessionSpec& spec,
                                const Asker& asker)
{
    if (m_world.records == nullptr)
        return false;
    const SessionId lasting = lastingId(thread, spec.part);
    const auto record = m_world.records->find(lasting);
    const bool livedOn = record && *record && (*record)->keep && !(*record)->hasEnded()
        && (*record)->info.backend == choice.name;
    if (!livedOn || !choice.backend->find()) // an engine that does not answer may have it still
        return false;
    if (const auto owner = sandbox::parseOwnerMark((*record)->owner); owner && !sandbox::isGone(*owner))
        return false;
    const std::string why = "its sandbox was removed, or died with its engine";
    static_cast<void>(m_world.records->note(lasting, { m_world.clock.now(), SessionEventKind::Ended, why }));
    static_cast<void>(m_world.records->setState(lasting, SessionState::ended(why)));
    sandbox::egress::EgressFolder::forget(lasting.value);
    if (asker.say)
        asker.say("session " + lasting.value + " of this thread has ended: " + why
                  + ". Another is started; of names and files in memory is left what its snapshots hold");
    return true;
}

} // namespace sg::sessions
