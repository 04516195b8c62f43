#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/shell/parts/window_part.h"

#include <functional>

namespace sg::ui {

class LastProject;
class RunBanners;
class RunBar;
class RuntimePart;
class Saving;

// Wires what starts runs of the selected thread, and shows how each stands.
class RunPart : public WindowPart {
    Q_OBJECT
public:
    struct Others {
        Saving& saving;
        LastProject& last;
        RuntimePart& runtime;
        RunBanners& banners;
    };
    RunPart(const WindowParts& parts, const Others& others);

Q_SIGNALS:
    // The task that failed at the end of the shown thread; null: none did, or it runs.
    void failureStood(const sg::ui::TaskRow* failed);

private:
    void connectBar();
    void saveAndRun(const QString& thread, const std::function<void()>& run);
    void showThreads();
    void showThread(const QString& thread);
    void showStatus();
    void takeState(const StateView& state);
    void runStarted(const QString& thread);
    void runEnded(const QString& thread, RunStatus status, const UserError& error);

    RunBar* const m_bar;
    const Others m_others;
    QStringList m_standsBefore; // the newest checkpoint of the shown thread; see standsBefore()
    int m_step = 0; // of that checkpoint
    QStringList m_pausedBefore; // that the banner tells
};

} // namespace sg::ui
