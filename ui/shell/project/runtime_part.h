#pragma once

#include "ui/bridge/rows/project_info.h"
#include "ui/bridge/rows/project_rows.h"
#include "ui/shell/parts/window_part.h"

#include <functional>

class QLabel;
class QProgressBar;

namespace sg::ui {

class StartPage;

// The Python of local sandboxes: whether the open graph's code finds what it imports, and the build of it,
// whose progress stands in the status bar. A run that would fail without it waits for it.
class RuntimePart : public WindowPart {
    Q_OBJECT
public:
    RuntimePart(const WindowParts& parts, StartPage& page);

    void prepare();
    // True: the run cannot find its packages. It is begun later, or where the user wants it all the same.
    bool holdsBack(const std::function<void()>& run);
    // What the sandbox lacks, where nothing worse is to be told of it. False: nothing.
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
