#include "core/sessions/live/sandbox_session.h"
#include "core/sessions/runner/live_sandbox.h"

#include <utility>

// What died: buried, another started, and brought back to where it stood.
namespace sg::sessions {

Result<SandboxSession::Live>
SandboxSession::ensureLive(const CellLimits& limits, const CellHandlers& handlers, const SessionAsker& asker)
{
    const auto hasEnded = [this] {
        return Error{ Errc::Unavailable, "session " + m_parts.id.value + " has " + info().state };
    };
    if (m_ended)
        return hasEnded();
    Live live = current();
    if (live && live->link().failure()) {
        bury(live);
        if (m_ended) // by another program
            return hasEnded();
        live = nullptr;
    }
    if (!live) {
        // It made room, and another program has started the thread's session since.
        if (m_madeRoom && m_parts.spec.keep && m_parts.isAnothers && m_parts.isAnothers())
            letGo();
        if (auto started = m_ended ? Result<void>(hasEnded()) : startAgain(asker); !started)
            return m_ended ? hasEnded() : started.error();
        live = current();
        if (!live)
            return hasEnded();
    }
    if (live->sandbox().isPaused())
        if (auto woken = live->sandbox().unpause(); !woken)
            return std::move(woken.error()).during("wake session " + m_parts.id.value);
    if (auto greeted = live->greet(limits); !greeted) {
        bury(live);
        return std::move(greeted.error()).during("session " + m_parts.id.value);
    }
    std::string idleOutput;
    {
        const std::lock_guard lock(m_mutex);
        idleOutput = std::exchange(m_idleOutput, {});
    }
    if (!idleOutput.empty() && handlers.output)
        handlers.output({ CellOutput::Stream::Stdout, std::move(idleOutput) });
    return live;
}

CellResult SandboxSession::lost(const Live& live, CellResult soFar)
{
    const auto failure = live->link().failure();
    soFar.status = CellStatus::Died;
    auto cause = bury(live);
    soFar.error = cause
        ? std::move(*cause)
        : CellError{ "SessionEnded", failure ? failure->message : "the session was ended", {}, {} };
    return soFar;
}

std::optional<CellError> SandboxSession::bury(const Live& live)
{
    HostBudget::Place place; // given back when the sandbox is gone
    {
        const std::lock_guard lock(m_mutex);
        if (m_live != live)
            return std::nullopt;
        m_live = nullptr;
        m_asleep.clear();
        place = std::move(m_place);
    }
    if (isTakenOver(*live)) {
        live->link().close({ Errc::Conflict, "another program has taken the session up" });
        return letGo();
    }
    CellError cause = live->causeOfDeath();
    live->sandbox().end();
    {
        const std::lock_guard lock(m_mutex);
        m_state = "ended: " + cause.message;
    }
    m_listener(SessionEvent::Kind::Ended, info(), cause.message);
    return cause;
}

// Its sandbox goes on, with the other program.
bool SandboxSession::isTakenOver(LiveSandbox& live) const
{
    return m_parts.spec.keep && (live.link().wasSuperseded() || (m_parts.isAnothers && m_parts.isAnothers()));
}

CellError SandboxSession::letGo()
{
    const std::string why = "another program has taken it up";
    m_ended = true;
    m_over.request_stop();
    setState("ended: " + why);
    if (const auto egress = takeEgress())
        egress->leave();
    m_listener(SessionEvent::Kind::TakenOver, info(), why);
    return { "SessionEnded",
             "the session is no longer this program's: " + why + ". Use it there, or another thread",
             {},
             {} };
}

// What only the runner's memory had is gone; a BIND session's files are there, as its code left them.
void SandboxSession::comeBack(CellResult& result)
{
    const bool isNew = std::exchange(m_isNew, false);
    if (m_loss == Loss::MadeRoom && comeBackFromAside(result))
        return;
    if (m_loss == Loss::None && !isNew)
        return;
    auto snapshot = m_loss == Loss::EarlierSession ? nullptr : m_rewind.stoodAt();
    if (!snapshot && m_parts.snapshotOf)
        snapshot = m_parts.snapshotOf(m_parts.thread, m_parts.spec.part);
    if (!snapshot)
        return;
    auto brought = m_rewind.comeBack(snapshot, m_loss != Loss::Names && !m_journal.isKept());
    if (!brought) {
        result.warnings.push_back("the session could not be brought back to its thread's checkpoint: "
                                  + brought.error().message);
        return;
    }
    const std::lock_guard lock(m_mutex);
    m_namesLost = brought->kind == Restored::Kind::FilesOnly;
    result.restored = std::move(*brought);
}

// Where a world says how the session must stand, its caller tells how it was brought there.
void SandboxSession::tellOfLoss(const CellHandlers& handlers, const CellResult& result, bool byHand)
{
    const Loss loss = std::exchange(m_loss, Loss::None);
    const bool isBack = result.restored.has_value();
    if (loss == Loss::None && isBack && byHand && handlers.output)
        handlers.output({ CellOutput::Stream::Event,
                          "the session is new, and stands at its thread's newest snapshot: "
                              + describe(*result.restored) });
    if (loss == Loss::None || (loss == Loss::Names && !(isBack && byHand)))
        return;
    std::string text = loss == Loss::Names ? "the session's interpreter was replaced"
        : loss == Loss::Sandbox            ? "the session was started anew"
        : loss == Loss::MadeRoom           ? "the session had made room for another one, and was started anew"
                                           : "the session takes the place of one that was lost";
    if (!isBack)
        text += ": its names and files in memory are gone";
    else if (byHand)
        text += std::string(", and stands ")
            + (loss == Loss::MadeRoom ? "where it did: " : "at its newest snapshot again: ")
            + describe(*result.restored);
    for (const std::string& warning : result.warnings)
        text += "; " + warning;
    if (handlers.output)
        handlers.output({ CellOutput::Stream::Event, text });
    m_listener(SessionEvent::Kind::Restarted, info(), text);
}

} // namespace sg::sessions
