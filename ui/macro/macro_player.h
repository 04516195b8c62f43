#pragma once

#include "ui/macro/macro.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <cstddef>

namespace sg::ui {

class MacroDesk;

// Does a macro's steps, one after the other, from the event loop. GUI thread.
class MacroPlayer : public QObject {
    Q_OBJECT
public:
    explicit MacroPlayer(MacroDesk& desk, QObject* parent = nullptr); // outlived by the desk

    void play(const Macro& macro); // instead of one that is being played
    void stop(); // by the user; ended() follows
    [[nodiscard]] bool isPlaying() const { return m_isPlaying; }
    [[nodiscard]] QString title() const; // of the one that is or was played, for a line of text

    void noteRunStarted();
    void noteRunEnded(const QString& status, const QString& reason);
    void noteRefused(const QString& reason); // a run, or the save before it

Q_SIGNALS:
    // `reason`: what, where, why and what next; empty: all steps were done. `isRunsFault`: it is a run's
    // end that was not expected.
    void ended(const QString& reason, bool isRunsFault);

private:
    enum class Part { Thread, Checkpoint, Node, Input, Command, Wait };
    void tick();
    [[nodiscard]] QString doPart(bool isLast); // why not yet, or not at all; empty: it was done
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
    QElapsedTimer m_sinceRest; // invalid: it is not at rest
    int m_played = 0;
    bool m_isPlaying = false;
    bool m_hasLooked = false; // for the step's command, which is there
    bool m_isKnown = false;
    bool m_isGiving = false; // a command that has not returned
    bool m_hasBegun = false; // a run, since the step's command
    bool m_hasEnded = false;
    QString m_status; // of the run that ended
    QString m_runReason;
    QString m_refusal;
};

} // namespace sg::ui
