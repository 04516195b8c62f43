#pragma once

#include "core/base/run_status.h"
#include "ui/macro/macro.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <cstddef>

namespace sg::ui {

class MacroDesk;

// Plays the steps of a macro one after the other, from the event loop. GUI thread.
class MacroPlayer : public QObject {
    Q_OBJECT
public:
    explicit MacroPlayer(MacroDesk& desk, QObject* parent = nullptr); // `desk` must outlive the player

    void play(const Macro& macro); // replaces a macro that is playing
    void stop(); // by the user; ended() follows
    [[nodiscard]] bool isPlaying() const { return m_isPlaying; }
    [[nodiscard]] QString title() const; // of the present or last macro, shortened to a line

    void noteRunStarted();
    void noteRunEnded(RunStatus status, const QString& reason);
    void noteRefused(const QString& reason); // a run, or the save before it, was refused

Q_SIGNALS:
    // `reason` tells what failed, where, why, and what to do; empty if all steps were done. `isRunsFault`
    // means that a run ended with an unexpected status.
    void ended(const QString& reason, bool isRunsFault);

private:
    enum class Part { Thread, Checkpoint, Node, Input, Command, Wait };
    void tick();
    [[nodiscard]] QString doPart(bool isLast); // why it is not done yet or has failed; empty if it is done
    [[nodiscard]] QString giveSoon(bool isLast);
    void give();
    void watchRun();
    void nextPart();
    void end(const QString& reason, const QString& next, bool isRunsFault = false);
    [[nodiscard]] const MacroStep& step() const { return m_macro.steps[m_at]; }

    MacroDesk& m_desk;
    QTimer m_tick;
    Macro m_macro;
    std::size_t m_at = 0;
    Part m_part = Part::Thread;
    QElapsedTimer m_sincePart;
    QElapsedTimer m_sinceRest; // invalid if it is not at rest
    int m_played = 0;
    bool m_isPlaying = false;
    bool m_hasLooked = false; // knows() was asked for the step's command
    bool m_isKnown = false;
    bool m_isGiving = false; // a command has not returned yet
    bool m_hasBegun = false; // a run began since the step's command
    bool m_hasEnded = false;
    RunStatus m_status = RunStatus::Unknown; // of the ended run
    QString m_runReason;
    QString m_refusal;
};

} // namespace sg::ui
