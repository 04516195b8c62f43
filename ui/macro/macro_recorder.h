#pragma once

#include "ui/macro/macro.h"

#include <QObject>
#include <QTimer>

#include <cstddef>
#include <functional>
#include <optional>

namespace sg::ui {

// Steps from what the user does: told of each command after it was given, and of each change of what is
// chosen. What a command chooses itself is no step: giving it again does the same.
class MacroRecorder : public QObject {
    Q_OBJECT
public:
    struct Chosen {
        std::string thread;
        MacroPlace checkpoint;
        std::string node;
        friend bool operator==(const Chosen&, const Chosen&) = default;
    };
    using Look = std::function<Chosen()>; // at what is chosen now

    explicit MacroRecorder(Look look, QObject* parent = nullptr);

    void start();
    Macro stop();
    [[nodiscard]] bool isRecording() const { return m_isRecording; }
    [[nodiscard]] std::size_t count() const { return m_macro.steps.size(); }

    void noteCommand(const QString& id);
    void noteRun(const QString& thread, const QString& json); // that the command which is given next starts
    void noteChoice();
    void noteRunStarted();
    void noteRunEnded(const QString& status);

Q_SIGNALS:
    void changed();

private:
    void takeChoice();
    [[nodiscard]] MacroStep choiceStep(const Chosen& now) const;

    Look m_look;
    QTimer m_choiceSoon; // what changes with a command changes before this
    Macro m_macro;
    Chosen m_told; // as it is where the steps so far were done
    MacroStep m_run; // of the run that a command asks for: its thread and input
    std::optional<std::size_t> m_runStep; // whose command started the run
    bool m_isRecording = false;
};

} // namespace sg::ui
