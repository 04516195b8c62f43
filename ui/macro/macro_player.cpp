#include "ui/macro/macro_player.h"

#include "ui/macro/macro_desk.h"

#include <utility>

namespace sg::ui {
namespace {

constexpr int kLongestTitle = 60;
constexpr int kTickMs = 30;
constexpr int kRestMs = 700; // a part that fails for so long at rest has failed
constexpr int kPatienceMs = 30'000; // the same for a window that never rests

bool isFailure(RunStatus status)
{
    return status == RunStatus::Failed || status == RunStatus::RecursionLimit;
}

} // namespace

MacroPlayer::MacroPlayer(MacroDesk& desk, QObject* parent)
    : QObject(parent)
    , m_desk(desk)
{
    m_tick.setInterval(kTickMs);
    connect(&m_tick, &QTimer::timeout, this, &MacroPlayer::tick);
}

void MacroPlayer::play(const Macro& macro)
{
    ++m_played;
    m_macro = macro;
    m_at = 0;
    m_part = Part::Thread;
    m_isPlaying = true;
    m_isGiving = m_hasBegun = m_hasEnded = m_hasLooked = false;
    m_refusal.clear();
    m_sincePart.start();
    m_sinceRest.invalidate();
    m_tick.start();
}

void MacroPlayer::stop()
{
    if (m_isPlaying)
        end(tr("It was stopped."), {});
}

void MacroPlayer::noteRunStarted()
{
    m_hasBegun = true;
    m_hasEnded = false;
}

void MacroPlayer::noteRunEnded(RunStatus status, const QString& reason)
{
    m_hasEnded = true;
    m_status = status;
    m_runReason = reason;
}

void MacroPlayer::noteRefused(const QString& reason)
{
    m_refusal = reason;
}

void MacroPlayer::tick()
{
    if (!m_isPlaying)
        return;
    if (const QString question = m_desk.openQuestion(); !question.isEmpty()) {
        end(tr("A question is open, which a macro does not answer: %1.").arg(question),
            tr("Answer it and go on by hand, or leave the step out."));
        return;
    }
    if (m_isGiving)
        return;
    if (m_at == m_macro.steps.size()) {
        m_isPlaying = false;
        m_tick.stop();
        Q_EMIT ended({}, false);
        return;
    }
    if (m_part == Part::Wait) {
        watchRun();
        return;
    }
    const bool rests = m_desk.isAtRest();
    if (!rests)
        m_sinceRest.invalidate();
    else if (!m_sinceRest.isValid())
        m_sinceRest.start();
    const bool hasPatience = m_sincePart.elapsed() < kPatienceMs;
    // A pending answer may show another project, thread or history.
    if (!rests && !m_desk.isRunUnderWay() && hasPatience)
        return;
    const bool isLast = !hasPatience || (m_sinceRest.isValid() && m_sinceRest.elapsed() >= kRestMs);
    const QString reason = doPart(isLast);
    if (!m_isPlaying || m_isGiving)
        return;
    if (reason.isEmpty())
        nextPart();
    else if (isLast)
        end(reason, tr("Mend that, or change the step."));
}

QString MacroPlayer::doPart(bool isLast)
{
    switch (m_part) {
    case Part::Thread:
        return step().thread ? m_desk.chooseThread(QString::fromStdString(*step().thread)) : QString();
    case Part::Checkpoint: return step().checkpoint ? m_desk.chooseCheckpoint(*step().checkpoint) : QString();
    case Part::Node: return step().node ? m_desk.chooseNode(QString::fromStdString(*step().node)) : QString();
    case Part::Input:
        if (step().input)
            m_desk.setInput(QString::fromStdString(*step().input));
        return {};
    case Part::Command: return giveSoon(isLast);
    case Part::Wait: break;
    }
    return {};
}

// Looking for a command fills every menu, so it is done only at first and before the macro fails for it.
QString MacroPlayer::giveSoon(bool isLast)
{
    const QString command = QString::fromStdString(step().command);
    if (command.isEmpty())
        return {};
    if (!std::exchange(m_hasLooked, true) || isLast)
        m_isKnown = m_desk.knows(command);
    if (!m_isKnown) {
        if (m_sinceRest.isValid() && !isLast)
            return tr("There is no command `%1`.").arg(command); // a menu may be filled later
        end(tr("There is no command `%1`.").arg(command),
            tr("The ids stand in the command palette, below what is chosen (Ctrl+Shift+P)."));
        return {};
    }
    if (const QString reason = m_desk.whyNot(command); !reason.isEmpty())
        return tr("`%1` cannot be done: %2.").arg(command, reason);
    m_isGiving = true;
    QTimer::singleShot(0, this, [this, played = m_played] { // the tick must go on during a dialog
        if (played == m_played)
            give();
    });
    return {};
}

void MacroPlayer::give()
{
    if (!m_isPlaying)
        return;
    const int played = m_played;
    m_hasBegun = m_hasEnded = false;
    m_refusal.clear();
    m_desk.give(QString::fromStdString(step().command));
    if (played != m_played) // another macro is playing
        return;
    m_isGiving = false;
    if (m_isPlaying)
        nextPart();
}

void MacroPlayer::nextPart()
{
    m_sincePart.start();
    m_sinceRest.invalidate();
    m_hasLooked = false;
    if (m_part == Part::Command && step().waitsForRun) {
        m_part = Part::Wait;
    } else if (m_part == Part::Command || m_part == Part::Wait) {
        m_part = Part::Thread;
        ++m_at;
    } else {
        m_part = static_cast<Part>(static_cast<int>(m_part) + 1);
    }
}

void MacroPlayer::watchRun()
{
    const bool startsOne = !step().command.empty();
    const bool isOver =
        startsOne ? m_hasBegun && m_hasEnded : !m_desk.isRunUnderWay() && (!m_hasBegun || m_hasEnded);
    if (!m_refusal.isEmpty()) {
        end(tr("No run was started: %1").arg(std::exchange(m_refusal, {})), {});
    } else if (isOver) {
        const QString expected = QString::fromStdString(step().expect);
        const QString status = QString::fromStdString(runStatusName(m_status));
        const bool isWell = !m_hasEnded || (expected.isEmpty() ? !isFailure(m_status) : status == expected);
        if (isWell)
            nextPart();
        else
            end(tr("The run ended as “%1”%2. %3")
                    .arg(status, expected.isEmpty() ? QString() : tr(", and not as “%1”").arg(expected),
                         m_runReason)
                    .trimmed(),
                expected.isEmpty() ? tr("Where that is meant, the step says \"expect\": \"%1\".").arg(status)
                                   : QString(),
                true);
    } else if (m_sincePart.elapsed() > step().timeoutSeconds * qint64(1000)) {
        end(m_hasBegun || !startsOne
                ? tr("The run did not end within %1 s; it goes on.").arg(step().timeoutSeconds)
                : tr("No run began within %1 s.").arg(step().timeoutSeconds),
            tr("\"timeout_s\" gives it more."));
    }
}

// The file's name may contain anything.
QString MacroPlayer::title() const
{
    return QString::fromStdString(m_macro.name).simplified().left(kLongestTitle);
}

void MacroPlayer::end(const QString& reason, const QString& next, bool isRunsFault)
{
    m_isPlaying = false;
    m_tick.stop();
    QString text = tr("**The macro %1 stopped at step %2 of %3.** %4")
                       .arg(title())
                       .arg(m_at + 1)
                       .arg(m_macro.steps.size())
                       .arg(reason);
    if (!next.isEmpty())
        text += QLatin1Char(' ') + next;
    Q_EMIT ended(text, isRunsFault);
}

} // namespace sg::ui
