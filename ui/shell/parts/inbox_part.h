#pragma once

#include "ui/bridge/rows/history_rows.h"
#include "ui/shell/parts/window_part.h"

#include <vector>

class QAction;

namespace sg::ui {

class AnswerQueue;
class DesktopNotice;
class InboxPanel;
class StatusLine;

// Questions of all threads, the way of their answers, and what is told of runs that nobody watches.
class InboxPart : public WindowPart {
    Q_OBJECT
public:
    InboxPart(const WindowParts& parts, InboxPanel& inbox, StatusLine& status);

    [[nodiscard]] QAction* nextAction() const { return m_next; } // question that waits

private:
    void connectRunNotices();
    void showWaiting(const std::vector<WaitingRow>& found);
    void notifyOf(const WaitingRow& row);

    InboxPanel* const m_inbox;
    StatusLine* const m_status;
    AnswerQueue* const m_answers;
    DesktopNotice* m_notice;
    QAction* m_next;
};

} // namespace sg::ui
