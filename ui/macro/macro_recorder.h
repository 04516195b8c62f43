#pragma once

#include "core/base/run_status.h"
#include "ui/macro/macro.h"

#include <QObject>
#include <QTimer>

#include <cstddef>
#include <functional>
#include <optional>

namespace sg::ui {

// Records steps from each command, after it was given, and from each change of the selection. Changes that a
// command makes itself are not recorded, because the command will make them again.
class MacroRecorder : public QObject {
    Q_OBJECT
public:
    struct Chosen {
        std::string thread;
        MacroPlace checkpoint;
        std::string node;
        friend bool operator==(const Chosen&, const Chosen&) = default;
    };
    using Look = std::function<Chosen()>; // returns the present selection

    explicit MacroRecorder(Look look, QObject* parent = nullptr);

    void start();
    Macro stop();
    [[nodiscard]] bool isRecording() const { return m_isRecording; }
    [[nodiscard]] std::size_t count() const { return m_macro.steps.size(); }

    void noteCommand(const QString& id);
    void noteRun(const QString& thread, const QString& json); // of the run that the next command starts
    void noteChoice();
    void noteRunStarted();
    void noteRunEnded(RunStatus status);

Q_SIGNALS:
    void changed();

private:
    void takeChoice();
    [[nodiscard]] MacroStep choiceStep(const Chosen& now) const;

    Look m_look;
    QTimer m_choiceSoon; // delayed, so that changes made by a command come first
    Macro m_macro;
    Chosen m_told; // the selection after the steps recorded so far
    MacroStep m_run; // thread and input of the run that a command requests
    std::optional<std::size_t> m_runStep; // the step whose command started the run
    bool m_isRecording = false;
};

} // namespace sg::ui
