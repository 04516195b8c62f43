#pragma once

#include "ui/bridge/rows/project_info.h"
#include "ui/bridge/rows/project_rows.h"
#include "ui/shell/parts/window_part.h"

#include <functional>

class QLabel;
class QProgressBar;

namespace sg::ui {

class StartPage;

// Shows whether the open graph's code finds what it imports in the Python of local sandboxes, and the
// progress of its build in the status bar. A run that would fail without it waits for it.
class RuntimePart : public WindowPart {
    Q_OBJECT
public:
    RuntimePart(const WindowParts& parts, StartPage& page);

    void prepare();
    // Returns true if the run cannot find its packages. It is begun later, or when the user wants it all the
    // same.
    bool holdsBack(const std::function<void()>& run);
    // Shows what the sandbox lacks, unless something worse is to be told of it. Returns false if it lacks
    // nothing.
    bool tell(const SandboxInfo& found);

private:
    void showProgress(const RuntimeRow& row);
    void ended(const UserError& error);
    void tellWaiting();
    void runNow();
    [[nodiscard]] QString missingText() const;

    StartPage* const m_page;
    QWidget* m_status; // in the status bar
    QProgressBar* m_bar;
    QLabel* m_words;
    std::function<void()> m_waiting; // a run; empty: none waits
};

} // namespace sg::ui
